"""The director's knock-out in Chromium: accessible and narrow enough in every state, and a lot drawn by keyboard."""

import re
from typing import Any

import pytest

from tests import factories
from tests.browsers import faults, parts_out_of_sight, sign_in
from tests.tournament.knockout import knockouts
from tournament.models import Knockout, MatchLot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def level() -> str:
    """A knock-out in which one semi-final waits for lots; the address of its page."""
    division = knockouts.seeded(third_place=True)
    knockouts.level(division)
    return f"/director/{division.tournament.slug}/knockout/"


def test_pages_are_accessible_and_fit(live_server: Any, page: Any) -> None:
    played = level()
    none = factories.event("Ohne")
    announced = factories.event("Setzliste", rounds=1)
    factories.played(announced)
    knockouts.announce(announced, 4)
    sign_in(page.context, live_server.url)
    seeds = f"/director/{announced.tournament.slug}/knockout/"
    found = []

    own = knockouts.seeded(criteria=("own",), own_criterion="wer das längste Wort der ganzen Begegnung gelegt hat")
    knockouts.play(own, 1, 1, 1, 400, 400)
    waits = f"/director/{own.tournament.slug}/knockout/"

    for path in (played, waits, f"/director/{none.tournament.slug}/knockout/", seeds, f"{seeds}announce/"):
        page.goto(live_server.url + path)
        found += faults(page)

    assert found == []


def test_a_lot_is_drawn_by_keyboard(live_server: Any, page: Any) -> None:
    address = live_server.url + level()
    sign_in(page.context, live_server.url)
    page.goto(address)

    page.get_by_role("button", name="Let the program draw").focus()
    page.keyboard.press("Enter")
    page.get_by_text("The lot decides for").wait_for()

    assert MatchLot.objects.count() == 1


def test_bracket_of_eight_and_what_follows_are_seen_at_once(live_server: Any, page: Any) -> None:
    division = factories.event("Acht", players=8)
    factories.knockout(division, 8, third_place=True)
    factories.knockout_games(division, 5)
    sign_in(page.context, live_server.url)
    page.goto(f"{live_server.url}/director/{division.tournament.slug}/knockout/")

    found = parts_out_of_sight(page, 1366, 768, ".page-head .btn-primary", ".ko-match @ 8", "a.fold")
    phone = (".page-head .btn-primary", ".is-now .ko-match", ".is-final .ko-match", ".is-third .ko-match")
    found += parts_out_of_sight(page, 360, 680, *phone)

    assert found == []
    assert page.get_by_role("heading", level=1).inner_text() == "Semi-final 2 is being played"


def test_a_knockout_is_announced_with_the_bracket_beside_it(live_server: Any, page: Any) -> None:
    division = factories.event("Ansage", players=9, rounds=1)
    factories.played(division)
    sign_in(page.context, live_server.url)
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(f"{live_server.url}/director/{division.tournament.slug}/knockout/announce/")
    page.wait_for_function("() => window.htmx")

    page.get_by_text("8", exact=True).first.click()
    page.get_by_role("article").filter(has_text="Quarter-final 4").first.wait_for()
    page.get_by_label("Match for third place").check()
    page.get_by_role("article").filter(has_text="Match for third place").wait_for()
    page.get_by_text("Best of N games", exact=True).click()
    page.get_by_text("5", exact=True).first.click()
    page.get_by_text("best of 5 games").wait_for()
    page.get_by_role("button", name="one more game").click()
    page.get_by_role("button", name="Later: one more game").wait_for()
    page.get_by_role("button", name="a criterion of our own").click()
    page.get_by_role("button", name="Earlier: a criterion of our own").click()
    page.locator(".order-chip").first.filter(has_text="a criterion of our own").wait_for()
    moved = page.evaluate("document.activeElement.id")
    page.get_by_label("Your own criterion, in words").fill("who laid the longest word")
    found = faults(page)
    page.get_by_role("button", name="Announce it").click()
    page.wait_for_url(re.compile(r"/knockout/(\?|$)"))

    stored = Knockout.objects.get(division=division)
    assert (stored.size, stored.form, stored.best_of, stored.third_place) == (8, "best_of", 5, True)
    assert stored.criteria == ["own", "decider_game"]
    assert (moved, found) == ("earlier-own", [])


def test_a_knockout_is_announced_without_scripts(live_server: Any, browser: Any) -> None:
    division = factories.event("Ansage", players=6, rounds=1)
    factories.played(division)
    context = browser.new_context(java_script_enabled=False)
    sign_in(context, live_server.url)
    page = context.new_page()
    page.goto(f"{live_server.url}/director/{division.tournament.slug}/knockout/announce/")

    page.get_by_text("other", exact=True).first.click()
    page.get_by_label("The first of the table: another number").fill("6")
    page.get_by_role("button", name="Show the bracket").click()
    shown = page.get_by_role("article").count()
    page.get_by_role("button", name="less time used").click()
    page.get_by_role("button", name="Announce it").click()
    page.wait_for_url(re.compile(r"/knockout/(\?|$)"))
    context.close()

    assert shown == 7
    assert (Knockout.objects.get().size, Knockout.objects.get().criteria) == (6, ["playing_time"])
