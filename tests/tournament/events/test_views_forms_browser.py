"""Settings, presets, the print room and the end in Chromium: what each shows unscrolled, and that all can use it."""

from datetime import date
from typing import Any

import pytest

from tests import factories
from tests.browsers import faults, parts_out_of_sight, sign_in
from tournament.ending.operations import add_prize
from tournament.ending.plan import PrizePlan
from tournament.events.operations import create_tournament, update_settings
from tournament.events.presets import PRESETS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDE, PHONE = (1366, 768), (360, 740)


def parts_below_the_bar(page: Any, selector: str, number: int) -> list[str]:
    """Which of the first parts of this kind the bar at the foot of a phone covers."""
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    top = page.locator("body > .foot").bounding_box()["y"]
    ends = [box["y"] + box["height"] for box in (part.bounding_box() for part in page.locator(selector).all()[:number])]
    return [f"{selector}: ends at {end:.0f}, below {top:.0f}" for end in ends if end > top]


def test_settings_and_presets_show_what_they_hold_at_once(live_server: Any, page: Any) -> None:
    doris = factories.director()
    days: dict[str, Any] = {"starts_on": date(2026, 10, 3), "ends_on": date(2026, 10, 4)}
    cup = create_tournament(
        actor=doris,
        name="Internationaler Fuldaer Herbst-Cup 2026",
        preset=PRESETS["weekend_cup"],
        place="Fulda",
        **days,
    )
    update_settings(cup, minutes=25, announcement="Startgeld 15 €, Kaffee den ganzen Tag. " * 20, actor=doris)
    evening = create_tournament(actor=doris, name="Vereinsabend Oktober", preset=PRESETS["club_evening"])
    sign_in(page.context, live_server.url)
    found = []

    def look(path: str) -> None:
        page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
        page.goto(f"{live_server.url}/director/{path}")

    look(f"{cup.slug}/settings/")
    found += parts_out_of_sight(page, *WIDE, ".setting @ 9", ".settings-rare a @ 5")
    found += parts_out_of_sight(page, *PHONE, ".setting @ 6") + parts_below_the_bar(page, ".setting", 6)
    found += faults(page)
    look(f"{cup.slug}/settings/?change=rules")
    found += parts_out_of_sight(page, *WIDE, ".setting-in .btn @ 2")
    found += faults(page)
    look(f"{cup.slug}/settings/?change=public")
    found += faults(page)
    look(f"{evening.slug}/settings/")
    found += parts_out_of_sight(page, *WIDE, ".setting @ 3")
    found += parts_out_of_sight(page, *PHONE, ".setting @ 3")
    found += faults(page)
    look("tournaments/new/")
    found += parts_out_of_sight(page, *WIDE, ".shape-pick @ 10", "#form input[type=text] @ 5", "#form .btn-primary")
    found += parts_out_of_sight(page, *PHONE, ".shape-pick @ 9")
    found += faults(page)
    page.get_by_label("Name", exact=True).fill("Fuldaer Finale")
    page.locator("#preset-final_four").click()
    page.locator("#preset-final_four[aria-current]").wait_for()
    kept = [page.get_by_label(label, exact=True).input_value() for label in ("Name", "Rounds")]
    assert (kept, page.locator(".date-row").count()) == (["Fuldaer Finale", "7"], 2)

    assert found == []


def test_print_room_shows_everything_at_once(live_server: Any, page: Any) -> None:
    longest = "Ĳsselmuiden-Straßenberger von der Lindenhöhe, Wilhelmina-Charlotte"
    division = factories.event("Fuldaer Herbst-Cup", players=22, rounds=7)
    factories.entry(division, longest)
    factories.played(division)
    factories.published(division)
    sign_in(page.context, live_server.url)

    page.goto(f"{live_server.url}/director/{division.tournament.slug}/print/")
    found = parts_out_of_sight(page, *WIDE, ".print-all .btn", ".print-paper @ 17")
    found += parts_out_of_sight(page, *PHONE, ".print-all .btn", ".print-paper @ 5")
    found += parts_below_the_bar(page, ".print-paper", 5)
    found += faults(page)

    assert found == []


def test_end_shows_podium_places_and_prizes_at_once(live_server: Any, page: Any) -> None:
    division = factories.event("Fuldaer Herbst-Cup", players=22, rounds=1)
    factories.played(division, *((520 - 10 * table, 300) for table in range(11)))
    doris = factories.director()
    for kind in ("newcomer", "highest_game", "biggest_win", "highest_losing_score"):
        add_prize(division, plan=PrizePlan(kind=kind), actor=doris)
    sign_in(page.context, live_server.url)

    page.goto(f"{live_server.url}/director/{division.tournament.slug}/end/?division=A")
    found = parts_out_of_sight(page, *WIDE, ".podium-card @ 3", ".end-list tbody tr @ 7", ".end-won > div @ 4")
    found += parts_out_of_sight(page, *WIDE, ".page-head .btn-primary")
    found += parts_out_of_sight(page, *PHONE, ".page-head .btn-primary", ".podium-card @ 3")
    found += parts_below_the_bar(page, ".podium-card", 3)
    found += faults(page)
    page.goto(f"{live_server.url}/director/{division.tournament.slug}/end/?division=A&all=yes")
    page.locator("#prizes > summary").click()
    found += faults(page)

    assert found == []


def test_rounds_typed_for_a_preset_change_its_blocks(live_server: Any, page: Any) -> None:
    factories.director()
    sign_in(page.context, live_server.url)
    page.goto(f"{live_server.url}/director/tournaments/new/weekend_cup/")
    blocks = page.locator("#preset-weekend_cup .shape-block")
    assert blocks.count() == 13

    page.fill("[name=name]", "Kleiner Cup")
    page.fill("[name=rounds]", "5")
    page.locator("[name=rounds]").blur()
    blocks.nth(5).wait_for(state="detached")

    assert blocks.count() == 5
    assert page.input_value("[name=name]") == "Kleiner Cup"
    assert page.locator("#preset-weekend_cup[aria-current=true]").count() == 1

    page.click("#preset-club_evening")  # has rounds of its own
    page.wait_for_selector("#preset-club_evening[aria-current=true]")
    assert page.input_value("[name=name]") == "Kleiner Cup"
    assert page.input_value("[name=rounds]") == "3"
    assert page.locator("#preset-club_evening .shape-block").count() == 3
    assert blocks.count() == 13
