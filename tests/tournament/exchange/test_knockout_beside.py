"""The league's files do not see the knock-out, and a knock-out that was read needs no games but those it brought."""

from dataclasses import replace

import pytest

from scoring.awards import Outcome
from tests.tournament.operations import knockouts
from tournament.exchange import loading, standings_file, storing, tou
from tournament.exchange.tsh import writing
from tournament.models import Division
from tournament.operations import knockout_games
from tournament.operations.change import Actor
from tournament.queries import league
from tournament.queries.knockout import knockout_state


def files(division: Division) -> list[object]:
    """What rating officers and the wall get."""
    event = loading.load(division.tournament)
    table = league.table(division)
    return [writing.write(event), tou.write(event), standings_file.as_json(table), standings_file.as_csv(table)]


def test_files_of_the_league_are_the_same_after_a_knockout(db: None) -> None:
    division = knockouts.seeded(players=7, rounds=2)
    before = files(division)

    knockouts.semis(division)
    knockouts.play(division, 2, 1, 1, 611, 207)

    assert files(division) == before


@pytest.mark.parametrize(("form", "best_of"), [("single", None), ("double", None), ("best_of", 3)])
def test_a_knockout_that_was_read_has_exactly_the_games_it_needs(form: str, best_of: int | None, db: None) -> None:
    division = knockouts.seeded(6, form=form, best_of=best_of, third_place=True)
    knockouts.play(division, 1, 2, 1, 420, 380)
    knockouts.play(division, 1, 4, 1, None, None, Outcome.FIRST_FORFEITS)

    event = replace(loading.load(division.tournament), slug="wieder")

    made = storing.store(event, actor=Actor(name="Datei"))

    state = knockout_state(made.divisions.get())
    assert state is not None
    settled = knockout_games.settlement(state)
    assert (settled.missing, settled.gone, settled.lots) == ((), (), ())
    assert knockouts.games(made.divisions.get()) == knockouts.games(division)
