"""The knock-out in the print room: offered where there is one, and printed."""

import pytest
from django.test import Client

from tests import factories
from tests.tournament.paper import samples

pytestmark = pytest.mark.django_db
ROOM = "/director/herbst-cup/print/"


@pytest.mark.parametrize("rounds", [0, 1])
def test_bracket_is_offered_where_there_is_one(rounds: int, director_client: Client) -> None:
    division = factories.event(players=4)
    if rounds:
        factories.played(division)
    before = director_client.get(ROOM).content.decode()
    factories.knockout(division, 4)

    after = director_client.get(ROOM).content.decode()

    assert ("bracket.pdf" in before, "bracket.pdf" in after) == (False, True)


def test_bracket_is_printed(director_client: Client) -> None:
    factories.knockout(factories.event(players=4), 4)

    response = director_client.get(f"{ROOM}bracket.pdf")

    assert response.headers["Content-Type"] == "application/pdf"
    assert "Öztürk, Cem" in samples.pages(response.content)[0]


def test_division_without_a_knockout_prints_that_there_is_none(director_client: Client) -> None:
    factories.event(players=4)

    response = director_client.get(f"{ROOM}bracket.pdf")

    assert len(samples.pages(response.content)) == 1
    assert response.status_code == 200
