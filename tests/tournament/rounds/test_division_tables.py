"""Several divisions in one hall: each sits at tables of its own."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories
from tournament.archive.replaying import find_journal_differences
from tournament.basics.refusals import Refusals
from tournament.core.division_tables import list_division_tables
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.paper import list_card_tables
from tournament.events.operations import add_division, update_division
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.faults import FileFaults
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.models import Division, Pairing, Round, Tournament
from tournament.rounds.drafts import draft_round
from tournament.rounds.operations import publish_round

pytestmark = pytest.mark.django_db
GIVEN = {
    "as many as the players need, one after another": ({}, [[(1, 4)], [(5, 7)], [(8, 8)]]),
    "behind what the one before was given": ({"A": [(1, 10)]}, [[(1, 10)], [(11, 13)], [(14, 14)]]),
    "behind all that were given before": ({"A": [(21, 24)], "B": [(1, 3)]}, [[(21, 24)], [(1, 3)], [(25, 25)]]),
    "a list with a gap": ({"B": [(5, 6), (9, 9)]}, [[(1, 4)], [(5, 6), (9, 9)], [(10, 10)]]),
}


@pytest.fixture(scope="module")
def hall_of_module(*, shares_rows: bool) -> Tournament:
    """Eight, five and no players."""
    first = factories.event(players=8, rounds=0)
    doris = factories.director()
    factories.enter(add_division(first.tournament, name="B", actor=doris), 5)
    add_division(first.tournament, name="C", actor=doris)
    return first.tournament


@pytest.fixture
def hall(hall_of_module: Tournament, db: None) -> Tournament:
    return Tournament.objects.get(pk=hall_of_module.pk)


def get_division(hall: Tournament, name: str) -> Division:
    return Division.objects.select_related("tournament").get(tournament=hall, name=name)


def give(hall: Tournament, name: str, *tables: tuple[int, int]) -> None:
    update_division(get_division(hall, name), name=name, tables=tables, actor=factories.director())


def draw(hall: Tournament, name: str) -> list[int]:
    """The tables of the division's next round, which is published."""
    round = draft_round(get_division(hall, name), actor=factories.director())
    publish_round(round, actor=factories.director())
    return list_tables(round)


def list_tables(round: Round) -> list[int]:
    tables = Pairing.objects.filter(round=round, kind=Pairing.Kind.GAME).values_list("table", flat=True)
    return sorted(table for table in tables if table)


def finish(hall: Tournament, name: str) -> None:
    """Enter the results of the division's round, which closes it."""
    round = Round.objects.filter(division=get_division(hall, name)).latest("number")
    for table in list_tables(round):
        factories.result(round, table, 400, 380)


@pytest.mark.parametrize(("given", "tables"), GIVEN.values(), ids=GIVEN)
def test_divisions_sit_one_behind_another(
    hall: Tournament, given: dict[str, list[tuple[int, int]]], tables: list[list[tuple[int, int]]]
) -> None:
    for name, ranges in given.items():
        give(hall, name, *ranges)

    assert list(list_division_tables(hall).values()) == tables


def test_no_two_games_of_a_hall_share_a_table(hall: Tournament) -> None:
    assert (draw(hall, "A"), draw(hall, "B")) == ([1, 2, 3, 4], [5, 6])


def test_late_entries_sit_down_where_nobody_plays(hall: Tournament) -> None:
    """B is in the middle of a round when two more come to A: they do not move it, and take the next free table."""
    draw(hall, "A")
    draw(hall, "B")
    finish(hall, "A")
    factories.enter(get_division(hall, "A"), 2)
    second = draw(hall, "A")
    finish(hall, "B")

    assert second == [1, 2, 3, 4, 7]
    assert draw(hall, "B") == [6, 8]
    assert find_journal_differences(hall) == []


def test_whoever_goes_home_moves_nobody(hall: Tournament) -> None:
    for entry in get_division(hall, "A").entries.all()[:4]:
        withdraw_entry(entry, after=0, actor=factories.director())

    assert draw(hall, "B") == [5, 6]


def test_fixed_table_is_left_free_by_the_others(hall: Tournament) -> None:
    factories.entry(get_division(hall, "A"), "Fest, Frieda", fixed_table=6)

    assert draw(hall, "B") == [7, 8]


def test_tables_that_do_not_suffice_are_told(hall: Tournament) -> None:
    give(hall, "A", (11, 12))
    draw(hall, "B")

    round = draft_round(get_division(hall, "A"), actor=factories.director())

    assert list_tables(round) == [1, 2, 11, 12]
    assert [(note["code"], len(note["keys"])) for note in round.notes] == [("tables_short", 4)]


@pytest.mark.parametrize(
    ("tables", "code"),
    [
        ([(3, 8)], "table_of_another"),
        ([(12, 11)], "tables_not_possible"),
        ([(0, 0)], "tables_not_possible"),
        ([(4000, 4001)], "tables_not_possible"),
        ([(11, 14), (13, 13)], "table_twice"),
        ([(100 + number, 100 + number) for number in range(21)], "tables_too_many"),
    ],
)
def test_tables_that_cannot_be_are_refused(hall: Tournament, tables: list[tuple[int, int]], code: str) -> None:
    give(hall, "A", (1, 4))

    with pytest.raises(Refusals) as refused:
        give(hall, "B", *tables)

    assert [refusal.code for refusal in refused.value.refusals] == [code]
    assert get_division(hall, "B").tables == []


def test_cards_are_those_of_the_division(hall: Tournament) -> None:
    give(hall, "B", (21, 30))
    factories.entry(get_division(hall, "B"), "Fest, Frieda", fixed_table=40)

    assert list_card_tables(get_division(hall, "A")) == [1, 2, 3, 4]
    assert list_card_tables(get_division(hall, "B")) == [21, 22, 23, 40]


def read_tables(hall: Tournament, *tables: Any) -> Any:
    """The tables of each division in the event's file, where the divisions' are exchanged for these."""
    content = json.loads(format_tournament_file(load_event_data(hall)))
    for division, ranges in zip(content["divisions"], tables, strict=False):
        division["tables"] = ranges
    return [division.tables for division in read_tournament_file(json.dumps(content)).divisions]


def test_file_holds_the_tables(hall: Tournament) -> None:
    give(hall, "B", (21, 24), (30, 30))

    assert read_tables(hall) == [(), ((21, 24), (30, 30)), ()]
    assert '"tables"' not in format_tournament_file(load_event_data(factories.event("Ohne").tournament))


@pytest.mark.parametrize(
    "tables",
    [
        ([[1, 4]], [[4, 8]]),
        ([[4, 1]],),
        ([[1, 4], [2, 3]],),
        ([[0, 4]],),
        ([[1]],),
        ([[1, "4"]],),
        (["1-4"],),
        ([[number, number] for number in range(1, 23)],),
    ],
)
@pytest.mark.sampled(2)
def test_file_with_tables_that_cannot_be_is_refused(hall: Tournament, tables: Any) -> None:
    with pytest.raises(FileFaults):
        read_tables(hall, *tables)


def test_director_gives_tables_on_the_page(hall: Tournament, doris_client: Client) -> None:
    address = reverse("director:divisions", args=[hall.slug])
    page = reverse("director:division", args=[hall.slug, get_division(hall, "B").pk])

    answer = doris_client.post(page, {"name": "B", "tables": "21-24, x"}, follow=True)
    assert "„x“" in answer.content.decode()
    assert "21-24, x" in answer.content.decode()
    doris_client.post(page, {"name": "B", "tables": "21–24, 30"})

    assert get_division(hall, "B").tables == [[21, 24], [30, 30]]
    assert "Tische 21–\N{WORD JOINER}24, 30" in doris_client.get(address).content.decode()
    assert "21–\N{WORD JOINER}24, 30" in doris_client.get(page).content.decode()
    assert draw(hall, "B") == [21, 22]
