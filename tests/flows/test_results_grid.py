"""The results grid in a browser: by keyboard alone, through every mishap, and without JavaScript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.sessions.models import Session
from django.template.loader import render_to_string
from django.urls import reverse

from scoring.awards import AwardReason, Outcome
from tests import factories
from tests.browsers import faults, keys, read_english, sign_in
from tests.games import steps
from tests.games.conftest import browser as signed_in
from tournament.access.codes import make_access_code, revoke_access_code
from tournament.models import Pairing, Result, Role, Round

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


HOLD_THE_FIRST_ANSWER = """() => {
  const fetched = window.fetch;
  let first = true;
  window.fetch = async (...asked) => {
    const held = first;
    first = false;
    const answer = await fetched(...asked);
    if (held) await new Promise((go) => { window.letGo = go; document.body.dataset.held = ""; });
    return answer;
  };
}"""


NEXT_ATTEMPT = 8000
"""Milliseconds of the page's clock in which what was not answered is sent once more, whatever attempts there were."""


@pytest.fixture
def round() -> Round:
    """Twelve tables, published."""
    return factories.published(factories.event(players=24))


@pytest.fixture
def tables(round: Round) -> list[Pairing]:
    found = Pairing.objects.filter(round=round).select_related("round__division__tournament")
    return list(found.with_players().by_table())


@pytest.fixture
def address(live_server: Any, round: Round) -> str:
    return str(live_server.url) + reverse("games:grid", args=[round.division.tournament.slug, round.number])


@pytest.fixture
def grid(page: Page, address: str) -> Page:
    """The grid, open in Doris's browser."""
    sign_in(page.context, address)
    page.goto(address)
    placed(page)
    return page


def cursor(page: Page) -> str:
    """Where the cursor stands: table and side, or the element's text."""
    return str(
        page.evaluate(
            """() => {
              const now = document.activeElement, row = now.closest(".grid-row");
              return row ? `${row.dataset.table} ${now.dataset.side || now.className}` : now.id;
            }"""
        )
    )


def placed(page: Page) -> None:
    """Wait until the cursor stands where the page wants it: a browser may show a page's text earlier."""
    page.locator("[autofocus]:focus").wait_for()


def settled(page: Page) -> None:
    """Wait until no row is on its way any more."""
    page.wait_for_function("() => !document.querySelector('[data-sending]')")


def row(page: Page, table: int) -> Any:
    return page.locator(f".grid-row[data-table='{table}']")


def saved(table: int) -> tuple[int | None, int | None]:
    result = Result.objects.get(pairing__table=table, official=True)
    return result.first_points, result.second_points


def test_twelve_results_by_keyboard_alone(grid: Page, tables: list[Pairing]) -> None:
    for table in range(1, 13):
        assert cursor(grid) == f"{table} first"
        keys(grid, str(400 + table), "Tab", str(380 - table), "Enter")

    grid.get_by_text("All games of round 1 are finished.").wait_for()
    assert [saved(table) for table in range(1, 13)] == [(400 + table, 380 - table) for table in range(1, 13)]
    assert Result.objects.count() == 12
    assert grid.locator("#grid-playing").is_hidden()


def test_enter_alone_is_enough_and_typing_ahead_loses_nothing(grid: Page, tables: list[Pairing]) -> None:
    for table in range(1, 13):
        keys(grid, str(400 + table), "Enter", str(380 - table), "Enter")

    grid.get_by_text("12 of 12 results are in").wait_for()
    assert [saved(table) for table in range(1, 13)] == [(400 + table, 380 - table) for table in range(1, 13)]


def test_answer_that_is_overtaken_does_not_turn_the_count_back(grid: Page, tables: list[Pairing]) -> None:
    grid.evaluate(HOLD_THE_FIRST_ANSWER)
    keys(grid, "401", "Tab", "380", "Enter")
    grid.wait_for_selector("body[data-held]")
    keys(grid, "402", "Tab", "381", "Enter")
    grid.get_by_text("2 of 12 results are in").wait_for()

    grid.evaluate("() => window.letGo()")
    row(grid, 1).locator("input.score").first.wait_for(state="detached")
    assert grid.get_by_text("2 of 12 results are in").is_visible()


def test_winner_and_spread_are_shown_while_typing(grid: Page, tables: list[Pairing]) -> None:
    keys(grid, "389", "Tab", "412")

    assert row(grid, 1).locator("[data-spread]").inner_text() == "−23"
    assert row(grid, 1).locator(".winner").inner_text() == tables[0].second.name
    assert not Result.objects.exists()


def test_table_number_jumps(grid: Page) -> None:
    keys(grid, "/", "7", "Enter")
    assert cursor(grid) == "7 first"

    keys(grid, "401", "Tab", "399", "Enter")
    settled(grid)
    assert saved(7) == (401, 399)
    assert cursor(grid) == "8 first"

    keys(grid, "t", "99", "Enter")
    assert grid.get_by_text("There is no table 99 in this round.").first.is_visible()
    assert cursor(grid) == "jump"


def test_slash_beside_the_table_number_is_no_part_of_it(grid: Page) -> None:
    keys(grid, "/", "/", "7", "Enter")

    assert cursor(grid) == "7 first"


def test_arrows_walk_and_escape_discards(grid: Page, round: Round) -> None:
    factories.result(round, 2, 420, 380)
    grid.reload()
    placed(grid)

    keys(grid, "ArrowDown")
    assert cursor(grid) == "2 grid-correct"
    keys(grid, "ArrowDown", "Tab")
    assert cursor(grid) == "3 second"
    keys(grid, "ArrowDown")
    assert cursor(grid) == "4 second"
    keys(grid, "433", "Escape")
    assert cursor(grid) == "4 first"
    assert row(grid, 4).locator("input.score").last.input_value() == ""
    keys(grid, "Escape")
    assert cursor(grid) == "jump"
    keys(grid, "ArrowDown")
    assert cursor(grid) == "1 first"
    assert Result.objects.count() == 1


def test_fault_keeps_what_was_typed_here_and_elsewhere(grid: Page) -> None:
    keys(grid, "ArrowDown", "ArrowDown", "401")
    keys(grid, "ArrowUp", "4l2", "Tab", "388", "Enter")
    settled(grid)

    assert cursor(grid) == "2 first"
    assert row(grid, 2).get_by_text("“4l2” is not valid: enter a whole number from −999 to 9999.").is_visible()
    values = [field.input_value() for field in grid.locator("input.score[data-side]").all()]
    assert values[:6] == ["", "", "4l2", "388", "401", ""]

    keys(grid, "412", "Enter")
    assert cursor(grid) == "2 second"
    keys(grid, "Enter")
    settled(grid)
    assert saved(2) == (412, 388)
    assert row(grid, 3).locator("input.score").first.input_value() == "401"


def test_odd_figure_asks_once(grid: Page) -> None:
    keys(grid, "412", "Tab", "1389", "Enter")
    settled(grid)

    assert row(grid, 1).get_by_text("1389 is unusually high (200 to 600 is usual).").is_visible()
    assert cursor(grid) == "1 second"
    assert not Result.objects.exists()

    keys(grid, "Enter")
    settled(grid)
    assert saved(1) == (412, 1389)
    assert cursor(grid) == "2 first"


def test_odd_figure_corrected_is_saved_at_once(grid: Page) -> None:
    keys(grid, "412", "Tab", "1389", "Enter")
    settled(grid)
    keys(grid, "389", "Enter")
    settled(grid)

    assert saved(1) == (412, 389)


def test_somebody_faster_shows_both_and_one_can_keep(grid: Page, round: Round) -> None:
    factories.result(round, 1, 412, 389)
    keys(grid, "421", "Tab", "389", "Enter")
    settled(grid)

    assert (
        row(grid, 1)
        .get_by_text("In the meantime doris has entered 412 : 389 for this table. You typed 421 : 389.")
        .is_visible()
    )
    row(grid, 1).get_by_role("button", name="Keep what is entered").click()
    settled(grid)
    row(grid, 1).get_by_role("link", name="Correct table 1").wait_for()
    assert saved(1) == (412, 389)


def test_somebody_faster_can_be_compared_and_overruled(grid: Page, round: Round) -> None:
    factories.result(round, 1, 412, 389)
    keys(grid, "421", "Tab", "389", "Enter")
    settled(grid)

    row(grid, 1).get_by_role("button", name="Compare and decide").click()
    grid.get_by_text("Official now: Final score").wait_for()
    placed(grid)
    assert grid.locator("[name=first_points]").input_value() == "421"
    keys(grid, "Enter")
    grid.get_by_text("What this changes").wait_for()
    assert saved(1) == (412, 389)
    placed(grid)
    keys(grid, "Enter")
    row(grid, 1).get_by_role("link", name="Correct table 1").wait_for()
    assert saved(1) == (421, 389)


def test_reload_keeps_what_was_typed(grid: Page) -> None:
    grid.on("dialog", lambda dialog: dialog.accept())
    keys(grid, "412", "Tab", "389", "ArrowDown", "377")

    grid.reload()

    assert [field.input_value() for field in grid.locator("input.score[data-side]").all()][:4] == [
        "412",
        "389",
        "",
        "377",
    ]
    assert not Result.objects.exists()


def test_first_score_typed_anew_leads_to_the_second(grid: Page) -> None:
    keys(grid, "41", "Enter", "389", "ArrowUp", "/", "1", "Enter")
    keys(grid, "412", "Enter", "398", "Enter")
    settled(grid)

    assert saved(1) == (412, 398)
    assert cursor(grid) == "2 first"


def test_lost_network_keeps_the_cursor_in_the_row_and_enter_tries_again(grid: Page, address: str) -> None:
    grid.route(address + "**", lambda route: route.abort())
    keys(grid, "412", "Tab", "389", "Enter")
    row(grid, 1).get_by_text("the program does not answer").wait_for()
    assert cursor(grid) == "1 second"

    grid.unroute(address + "**")
    keys(grid, "Enter")
    settled(grid)

    assert saved(1) == (412, 389)


def test_rows_without_an_answer_are_tried_again_by_themselves(grid: Page, address: str) -> None:
    grid.clock.install()
    grid.route(address + "**", lambda route: route.abort())
    keys(grid, "412", "Tab", "389", "Enter")
    row(grid, 1).get_by_text("the program does not answer").wait_for()
    keys(grid, "/", "2", "Enter", "413", "Tab", "390", "Enter")
    row(grid, 2).get_by_text("the program does not answer").wait_for()
    keys(grid, "/", "3", "Enter", "4")

    grid.unroute(address + "**")
    grid.clock.run_for(NEXT_ATTEMPT)
    for table in (1, 2):
        row(grid, table).get_by_role("link", name=f"Correct table {table}").wait_for()

    assert [saved(1), saved(2)] == [(412, 389), (413, 390)]
    assert cursor(grid) == "3 first"


def test_row_that_waits_is_not_sent_while_it_is_typed_anew(grid: Page, address: str) -> None:
    grid.clock.install()
    posts = []
    grid.on("request", lambda request: posts.append(request) if request.method == "POST" else None)
    grid.route(address + "**", lambda route: route.abort())
    keys(grid, "412", "Tab", "389", "Enter")
    note = row(grid, 1).get_by_text("the program does not answer")
    note.wait_for()

    keys(grid, "3")

    assert note.count() == 0
    grid.unroute(address + "**")
    grid.clock.run_for(NEXT_ATTEMPT)
    grid.wait_for_timeout(100)
    assert len(posts) == 1
    assert not Result.objects.exists()
    grid.on("dialog", lambda dialog: dialog.accept())


@pytest.mark.parametrize(
    ("button", "outcome"), [(0, Outcome.FIRST_FORFEITS), (1, Outcome.SECOND_FORFEITS), (2, Outcome.BOTH_FORFEIT)]
)
def test_who_did_not_show_takes_two_clicks(grid: Page, button: int, outcome: Outcome) -> None:
    row(grid, 4).hover()
    row(grid, 4).locator(".grid-absent summary").click()
    row(grid, 4).locator("[name=absent]").nth(button).click()
    row(grid, 4).get_by_role("link", name="Correct table 4").wait_for()

    result = Result.objects.get()
    assert (result.pairing.table, result.outcome, result.reason) == (4, outcome, AwardReason.NO_SHOW)


def test_who_did_not_show_is_sent_again_by_itself(grid: Page, address: str) -> None:
    grid.clock.install()
    grid.route(address + "**", lambda route: route.abort())
    row(grid, 4).hover()
    row(grid, 4).locator(".grid-absent summary").click()
    row(grid, 4).locator("[name=absent]").first.click()
    row(grid, 4).get_by_text("the program does not answer").wait_for()

    grid.unroute(address + "**")
    grid.clock.run_for(NEXT_ATTEMPT)
    row(grid, 4).get_by_role("link", name="Correct table 4").wait_for()

    assert Result.objects.get().outcome == Outcome.FIRST_FORFEITS


def test_helper_whose_code_was_taken_back_reads_that(page: Page, live_server: Any, round: Round, address: str) -> None:
    code, text = make_access_code(round.division.tournament, role=Role.HELPER, name="Eva", actor=factories.director())
    read_english(page.context, address)
    page.goto(f"{live_server.url}/code/{text}/")
    page.locator("main [type=submit]").click()
    page.wait_for_url("**/director/**")
    page.goto(address)
    placed(page)
    page.clock.install()
    revoke_access_code(code, actor=factories.director())
    posts = []
    page.on("request", lambda request: posts.append(request) if request.method == "POST" else None)

    keys(page, "412", "Tab", "389", "Enter")
    row(page, 1).get_by_text("The code is no longer valid: it was taken back").wait_for()
    page.clock.run_for(NEXT_ATTEMPT)
    page.wait_for_timeout(100)

    assert cursor(page) == "1 second"
    assert len(posts) == 1
    page.on("dialog", lambda dialog: dialog.accept())


def test_full_disk_is_told_in_the_row(grid: Page, address: str) -> None:
    page = render_to_string("507.html")
    grid.route(address + "**", lambda route: route.fulfill(status=507, body=page, content_type="text/html"))
    keys(grid, "412", "Tab", "389", "Enter")
    row(grid, 1).get_by_text("darf nicht beschrieben werden").wait_for()

    grid.unroute(address + "**")
    keys(grid, "Enter")
    settled(grid)

    assert saved(1) == (412, 389)


def test_answer_of_another_server_is_none(grid: Page, address: str) -> None:
    """As a hotel's network gives one, with its own page, until somebody has agreed to its terms."""
    grid.route(
        address + "**", lambda route: route.fulfill(body="<h1 id='said'>Welcome!</h1>", content_type="text/html")
    )
    keys(grid, "412", "Tab", "389", "Enter")
    row(grid, 1).get_by_text("the program does not answer").wait_for()

    grid.unroute(address + "**")
    keys(grid, "Enter")
    settled(grid)

    assert saved(1) == (412, 389)


def test_lost_session_keeps_the_row_until_signed_in_again(grid: Page, address: str) -> None:
    Session.objects.all().delete()
    keys(grid, "412", "Tab", "389", "Enter")
    row(grid, 1).get_by_text("you are signed out").wait_for()
    assert row(grid, 1).locator("input.score").first.input_value() == "412"
    assert cursor(grid) == "1 second"

    with grid.context.expect_page() as opened:
        row(grid, 1).get_by_role("link", name="Sign in").click()
    opened.value.get_by_role("heading", name="Sign in").wait_for()
    sign_in(grid.context, address)
    row(grid, 1).get_by_role("link", name="Correct table 1").wait_for()
    assert saved(1) == (412, 389)


def test_overtime_gives_the_penalty_at_once(grid: Page, tables: list[Pairing]) -> None:
    keys(grid, "412", "Tab", "398", "Tab", "Enter")
    grid.get_by_role("heading", name="Table 1").wait_for()

    grid.get_by_label("Overtime (min:s)").first.fill("1:12")
    grid.get_by_text(f"{tables[0].first.name}: 1:12 over, 20 points off (TSO 5.2 b).").wait_for()
    grid.get_by_role("button", name="392 : 398 before time and penalties").wait_for()
    grid.get_by_role("button", name="412 : 398 after time and penalties").wait_for()
    grid.get_by_label("Overtime (min:s)").first.fill("6:00")
    grid.get_by_text("The game is lost (TSO 5.2 c, TSO 5.3 c).").wait_for()
    assert not Result.objects.exists()


@pytest.mark.parametrize(("step", "points"), [((), 392), (("Tab",), 412)])
def test_question_about_the_slip_is_two_buttons_and_enter_is_enough(
    grid: Page, step: tuple[str, ...], points: int
) -> None:
    keys(grid, "412", "Tab", "398", "Tab", "Enter")
    grid.get_by_role("heading", name="Table 1").wait_for()
    grid.get_by_label("Overtime (min:s)").first.fill("1:12")
    keys(grid, "Enter")
    grid.locator(".figure-two button:focus").wait_for()
    assert not Result.objects.exists()

    keys(grid, *step, "Enter")
    row(grid, 1).get_by_role("link", name="Correct table 1").wait_for()

    assert saved(1) == (points, 398)
    keys(grid, "/", "1", "Enter", "Enter")
    grid.locator('.figure-two button[aria-pressed="true"]').wait_for()
    assert grid.locator('.figure-two button[aria-pressed="true"]').get_attribute("value") == "gross"


def test_click_on_an_answer_is_not_lost_while_the_page_looks_at_what_was_typed(grid: Page) -> None:
    """Leaving the field has the page look once more; the buttons that came back were others, and the click hit none."""
    keys(grid, "412", "Tab", "398", "Tab", "Enter")
    grid.get_by_role("heading", name="Table 1").wait_for()
    grid.get_by_label("Overtime (min:s)").first.type("1:12")
    net = grid.get_by_role("button", name="412 : 398 after time and penalties")
    net.hover()
    grid.mouse.down()
    grid.wait_for_timeout(500)
    grid.mouse.up()
    row(grid, 1).get_by_role("link", name="Correct table 1").wait_for()

    assert saved(1) == (412, 398)


def test_correction_by_keyboard(grid: Page, round: Round) -> None:
    factories.result(round, 1, 412, 389)
    grid.reload()
    placed(grid)

    keys(grid, "/", "1", "Enter")
    assert cursor(grid) == "1 grid-correct"
    keys(grid, "Enter")
    grid.get_by_role("heading", name="Table 1").wait_for()
    placed(grid)
    keys(grid, "Tab")
    grid.locator("[name=second_points]").press("ControlOrMeta+a")
    keys(grid, "398", "Enter")
    grid.get_by_role("button", name="Save correction").wait_for()
    placed(grid)
    keys(grid, "Enter")
    row(grid, 1).get_by_role("link", name="Correct table 1").wait_for()

    assert saved(1) == (412, 398)
    assert Result.objects.count() == 2


def test_award_on_the_tables_own_page(grid: Page, tables: list[Pairing], address: str) -> None:
    row(grid, 4).hover()
    row(grid, 4).get_by_role("button", name="Time, penalty, award … table 4").click()
    grid.locator("summary", has_text="Not played to the end").click()
    grid.get_by_label(f"{tables[3].second.name} loses by award").check()
    grid.get_by_label("Reason for the award").select_option("no_show")
    grid.get_by_role("button", name="Save").click()
    grid.get_by_role("button", name="Save award").wait_for()
    assert not Result.objects.exists()
    placed(grid)
    keys(grid, "Enter")
    row(grid, 4).get_by_role("link", name="Correct table 4").wait_for()

    result = Result.objects.get()
    assert (result.outcome, result.reason) == (Outcome.SECOND_FORFEITS, AwardReason.NO_SHOW)


@pytest.fixture
def plain(new_context: Any, live_server: Any, address: str) -> Any:
    """The grid in a browser without JavaScript."""
    context = new_context(java_script_enabled=False)
    sign_in(context, address)
    page = context.new_page()
    page.goto(address)
    placed(page)
    yield page
    page.goto("about:blank")


def test_without_javascript_enter_saves_and_goes_on(plain: Page) -> None:
    for table in (1, 2):
        keys(plain, str(400 + table), "Tab", str(380 - table), "Enter")
        plain.get_by_text(f"{table} of 12 results are in").wait_for()
        placed(plain)
    plain.keyboard.type("433")
    plain.keyboard.press("Enter")
    plain.get_by_text("are missing").wait_for()

    assert [saved(1), saved(2)] == [(401, 379), (402, 378)]
    assert row(plain, 3).locator("input.score").first.input_value() == "433"


def test_without_javascript_odd_figures_ask_once(plain: Page) -> None:
    keys(plain, "412", "Tab", "1389", "Enter")
    plain.get_by_text("1389 is unusually high").wait_for()
    assert not Result.objects.exists()
    placed(plain)

    keys(plain, "Enter")
    plain.get_by_text("1 of 12 results are in").wait_for()
    assert saved(1) == (412, 1389)


def test_without_javascript_a_table_number_jumps(plain: Page) -> None:
    plain.get_by_label("Table", exact=True).fill("9")
    keys(plain, "Enter")
    plain.wait_for_url("**table=9")
    placed(plain)
    keys(plain, "405", "Tab", "395", "Enter")
    plain.get_by_text("1 of 12 results are in").wait_for()

    assert saved(9) == (405, 395)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone_shows_cards_that_fit(
    new_context: Any, live_server: Any, address: str, round: Round, scheme: str
) -> None:
    factories.result(round, 1, 412, 389)
    context = new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    sign_in(context, address)
    page = context.new_page()
    page.goto(address)

    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    field = row(page, 2).locator("input.score").first
    assert field.get_attribute("inputmode") == "numeric"
    box = field.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    field.fill("401")
    row(page, 2).locator("input.score").last.fill("399")
    row(page, 2).get_by_role("button", name="Save table 2").click()
    row(page, 2).get_by_role("link", name="Correct table 2").wait_for()
    assert saved(2) == (401, 399)
    page.goto("about:blank")


def test_pages_have_no_faults_that_axe_finds(page: Page, live_server: Any, address: str, tables: list[Pairing]) -> None:
    factories.result(tables[0].round, 1, 412, 389)
    doris = signed_in(factories.director().user)
    doris.post(address, steps.page(tables[1], "", ""))
    sign_in(page.context, address)
    page.on("dialog", lambda dialog: dialog.accept())
    slug = tables[0].round.division.tournament.slug
    page.goto(address)
    placed(page)
    keys(page, "4l2", "Tab", "1389", "Enter")
    settled(page)
    found = faults(page)
    for pairing in tables[:2]:
        page.goto(live_server.url + reverse("games:result", args=[slug, pairing.pk]))
        found += faults(page)

    assert found == []
