"""No director's page asks the database more often because more people play."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests import factories
from tournament.core.change import Actor
from tournament.models import Division

FEW, MANY = 4, 12
PAGES = (
    "director:console",
    "director:entries",
    "director:check_in",
    "director:settings",
    "director:plan",
    "director:end",
    "director:divisions",
    "director:rounds",
    "director:due_days",
    "director:draft",
    "director:lots",
    "director:print_room",
    "director:export",
    "director:journal",
    "director:import_players",
    "director:choose_players",
    "director:delete",
)
ROUND_PAGES = ("director:round", "games:grid")


def event(name: str, players: int, by: User) -> Division:
    """An event with a round played and another published; half of its players are level."""
    division = factories.event(name, players=players, by=Actor(user=by))
    factories.played(division)
    factories.published(division)
    return division


def queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert client.get(address).status_code == 200
    return len(asked)


@pytest.fixture
def sizes(director: User) -> tuple[str, str]:
    """The addresses of a small event and of a large one."""
    return event("Klein", FEW, director).tournament.slug, event("Groß", MANY, director).tournament.slug


@pytest.mark.parametrize(
    "pages",
    [(*PAGES[::4], *ROUND_PAGES[1:]), pytest.param((*PAGES, *ROUND_PAGES), marks=pytest.mark.long)],
    ids=["some", "all"],
)
def test_pages_ask_as_often_for_many_as_for_few(
    pages: tuple[str, ...], sizes: tuple[str, str], director_client: Client
) -> None:
    few, many = (
        {
            name: queries(director_client, reverse(name, args=[slug, 2] if name in ROUND_PAGES else [slug]))
            for name in pages
        }
        for slug in sizes
    )

    assert few == many
    assert max(few.values()) <= 24
