"""Table 1 of the Herbst-Cup: Klara Aumann starts against Jana Dvořák."""

import pytest

from games.gcg.checking import check_game
from games.gcg.conversion import WrittenSheet, convert_game_to_sheet
from games.gcg.operations import import_sheet
from games.gcg.reading import read_gcg_text
from games.models import Scoresheet
from scoring.letters import GERMAN_LETTERS
from scoring.rulesets.tso import TSO_2017
from tests import factories
from tests.games.gcg import games
from tournament.models import Pairing


@pytest.fixture
def table(tables: list[Pairing]) -> Pairing:
    return tables[0]


@pytest.fixture
def written() -> WrittenSheet:
    """The short German game, its first player first."""
    checked = check_game(read_gcg_text(games.GERMAN), GERMAN_LETTERS)
    return convert_game_to_sheet(checked, "anna", TSO_2017).written


@pytest.fixture
def sheet(table: Pairing, written: WrittenSheet) -> Scoresheet:
    """The game on a sheet that somebody else kept."""
    keeper = Scoresheet.Keeper.OTHER
    return import_sheet(table, keeper=keeper, written=written, actor=factories.director(), replaces=None)
