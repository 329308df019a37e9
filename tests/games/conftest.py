"""Doris directs the Herbst-Cup: eight players, one published round at four tables. Otto directs another cup."""

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from tests import factories
from tournament.models import Division, Pairing, Role, Round, Tournament


def browser(user: User | None) -> Client:
    """A browser in which the user is signed in and reads English, as the sources are written."""
    assert user is not None
    client = Client()
    client.force_login(user)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    return client


@pytest.fixture
def division(db: None) -> Division:
    return factories.event(players=8, ruleset="tso-2017")


@pytest.fixture
def cup(division: Division) -> Tournament:
    return division.tournament


@pytest.fixture
def round(division: Division) -> Round:
    return factories.published(division)


@pytest.fixture
def tables(round: Round) -> list[Pairing]:
    """The four games by table, players and results fetched."""
    return list(
        Pairing.objects.filter(round=round).select_related("round__division__tournament").with_players().by_table()
    )


@pytest.fixture
def doris(division: Division) -> Client:
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
