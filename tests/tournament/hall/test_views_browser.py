"""Screens in a browser: rows fill glasses of every size, news come by themselves, a lost network is survived."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from tests import factories
from tests.browsers import OUTSIDE_THE_GLASS, WIDE_GLASSES, faults, parts_out_of_sight, sign_in
from tests.games.photos import samples
from tournament.ending.final_ranking import load_final_ranking
from tournament.ending.operations import end_tournament
from tournament.entries.operations.entries import give_portrait
from tournament.hall.contents import ScreenContents
from tournament.hall.operations import (
    add_screen,
    set_countdown,
    set_hall_message,
    show_on_screen,
    show_slide,
    start_round_clock,
    update_screen,
)
from tournament.hall.queries import get_hall
from tournament.models import Division, Hall, Screen

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GLASSES = ((800, 600), (1280, 720), (1080, 1920), (3840, 2160))

SOON = 10_000
"""Milliseconds of patience for what comes in two or three seconds where nobody else uses the machine."""

CUT = """() => {
  const edge = document.getElementById("screen-stage").getBoundingClientRect();
  return [...document.querySelectorAll(".screen-page :is(td, th, .screen-name, i)")].filter((cell) => {
    const box = cell.getBoundingClientRect();
    return box.right > edge.right + 1 || box.bottom > edge.bottom + 1 || cell.scrollWidth > cell.clientWidth + 1;
  }).map((cell) => cell.textContent);
}"""
"""Script: what does not lie wholly on the page."""

SHOWN = """() => [...document.querySelectorAll('.screen-page :is(tbody th span, .screen-name)')]
    .map((cell) => cell.title || cell.textContent.trim())"""
"""Script: whose rows are on the page, with names that are cut in full."""

LETTERS = """() => Math.min(...[...document.querySelectorAll('.screen-page :is(tbody th, .screen-name)')]
    .map((name) => parseFloat(getComputedStyle(name).fontSize)))"""
"""Script: how large the smallest name is, in pixels."""

FOOT = """() => document.getElementById("screen-stage").getBoundingClientRect().bottom
    - Math.max(...[...document.querySelectorAll('.screen-pair')].map((card) => card.getBoundingClientRect().bottom))"""
"""Script: how far the last card is from the foot of the stage."""

SMALL_TEXT = """() => [...document.querySelectorAll(".slide :is(p, span, i, strong)")]
    .filter((each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim()))
    .filter((each) => !each.classList.contains("visually-hidden"))
    .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 28).map((each) => each.textContent.trim())"""
"""Script: what is written on a slide of 1080p in letters of less than 28 pixels."""

SMALLEST = 0.033
"""The smallest name, as a share of the height of the glass."""

SIZES = """() => [...document.querySelectorAll('.screen-page .screen-name')]
    .map((name) => [name.title, getComputedStyle(name).fontSize])"""
"""Script: each name as it was before it was cut, "" if it is whole, and its size."""


BRACKET_NAMES = """() => [...document.querySelectorAll(".bracket-name")]
    .map((name) => parseFloat(name.getAttribute("font-size")) * name.getScreenCTM().a)"""
"""Script: the size of each line of a name in a bracket."""


@pytest.fixture
def division() -> Division:
    made = factories.event(players=60)
    factories.entry(made, "Müller-Lüdenscheidt von und zu Hohenstein, Ann-Kathrin Wilhelmine")
    factories.played(made)
    return made


@pytest.fixture
def screen(page: Page, live_server: Any, division: Division) -> Page:
    page.goto(f"{live_server.url}/t/{division.tournament.slug}/screen/1/")
    return page


def show(division: Division, shows: Screen.Shows) -> None:
    show_on_screen(division.tournament, 1, shows=shows, actor=factories.director())


def test_rows_fill_every_glass_and_nothing_is_cut(screen: Page, division: Division) -> None:
    show(division, Screen.Shows.TABLE)
    screen.get_by_role("heading", name="Tabelle nach Runde 1").wait_for(timeout=SOON)
    for width, height in GLASSES:
        screen.set_viewport_size({"width": width, "height": height})
        screen.wait_for_timeout(400)  # a glass that is being pulled to another size is laid out once it rests
        seen = set()
        for _page in range(12):
            assert screen.evaluate(CUT) == []
            assert screen.evaluate("document.documentElement.scrollHeight") <= height
            assert screen.evaluate(LETTERS) >= min(width, height) * SMALLEST - 0.01
            seen |= set(screen.evaluate(SHOWN))
            screen.keyboard.press("ArrowRight")
        assert len(seen) == 61


def test_pairs_fill_every_glass_to_the_foot_and_no_name_is_small(screen: Page) -> None:
    for width, height in GLASSES:
        screen.set_viewport_size({"width": width, "height": height})
        screen.wait_for_timeout(400)
        assert (screen.evaluate(CUT), screen.evaluate(FOOT) < 2) == ([], True)
        assert screen.evaluate(LETTERS) >= min(width, height) * SMALLEST - 0.01


def test_twenty_one_tables_are_on_one_page_with_names_of_41_pixels(page: Page, live_server: Any) -> None:
    made = factories.event(players=42)
    factories.published(made)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{live_server.url}/t/{made.tournament.slug}/screen/1/")
    page.locator(".screen-page .screen-pair").first.wait_for()

    found = page.evaluate(SIZES)
    assert (len(found), [cut for cut, _size in found if cut]) == (42, [])
    small = [size for _cut, size in found if float(size.removesuffix("px")) < 41]
    assert len(small) <= 4  # in the cards of names in two lines
    assert page.evaluate(FOOT) < 2

    update_screen(made.tournament, 1, plan=Screen(is_large=True), actor=factories.director())
    page.locator("#screen-page", has_text="Seite 1 von").wait_for(timeout=SOON)
    assert page.evaluate(LETTERS) >= 0.05 * 1080 - 0.01


def test_slides_fill_every_glass_and_say_nothing_else(
    page: Page, live_server: Any, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    doris, made = factories.director(), factories.event(players=20, rounds=1)
    factories.played(made, *((400 + 20 * table, 300 - table) for table in range(10)))
    end_tournament(made.tournament, accept_open=True, actor=doris)
    rows = load_final_ranking(factories.fresh(made)).rows
    for row in (rows[0], rows[2]):
        give_portrait(row.entry, sent=samples.sent(), actor=doris)
    set_hall_message(made.tournament, message="Bitte leise", covers=True, actor=doris)
    show(made, Screen.Shows.CEREMONY)
    slides = ScreenContents(get_hall(made.tournament)).slides

    for number, slide in enumerate(slides):
        show_slide(made.tournament, slide=number, runs=False, actor=doris)
        page.goto(f"{live_server.url}/t/{made.tournament.slug}/screen/1/")
        page.locator(f"main[data-kind='{slide.kind}']").wait_for()
        for width, height in WIDE_GLASSES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(OUTSIDE_THE_GLASS) == []
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.wait_for_timeout(400)  # as above
        assert (page.evaluate(CUT), page.evaluate(SMALL_TEXT)) == ([], [])
        seen = page.locator("body").inner_text()
        assert ("Bitte leise" in seen, page.locator("#screen-time").is_visible()) == (False, False)


def test_bracket_of_eight_is_read_from_the_last_row(page: Page, live_server: Any) -> None:
    made = factories.event(players=8)
    factories.knockout(made, 8)
    show(made, Screen.Shows.BRACKET)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{live_server.url}/t/{made.tournament.slug}/screen/1/")
    page.locator("svg.bracket").wait_for()

    names = page.evaluate(BRACKET_NAMES)
    assert len(names) > 8  # some stand on two lines
    assert min(names) >= 1080 * SMALLEST


def test_hours_of_a_countdown_are_shown_with_their_seconds(screen: Page, division: Division) -> None:
    ends = timezone.now() + timedelta(hours=19, minutes=59)
    set_countdown(division.tournament, at=ends, countdown_for="Runde 2 beginnt", actor=factories.director())
    show(division, Screen.Shows.COUNTDOWN)
    time = screen.locator("#screen-stage .hall-time")
    time.wait_for(timeout=SOON)

    for width, height in GLASSES:
        screen.set_viewport_size({"width": width, "height": height})
        assert time.inner_text().count(":") == 2
        assert time.evaluate("each => each.scrollWidth <= each.clientWidth && each.clientWidth <= innerWidth")


def test_corner_forgets_a_clock_that_is_long_over_and_the_ceremony_has_none(page: Page, live_server: Any) -> None:
    made, doris = factories.event(players=4, rounds=1), factories.director()
    factories.played(made, (420, 400), (410, 396))
    end_tournament(made.tournament, accept_open=True, actor=doris)
    start_round_clock(made.tournament, actor=doris)
    corner = page.locator(".hall-clock-small")
    show(made, Screen.Shows.CEREMONY)
    page.goto(f"{live_server.url}/t/{made.tournament.slug}/screen/1/")
    page.locator("main[data-kind='slide']").wait_for(timeout=SOON)
    assert corner.is_hidden()

    show(made, Screen.Shows.TABLE)
    corner.wait_for(timeout=SOON)
    Hall.objects.update(clock_ends=timezone.now() - timedelta(minutes=11))
    show(made, Screen.Shows.NAMES)

    corner.wait_for(state="hidden", timeout=SOON)


def test_keys_hold_and_turn_the_pages(screen: Page) -> None:
    screen.set_viewport_size({"width": 800, "height": 600})
    number = screen.locator("#screen-page")
    number.get_by_text("Seite 1 von").wait_for(timeout=SOON)

    screen.keyboard.press("ArrowRight")
    assert number.inner_text().startswith("Seite 2 von")
    screen.keyboard.press(" ")
    screen.get_by_text("angehalten").wait_for()
    screen.keyboard.press("ArrowLeft")
    assert number.inner_text().startswith("Seite 1 von")


def test_desk_and_network(screen: Page, division: Division) -> None:
    screen.clock.install()  # it can be told to run ahead
    screen.reload()
    title = screen.locator("#screen-title")
    set_hall_message(division.tournament, message="Kaffee.", covers=False, actor=factories.director())
    screen.get_by_text("Kaffee.").wait_for(timeout=SOON)

    screen.context.set_offline(True)
    screen.clock.run_for(SOON)
    screen.locator("#screen-lost", has_text="Stand").wait_for(timeout=2 * SOON)
    assert "Runde 1" in title.inner_text()
    show(division, Screen.Shows.STATISTICS)
    screen.context.set_offline(False)

    title.get_by_text("Statistik").wait_for(timeout=SOON)
    screen.locator("#screen-lost").wait_for(state="hidden")


def test_what_is_gone_is_waited_for(screen: Page, division: Division) -> None:
    cup = division.tournament
    cup.is_public = False
    cup.save(update_fields=["is_public"])
    screen.get_by_text("Hier ist zurzeit nichts zu sehen.").wait_for(timeout=SOON)

    cup.is_public = True
    cup.save(update_fields=["is_public"])

    screen.get_by_role("heading", name="Runde 1 · Paarungen").wait_for(timeout=SOON)


def test_screens_and_desk_are_for_everybody(screen: Page, division: Division, live_server: Any) -> None:
    slug = division.tournament.slug
    screen.locator(".screen-page").wait_for()
    found = faults(screen)
    screen.goto(f"{live_server.url}/t/{slug}/clock/")
    screen.locator(".screen-live").wait_for()
    found += faults(screen)
    sign_in(screen.context, live_server.url)
    screen.goto(f"{live_server.url}/director/{slug}/hall/")
    found += faults(screen)
    screen.goto(f"{live_server.url}/director/{slug}/hall/screens/1/")

    assert found + faults(screen) == []


def test_black_screen_and_ceremony_are_for_everybody(
    page: Page, live_server: Any, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    doris, made = factories.director(), factories.event(players=4, rounds=1)
    factories.played(made, (420, 400), (410, 396))
    end_tournament(made.tournament, accept_open=True, actor=doris)
    first = load_final_ranking(factories.fresh(made)).rows[0].entry
    give_portrait(first, sent=samples.sent(), actor=doris)
    address = f"{live_server.url}/t/{made.tournament.slug}/screen/1/"

    show(made, Screen.Shows.NOTHING)
    page.goto(address)
    page.locator("main[data-kind='nothing']").wait_for(state="attached")
    found = faults(page)
    show(made, Screen.Shows.CEREMONY)
    for slide, what in ((7, ".slide-photo"), (8, ".slide-score")):
        show_slide(made.tournament, slide=slide, runs=False, actor=doris)
        page.goto(address)
        page.locator(what).first.wait_for()
        found += faults(page)

    assert found == []


def test_desk_is_one_screen_and_its_picture_is_the_glass(page: Page, live_server: Any) -> None:
    made, doris = factories.event(players=23), factories.director()
    factories.published(made)
    add_screen(made.tournament, name="Foyer", actor=doris)
    sign_in(page.context, live_server.url)
    page.goto(f"{live_server.url}/director/{made.tournament.slug}/hall/")
    page.locator(".glass .screen-page").wait_for()

    glass, clock = ".glass", ".desk-clock"
    keys = (".desk-keys .btn @ 3", ".desk-say > summary")
    assert parts_out_of_sight(page, 1366, 768, glass, *keys, clock, ".desk-folds > .fold @ 4") == []
    assert page.locator(".glass .screen-page .screen-pair").count() == 12
    assert parts_out_of_sight(page, 360, 740, glass, *keys, clock) == []

    page.keyboard.press("2")
    page.get_by_role("heading", name="By name").wait_for(timeout=SOON)
    assert page.locator(".glass .screen-rows").count() > 0
    page.locator("#desk-contents > summary").click()
    page.locator("#desk-contents").get_by_role("button", name="Statistics").click()
    page.get_by_role("heading", name="Now: Statistics").wait_for(timeout=SOON)
    assert page.locator("#desk-contents").evaluate("fold => fold.open")
    show(made, Screen.Shows.CLOCK)  # somebody else, elsewhere
    page.get_by_role("heading", name="Now: Clock").wait_for(timeout=SOON)
    assert (page.locator("h1").inner_text(), page.locator(".seg a").count()) == ("In the hall", 2)
    page.keyboard.press("4")
    assert page.evaluate("document.activeElement.name") == "message"
    page.keyboard.type("12")
    assert page.locator("[name=message]").first.input_value() == "12"


def test_ceremony_is_led_by_the_keyboard_and_a_bar_that_stays(page: Page, live_server: Any) -> None:
    made, doris = factories.event(players=4, rounds=1), factories.director()
    factories.played(made, (420, 400), (410, 396))
    end_tournament(made.tournament, accept_open=True, actor=doris)
    show(made, Screen.Shows.CEREMONY)
    sign_in(page.context, live_server.url)
    page.goto(f"{live_server.url}/director/{made.tournament.slug}/hall/")
    bar = page.locator(".slide-bar .btn-primary")
    assert parts_out_of_sight(page, 360, 740, ".glass", ".desk-slides li @ 5", ".slide-bar .btn @ 2") == []
    assert parts_out_of_sight(page, 1366, 768, ".glass", ".desk-slides li @ 5", ".slide-bar .btn @ 2") == []

    page.get_by_role("button", name="Leave out Place 4").click()
    page.get_by_role("button", name="Do show Place 4").click()
    page.get_by_role("button", name="Leave out Place 4").wait_for(timeout=SOON)
    assert get_hall(made.tournament).ceremony_skipped == []
    last = len(ScreenContents(get_hall(made.tournament)).slides) - 1
    for number in range(1, last + 1):
        assert bar.locator("small").inner_text()
        page.keyboard.press("PageDown" if number % 2 else "ArrowRight")
        page.get_by_text(f"slide {number + 1} of {last + 1}").wait_for(timeout=SOON)
        assert get_hall(made.tournament).ceremony_slide == number
    show_slide(made.tournament, slide=2, runs=False, actor=doris)  # somebody else, elsewhere
    page.get_by_text(f"slide 3 of {last + 1}").wait_for(timeout=SOON)
    assert bar.get_attribute("value") == "3"
    show_slide(made.tournament, slide=last, runs=False, actor=doris)
    page.get_by_text(f"slide {last + 1} of {last + 1}").wait_for(timeout=SOON)
    page.keyboard.press("PageUp")
    page.get_by_text(f"slide {last} of {last + 1}").wait_for(timeout=SOON)
    assert faults(page) == []
