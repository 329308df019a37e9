"""A season in Chromium: made by a name and a card, its events ticked by hand, by keyboard and without scripts."""

from datetime import date, timedelta
from typing import Any

import pytest

from tests import factories
from tests.browsers import faults, sign_in
from tests.tournament.seasons.steps import ANNA, BERT, event, season
from tournament.models import Season

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_season_is_made_and_its_events_are_ticked(live_server: Any, page: Any) -> None:
    event("Januar", ANNA, BERT)
    factories.event("Großer Herbstpokal des Vereins in der Mehrzweckhalle Süd", players=4)
    sign_in(page.context, live_server.url)
    page.goto(f"{live_server.url}/director/register/seasons/")
    found = faults(page)

    page.get_by_role("textbox", name="Name").fill("Pokal")
    page.get_by_label("Club year of the NTSV").check()
    page.get_by_role("button", name="Make the season").click()
    page.get_by_role("heading", name="Pokal").wait_for()
    tick = page.get_by_role("checkbox", name="Januar")
    tick.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.get_by_role("cell", name=ANNA).or_(page.get_by_role("rowheader", name=ANNA)).first.wait_for()
    found += faults(page)
    page.get_by_text("Change", exact=True).click()
    page.get_by_label("Everybody may see the season").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="What everybody sees").wait_for()

    made = Season.objects.get()
    assert (made.rule, made.events.count(), made.is_public) == ("median", 1, True)
    assert found == []


def test_events_are_ticked_without_scripts(live_server: Any, browser: Any) -> None:
    for number in range(40):
        factories.event(f"Abend {number}", players=2, starts_on=date(2026, 1, 8) + timedelta(days=7 * number))
    made = season()
    context = browser.new_context(java_script_enabled=False)
    sign_in(context, live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/director/register/seasons/{made.pk}/")
    listed = page.locator(".season-choice .tick").all_inner_texts()

    for name in ("Abend 0", "Abend 38", "Abend 39"):
        page.get_by_role("checkbox", name=name, exact=True).check()
    page.get_by_role("checkbox", name="Abend 0", exact=True).uncheck()
    page.get_by_role("button", name="Count what is ticked").click()
    page.get_by_text("+ Abend 39").wait_for()
    counted = set(made.events.values_list("division__tournament__name", flat=True))
    page.get_by_role("button", name="Take back Events that count").click()
    page.get_by_text("− Abend 39").wait_for()
    context.close()

    assert [text.strip() for text in listed[:2] + listed[-1:]] == ["Abend 39", "Abend 38", "Abend 0"]
    assert (counted, made.events.count()) == ({"Abend 38", "Abend 39"}, 0)
