"""The curves of rank and spread on a player's own page: those of the public card, of closed rounds alone."""

from collections.abc import Mapping

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.reports.players_snapshot import clear_snapshots, get_players_snapshot
from tests import factories
from tests.markup import tidy
from tournament.access.codes import make_personal_link
from tournament.entries.curve import Curve
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.operations.entries import LateEntry, enter_player
from tournament.entries.operations.register import Person
from tournament.models import Division, Entry, Round, Tournament
from tournament.rounds.operations import close_round
from tournament.table.lots import settle_tie_by_lot


@pytest.fixture
def played_division(db: None) -> Division:
    """Seven players, four closed rounds, each with a bye."""
    division = factories.event(players=7)
    factories.season(division, 4)
    return factories.fresh(division)


def players(division: Division) -> list[Entry]:
    return list(Entry.objects.filter(division=division).select_related("tournament").in_order())


def own_page(entry: Entry) -> str:
    return f"/me/{make_personal_link(entry)}/"


def on_own_page(entry: Entry) -> dict[str, Curve | None]:
    found: dict[str, Curve | None] = Client().get(own_page(entry)).context["curves"]
    return found


def on_card(entry: Entry) -> dict[str, Curve | None]:
    found: dict[str, Curve | None] = Client().get(f"/t/{entry.tournament.slug}/players/{entry.key}/").context["curves"]
    return found


def rounds(curves: dict[str, Curve | None]) -> list[int]:
    return [number for _x, _y, number, _rank in curves["rank"].points] if curves["rank"] else []


def states(division: Division) -> Mapping[str, str]:
    return get_players_snapshot(Tournament.objects.get(pk=division.tournament_id)).states


def require_as_on_card(division: Division) -> None:
    cache.clear()
    for entry in players(division):
        assert on_own_page(entry) == on_card(entry)


@pytest.mark.long
def test_curves_are_those_of_the_card(played_division: Division) -> None:
    require_as_on_card(played_division)

    assert rounds(on_own_page(players(played_division)[0])) == [1, 2, 3, 4]


@pytest.mark.long
def test_curves_of_somebody_late_and_somebody_withdrawn_are_those_of_the_card(played_division: Division) -> None:
    director = factories.director()
    missed = LateEntry(first_round=5, missed_are_losses=True)
    enter_player(played_division, person=Person("Später, Susi"), actor=director, late=missed)
    enter_player(played_division, person=Person("Später, Sven"), actor=director, late=LateEntry(first_round=5))
    withdraw_entry(players(played_division)[0], actor=director)

    require_as_on_card(factories.fresh(played_division))

    assert [rounds(on_own_page(entry)) for entry in players(played_division)[-2:]] == [[1, 2, 3, 4], []]


@pytest.mark.long
def test_curves_of_each_division_are_its_own(played_division: Division) -> None:
    other = Division.objects.create(tournament=played_division.tournament, name="B", position=2)
    factories.enter(other, 4)
    factories.season(other, 2)

    require_as_on_card(played_division)
    require_as_on_card(other)

    assert rounds(on_own_page(players(other)[0])) == [1, 2]


def test_page_draws_both_curves_with_their_figures_in_words(played_division: Division) -> None:
    entry = players(played_division)[0]
    Tournament.objects.update(language="en")

    own = tidy(Client().get(own_page(entry)).content.decode())
    card = tidy(Client().get(f"/t/{entry.tournament.slug}/players/{entry.key}/").content.decode())

    begin, end = '<div class="halves"><figure', "</figure></div>"
    drawn = own[own.index(begin) : own.index(end)]
    assert drawn.count("<svg ") == 2
    assert drawn == card[card.index(begin) : card.index(end)]


@pytest.mark.parametrize("closed", [0, 1])
def test_there_is_no_curve_before_two_rounds_are_closed(db: None, closed: int) -> None:
    division = factories.event(players=4)
    factories.season(division, closed)
    factories.published(division)

    page = Client().get(own_page(players(division)[0]))

    assert page.context["curves"] == {"rank": None, "spread": None}
    assert "<figure" not in page.content.decode()


@pytest.mark.long
def test_results_of_a_round_that_is_played_change_no_curve(played_division: Division) -> None:
    round = factories.published(played_division)
    before = {entry.pk: on_own_page(entry) for entry in players(played_division)}
    told = states(played_division)

    factories.result(round, 1, 200, 600)

    at_table = {str(seat.entry_id) for seat in round.seats.filter(pairing__table=1)}
    assert {entry.pk: on_own_page(entry) for entry in players(played_division)} == before
    require_as_on_card(played_division)
    assert {key for key, state in states(played_division).items() if state != told[key]} == at_table


def test_round_closed_before_an_earlier_one_waits_for_it(played_division: Division) -> None:
    played_division.rounds.filter(number=3).update(state=Round.State.PUBLISHED)
    clear_snapshots()

    assert rounds(on_own_page(players(played_division)[0])) == [1, 2]


def test_lot_is_told_to_those_whose_rank_it_decides(db: None) -> None:
    division = factories.event(players=4)
    anna, bert, *others = players(division)
    for _round in range(2):
        drawn = factories.played(division, (400, 400), (450, 300), pairs=[(anna, bert), (others[0], others[1])])
        close_round(drawn, actor=factories.director())
    before = states(division)

    settle_tie_by_lot(factories.fresh(division), after=2, order=[bert, anna], actor=factories.director())

    after = states(division)
    assert {key for key, state in after.items() if state != before[key]} == {str(anna.pk)}
    require_as_on_card(factories.fresh(division))


@pytest.mark.long
@pytest.mark.parametrize("step", ["table_shown", "results_shown"])
def test_round_whose_table_is_held_back_is_not_told(played_division: Division, step: str) -> None:
    played_division.rounds.filter(number=3).update(**{step: "hand"})
    clear_snapshots()

    require_as_on_card(factories.fresh(played_division))

    assert {tuple(rounds(on_own_page(entry))) for entry in players(played_division)} == {(1, 2)}


def test_queries_do_not_grow_with_the_field_or_the_rounds(played_division: Division) -> None:
    large = factories.event("Grosser Cup", players=12)
    factories.season(large, 8)
    asked = []
    for division in (played_division, factories.fresh(large)):
        clear_snapshots()
        with CaptureQueriesContext(connection) as queries:
            Client().get(own_page(players(division)[0]))
        asked.append(len(queries))

    assert asked[1] <= asked[0]  # fewer once nothing is open
