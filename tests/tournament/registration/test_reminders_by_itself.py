"""The program sends letters that remind of games, by itself."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from tests.tournament.registration.test_overdue_games import publish_league
from tests.tournament.registration.test_reminders import list_reminded, remind_league
from tests.tournament.registration.test_views_registrations import SERVER
from tournament.laptop.going_on import go_on_once
from tournament.models import JournalEntry


@pytest.fixture(autouse=True)
def mail() -> Iterator[None]:
    with override_settings(MAIL=SERVER, NAMED_HOSTS=["tso.example.org"]):
        yield


@pytest.mark.django_db(transaction=True)
def test_program_sends_them_by_itself() -> None:
    league = remind_league(publish_league())
    go_on_once()
    reminded = list_reminded(league)
    go_on_once()

    assert reminded == list_reminded(league)
    assert set(reminded) == {1}
    assert JournalEntry.objects.filter(verb="send_reminders").count() == 1
