"""Table 1 of the Herbst-Cup: Klara Aumann starts against Jana Dvořák."""

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


@pytest.fixture
def table(tables: list[Pairing]) -> Pairing:
    return tables[0]


@pytest.fixture
def written() -> conversion.WrittenSheet:
    """The short German game, its first player first."""
    checked = checking.check(reading.read_text(games.GERMAN), GERMAN)
    return conversion.from_game(checked, "anna", TSO_2017).written


@pytest.fixture
@kept
def sheet(table: Pairing, written: conversion.WrittenSheet) -> Scoresheet:
    """The game on a sheet that somebody else kept."""
    keeper = Scoresheet.Keeper.OTHER
    return annotated.import_sheet(table, keeper=keeper, written=written, actor=factories.director(), replaces=None)
