"""A score sheet in a browser: a whole game by keyboard alone, through every mishap, and without JavaScript."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse

from games.models import Line, Scoresheet
from games.sheets.lines import WrittenLine
from games.sheets.operations import open_sheet, write_line
from games.sheets.sheet_page import SheetPage as Sheet
from games.sheets.sheet_page import get_scoresheet
from tests import factories
from tests.browsers import faults, keys, sign_in
from tests.games.sheets.games import FINAL, TYPED
from tournament.models import Pairing, Tournament

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table() -> Pairing:
    """Table 1 of a published round: Klara Aumann starts against Jana Dvořák."""
    round = factories.published(factories.event(players=4, ruleset="tso-2017"))
    found = Pairing.objects.filter(round=round, table=1).select_related("round__division__tournament")
    return found.with_players().get()


@pytest.fixture
def tournament(table: Pairing) -> Tournament:
    return table.round.division.tournament


@pytest.fixture
def paper(table: Pairing) -> Scoresheet:
    """Klara's sheet, begun."""
    return open_sheet(table, keeper=Scoresheet.Keeper.FIRST, actor=factories.director())


@pytest.fixture
def address(live_server: Any, paper: Scoresheet, tournament: Tournament) -> str:
    return str(live_server.url) + reverse("games:sheet", args=[tournament.slug, paper.pk])


@pytest.fixture
def sheet_page(page: Page, address: str) -> Page:
    """The sheet, open in Doris's browser."""
    sign_in(page.context, address)
    page.goto(address)
    placed(page)
    return page


def placed(page: Page) -> None:
    page.locator("#id_position:focus").wait_for()


def settled(page: Page) -> None:
    """Wait until nothing is on its way any more."""
    page.locator("#sheet-pending li").first.wait_for(state="detached")


def lines(paper: Scoresheet) -> list[str]:
    """What is stored, line by line: the side and the text."""
    rows = Line.objects.filter(scoresheet=paper).order_by("number")
    return [f"{row.side} {WrittenLine.of(row)}" for row in rows]


def refused(page: Page) -> Any:
    """Why the line in the fields was refused."""
    return page.locator("#entry-faults")


def fields(page: Page) -> tuple[str, str, str]:
    """What stands in position, word and points."""
    position, word, points = (page.locator(f"#id_{name}").input_value() for name in ("position", "word", "points"))
    return position, word, points


def write(paper: Scoresheet, *texts: str) -> None:
    """Somebody else writes plays below the last line: points alone, first and second in turn."""
    for at, text in enumerate(texts):
        line = WrittenLine(side=1 + at % 2, points=int(text))
        write_line(paper, line=line, actor=factories.director("eva"), expected_version=None)


def test_from_the_grid_to_the_sheet(page: Page, live_server: Any, table: Pairing, tournament: Tournament) -> None:
    grid = str(live_server.url) + reverse("games:grid", args=[tournament.slug, 1])
    sign_in(page.context, grid)
    page.goto(grid)

    page.get_by_role("link", name="Score sheet table 1").click()
    page.get_by_role("button", name="Begin Dvořák, Jana").click()
    placed(page)

    assert page.get_by_role("heading", name="Sheet of Dvořák, Jana").is_visible()
    assert Scoresheet.objects.get().keeper == "second"


def test_whole_game_by_keyboard_alone(sheet_page: Page, paper: Scoresheet, tournament: Tournament) -> None:
    for line in TYPED:
        keys(sheet_page, *re.split("( )", line), "Enter")
    sheet_page.locator(f"#line-{len(TYPED)}").wait_for()
    settled(sheet_page)

    assert lines(paper) == [f"{1 + at % 2} {line}" for at, line in enumerate(TYPED)]
    counted = Sheet(get_scoresheet(tournament, paper.pk))
    assert counted.count.final == FINAL
    assert counted.problems == ()
    assert sheet_page.get_by_text("The game is over after line 34: Dvořák, Jana has no tiles left.").first.is_visible()

    keys(sheet_page, "Enter")
    sheet_page.locator("#end_first_left:focus").wait_for()
    assert (
        sheet_page.locator("#end_first_left").input_value(),
        sheet_page.locator("#end_second_left").input_value(),
    ) == (
        "ST",
        "0",
    )
    sheet_page.get_by_label("The sheet is complete: the game is over").check()
    keys(sheet_page, "Enter")
    sheet_page.get_by_text("The end of the sheet is saved.").wait_for()
    paper.refresh_from_db()
    assert (paper.first_left, paper.second_left, paper.is_finished) == ("ST", "", True)


def test_tab_and_enter_without_points_are_enough(sheet_page: Page, paper: Scoresheet) -> None:
    keys(sheet_page, "8E", "Enter", "KERN", "Enter")
    keys(sheet_page, "f6", "Tab", "über", "Tab", "23", "Enter")
    sheet_page.locator("#line-2").wait_for()
    settled(sheet_page)

    assert lines(paper) == ["1 8E KERN", "2 F6 ÜBER 23"]
    assert sheet_page.locator("#line-1 td").nth(3).inner_text() == "14"


def test_exchange_pass_and_points_alone_alternate(sheet_page: Page, paper: Scoresheet) -> None:
    for line in ("24", "-ENR", "- 3", "-", "ABER 12", "8E KERN --"):
        keys(sheet_page, *re.split("( )", line), "Enter")
    sheet_page.locator("#line-6").wait_for()
    settled(sheet_page)

    assert lines(paper) == ["1 24", "2 -ENR", "1 -3", "2 -", "1 ABER 12", "2 8E KERN --"]


def test_failed_challenge_and_penalty_keep_the_turn(sheet_page: Page, paper: Scoresheet) -> None:
    keys(sheet_page, "24", "Enter", "!2", "Enter")
    sheet_page.locator("#line-2").wait_for()
    placed(sheet_page)
    keys(sheet_page, "#20 Handy im Spiel", "Enter")
    sheet_page.locator("#line-3").wait_for()
    placed(sheet_page)
    keys(sheet_page, "30", "Enter")
    sheet_page.locator("#line-4").wait_for()
    settled(sheet_page)

    assert lines(paper) == ["1 24", "2 !2", "2 #20 Handy im Spiel", "2 30"]
    assert sheet_page.locator("#line-4 td").last.inner_text() == "−10"


def test_typing_ahead_of_any_line_loses_nothing(sheet_page: Page, paper: Scoresheet) -> None:
    for line in ("8H JO 14", "--", "!1", "K7 BÖ 11", "#10 Uhr", "24", "-3"):
        sheet_page.keyboard.type(line)
        sheet_page.keyboard.press("Enter")
    settled(sheet_page)

    assert lines(paper) == ["1 8H JO 14", "2 --", "1 !1", "1 K7 BÖ 11", "2 #10 Uhr", "2 24", "1 -3"]


def test_plus_switches_the_player(sheet_page: Page, paper: Scoresheet) -> None:
    keys(sheet_page, "+", "24", "Enter")
    sheet_page.locator("#line-1").wait_for()
    settled(sheet_page)

    assert lines(paper) == ["2 24"]


def test_points_are_proposed_and_a_difference_is_told(sheet_page: Page, paper: Scoresheet) -> None:
    keys(sheet_page, "8E", " ", "KERN", " ")
    sheet_page.get_by_text("Worked out: 14").wait_for()
    keys(sheet_page, "24")
    sheet_page.get_by_text("The sheet says 24, worked out 14.").wait_for()
    keys(sheet_page, "Enter")
    sheet_page.locator("#line-1.has-note").wait_for()

    assert (
        sheet_page.locator(".sheet-note").inner_text()
        == "The sheet says 24, worked out 14: KERN 14. (Allgemeine Spielregeln 4 d)"
    )
    assert lines(paper) == ["1 8E KERN 24"]


def test_what_cannot_be_read_is_told_and_kept(sheet_page: Page, paper: Scoresheet) -> None:
    keys(sheet_page, "8E", " ", "K3RN", " ", "14", "Enter")
    refused(sheet_page).get_by_text("“3” in “8E K3RN” is not a letter.").wait_for()

    assert fields(sheet_page) == ("8E", "K3RN", "14")
    assert sheet_page.evaluate("document.activeElement.name") == "word"
    sheet_page.locator("#id_word").select_text()
    keys(sheet_page, "KERN", "Enter")
    sheet_page.locator("#line-1").wait_for()
    assert lines(paper) == ["1 8E KERN 14"]


def test_line_is_changed_inserted_and_deleted_by_keyboard(sheet_page: Page, paper: Scoresheet) -> None:
    for line in ("24", "30", "18"):
        keys(sheet_page, line, "Enter")
    sheet_page.locator("#line-3").wait_for()
    settled(sheet_page)

    keys(sheet_page, "ArrowUp")
    sheet_page.get_by_role("heading", name="Change line 3").wait_for()
    placed(sheet_page)
    keys(sheet_page, "ArrowUp")
    sheet_page.get_by_role("heading", name="Change line 2").wait_for()
    placed(sheet_page)
    keys(sheet_page, "Tab", "Tab", "31", "Enter")
    sheet_page.get_by_role("heading", name="Next line").wait_for()
    assert lines(paper) == ["1 24", "2 31", "1 18"]

    placed(sheet_page)
    keys(sheet_page, "ArrowUp")
    sheet_page.get_by_role("heading", name="Change line 3").wait_for()
    keys(sheet_page, "Insert")
    sheet_page.get_by_role("heading", name="A new line before line 3").wait_for()
    placed(sheet_page)
    keys(sheet_page, "-ENR", "Enter")
    sheet_page.get_by_role("heading", name="Next line").wait_for()
    assert lines(paper) == ["1 24", "2 31", "2 -ENR", "1 18"]

    placed(sheet_page)
    sheet_page.locator("#line-1 a").press("Enter")
    sheet_page.get_by_role("heading", name="Change line 1").wait_for()
    placed(sheet_page)
    sheet_page.keyboard.press("Alt+Delete")
    sheet_page.get_by_text("Line 1 is deleted: 24.").wait_for()
    assert lines(paper) == ["2 31", "2 -ENR", "1 18"]


def test_escape_leaves_a_line_as_it_was(sheet_page: Page, paper: Scoresheet) -> None:
    keys(sheet_page, "24", "Enter")
    sheet_page.locator("#line-1").wait_for()
    settled(sheet_page)
    keys(sheet_page, "ArrowUp")
    sheet_page.get_by_role("heading", name="Change line 1").wait_for()
    placed(sheet_page)
    keys(sheet_page, "99", "Escape")
    sheet_page.get_by_role("heading", name="Next line").wait_for()

    assert lines(paper) == ["1 24"]
    assert fields(sheet_page) == ("", "", "")


def test_enter_twice_writes_one_line(sheet_page: Page, paper: Scoresheet) -> None:
    keys(sheet_page, "24", "Enter", "Enter", "Enter")
    sheet_page.locator("#line-1").wait_for()
    settled(sheet_page)

    assert lines(paper) == ["1 24"]


def test_lost_network_keeps_lines_and_the_half_typed_one(sheet_page: Page, paper: Scoresheet, address: str) -> None:
    sheet_page.route(address + "**", lambda route: route.abort())
    keys(sheet_page, "24", "Enter")
    sheet_page.get_by_text("the program does not answer").first.wait_for()
    keys(sheet_page, "30", "Enter", "1")
    assert lines(paper) == []

    sheet_page.unroute(address + "**")
    keys(sheet_page, "8", "Enter")
    sheet_page.locator("#line-3").wait_for()
    settled(sheet_page)
    assert lines(paper) == ["1 24", "2 30", "1 18"]


def test_reload_keeps_what_was_not_saved(sheet_page: Page, paper: Scoresheet, address: str) -> None:
    sheet_page.on("dialog", lambda dialog: dialog.accept())
    sheet_page.route(
        re.compile(r"/sheet/\d+/$"),
        lambda route: route.abort() if route.request.method == "POST" else route.continue_(),
    )
    keys(sheet_page, "24", "Enter")
    sheet_page.get_by_text("the program does not answer").first.wait_for()
    keys(sheet_page, "8E", " ", "KE")
    sheet_page.unroute_all()

    sheet_page.reload()
    sheet_page.locator("#line-1").wait_for()

    assert lines(paper) == ["1 24"]
    assert fields(sheet_page) == ("8E", "KE", "")


def test_answer_that_was_lost_writes_no_line_twice(sheet_page: Page, paper: Scoresheet, address: str) -> None:
    def swallow(route: Any) -> None:
        route.fetch()
        route.abort()

    sheet_page.route(address, swallow)
    keys(sheet_page, "24", "Enter")
    sheet_page.get_by_text("the program does not answer").first.wait_for()
    sheet_page.unroute(address)
    keys(sheet_page, "Enter")
    sheet_page.locator("#line-1").wait_for()
    settled(sheet_page)

    assert lines(paper) == ["1 24"]


def test_line_that_was_refused_as_a_whole_holds_up_no_other(sheet_page: Page, paper: Scoresheet, address: str) -> None:
    """As after a slip of the hand at the desk: the code of a helper was taken back and given again."""
    refusal = "<main><p data-told>You may not do this.</p></main>"
    sheet_page.route(address, lambda route: route.fulfill(status=403, body=refusal, content_type="text/html"))
    keys(sheet_page, "24", "Enter")
    sheet_page.get_by_text("You may not do this.").first.wait_for()
    sheet_page.unroute(address)
    assert fields(sheet_page) == ("24", "", "")

    sheet_page.locator("[name=position]").fill("26")
    keys(sheet_page, "Enter")
    sheet_page.locator("#line-1").wait_for()
    keys(sheet_page, "30", "Enter")
    sheet_page.locator("#line-2").wait_for()
    settled(sheet_page)

    assert lines(paper) == ["1 26", "2 30"]


def test_answer_of_another_server_is_none(sheet_page: Page, paper: Scoresheet, address: str) -> None:
    """As a hotel's network gives one, with its own page, until somebody has agreed to its terms."""
    sheet_page.route(address, lambda route: route.fulfill(body="<h1 id='said'>Welcome!</h1>", content_type="text/html"))
    keys(sheet_page, "24", "Enter")
    sheet_page.get_by_text("the program does not answer").first.wait_for()

    sheet_page.unroute(address)
    keys(sheet_page, "Enter")
    sheet_page.locator("#line-1").wait_for()
    settled(sheet_page)

    assert lines(paper) == ["1 24"]


def test_lost_session_keeps_the_line_until_signed_in_again(sheet_page: Page, paper: Scoresheet, address: str) -> None:
    Session.objects.all().delete()
    keys(sheet_page, "24", "Enter")
    sheet_page.get_by_text("you are signed out").first.wait_for()

    sign_in(sheet_page.context, address)
    keys(sheet_page, "Enter")
    sheet_page.locator("#line-1").wait_for()
    settled(sheet_page)
    assert lines(paper) == ["1 24"]


def test_somebody_faster_shows_both_and_nothing_is_lost(sheet_page: Page, paper: Scoresheet) -> None:
    write(paper, "33")
    keys(sheet_page, "24", "Enter")
    refused(sheet_page).get_by_text("In the meantime eva has changed this sheet (Aumann, Klara: 33).").wait_for()
    assert sheet_page.locator("#line-1").get_by_text("33").first.is_visible()
    assert fields(sheet_page) == ("24", "", "")
    assert lines(paper) == ["1 33"]

    placed(sheet_page)
    keys(sheet_page, "Enter")
    sheet_page.locator("#line-2").wait_for()
    assert lines(paper) == ["1 33", "1 24"]
    assert sheet_page.get_by_text("Out of turn").first.is_visible()


def test_refused_line_goes_before_those_typed_behind_it(sheet_page: Page, paper: Scoresheet) -> None:
    write(paper, "33")
    held: list[Any] = []
    sheet_page.route(re.compile(r"/sheet/\d+/$"), lambda route: held.append(route) if not held else route.continue_())
    keys(sheet_page, "24", "Enter", "30", "Enter", "1")
    sheet_page.wait_for_timeout(0)
    held[0].continue_()
    refused(sheet_page).get_by_text("In the meantime eva has changed this sheet").wait_for()
    placed(sheet_page)
    keys(sheet_page, "Enter")
    sheet_page.locator("#line-3").wait_for()
    settled(sheet_page)

    assert lines(paper) == ["1 33", "1 24", "2 30"]
    sheet_page.wait_for_function("() => document.getElementById('id_position').value === '1'")


@pytest.fixture
def plain(new_context: Any, live_server: Any, address: str) -> Any:
    """The sheet in a browser without JavaScript."""
    context = new_context(java_script_enabled=False)
    sign_in(context, address)
    page = context.new_page()
    page.goto(address)
    placed(page)
    yield page
    page.goto("about:blank")


def test_without_javascript_every_line_is_a_plain_form(plain: Page, paper: Scoresheet) -> None:
    for at, line in enumerate(("8E KERN 14", "-ENR", "24"), 1):
        keys(plain, line, "Enter")
        plain.locator(f"#line-{at}").wait_for()
        placed(plain)
    assert lines(paper) == ["1 8E KERN 14", "2 -ENR", "1 24"]

    keys(plain, "8E", "Enter")
    plain.get_by_text("The word at 8E is missing.").wait_for()
    plain.locator("#line-2 a").click()
    plain.get_by_role("heading", name="Change line 2").wait_for()
    plain.locator("#id_word").fill("ENS")
    plain.get_by_role("button", name="Save", exact=True).click()
    plain.get_by_role("heading", name="Next line").wait_for()
    plain.locator("#line-1 a").click()
    plain.get_by_role("link", name="Insert a line before").click()
    plain.get_by_role("heading", name="A new line before line 1").wait_for()
    placed(plain)
    keys(plain, "-", "Enter")
    plain.locator("#line-4").wait_for()
    plain.locator("#line-2 a").click()
    plain.get_by_role("button", name="Delete this line").click()
    plain.get_by_text("Line 2 is deleted: 8E KERN 14.").wait_for()

    assert lines(paper) == ["2 -", "2 -ENS", "1 24"]


def test_pages_fit_and_have_no_faults_that_axe_finds(page: Page, address: str, paper: Scoresheet) -> None:
    write(paper, "33", "24", "1")
    sign_in(page.context, address)
    found = []
    for path in ("", "?line=2", "delete/", f"../../result/{paper.pairing_id}/sheets/"):
        page.goto(urljoin(address, path))
        if not path:
            placed(page)
            keys(page, "8Z KÖRNER-X 12", "Enter")
            refused(page).wait_for()
        found += faults(page)

    assert found == []
