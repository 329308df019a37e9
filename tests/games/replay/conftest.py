"""Table 1 of the Herbst-Cup, whose game is on a sheet and public."""

import pytest

from games.gcg.checking import check_game
from games.gcg.conversion import convert_game_to_sheet
from games.gcg.operations import import_sheet, publish_game
from games.gcg.reading import read_gcg_text
from games.models import Scoresheet
from scoring.letters import GERMAN_LETTERS
from scoring.rulesets.tso import TSO_2017
from tests import factories
from tests.games.gcg import games
from tournament.models import Pairing


def sheet_with(table: Pairing, text: str) -> Scoresheet:
    """A sheet of that table with the game of a file, its first player first."""
    checked = check_game(read_gcg_text(text), GERMAN_LETTERS)
    written = convert_game_to_sheet(checked, checked.game.nicks[0], TSO_2017).written
    keeper = Scoresheet.Keeper.OTHER
    return import_sheet(table, keeper=keeper, written=written, actor=factories.director(), replaces=None)


@pytest.fixture
def public(tables: list[Pairing]) -> Scoresheet:
    """The short German game, public."""
    made = sheet_with(tables[0], games.GERMAN)
    publish_game(made, actor=factories.director())
    return made
