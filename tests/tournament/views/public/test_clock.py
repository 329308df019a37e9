"""The clock of the hall: what the book gives a game, counted down only where both players share it."""

import pytest
from django.test import Client

from tests import factories
from tests.games.conftest import browser
from tests.markup import tidy


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ruleset", "minutes", "time", "said"),
    [
        ("sbnl-punten", None, "90:00", "90 minutes for the whole game, without a chess clock."),
        ("sbnl-wedstrijd", None, "70:00", "70 minutes for the whole game, without a chess clock."),
        ("sbnl-wedstrijd", 35, None, "35 minutes. 10 points off for each minute begun (Wedstrijdscrabble, Einde van"),
        ("general-de", None, None, "No clock."),
    ],
)
def test_clock_says_what_the_book_has(ruleset: str, minutes: int | None, time: str | None, said: str) -> None:
    factories.event("Clubavond", players=2, ruleset=ruleset, minutes=minutes)

    page = tidy(browser(factories.director().user).get("/t/clubavond/clock/").content.decode())

    assert said in page
    assert ("hall-time" in page, "clock.js" in page) == (time is not None, time is not None)
    assert time is None or f">{time}<" in page


@pytest.mark.django_db
@pytest.mark.parametrize(("minutes", "linked"), [(None, True), (35, False)])
def test_round_leads_to_the_clock_where_time_is_shared(client: Client, minutes: int | None, linked: bool) -> None:
    division = factories.event("Clubavond", players=2, ruleset="sbnl-wedstrijd", minutes=minutes)
    factories.published(division)
    director = browser(factories.director().user)

    pages = [client.get("/t/clubavond/rounds/1/"), director.get("/director/clubavond/rounds/1/")]

    assert ["/t/clubavond/clock/" in page.content.decode() for page in pages] == [linked, linked]
