"""A stored knock-out as a value, with the players and the pairings behind it."""

from typing import Any

import pytest

from scoring.knockout_values import KnockoutFault, WaitsFor
from scoring.standings import PlayerKey
from tests import factories
from tests.tournament.exchange import knockouts
from tests.tournament.exchange.knockouts import make_game, state, store
from tournament.models import Division, Pairing, Result, Round, Seat
from tournament.results.knockout_state import load_knockout_state

FOUR = ("P1", "P2", "P3", "P4")


@pytest.mark.django_db
def test_division_without_a_knockout_has_none() -> None:
    assert load_knockout_state(factories.event()) is None


@pytest.mark.django_db
@pytest.mark.parametrize("size", [2, 16])
def test_reading_takes_seven_queries_whatever_the_size(size: int, django_assert_num_queries: Any) -> None:
    made = store(knockouts.file([f"P{number}" for number in range(size)], {}, form="double"))
    division = Division.objects.select_related("tournament").get(tournament=made)

    with django_assert_num_queries(7):
        found = load_knockout_state(division)
        assert found is not None
        shown = [entry.name for entry in found.entries.values()]

    assert len(shown) == size


@pytest.mark.django_db
def test_awards_of_the_tournament_count() -> None:
    """Another federation's 300 points for a game that nobody came to: that is level, and goes on by the best game."""
    forfeit = {"first": "P2", "second": "P1", "outcome": "first_forfeits"}
    value = knockouts.file(("P1", "P2"), {(1, 1): [forfeit, make_game("P1", "P2", 0, 301)]}, form="double")

    here = store(value)
    there = store({**value, "slug": "anderswo", "awards": {"bye_points": 300}})

    assert (state(here).bracket.final.score, state(there).bracket.final.score) == ((400, 301), (300, 301))


@pytest.mark.django_db
def test_only_official_versions_count() -> None:
    made = store(knockouts.file(("P1", "P2"), {(1, 1): [make_game("P1", "P2", 401, 400)]}))
    Result.objects.update(official=False)

    assert state(made).bracket.final.waits_for == WaitsFor.GAMES


def _add(round: Round, keys: tuple[str, str]) -> None:
    pairing = Pairing.objects.create(round=round, table=1)
    for side, key in enumerate(keys, Seat.FIRST):
        entry = round.division.entries.get(key=key)
        Seat.objects.create(pairing=pairing, round=round, entry=entry, side=side)


@pytest.mark.django_db
def test_reader_knows_pairings_and_players() -> None:
    made = store(knockouts.file(FOUR, {(1, 1): [make_game("P1", "P4", 401, 400)]}))

    found = state(made)

    keys: dict[PlayerKey | None, str] = {pk: entry.key for pk, entry in found.entries.items()}
    assert [keys[player] for player in found.bracket.seeds] == list(FOUR)
    assert found.pairings == {
        (1, table, 1): Pairing.objects.get(round__number=1101, table=table).pk for table in (1, 2)
    }
    assert found.problems == ()


@pytest.mark.django_db
def test_stored_game_that_does_not_fit_is_a_problem_and_left_out() -> None:
    made = store(knockouts.file(FOUR, {(1, 1): [make_game("P1", "P4", 401, 400)]}))
    final = Round.objects.create(division=made.divisions.get(), number=1201, stage=2, game=1, state="published")
    _add(final, ("P1", "P3"))

    found = state(made)

    assert [(problem.fault, problem.place) for problem in found.problems] == [(KnockoutFault.NOT_READY, (2, 1))]
    assert found.bracket.final.games == ()
