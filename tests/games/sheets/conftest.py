"""Klara Aumann's sheet of table 1 of the Herbst-Cup, begun by Doris; she starts, Jana Dvořák replies."""

import pytest
from django.urls import reverse

from games.models import Scoresheet
from games.sheets.operations import open_sheet
from games.sheets.sheet_page import get_scoresheet
from tests import factories
from tournament.models import Pairing


@pytest.fixture
def table(tables: list[Pairing]) -> Pairing:
    return tables[0]


@pytest.fixture
def paper(table: Pairing) -> Scoresheet:
    made = open_sheet(table, keeper=Scoresheet.Keeper.FIRST, actor=factories.director())
    return get_scoresheet(table.round.division.tournament, made.pk)


@pytest.fixture
def address(paper: Scoresheet) -> str:
    return reverse("games:sheet", args=[paper.pairing.round.division.tournament.slug, paper.pk])
