"""The page of what can still happen in Chromium: what it shows unscrolled, and that all can use it."""

from typing import Any

import pytest
from django.urls import reverse

from tests.browsers import faults, parts_out_of_sight, sign_in
from tests.tournament.chances.test_views import play

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("name", ["public:chances_shares", "director:chances"])
def test_page_shows_many_players_at_once(live_server: Any, page: Any, name: str) -> None:
    division = play(24, 5, to_come=2, missing=3)
    sign_in(page.context, live_server.url)
    found = []

    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(live_server.url + reverse(name, args=[division.tournament.slug]) + "?shares=1")
    found += parts_out_of_sight(page, 1366, 768, "#chances > .why", ".chance @ 9")
    found += parts_out_of_sight(page, 360, 740, ".chance @ 2")
    assert page.evaluate("document.documentElement.scrollHeight") < 3600
    found += faults(page)
    page.set_viewport_size({"width": 360, "height": 740})
    page.locator(".chance > summary").first.click()
    found += faults(page)

    assert found == []
