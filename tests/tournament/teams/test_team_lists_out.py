"""Teams and boards in lists that go out, and what an import reads of them."""

import csv
import io
import json
import re
from pathlib import Path

import openpyxl
import pytest
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.games.conftest import browser
from tests.markup import read_words
from tests.tournament.exchange.terminal import run
from tests.tournament.teams.test_team_matches import league
from tournament.entries.operations.attendance import withdraw_entry
from tournament.federation.files import make_report_zip
from tournament.federation.report import load_report
from tournament.models import Division, Entry
from tournament.rounds.team_matches import group_teams
from tournament.table.league import load_boards, load_table
from tournament.table.tables import StandingsTable
from tournament.teams.operations import line_up, name_teams

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    division = league(("Aachen", 4), ("Berlin", 2))
    actor, entries = factories.director(), {entry.player.name: entry for entry in division.entries.with_names()}
    name_teams(division, teams={entries["Aachen, 4"].pk: "-", entries["Berlin, 1"].pk: "Bären"}, actor=actor)
    name_teams(division, teams={entries["Berlin, 2"].pk: "Bären"}, actor=actor)
    boards = {entries["Aachen, 1"].pk: 7, entries["Aachen, 2"].pk: 3, entries["Berlin, 2"].pk: 1}
    line_up(division, number=1, boards=boards, resting=(), actor=actor)
    withdraw_entry(Entry.objects.get(pk=entries["Berlin, 1"].pk), after=0, actor=actor)
    return division


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    """Aachen (boards 7 and 3, and one without; a fourth player plays for nobody) and Berlin, of whom one has left."""
    return factories.fresh(division_of_module)


EXPECTED = {
    "Aachen, 1": ("Aachen", "2"),
    "Aachen, 2": ("Aachen", "1"),
    "Aachen, 3": ("Aachen", ""),
    "Aachen, 4": ("–", ""),
    "Berlin, 1": ("Bären", ""),
    "Berlin, 2": ("Bären", "1"),
}
"""Team and board of each by hand: 7 and 3 are the places 2 and 1 of those who have a board."""


def read_csv(text: str) -> dict[str, tuple[str, str]]:
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";")
    return {row["Name"].partition(" (")[0]: (row["Mannschaft"], row["Brett"]) for row in rows}


def list_orders(division: Division) -> dict[str, list[str]]:
    teams = group_teams(division.entries.with_names().in_order())
    return {team: [entry.player.name for entry in members] for team, members in teams.items()}


@pytest.mark.parametrize("form", ["csv", "json"])
def test_entries_go_out_and_come_in_again(form: str, division: Division, tmp_path: Path) -> None:
    copy, file = factories.event("Kopie", players=0, team_rule="matches", team_best=2), tmp_path / f"list.{form}"

    status, out, _err = run("show", division.tournament.slug, "entries", "--format", form)
    file.write_text(out, encoding="utf-8")
    read = run("import_players", str(file), "--tournament", copy.tournament.slug)

    assert (status, read[0]) == (0, 0), read
    if form == "csv":
        assert read_csv(out) == EXPECTED
    else:
        rows = {row["name"]: (row["team"], str(row["board"] or "")) for row in json.loads(out)}
        assert rows == EXPECTED
    assert list_orders(copy) == list_orders(division)
    before, after = (
        [
            {key: value for key, value in row.items() if key not in ("id", "withdrawn_after")}
            for row in json.loads(run("show", slug, "entries", "--format", "json")[1])
        ]
        for slug in (division.tournament.slug, copy.tournament.slug)
    )
    assert after == before
    assert "Bären" in run("show", division.tournament.slug, "entries")[1]


def test_table_and_report_have_team_and_board(division: Division) -> None:
    table = StandingsTable(load_table(division).rows, boards=load_boards(division))
    book = openpyxl.load_workbook(io.BytesIO(table.build_xlsx()))
    rows = {row["name"]: (row["team"], row["board"]) for row in _print_standings(division)}

    assert read_csv(table.build_csv().decode("utf-8")) == EXPECTED
    assert [cell.value for cell in book.worksheets[0][1]][-2:] == ["Mannschaft", "Brett"]
    assert rows == {name: (team, int(board) if board else None) for name, (team, board) in EXPECTED.items()}
    assert make_report_zip(load_report(division.tournament))


def _print_standings(division: Division) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(
        run("show", division.tournament.slug, "standings", "--format", "json")[1]
    )
    return rows


def test_lists_of_events_without_teams_stay_as_they_were() -> None:
    division = factories.event("Einzel", players=2)

    for what in ("entries", "standings"):
        out = run("show", division.tournament.slug, what, "--format", "csv")[1]
        assert "Mannschaft" not in out
        assert "Brett" not in out
    assert not {"team", "board"} & _print_standings(division)[0].keys()


def test_pages_of_entries_name_team_and_board(division: Division, client: Client) -> None:
    slug, row = division.tournament.slug, "<tr.*?</tr>"

    public = client.get(reverse("public:entries", args=[slug])).content.decode()
    own = browser(factories.director().user).get(reverse("director:entries", args=[slug])).content.decode()

    rows = [read_words(text) for text in re.findall(row, public, re.DOTALL)]
    assert any(text.startswith("Aachen, 1 Aachen Aachen Aachen 2") for text in rows)
    assert any("Bären 1" in text for text in rows)
    rows = [read_words(text) for text in re.findall(row, own, re.DOTALL)]
    assert any("Aachen, 1" in text and "Board 2" in text for text in rows)
    assert any("Berlin, 2" in text and "Bären · Board 1" in text for text in rows)


def test_pages_of_entries_have_no_teams_in_an_event_without(db: None, client: Client) -> None:
    division = factories.event(players=2)

    assert "Mannschaft" not in client.get(reverse("public:entries", args=[division.tournament.slug])).content.decode()
