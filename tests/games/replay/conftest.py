"""Table 1 of the Herbst-Cup, whose game is on a sheet and public."""

import pytest

from games.gcg import checking, conversion, reading
from games.gcg import operations as annotated
from games.models import Scoresheet
from scoring.letters import GERMAN
from scoring.rulesets import TSO_2017
from tests import factories
from tests.games.gcg import games
from tests.stages import kept
from tournament.models import Pairing


def sheet_with(table: Pairing, text: str) -> Scoresheet:
    """A sheet of that table with the game of a file, its first player first."""
    checked = checking.check(reading.read_text(text), GERMAN)
    written = conversion.from_game(checked, checked.game.nicks[0], TSO_2017).written
    keeper = Scoresheet.Keeper.OTHER
    return annotated.import_sheet(table, keeper=keeper, written=written, actor=factories.director(), replaces=None)


@pytest.fixture
@kept
def public(tables: list[Pairing]) -> Scoresheet:
    """The short German game, public."""
    made = sheet_with(tables[0], games.GERMAN)
    annotated.publish_game(made, actor=factories.director())
    return made
