"""The statistics page: records with their holders and where they were set, upsets, and what nobody wrote down."""

import re
from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from scoring.awards import Outcome
from tests import factories
from tournament.core.reports import PlayerReport, Report
from tournament.core.words.figures import format_average
from tournament.models import Division, Pairing
from tournament.results.operations import record_result, withdraw_result

AT = "/t/herbst-cup/"
PAGE = f"{AT}statistics/"
WINTER_AT = "/t/winter-cup/"
WINTER_PAGE = f"{WINTER_AT}statistics/"
"""Of the events that tests make besides the one they share."""


def shown(client: Client, page: str = PAGE) -> str:
    """The page's text, without tags."""
    content = client.get(page).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", content.split('id="content"')[1]))


def recorded(division: Division, table: int, first: PlayerReport, second: PlayerReport) -> None:
    """A result with what a score sheet knows, in the last round."""
    pairing = Pairing.objects.filter(round__division=division, table=table).latest("pk")
    pairing = Pairing.objects.select_related("round__division__tournament").get(pk=pairing.pk)
    report = Report(Outcome.PLAYED, first, second)
    record_result(pairing, report=report, actor=factories.director(), expected_version=None)


def test_records_are_named_with_their_games(public_cup: Division, reader: Client) -> None:
    text = shown(reader)

    assert "from 5 played games" in text
    for record in (
        "Highest game 500 Dvořák, Jana against Öztürk, Cem 500 : 300 · round 2",
        "Highest losing score 390 Müller-Lüdenscheidt, Ann-Kathrin against Öztürk, Cem 390 : 410 · round 1",
        "Highest combined score 800 Aumann, Klara – Dvořák, Jana 420 : 380 · round 1",
        "Aumann, Klara – Müller-Lüdenscheidt, Ann-Kathrin 400 : 400 · round 2 Dvořák, Jana – Öztürk, Cem 500 : 300",
        "Closest game draw Aumann, Klara – Müller-Lüdenscheidt, Ann-Kathrin 400 : 400 · round 2",
        "Biggest win 200 Dvořák, Jana against Öztürk, Cem 500 : 300 · round 2",
        "Best average 440.0 Dvořák, Jana in 2 games",
    ):
        assert record in text


def test_links_lead_to_cards_and_rounds(public_cup: Division, reader: Client) -> None:
    page = reader.get(PAGE).content.decode()

    assert f'<a href="{AT}players/P02/">Dvořák, Jana</a>' in page
    assert f'<a href="{AT}rounds/2/">round 2</a>' in page


def test_upsets_are_listed_with_their_ratings(public_cup: Division, reader: Client) -> None:
    text = shown(reader)

    assert "Öztürk, Cem against Müller-Lüdenscheidt, Ann-Kathrin 410 : 390 · round 1 1611 : 1650 39" in text
    assert "None: nobody has beaten" not in text


def test_without_upsets_it_says_so(reader: Client) -> None:
    factories.played(factories.event("Winter-Cup", players=2))

    assert "None: nobody has beaten a higher-rated player yet." in shown(reader, WINTER_PAGE)


def test_what_nobody_wrote_down_is_said(public_cup: Division, reader: Client) -> None:
    text = shown(reader)

    assert "No single plays are recorded, so there is no best move." in text
    assert "No seven-tile plays are recorded." in text


def test_moves_and_seven_tile_plays_come_from_the_results(public_cup: Division, reader: Client) -> None:
    recorded(public_cup, 2, PlayerReport(400, bingos=2, moves=(98, 60)), PlayerReport(410, bingos=0))

    text = shown(reader)

    assert "Best move 98 Müller-Lüdenscheidt, Ann-Kathrin against Dvořák, Jana 400 : 410 · round 3" in text
    assert "Most seven-tile plays in a game 2 Müller-Lüdenscheidt, Ann-Kathrin against" in text
    assert "Most seven-tile plays in all 2 Müller-Lüdenscheidt, Ann-Kathrin in 1 game" in text
    assert "Best move: single plays are recorded for 1 of 6 games." in text
    assert "Seven-tile plays are recorded for 1 of 6 games." in text


def test_nothing_is_said_when_everything_is_recorded(reader: Client) -> None:
    division = factories.event("Winter-Cup", players=2)
    factories.published(division)
    recorded(division, 1, PlayerReport(400, bingos=1, moves=(70,)), PlayerReport(380))

    assert "recorded" not in shown(reader, WINTER_PAGE)


def test_byes_and_no_shows_are_no_games(reader: Client) -> None:
    division = factories.event("Winter-Cup", players=3)
    round = factories.published(division)
    factories.result(round, 1, None, None, Outcome.SECOND_FORFEITS)

    text = shown(reader, WINTER_PAGE)

    assert "No game is finished yet" in text
    assert "statistics" not in reader.get(f"{WINTER_AT}table/").content.decode()


def test_stopped_game_counts_for_the_innocent_player_s_own_score_alone(public_cup: Division, reader: Client) -> None:
    round = factories.published(public_cup)
    factories.result(round, 1, 560, 570, Outcome.SECOND_FORFEITS)

    text = shown(reader)

    assert "Highest game 560 Aumann, Klara against Dvořák, Jana 560 : 570 · round 4 awarded" in text
    assert "from 5 played games" in text


def test_games_of_the_knock_out_count(reader: Client) -> None:
    division = factories.knockout(factories.event("Winter-Cup", players=4), 4)
    factories.knockout_game(division, (1, 1, 1), 601, 333)

    page = reader.get(WINTER_PAGE).content.decode()

    assert "Highest game 601" in shown(reader, WINTER_PAGE)
    assert f'<a href="{WINTER_AT}bracket/">Semi-final 1</a>' in page


def test_withdrawn_result_takes_its_records_along(public_cup: Division, reader: Client) -> None:
    pairing = Pairing.objects.select_related("round__division__tournament").get(round__number=2, table=2)
    withdraw_result(pairing, actor=factories.director(), expected_version=1, why="wrong table")

    assert "Highest game 450" in shown(reader)


def test_nav_leads_here_once_a_game_is_played(reader: Client) -> None:
    division = factories.event("Winter-Cup", players=2)
    round = factories.published(division)
    before = reader.get(f"{WINTER_AT}table/").content.decode()

    factories.result(round, 1, 400, 380)

    assert (
        f'href="{WINTER_PAGE}"' in before,
        f'href="{WINTER_PAGE}"' in reader.get(f"{WINTER_AT}table/").content.decode(),
    ) == (False, True)


def test_queries_are_few_and_do_not_grow_with_the_knock_out(reader: Client) -> None:
    for name, rounds in (("Klein", 1), ("Gross", 7)):
        division = factories.event(name, players=8)
        factories.season(division, rounds)
        factories.knockout(factories.fresh(division), 4)
        factories.knockout_game(division, (1, 1, 1), 601, 333)
    counts = []

    for slug in ("klein", "gross"):
        with CaptureQueriesContext(connection) as captured:
            reader.get(f"/t/{slug}/statistics/")
        counts.append(len(captured))

    assert counts[0] == counts[1] <= 9


@pytest.mark.parametrize(
    ("points", "german"), [((841, 2), "420,5"), ((1263, 3), "421,0"), ((1685, 4), "421,3"), ((-1, 4), "-0,2")]
)
def test_average_is_rounded_half_up(points: tuple[int, int], german: str) -> None:
    with translation.override("de"):
        assert format_average(Fraction(*points)) == german
