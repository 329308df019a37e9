"""The entries in a browser: the list's own first row enters, and what is typed there filters the list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from tests import factories
from tests.browsers import faults, keys, parts_out_of_sight, sign_in
from tournament.models import Division, Entry

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAME = ".enter [name=name]"
SHOWN = "tr[data-entry]:visible .name a"


def open_entries(page: Page, live_server: Any) -> Page:
    address = str(live_server.url) + reverse("director:entries", args=["herbst-cup"])
    sign_in(page.context, address)
    page.goto(address)
    page.locator(f"{NAME}:focus").wait_for()
    return page


def test_fourteen_rows_are_in_sight_and_whoever_is_entered_is_the_first(page: Page, live_server: Any) -> None:
    division = factories.event(players=24)
    Entry.objects.filter(pk=Entry.objects.order_by("pk")[0].pk).update(present=True)
    entries = open_entries(page, live_server)
    whole = "main .btn-primary", ".enter .form-control @ 3", ".enter-act > .btn"

    assert entries.get_by_role("heading", name="24 entries, 1 here").is_visible()
    assert parts_out_of_sight(entries, 1366, 768, *whole, "tr[data-entry] @ 14") == []
    assert parts_out_of_sight(entries, 360, 680, *whole, "tr[data-entry] @ 5") == []
    keys(entries, "Zwei, Otto", "Tab", "SC Neu", "Tab", "1234", "Enter")
    entries.get_by_role("heading", name="25 entries, 2 here").wait_for()
    first = entries.locator("tr[data-entry]").first
    assert [part in first.inner_text() for part in ("Zwei, Otto", "SC Neu", "entered, is here")] == [True] * 3
    assert faults(entries) == []
    first.get_by_role("button", name="Undo").click()
    entries.get_by_role("heading", name="24 entries, 1 here").wait_for()
    assert not Entry.objects.filter(division=division, player__name="Zwei, Otto").exists()


def test_what_is_typed_filters_and_only_a_new_name_is_entered(page: Page, live_server: Any) -> None:
    division = factories.event(players=6)
    other = Division.objects.create(tournament=division.tournament, name="B", position=2)
    factories.entry(division, "Zwölfer, Édith")
    factories.entry(other, "Zweig, Ada")
    entries = open_entries(page, live_server)

    entries.locator(NAME).press_sequentially("edit")
    assert entries.locator(SHOWN).all_inner_texts() == ["Zwölfer, Édith"]
    assert "Enter opens the entry." in entries.locator("#typed-said").inner_text()
    keys(entries, "Enter")
    entries.get_by_role("heading", name="Zwölfer, Édith").wait_for()

    open_entries(page, live_server).locator(NAME).press_sequentially("zw")
    assert entries.locator(SHOWN).all_inner_texts() == ["Zwölfer, Édith", "Zweig, Ada"]
    keys(entries, "Enter")
    assert "2 names fit" in entries.locator("#typed-said").inner_text()
    entries.locator(NAME).fill("Zwölfer, E")
    assert "Enter enters this name." in entries.locator("#typed-said").inner_text()
    keys(entries, "Enter")
    entries.get_by_role("button", name="Somebody else").click()  # the likeness is asked about in the row below
    entries.locator("tr[data-entry]").first.get_by_text("✓ entered").wait_for()
    assert Entry.objects.filter(division=division).count() == 8


def test_folded_fields_stay_open_and_within_the_screen(page: Page, live_server: Any) -> None:
    factories.played(factories.event(players=4))
    entries = open_entries(page, live_server)
    entries.locator(".enter-more > summary").click()
    entries.get_by_label("Guest").check()
    keys(entries, "Escape")
    assert entries.get_by_label("Guest").is_hidden()
    entries.locator(NAME).fill("Aumann, Klara")
    entries.get_by_role("button", name="Enter", exact=True).click()

    entries.get_by_role("button", name="Somebody else").wait_for()
    assert entries.get_by_label("Guest").is_checked()
    assert faults(entries) == []
