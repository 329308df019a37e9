"""The results grid in a browser: how dense it is, what Tab does, drafts, chips that count down, and the next step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from scoring.awards import Outcome
from tests import factories
from tests.browsers import OVERFLOW, faults, keys, parts_out_of_sight, sign_in
from tournament.models import Division, Entry, Pairing, Result, Round, Seat

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TALLEST_ROW = 48
SEEN_AT_ONCE = 10
HEIGHTS = "[...document.querySelectorAll('.grid-row[data-playing]')].map((row) => row.getBoundingClientRect().height)"
SEEN = """[...document.querySelectorAll('.grid-row[data-playing]')]
  .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length"""
COUNT_ACTS = """for (const kind of ['keydown', 'pointerdown'])
  addEventListener(kind, () => { sessionStorage.acts = Number(sessionStorage.acts || 0) + 1; }, true);"""
LINKS_IN_ONE_LINE = """[...document.querySelectorAll('.grid-row[data-playing] .grid-special')].every((cell) => {
  const seen = [...cell.children].filter((each) => each.getClientRects().length);
  const boxes = seen.map((each) => each.getBoundingClientRect());
  return Math.max(...boxes.map((box) => box.top)) < Math.min(...boxes.map((box) => box.bottom));
})"""


def address(live_server: Any, round: Round) -> str:
    return str(live_server.url) + reverse("games:grid", args=[round.division.tournament.slug, round.number])


def opened(page: Page, live_server: Any, round: Round) -> Page:
    """A round's grid in Doris's browser, with the cursor where the page wants it."""
    at = address(live_server, round)
    sign_in(page.context, at)
    page.goto(at)
    page.locator("[autofocus]:focus").wait_for()
    return page


def settled(page: Page) -> None:
    page.wait_for_function("() => !document.querySelector('[data-sending]')")


def row(page: Page, table: int) -> Any:
    return page.locator(f".grid-row[data-table='{table}']")


@pytest.fixture
def round() -> Round:
    """Twelve tables, published."""
    return factories.published(factories.event(players=24))


@pytest.fixture
def grid(page: Page, live_server: Any, round: Round) -> Page:
    page.set_viewport_size({"width": 1280, "height": 800})
    return opened(page, live_server, round)


def test_open_rows_are_low_and_ten_fit_the_screen(grid: Page) -> None:
    heights = grid.evaluate(HEIGHTS)

    assert len(heights) == 12
    assert max(heights) <= TALLEST_ROW
    assert grid.evaluate(SEEN) >= SEEN_AT_ONCE
    assert grid.evaluate(LINKS_IN_ONE_LINE)
    assert grid.evaluate(OVERFLOW) == 0


def test_row_in_use_and_row_not_saved_stay_as_low(grid: Page) -> None:
    keys(grid, "412", "Tab", "389", "ArrowDown")
    row(grid, 1).get_by_text("not saved", exact=True).wait_for()

    assert max(grid.evaluate(HEIGHTS)) <= TALLEST_ROW


def test_who_did_not_show_is_asked_within_the_screen(grid: Page) -> None:
    row(grid, 12).hover()
    row(grid, 12).locator(".grid-absent summary").click()

    assert row(grid, 12).get_by_role("button", name="Both table 12").is_visible()
    assert faults(grid) == []


ROWS = """() => [...document.querySelectorAll('.grid-row')]
  .map((row) => ({ table: Number(row.dataset.table), ...row.getBoundingClientRect().toJSON() }))
  .sort((one, other) => one.top - other.top)"""
"""Script: where each row stands, from the top."""
ACTS_SEEN = """() => [...document.querySelectorAll('.grid-row')]
  .filter((row) => row.querySelector('.grid-acts')?.checkVisibility({visibilityProperty: true}))
  .map((row) => Number(row.dataset.table))"""
"""Script: the rows in which what is rare can be seen."""


def test_rare_acts_are_seen_in_the_row_in_use_alone(grid: Page) -> None:
    assert grid.evaluate(ACTS_SEEN) == [1]

    keys(grid, "ArrowDown")
    assert grid.evaluate(ACTS_SEEN) == [2]

    row(grid, 5).hover()
    assert grid.evaluate(ACTS_SEEN) == [2, 5]


@pytest.mark.parametrize(("width", "height", "tallest"), [(683, 384, 52), (360, 740, 112)])
def test_small_screens_have_open_tables_first_and_entered_ones_as_lines(
    page: Page, live_server: Any, round: Round, width: int, height: int, tallest: int
) -> None:
    for table in (1, 3):
        factories.result(round, table, 412, 389)
    page.set_viewport_size({"width": width, "height": height})
    grid = opened(page, live_server, round)

    rows = grid.evaluate(ROWS)

    assert [each["table"] for each in rows] == [2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 3]
    assert max(each["height"] for each in rows[1:-2]) <= tallest
    assert max(each["height"] for each in rows[-2:]) <= 52
    assert grid.evaluate(ACTS_SEEN) == [2]
    assert grid.evaluate(OVERFLOW) == 0
    if width == 683:
        tops = "row => [...row.querySelectorAll('input.score')].map((field) => field.getBoundingClientRect().top)"
        assert len(set(row(grid, 2).evaluate(tops))) == 1


@pytest.mark.parametrize("width", [683, 360])
def test_line_of_an_entered_table_leads_to_its_page_wherever_it_is_hit(
    page: Page, live_server: Any, round: Round, width: int
) -> None:
    """The row in use loses its second line as soon as another gets the focus: the line moved away under the finger."""
    factories.result(round, 1, 412, 389)
    page.set_viewport_size({"width": width, "height": 740})
    grid = opened(page, live_server, round)

    box = row(grid, 1).bounding_box()
    assert box is not None
    row(grid, 1).scroll_into_view_if_needed()
    row(grid, 1).click(position={"x": box["width"] / 3, "y": box["height"] / 2})

    grid.get_by_role("heading", name="Table 1").wait_for()


def still(page: Page, table: int) -> int:
    """How far from the top a row stands, once nothing moves any more."""
    before, now = -2, -1
    while before != now:
        page.wait_for_timeout(120)
        before, now = now, row(page, table).evaluate("(row) => Math.round(row.getBoundingClientRect().top)")
    return now


def test_row_that_is_typed_in_stays_where_it_is_when_the_one_above_is_saved(
    page: Page, live_server: Any, round: Round
) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    grid = opened(page, live_server, round)
    keys(grid, "/", "5", "Enter")
    grid.evaluate("document.querySelector('.grid-row[data-table=\"5\"]').scrollIntoView()")

    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    grid.route(grid.url + "**", hold)
    keys(grid, "412", "Tab", "389", "Enter")
    row(grid, 6).locator("input.score:focus").wait_for()
    before = still(grid, 6)
    for route in held:
        route.continue_()
    row(grid, 5).get_by_role("link", name="Correct table 5").wait_for()

    assert len(held) == 1
    assert abs(still(grid, 6) - before) <= 1


def test_list_of_those_who_play_loses_what_anybody_enters(grid: Page, round: Round) -> None:
    factories.result(round, 7, 412, 389)
    assert grid.locator("#grid-playing li").count() == 12

    keys(grid, "412", "Tab", "389", "Enter")
    settled(grid)

    listed = [" ".join(item.split()) for item in grid.locator("#grid-playing li").all_inner_texts()]
    open_games = Pairing.objects.filter(round=round).with_players().exclude(table__in=[1, 7]).by_table()
    assert listed == [f"{game.table} {game.first.name} – {game.second.name}" for game in open_games]
    grid.locator("#grid-playing a").last.click()
    assert grid.evaluate("document.activeElement.closest('.grid-row').dataset.table") == "12"


def test_tab_out_of_a_typed_row_saves_it(grid: Page) -> None:
    keys(grid, "412", "Tab", "389", "Tab", "Tab", "Tab", "Tab")
    row(grid, 1).get_by_role("link", name="Correct table 1").wait_for()

    result = Result.objects.get()
    assert (result.first_points, result.second_points) == (412, 389)
    assert grid.evaluate("document.activeElement.closest('.grid-row').dataset.table") == "2"


def test_tab_out_of_a_half_typed_row_says_that_it_is_not_saved(grid: Page) -> None:
    keys(grid, "412", "Tab", "Tab", "Tab", "Tab", "Tab")

    assert row(grid, 1).get_by_text("not saved", exact=True).is_visible()
    assert grid.locator("#said").inner_text() == "Table 1 is not saved."
    assert not Result.objects.exists()


def test_tab_does_not_answer_the_question_about_an_odd_figure(grid: Page) -> None:
    keys(grid, "412", "Tab", "1389", "Enter")
    row(grid, 1).get_by_text("1389 is unusually high").wait_for()

    keys(grid, "Tab", "Tab", "Tab", "Tab")

    assert row(grid, 1).get_by_text("not saved", exact=True).is_visible()
    assert not Result.objects.exists()


def test_draft_that_is_restored_is_selected(grid: Page) -> None:
    grid.on("dialog", lambda dialog: dialog.accept())
    keys(grid, "ArrowDown", "ArrowDown", "412")
    grid.reload()
    grid.locator(".grid-row[data-table='3'] input:focus").wait_for()

    assert grid.evaluate("document.getSelection().toString() || document.activeElement.value") == "412"
    assert grid.evaluate("[document.activeElement.selectionStart, document.activeElement.selectionEnd]") == [0, 3]
    keys(grid, "401")
    assert row(grid, 3).locator("input.score").first.input_value() == "401"


def test_chips_of_open_games_count_down_without_a_reload(page: Page, live_server: Any) -> None:
    division = factories.event(players=6)
    factories.played(division)
    grid = opened(page, live_server, factories.published(division))
    assert "3 open" in grid.locator("#grid-missing").inner_text()

    keys(grid, "412", "Tab", "389", "Enter")
    settled(grid)

    grid.locator("#grid-missing").get_by_text("2 open").wait_for()


def test_complete_round_leads_to_the_next_step_with_the_cursor_there(page: Page, live_server: Any) -> None:
    grid = opened(page, live_server, factories.published(factories.event(players=4)))
    assert grid.locator("[data-next]").count() == 0

    for first in ("412", "413"):
        keys(grid, first, "Tab", "389", "Enter")
        settled(grid)
    grid.locator("[data-next]:focus").wait_for()

    assert grid.locator("[data-next]").inner_text() == "Pair round 2"
    keys(grid, "Enter")
    grid.get_by_role("heading", name="Pair round 2").wait_for()


@pytest.mark.parametrize("by", ["keys", "clicks"])
def test_round_change_takes_three_keys_or_three_clicks(page: Page, live_server: Any, by: str) -> None:
    """From the last result of a round to the cursor in the first row of the next."""
    page.add_init_script(COUNT_ACTS)
    opened(page, live_server, factories.played(factories.event(players=6)))
    for heading, act in (("Results, round 1", 1), ("Pair round 2", 2), ("Round 2", 3)):
        page.get_by_role("heading", name=heading, exact=True).wait_for()
        focused = page.locator(".btn-primary:focus")
        focused.wait_for()
        if by == "keys":
            keys(page, "Enter")
        else:
            focused.click()
        page.wait_for_function(f"() => sessionStorage.acts === '{act}'")
    page.get_by_role("heading", name="Results, round 2", exact=True).wait_for()
    page.locator("input.score:focus").wait_for()

    assert page.evaluate("sessionStorage.acts") == "3"
    assert Round.objects.get(number=2).state == Round.State.PUBLISHED


def test_round_change_takes_three_keys_after_a_no_show_and_a_late_entry(page: Page, live_server: Any) -> None:
    """Whoever did not play is asked about in the draft's row, which stands in nobody's way."""
    division = factories.event(players=6)
    Entry.objects.filter(division=division).update(present=True)
    round = factories.published(division)
    for table in (1, 3):
        factories.result(round, table, 400, 380)
    factories.result(round, 2, None, None, Outcome.SECOND_FORFEITS)
    entries = str(live_server.url) + reverse("director:entries", args=["herbst-cup"])
    sign_in(page.context, entries)
    page.goto(entries)
    page.locator(".enter [name=name]:focus").wait_for()
    keys(page, "Neu, Nina", "Enter")
    page.get_by_text("✓ entered").wait_for()
    page.add_init_script(COUNT_ACTS)
    opened(page, live_server, round)

    page.locator(".btn-primary:focus").wait_for()
    keys(page, "Enter")
    page.get_by_role("heading", name="Pair round 2").wait_for()
    page.locator(".btn-primary:focus").wait_for()
    assert page.locator(".draft-doubt").inner_text().count("did not play round 1. Do they play round 2?") == 1
    keys(page, "Enter")
    page.get_by_role("heading", name="Round 2", exact=True).wait_for()
    page.locator(".btn-primary:focus").wait_for()
    keys(page, "Enter")
    page.locator("input.score:focus").wait_for()

    assert page.evaluate("sessionStorage.acts") == "3"
    assert Seat.objects.filter(round__number=2, entry__player__name="Neu, Nina").exists()


def test_answer_in_the_drafts_row_draws_it_for_those_who_play(page: Page, live_server: Any) -> None:
    division = factories.event(players=7)
    round = factories.published(division)
    for table in (1, 3):
        factories.result(round, table, 400, 380)
    factories.result(round, 2, None, None, Outcome.SECOND_FORFEITS)
    opened(page, live_server, round)
    keys(page, "Enter")
    question = page.locator("tr:has(.pick) + .draft-asked")
    question.wait_for()
    assert faults(page) == []

    question.get_by_role("button", name="Is missing").click()

    page.locator(".draft-doubt").wait_for(state="detached")
    assert page.get_by_text("absent").first.is_visible()
    keys(page, "Enter")
    page.get_by_role("heading", name="Round 2", exact=True).wait_for()
    assert Seat.objects.filter(round__number=2).exclude(pairing__kind=Pairing.Kind.ABSENT).count() == 6


def test_complete_round_that_is_opened_begins_at_the_next_step(page: Page, live_server: Any) -> None:
    grid = opened(page, live_server, factories.played(factories.event(players=4)))

    assert grid.evaluate("document.activeElement.hasAttribute('data-next')")


def test_button_that_says_look_never_saves(page: Page, live_server: Any, round: Round) -> None:
    factories.result(round, 1, 412, 389)
    table = Pairing.objects.get(round=round, table=1)
    at = str(live_server.url) + reverse("games:result", args=["herbst-cup", table.pk])
    sign_in(page.context, at)
    page.goto(at)
    page.on("dialog", lambda dialog: dialog.accept())
    points = page.locator("[name=first_points]")
    points.fill("401")
    page.get_by_text("wins by 12").wait_for()
    page.get_by_role("button", name="See what it changes").click()
    page.get_by_role("button", name="Save correction").wait_for()

    for typed, lead in (("402", "13"), ("401", "12")):
        points.fill(typed)
        page.get_by_role("button", name="See what it changes").wait_for()
        page.get_by_text(f"wins by {lead}").wait_for()
    page.get_by_role("button", name="See what it changes").click()
    page.get_by_role("button", name="Save correction").wait_for()

    assert Result.objects.get(official=True).first_points == 412
    page.goto("about:blank")


def knockout_round(division: Division, stage: int, game: int) -> Round:
    found = Round.objects.select_related("division__tournament", "division__knockout")
    return found.get(division=division, stage=stage, game=game)


def test_open_game_of_a_match_that_is_decided_is_not_still_playing(page: Page, live_server: Any) -> None:
    division = factories.knockout(factories.event(players=4), 2, form="double")
    factories.knockout_game(division, (1, 1, 2), None, None, Outcome.FIRST_FORFEITS)

    grid = opened(page, live_server, knockout_round(division, 1, 1))

    assert grid.locator("#grid-playing").is_hidden()
    assert row(grid, 1).get_by_text("is not played any more").is_visible()
    assert "open" not in grid.locator("#grid-knockout-rounds").inner_text()
    assert Pairing.objects.filter(round__stage=1, results=None).count() == 1


def test_level_final_says_what_it_waits_for(page: Page, live_server: Any) -> None:
    division = factories.knockout(factories.event(players=4), 2)
    factories.knockout_game(division, (1, 1, 1), 400, 400)

    grid = opened(page, live_server, knockout_round(division, 1, 1))

    assert row(grid, 1).get_by_text("level:").is_visible()
    assert "Final" in grid.locator("#grid-next").inner_text()


def test_match_for_third_place_is_named(page: Page, live_server: Any) -> None:
    division = factories.knockout(factories.event(players=4), 4, third_place=True)
    for position in (1, 2):
        factories.knockout_game(division, (1, position, 1), 420, 380)

    grid = opened(page, live_server, knockout_round(division, 2, 1))

    assert [row(grid, table).locator("th .cell-note").inner_text() for table in (1, 2)] == [
        "Final",
        "Match for third place",
    ]


def test_score_and_all_lines_of_a_game_are_seen_at_once(page: Page, live_server: Any) -> None:
    division = factories.event(players=23)
    factories.played(division)
    round = factories.published(division)
    factories.result(round, 2, 431, 402)
    table = Pairing.objects.get(round=round, table=2)
    at = str(live_server.url) + reverse("games:result", args=["herbst-cup", table.pk])
    sign_in(page.context, at)
    page.goto(at)
    score = (".score-name @ 2", ".score-points @ 2", ".score-said b", "#preview .btn-primary")

    found = parts_out_of_sight(page, 1366, 768, *score, ".fold > summary @ 6", "a.fold")
    found += parts_out_of_sight(page, 360, 680, *score)

    assert found == []


def test_pages_fit_the_screen_without_faults(page: Page, live_server: Any, round: Round) -> None:
    page.on("dialog", lambda dialog: dialog.accept())
    opened(page, live_server, round)
    keys(page, "412", "Tab", "ArrowDown")
    found = faults(page)
    table = Pairing.objects.get(round=round, table=1)
    page.goto(str(live_server.url) + reverse("games:result", args=["herbst-cup", table.pk]))
    page.locator("summary", has_text="Time and penalties").click()
    page.get_by_label("Overtime (min:s)").first.fill("1:12")
    page.locator("[name=first_points]").fill("412")
    page.locator("[name=second_points]").fill("398")
    page.get_by_role("button", name="392 : 398 before time and penalties").wait_for()
    found += faults(page)

    assert found == []


SELECTED = """() => {
  const {value, selectionStart, selectionEnd} = document.activeElement;
  return value.slice(selectionStart, selectionEnd);
}"""
"""Script: what is selected of the field that has the focus."""


def test_typed_nought_is_corrected_by_keyboard_alone(grid: Page, round: Round) -> None:
    """`0` stood in the field with the cursor behind it or before it, and `412` made 4120 of it."""
    keys(grid, "0", "Enter", "401", "Enter")
    row(grid, 1).get_by_text("0 is unusually low").wait_for()
    keys(grid, "Enter")
    row(grid, 1).get_by_role("link", name="Correct table 1").wait_for()

    keys(grid, "/", "1", "Enter", "Enter")
    grid.wait_for_url("**/result/**")
    grid.locator("[name=first_points]:focus").wait_for()
    assert grid.evaluate(SELECTED) == "0"
    keys(grid, "412")

    assert grid.locator("[name=first_points]").input_value() == "412"


def test_click_into_a_figure_puts_the_cursor_there(grid: Page, live_server: Any, round: Round) -> None:
    table = Pairing.objects.with_players().get(round=round, table=1)
    factories.result(table.round, 1, 412, 389)
    grid.goto(live_server.url + reverse("games:result", args=[round.division.tournament.slug, table.pk]))

    grid.locator("[name=second_points]").click()

    assert grid.evaluate(SELECTED) == ""
