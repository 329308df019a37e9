"""Cells and tables for spreadsheet programs: no text of ours is ever taken for a command."""

import csv
import io

import openpyxl
import pytest
from django.utils import translation

from tests import factories
from tournament.basics.cells import build_csv, escape_formula
from tournament.core.change import Actor, change
from tournament.journal.files import build_journal_csv
from tournament.table.files import build_standings_json
from tournament.table.league import LeagueTable, load_table
from tournament.table.tables import StandingsTable


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+49 171", "'+49 171"),
        ("-cmd|x", "'-cmd|x"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\r=x", "'\r=x"),
        ("\n=x", "'\n=x"),
        ("＝1+1", "'＝1+1"),
        ("Muster,=1+1", "Muster, =1+1"),
        ('x;"=1+1', 'x; "=1+1'),
        ("x, =1;-y", "x, =1; -y"),
        ("-50", "-50"),
        ("+50", "+50"),
        ("-0,5", "-0,5"),
        ("1.5", "1.5"),
        ("-1-1", "'-1-1"),
        ("Müller, Udo", "Müller, Udo"),
        ("", ""),
    ],
)
def test_cell_that_would_be_run_is_made_harmless(text: str, written: str) -> None:
    assert escape_formula(text) == written


@pytest.mark.parametrize(("language", "line"), [("de", "a;1,5;;-3;5"), ("en", "a,1.5,,-3,5"), ("nl", "a;1,5;;-3;5")])
def test_csv_is_written_as_the_language_has_it(language: str, line: str) -> None:
    with translation.override(language):
        content = build_csv([["a", 1.5, None, -3, 5.0]])

    assert content == b"\xef\xbb\xbf" + line.encode() + b"\r\n"


@pytest.fixture
def table(db: None) -> LeagueTable:
    """A table whose first player has a name that spreadsheets would run."""
    division = factories.event(players=3)
    factories.entry(division, "=HYPERLINK(“http://x”)")
    factories.published(division)
    return load_table(division)


def test_csv_of_a_table_has_headings_and_harmless_names(table: LeagueTable) -> None:
    text = StandingsTable(table.rows).build_csv().decode("utf-8-sig")

    rows = list(csv.reader(io.StringIO(text), delimiter=";"))
    assert len(rows) == 5
    assert "'=HYPERLINK(“http://x”)" in [row[1] for row in rows]


def test_workbook_of_a_table_holds_texts_and_numbers(table: LeagueTable) -> None:
    book = openpyxl.load_workbook(io.BytesIO(StandingsTable(table.rows).build_xlsx()))

    sheet = book.worksheets[0]
    names = {sheet.cell(row, 2).value: sheet.cell(row, 2).data_type for row in range(2, 6)}
    assert names["=HYPERLINK(“http://x”)"] == "s"
    assert {sheet.cell(row, 6).data_type for row in range(2, 6)} == {"n"}


def test_json_of_a_table_names_players_by_their_ids(table: LeagueTable) -> None:
    rows = build_standings_json(table)

    assert sorted(row["player"] for row in rows) == ["P01", "P02", "P03", "P04"]
    assert {row["decided_by"] for row in rows} == {None}


def test_csv_of_the_journal_says_who_when_and_what_with_figures(db: None) -> None:
    division = factories.event(players=2)
    factories.result(factories.published(division), 1, 431, 377)

    rows = list(csv.reader(io.StringIO(build_journal_csv(division.tournament).decode("utf-8-sig")), delimiter=";"))

    numbers = [row[0] for row in rows[1:]]
    assert numbers == [str(number) for number in range(1, len(rows))]
    assert rows[0][:5] == ["Nr.", "Tag", "Uhrzeit", "Wer", "Was"]
    assert rows[-1][3:5] == ["doris", "Ergebnis"]
    assert rows[-1][6:] == ["A", "1", "1", "431", "377"]
    assert "431\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}377" in rows[-1][5]


def test_csv_of_the_journal_runs_nothing_in_a_spreadsheet(db: None) -> None:
    division = factories.event(players=2)
    with change(division.tournament, actor=Actor(name="=HYPERLINK(1)"), verb="=1+1", division="@SUM(A1)") as log:
        log.save(division, name="B")

    *_before, last = csv.reader(io.StringIO(build_journal_csv(division.tournament).decode("utf-8-sig")), delimiter=";")

    assert last[3:7] == ["'=HYPERLINK(1)", "'=1+1", "'=1+1", "'@SUM(A1)"]
