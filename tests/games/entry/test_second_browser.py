"""A round typed twice by two people in two browsers: blind, by keyboard, and a difference settled from the paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from games.models import SecondEntry
from tests import factories
from tests.browsers import faults, keys, sign_in
from tournament.models import Division, Result, Role

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def cup() -> Division:
    """Two tables with results that Doris has typed."""
    division = factories.event(players=4, results_twice=True)
    factories.played(division, (431, 388), (402, 371))
    return division


def at(live_server: Any, way: str) -> str:
    return f"{live_server.url}/director/herbst-cup/{way}"


@pytest.fixture
def helper(browser: Browser, live_server: Any, cup: Division) -> Page:
    """Hannes, at his own laptop, on the page on which he types the round again."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    sign_in(context, str(live_server.url), factories.member(factories.user("hannes"), Role.HELPER))
    page = context.new_page()
    page.goto(at(live_server, "results/1/"))
    page.locator("[autofocus]:focus").wait_for()
    return page


def row(page: Page, table: int) -> Any:
    return page.locator(f".grid-row[data-table='{table}']")


def test_difference_goes_back_to_the_paper(helper: Page, page: Page, live_server: Any) -> None:
    blind = helper.locator("main").inner_text()
    keys(helper, "431", "Tab", "388", "Enter")
    expect(row(helper, 1)).to_contain_text("typed twice, alike")
    keys(helper, "402", "Tab", "317", "Enter")
    expect(row(helper, 2)).to_contain_text("to be settled from the paper")

    assert [figure in blind for figure in ("431", "388", "402", "371")] == [False] * 4
    assert faults(helper) == []

    row(helper, 2).get_by_role("link", name="to be settled from the paper").click()
    expect(helper.get_by_text("You typed it last")).to_be_visible()
    assert helper.get_by_role("button", name="That is what the paper says").count() == 0

    sign_in(page.context, str(live_server.url))
    page.goto(at(live_server, "results/1/"))
    row(page, 2).get_by_role("link", name="to be settled from the paper").click()
    expect(page.locator("main")).to_contain_text("hannes")
    assert faults(page) == []
    points = page.get_by_role("textbox")
    points.nth(0).fill("402")
    points.nth(1).fill("317")
    page.get_by_role("button", name="That is what the paper says").click()

    expect(page.locator(".told")).to_contain_text("Table 2 is settled")
    expect(row(page, 2)).to_contain_text("settled from the paper")
    result = Result.objects.get(official=True, pairing__table=2)
    assert (result.first_points, result.second_points) == (402, 317)
    assert SecondEntry.objects.get(pairing__table=2).is_settled


def test_what_is_typed_without_a_network_stays_and_is_sent_later(helper: Page) -> None:
    helper.context.set_offline(True)
    keys(helper, "431", "Tab", "388", "Enter")
    expect(helper.get_by_text("Not saved: the program does not answer.").first).to_be_visible()

    helper.context.set_offline(False)
    helper.locator("input[data-side=second]").first.press("Enter")

    expect(row(helper, 1)).to_contain_text("typed twice, alike")
