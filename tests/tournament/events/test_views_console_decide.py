"""What the console says between rounds: the top of the table, what is to be decided, one click for all paper."""

import pytest
from django.test import Client
from django.utils.html import strip_tags

from games.referee.catalogue import IncidentEffect
from games.referee.effects import FIRST_SIDE, RefereeDecision
from games.referee.operations import NotedIncident, log_incident
from tests import factories
from tournament.entries.operations.attendance import check_in_entries
from tournament.models import Division, Entry, Pairing

CONSOLE = "/director/herbst-cup/"


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=4, rounds=2)


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.fixture
def doris_client(division: Division) -> Client:
    client = Client()
    factories.sign_in(client)
    client.cookies["django_language"] = "en"
    return client


def said(client: Client) -> str:
    return " ".join(strip_tags(client.get(CONSOLE).content.decode()).split())


def test_top_of_the_table_stands_between_rounds_only(division: Division, doris_client: Client) -> None:
    factories.played(division)
    between = said(doris_client)
    factories.published(division)
    during = said(doris_client)

    assert "Top of the table after round 1" in between
    assert "The whole table (4 players)" in between
    assert "Top of the table" not in during


def test_unchecked_players_are_named_once_ticks_are_used(division: Division, doris_client: Client) -> None:
    before = said(doris_client)
    first = Entry.objects.filter(division=division).in_order()[0]
    check_in_entries(division.tournament, shown=[first.pk], present=[first.pk], actor=factories.director())
    after = said(doris_client)

    assert "checked in" not in before
    assert "3 are not checked in: Dvořák, Jana; Müller-Lüdenscheidt, Ann-Kathrin; Öztürk, Cem." in after


def test_level_players_are_named_at_the_end(division: Division, doris_client: Client) -> None:
    factories.played(division, (400, 400), (400, 400))
    earlier = said(doris_client)
    factories.played(division, (400, 400), (400, 400))

    assert "Equal by every criterion" not in earlier
    assert "Equal by every criterion: Aumann, Klara; Dvořák, Jana; Müller-Lüdenscheidt, Ann-Kathrin" in said(
        doris_client
    )


def test_penalty_points_in_no_result_are_named(division: Division, doris_client: Client) -> None:
    factories.published(division)
    pairing = Pairing.objects.with_players().select_related("round__division__tournament").by_table()[0]
    noted = NotedIncident(
        "other", RefereeDecision(IncidentEffect.POINTS, frozenset({FIRST_SIDE}), points=10), note="Handy"
    )
    log_incident(pairing, noted=noted, actor=factories.director(), expected_version=None)

    assert "Round 1, table 1: penalty points of Aumann, Klara" in said(doris_client)


def test_everything_for_the_round_is_one_click_away(division: Division, doris_client: Client) -> None:
    factories.draft(division)

    page = doris_client.get(CONSOLE).content.decode()

    assert "print/round.pdf?division=A&amp;round=1" in page
    assert doris_client.get("/director/herbst-cup/print/round.pdf?division=A&round=1").status_code == 200


def test_no_round_is_prepared_beyond_the_plan(division: Division, doris_client: Client) -> None:
    made = factories.published(division)
    first = said(doris_client)
    for table in (1, 2):
        factories.result(made, table, 420, 380)
    factories.published(division)

    assert "Prepare round 2" in first
    assert "Prepare round" not in said(doris_client)
