"""Where a player sits now: the game to be played, else what was published last."""

import pytest

from tests import factories
from tournament.entries.queries import find_current_pairing
from tournament.models import Division, Entry


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=5)


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


def first_of(division: Division) -> Entry:
    return Entry.objects.filter(division=division).in_order()[0]


def last_of(division: Division) -> Entry:
    return Entry.objects.filter(division=division).in_order()[4]


def test_nobody_sits_before_a_round_is_public(division: Division) -> None:
    factories.draft(division)

    assert find_current_pairing(first_of(division)) is None


def test_open_game_comes_before_later_ones(division: Division) -> None:
    factories.published(division)
    factories.published(division)

    seen = find_current_pairing(first_of(division))

    assert seen is not None
    assert (seen.pairing.round.number, seen.pairing.table, seen.is_open, seen.is_first) == (1, 1, True, True)
    assert (seen.own, seen.other) == (None, None)


def test_last_game_is_seen_from_the_players_side(division: Division) -> None:
    factories.played(division, (401, 388))
    second = Entry.objects.filter(division=division).in_order()[1]

    seen = find_current_pairing(second)

    assert seen is not None
    assert (seen.is_open, seen.is_first, seen.own, seen.other) == (False, False, 388, 401)
    assert seen.opponent == first_of(division)


def test_bye_is_nothing_to_be_played(division: Division) -> None:
    factories.published(division)

    seen = find_current_pairing(last_of(division))

    assert seen is not None
    assert (seen.is_open, seen.opponent, seen.pairing.table) == (False, None, None)


def test_knockout_game_is_where_a_player_sits(division: Division) -> None:
    factories.played(division)
    factories.knockout(division)

    seen = [find_current_pairing(entry) for entry in Entry.objects.filter(division=division)]

    assert any(each is not None and each.is_open and each.pairing.round.is_knockout for each in seen)


def test_asks_as_often_for_one_round_as_for_five(division: Division, django_assert_max_num_queries: object) -> None:
    for _number in range(5):
        factories.published(division)

    with django_assert_max_num_queries(5):  # type: ignore[operator]  # pytest-django gives no type
        find_current_pairing(first_of(division))
