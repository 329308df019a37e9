"""Pages that keep themselves up to date in a browser, without disturbing whoever reads or types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.sessions.models import Session

from tests import factories
from tests.browsers import read_english, sign_in
from tournament.events.operations import set_public
from tournament.models import Round, Tournament

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SOON = 5000
"""Milliseconds in which news is there, by the page's clock."""

LATE = 3
"""So many questions without an answer, and the page says so."""


@pytest.fixture
def round() -> Round:
    """Forty players, the first round published, one result in."""
    made = factories.published(factories.event(players=40))
    factories.result(made, 1, 400, 390)
    return made


@pytest.fixture
def page(page: Page) -> Page:
    """A browser whose clock can be told to run ahead: five seconds pass without anybody waiting for them."""
    page.clock.install()
    return page


@pytest.fixture
def visitor(page: Page, live_server: Any) -> Page:
    """A visitor's browser, in English."""
    read_english(page.context, live_server.url)
    return page


PATIENCE = 3 * SOON
"""Milliseconds after which a question is not coming any more: a page that was still showing its last news when its
clock ran ahead asks a whole round later."""


def ask(page: Page, status: int = 200) -> None:
    """Let the time pass in which a page asks for news, and wait until it is answered with this status."""
    with page.expect_response(lambda answer: "/news/" in answer.url and answer.status == status, timeout=PATIENCE):
        page.clock.run_for(SOON)


def ask_in_vain(page: Page) -> None:
    """The same where nobody answers."""
    with page.expect_event("requestfailed"):
        page.clock.run_for(SOON)


def at(live_server: Any, path: str = "") -> str:
    return f"{live_server.url}/t/herbst-cup/{path}"


def test_result_appears_by_itself(visitor: Page, live_server: Any, round: Round) -> None:
    visitor.goto(at(live_server, "rounds/1/"))
    visitor.locator("main").evaluate("main => { main.untouched = true }")

    factories.result(round, 2, 512, 311)
    ask(visitor)

    visitor.get_by_text("512 : 311").wait_for(timeout=SOON)
    assert visitor.locator("main").evaluate("main => main.untouched")


def test_what_is_read_stays_where_it_is(visitor: Page, live_server: Any, round: Round) -> None:
    visitor.set_viewport_size({"width": 360, "height": 640})
    visitor.goto(at(live_server, "rounds/1/"))
    reader = visitor.get_by_role("row").nth(15).element_handle()
    reader.evaluate("row => row.scrollIntoView({block: 'center', behavior: 'instant'})")
    before = reader.bounding_box()

    factories.result(round, 2, 512, 311)
    ask(visitor)
    visitor.get_by_text("512 : 311").wait_for(state="attached", timeout=SOON)

    after = reader.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) < 1


def test_nothing_changes_while_something_is_typed(visitor: Page, live_server: Any, round: Round) -> None:
    visitor.goto(at(live_server, "entries/"))
    field = visitor.get_by_role("searchbox")
    field.press_sequentially("Mül")

    factories.enter(round.division, 1)
    ask(visitor)
    visitor.wait_for_timeout(1000)  # a page that was asked for would have come
    typed, players = field.input_value(), visitor.get_by_text("41 players").count()
    field.blur()
    visitor.clock.run_for(SOON)
    visitor.get_by_text("Gast, Nummer 040").wait_for(timeout=SOON)

    assert (typed, players) == ("Mül", 0)
    assert field.input_value() == "Mül"


def test_list_of_tournaments_shows_the_next_round(visitor: Page, live_server: Any, round: Round) -> None:
    visitor.goto(live_server.url)
    factories.event("Zweiter Cup")
    ask(visitor)

    visitor.get_by_text("Zweiter Cup").wait_for(timeout=SOON)


def test_console_shows_what_helpers_type(page: Page, live_server: Any, round: Round) -> None:
    sign_in(page.context, live_server.url)
    page.goto(f"{live_server.url}/director/herbst-cup/")
    page.get_by_text("1 of 20 results are in").wait_for()

    factories.result(round, 2, 512, 311)
    ask(page)

    page.get_by_text("2 of 20 results are in").wait_for(timeout=SOON)


def test_console_of_somebody_signed_out_elsewhere_asks_to_sign_in(page: Page, live_server: Any, round: Round) -> None:
    sign_in(page.context, live_server.url)
    page.goto(f"{live_server.url}/director/herbst-cup/")

    Session.objects.all().delete()
    ask(page, 302)

    page.get_by_role("button", name="Sign in").wait_for(timeout=SOON)


def test_page_of_a_tournament_that_is_hidden_goes(visitor: Page, live_server: Any, round: Round) -> None:
    visitor.goto(at(live_server, "table/"))
    ask(visitor)

    set_public(round.division.tournament, public=False, actor=factories.director())
    visitor.clock.run_for(SOON)

    # It may learn that from its next question, or from the page that it was still fetching.
    visitor.locator("main[data-news]").wait_for(state="detached", timeout=PATIENCE)


def test_page_says_since_when_nobody_answers(visitor: Page, live_server: Any, round: Round) -> None:
    visitor.goto(at(live_server, "table/"))
    ask(visitor)

    visitor.context.set_offline(True)
    for _question in range(LATE):
        ask_in_vain(visitor)
    visitor.get_by_text("No connection since").wait_for(timeout=SOON)
    visitor.context.set_offline(False)
    visitor.clock.run_for(SOON)

    visitor.get_by_text("No connection since").wait_for(state="detached", timeout=SOON)


def test_event_s_page_remembers_whom_a_reader_follows(visitor: Page, live_server: Any, round: Round) -> None:
    visitor.goto(at(live_server))
    visitor.get_by_placeholder("Name or club").fill("fuchs")
    visitor.get_by_role("button", name="Follow", exact=True).click()
    visitor.locator(".followed").get_by_text("Table 3").wait_for(timeout=SOON)
    visitor.locator(".followed").get_by_role("link", name="Fuchs, Emil").click()
    visitor.get_by_role("heading", name="Fuchs, Emil").wait_for()

    visitor.goto(at(live_server))
    visitor.locator(".followed").get_by_text("Table 3").wait_for(timeout=SOON)
    factories.result(round, 3, 333, 334)
    ask(visitor)
    visitor.locator(".followed").get_by_text("333 : 334").wait_for(timeout=SOON)
    visitor.get_by_role("button", name="Follow Fuchs, Emil no more").click()
    visitor.locator(".followed").wait_for(state="detached")

    visitor.reload()
    assert visitor.get_by_placeholder("Name or club").input_value() == ""
    assert visitor.locator(".followed").count() == 0
    assert "follow" not in visitor.url


LONG_NAME = "Offene Stadtmeisterschaft der Scrabble-Freunde Neustadt an der Weinstraße 2026"


def test_bar_names_the_whole_event_and_has_its_ways_at_the_foot_of_phones(
    page: Page, live_server: Any, round: Round
) -> None:
    Tournament.objects.update(name=LONG_NAME)
    sign_in(page.context, live_server.url)
    page.goto(live_server.url + "/director/herbst-cup/")
    bar, foot = page.locator(".frame"), page.locator(".foot")
    journal = foot.get_by_role("link", name="Journal")
    heights, cut = {}, {}
    for width in (360, 800, 1366):
        page.set_viewport_size({"width": width, "height": 740})
        box = bar.bounding_box()
        heights[width] = box["height"] if box else 0
        cut[width] = bar.locator(".who").evaluate("who => who.scrollWidth > who.clientWidth + 1")

    page.set_viewport_size({"width": 360, "height": 740})
    shown = [bar.locator("nav").is_visible(), foot.is_visible(), journal.is_visible()]
    ways = [" ".join(way.split()) for way in foot.locator("> a, summary").all_inner_texts()]
    foot.get_by_text("More").focus()
    page.keyboard.press("Enter")

    assert heights[1366] <= 68
    assert heights[800] <= 120
    assert heights[360] <= 120
    assert cut == {360: False, 800: False, 1366: False}
    assert shown == [False, True, False]
    assert ways == ["Overview", "Rounds", "Standings", "Hall", "More"]
    assert journal.is_visible()


def test_whoever_works_sees_that_a_public_page_is_one_and_comes_back(
    page: Page, live_server: Any, round: Round
) -> None:
    sign_in(page.context, live_server.url)
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(live_server.url + "/director/herbst-cup/")
    page.locator(".frame summary").click()
    page.locator(".frame").get_by_role("link", name="See the public page").click()
    page.get_by_text("This is how everybody sees it.").wait_for()
    entries = page.locator(".frame nav > a").count()
    page.get_by_role("link", name="Back to work").click()

    page.locator(".frame summary").click()
    opened = page.locator(".frame .menu").is_visible()
    page.keyboard.press("Escape")

    assert (opened, page.locator(".frame .menu").is_visible()) == (True, False)
    assert entries <= 5
    assert page.url.startswith(live_server.url + "/director/herbst-cup/")
