"""Where teams meet, their names stand wherever the pairings do: pages, grid, screens, frames, stream, paper."""

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from tests import factories
from tests.games.conftest import browser
from tests.tournament.paper.samples import pages
from tests.tournament.teams.test_team_matches import drawn, league, publish, tables
from tournament.files.print_room import render_document
from tournament.hall.contents import PART_MAKERS
from tournament.models import Division, Screen
from tournament.teams.operations import name_teams

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    """A published match of the Reds, who play for Aachen, and of Berlin, with one result."""
    division = league(("Aachen", 2), ("Berlin", 2))
    reds = {entry.pk: "Rote Türme" for entry in division.entries.filter(player__name__startswith="Aachen")}
    name_teams(division, teams=reds, actor=factories.director())
    round = publish(drawn(division))
    factories.result(round, tables(round)[0][0], 430, 380)
    return division


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.mark.parametrize("page", ["t/{}/rounds/1/", "t/{}/rounds/1/?by=name", "t/{}/embed/pairings/"])
def test_public_pages_and_frames_name_the_teams(page: str, division: Division, client: Client) -> None:
    answer = client.get(f"/{page.format(division.tournament.slug)}")

    assertContains(answer, '<span class="cell-note ">Rote Türme</span>')
    assertContains(answer, '<span class="cell-note ">Berlin</span>')


def test_round_says_which_teams_meet_and_how_it_stands(division: Division, client: Client) -> None:
    slug = division.tournament.slug

    director = browser(factories.director().user).get(f"/director/{slug}/rounds/1/")
    public = client.get(f"/t/{slug}/rounds/1/")

    for page in (director, public):
        assertContains(page, "Rote Türme")
        assert "1 : 0" in page.content.decode() or "0 : 1" in page.content.decode()
    assertContains(director, f"/director/{slug}/rounds/1/match/")
    assertNotContains(public, "/match/")


def test_grid_names_the_teams(division: Division) -> None:
    slug = division.tournament.slug

    assertContains(
        browser(factories.director().user).get(f"/director/{slug}/results/1/"),
        '<span class="cell-note ">Rote Türme</span>',
        count=2,
    )


def test_screens_and_stream_name_the_teams(division: Division, client: Client) -> None:
    pairs = PART_MAKERS[Screen.Shows.PAIRINGS](division).pairs
    rows = PART_MAKERS[Screen.Shows.NAMES](division).rows

    assert {side.name for pair in pairs for side in (pair.first, pair.second) if side} == {
        *("Aachen, 1 (Rote Türme)", "Aachen, 2 (Rote Türme)", "Berlin, 1 (Berlin)", "Berlin, 2 (Berlin)")
    }
    assert next(row.cells[0] for row in rows) == "Aachen, 1 (Rote Türme)"
    assertContains(client.get(f"/t/{division.tournament.slug}/stream/pairings/"), "(Rote Türme)")


@pytest.mark.parametrize("document", ["pairings", "pairings-by-name", "result-slips"])
def test_paper_names_the_teams(document: str, division: Division) -> None:
    assert "Rote Türme" in " ".join(pages(render_document(document, division)))


def test_list_of_entries_on_paper_has_team_and_board(division: Division) -> None:
    division.entries.filter(player__name="Aachen, 2").update(board=7)

    text = " ".join(pages(render_document("entries", division)))

    assert "Mannschaft Brett" in text
    assert "Aachen, 2 Rote Türme 1 Aachen" in text  # the only one of the team with a board
    individual = " ".join(pages(render_document("entries", factories.event("Einzel", players=2))))
    assert "Mannschaft" not in individual


def test_players_of_no_team_match_have_no_team_beside_them(client: Client) -> None:
    division = factories.event(players=4, rounds=1)
    factories.published(division)

    assertNotContains(client.get(f"/t/{division.tournament.slug}/rounds/1/"), "cell-note")
    assert "(" not in PART_MAKERS[Screen.Shows.PAIRINGS](division).pairs[0].first.name
