"""The report to the federation and the page of a qualification in Chromium: all can use them on every screen."""

from typing import Any

import pytest
from django.urls import reverse

from tests import factories
from tests.browsers import faults, parts_out_of_sight, sign_in
from tests.tournament.seasons.steps import season
from tournament.models import Player
from tournament.seasons.operations import add_season_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_report_says_what_is_missing_on_every_screen(live_server: Any, page: Any) -> None:
    division = factories.event(players=24, rounds=9, loss_spread=-50)
    factories.season(division, 7)
    sign_in(page.context, live_server.url)

    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(live_server.url + reverse("director:report", args=[division.tournament.slug]))

    assert parts_out_of_sight(page, 1366, 768, ".card @ 2") == []
    assert faults(page) == []


def test_who_qualifies_is_read_on_every_screen(live_server: Any, page: Any) -> None:
    made = season(rule="qualifying", with_running=True)
    for number in range(2):
        division = factories.event(f"Wochenendturnier mit langem Namen {number}", players=24, rounds=7)
        factories.season(division, 7)
        add_season_event(made, division=division, direct=3 - 3 * number, actor=factories.director())
    Player.objects.update(rating=1512, games=120)
    sign_in(page.context, live_server.url)
    found = []

    for address in (reverse("director:season", args=[made.pk]), reverse("public:season", args=[made.slug])):
        page.goto(live_server.url + address)
        found += faults(page)

    assert found == []
