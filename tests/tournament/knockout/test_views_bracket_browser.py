"""The knock-out in Chromium: accessible in light and dark, whole on a phone, and walked through by keyboard."""

from typing import Any

import pytest

from scoring.awards import Outcome
from tests import factories
from tests.browsers import faults, read_english
from tests.tournament.pages.test_views_browser import LOW_TARGETS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CUT = """() => [...document.querySelectorAll('.bracket text')]
    .map(text => [text.textContent, text.getBBox()])
    .filter(([content, box]) => {
        const [x, y, width, height] = document.querySelector('.bracket').getAttribute('viewBox').split(' ').map(Number)
        return box.x < x || box.y < y || box.x + box.width > x + width || box.y + box.height > y + height
    })
    .map(([content]) => content)"""
SMALLEST_LETTERS = """() => Math.min(...[...document.querySelectorAll('.bracket-name, .bracket-note')].map(
    text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))"""


@pytest.fixture
def address(transactional_db: None, live_server: Any) -> str:
    """Thirteen players with long names, byes, a lot to draw, forfeits, and a match for third place."""
    division = factories.event(players=12)
    factories.entry(division, "Ĳsselmuiden-Straßenberger von der Lindenhöhe, Wilhelmina-Charlotte")
    factories.knockout(division, 13, form="double", third_place=True)
    for game in (1, 2):
        factories.knockout_game(division, (1, 2, game), 400, 400)
    factories.knockout_game(division, (1, 4, 1), None, None, Outcome.FIRST_FORFEITS)
    factories.knockout_game(division, (1, 4, 2), 431, 388)
    return f"{live_server.url}/t/herbst-cup/bracket/"


def test_page_is_accessible_and_fits(address: str, page: Any) -> None:
    page.goto(address)

    assert faults(page, LOW_TARGETS) == []


@pytest.mark.parametrize("width", [360, 1280])
def test_picture_is_neither_cut_nor_too_small(address: str, page: Any, width: int) -> None:
    read_english(page.context, address)
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(address)

    box = page.locator(".bracket-box")
    final = page.get_by_role("link", name="Final").first
    final.focus()

    assert page.evaluate(CUT) == []
    assert page.evaluate(SMALLEST_LETTERS) >= 9
    assert box.evaluate("box => box.getBoundingClientRect().right <= innerWidth")
    final.evaluate("link => link.scrollIntoView({inline: 'center', block: 'center'})")
    place = final.bounding_box()
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= width


def test_keyboard_leads_from_a_match_to_its_row_and_on_to_a_player(address: str, page: Any) -> None:
    read_english(page.context, address)
    page.goto(address)
    match = page.locator("a[href='#match-1-3']").first
    for _press in range(30):
        page.keyboard.press("Tab")
        if match.evaluate("link => link === document.activeElement"):
            break
    frame = match.locator(".bracket-frame")
    seen = frame.evaluate("frame => getComputedStyle(frame).strokeWidth")

    page.keyboard.press("Enter")
    page.wait_for_url("**/bracket/#match-1-3")
    page.keyboard.press("Tab")

    row = page.locator("tr:has(:target)")
    assert seen == "4px"
    assert row.is_visible()
    assert row.locator("a").first.evaluate("link => link === document.activeElement")
