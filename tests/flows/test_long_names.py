"""In a browser: no page grows wider than the screen when somebody's name is one long word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests import factories
from tests.browsers import OVERFLOW, sign_in
from tournament.access.codes import make_access_code
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.models import Division, Role
from tournament.rounds.drafts import draft_round

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunter, Maximiliane-Fried"
CUP = "/director/herbst-cup/"
BEYOND = """() => [...document.querySelectorAll(".table-container")].flatMap((around) => {
    const edge = around.getBoundingClientRect().right + 1;
    const hidden = (cell) => cell.getBoundingClientRect().right > edge;
    return [...around.querySelectorAll("tbody :is(th, td)")].filter(hidden).map((cell) => cell.innerText);
})"""
"""Script: the cells that a table shows only to whoever scrolls it."""

DRAFTED = [f"{CUP}entries/", f"{CUP}entries/check-in/", f"{CUP}rounds/1/"]
PUBLISHED = [
    *[CUP, f"{CUP}rounds/1/", f"{CUP}results/1/"],
    *["/t/herbst-cup/rounds/1/", "/t/herbst-cup/rounds/1/?by=name", "/t/herbst-cup/table/"],
]


@pytest.fixture
def division() -> Division:
    """Six players, one of them with a name and a club of one long word each."""
    made = factories.event(players=5)
    enter_player(made, person=Person(LONG, club="SC " + "Köln" * 8), actor=factories.director())
    return made


def beyond(page: Page, address: str) -> list[object]:
    """What does not fit, on a phone and on a laptop."""
    page.goto(address)
    assert LONG in page.content()
    found = []
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        found += [page.evaluate(OVERFLOW), page.evaluate(BEYOND)]
    return [fault for fault in found if fault not in (0, [])]


def test_draft_stays_within_the_screen(live_server: Any, page: Page, division: Division) -> None:
    draft_round(division, actor=factories.director())
    sign_in(page.context, live_server.url)

    assert {path: found for path in DRAFTED if (found := beyond(page, live_server.url + path))} == {}


def test_published_round_stays_within_the_screen(live_server: Any, page: Page, division: Division) -> None:
    factories.published(division)
    sign_in(page.context, live_server.url)

    assert {path: found for path in PUBLISHED if (found := beyond(page, live_server.url + path))} == {}


def test_tables_of_a_referee_stay_within_the_screen(live_server: Any, page: Page, division: Division) -> None:
    factories.published(division)
    make = make_access_code
    _code, text = make(division.tournament, role=Role.REFEREE, name="Rita", actor=factories.director())
    page.goto(f"{live_server.url}/code/{text}/")
    page.locator("main form button").click()

    assert beyond(page, f"{live_server.url}{CUP}referee/") == []
