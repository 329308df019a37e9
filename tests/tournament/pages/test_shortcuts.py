"""Keys of the pages of those who work: one list that the page shows and its script reads."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import NoReverseMatch, reverse

from tests import factories
from tests.games.conftest import browser
from tournament.pages.shortcuts import SHORTCUTS, assign_letters

AT = "/director/herbst-cup/"
STATIC = Path(settings.BASE_DIR) / "static"
SCRIPTS = {
    "games:grid": "grid.js",
    "draft": "draft.js",
    "games:sheet": "sheet.js",
    "director:check_in": "tick.js",
    "director:choose_players": "tick.js",
    "director:hall": "desk.js",
    "director:hall_ceremony": "desk.js",
    "games:duplicate": "duplicate.js",
    "games:duplicate_second": "duplicate.js",
    "games:best_plays": "replay.js",
}


def list_keys(page: str) -> dict[str, str]:
    """The acts of a page's list with their keys."""
    return dict(re.findall(r'data-act="(\w+)" data-keys="([^"]+)"', page))


@pytest.mark.parametrize(
    ("labels", "letters"),
    [
        (["Übersicht", "Teilnehmer", "Runden", "Tabelle", "Abschluss", "Drucken", "Saal"], "utrbads"),
        (["Overview", "Entries", "Rounds", "Standings", "Finish", "Print", "Hall"], "oersfph"),
        (["Overzicht", "Deelnemers", "Rondes", "Stand", "Afsluiting", "Afdrukken", "Zaal"], "odrsafz"),
        (["My tournaments", "My account"], "ma"),
        (["Aa", "Aa", "Aa", "¡!"], "abcd"),
    ],
)
def test_each_way_has_a_letter_of_its_own(labels: list[str], letters: str) -> None:
    assert "".join(assign_letters(labels)) == letters


def test_no_letter_is_given_twice_or_beyond_the_alphabet() -> None:
    letters = assign_letters(["Saal"] * 27)

    assert letters[26] == ""
    assert sorted(letters[:26]) == sorted(set(letters[:26]))


def test_every_page_with_keys_has_a_script_that_reads_them() -> None:
    assert set(SCRIPTS) == set(SHORTCUTS)
    for script in set(SCRIPTS.values()):
        text = (STATIC / script).read_text(encoding="utf-8")
        assert "shortcuts.act(event)" in text, script
        assert not re.search(r'event\.key === "(Enter|Escape|Tab|Insert|Delete|/| )"', text), script


def test_no_two_acts_of_a_page_have_the_same_key() -> None:
    for page, shortcuts in SHORTCUTS.items():
        keys = [key for shortcut in shortcuts for key in shortcut.keys]
        assert len(keys) == len(set(keys)), page


def test_named_pages_are_addresses_or_say_so_themselves() -> None:
    for page in set(SHORTCUTS) - {"draft"}:
        arguments: list[list[object]] = [["x"], ["x", 1], [1]]
        assert any(_can_lead(page, args) for args in arguments), page


def _can_lead(page: str, args: list[object]) -> bool:
    try:
        reverse(page, args=args)
    except NoReverseMatch:
        return False
    return True


@pytest.fixture
def doris(db: None) -> Client:
    division = factories.event(players=4)
    factories.published(division)
    return browser(factories.director().user)


@pytest.mark.parametrize(
    ("path", "acts"),
    [
        ("results/1/", {"walk", "enter", "leave", "jump", "discard"}),
        ("entries/check-in/", {"walk", "enter"}),
        ("hall/", {"press", "next", "back"}),
        ("rounds/1/", set()),
        ("", set()),
    ],
)
@pytest.mark.sampled(2)
def test_page_lists_its_own_keys(doris: Client, path: str, acts: set[str]) -> None:
    page = doris.get(AT + path).text

    assert set(list_keys(page)) == acts
    assert 'class="shortcut-ways"' in page
    assert 'data-letter="o"' in page


def test_draft_where_letters_find_names_offers_no_letters_for_pages(db: None) -> None:
    division = factories.event(players=4)
    factories.draft(division)

    page = browser(factories.director().user).get(f"{AT}rounds/1/").text

    assert list_keys(page)["find"] == "a-z"
    assert "shortcut-ways" not in page


@pytest.mark.parametrize("path", ["", "table/", "rounds/1/", "entries/"])
@pytest.mark.sampled(2)
def test_public_pages_have_no_keys(path: str, doris: Client) -> None:
    page = Client().get(f"/t/herbst-cup/{path}").text

    assert "shortcuts" not in page
    assert "data-letter" not in page
