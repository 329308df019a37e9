"""Comparison, photos and referee in Chromium: a game from two sheets to its result, narrow and wide, light and dark."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from games.models import Photo, Scoresheet
from games.referee.catalogue import IncidentEffect
from games.referee.operations import log_challenge
from tests import factories
from tests.browsers import faults, sign_in
from tests.games import steps
from tests.games.compare.test_views import OTHERWISE
from tests.games.compare.typed import FIRST, SECOND, sheet
from tests.games.photos import samples
from tests.games.referee.steps import log
from tournament.models import Pairing

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(transactional_db: None) -> Pairing:
    round = factories.published(factories.event(players=4, ruleset="tso-2017"))
    return steps.fresh(round.pairings.get(table=1))


@pytest.fixture
def director_page(live_server: Any, page: Any, table: Pairing) -> Iterator[Any]:
    """Doris's browser, in English; its console stays silent."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    sign_in(page.context, live_server.url)
    yield page
    assert said == []


def go(director_page: Any, live_server: Any, name: str, *arguments: object) -> None:
    director_page.goto(live_server.url + reverse(f"games:{name}", args=["herbst-cup", *arguments]))


def test_two_sheets_become_a_result(director_page: Any, live_server: Any, table: Pairing) -> None:
    sheet(table, keeper=FIRST)
    chosen = sheet(table, OTHERWISE, keeper=SECOND)
    go(director_page, live_server, "compare", table.pk)

    director_page.get_by_role("link", name="Sheet of Dvořák, Jana", exact=True).click()
    for row in (1, 3):
        director_page.locator(f"#line-{row}").get_by_role("button", name="Use this line").click()
        expect(director_page.get_by_text("Taken over.")).to_be_visible()
    expect(director_page.get_by_text("The sheets say the same, line by line.")).to_be_visible()
    director_page.get_by_role("button", name="Agree and make it official").focus()
    director_page.keyboard.press("Enter")

    expect(director_page.get_by_text("matches the official result")).to_be_visible()
    assert Scoresheet.objects.get(agreed=True) == chosen
    assert (steps.official(table).first_points, steps.official(table).second_points) == (36, 111)


def test_photo_is_chosen_seen_and_deleted(director_page: Any, live_server: Any, table: Pairing, tmp_path: Path) -> None:
    picture = tmp_path / "bogen.jpg"
    picture.write_bytes(samples.from_phone())
    go(director_page, live_server, "photos", table.pk)

    director_page.get_by_label("Or choose photos").set_input_files(picture)
    director_page.get_by_role("button", name="Attach").click()

    image = director_page.get_by_role("img", name="Photo 1 of 1")
    expect(image).to_be_visible()
    expect(image).to_have_js_property("naturalWidth", 40)
    director_page.get_by_role("link", name="Delete photo 1").click()
    director_page.get_by_role("button", name="Delete it").click()
    expect(director_page.get_by_text("No photo yet")).to_be_visible()
    assert not Photo.objects.exists()


def test_pages_fit_and_can_be_read_by_everybody(director_page: Any, live_server: Any, table: Pairing) -> None:
    sheet(table, keeper=FIRST)
    sheet(table, OTHERWISE, keeper=SECOND)
    made = log(table, IncidentEffect.POINTS, 1, points=20, note="klingelte wieder")
    log_challenge(table, challenger=1, words=[("DIE", True)], actor=factories.director())
    found = []

    for name, *arguments in (
        ("compare", table.pk),
        ("photos", table.pk),
        ("referee", table.pk),
        ("incident", table.pk, "late"),
        ("incident_strike", made.pk),
        ("referee_overview",),
    ):
        go(director_page, live_server, name, *arguments)
        found += faults(director_page)

    assert found == []
