"""Reads of the public pages, beyond what the pages' own tests show."""

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from scoring.awards import Outcome
from tests import factories
from tournament.entries.operations.entries import LateEntry, enter_player
from tournament.entries.operations.register import Person
from tournament.models import Division, Round
from tournament.models.play import Result
from tournament.table.league import RoundProgress, list_league_rounds, list_round_pairings, load_table
from tournament.table.public_table import find_current_round_number, load_public_table, search_entries
from tournament.table.published_games import load_published_games


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Division:
    division = factories.event(players=4)
    factories.played(division, (431, 388), (300, 350))
    return division


@pytest.fixture
def cup(cup_of_module: Division, db: None) -> Division:
    return factories.fresh(cup_of_module)


def names(division: Division, after: int) -> list[str]:
    return [row.entry.name for row in load_table(division, after=after).rows]


def test_draft_with_results_counts_nowhere(cup: Division) -> None:
    before = load_table(cup)
    drawn = factories.draft(cup)
    for pairing in drawn.pairings.all():
        Result.objects.create(
            pairing=pairing, version=1, outcome=Outcome.PLAYED, first_points=9, second_points=1, at=timezone.now()
        )

    assert load_table(cup) == before
    assert len(load_published_games(cup).games) == 2
    assert max(load_published_games(cup).meetings[factories.enter(cup, 0)[0].pk]) == 1


def test_late_entry_stands_in_the_table_from_their_first_round(cup: Division) -> None:
    late = enter_player(cup, person=Person("Später, Susi"), actor=factories.director())

    assert (late.name in names(cup, 1), late.name in names(cup, 2)) == (False, True)


def test_late_entry_charged_with_a_round_stands_in_its_table(cup: Division) -> None:
    late = enter_player(
        cup, person=Person("Später, Susi"), actor=factories.director(), late=LateEntry(missed_are_losses=True)
    )

    assert late.name in names(cup, 1)


@pytest.mark.parametrize(("outcome", "faults"), [
    (Outcome.FIRST_FORFEITS, (True, False)),
    (Outcome.SECOND_FORFEITS, (False, True)),
    (Outcome.BOTH_FORFEIT, (True, True)),
])  # fmt: skip
@pytest.mark.sampled(1)
def test_meeting_knows_who_was_at_fault(cup: Division, outcome: Outcome, faults: tuple[bool, bool]) -> None:
    anna, bert, cora, dora = factories.enter(cup, 0)
    made = factories.published(cup, pairs=[(anna, bert), (cora, dora)])
    factories.result(made, 1, None, None, outcome)

    play = load_published_games(cup)

    assert tuple(play.meetings[entry.pk][2].at_fault for entry in (anna, bert)) == faults


def test_meeting_of_an_open_game_has_no_credit(cup: Division) -> None:
    factories.published(cup)

    meetings = [meetings[2] for meetings in load_published_games(cup).meetings.values()]

    assert [(each.credit, each.won, each.has_score, each.at_fault) for each in meetings] == [
        (None, False, False, False)
    ] * 4


@pytest.mark.parametrize(
    ("progress", "current"),
    [
        ([], 0),
        ([(2, 2)], 1),
        ([(2, 2), (2, 0)], 1),
        ([(2, 2), (2, 1)], 2),
        ([(2, 2), (2, 0), (2, 1)], 3),
        ([(0, 0)], 1),
    ],
)
def test_current_round_is_the_last_with_a_result(progress: list[tuple[int, int]], current: int) -> None:
    found = [RoundProgress(Round(number=number), games, done) for number, (games, done) in enumerate(progress, 1)]

    assert find_current_round_number(found) == current


def test_public_table_counts_what_is_missing(cup: Division, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    factories.published(cup)
    progress = list_league_rounds(cup)

    with django_assert_num_queries(6):
        shown = load_public_table(cup, progress, after=2)

    assert (shown.games, shown.done, shown.earlier, shown.is_provisional) == (2, 0, 0, True)
    assert [line.above for line in shown.lines] == [None, *(line.standing for line in shown.lines[:-1])]


def test_find_knows_clubs_by_written_out_umlauts(db: None) -> None:
    field = factories.enter(factories.event(players=9), 0)

    assert [entry.name for entry in search_entries(field, "koeln")] == ["Nguyễn, Linh"]


def test_find_needs_every_word(cup: Division) -> None:
    field = factories.enter(cup, 0)

    assert [entry.key for entry in search_entries(field, "aumann praha")] == []
    assert [entry.key for entry in search_entries(field, "  ")] == [entry.key for entry in field]


def test_pairing_that_lost_its_players_is_left_out(cup: Division) -> None:
    drawn = factories.draft(cup)
    drawn.pairings.order_by("table").first().seats.all().delete()

    assert [pairing.table for pairing in list_round_pairings(drawn)] == [2]
