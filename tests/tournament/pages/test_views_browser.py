"""The public pages in Chromium: accessible, narrow enough, silent, and usable by keyboard, in light and dark."""

from collections.abc import Iterator
from typing import Any

import pytest

from scoring.awards import Outcome
from tests import factories
from tests.browsers import faults
from tests.tournament.public_pages import PAGES
from tournament.entries.operations.attendance import withdraw_entry
from tournament.events.operations import add_division

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LOWEST_TARGET = 43.5
"""CSS pixels; 44 but for rounding."""

LOW_TARGETS = f"""() => [...document.querySelectorAll('a, button, input:not([type=hidden]), summary')]
    .filter(element => !element.closest('p, dd, .prose, .skip'))
    .map(element => element.closest('label') || element)
    .map(element => [element.textContent.trim(), element.getBoundingClientRect()])
    .filter(([text, box]) => box.width && box.height < {LOWEST_TARGET})
    .map(([text, box]) => `${{text}} is ${{box.height}} pixels high`)"""
"""Script: what is meant to be pressed and is too low for a finger."""


@pytest.fixture
def event(transactional_db: None) -> str:
    """The address of an event with long names, forfeits, a bye, a guest, somebody withdrawn and two divisions."""
    division = factories.event(players=8, announcement="Einlass ab 9 Uhr")
    longest = "Ĳsselmuiden-Straßenberger von der Lindenhöhe, Wilhelmina-Charlotte"
    factories.entry(division, longest, guest=True, exception="spielt mit vergrößertem Brett")
    factories.played(division, (431, 388), (400, 400))
    second = factories.published(division)
    factories.result(second, 1, 430, 340, Outcome.SECOND_FORFEITS)
    factories.result(second, 2, None, None, Outcome.BOTH_FORFEIT)
    factories.result(second, 3, 1234, 56)
    withdraw_entry(factories.enter(division, 0)[4], actor=factories.director())
    add_division(division.tournament, name="Gruppe B", actor=factories.director())
    return "/t/herbst-cup/"


@pytest.fixture
def said(page: Any) -> Iterator[list[str]]:
    """What the browser's console says; nothing is expected."""
    lines: list[str] = []
    page.on("console", lambda message: lines.append(message.text))
    page.on("pageerror", lambda error: lines.append(str(error)))
    yield lines
    assert lines == []


def test_pages_are_accessible_and_fit(event: str, live_server: Any, page: Any, said: list[str]) -> None:
    found = []

    for path in ("/", "/login/", *(event + path for path in (*PAGES, "players/P09/", "entries/?division=Gruppe+B"))):
        page.goto(live_server.url + path)
        found += faults(page, LOW_TARGETS)

    assert found == []


def test_keyboard_skips_to_the_content_and_opens_a_card(
    event: str, live_server: Any, page: Any, said: list[str]
) -> None:
    page.goto(f"{live_server.url}{event}table/")

    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    for _press in range(20):
        page.keyboard.press("Tab")
        if "/players/" in (page.evaluate("document.activeElement.href") or ""):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/players/**")

    assert page.locator(".figures").is_visible()


def test_language_switch_leads_back_to_the_page(event: str, live_server: Any, page: Any, said: list[str]) -> None:
    page.goto(f"{live_server.url}{event}table/1/")

    page.get_by_role("button", name="English").click()

    assert page.url == f"{live_server.url}{event}table/1/"
    assert page.locator("h1").inner_text() == "Standings after round 1"
    assert page.locator("html").get_attribute("lang") == "en"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_focus_is_seen(event: str, live_server: Any, page: Any, said: list[str], scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{live_server.url}{event}entries/")

    page.locator("#q").focus()
    page.keyboard.press("Tab")

    outline = page.evaluate("getComputedStyle(document.activeElement).outline")
    assert "solid 3px" in outline or "3px solid" in outline


def test_pages_work_without_javascript(event: str, live_server: Any, browser: Any, said: list[str]) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()

    page.goto(f"{live_server.url}{event}entries/")
    page.fill("#q", "ozturk")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Öztürk, Cem").click()
    heading = page.locator("h1").inner_text()
    context.close()

    assert heading == "Öztürk, Cem"


def test_words_may_be_broken_on_a_phone_and_names_may_not(event: str, live_server: Any, page: Any) -> None:
    hyphens = "(part) => getComputedStyle(part).hyphens"
    page.set_viewport_size({"width": 360, "height": 740})

    page.goto(f"{live_server.url}{event}table/")
    words = page.locator("h1").evaluate(hyphens)
    page.goto(f"{live_server.url}{event}players/P09/")
    name = page.locator("h1 [translate=no]").evaluate(hyphens)

    assert (words, name) == ("auto", "manual")
