"""The preview of ratings: which games count, on the pages of director and public, as files and on paper."""

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from scoring.awards import Outcome
from scoring.ratings import RatingSystem
from tests import factories
from tests.games.conftest import browser
from tests.tournament.exchange.terminal import run
from tournament.basics.showing import ShowingTrigger
from tournament.core.public_view import open_public_view
from tournament.events.operations import copy_tournament, update_settings
from tournament.files.print_room import render_document
from tournament.models import Division, Entry, Round, Tournament
from tournament.ratings.division_ratings import load_division_ratings
from tournament.ratings.files import build_ratings_json
from tournament.ratings.tables import list_rating_lines

pytestmark = pytest.mark.django_db

RATINGS = (1600, 1500, 1400, None)


def play(**values: Any) -> Division:
    """Four players, the last one new, after two rounds of three that are planned."""
    division = factories.event(players=4, rounds=3, **values)
    for entry, rating in zip(division.entries.order_by("pk"), RATINGS, strict=True):
        Entry.objects.filter(pk=entry.pk).update(rating=rating, games=60 if rating else 0)
    for _round in range(2):
        factories.played(division, (430, 380), (410, 405))
    return factories.fresh(division)


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return play()


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


def rated(division: Division) -> dict[str, int]:
    return {row.entry.key: row.new.rated_games for row in load_division_ratings(division).rows}


def settle(division: Division, **values: Any) -> Division:
    update_settings(division.tournament, actor=factories.director(), **values)
    return factories.fresh(division)


def test_games_played_count_and_no_others(division: Division) -> None:
    field = list(Entry.objects.order_by("pk"))
    third = factories.published(division, [(field[0], field[1]), (field[2], field[3])])
    factories.result(third, 1, None, None, Outcome.FIRST_FORFEITS)

    assert set(rated(division).values()) == {2}
    factories.result(third, 2, 350, 350)
    assert rated(division) == {"P01": 2, "P02": 2, "P03": 3, "P04": 3}


def test_draft_counts_for_nothing(division: Division) -> None:
    Round.objects.filter(number=2).update(state=Round.State.DRAFT)

    assert set(rated(division).values()) == {1}


def test_knockout_games_count_unless_the_event_says_otherwise(division: Division) -> None:
    division = factories.knockout(division, 2)
    factories.knockout_game(division, (1, 1, 1), 380, 402)
    division = factories.fresh(division)

    assert rated(division)["P01"] == 3
    (line,) = [each for each in list_rating_lines(load_division_ratings(division)) if each.entry.key == "P01"]
    assert [game.round for game in line.games] == ["1", "2", "Finale"]
    assert rated(settle(division, knockout_rated=False))["P01"] == 2


def test_unrated_event_changes_no_rating(division: Division) -> None:
    division = settle(division, rated=False)

    found = load_division_ratings(division)

    assert found.games == 0
    assert [row.new.change for row in found.rows] == [0, 0, 0, None]
    page = browser(factories.director().user).get(reverse("director:ratings", args=[division.tournament.slug]))
    assertContains(page, "The games of this event are not rated.")
    assertContains(Client().get(f"/t/{division.tournament.slug}/announcement/"), "Die Partien zählen nicht")


def test_command_prints_what_the_contract_says(division: Division) -> None:

    status, out, err = run("show", "herbst-cup", "ratings", "--format", "json")

    assert (status, err) == (0, "")
    rows = {row["player"]: row for row in json.loads(out)}
    assert list(rows["P01"]) == [
        *("player", "name", "old", "games_before", "rated_games", "wins", "expected", "new", "new_exact", "newcomer"),
    ]
    assert (rows["P04"]["old"], rows["P04"]["expected"], rows["P04"]["newcomer"]) == (None, None, True)
    assert rows["P01"]["new"] - rows["P01"]["old"] == load_division_ratings(division).rows[0].new.change
    _status, table, _err = run("show", "herbst-cup", "ratings")
    assert table.splitlines()[0].split()[0] == str(rows["P01"]["new"])


def test_norwegian_procedure_has_spread_and_deviations(division: Division) -> None:
    settle(division, rating_system=RatingSystem.NORWEGIAN.value)

    _status, out, _err = run("show", "herbst-cup", "ratings", "--format", "json")

    row = json.loads(out)[0]
    assert (row["expected"], row["deviation_before"]) == (None, 400)
    assert row["deviation_after"] < 400
    assert row["expected_spread"] is not None
    _status, deu, _err = run("show", "herbst-cup", "ratings", "--system", "tsh-deu", "--format", "json")
    assert "deviation_before" not in json.loads(deu)[0]


def test_csv_has_a_line_a_player(division: Division) -> None:

    for system, columns in (("tsh-deu", 10), ("norwegian", 13)):
        _status, out, _err = run("show", "herbst-cup", "ratings", "--format", "csv", "--system", system)
        rows = list(csv.reader(io.StringIO(out.removeprefix("\ufeff")), delimiter=";"))
        assert [len(row) for row in rows] == [columns] * 5


def test_page_unfolds_to_each_game(division: Division, client: Client) -> None:
    address = reverse("director:ratings", args=[division.tournament.slug])

    page = browser(factories.director().user).get(address)

    found = load_division_ratings(division)
    assertContains(page, "Preview (tsh’s procedure)")
    assertContains(page, "4 rated games.")
    for line in list_rating_lines(found):
        assertContains(page, line.entry.name)
        for figure in line.figures:
            assertContains(page, figure)
        for game in line.games:
            assertContains(page, game.points)
    assert client.get(address).status_code == 302


def test_public_sees_the_preview_where_the_director_shows_it(division: Division, client: Client) -> None:
    slug = division.tournament.slug
    addresses = [f"/t/{slug}/ratings/", *(f"/t/{slug}/ratings.{kind}" for kind in ("csv", "json", "pdf"))]

    assert {client.get(each).status_code for each in addresses} == {404}
    assertNotContains(client.get(f"/t/{slug}/table/"), f"/t/{slug}/ratings/")
    settle(division, ratings_public=True)

    assert {client.get(each).status_code for each in addresses} == {200}
    assertContains(client.get(f"/t/{slug}/table/"), f"/t/{slug}/ratings/")
    settle(division, rated=False)
    assert {client.get(each).status_code for each in addresses} == {404}


def test_public_preview_knows_no_more_than_the_table(division: Division) -> None:
    division = settle(division, ratings_public=True)
    Round.objects.filter(number=2).update(table_shown=ShowingTrigger.HAND.value)
    division = factories.fresh(division)

    with open_public_view(division.tournament):
        public = load_division_ratings(division)

    assert (public.games, load_division_ratings(division).games) == (2, 4)


def test_long_event_is_rated_in_parts_by_its_plan_and_at_the_end_by_what_was_played(division: Division) -> None:
    division.plan[0]["rounds"] = [1, 17]
    division.save()
    factories.played(division, (430, 380), (410, 405))

    found = load_division_ratings(factories.fresh(division))
    assert {len(row.new.segments) for row in found.rows} == {1}
    Round.objects.filter(number=3).update(number=12)
    assert {len(row.new.segments) for row in load_division_ratings(factories.fresh(division)).rows} == {2}
    Tournament.objects.update(is_ended=True)
    assert {len(row.new.segments) for row in load_division_ratings(factories.fresh(division)).rows} == {1}


@pytest.mark.parametrize("values", [{}, {"rating_system": "norwegian"}, {"rated": False}])
@pytest.mark.sampled(1)
def test_paper(values: dict[str, Any]) -> None:
    assert render_document("ratings", play(**values)).startswith(b"%PDF")


def test_copy_keeps_what_is_rated(division: Division) -> None:
    chosen = {"rated": False, "knockout_rated": False, "rating_system": "norwegian", "ratings_public": True}
    division = settle(division, **chosen)

    made = copy_tournament(division.tournament, name="Kopie", actor=factories.director())

    assert {name: getattr(made, name) for name in chosen} == chosen


def test_preview_takes_the_same_queries_however_many_play(division: Division, django_assert_num_queries: Any) -> None:
    large = factories.event("Groß", players=20, rounds=2)
    factories.played(large, *[(400, 380)] * 10)

    for rated_division in (division, factories.fresh(large)):
        with django_assert_num_queries(3):
            build_ratings_json(load_division_ratings(rated_division))
