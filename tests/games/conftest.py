"""Doris directs the Herbst-Cup: eight players, one published round at four tables. Otto directs another cup."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings

from tests import factories
from tests.games import evening
from tournament.models import Division, Pairing, Role, Round, Tournament


def browser(user: User | None) -> Client:
    """A browser in which the user is signed in and reads English, as the sources are written."""
    assert user is not None
    client = Client()
    client.force_login(user)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    return client


def publish_first_round() -> Division:
    """Eight players at four tables."""
    return factories.published(factories.event(players=8, ruleset="tso-2017")).division


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division | None:
    return publish_first_round() if shares_rows else None


@pytest.fixture
def division(division_of_module: Division | None, db: None) -> Division:
    return factories.fresh(division_of_module or publish_first_round())


@pytest.fixture
def cup(division: Division) -> Tournament:
    return division.tournament


@pytest.fixture
def round(division: Division) -> Round:
    return Round.objects.select_related("division__tournament").get(division=division)


@pytest.fixture
def tables(round: Round) -> list[Pairing]:
    """The four games by table, players and results fetched."""
    return list(
        Pairing.objects.filter(round=round).select_related("round__division__tournament").with_players().by_table()
    )


@pytest.fixture
def doris_client(division: Division) -> Client:
    """The director's browser."""
    return browser(User.objects.get(username="doris"))


@pytest.fixture
def helper(cup: Tournament) -> Client:
    """The browser of somebody who enters results here."""
    return browser(factories.member(factories.user("eva"), Role.HELPER).user)


@pytest.fixture
def colleague(cup: Tournament) -> Client:
    """The browser of a second director."""
    return browser(factories.member(factories.user("eva"), Role.DIRECTOR).user)


@pytest.fixture
def otto(division: Division) -> Client:
    """The browser of another organiser's director."""
    factories.event("Anderer Cup", by=factories.director("otto", of=factories.organiser("SC Anderswo")))
    return browser(User.objects.get(username="otto"))


@pytest.fixture
def anybody() -> Client:
    """A browser in which nobody is signed in."""
    client = Client()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    return client


@pytest.fixture(scope="module")
def evening_of_module(*, shares_rows: bool, tmp_path_factory: pytest.TempPathFactory) -> tuple[Tournament, Path]:
    """The cup of `tests/games/evening.py`, and the folder of its photos, to be copied, not used."""
    folder = tmp_path_factory.mktemp("evening")
    with override_settings(DATA_DIR=folder):
        return evening.cup(), folder


@pytest.fixture
def evening_cup(evening_of_module: tuple[Tournament, Path], db: None, settings: Any, tmp_path: Path) -> Tournament:
    """That cup, over a data folder of the test's own."""
    cup, folder = evening_of_module
    settings.DATA_DIR = shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return Tournament.objects.get(pk=cup.pk)
