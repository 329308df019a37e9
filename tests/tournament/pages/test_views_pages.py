"""What all pages of a tournament have in common: who sees them, what never leaks, how many questions they ask."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests import factories
from tests.tournament.public_pages import FILES, PAGES
from tournament.events.operations import add_division, set_public
from tournament.models import Division
from tournament.rounds.operations import publish_round

AT = "/t/herbst-cup/"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", PAGES + FILES)
def test_page_is_open_to_everybody(path: str, public_cup: Division, reader: Client, stranger_client: Client) -> None:
    assert (reader.get(AT + path).status_code, stranger_client.get(AT + path).status_code) == (200, 200)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", PAGES + FILES)
def test_page_of_a_hidden_tournament_is_not_found(path: str, public_cup: Division, reader: Client) -> None:
    seen = reader.get(AT + path)
    set_public(public_cup.tournament, public=False, actor=factories.director())

    hidden = reader.get(AT + path, headers={"if-none-match": seen.headers["ETag"]})

    assert (seen.status_code, hidden.status_code) == (200, 404)


@pytest.mark.parametrize("path", PAGES + FILES)
@pytest.mark.sampled(6)
def test_page_of_no_tournament_is_not_found(path: str, reader: Client) -> None:
    assert reader.get("/t/nichts/" + path).status_code == 404


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", PAGES + FILES)
def test_page_refuses_other_methods(path: str, public_cup: Division, reader: Client) -> None:
    assert reader.post(AT + path).status_code == 405


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", [path for path in PAGES if "players" not in path])
def test_page_of_an_unknown_division_is_not_found(path: str, public_cup: Division, reader: Client) -> None:
    assert reader.get(f"{AT}{path}{'&' if '?' in path else '?'}division=Z").status_code == 404


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", ["rounds/9/", "rounds/0/", "table/9/", "table/0/", "players/P99/", "table.doc"])
def test_page_of_what_is_not_there_is_not_found(path: str, public_cup: Division, reader: Client) -> None:
    assert reader.get(AT + path).status_code == 404


AHEAD = {
    "/t/herbst-cup/rounds/1/": "/t/herbst-cup/rounds/",
    "/t/herbst-cup/table/1/": "/t/herbst-cup/table/",
    "/director/herbst-cup/rounds/2/": "/director/herbst-cup/rounds/",
    "/director/herbst-cup/results/1/": "/director/herbst-cup/rounds/",
    "/director/herbst-cup/table/1/": "/director/herbst-cup/table/",
}
"""Pages of a number that division A has and division B has not, each with the page of B to which its tab leads."""


@pytest.mark.parametrize("page", AHEAD)
@pytest.mark.sampled(2)
def test_tab_of_a_division_that_is_not_so_far_leads_to_its_own_page(
    page: str, public_cup: Division, doris_client: Client
) -> None:
    add_division(public_cup.tournament, name="B", segments=[], actor=factories.director())
    tab = f"{page}?division=B"

    assert f'href="{tab}"' in doris_client.get(f"{page}?division=A").content.decode()
    assert doris_client.get(tab, follow=True).redirect_chain[-1][0] == f"{AHEAD[page]}?division=B"
    assert doris_client.get(tab.replace("/1/", "/9/").replace("/2/", "/9/")).status_code == 404


def test_tab_tells_nobody_of_another_divisions_draft(public_cup: Division, reader: Client) -> None:
    add_division(public_cup.tournament, name="B", segments=[], actor=factories.director())
    factories.draft(public_cup)

    assert reader.get("/t/herbst-cup/rounds/4/?division=B").status_code == 404


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "path", ["table.csv?after=9", "table.pdf?after=-1", "table.json?after=²", "table.csv?after=1.0"]
)
def test_file_of_another_round_is_not_found(path: str, public_cup: Division, reader: Client) -> None:
    assert reader.get(AT + path).status_code == 404


@pytest.mark.long
def test_draft_changes_no_page(public_cup: Division, reader: Client) -> None:
    addresses = [AT + path for path in (*PAGES, "rounds/3/", "table/3/", "table.csv", "table.json")]
    before = {address: (reader.get(address).content, reader.get(address).headers["ETag"]) for address in addresses}
    drawn = factories.draft(public_cup)

    after = {address: (reader.get(address).content, reader.get(address).headers["ETag"]) for address in addresses}
    draft_pages = [reader.get(f"{AT}{place}/{drawn.number}/").status_code for place in ("rounds", "table")]

    assert after == before
    assert draft_pages == [404, 404]
    assert reader.get(f"{AT}table.csv?after={drawn.number}").status_code == 404


def test_director_sees_no_draft_on_public_pages_either(public_cup: Division, director_client: Client) -> None:
    drawn = factories.draft(public_cup)

    assert director_client.get(f"{AT}rounds/{drawn.number}/").status_code == 404


def test_published_round_appears_everywhere(public_cup: Division, reader: Client) -> None:
    before = reader.get(AT + "rounds/").content
    drawn = factories.draft(public_cup)
    publish_round(drawn, actor=factories.director())

    assert reader.get(AT + "rounds/").content != before
    assert reader.get(f"{AT}rounds/{drawn.number}/").status_code == 200


@pytest.mark.long
def test_pages_ask_as_often_for_one_player_as_for_a_hundred(reader: Client) -> None:
    for players in (1, 3, 100):
        factories.season(factories.event(f"Cup {players}", players=players), 3)
    asked: dict[str, set[tuple[int, int]]] = {path: set() for path in PAGES}

    for path in PAGES:
        for players in (1, 3, 100):
            with CaptureQueriesContext(connection) as queries:
                status = reader.get(f"/t/cup-{players}/{path}").status_code
            asked[path].add((status, len(queries)))

    assert {path: len(answers) for path, answers in asked.items()} == dict.fromkeys(PAGES, 1)
    assert set.union(*asked.values()) <= {(200, count) for count in range(1, 20)}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", PAGES)
def test_page_escapes_names(path: str, reader: Client) -> None:
    division = factories.event(players=0, announcement="<b>fett</b>")
    for number in range(2):
        factories.entry(division, f"<script>alert({number})</script>", exception="<i>kursiv</i>")
    factories.played(division)

    page = reader.get(AT + path).content.decode()

    assert not re.search(r"<script>alert|<b>fett|<i>kursiv", page)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", PAGES)
def test_page_speaks_german_unless_told_otherwise(
    path: str, public_cup: Division, client: Client, reader: Client
) -> None:
    asked_for_english = client.get(AT + path, headers={"accept-language": "en"}).content.decode()
    chosen = reader.get(AT + path).content.decode()

    assert '<html lang="de">' in asked_for_english
    assert '<html lang="en">' in chosen


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", PAGES)
def test_page_has_one_main_heading_and_landmarks(path: str, public_cup: Division, reader: Client) -> None:
    page = reader.get(AT + path).content.decode()

    assert [page.count(f"<{tag}") for tag in ("h1>", "main ", "header ", "footer ")] == [1, 1, 1, 1]
    assert page.count("btn-primary") <= 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", PAGES)
def test_page_needs_no_inline_code(path: str, public_cup: Division, reader: Client) -> None:
    page = reader.get(AT + path).content.decode()

    assert not re.search(r"<script(?! src)|<style|\sstyle=|\son[a-z]+=", page)
    assert not re.search(r'(src|href)="https?://', page)


def test_page_shows_tabs_for_several_divisions_only(public_cup: Division, reader: Client) -> None:
    alone = reader.get(AT + "table/").content.decode()
    add_division(public_cup.tournament, name="Gruppe B & Gäste", actor=factories.director())

    together = reader.get(AT + "table/").content.decode()

    assert "Gruppe B" not in alone
    assert '<a href="/t/herbst-cup/table/?division=Gruppe%20B%20%26%20G%C3%A4ste"' in together
    assert '<a href="/t/herbst-cup/rounds/?division=A"' in together
