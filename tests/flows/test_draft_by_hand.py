"""Changing a draft by picking two names, with the mouse, by keyboard alone, and without JavaScript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from tests import factories
from tests.browsers import keys, sign_in
from tournament.models import Pairing, Round
from tournament.rounds.drafts import DrawWish, draft_round

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


def test_two_names_clicked_meet(desk: Page, draft: Round) -> None:
    one, other = two_apart(draft)
    desk.get_by_label(one, exact=True).check(force=True)
    desk.get_by_text(f"{one}: pick a second name.").wait_for()
    desk.get_by_label(other, exact=True).check(force=True)
    desk.get_by_text(f"{one} and {other}:").wait_for()

    desk.locator("#by-hand").get_by_role("button", name="Let them meet").click()

    desk.get_by_text(f"{one} meets {other}.").wait_for()
    assert frozenset((one, other)) in pairs(draft)


def test_two_names_typed_change_places(desk: Page, draft: Round) -> None:
    one, other = two_apart(draft)
    before = pairs(draft)
    desk.get_by_label("Type a name").focus()
    keys(desk, one[:4].lower(), "Enter", other[:4].lower(), "Enter", "Shift+Enter")

    desk.get_by_text("have changed places.").wait_for()
    swap = {one: other, other: one}
    assert pairs(draft) == {frozenset(swap.get(name, name) for name in pair) for pair in before}


def test_third_name_takes_the_place_of_the_first_and_escape_starts_anew(desk: Page, draft: Round) -> None:
    names = desk.locator(".pick-name").all_inner_texts()[:3]
    for name in names:
        desk.get_by_label(name, exact=True).check(force=True)
    picked = desk.locator("input[name=pick]:checked").count()
    desk.get_by_text(f"{names[1]} and {names[2]}:").wait_for()
    desk.keyboard.press("Escape")

    assert (picked, desk.locator("input[name=pick]:checked").count()) == (2, 0)
    assert desk.locator("#by-hand").get_by_role("button", name="Let them meet").is_disabled()


def test_question_about_two_names_is_answered_below(desk: Page, draft: Round) -> None:
    one, other = two_apart(draft)
    for name in (one, other):
        desk.get_by_label(name, exact=True).check(force=True)
    before = pairs(draft), desk.url
    desk.get_by_role("button", name="Why not these two?").click()

    desk.locator("#by-hand #pick-answer [role=status]").wait_for()
    assert (pairs(draft), desk.url) == before


def test_question_at_a_pair_asks_for_the_second_name_and_answers_there(desk: Page, draft: Round) -> None:
    one, other = two_apart(draft)
    before = pairs(draft), desk.url
    desk.get_by_role("link", name=f"Why not …? {one}").click()
    desk.get_by_text(f"Why does {one} not meet …?").wait_for()

    keys(desk, other[:4].lower(), "Enter")

    desk.locator("#by-hand #pick-answer [role=status]").wait_for()
    assert (pairs(draft), desk.url) == before


def test_question_below_the_draft_is_answered_in_place(desk: Page, draft: Round) -> None:
    one, other = two_apart(draft)
    desk.get_by_label("Why does").select_option(label=one)
    desk.get_by_label("not meet", exact=True).select_option(label=other)
    before = desk.url
    desk.get_by_role("button", name="Work it out").click()

    desk.locator("#why-not-answer [role=status]").wait_for()
    assert desk.url == before


def test_going_back_finds_the_two_names_picked(desk: Page, draft: Round) -> None:
    one, other = two_apart(draft)
    for name in (one, other):
        desk.get_by_label(name, exact=True).check(force=True)
    desk.get_by_role("link", name="Pair otherwise").click()
    desk.get_by_role("heading", name="Pair round 2").wait_for()
    desk.go_back()

    desk.locator("#by-hand .pick-said").get_by_text(f"{one} and {other}:").wait_for()
    desk.locator("#by-hand").get_by_role("button", name="Let them meet").click()
    desk.get_by_text(f"{one} meets {other}.").wait_for()


def test_reasons_fold_away_and_stay_away(desk: Page, draft: Round) -> None:
    seen = desk.locator(".reason").first.is_visible()
    desk.get_by_label("Show the reasons").uncheck()
    folded = desk.locator(".reason").first.is_hidden()
    desk.reload()

    assert (seen, folded, desk.locator(".reason").first.is_hidden()) == (True, True, True)


def test_picking_works_without_a_script(browser: Browser, address: str, draft: Round) -> None:
    context = browser.new_context(java_script_enabled=False)
    sign_in(context, address)
    plain = context.new_page()
    plain.goto(address)
    one, other = two_apart(draft)
    plain.get_by_label(one, exact=True).check(force=True)
    plain.locator("#by-hand").get_by_role("button", name="Let them meet").click()
    plain.get_by_text("Pick two names in the table; 1 are picked now.").wait_for()
    for name in (one, other):
        plain.get_by_label(name, exact=True).check(force=True)
    plain.locator("#by-hand").get_by_role("button", name="Let them meet").click()

    plain.get_by_text(f"{one} meets {other}.").wait_for()
    context.close()
