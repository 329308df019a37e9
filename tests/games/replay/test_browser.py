"""A game by keyboard in a real browser."""

from typing import Any

import pytest

from games.models import Scoresheet
from tournament.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_arrow_keys_step_through(page: Any, live_server: Any, cup: Tournament, public: Scoresheet) -> None:
    address = f"{live_server.url}/t/{cup.slug}/game/{public.pairing_id}/"
    page.goto(address)

    for key, turn in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 7)):
        page.keyboard.press(key)
        page.wait_for_url(f"{address}?turn={turn}#board")

    page.keyboard.press("ArrowRight")
    assert page.url == f"{address}?turn=7#board", "behind the end there is nothing"


@pytest.mark.parametrize("width", [360, 1280])
def test_page_is_no_wider_than_the_screen(
    page: Any, live_server: Any, cup: Tournament, public: Scoresheet, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})

    page.goto(f"{live_server.url}/t/{cup.slug}/game/{public.pairing_id}/")

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".board td.sq-tile").count() == 14
