"""The league's files do not see the knock-out, and a knock-out that was read needs no games but those it brought."""

from dataclasses import replace

import pytest

from scoring.awards import Outcome
from tests.tournament.knockout import knockouts
from tournament.core.change import Actor
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.models import Division
from tournament.results.knockout_games import find_knockout_game_changes
from tournament.results.knockout_state import load_knockout_state
from tournament.table.files import build_standings_json
from tournament.table.league import load_table
from tournament.table.tables import StandingsTable
from tournament.tsh.writing import make_tou_file, make_tsh_files


def files(division: Division) -> list[object]:
    """What rating officers and the wall get."""
    event = load_event_data(division.tournament)
    table = load_table(division)
    written = [make_tsh_files(event), make_tou_file(event), build_standings_json(table)]
    return [*written, StandingsTable(table.rows).build_csv()]


def test_files_of_the_league_are_the_same_after_a_knockout(db: None) -> None:
    division = knockouts.seeded(players=7, rounds=2)
    before = files(division)

    knockouts.semis(division)
    knockouts.play(division, 2, 1, 1, 611, 207)

    assert files(division) == before


@pytest.mark.parametrize(("form", "best_of"), [("single", None), ("double", None), ("best_of", 3)])
@pytest.mark.sampled(1)
def test_a_knockout_that_was_read_has_exactly_the_games_it_needs(form: str, best_of: int | None, db: None) -> None:
    division = knockouts.seeded(6, form=form, best_of=best_of, third_place=True)
    knockouts.play(division, 1, 2, 1, 420, 380)
    knockouts.play(division, 1, 4, 1, None, None, Outcome.FIRST_FORFEITS)

    event = replace(load_event_data(division.tournament), slug="wieder")

    made = store_event_data(event, actor=Actor(name="Datei"))

    state = load_knockout_state(made.divisions.get())
    assert state is not None
    settled = find_knockout_game_changes(state)
    assert (settled.missing, settled.gone, settled.lots) == ((), (), ())
    assert knockouts.games(made.divisions.get()) == knockouts.games(division)
