"""Boards on a glass of any size: nothing of the board, the clock, the rack or the table is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from games.duplicate.operations.sessions import SessionPlan, prepare_session
from games.gcg.operations import publish_game
from games.round_play.positions import choose_round_play, solve_round_play
from tests import factories
from tests.browsers import OUTSIDE_THE_GLASS, WIDE_GLASSES, faults
from tests.games.duplicate import steps
from tests.games.gcg import games
from tests.games.judge.conftest import load
from tests.games.replay.conftest import sheet_with
from tournament.hall.operations import show_on_screen
from tournament.models import Pairing, Screen

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BOARD = "() => document.querySelector('.board').getBoundingClientRect().height / innerHeight"
WORD = "() => parseFloat(getComputedStyle(document.querySelector('.screen-word')).fontSize)"


def measure(page: Page) -> list[str]:
    """What lies outside the glass, of each size."""
    found = []
    for width, height in WIDE_GLASSES:
        page.set_viewport_size({"width": width, "height": height})
        found += page.evaluate(OUTSIDE_THE_GLASS)
    return found


def test_solution_is_the_largest_word_beside_the_whole_board(
    page: Page, live_server: Any, tables: list[Pairing]
) -> None:
    load("KINDE\nKIND\nDIE\n")
    sheet, doris = sheet_with(tables[0], games.GERMAN), factories.director()
    publish_game(sheet, actor=doris)
    factories.result(tables[0].round, 1, 420, 380)
    division = tables[0].round.division
    choose_round_play(division, scoresheet=sheet, turn=4, actor=doris)
    show_on_screen(division.tournament, 1, shows=Screen.Shows.ROUND_PLAY, actor=doris)
    address = f"{live_server.url}/t/{division.tournament.slug}/screen/1/"

    page.goto(address)
    page.locator(".screen-live .screen-rack").wait_for()
    assert measure(page) == []
    solve_round_play(division, actor=doris)
    page.goto(address)
    page.locator(".screen-live .screen-word").wait_for()
    assert measure(page) == []

    page.set_viewport_size({"width": 1920, "height": 1080})
    assert (page.evaluate(BOARD) > 0.9, page.evaluate(WORD) >= 115) == (True, True)
    assert faults(page) == []


def test_session_fits_with_clock_seven_tiles_and_six_places(page: Page, live_server: Any) -> None:
    made = factories.event(players=30, ruleset="sbnl-duplicate", minutes=None)
    session = prepare_session(made, plan=SessionPlan(), actor=factories.director())
    steps.closed(steps.opened(session), "8G", "ZEST", "Beste woord")
    steps.opened(session)
    address = f"{live_server.url}/t/{session.division.tournament.slug}/duplicate/hall/"

    page.goto(address)
    page.locator(".screen-live .screen-rack").wait_for()

    assert measure(page) == []
    shown = (page.locator(".screen-rack b").count(), page.locator(".screen-beside tr:visible").count())
    assert shown == (7, 6)
    page.set_viewport_size({"width": 1920, "height": 1080})
    assert page.evaluate(BOARD) > 0.9
    assert faults(page) == []
