"""The manual as help: a chapter for each page, links that lead somewhere, words that are found."""

import re

import pytest
from django.test import Client

from tests.tournament.pages.manual_reader import list_quoted
from tests.tournament.pages.test_views_kept_input import patterns
from tournament.pages.manual import CHAPTERS, MANUALS, find_chapter_key, list_chapters, render_chapter, search_chapters

CONSOLE = {
    "director/<slug:slug>/",
    "director/<slug:slug>/at-work/",
    "director/<slug:slug>/news/",
}
"""What belongs to the overview itself."""
ALONE = {
    "de": {
        "settings": {"Für alle sichtbar", "Was das Publikum sieht"},  # in English in the chapter before
        "faults": {"Deutsch"},
    },
    "en": {
        "start": {"English"},
        "new": {"Language and visibility", "Language of the public pages", "Visible to everybody"},
        "faults": {"English"},
    },
    "nl": {
        "start": {"Nederlands"},
        "new": {"Puntenscrabble-avond", "Wedstrijdscrabble"},
        "settings": {"Zelden"},
        "one-result": {"Straf, toekenning …", "Niet verschenen"},
        "coming-and-going": {"Niet verschenen"},
        "faults": {"Nederlands"},
        "referee": {"Straf, toekenning …", "Fout woord later ontdekt", "Partij opnieuw gestart"},
        "judge": {"Jury", "Antwoorden en tellen", "Landelijk toernooi", "Alle voorgelegde woorden"},
    },
}
"""Words of the program that one language's chapter has and another's has not: names of languages, Dutch rules."""
HREF = re.compile(r'href="([^"]*)"')


def test_each_page_of_an_event_has_a_chapter_of_its_own() -> None:
    routes = {route for route, _pattern in patterns() if route.startswith("director/<slug:slug>/")}

    assert len(routes) > 150
    assert {route for route in routes if find_chapter_key(route) == "overview"} == CONSOLE


@pytest.mark.parametrize("language", MANUALS)
def test_chapters_of_pages_stand_in_each_language(language: str) -> None:
    assert set(CHAPTERS.values()) - set(list_chapters(language)) == set()


@pytest.mark.parametrize("language", MANUALS)
def test_links_between_chapters_lead_to_them(language: str) -> None:
    pages = {f"/help/{key}/": str(render_chapter(language, key)) for key in list_chapters(language)}

    links = [(page, href) for page, text in pages.items() for href in HREF.findall(text) if "://" not in href]
    broken = []
    for page, href in links:
        path, _hash, _anchor = href.partition("#")
        if (path or page) not in pages:
            broken.append((page, href))
    assert len(links) > 20
    assert broken == []
    assert [page for page, text in pages.items() if "](" in text or "<!--" in text or "&lt;" in text] == []


@pytest.mark.parametrize(("language", "other"), [("de", "en"), ("de", "nl"), ("en", "de"), ("nl", "de")])
def test_chapters_name_the_same_words_of_the_program(language: str, other: str) -> None:
    """German chapters are followed in a browser (`test_manual_browser.py`), the others held to theirs."""
    lacking = {}
    for key in list_chapters(language):
        ids = frozenset().union(*list_quoted(other, key).values())
        alone = {word for word, own in list_quoted(language, key).items() if not own & ids}
        if alone - ALONE[language].get(key, set()):
            lacking[key] = alone - ALONE[language].get(key, set())

    assert lacking == {}


def test_heading_of_a_part_is_below_that_of_the_page() -> None:
    assert '<h2 id="ausschreiben">Ausschreiben</h2>' in render_chapter("de", "knockout")


def test_words_are_found_as_names_are(client: Client) -> None:
    [(first, _excerpt), *_others] = search_chapters("de", "mannschaften")
    titles = {chapter.title for chapter, _excerpt in search_chapters("de", "zurückziehen")}

    assert first.key == "teams"  # in the title
    assert "Wer fehlt, geht oder später kommt" in titles
    assert titles == {chapter.title for chapter, _excerpt in search_chapters("de", "ZURUCKZIEHEN")}
    assert search_chapters("de", "  ") == []
    for _chapter, excerpt in search_chapters("de", "freilos hand"):
        assert len(excerpt) < 220


@pytest.mark.django_db
def test_pages_of_the_help(client: Client) -> None:
    chapters = client.get("/help/", headers={"Accept-Language": "de"}).text
    chapter = client.get("/help/draw/", headers={"Accept-Language": "de"}).text
    nowhere = client.get("/help/?q=<b>qqq", headers={"Accept-Language": "de"}).text

    assert 'href="/help/draw/"' in chapters
    assert "<h1>Runde paaren</h1>" in chapter
    assert "„&lt;b&gt;qqq“ steht nirgends im Handbuch" in nowhere
    assert client.get("/help/nothing/").status_code == 404


@pytest.mark.django_db
def test_page_leads_to_its_chapter(client: Client) -> None:
    assert 'href="/help/start/" target="_blank"' in client.get("/login/").text
    assert 'href="/help/visitors/"' in client.get("/").text
    assert 'href="/help/visitors/"' in client.get("/nowhere/").text
