"""What the overview, the entries, the rounds and the list of tournaments show before anybody scrolls; axe on each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from tests import factories
from tests.browsers import faults, parts_out_of_sight, sign_in
from tournament.models import Division, Tournament

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

LONG_NAME = "Offene Stadtmeisterschaft der Scrabble-Freunde Neustadt an der Weinstraße 2026"
WIDE, PHONE = (1366, 768), (360, 740)


@pytest.fixture
def division(transactional_db: None) -> Division:
    """Twenty-three players, a round played, the next with eight of its eleven games open."""
    made = factories.event(players=23, rounds=7, starts_on=timezone.localdate())
    factories.played(made)
    second = factories.published(made)
    for table in (1, 2, 3):
        factories.result(second, table, 420, 380)
    Tournament.objects.update(name=LONG_NAME)
    return made


def test_overview_shows_the_state_what_is_open_and_what_follows(
    page: Page, live_server: Any, division: Division
) -> None:
    sign_in(page.context, live_server.url)
    page.goto(f"{live_server.url}/director/herbst-cup/")
    head = (".frame .who", "h1", ".page-head .btn-primary", ".steps li @ 5")

    hidden = parts_out_of_sight(page, *WIDE, *head, ".open-games tbody tr @ 8", ".folds > .fold")
    hidden += parts_out_of_sight(page, *PHONE, *head, ".open-games tbody tr @ 3", ".foot")
    foot, third = page.locator(".foot").bounding_box(), page.locator(".open-games tbody tr").nth(2).bounding_box()

    assert hidden == []
    assert foot is not None
    assert third is not None
    assert third["y"] + third["height"] <= foot["y"]
    assert page.locator(".page-head .btn-primary").count() == page.locator("main .btn-primary").count() == 1


def test_pages_of_the_frame_are_for_everybody(page: Page, live_server: Any, division: Division) -> None:
    sign_in(page.context, live_server.url)
    found = []
    for path in ("", "herbst-cup/", "herbst-cup/entries/", "herbst-cup/rounds/"):
        page.goto(f"{live_server.url}/director/{path}")
        found += faults(page)
    page.goto(f"{live_server.url}/director/herbst-cup/")
    page.set_viewport_size({"width": 360, "height": 740})
    page.locator(".foot summary").click()
    found += faults(page)

    assert found == []


def test_my_tournaments_say_what_each_is_at(page: Page, live_server: Any, division: Division) -> None:
    over = factories.event("Sommer-Cup", players=2, rounds=1)
    factories.played(over, (450, 300))
    Tournament.objects.filter(pk=over.tournament_id).update(is_ended=True)
    sign_in(page.context, live_server.url)
    page.goto(f"{live_server.url}/director/")

    rows = {row.split("\n")[0].strip(): row for row in page.locator(".my-events tbody tr").all_inner_texts()}

    assert "Round 2 of 7" in rows[LONG_NAME]
    assert "won by Aumann, Klara" in rows["Sommer-Cup"]
