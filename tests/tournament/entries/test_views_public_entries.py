"""Who takes part."""

import pytest
from django.test import Client

from tests import factories
from tests.markup import tidy
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.events.operations import add_division
from tournament.models import Division

ENTRIES = "/t/herbst-cup/entries/"


def names(client: Client, query: str = "") -> list[str]:
    """The names in the table, in its order."""
    table = client.get(ENTRIES + query).context["table"]
    return [row.record.name for row in table.rows]


@pytest.fixture(scope="module")
def field_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=4)


@pytest.fixture
def field(field_of_module: Division, db: None) -> Division:
    return factories.fresh(field_of_module)


def test_entries_stand_by_name_umlauts_beside_their_vowels(field: Division, reader: Client) -> None:
    factories.entry(field, "Özil, Ann")
    factories.entry(field, "Otto, Bea")

    assert names(reader) == [
        "Aumann, Klara",
        "Dvořák, Jana",
        "Müller-Lüdenscheidt, Ann-Kathrin",
        "Otto, Bea",
        "Özil, Ann",
        "Öztürk, Cem",
    ]


@pytest.mark.parametrize(
    ("sort", "first"),
    [
        ("name", "Aumann, Klara"),
        ("-name", "Öztürk, Cem"),
        ("rating", "Öztürk, Cem"),
        ("-rating", "Aumann, Klara"),
        ("club", "Öztürk, Cem"),
        ("-games", "Öztürk, Cem"),
        ("nonsense", "Aumann, Klara"),
    ],
)
@pytest.mark.sampled(2)
def test_entries_sort_by_a_column(field: Division, reader: Client, sort: str, first: str) -> None:
    assert names(reader, f"?sort={sort}")[0] == first


def test_entries_sort_where_some_have_no_club_or_rating(field: Division, reader: Client) -> None:
    factories.entry(field, "Ohne, Alles")

    assert [len(names(reader, f"?sort={column}")) for column in ("club", "-club", "rating", "-rating")] == [5, 5, 5, 5]


def test_entries_say_how_they_are_sorted(field: Division, reader: Client) -> None:
    page = tidy(reader.get(ENTRIES + "?sort=-rating").content.decode())

    assert page.count("aria-sort=") == 1
    assert 'aria-sort="descending"><a href="?sort=rating">Rating</a>' in page


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("ozturk", ["Öztürk, Cem"]),
        ("oeztuerk", ["Öztürk, Cem"]),
        ("ÖZT", ["Öztürk, Cem"]),
        ("fulda kathrin", ["Müller-Lüdenscheidt, Ann-Kathrin"]),
        ("fulda", ["Aumann, Klara", "Müller-Lüdenscheidt, Ann-Kathrin"]),
        ("dvorak", ["Dvořák, Jana"]),
    ],
)
@pytest.mark.sampled(2)
def test_search_folds_umlauts_and_accents(field: Division, reader: Client, search: str, found: list[str]) -> None:
    assert names(reader, f"?q={search}") == found


def test_search_without_a_find_says_so_and_keeps_what_was_typed(field: Division, reader: Client) -> None:
    page = reader.get(ENTRIES + "?q=<niemand>").content.decode()

    assert "No results for “&lt;niemand&gt;”." in page
    assert 'value="&lt;niemand&gt;"' in page


def test_search_that_is_too_long_is_cut(field: Division, reader: Client) -> None:
    assert reader.get(ENTRIES, {"q": "x" * 5000}).context["search"] == "x" * 80


def test_entries_are_marked(field: Division, reader: Client) -> None:
    factories.entry(field, "Gast, Gerd", guest=True)
    factories.played(field)
    late = enter_player(field, person=Person("Später, Susi"), actor=factories.director())
    withdraw_entry(factories.enter(field, 0)[0], actor=factories.director())

    page = reader.get(ENTRIES).content.decode()

    assert late.first_round == 2
    assert 'Gast, Gerd</a> <span class="chip">guest</span>' in page
    assert 'Später, Susi</a> <span class="chip">from round 2</span>' in page
    assert 'Aumann, Klara</a> <span class="chip chip-warn">withdrawn after round 1</span>' in page


def test_entries_without_any_say_so(reader: Client) -> None:
    factories.event("Leer", players=0)

    assert "Nobody is entered yet" in reader.get("/t/leer/entries/").content.decode()


def test_entries_of_the_other_division_stand_apart(field: Division, reader: Client) -> None:
    other = add_division(field.tournament, name="B", actor=factories.director())
    factories.entry(factories.fresh(other), "Baum, Berta")

    assert (names(reader, "?division=B"), len(names(reader))) == (["Baum, Berta"], 4)
