"""Keys of the pages of those who work, in a browser: `g` and a letter, `?`, and fields that nothing is taken from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests import factories
from tests.browsers import faults, keys, sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CURRENT = "document.activeElement.textContent.trim()"


@pytest.fixture
def at(live_server: Any, page: Page) -> str:
    division = factories.event(players=12)
    factories.published(division)
    address = f"{live_server.url}/director/herbst-cup/"
    sign_in(page.context, address)
    return address


def test_g_and_a_letter_goes_to_a_page_of_the_bar(page: Page, at: str) -> None:
    page.goto(at)
    keys(page, "gs")
    page.wait_for_url("**/table/")
    keys(page, "gx")
    keys(page, "h")
    page.wait_for_timeout(300)
    stayed = page.url
    keys(page, "gj")
    page.wait_for_url("**/journal/")

    assert stayed.endswith("/table/")


def test_question_mark_opens_the_list_and_escape_closes_it(page: Page, at: str) -> None:
    page.goto(f"{at}hall/")
    keys(page, "?")
    page.get_by_role("heading", name="On this page").wait_for()
    ways = page.locator(".shortcut-ways > div").all_inner_texts()
    wrong = faults(page)
    keys(page, "Escape")
    closed = page.locator("#shortcuts").is_hidden()
    page.get_by_text("More", exact=True).first.click()
    page.get_by_role("button", name="Keys ?").first.click()
    page.get_by_role("button", name="Close").click()

    assert [way.split() for way in ways[:2]] == [["g", "o", "Overview"], ["g", "e", "Entries"]]
    assert wrong == []
    assert closed
    assert page.locator("#shortcuts").is_hidden()


def test_keys_can_be_switched_off_and_on(page: Page, at: str) -> None:
    page.goto(at)
    keys(page, "?")
    page.get_by_label("Letters, figures and signs work as keys").uncheck()
    keys(page, "Escape", "gs", "?")
    page.wait_for_timeout(300)

    assert page.url == at
    assert page.locator("#shortcuts").is_hidden()


@pytest.mark.parametrize("path", ["entries/", "settings/", "results/1/", "entries/check-in/", "rounds/"])
def test_typing_in_a_field_is_not_disturbed(page: Page, at: str, path: str) -> None:
    page.goto(at + path)
    typed = "g?os"
    fields = page.locator("main input:is([type=text], :not([type]), [type=search]):visible, main textarea:visible")
    for number in range(fields.count()):
        field = fields.nth(number)
        limit = int(field.get_attribute("maxlength") or 9)
        field.fill("")
        field.press_sequentially(typed)
        assert field.input_value() == typed[:limit], field.get_attribute("name")
        field.fill("")
    assert page.url == at + path
    assert page.locator("#shortcuts").is_hidden()


def test_few_keys_lead_from_a_result_to_the_overview(page: Page, at: str) -> None:
    page.goto(f"{at}results/1/")
    page.locator("input.score").nth(7).focus()
    keys(page, "Escape", "Escape")
    current = page.evaluate(CURRENT)
    keys(page, "go")
    page.wait_for_url(at)

    assert current == "Rounds"


def test_escape_leaves_a_field_that_has_no_other_use_for_it(page: Page, at: str) -> None:
    page.goto(f"{at}entries/")
    page.locator("main [name=name]").focus()
    keys(page, "miller", "Escape", "go")
    page.wait_for_url(at)


def test_shift_with_enter_means_the_same_in_the_grid(page: Page, at: str) -> None:
    page.goto(f"{at}results/1/")
    fields = page.locator(".grid-row input.score")
    fields.nth(0).focus()
    keys(page, "400")
    page.keyboard.press("Shift+Enter")
    keys(page, "350")
    page.keyboard.press("Shift+Enter")
    page.locator(".grid-row .grid-correct").first.wait_for()

    assert page.url == f"{at}results/1/"
