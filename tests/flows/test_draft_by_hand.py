"""Changing a draft by picking two names, with the mouse, by keyboard alone, and without JavaScript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from tests import factories
from tests.browsers import faults, keys, parts_out_of_sight, sign_in
from tournament.basics.names import make_search_key
from tournament.models import Pairing, Round
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.rounds.operations import publish_round

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def draft() -> Round:
    """Eight players; the second round drawn on the table after the first: 1–3, 2–4 …, nobody meets again."""
    division = factories.event(players=8)
    factories.played(division)
    return draft_round(division, actor=factories.director(), wish=DrawWish(seed=1))


@pytest.fixture
def address(live_server: Any, draft: Round) -> str:
    return str(live_server.url) + reverse("director:round", args=["herbst-cup", draft.number])


@pytest.fixture
def desk(page: Page, address: str) -> Page:
    sign_in(page.context, address)
    page.goto(address)
    return page


def pairs(draft: Round) -> set[frozenset[str]]:
    """Who meets whom, by name."""
    found = Pairing.objects.filter(round=draft).with_players()
    return {frozenset(entry.name for entry in (each.first, each.second) if entry) for each in found}


def two_apart(draft: Round) -> tuple[str, str]:
    """The first players of tables 1 and 2, who do not meet."""
    found = Pairing.objects.filter(round=draft).with_players().by_table()
    return found[0].first.name, found[1].first.name


def pick(desk: Page, *names: str) -> None:
    """Click these names, each once the one before is picked."""
    for name in names:
        desk.get_by_role("link", name=name, exact=True).click()
        desk.locator(".pick[aria-current]", has_text=name).wait_for()


def test_two_names_clicked_meet(desk: Page, draft: Round) -> None:
    one, other = two_apart(draft)
    pick(desk, one, other)

    desk.get_by_role("button", name="Let them meet").click()

    desk.get_by_text(f"{one} meets {other}.").wait_for()
    assert frozenset((one, other)) in pairs(draft)


def test_two_names_typed_change_places(desk: Page, draft: Round) -> None:
    one, other = two_apart(draft)
    before = pairs(draft)
    for name in (one, other):
        desk.get_by_label("Type a name").focus()
        keys(desk, name[:4].lower(), "Enter")
        desk.locator(".pick[aria-current]", has_text=name).wait_for()
    keys(desk, "Shift+Enter")

    desk.get_by_text("have changed places.").wait_for()
    assert pairs(draft) == exchanged(before, one, other)


def test_of_two_names_that_fit_enter_waits_for_a_choice(desk: Page) -> None:
    letter = next(letter for letter in "aeinr" if len(fitting(desk, letter)) > 1)
    desk.get_by_label("Type a name").focus()
    keys(desk, letter, "Enter")
    desk.get_by_text("names fit: type more").wait_for()

    assert desk.locator(".pick[aria-current]").count() == 0
    assert desk.locator(".pick.is-found").count() == len(fitting(desk, letter))

    first = fitting(desk, letter)[0]
    keys(desk, "ArrowDown", "Enter")
    desk.locator(".pick[aria-current]", has_text=first).wait_for()


def fitting(desk: Page, letter: str) -> list[str]:
    """The names with a letter, umlauts and all, as they stand in the draft."""
    return [name for name in desk.locator(".pick").all_inner_texts() if letter in make_search_key(name)]


def exchanged(before: set[frozenset[str]], one: str, other: str) -> set[frozenset[str]]:
    """The pairs with these two in each other's place."""
    swap = {one: other, other: one}
    return {frozenset(swap.get(name, name) for name in pair) for pair in before}


def test_enter_after_the_second_click_sets_the_two_against_each_other(desk: Page, draft: Round) -> None:
    one, other = two_apart(draft)
    pick(desk, one, other)
    keys(desk, "Enter")

    desk.get_by_text(f"{one} meets {other}.").wait_for()


def test_name_dragged_onto_another_changes_places_with_it(desk: Page, draft: Round) -> None:
    one, other = two_apart(draft)
    before = pairs(draft)
    desk.get_by_role("link", name=one, exact=True).drag_to(desk.get_by_role("link", name=other, exact=True))

    desk.get_by_text("have changed places.").wait_for()
    assert pairs(draft) == exchanged(before, one, other)


def test_third_name_takes_the_place_of_the_first_and_escape_starts_anew(desk: Page, draft: Round) -> None:
    names = desk.locator(".pick-name").all_inner_texts()[:3]
    pick(desk, *names)
    picked = desk.locator(".pick[aria-current] .pick-name").all_inner_texts()
    desk.keyboard.press("Escape")
    desk.get_by_role("heading", name="Change").wait_for()

    assert (set(picked), desk.locator(".pick[aria-current]").count()) == ({names[1], names[2]}, 0)


def test_question_about_two_names_is_answered_beside_them(desk: Page, draft: Round) -> None:
    before = pairs(draft)
    pick(desk, *two_apart(draft))

    desk.locator(".panel").get_by_role("heading", name="Why not these two?").wait_for()
    assert (pairs(draft), desk.locator(".panel li").count() > 0) == (before, True)


def test_two_who_meet_are_told_why(desk: Page, draft: Round) -> None:
    found = Pairing.objects.filter(round=draft).with_players().by_table()[0]
    assert found.second is not None
    pick(desk, found.first.name, found.second.name)

    desk.locator(".panel").get_by_text("Upper half against lower half").wait_for()
    assert desk.get_by_role("button", name="Let them meet").count() == 0


def test_going_back_finds_the_two_names_picked(desk: Page, draft: Round) -> None:
    one, other = two_apart(draft)
    pick(desk, one, other)
    desk.get_by_role("link", name="Entries").first.click()
    desk.get_by_role("heading", name="Entries").first.wait_for()
    desk.go_back()

    desk.get_by_role("button", name="Let them meet").click()
    desk.get_by_text(f"{one} meets {other}.").wait_for()


def test_bye_is_given_and_a_pair_locked_beside_the_name(desk: Page, draft: Round) -> None:
    one, _other = two_apart(draft)
    pick(desk, one)
    desk.get_by_role("button", name="Lock", exact=True).click()
    desk.get_by_text("Table 1 is locked.").wait_for()
    pick(desk, one)
    desk.get_by_role("button", name="Unlock").click()
    desk.get_by_text("Table 1 is no longer locked.").wait_for()
    pick(desk, one)
    desk.get_by_role("button", name="Give the bye").click()

    desk.get_by_text(f"{one} has the bye.").wait_for()
    assert frozenset((one,)) in pairs(draft)


def test_picking_works_without_a_script(browser: Browser, address: str, draft: Round) -> None:
    context = browser.new_context(java_script_enabled=False)
    sign_in(context, address)
    plain = context.new_page()
    plain.goto(address)
    one, other = two_apart(draft)
    pick(plain, one, other)
    plain.get_by_role("heading", name="Why not these two?").wait_for()
    plain.get_by_role("button", name="Let them meet").click()

    plain.get_by_text(f"{one} meets {other}.").wait_for()
    context.close()


def test_twenty_three_are_seen_at_once_and_what_can_be_done_with_two(live_server: Any, page: Page) -> None:
    division = factories.event(players=23)
    factories.played(division)
    draft_round(division, actor=factories.director(), wish=DrawWish(seed=1))
    sign_in(page.context, live_server.url)
    page.goto(live_server.url + reverse("director:round", args=["herbst-cup", 2]))
    publish = ".page-head .btn-primary"

    laptop = parts_out_of_sight(page, 1366, 768, publish, ".draft-list tbody tr @ 12", ".panel h2", "#pick-typed")
    phone = parts_out_of_sight(page, 360, 680, publish, ".draft-list tbody tr @ 3")
    names = page.locator(".pick-name").all_inner_texts()
    pick(page, names[0], names[3])
    two = (".draft-sel @ 2", "#by-hand [name=pair]", "#by-hand [name=swap]", ".panel .panel-part h3")
    picked = parts_out_of_sight(page, 360, 740, *two)

    assert (laptop, phone, picked, faults(page)) == ([], [], [], [])


def test_twelve_tables_of_a_published_round_are_seen_at_once(live_server: Any, page: Page) -> None:
    division = factories.event(players=24)
    factories.played(division)
    round = draft_round(division, actor=factories.director(), wish=DrawWish(seed=1))
    publish_round(round, actor=factories.director())
    for table in (1, 2, 5):
        factories.result(round, table, 380, 420)
    sign_in(page.context, live_server.url)
    page.goto(live_server.url + reverse("director:round", args=["herbst-cup", 2]))
    enter = ".page-head .btn-primary"

    laptop = parts_out_of_sight(page, 1366, 768, enter, ".round-list tbody tr @ 12", ".round-list .round-result a @ 12")
    phone = parts_out_of_sight(page, 360, 680, enter, ".round-list tbody tr @ 4")

    assert (laptop, phone, faults(page)) == ([], [], [])
