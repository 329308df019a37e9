"""Packing: one integer compares as the tuple of sums does."""

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest

from tests.tournament.pairing import events
from tournament.pairing.costs import COST_BITS, COST_COMPONENTS, LOT_BITS, Edges, build_player_edges, pack_costs
from tournament.pairing.values import DrawRequest, Meeting, Method


def edges(figures: list[tuple[int, ...]], vertices: int) -> Edges:
    one, other = np.triu_indices(vertices, 1)
    return Edges(one, other, tuple(np.array(component, np.int64) for component in zip(*figures, strict=True)))


def component(name: str, request: DrawRequest, upper: int, lower: int) -> int:
    """One component of the cost of the players at two places of the field."""
    found = build_player_edges(events.built(request), request, np.array([upper]), np.array([lower]))
    return int(found.costs[COST_COMPONENTS.index(name)][0])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.sampled(6)
def test_packed_sums_compare_as_the_tuples(seed: int) -> None:
    rng = random.Random(seed)
    most = [rng.choice((0, 1, 3, 100, 1500)) for _ in COST_COMPONENTS]
    made = edges([tuple(rng.randint(0, limit) for limit in most) for _ in range(15)], 6)

    weights = pack_costs(made, 6)

    sums = [
        (tuple(int(c[list(chosen)].sum()) for c in made.costs), sum(weights[edge] for edge in chosen))
        for chosen in itertools.combinations(range(15), 3)
        if len({end for edge in chosen for end in (made.one[edge], made.other[edge])}) == 6
    ]
    assert [total for _, total in sorted(sums)] == sorted(total for _, total in sums)


def test_packing_gives_up_the_last_bits_of_the_lots_first() -> None:
    wide = (1 << 34, 1 << 34, 1 << 35, (1 << LOT_BITS) - 1)

    weights = pack_costs(edges([wide, (0, 0, 0, 1), (0, 0, 1, 0)], 3), 3)

    assert weights[0].bit_length() <= COST_BITS
    assert 0 == weights[1] < weights[2] < weights[0]


def test_packing_refuses_what_does_not_fit() -> None:
    with pytest.raises(OverflowError, match="the cost needs 183 bits, 120 are there"):
        pack_costs(edges([(1 << 60, 1 << 60, 1 << 60)], 2), 2)


@pytest.mark.parametrize(
    ("played", "cost"),
    {
        "never met": ((), 0),
        "met once, long ago": ((1,), 2),
        "met in the round before": ((4,), 3),
        "met twice": ((1, 2), 8),
        "met twice, the last time just now": ((1, 4), 9),
    }.values(),
)
def test_repeats_cost_the_square_and_one_more_in_the_next_round(played: tuple[int, ...], cost: int) -> None:
    past = tuple(Meeting(number, 2, 1) for number in played)

    assert component("repeats", DrawRequest(events.table(2, 0), past, round=5), 0, 1) == cost


@pytest.mark.parametrize(("within", "cost"), [(0, 8), (1, 0), (2, 2), (3, 2), (4, 8)])
def test_only_games_of_the_last_rounds_cost_where_the_plan_says_so(within: int, cost: int) -> None:
    past = (Meeting(1, 2, 1), Meeting(3, 2, 1))

    assert component("repeats", DrawRequest(events.table(2, 0), past, round=5, within=within), 0, 1) == cost


def test_repeats_are_free_where_the_plan_allows_them() -> None:
    request = DrawRequest(events.table(2, 0), (Meeting(1, 1, 2),), round=2, repeats=True)

    assert component("repeats", request, 0, 1) == 0


def test_score_distance_is_squared_half_wins() -> None:
    assert component("score", DrawRequest(events.table(7, 2)), 0, 1) == 25


def test_float_height_is_the_better_players_score() -> None:
    request = DrawRequest(events.table(7, 7, 2))

    assert component("float_height", request, 0, 2) == 7
    assert component("float_height", request, 0, 1) == 0


def test_float_height_means_nothing_to_a_method_that_ignores_the_score() -> None:
    assert component("float_height", DrawRequest(events.table(7, 2), method=Method.RANDOM), 0, 1) == 0


@pytest.mark.parametrize(("apart", "cost"), [(False, 0), (True, 1)])
def test_clubmates_cost_where_the_director_wants_it(apart: bool, cost: int) -> None:
    request = DrawRequest(events.table(0, 0, club="Fulda"), clubs_apart=apart)

    assert component("clubs_apart", request, 0, 1) == cost


def test_players_without_a_club_are_no_clubmates() -> None:
    assert component("clubs_apart", DrawRequest(events.table(0, 0), clubs_apart=True), 0, 1) == 0


@pytest.mark.parametrize(
    ("past", "cost"),
    [
        ([(1, 3), (2, 4)], 1),  # both have started once
        ([(1, 3), (4, 2)], 0),  # one has started, the other replied
        ([(3, 1), (4, 2)], 1),
        ([], 0),
    ],
)
def test_starts_cost_what_the_better_choice_leaves(past: list[tuple[int, int]], cost: int) -> None:
    few = DrawRequest(events.table(2, 2, 0, 0), events.games(*past), round=2)
    many = replace(few, competitors=events.table(2, 2, *[0] * 8))

    assert [component(name, few, 0, 1) for name in ("starts", "starts_last")] == [0, cost]
    assert [component(name, many, 0, 1) for name in ("starts", "starts_last")] == [cost, 0]
