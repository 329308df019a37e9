"""What is told after an act, in a browser: where it was done, moving nothing, and gone with the next act."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests import factories
from tests.browsers import faults, sign_in
from tournament.models import Division, Entry

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TOP = "document.querySelector('h1').getBoundingClientRect().top + scrollY"


@pytest.fixture
def division() -> Division:
    return factories.event(players=24)


@pytest.fixture
def at(live_server: Any, page: Page, division: Division) -> str:
    address = f"{live_server.url}/director/herbst-cup/"
    sign_in(page.context, address)
    return address


@pytest.fixture
def entry_page(page: Page, at: str) -> Page:
    """A player's page on a low glass, scrolled to where an absence is noted."""
    page.set_viewport_size({"width": 1280, "height": 500})
    page.goto(f"{at}entries/{Entry.objects.order_by('pk')[0].pk}/")
    page.locator("summary", has_text="Misses a round").click()
    return page


def test_page_stays_where_the_act_was_done(entry_page: Page) -> None:
    top = entry_page.evaluate(TOP)
    button = entry_page.get_by_role("button", name="Leave out of this round")
    button.scroll_into_view_if_needed()
    scrolled = entry_page.evaluate("scrollY")
    button.click()
    entry_page.locator(".told", has_text="misses round 1").wait_for()

    assert scrolled > 0
    assert (entry_page.evaluate("scrollY"), entry_page.evaluate(TOP)) == (scrolled, top)
    assert entry_page.get_by_role("button", name="plays after all").is_visible()
    assert entry_page.locator(".told").get_by_role("link", name="Undo").is_visible()
    assert faults(entry_page) == []


def test_next_act_takes_the_message_away(page: Page, at: str, entry_page: Page) -> None:
    entry_page.get_by_role("button", name="Leave out of this round").click()
    told = entry_page.locator(".told")
    told.wait_for()
    entry_page.keyboard.press("Escape")
    told.wait_for(state="detached")
    entry_page.get_by_role("button", name="plays after all").click()
    told.get_by_text("plays round 1").wait_for()
    entry_page.evaluate("addEventListener('submit', (event) => event.preventDefault())")  # nothing is answered yet
    entry_page.get_by_role("button", name="Leave out of this round").click()
    told.wait_for(state="detached")


def test_message_by_a_script_of_the_page_is_taken_away_by_the_next(page: Page, at: str) -> None:
    page.goto(f"{at}entries/check-in/")
    page.locator("#check-in-missing > details > summary").click()
    page.get_by_role("button", name="will come").first.click()
    told = page.locator(".told")
    told.wait_for()
    page.locator(".check [name=present]").last.check()
    page.get_by_text("1 of 24 is there").wait_for()

    assert told.count() == 0


def test_ticks_do_not_move_the_list(page: Page, at: str) -> None:
    page.goto(f"{at}entries/check-in/")
    page.get_by_role("button", name="Everybody is there").click()
    page.get_by_text("24 of 24 are there").wait_for()
    ticks = page.locator(".check [name=present]")
    places = []
    page.set_viewport_size({"width": 1280, "height": 500})
    for number, count in ((2, "23 of 24"), (4, "22 of 24"), (4, "23 of 24"), (2, "24 of 24"), (2, "23 of 24")):
        places.append(round(ticks.nth(7).evaluate("tick => tick.getBoundingClientRect().top")))
        ticks.nth(number).click()
        page.get_by_text(count).wait_for()
    page.get_by_role("button", name="Everybody is there").click()
    page.get_by_text("24 of 24 are there").wait_for()

    assert max(places) - min(places) <= 1


def test_escape_closes_what_was_unfolded_last(entry_page: Page) -> None:
    fold = entry_page.locator("details", has_text="Leave out of this round").last
    entry_page.evaluate("document.activeElement.blur()")  # as a browser that gives no focus to what is clicked
    entry_page.keyboard.press("Escape")

    assert fold.get_attribute("open") is None
