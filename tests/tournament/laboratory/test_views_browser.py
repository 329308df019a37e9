"""The laboratory in Chromium: begun, watched, stopped, taken up again, read, and repeated by its link."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.browsers import faults, parts_out_of_sight, sign_in
from tests.tournament.laboratory.test_views import SMALL, wait_for_end
from tournament.laboratory import views

BESIDE_OTHERS = 180_000
"""Milliseconds: the laboratory works at the lowest priority, behind whatever else this machine has to do."""

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLOTS, LINES = ".plots figure", "polyline"


@pytest.fixture(autouse=True)
def _no_runs_left() -> Iterator[None]:
    yield
    for path in views.get_laboratory_folder().glob("*.running"):
        path.unlink(missing_ok=True)
    wait_for_end()
    for path in views.get_laboratory_folder().glob("*"):
        path.unlink()


def read_lines(page: Any) -> list[str]:
    return [line.get_attribute("points") for line in page.locator(LINES).all()]


def test_a_comparison_is_begun_stopped_taken_up_and_repeated(live_server: Any, page: Any) -> None:
    sign_in(page.context, live_server.url)
    address = f"{live_server.url}/director/tournaments/laboratory/?"
    found = []

    page.goto(address + urlencode({**SMALL, "events": "5000", "plan3": "random"}))
    found += faults(page)
    page.get_by_role("button", name="Play the events").click()
    assert page.get_by_role("progressbar").is_visible()
    found += faults(page)
    page.get_by_role("heading", name=re.compile("^[1-9].* of 5000 events played")).wait_for(timeout=BESIDE_OTHERS)
    page.get_by_role("button", name="Stop").click()
    # Not loaded again by the test: the page does that itself at this moment, and Chromium refuses two at once.
    page.get_by_text("“Play the events” goes on from there.").wait_for(timeout=BESIDE_OTHERS)

    page.get_by_label("Events", exact=True).fill("40")
    page.get_by_role("button", name="Play the events").click()
    page.locator(PLOTS).first.wait_for(timeout=BESIDE_OTHERS)  # the page comes by itself
    found += faults(page)
    assert parts_out_of_sight(page, 1366, 768, f"{PLOTS} @ 2", ".plots .plot-said @ 2") == []
    assert parts_out_of_sight(page, 360, 740, f"{PLOTS} svg") == []
    lines = read_lines(page)
    assert lines

    for path in views.get_laboratory_folder().glob("*.jsonl"):
        path.unlink()
    page.get_by_role("link", name="Link that repeats this run").click()
    assert page.locator(PLOTS).count() == 0
    page.get_by_role("button", name="Play the events").click()
    page.locator(PLOTS).first.wait_for(timeout=BESIDE_OTHERS)
    assert read_lines(page) == lines
    assert found == []
