"""The public table of events that differ from the usual one: its figures, its length, before the first round."""

import re

from django.test import Client

from scoring.awards import Outcome
from tests import factories
from tests.tournament.table.table_page import TABLE, cells
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.events.operations import update_settings
from tournament.pairing.values import StartPolicy


def test_table_before_the_first_round_lists_everybody(reader: Client) -> None:
    factories.event(players=3)

    page = reader.get(TABLE)

    assert [line.standing.games for line in page.context["shown"].lines] == [0, 0, 0]
    assert "Standings before the first round" in page.content.decode()


def test_table_without_entries_says_so(reader: Client) -> None:
    factories.event(players=0)

    assert "Nobody is entered yet" in reader.get(TABLE).content.decode()


def test_table_writes_figures_as_people_do(reader: Client) -> None:
    division = factories.event(players=0)
    anna, bert = factories.entry(division, "Anna"), factories.entry(division, "Bert")
    for _number in range(3):
        factories.played(division, (400, 400), pairs=[(anna, bert)])
    factories.played(division, (512, 500), pairs=[(anna, bert)])

    figures = [row[3:7] for row in cells(reader, TABLE)]

    assert figures == [["2½", "+12", "1,712", "512"], ["1½", "−12", "1,700", "500"]]


def test_table_in_german_groups_thousands_with_a_point(db: None, client: Client) -> None:
    division = factories.event(players=2)
    for _number in range(3):
        factories.played(division, (444, 444))

    assert "1.332" in client.get(TABLE).content.decode()


def test_table_says_who_has_started_more(reader: Client) -> None:
    division = factories.event(players=2)
    factories.played(division, (400, 300))

    assert {row[6] for row in cells(reader, TABLE)} == {"1 : 0", "0 : 1"}

    update_settings(division.tournament, actor=factories.director(), starts=StartPolicy.DRAWN)

    assert "starts" not in reader.get(TABLE).context["table"].columns.names()


def test_table_counts_a_forfeit_by_the_award(reader: Client) -> None:
    division = factories.event(players=2)
    made = factories.published(division)
    factories.result(made, 1, 350, 420, Outcome.SECOND_FORFEITS)

    assert [row[2:5] for row in cells(reader, TABLE)] == [["1", "+50", "400"], ["0", "−100", "0"]]


def test_table_before_the_first_round_has_files_too(reader: Client) -> None:
    division = factories.event(players=2)
    factories.draft(division)

    assert [reader.get(f"/t/herbst-cup/table.{fmt}").status_code for fmt in ("pdf", "csv")] == [200, 200]


def test_long_table_is_searched_by_name_and_club(reader: Client) -> None:
    division = factories.event(players=19)
    short = reader.get(TABLE).content.decode()
    enter_player(division, person=Person("Zwölfer, Édith", club="SC Dort"), actor=factories.director())
    found = reader.get(TABLE, {"q": "edith"})
    by_club, nobody = reader.get(TABLE, {"q": "dort"}), reader.get(TABLE, {"q": "niemand"})

    assert 'type="search"' not in short
    assert [line.entry.name for line in found.context["found"]] == ["Zwölfer, Édith"]
    assert "1 found for “edith”." in found.content.decode()
    assert len(by_club.context["found"]) == 1
    assert "0 found for “niemand”." in nobody.content.decode()


def test_very_long_table_unfolds_in_groups(reader: Client) -> None:
    factories.event("Groß", players=41)
    factories.event("Klein", players=40)
    long, short = (reader.get(f"/t/{slug}/table/").content.decode() for slug in ("gross", "klein"))

    assert re.findall(r"Rows (\d+–\d+)", long) == ["21–40", "41–41"]
    assert "rows-group" not in short
