"""What everybody sees of an event, its table and a club, in Chromium: what is in sight before anybody scrolls, whom a
reader follows, and what the table does on a phone."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from tests import factories
from tests.browsers import faults, parts_out_of_sight, read_english
from tournament.access.codes import make_personal_link
from tournament.accounts.operations import update_organiser
from tournament.events.demo import DemoSize, make_demo_tournament
from tournament.models import Entry, Season, SeasonEvent, Tournament
from tournament.table.league import load_table

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAPTOP, PHONE = (1366, 768), (360, 740)


def demo(players: int = 23, **size: int) -> Tournament:
    """An event in its sixth round, seven of eleven results in; names are long."""
    wanted = DemoSize(players, **{"rounds": 7, "played": 5, **size})
    return make_demo_tournament(actor=factories.director(), today=timezone.localdate(), size=wanted)


def covered(page: Page, selector: str, first: int) -> int:
    """How many of the first so many parts the bar at the foot covers."""
    return int(
        page.evaluate(
            """([selector, first]) => {
                const foot = document.querySelector("body > .foot").getBoundingClientRect().top;
                const parts = [...document.querySelectorAll(selector)].filter((part) => part.offsetHeight);
                return parts.slice(0, first).filter((part) => part.getBoundingClientRect().bottom > foot + 0.5).length;
            }""",
            [selector, first],
        )
    )


def playing(tournament: Tournament) -> list[Entry]:
    """The players whose game of the sixth round is still open."""
    open_games = tournament.divisions.get().rounds.get(number=6).pairings.filter(kind="game", results=None)
    return [pairing.first for pairing in open_games.with_players()]


def follow(page: Page, name: str) -> None:
    page.get_by_placeholder("name").fill(name)
    page.get_by_role("button", name="Follow", exact=True).click()
    page.locator(".followed", has_text=name).wait_for()


def test_event_s_page_shows_what_is_now(live_server: Any, page: Page) -> None:
    event = demo()
    own, *others = playing(event)
    read_english(page.context, live_server.url)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto(f"{live_server.url}/me/{make_personal_link(own)}/")
    page.goto(f"{live_server.url}/t/{event.slug}/")
    page.locator(".followed.is-own").wait_for()
    for other in others[:2]:
        follow(page, other.name)

    on_phone = parts_out_of_sight(
        page,
        *PHONE,
        *(
            ".is-own .followed-tile",
            ".is-own .followed-against",
            ".is-own .followed-starts",
            ".is-own .followed-report",
        ),
        *(".is-own .followed-needs", ".now-top tbody tr:not(.hide-s) @ 3", ".followed:not(.is-own) @ 2"),
    )
    hidden = covered(page, ".followed", 3)
    report = page.get_by_role("link", name="Report the result").get_attribute("href")
    kept = page.url
    on_laptop = parts_out_of_sight(
        page,
        *LAPTOP,
        "h1",
        ".progress-line",
        ".followed @ 3",
        ".is-own .followed-needs",
        ".now-top tbody tr @ 8",
        ".now-rounds .seg",
    )

    assert on_phone == []
    assert hidden == 0
    assert on_laptop == []
    assert report == f"/me/{make_personal_link(own)}/"
    assert [key in kept for key in (own.key, *(other.key for other in others[:2]))] == [True] * 3
    assert faults(page) == []

    page.goto(f"{live_server.url}/t/{event.slug}/")
    page.locator(".followed").nth(2).wait_for()
    page.get_by_role("button", name=f"Follow {others[0].name} no more").click()
    page.locator(".followed", has_text=others[0].name).wait_for(state="detached")

    assert others[0].key not in page.url.split("?")[1].split("&follow=")
    assert page.locator(".followed").count() == 2


def test_players_are_followed_without_a_script(live_server: Any, new_context: Any) -> None:
    event = demo()
    own = playing(event)[0]
    page = new_context(java_script_enabled=False, locale="de-DE").new_page()
    page.goto(f"{live_server.url}/t/{event.slug}/")
    page.locator("#who").fill(own.name)
    page.get_by_role("button", name="Folgen").click()

    assert page.locator(".followed.is-own").inner_text().startswith(own.name)
    page.locator(".now-all a").click()
    assert own.name in page.locator("tr.me").inner_text()
    page.get_by_role("link", name="Siege").click()
    assert "sort=-wins" in page.url
    page.goto("about:blank")


def test_table_keeps_the_reader_s_row_in_sight(live_server: Any, page: Page) -> None:
    event = demo()
    last = [row.entry for row in load_table(event.divisions.get()).rows][-3]
    read_english(page.context, live_server.url)
    address = f"{live_server.url}/t/{event.slug}/table/5/"
    page.goto(f"{address}?follow={last.key}")

    on_laptop = parts_out_of_sight(page, *LAPTOP, ".standings tbody tr:not(.me) @ 13", ".standings tr.me > th", "#q")
    on_phone = parts_out_of_sight(
        page, *PHONE, ".standings tbody tr:not(.me) @ 10", ".standings tr.me > th", "#q", "[data-to-me]"
    )
    rows = [box["height"] for box in (row.bounding_box() for row in page.locator(".standings tbody tr").all()) if box]

    assert on_laptop == []
    assert on_phone == []
    assert covered(page, ".standings tbody tr:not(.me)", 10) + covered(page, ".standings tr.me > th", 1) == 0
    assert sorted(rows)[len(rows) // 2] == 44
    assert faults(page) == []

    page.goto(address)
    page.locator("#q").fill(last.name[:5])
    assert page.locator(".standings tbody tr:visible").count() < 5
    assert page.locator("tr.me:visible").inner_text().count(last.name) == 1


def test_eighty_rows_unfold_on_a_phone(live_server: Any, page: Page) -> None:
    event = demo(80, rounds=5, played=3)
    last = [row.entry for row in load_table(event.divisions.get()).rows][-1]
    read_english(page.context, live_server.url)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto(f"{live_server.url}/t/{event.slug}/table/")
    seen = page.locator(".standings tbody tr[id]:visible").count()
    folded = page.evaluate("document.documentElement.scrollHeight")
    for group in page.locator(".rows-group summary").all():
        group.click()
    whole = page.locator(".standings-card").bounding_box()

    assert seen == 20
    assert folded < 2000
    assert page.locator(".standings tbody tr[id]:visible").count() == len(event.entries.all())
    assert whole
    assert whole["height"] < 4400

    page.goto(f"{live_server.url}/t/{event.slug}/table/?follow={last.key}")
    assert page.locator("tr.me").is_visible()
    page.get_by_role("link", name="To my row").click()
    assert page.locator("tr.me > th").evaluate("(row) => row.getBoundingClientRect().bottom <= innerHeight")
    assert faults(page) == []


def test_front_page_shows_what_runs_and_what_comes(live_server: Any, page: Page) -> None:
    event, club = demo(), factories.organiser()
    update_organiser(club, name="Scrabble-Club Fulda", slug="fulda", word="Jeden Mittwoch.", actor=factories.director())
    for days in (9, 20, 40):
        factories.event(f"Abend in {days} Tagen", players=2, starts_on=timezone.localdate() + timedelta(days))
    over = factories.event("Alt-Cup", players=6, rounds=1, starts_on=timezone.localdate() - timedelta(9))
    factories.played(over)
    season = Season.objects.create(
        organiser=club, name="Abende", slug="abende", is_public=True, rule="places", points=[4, 3, 2, 1]
    )
    SeasonEvent.objects.create(season=season, division=over)
    read_english(page.context, live_server.url)
    page.goto(live_server.url)

    on_laptop = parts_out_of_sight(
        page, *LAPTOP, "h1", ".banner", ".banner-first li @ 3", ".leaves li @ 3", ".front-two table.rows:not(.past)"
    )
    on_phone = parts_out_of_sight(page, *PHONE, "h1", ".banner", ".banner-first li @ 3", ".leaves .leaf")

    assert on_laptop == []
    assert on_phone == []
    assert page.locator(".past tbody tr").count() == 1
    assert faults(page) == []
    page.get_by_role("link", name="To the tournament").click()
    assert page.url.endswith(f"/t/{event.slug}/")


def test_statistics_are_drawn_and_told(live_server: Any, page: Page) -> None:
    event = demo()
    read_english(page.context, live_server.url)
    page.goto(f"{live_server.url}/t/{event.slug}/statistics/")
    page.get_by_text("Figures", exact=True).click()
    counted = [int(cell.inner_text()) for cell in page.locator(".chart details td").all()]

    assert page.locator(".chart-bar").count() == len(counted)
    assert sum(counted) == 2 * sum(int(cell.inner_text()) for cell in page.locator(".chart > table td").all()[:3])
    assert faults(page) == []
