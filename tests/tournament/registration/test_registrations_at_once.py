"""Two who register or confirm at the same moment."""

import pytest

from tests.threads import at_once
from tests.tournament.registration.registering import asked, open_entry, states, wish
from tournament.archive.replaying import find_journal_differences
from tournament.core.change import Actor
from tournament.models import Contact, Tournament
from tournament.registration.requests import (
    confirm_request,
    request_registration,
)


@pytest.mark.django_db(transaction=True)
def test_the_last_place_goes_to_one_of_two_who_confirm_at_once(cup: Tournament, doris: Actor) -> None:
    open_entry(cup, places=1)
    contacts = [asked(cup, name) for name in ("Amsel, Ada", "Bussard, Bo")]

    at_once(*(lambda each=each: confirm_request(each) for each in contacts))

    assert sorted(states(cup).values()) == ["confirmed", "waiting"]
    assert find_journal_differences(cup) == []


@pytest.mark.django_db(transaction=True)
def test_the_same_form_sent_twice_at_once_is_one_request(cup: Tournament, doris: Actor) -> None:
    open_entry(cup)

    at_once(*[lambda: request_registration(cup, wish=wish(cup, "Amsel, Ada"))] * 2)

    assert Contact.objects.count() == 1
