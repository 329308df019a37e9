"""Who reads the public pages: a visitor without an account, in English, so that tests can quote the source's words."""

import pytest
from django.test import Client

from tests import factories
from tests.stages import kept
from tournament.models import Division


@pytest.fixture
def reader(db: None) -> Client:
    """A visitor who has chosen English and has no account."""
    client = Client()
    client.cookies["django_language"] = "en"
    return client


@pytest.fixture
@kept
def cup(db: None) -> Division:
    """The Herbst-Cup with four players: two rounds played, the third published with one result of two."""
    division = factories.event(players=4)
    anna, bert, cora, dora = factories.enter(division, 0)
    factories.played(division, (420, 380), (390, 410), pairs=[(anna, bert), (cora, dora)])
    factories.played(division, (400, 400), (500, 300), pairs=[(anna, cora), (bert, dora)])
    open_round = factories.published(division, pairs=[(dora, anna), (cora, bert)])
    factories.result(open_round, 1, 350, 450)
    return factories.fresh(division)


PAGES = (
    "",
    "entries/",
    "rounds/",
    "rounds/1/",
    "rounds/1/?by=name",
    "table/",
    "table/1/",
    "crosstable/",
    "crosstable/?by=opponent",
    "bracket/",
    "statistics/",
    "players/P01/",
)
"""Every page of a tournament with a round, below its address."""

FILES = ("table.csv", "table.xlsx", "table.json", "table.pdf", "final.json", "final.pdf")
