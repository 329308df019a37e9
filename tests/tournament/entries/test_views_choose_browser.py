"""Players of the register in Chromium: ticked by typing, found without scripts, and the register itself filtered."""

from typing import Any

import pytest
from django.urls import reverse

from tests import factories
from tests.browsers import faults, sign_in
from tournament.models import Division, Entry

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def cup(transactional_db: None) -> Division:
    """An empty event of a club that knows four players, one with a long name."""
    factories.entry(
        factories.event("Alt", players=3), "Ĳsselmuiden-Straßenberger von der Lindenhöhe, Wilhelmina-Charlotte"
    )
    return factories.event("Neu", players=0)


def test_whoever_is_typed_is_ticked_and_entered(cup: Division, live_server: Any, page: Any) -> None:
    sign_in(page.context, live_server.url)
    page.goto(live_server.url + reverse("director:choose_players", args=[cup.tournament.slug]))
    typed = page.locator("#tick-typed")

    typed.fill("strassenb")
    typed.press("Enter")
    page.locator("input[name=player]:checked").wait_for()
    emptied = typed.input_value()
    found = faults(page)
    page.get_by_role("button", name="Enter whoever is ticked").click()
    page.wait_for_url("**/entries/*")

    assert (emptied, found) == ("", [])
    assert [entry.name for entry in Entry.objects.filter(division=cup).with_names()] == [
        "Ĳsselmuiden-Straßenberger von der Lindenhöhe, Wilhelmina-Charlotte"
    ]


def test_enter_in_the_search_enters_nobody_without_scripts(cup: Division, live_server: Any, browser: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    sign_in(context, live_server.url)
    page = context.new_page()
    page.goto(live_server.url + reverse("director:choose_players", args=[cup.tournament.slug]))

    page.get_by_role("checkbox").first.check()
    page.locator("#tick-typed").fill("Lindenhöhe")
    page.locator("#tick-typed").press("Enter")
    page.get_by_text("Also ticked:").wait_for()
    listed = page.locator(".check-list > li").count()
    entered = Entry.objects.filter(division=cup).count()
    page.get_by_role("button", name="Enter whoever is ticked").click()
    page.wait_for_url("**/entries/*")
    context.close()

    assert (listed, entered) == (1, 0)
    assert Entry.objects.filter(division=cup).count() == 1


def test_register_is_filtered_while_typing(cup: Division, live_server: Any, page: Any) -> None:
    sign_in(page.context, live_server.url)
    page.goto(live_server.url + reverse("director:players"))
    found = faults(page)

    page.locator("#tick-typed").fill("lindenh")
    page.locator(".check.is-meant").wait_for()
    page.locator("#tick-typed").press("Enter")
    page.wait_for_url("**q=lindenh*")

    assert page.locator(".check-list > li").count() == 1
    assert found == []
