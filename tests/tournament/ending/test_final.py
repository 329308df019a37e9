"""The final ranking with players, and who wins the prizes."""

from typing import Any

import pytest

from tests import factories
from tournament.core.public_view import open_public_view
from tournament.ending.awarded_prizes import load_awarded_prizes
from tournament.ending.final_ranking import find_winners, load_final_ranking
from tournament.ending.operations import add_prize, add_usual_prizes, end_tournament
from tournament.ending.plan import PrizePlan
from tournament.entries.operations.attendance import withdraw_entry
from tournament.events.operations import update_settings
from tournament.models import Club, Division, Entry, Round


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    """Two rounds planned; eight players, P01 to P08 as they were entered."""
    return factories.event(rounds=2, players=8)


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


def places(division: Division) -> list[tuple[int | None, str, str | None]]:
    return [
        (row.ranked.place, row.entry.key, row.ranked.by) for row in load_final_ranking(factories.fresh(division)).rows
    ]


def test_ranking_is_the_table_without_a_knockout(division: Division) -> None:
    factories.played(division, (500, 300), (450, 300), (440, 300), (430, 300))

    assert places(division) == [
        (place, key, "table") for place, key in enumerate(["P01", "P03", "P05", "P07", "P08", "P06", "P04", "P02"], 1)
    ]


def test_knockout_comes_before_the_table(division: Division) -> None:
    factories.played(division, (500, 300), (450, 300), (440, 300), (430, 300))
    seeded = factories.knockout(division, 4, third_place=True)
    factories.knockout_games(seeded, 4)

    found = places(division)

    assert [(place, by) for place, _key, by in found] == [
        (1, "champion"),
        (2, "final"),
        (3, "third_place"),
        (4, "third_place"),
        *((place, "table") for place in range(5, 9)),
    ]
    assert {key for _place, key, _by in found[:4]} == {"P01", "P02", "P03", "P04"}
    assert [key for _place, key, _by in found[4:]] == ["P05", "P07", "P08", "P06"]


def test_withdrawn_players_stand_as_in_the_table(division: Division) -> None:
    factories.played(division)
    leaving = Entry.objects.with_names().get(key="P01")
    withdraw_entry(leaving, actor=factories.director())
    update_settings(division.tournament, withdrawn="unranked", actor=factories.director())

    assert places(division)[-1] == (None, "P01", "table")


def test_row_knows_the_row_above_only_where_it_is_the_tables(division: Division) -> None:
    factories.played(division, (500, 300), (450, 300), (440, 300), (430, 300))
    factories.knockout(division, 2)

    rows = load_final_ranking(factories.fresh(division)).rows

    above = [row.above.player if row.above else None for row in rows]
    keys = {row.entry.key: row.entry.pk for row in rows}
    assert [row.entry.key for row in rows] == ["P01", "P02", "P03", "P05", "P07", "P08", "P06", "P04"]
    assert above == [None, None, None, keys["P03"], keys["P05"], keys["P07"], keys["P08"], keys["P06"]]


def test_complete_when_rounds_and_knockout_are_played(division: Division) -> None:
    factories.played(division)
    assert not load_final_ranking(factories.fresh(division)).is_complete

    factories.played(division)
    assert load_final_ranking(factories.fresh(division)).is_complete

    seeded = factories.knockout(division, 2)
    assert not load_final_ranking(seeded).is_final

    factories.knockout_games(seeded, 1)
    assert load_final_ranking(seeded).is_complete


def test_final_when_the_director_says_so(division: Division) -> None:
    factories.published(division)
    end_tournament(division.tournament, accept_open=True, actor=factories.director())

    found = load_final_ranking(factories.fresh(division))

    assert (found.is_complete, found.is_final) == (False, True)


def test_winners_whom_the_director_has_seen_stay_hidden_until_they_are_shown(division: Division) -> None:
    factories.played(division)
    factories.played(division)
    Round.objects.filter(division=division, number=2).update(table_shown="hand")
    division = factories.fresh(division)

    (names,) = find_winners([division]).values()
    with open_public_view(division.tournament):
        public_names = find_winners([division])[division.pk]

    assert names
    assert public_names == []


def winners(division: Division, **plan: Any) -> list[tuple[str, int | None, object]]:
    add_prize(division, plan=PrizePlan(**plan), actor=factories.director())
    found = load_awarded_prizes(load_final_ranking(factories.fresh(division)))
    return [(entry.key, winner.place, winner.feat and winner.feat.value) for entry, winner in found.prizes[-1][1]]


@pytest.fixture
def played_division(division: Division) -> Division:
    """P01, P03, P05, P07 win and stand 1 to 4, P08, P06, P04, P02 follow."""
    factories.played(division, (500, 300), (450, 300), (440, 300), (430, 310))
    return division


def test_place_and_record_prizes(played_division: Division) -> None:
    assert winners(played_division, kind="place", place=2) == [("P03", 2, None)]
    assert winners(played_division, kind="highest_game") == [("P01", None, 500)]
    assert winners(played_division, kind="highest_losing_score") == [("P08", None, 310)]


def test_best_of_a_club_and_of_a_rating_class(played_division: Division) -> None:
    assert winners(played_division, kind="club", club="hamburg") == [("P08", 5, None)]
    assert Club.objects.filter(name__iexact="hamburg").count() == 1
    assert winners(played_division, kind="rating_class", highest_rating=1611) == [("P05", 3, None)]
    assert winners(played_division, kind="rating_class", lowest_rating=1651, highest_rating=1700) == [("P02", 8, None)]
    assert winners(played_division, kind="rating_class", lowest_rating=3000) == []


def test_newcomer_has_neither_games_nor_a_rating(played_division: Division) -> None:
    assert winners(played_division, kind="newcomer") == []
    Entry.objects.filter(key__in=["P06", "P04"]).update(games=0, rating=None)

    assert winners(played_division, kind="newcomer") == [("P06", 6, None)]


def test_nobody_is_new_where_no_figures_are_stated(played_division: Division) -> None:
    Entry.objects.update(games=0, rating=None)
    add_prize(played_division, plan=PrizePlan(kind="newcomer"), actor=factories.director())

    found = load_awarded_prizes(load_final_ranking(factories.fresh(played_division)))

    assert found.newcomers_unknown
    assert found.prizes[0][1] == ()


def test_own_prize_goes_to_whom_the_director_names(played_division: Division) -> None:
    chosen = Entry.objects.get(key="P05")

    assert winners(played_division, kind="own", title="Schönstes Wort", winner=chosen) == [("P05", None, None)]


@pytest.mark.parametrize("players", [2, 8])
def test_queries_do_not_grow_with_the_field(players: int, db: None, django_assert_num_queries: Any) -> None:
    division = factories.event(rounds=1, players=players)
    factories.played(division)
    seeded = factories.knockout(division, 2)
    add_usual_prizes(division, actor=factories.director())

    with django_assert_num_queries(17):
        load_awarded_prizes(load_final_ranking(seeded))
