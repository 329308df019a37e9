"""In a browser: no page grows wider than the screen when somebody's name is one long word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests import factories
from tests.browsers import OVERFLOW, sign_in
from tournament.operations import entries
from tournament.operations.drafts import draft_round
from tournament.operations.players import Person

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


@pytest.mark.parametrize(
    ("path", "is_published"),
    [
        *[(f"{CUP}entries/", False), (f"{CUP}entries/check-in/", False), (f"{CUP}rounds/1/", False)],
        *[(f"{CUP}rounds/1/", True), (f"{CUP}results/1/", True), (f"{CUP}referee/", True), (CUP, True)],
        *[("/t/herbst-cup/rounds/1/", True), ("/t/herbst-cup/rounds/1/?by=name", True), ("/t/herbst-cup/table/", True)],
    ],
)
@pytest.mark.parametrize("width", [360, 1280])
def test_page_stays_within_the_screen(live_server: Any, page: Page, path: str, is_published: bool, width: int) -> None:
    division = factories.event(players=5)
    entries.enter(division, person=Person(LONG, club="SC " + "Köln" * 8), actor=factories.director())
    if is_published:
        factories.published(division)
    else:
        draft_round(division, actor=factories.director())
    page.set_viewport_size({"width": width, "height": 740})
    address = live_server.url + path
    sign_in(page.context, address)

    page.goto(address)

    assert page.evaluate(OVERFLOW) == 0
    assert page.evaluate(BEYOND) == []
