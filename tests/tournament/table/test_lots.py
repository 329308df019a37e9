"""Lots among players whom the table leaves level."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from pytest_django.asserts import assertContains

from scoring.awards import Outcome
from tests import factories
from tests.games.conftest import browser
from tests.refusals import refuses
from tests.tournament.conftest import enter_four, make_cup
from tests.tournament.rounds import steps
from tournament.core.change import Actor
from tournament.core.reports import PlayerReport, Report
from tournament.models import Division, Entry, Lot, Pairing, Tournament
from tournament.pairing.lots import make_tile_seed
from tournament.results.operations import record_result
from tournament.table.league import load_table
from tournament.table.lots import (
    discard_lot,
    find_level_groups,
    list_lot_notes,
    order_by_lot,
    settle_tie_by_lot,
)
from tournament.table.paper import list_standings_notes, load_printed_table

pytestmark = pytest.mark.usefixtures("four_of_module")


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Tournament:
    """Both games end 420 : 380, so that the two winners are level, and the two losers."""
    cup = make_cup()
    division = cup.divisions.get(name="A")
    enter_four(division)
    steps.play_next_round(division, factories.director())
    return cup


@pytest.fixture
def two_pairs(division: Division) -> list[list[Entry]]:
    return find_level_groups(load_table(division, after=1))


def test_level_groups(two_pairs: list[list[Entry]]) -> None:
    assert [len(group) for group in two_pairs] == [2, 2]


def test_settle_by_lot_in_the_order_drawn(division: Division, doris: Actor, two_pairs: list[list[Entry]]) -> None:
    drawn = [two_pairs[0][1], two_pairs[0][0]]

    settle_tie_by_lot(division, after=1, order=drawn, actor=doris)

    rows = load_table(division, after=1).rows
    assert [row.entry for row in rows[:2]] == drawn
    assert [row.standing.rank for row in rows] == [1, 2, 3, 3]
    assert rows[1].standing.decided_by == "lot"


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.sampled(1)
def test_settle_by_lot_with_a_seed_can_be_repeated(
    division: Division, doris: Actor, two_pairs: list[list[Entry]], seed: int
) -> None:
    drawn = order_by_lot(list(reversed(two_pairs[1])), seed=seed)

    lot = settle_tie_by_lot(division, after=1, order=two_pairs[1], seed=seed, actor=doris)

    assert lot.order == [entry.pk for entry in drawn]


def test_tiles_of_a_lot_are_shown_with_how_to_repeat_it(
    division: Division, doris: Actor, two_pairs: list[list[Entry]]
) -> None:
    seed = make_tile_seed("ENRSTAI")
    lot = settle_tie_by_lot(division, after=1, order=two_pairs[0], seed=seed, actor=doris)
    assert lot.tiles == "ENRSTAI"

    address = reverse("public:table", args=[division.tournament.slug])
    with translation.override("en"):
        [said] = list_lot_notes(division, 1, load_table(division, after=1).rows)
        notes = list_standings_notes(division, load_printed_table(division, None))
    assert "E\N{NO-BREAK SPACE}N\N{NO-BREAK SPACE}R" in said
    assert said in notes
    Tournament.objects.update(is_public=True)
    assert "ENRSTAI" in Client().get(address).text

    Lot.objects.update(order=lot.order[::-1])
    assert list_lot_notes(division, 1, load_table(division, after=1).rows) == []


def test_tiles_are_typed_where_lots_are_drawn(division: Division, doris: Actor, two_pairs: list[list[Entry]]) -> None:
    director, (level, others) = browser(doris.user), two_pairs
    address = reverse("director:lots", args=[division.tournament.slug])

    refused = director.post(address, {"one_of": level[0].pk, "tiles": "ENRST"}, follow=True)
    assertContains(refused, "ENRST")
    assert not Lot.objects.exists()
    director.post(address, {"one_of": level[0].pk, "tiles": "e n r s t a i"})
    director.post(address, {"one_of": others[0].pk})

    assert [lot.tiles for lot in Lot.objects.order_by("pk")] == ["ENRSTAI", ""]
    assertContains(director.get(address), "E N R S T A I")


def test_settle_by_lot_twice_is_refused(division: Division, doris: Actor, two_pairs: list[list[Entry]]) -> None:
    settle_tie_by_lot(division, after=1, order=two_pairs[0], actor=doris)

    with refuses("not_level"):
        settle_tie_by_lot(division, after=1, order=two_pairs[0], actor=doris)

    assert Lot.objects.count() == 1


def test_settle_by_lot_of_players_who_are_not_level_is_refused(
    division: Division, doris: Actor, two_pairs: list[list[Entry]]
) -> None:
    with refuses("not_level"):
        settle_tie_by_lot(division, after=1, order=[two_pairs[0][0], two_pairs[1][0]], actor=doris)


def test_settle_by_lot_of_one_of_them_is_refused(
    division: Division, doris: Actor, two_pairs: list[list[Entry]]
) -> None:
    with refuses("not_level"):
        settle_tie_by_lot(division, after=1, order=two_pairs[0][:1], actor=doris)


def test_settle_by_lot_with_a_result_missing_is_refused(
    division: Division, doris: Actor, two_pairs: list[list[Entry]]
) -> None:
    steps.publish_next_round(division, doris)

    with refuses("table_incomplete") as refused:
        settle_tie_by_lot(division, after=2, order=two_pairs[0], actor=doris)

    assert refused.value.figures == {"after": 2, "missing": 2}


@pytest.mark.parametrize("after", [0, 2])
def test_settle_by_lot_after_a_round_that_was_not_played_is_refused(
    division: Division, doris: Actor, two_pairs: list[list[Entry]], after: int
) -> None:
    with refuses("no_table"):
        settle_tie_by_lot(division, after=after, order=two_pairs[0], actor=doris)


def test_discard_lot_leaves_them_level_again(division: Division, doris: Actor, two_pairs: list[list[Entry]]) -> None:
    lot = settle_tie_by_lot(division, after=1, order=two_pairs[0], actor=doris)

    discard_lot(lot, actor=doris)

    assert [row.standing.rank for row in load_table(division, after=1).rows] == [1, 1, 3, 3]


def test_a_correction_after_the_lot_decides(division: Division, doris: Actor, two_pairs: list[list[Entry]]) -> None:
    settle_tie_by_lot(division, after=1, order=two_pairs[0], actor=doris)
    pairing = Pairing.objects.filter(seats__entry=two_pairs[0][1], kind=Pairing.Kind.GAME).with_players().get()
    points = {two_pairs[0][1].pk: 450}
    second = pairing.second
    assert second is not None
    report = Report(
        Outcome.PLAYED,
        PlayerReport(points=points.get(pairing.first.pk, 380)),
        PlayerReport(points=points.get(second.pk, 380)),
    )

    record_result(pairing, report=report, expected_version=None, actor=doris)

    first, second_row = load_table(division, after=1).rows[:2]
    assert (first.entry, second_row.standing.decided_by) == (two_pairs[0][1], "spread")
