"""A session in Chromium: slips typed by keyboard alone, another helper's shown by themselves, the clock of a turn."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import DuplicateSession, DuplicateSlip, DuplicateTurn
from tests import factories
from tests.games.conftest import browser
from tests.games.duplicate import steps
from tournament.models import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def turn(session: DuplicateSession) -> DuplicateTurn:
    return steps.opened(session)


NEXT_NEWS = 5000
"""Milliseconds of the page's clock in which it asks for news."""


def helper(live_server: Any, page: Any, turn: DuplicateTurn, query: str = "") -> None:
    """The session's page, for somebody who helps."""
    client = browser(factories.member(factories.user("eva"), Role.HELPER).user)
    page.context.add_cookies(
        [{"name": name, "value": morsel.value, "url": live_server.url} for name, morsel in client.cookies.items()]
    )
    slug = turn.session.division.tournament.slug
    page.goto(live_server.url + reverse("games:duplicate", args=[slug]) + query)


def slip_row(page: Any, turn: DuplicateTurn, player: int) -> Any:
    return page.locator(f"#slip-{steps.players(turn.session)[player - 1].pk}")


def test_slips_are_typed_by_keyboard_alone(live_server: Any, page: Any, turn: DuplicateTurn) -> None:
    helper(live_server, page, turn, "?typing=1")

    for player, position, word, claimed in (("1", "8g", "zest", "18"), ("2", "8h", "zes", "20")):
        for text in (player, position, word, claimed):
            page.keyboard.type(text)
            page.keyboard.press("Enter")

    slip_row(page, turn, 1).wait_for()
    slip_row(page, turn, 2).get_by_text("claimed 20").wait_for()
    found = DuplicateSlip.objects.filter(turn=turn).order_by("entry__position")
    assert [(slip.position, slip.word, slip.claimed) for slip in found] == [("8G", "ZEST", 18), ("8H", "ZES", 20)]
    assert page.evaluate("document.activeElement.name") == "player"


def test_what_another_helper_types_shows_by_itself(live_server: Any, page: Any, turn: DuplicateTurn) -> None:
    page.clock.install()
    helper(live_server, page, turn, "?typing=1")
    steps.slip(turn, 3, "8H ZES 14")
    page.clock.run_for(NEXT_NEWS)

    slip_row(page, turn, 3).wait_for()

    assert page.evaluate("document.activeElement.name") == "player"


def test_who_is_typing_is_not_disturbed(live_server: Any, page: Any, turn: DuplicateTurn) -> None:
    page.clock.install()
    helper(live_server, page, turn, "?typing=1")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    page.keyboard.type("8G")
    steps.slip(turn, 3, "8H ZES 14")
    with page.expect_response(lambda answer: "/duplicate/news/" in answer.url and answer.status == 200):
        page.clock.run_for(NEXT_NEWS)

    assert page.locator("[name=position]").input_value() == "8G"
    assert page.evaluate("document.activeElement.name") == "position"


@pytest.mark.parametrize(
    ("gone", "mark", "said"),
    [(5, "", ""), (155, "is-short", "Write it down: 30 s left"), (200, "is-over", "Time is up")],
    ids=["running", "signal", "over"],
)
def test_clock_counts_down_and_signals(
    live_server: Any, page: Any, turn: DuplicateTurn, gone: int, mark: str, said: str
) -> None:
    DuplicateTurn.objects.filter(pk=turn.pk).update(started_at=timezone.now() - timedelta(seconds=gone))
    helper(live_server, page, turn)

    page.locator(".duplicate-time", has_text=re.compile(r"^\s*\d:\d\d\s*$")).wait_for()

    minutes, seconds = page.locator(".duplicate-time").inner_text().strip().split(":")
    left = 60 * int(minutes) + int(seconds)
    assert max(180 - gone - 60, 0) <= left <= max(180 - gone, 0) + 2
    assert mark in page.locator("[data-clock]").get_attribute("class").split(" ")[1:] or not mark
    assert page.locator("[data-clock] [data-said]").inner_text() == said


def test_slip_that_was_refused_as_a_whole_holds_up_no_other(live_server: Any, page: Any, turn: DuplicateTurn) -> None:
    """The program does not even look at it: the next one, half typed meanwhile, is saved, then the first comes back."""
    helper(live_server, page, turn, "?typing=1")
    held: list[Any] = []
    page.route("**/duplicate/slip/**", lambda route: route.continue_() if held else held.append(route))
    for text in ("1", "8g", "zest", "18"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    page.keyboard.type("2")
    held[0].fulfill(status=403, body="<main><p data-told>You may not do this.</p></main>", content_type="text/html")
    page.get_by_text("1 8g zest 18 – You may not do this.").wait_for()
    page.keyboard.press("Enter")

    for text in ("8h", "zes", "20"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    slip_row(page, turn, 2).wait_for()
    page.locator("#duplicate-faults").get_by_text("You may not do this.").wait_for()
    page.locator("[name=claimed]").press("Enter")
    slip_row(page, turn, 1).wait_for()

    found = DuplicateSlip.objects.filter(turn=turn).order_by("entry__position")
    assert [(slip.position, slip.word, slip.claimed) for slip in found] == [("8G", "ZEST", 18), ("8H", "ZES", 20)]
    assert not page.locator("#duplicate-pending").is_visible()
