"""The knock-out on its page: the matches, files, and the link that leads there."""

import re
from html import unescape
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.awards import Outcome
from tests import factories
from tests.tournament.paper import samples
from tournament.events.operations import add_division
from tournament.knockout.operations import announce_knockout
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Entry

PAGE = "/t/herbst-cup/bracket/"


@pytest.fixture(scope="module")
def public_cup_of_module(*, shares_rows: bool) -> Division:
    """A knock-out of five over two games each: match 1 decided by the better place, match 2 stands at 1 of 2 games."""
    division = factories.event(players=5)
    one, two, three, four, five = Entry.objects.filter(division=division).in_order()
    factories.played(division, (500, 300), (450, 350), pairs=[(one, five), (two, four), (three, None)])
    division = factories.knockout(division, 5, form="double", criteria=("preliminary_rank",), third_place=True)
    for game in (1, 2):
        factories.knockout_game(division, (1, 2, game), 400, 400)
    factories.knockout_game(division, (2, 2, 1), None, None, Outcome.SECOND_FORFEITS)
    return division


@pytest.fixture
def public_cup(public_cup_of_module: Division, db: None) -> Division:
    return factories.fresh(public_cup_of_module)


def cards(page: Any) -> list[str]:
    """What each match says, without its markup, stage by stage."""
    articles = re.findall(r"<article.*?</article>", page.content.decode(), re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", unescape(article)).split()) for article in articles]


def test_each_match_says_who_plays_the_games_and_what_decided(public_cup: Division, reader: Client) -> None:
    assert cards(reader.get(PAGE)) == [
        "Quarter-final 1 1 Aumann, Klara bye",
        (
            "Quarter-final 2 better preliminary place 4 : 5 4 Öztürk, Cem (winner) 800 5 Fuchs, Emil 800"
            " Game 1 400 : 400 Game 2 400 : 400"
        ),
        "Quarter-final 3 2 Dvořák, Jana bye",
        "Quarter-final 4 3 Müller-Lüdenscheidt, Ann-Kathrin bye",
        "Semi-final 1 Table 1 1 Aumann, Klara starts 4 Öztürk, Cem",
        (
            "Semi-final 2 Table 2 2 Dvořák, Jana 400 3 Müller-Lüdenscheidt, Ann-Kathrin starts 0"
            " Game 1 Müller-Lüdenscheidt, Ann-Kathrin loses by award Game 2 open"
        ),
        "Final winner of Semi-final 1 winner of Semi-final 2",
        "Match for third place loser of Semi-final 1 loser of Semi-final 2",
    ]


def test_the_public_page_has_the_directors_bracket_without_its_acts(
    public_cup: Division, reader: Client, director_client: Client
) -> None:
    shown, directed = reader.get(PAGE), director_client.get("/director/herbst-cup/knockout/")

    def places(page: Any) -> list[tuple[int, int]]:
        return [card.match.place for stage in page.context["stages"] for card in stage.matches]

    assert places(shown) == places(directed)
    assert shown.context["heading"] == "2 matches are being played"
    assert (b"<form" in directed.content, b"/results/" in shown.content, b"csrf" in shown.content) == (
        True,
        False,
        False,
    )


def test_names_lead_to_the_players_cards(public_cup: Division, reader: Client) -> None:
    assert '<a href="/t/herbst-cup/players/P01/">Aumann, Klara</a>' in reader.get(PAGE).content.decode()


def test_page_says_how_it_is_played(public_cup: Division, reader: Client) -> None:
    body = reader.get(PAGE).content.decode()

    assert "two games, the points of both together (TSO 6.2.2)" in body
    assert "place before the knock-out, highest game, highest move (TSO 6.2.4); then lots are drawn" in body


def test_table_leads_to_the_knockout_where_there_is_one(public_cup: Division, reader: Client) -> None:
    factories.event("Ohne", players=4)

    with_it, without = (reader.get(f"/t/{slug}/table/").content.decode() for slug in ("herbst-cup", "ohne"))

    assert f'href="{PAGE}">Knock-out</a>' in with_it
    assert "/bracket/" not in without


def test_division_without_a_knockout_says_so(public_cup: Division, reader: Client) -> None:
    add_division(public_cup.tournament, name="Gruppe B", actor=factories.director())

    page = reader.get(f"{PAGE}?division=Gruppe+B")

    assert "This division has no knock-out" in page.content.decode()
    assert "ko-match" not in page.content.decode()
    assert [reader.get(f"/t/herbst-cup/bracket.{name}?division=Gruppe+B").status_code for name in ("pdf", "svg")] == [
        404, 404,
    ]  # fmt: skip


def test_announced_knockout_shows_seeds_to_come(reader: Client) -> None:
    division = factories.event("Winter-Cup", players=4)
    announce_knockout(division, plan=KnockoutPlan(4), actor=factories.director())

    page = reader.get("/t/winter-cup/bracket/")

    assert "until then each place shows its seed" in page.content.decode()
    assert cards(page)[0] == "Semi-final 1 seed 1 seed 4"


def test_result_changes_the_cached_page(public_cup: Division, reader: Client) -> None:
    before = reader.get(PAGE).headers["ETag"]
    factories.knockout_game(public_cup, (2, 1, 1), 500, 300)

    page = reader.get(PAGE)

    assert page.headers["ETag"] != before
    assert "Game 1 500 : 300" in cards(page)[4]


@pytest.mark.long
def test_page_asks_as_often_for_two_players_as_for_many(reader: Client) -> None:
    asked = set()
    for size, games in ((2, 0), (5, 3), (64, 40)):
        division = factories.knockout(factories.event(f"Cup {size}", players=size), size, third_place=size > 3)
        factories.knockout_games(division, games)
        with CaptureQueriesContext(connection) as queries:
            status = reader.get(f"/t/cup-{size}/bracket/").status_code
        asked.add((status, len(queries)))

    assert asked == {(200, 10)}


def test_page_escapes_names(reader: Client) -> None:
    division = factories.event("Winter-Cup", players=0)
    for number in range(3):
        factories.entry(division, f"<script>alert({number})</script>")
    factories.knockout_games(factories.knockout(division, 3), 2)

    body = reader.get("/t/winter-cup/bracket/").content.decode()

    assert "<script>alert" not in body
    assert "&lt;script&gt;alert(2)" in body


def test_page_needs_no_inline_style(public_cup: Division, reader: Client) -> None:
    body = reader.get(PAGE).content.decode()

    assert ("<style" in body, " style=" in body) == (False, False)


def test_knockout_as_a_file(public_cup: Division, reader: Client) -> None:
    pdf, svg = (reader.get(f"/t/herbst-cup/bracket.{name}") for name in ("pdf", "svg"))

    assert (pdf.headers["Content-Type"], svg.headers["Content-Type"]) == ("application/pdf", "image/svg+xml")
    assert svg.headers["Content-Disposition"].startswith('attachment; filename="herbst-cup-')
    assert "Öztürk, Cem" in samples.pages(pdf.content)[0]
    assert ET.fromstring(svg.content).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("name", ["doc", "html", "svg.exe"])
def test_knockout_as_another_file_is_not_found(name: str, public_cup: Division, reader: Client) -> None:
    assert reader.get(f"/t/herbst-cup/bracket.{name}").status_code == 404


def test_note_that_the_table_settles_who_plays_goes_with_the_seeding(public_cup: Division, reader: Client) -> None:
    announced = factories.event(players=4, name="Angesagt")
    announce_knockout(announced, plan=KnockoutPlan(4, "double"), actor=factories.director())
    waiting = reader.get(f"/t/{announced.tournament.slug}/bracket/").content.decode()

    assert "The table decides who plays here" in waiting
    assert "The table decides who plays here" not in reader.get(PAGE).content.decode()
