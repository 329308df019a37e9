"""Letters that remind of a league's games some days before their last day: once each, and by themselves."""

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client, override_settings
from django.urls import reverse
from django.utils.timezone import localdate

from tests import factories
from tests.markup import read_words
from tests.tournament.registration.registering import delivered
from tests.tournament.registration.test_overdue_games import entry_of, meeting_of, publish_league, state_days
from tests.tournament.registration.test_views_registrations import SERVER
from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import find_journal_differences
from tournament.entries.operations.attendance import withdraw_entry
from tournament.events.console import build_console_context
from tournament.events.operations import copy_tournament
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.tournament_file import format_tournament_file
from tournament.models import Division, JournalEntry, Pairing, Tournament
from tournament.registration.reminders import (
    list_due_reminders,
    remind_players,
    send_reminders,
    send_reminders_of_all,
    set_reminders,
)
from tournament.rounds.overdue import postpone_game

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def mail() -> Iterator[None]:
    with override_settings(MAIL=SERVER, NAMED_HOSTS=["tso.example.org"]):
        yield


@pytest.fixture(scope="module")
def league_of_module(*, shares_rows: bool) -> Division:
    return publish_league()


@pytest.fixture
def league(league_of_module: Division, db: None) -> Division:
    """Three rounds to be played in two, nine and sixteen days. Three days before a game's day its players are
    reminded."""
    return remind_league(league_of_module)


def remind_league(division: Division) -> Division:
    state_days(division, localdate() + 2 * DAY)
    set_reminders(division.tournament, remind_days=3, actor=factories.director())
    return factories.fresh(division)


def list_reminded(division: Division) -> list[int]:
    """The rounds of the games that were reminded of."""
    games = Pairing.objects.filter(round__division=division, reminded_at__isnull=False)
    return sorted(games.values_list("round__number", flat=True))


@pytest.mark.parametrize(
    ("days", "rounds"),
    [(0, {1}), (-1, set()), (1, {1}), (2, {1}), (3, set()), (5, set()), (6, {2}), (9, {2}), (13, {3}), (16, {3})],
    ids=[
        *("three days before begin earlier", "four days before", "the day before", "on the day", "the day after"),
        *("four days before the second", "three days before the second", "on its day"),
        *("three days before the third", "on the third's"),
    ],
)
def test_games_are_due_from_so_many_days_before_to_their_day(days: int, rounds: set[int], league: Division) -> None:
    if days == -1:
        set_reminders(league.tournament, remind_days=1, actor=factories.director())
        league = factories.fresh(league)
        days = 0

    due = list_due_reminders(league.tournament, localdate() + days * DAY)

    assert {game.round.number for game, _recipients in due} == rounds
    assert all(item.email for _game, recipients in due for item in recipients)


def test_each_game_is_reminded_of_once(league: Division) -> None:
    due = list_due_reminders(league.tournament, localdate())
    count = send_reminders(league.tournament, actor=factories.director())
    again = send_reminders(league.tournament, actor=factories.director())

    assert count == sum(len(recipients) for _game, recipients in due) == 2
    assert again == 0
    assert len(delivered()) == 2
    assert JournalEntry.objects.get(verb="send_reminders").details["count"] == 2


def test_command_writes_and_sends_them(league: Division, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("send_letters", format="json")

    counts = json.loads(capsys.readouterr().out)
    assert (counts["reminders"], counts["sent"]) == (2, 2)


def test_nothing_goes_without_a_mail_server(league: Division) -> None:
    with override_settings(MAIL=None):
        assert send_reminders_of_all() == 0
        assert build_console_context(league)["reminders"] == 0

    assert list_reminded(league) == []


def test_game_that_was_reminded_of_by_hand_gets_no_second_letter_even_when_postponed(league: Division) -> None:
    game = next(game for game, _recipients in list_due_reminders(league.tournament, localdate()))
    game.round.division = league
    remind_players(game, actor=factories.director())
    before = len(list_due_reminders(league.tournament, localdate()))

    postpone_game(game, due_on=localdate() + DAY, actor=factories.director())

    assert game.pk not in {due.pk for due, _recipients in list_due_reminders(league.tournament, localdate())}
    assert len(list_due_reminders(league.tournament, localdate())) == before


def test_game_with_its_own_day_is_due_by_that(league: Division) -> None:
    game = meeting_of("Amsel", "Bussard")
    postpone_game(game, due_on=localdate() + 3 * DAY, actor=factories.director())

    due = {due.pk for due, _recipients in list_due_reminders(league.tournament, localdate())}
    assert game.pk in due
    postpone_game(game, due_on=localdate() + 4 * DAY, actor=factories.director())
    assert game.pk not in {due.pk for due, _recipients in list_due_reminders(league.tournament, localdate())}


def test_played_games_ended_events_and_who_has_left_are_not_reminded_of(league: Division) -> None:
    today = localdate()
    for game, _recipients in list_due_reminders(league.tournament, today):
        factories.result(game.round, game.table or 0, 400, 300)
    played = list_due_reminders(league.tournament, today)
    withdraw_entry(entry_of("Amsel"), after=3, actor=factories.director())
    left = [game for game, _recipients in list_due_reminders(league.tournament, today + 6 * DAY)]
    Tournament.objects.filter(pk=league.tournament_id).update(is_ended=True)

    assert played == []
    assert all(entry_of("Amsel").pk not in {game.first.pk, game.second and game.second.pk} for game in left)
    assert list_due_reminders(factories.fresh(league).tournament, today + 6 * DAY) == []


def test_page_sets_the_days_and_sends(doris_client: Client, league: Division) -> None:
    slug = league.tournament.slug
    address = reverse("director:reminders", args=[slug])
    overview = read_words(doris_client.get(reverse("director:console", args=[slug])).content.decode())
    rounds = read_words(doris_client.get(reverse("director:rounds", args=[slug])).content.decode())
    page = read_words(doris_client.get(address).content.decode())
    wrong = doris_client.post(address, {"remind_days": "31"}).content.decode()
    sent = read_words(doris_client.post(address, {"send": "1"}, follow=True).content.decode())
    doris_client.post(address, {"remind_days": ""})

    assert "2 Erinnerungen an Partien sind bereit." in overview
    assert "3 Tage vorher" in rounds
    assert "2 Briefe schicken" in page
    assert 'value="31"' in wrong
    assert "2 Briefe sind unterwegs." in sent
    assert factories.fresh(league).tournament.remind_days is None


def test_event_made_from_the_journal_reminds_nobody_until_it_is_set_there(league: Division) -> None:
    slug = league.tournament.slug

    rebuilt = rebuild_event(slug, "neu", actor=factories.director()).tournament
    assert send_reminders_of_all() == 2

    assert rebuilt.remind_days is None
    assert not list(find_journal_differences(rebuilt))
    assert not Pairing.objects.filter(round__division__tournament=rebuilt, reminded_at__isnull=False).exists()


def test_copy_keeps_the_days_and_a_file_that_may_be_read_twice_does_not(league: Division) -> None:
    copied = copy_tournament(league.tournament, actor=factories.director(), name="Rückrunde")

    assert copied.remind_days == 3
    assert "remind" not in format_tournament_file(load_event_data(league.tournament))
