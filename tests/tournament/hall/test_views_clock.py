"""The clock of the round as everybody sees it: what is set at the desk, and what its end means by the book."""

import pytest
import time_machine
from django.test import Client

from tests import factories
from tests.games.conftest import browser
from tests.markup import tidy
from tournament.hall.operations import pause_round_clock, set_round_clock, start_round_clock

ENDS = "Time is up: the game ends, and nobody is penalised."
PLANNED = "The time planned for the round is over."


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ruleset", "minutes", "time", "said"),
    [
        ("sbnl-punten", None, "90:00", ENDS),
        ("sbnl-wedstrijd", None, "70:00", ENDS),
        ("sbnl-wedstrijd", 35, "70:00", f"{PLANNED} Only the chess clocks count for the games."),
        ("tso-2017", 25, "50:00", f"{PLANNED} Only the chess clocks count for the games."),
        ("general-de", None, "60:00", PLANNED),
    ],
)
@pytest.mark.sampled(1)
def test_clock_is_set_and_ends_by_the_book(ruleset: str, minutes: int | None, time: str, said: str) -> None:
    factories.event("Clubavond", players=2, ruleset=ruleset, minutes=minutes)

    page = tidy(browser(factories.director().user).get("/t/clubavond/clock/").content.decode())

    assert f">{time}<" in page
    assert f'data-over="{said}' in page


@pytest.mark.django_db
def test_clock_of_every_page_is_the_one_of_the_desk(client: Client) -> None:
    division = factories.event("Clubavond", players=2)
    cup, doris = division.tournament, factories.director()
    with time_machine.travel("2026-10-03 14:00 +0200", tick=False) as now:
        set_round_clock(cup, minutes=35, actor=doris)
        start_round_clock(cup, actor=doris)
        running = client.get("/t/clubavond/clock/").content.decode()
        now.shift(600)
        pause_round_clock(cup, actor=doris)
        standing = client.get("/t/clubavond/screen/1/").content.decode()

    assert 'data-ends="2026-10-03T14:35:00+02:00"' in running
    assert ('data-left="1500"' in standing, 'data-ends=""' in standing) == (True, True)


@pytest.mark.django_db
@pytest.mark.parametrize(("minutes", "linked"), [(None, True), (35, False)])
def test_round_leads_to_the_clock_where_time_is_shared(client: Client, minutes: int | None, linked: bool) -> None:
    division = factories.event("Clubavond", players=2, ruleset="sbnl-wedstrijd", minutes=minutes)
    factories.published(division)
    director = browser(factories.director().user)

    pages = [client.get("/t/clubavond/rounds/1/"), director.get("/director/clubavond/rounds/1/")]

    assert ["/t/clubavond/clock/" in page.content.decode() for page in pages] == [linked, linked]
