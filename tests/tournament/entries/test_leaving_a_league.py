"""A player leaves a league over weeks, all rounds of which are published: what becomes of the games that are left."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import localdate

from scoring.awards import Outcome
from tests import factories
from tests.markup import read_words
from tests.refusals import refuses
from tournament.archive.replaying import find_journal_differences
from tournament.entries.operations.attendance import (
    bring_back_entry,
    find_earliest_leave,
    list_games_left,
    withdraw_entry,
)
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.journal.undoing import ChangedSince, undo_journal_entry
from tournament.models import Division, Entry, JournalEntry, Pairing
from tournament.pairing.values import Method
from tournament.results.operations import withdraw_result
from tournament.rounds.due_days import publish_all_rounds
from tournament.rounds.overdue import select_overdue_games
from tournament.rounds.plan import PlanSegment, set_plan
from tournament.table.league import load_table

pytestmark = pytest.mark.django_db

WEEK = timedelta(days=7)


def make_league(players: int, *, begun: int = 1) -> Division:
    """All rounds published, a week from one to the next; the last days of the first `begun` have passed."""
    division = factories.event("Liga", players=players, rounds=0)
    rounds = players - 1 + players % 2
    set_plan(division, segments=[PlanSegment(1, rounds, Method.ROUND_ROBIN)], actor=factories.director())
    division = factories.fresh(division)
    first = localdate() + timedelta(days=1) - begun * WEEK
    publish_all_rounds(division, actor=factories.director(), first_due_on=first)
    return factories.fresh(division)


@pytest.fixture(scope="module")
def league_of_module(*, shares_rows: bool) -> Division:
    return make_league(4)


@pytest.fixture
def league(league_of_module: Division, db: None) -> Division:
    """Four players; the first of three rounds is over."""
    return factories.fresh(league_of_module)


@pytest.fixture
def three(db: None) -> Division:
    """Three players, each with a bye in one of three rounds to come: made by each test, from its own day on."""
    return make_league(3, begun=0)


def player(division: Division, at: int) -> Entry:
    entries = division.entries.with_names().select_related("division", "tournament").in_order()
    return entries[at]


def game_of(entry: Entry, number: int) -> Pairing:
    return Pairing.objects.with_players().select_related("round").get(seats__entry=entry, round__number=number)


def play(entry: Entry, number: int) -> None:
    game = game_of(entry, number)
    factories.result(game.round, game.table or 0, 400, 300)


def get_credit(division: Division, entry: Entry, after: int) -> tuple[int, int, int]:
    """Half wins, spread and points in the table."""
    rows = {row.entry.pk: row.standing for row in load_table(division, after=after).rows}
    standing = rows[entry.pk]
    return standing.half_wins, standing.spread, standing.points


def test_open_games_of_earlier_and_later_rounds_count_for_the_opponents() -> None:
    division = make_league(4, begun=2)
    leaver = player(division, 0)
    play(leaver, 2)
    games = list_games_left(leaver)
    opponent = next(seat.entry for seat in games[0].seats.all() if seat.entry_id != leaver.pk)

    withdraw_entry(leaver, after=2, awarded=[game.pk for game in games], actor=factories.director())

    leaver.refresh_from_db()
    assert [game.round.number for game in games] == [1, 3]
    assert leaver.withdrawn_after == 2
    assert not select_overdue_games(division, localdate() + 9 * WEEK).filter(seats__entry=leaver).exists()
    # TSO 6.1.1: the opponent has a win, 400 points and +50; who did not show has -100 and no points.
    assert get_credit(division, opponent, 1) == (2, 50, 400)
    has_won = game_of(leaver, 2).first.pk == leaver.pk
    assert get_credit(division, leaver, 3) == ((2, 100 - 200, 400) if has_won else (0, -100 - 200, 300))


@pytest.mark.parametrize("players", [4, 3], ids=["games", "games and a bye"])
def test_all_of_it_is_one_entry_of_the_journal_and_taken_back_as_one(players: int) -> None:
    division = make_league(players, begun=0)
    leaver = player(division, 0)
    before = JournalEntry.objects.filter(tournament=division.tournament).count()
    games = [game.pk for game in list_games_left(leaver)]

    withdraw_entry(leaver, after=0, awarded=games, actor=factories.director())
    entry = JournalEntry.objects.filter(tournament=division.tournament).latest("number")
    undo_journal_entry(entry, actor=factories.director())

    leaver.refresh_from_db()
    assert entry.details["count"] == 3
    assert JournalEntry.objects.filter(tournament=division.tournament).count() == before + 2
    assert leaver.withdrawn_after is None
    assert [game.pk for game in list_games_left(leaver)] == games

    again = JournalEntry.objects.filter(tournament=division.tournament).latest("number")
    undo_journal_entry(again, actor=factories.director())

    leaver.refresh_from_db()
    assert leaver.withdrawn_after == 0
    assert list_games_left(leaver) == []
    assert not list(find_journal_differences(division.tournament))


def test_game_of_who_has_left_that_is_open_again_keeps_what_came_before_from_being_restored(league: Division) -> None:
    leaver = player(league, 0)
    games = list_games_left(leaver)
    withdraw_entry(leaver, after=0, awarded=[game.pk for game in games], actor=factories.director())
    bring_back_entry(player(league, 0), actor=factories.director())
    back = JournalEntry.objects.filter(tournament=league.tournament).latest("number")
    withdraw_result(game_of(leaver, 2), actor=factories.director())

    with pytest.raises(ChangedSince):
        undo_journal_entry(back, actor=factories.director())


def test_game_that_is_still_to_be_played_keeps_the_player_until_its_round(league: Division) -> None:
    leaver = player(league, 0)
    first, _second, third = list_games_left(leaver)

    with refuses("paired_later", "Runde 2"):
        withdraw_entry(leaver, after=1, awarded=[first.pk, third.pk], actor=factories.director())
    withdraw_entry(leaver, after=2, awarded=[first.pk, third.pk], actor=factories.director())

    assert [game.round.number for game in list_games_left(leaver)] == [2]


def test_two_who_leave_both_lose(league: Division) -> None:
    one, other = player(league, 0), player(league, 1)
    theirs = Pairing.objects.filter(seats__entry=one).get(seats__entry=other)
    withdraw_entry(one, after=3, actor=factories.director())

    games = list_games_left(other)
    withdraw_entry(other, after=0, awarded=[game.pk for game in games], actor=factories.director())

    outcomes = {game.pk: game.results.get(official=True).outcome for game in games}
    assert outcomes.pop(theirs.pk) == Outcome.BOTH_FORFEIT
    assert set(outcomes.values()) <= {Outcome.FIRST_FORFEITS, Outcome.SECOND_FORFEITS}


def test_bye_to_come_is_a_round_missed(three: Division) -> None:
    leaver = player(three, 0)
    games = list_games_left(leaver)

    withdraw_entry(leaver, after=0, awarded=[game.pk for game in games], actor=factories.director())

    assert [game.second is None for game in games].count(True) == 1
    assert get_credit(three, leaver, 3) == (0, -300, 0)


def test_disqualified_player_loses_games_by_that(league: Division) -> None:
    leaver = player(league, 0)
    games = [game.pk for game in list_games_left(leaver)]

    withdraw_entry(leaver, after=0, awarded=games, disqualified=True, actor=factories.director())

    results = [game.results.get(official=True) for game in Pairing.objects.filter(pk__in=games)]
    assert {result.reason for result in results} == {"disqualified"}


def test_game_with_a_result_by_now_is_left_alone(league: Division) -> None:
    leaver = player(league, 0)
    games = [game.pk for game in list_games_left(leaver)]
    play(leaver, 1)

    with refuses("has_result", "Runde 1"):
        withdraw_entry(leaver, after=3, awarded=games, actor=factories.director())

    leaver.refresh_from_db()
    assert leaver.withdrawn_after is None
    assert find_earliest_leave(leaver) == 3


def test_game_of_the_last_round_of_a_day_is_not_asked_about() -> None:
    division = factories.event(players=4)
    factories.published(division)

    assert list_games_left(player(division, 0)) == []


def test_page_shows_what_becomes_of_each_game_and_does_it(doris_client: Client, league: Division) -> None:
    leaver = player(league, 0)
    slug = league.tournament.slug
    games = list_games_left(leaver)
    page = read_words(doris_client.get(reverse("director:entry", args=[slug, leaver.pk])).content.decode())
    address = reverse("director:withdraw", args=[slug, leaver.pk])

    stale = doris_client.post(address, {"after": "3", "awarded": ["999999"]}).content.decode()
    doris_client.post(address, {"after": "0", "awarded": [game.pk for game in games]})

    leaver.refresh_from_db()
    assert all(f"Runde {game.round.number}: die Partie zählt für" in page for game in games)
    assert "Eine dieser Partien hat inzwischen ein Ergebnis." in read_words(stale)
    assert leaver.withdrawn_after == 0
    assert list_games_left(leaver) == []


def test_file_holds_it(three: Division) -> None:
    leaver = player(three, 0)
    games = [game.pk for game in list_games_left(leaver)]
    withdraw_entry(leaver, after=0, awarded=games, actor=factories.director())

    text = format_tournament_file(load_event_data(three.tournament))

    # By what it says: PostgreSQL keeps the keys of a criterion in an order of its own.
    assert json.loads(format_tournament_file(read_tournament_file(text.encode()))) == json.loads(text)


def test_who_comes_after_the_last_round_of_the_plan_is_told_of(client: Client, league: Division) -> None:
    factories.sign_in(client)
    address = reverse("director:entries", args=[league.tournament.slug])

    answer = client.post(address, {"name": "Fuchs, Emil", "first_round": "4"}, follow=True)

    assert Entry.objects.get(player__name="Fuchs, Emil").first_round == 4
    assert "Fuchs, Emil könnte ab Runde 4 spielen, geplant sind aber nur 3." in read_words(answer.content.decode())
    answer = client.post(
        reverse("director:entries", args=[factories.event().tournament.slug]), {"name": "Auer, Ada"}, follow=True
    )
    assert "könnte ab Runde" not in read_words(answer.content.decode())
