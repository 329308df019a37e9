"""The knock-out in Chromium: accessible in light and dark, whole on a phone, and walked through by keyboard."""

from typing import Any

import pytest

from scoring.awards import Outcome
from tests import factories
from tests.browsers import faults, read_english
from tests.tournament.pages.test_views_browser import LOW_TARGETS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NARROW = """() => [...document.querySelectorAll('.ko-name')].filter(name => name.scrollWidth > name.clientWidth + 1)
    .map(name => name.textContent)"""

BROKEN = """() => [...document.querySelectorAll('.ko-stage .ko-side')].filter(side => {
    side.closest('.ko-stage').style.flex = '0 0 0';
    side.classList.replace('is-open', 'is-won');
    side.classList.add('is-won');
    side.querySelector('.ko-score').textContent = '443';
    side.querySelector('.ko-name').innerHTML = '<span class="winner">Knock14,</span>';
    const text = document.createRange();
    text.selectNodeContents(side.querySelector('.winner'));
    return text.getClientRects().length > 1;
}).map(side => side.textContent)"""
"""The winners whose surname is broken before its comma in the narrowest columns."""


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
def test_no_name_is_cut_and_the_final_can_be_reached(address: str, page: Any, width: int) -> None:
    read_english(page.context, address)
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(address)

    final = page.locator(".is-final .ko-match")
    final.evaluate("match => match.scrollIntoView({inline: 'center', block: 'center'})")
    place = final.bounding_box()

    assert page.evaluate(NARROW) == []
    assert page.locator(".ko").evaluate("box => box.getBoundingClientRect().right <= innerWidth")
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= width
    assert page.evaluate(BROKEN) == []


def test_on_a_phone_what_is_played_comes_first(address: str, page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(address)

    tops = {
        kind: page.locator(f".ko-cell{kind}").first.bounding_box()["y"]
        for kind in (".is-now", ".is-final", ".is-third")
    }

    assert sorted(tops, key=tops.__getitem__) == [".is-now", ".is-final", ".is-third"]


def test_keyboard_leads_from_a_name_to_the_player(address: str, page: Any) -> None:
    read_english(page.context, address)
    page.goto(address)

    page.locator(".ko").focus()
    page.keyboard.press("Tab")
    name = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")
    page.wait_for_url("**/players/**")

    assert name.split(",")[0] in page.get_by_role("heading", level=1).inner_text()
