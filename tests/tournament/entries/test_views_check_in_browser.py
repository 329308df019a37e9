"""The check-in in a browser: each tick is saved at once, and one that was not saved is taken off again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.sessions.models import Session

from tests import factories
from tests.browsers import faults, keys, parts_out_of_sight, sign_in
from tournament.basics.names import fold_text, make_search_key
from tournament.entries.operations.attendance import check_in_entries
from tournament.models import Absence, Division, Entry

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ANNA, BERT = "Aumann, Klara", "Dvořák, Jana"


@pytest.fixture
def division() -> Division:
    return factories.event(players=4)


@pytest.fixture
def address(live_server: Any, division: Division) -> str:
    return f"{live_server.url}/director/herbst-cup/entries/check-in/"


@pytest.fixture
def hall(page: Page, address: str) -> Page:
    """The check-in, open in Doris's browser."""
    sign_in(page.context, address)
    page.goto(address)
    return page


def there() -> list[str]:
    return list(Entry.objects.filter(present=True).order_by("pk").values_list("player__name", flat=True))


def test_each_tick_is_saved_at_once_and_can_be_taken_back(hall: Page) -> None:
    assert hall.get_by_role("button", name="Save the ticks").is_hidden()

    hall.get_by_label(ANNA, exact=False).first.check()
    hall.get_by_text("1 of 4 is there").wait_for()
    hall.get_by_label(BERT, exact=False).first.focus()
    hall.keyboard.press("Space")
    hall.get_by_text("2 of 4 are there").wait_for()
    hall.get_by_role("link", name="Undo").click()
    hall.get_by_role("button", name="Take it back").click()
    hall.get_by_text("1 of 4 is there").wait_for()

    assert there() == [ANNA]


def test_cursor_stays_on_the_tick_that_was_saved(hall: Page) -> None:
    hall.get_by_label(ANNA, exact=False).first.focus()
    hall.keyboard.press("Space")
    hall.get_by_text("1 of 4 is there").wait_for()

    hall.keyboard.press("Space")
    hall.get_by_text("0 of 4 are there").wait_for()

    assert there() == []


def test_tick_set_in_the_moment_of_the_answer_is_saved(hall: Page) -> None:
    """The row that came with the answer sends its own ticks from the first moment on."""
    again = "Promise.resolve().then(() => document.activeElement.click())"
    hall.evaluate(f"document.addEventListener('htmx:afterSwap', () => {again}, {{ once: true }})")
    hall.get_by_label(ANNA, exact=False).first.focus()

    with hall.expect_response("**/off/"):
        hall.keyboard.press("Space")

    hall.get_by_text("0 of 4 are there").wait_for()
    assert there() == []


def test_tick_without_an_answer_is_taken_off_again(hall: Page, address: str) -> None:
    hall.route(address + "**", lambda route: route.abort())

    hall.get_by_label(ANNA, exact=False).first.click()
    hall.get_by_text("the program does not answer").wait_for()

    assert not hall.get_by_label(ANNA, exact=False).first.is_checked()


def test_tick_without_a_session_is_taken_off_again(hall: Page) -> None:
    Session.objects.all().delete()

    hall.get_by_label(ANNA, exact=False).first.click()
    hall.get_by_text("you are signed out").wait_for()

    assert not hall.get_by_label(ANNA, exact=False).first.is_checked()
    assert there() == []


def test_without_javascript_the_form_saves_all_ticks(new_context: Any, address: str) -> None:
    context = new_context(java_script_enabled=False)
    sign_in(context, address)
    page = context.new_page()
    page.goto(address)

    page.get_by_label(ANNA, exact=False).first.check()
    page.get_by_role("button", name="Save the ticks").click()
    saved = there()
    page.get_by_role("button", name="Everybody is there").click()

    assert saved == [ANNA]
    assert len(there()) == 4
    page.goto("about:blank")


def test_typed_name_is_ticked_by_enter(hall: Page) -> None:
    hall.get_by_label("Type a name").focus()
    keys(hall, BERT[:4].lower(), "Enter")
    hall.get_by_text("1 of 4 is there").wait_for()

    assert there() == [BERT]
    assert hall.get_by_label("Type a name").input_value() == ""


def test_of_several_who_fit_enter_waits_for_a_choice(hall: Page, division: Division) -> None:
    for name in ("Müller, Ida", "Mueller, Udo"):
        factories.entry(division, name)
    hall.reload()
    hall.get_by_label("Type a name").focus()
    keys(hall, "mueller", "Enter")
    hall.get_by_text("3 names fit").wait_for()
    waiting = there()
    keys(hall, "ArrowDown", "ArrowDown", "Enter")
    hall.get_by_text("1 of 6 is there").wait_for()
    chosen = there()
    keys(hall, "nobody", "Enter")
    hall.get_by_text("Nobody here is called so.").wait_for()

    assert (waiting, len(chosen)) == ([], 1)
    assert hall.get_by_label("Type a name").input_value() == "nobody"


NAMES = (
    "Müller, Jörg",
    "Straßer, Ağca Işıl",
    "Łukasiewicz, Zoë",
    "Ångström, Þóra",
    "Œuvrard, Søren",
    "DVOŘÁK",
    "Weiß",
    "Mueller",
)
TYPED = (
    "mull",
    "mueller joerg",
    "muller, jorg",
    "MÜLLER",
    "strasser",
    "isil",
    "lukas zoe",
    "angstrom thora",
    "oeuv sor",
    "weiss",
    "x",
)


def test_browser_searches_as_the_server_does(hall: Page) -> None:
    pairs = [[name, typed] for name in NAMES for typed in TYPED]

    found = hall.evaluate("pairs => pairs.map(([name, typed]) => searching.has(name, typed))", pairs)

    words = {typed: fold_text(typed.replace(",", " ")).split() for typed in TYPED}
    assert found == [all(word in make_search_key(name) for word in words[typed]) for name, typed in pairs]


def test_each_missing_player_is_answered_for_in_their_row(hall: Page) -> None:
    missing = hall.locator("#check-in-missing")
    missing.get_by_role("button", name=f"Is here {ANNA}").click()
    hall.get_by_text("1 of 4 is there").wait_for()
    missing.get_by_role("button", name=f"will come {BERT}").click()
    missing.get_by_text("still expected").wait_for()

    missing.locator("summary").nth(1).click()
    missing.get_by_role("button", name="misses round 1").click()
    hall.get_by_text("1 player is decided").wait_for()

    assert there() == [ANNA]
    assert Absence.objects.get().number == 1
    assert Entry.objects.get(expected=True).player.name == BERT
    assert missing.locator("li").count() == 2


def test_twenty_three_and_who_is_missing_are_seen_at_once(live_server: Any, page: Page) -> None:
    division = factories.event(players=23)
    come = list(Entry.objects.order_by("pk").values_list("pk", flat=True))[2:]
    check_in_entries(division.tournament, shown=come, present=come, actor=factories.director())
    sign_in(page.context, live_server.url)
    page.goto(f"{live_server.url}/director/herbst-cup/entries/check-in/")
    answers = (
        "h1",
        ".page-head .btn-primary",
        ".check-absent > li @ 2",
        ".check-answers > .btn @ 4",
        ".check-answers summary @ 2",
        "#tick-typed",
    )

    found = parts_out_of_sight(page, 1366, 768, *answers, ".check @ 23")
    found += parts_out_of_sight(page, 360, 680, *answers, ".check @ 2")

    assert found == []


def test_page_fits_the_screen_without_faults(hall: Page) -> None:
    hall.get_by_label(ANNA, exact=False).first.check()
    hall.get_by_text("1 of 4 is there").wait_for()

    assert faults(hall) == []
