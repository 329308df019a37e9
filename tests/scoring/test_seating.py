"""Everybody has a seat of their own, and wishes are kept wherever a seating keeps them: a second program tries all."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.seating import BrokenWish, SeatingWishes, choose_seat, draw_seats, list_broken_wishes
from tests.laws import tried_on

NAMES = "ABCDEFG"


def pairs(*texts: str) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(text) for text in texts)


def count_broken(seats: dict[str, int], row: int, apart: frozenset[frozenset[str]], clubs: dict[str, str]) -> int:
    """The second program: of all pairs those side by side who should not be."""
    broken = 0
    for one, left in seats.items():
        for other, right in seats.items():
            beside = right - left == 1 and left % row != 0
            same = bool(clubs.get(one)) and clubs.get(one) == clubs.get(other)
            broken += beside and (same or frozenset((one, other)) in apart)
    return broken


def find_fewest(players: str, seats: int, row: int, apart: frozenset[frozenset[str]], clubs: dict[str, str]) -> int:
    """The fewest wishes that any seating breaks."""
    tried = permutations(range(1, seats + 1), len(players))
    return min(count_broken(dict(zip(players, numbers, strict=True)), row, apart, clubs) for numbers in tried)


@st.composite
def halls(draw: st.DrawFn) -> tuple[str, int, int, frozenset[frozenset[str]], dict[str, str]]:
    """Up to five players on up to six seats, in rows of any length, with wishes and clubs."""
    players = NAMES[: draw(st.integers(1, 5))]
    seats = draw(st.integers(len(players), 6))
    apart = frozenset(
        frozenset(pair)
        for pair in draw(st.lists(st.tuples(*[st.sampled_from(players)] * 2), max_size=6))
        if len({*pair}) == 2
    )
    clubs = {player: draw(st.sampled_from(["", "Xanten", "Ypern"])) for player in players}
    return players, seats, draw(st.integers(1, 7)), apart, clubs


@tried_on(40)
@given(halls(), st.integers(0, 2**31 - 1))
def test_everybody_has_a_seat_and_no_seating_breaks_fewer_wishes(
    hall: tuple[str, int, int, frozenset[frozenset[str]], dict[str, str]], seed: int
) -> None:
    players, seats, row, apart, clubs = hall
    wishes = SeatingWishes(row, apart, clubs)

    drawn = draw_seats(players, {}, seats, wishes, Random(seed))

    assert set(drawn) == set(players)
    assert len(set(drawn.values())) == len(players)
    assert all(1 <= seat <= seats for seat in drawn.values())
    assert count_broken(drawn, row, apart, clubs) == find_fewest(players, seats, row, apart, clubs)
    assert len(list_broken_wishes(drawn, wishes)) == count_broken(drawn, row, apart, clubs)
    assert draw_seats(players, {}, seats, wishes, Random(seed)) == drawn


@tried_on(40)
@given(halls(), st.data())
def test_given_seats_stay(
    hall: tuple[str, int, int, frozenset[frozenset[str]], dict[str, str]], data: st.DataObject
) -> None:
    players, seats, row, apart, clubs = hall
    taken = {players[0]: data.draw(st.integers(1, seats))}

    drawn = draw_seats(players[1:], taken, seats, SeatingWishes(row, apart, clubs), Random(1))

    assert set(drawn) == set(players[1:])
    assert not set(drawn.values()) & set(taken.values())


@pytest.mark.parametrize(
    ("one", "other", "beside"),
    [(1, 2, True), (2, 1, True), (4, 5, False), (5, 6, True), (1, 3, False), (1, 1, False)],
)
def test_beside_each_other_is_next_in_a_row(one: int, other: int, beside: bool) -> None:
    assert (other in SeatingWishes(4).list_neighbours(one)) is beside


def test_broken_wish_is_told_with_both_and_with_the_club() -> None:
    wishes = SeatingWishes(4, pairs("AB", "CD"), dict.fromkeys("BCD", "Xanten"))

    assert list_broken_wishes({"A": 1, "B": 2, "C": 3, "D": 4, "E": 5}, wishes) == [
        BrokenWish(1, "A", "B"),
        BrokenWish(2, "B", "C", "Xanten"),
        BrokenWish(3, "C", "D"),
    ]


def test_free_seats_are_used_where_the_lowest_ones_keep_no_wish() -> None:
    wishes = SeatingWishes(10, pairs("AB"))

    assert set(draw_seats("AB", {}, 2, wishes, Random(1)).values()) == {1, 2}
    assert set(draw_seats("AC", {}, 9, wishes, Random(1)).values()) == {1, 2}
    assert abs(int.__sub__(*draw_seats("AB", {}, 9, wishes, Random(1)).values())) > 1


@pytest.mark.parametrize(
    ("taken", "count", "seat"),
    [({}, 4, 1), ({"B": 1}, 4, 3), ({"B": 2}, 4, 4), ({"B": 2}, 3, 1), ({"C": 1}, 4, 2), ({"B": 1, "C": 2}, 2, None)],
)
def test_who_comes_gets_the_lowest_seat_that_keeps_the_wishes(
    taken: dict[str, int], count: int, seat: int | None
) -> None:
    assert choose_seat("A", taken, count, SeatingWishes(4, pairs("AB"))) == seat


def test_more_players_than_seats_are_refused() -> None:
    with pytest.raises(ValueError, match="3 players for 2 seats"):
        draw_seats("ABC", {"D": 1}, 3, SeatingWishes(4), Random(1))


def test_a_hall_of_150_keeps_clubs_apart() -> None:
    players = [f"P{number:03}" for number in range(150)]
    clubs = {player: f"Club {min(int(player[1:]) // 10, 10)}" for player in players}  # the largest has 50
    apart = frozenset(frozenset((players[at], players[at + 75])) for at in range(75))

    drawn = draw_seats(players, {}, 150, SeatingWishes(10, apart, clubs), Random(7))

    assert sorted(drawn.values()) == list(range(1, 151))
    assert not count_broken(drawn, 10, apart, clubs)


def test_club_that_fills_the_hall_sits_there_all_the_same():
    """More seats than are tried whole, and no seating that keeps anybody apart."""
    players = [f"P{number}" for number in range(1, 11)]
    wishes = SeatingWishes(5, clubs=dict.fromkeys(players, "Xanten"))

    drawn = draw_seats(players, {}, 10, wishes, Random(1))

    assert sorted(drawn.values()) == list(range(1, 11))
    assert len(list_broken_wishes(drawn, wishes)) == 8
