"""What scores cost at least where starts have to stay even, as each player's share of it.

Where even starts come first, only some may meet (see `PairingField.keep_even`). Players of one score and one balance of
starts are a *class*; how many of each class meet how many of each other one is a transport problem, small enough to be
solved at once. Its prices are the shares: no two who may meet cost less than their two shares, and together the shares
are as high as can be."""

import numpy as np

from tournament.pairing.byes import IntArray
from tournament.pairing.field import PairingField, measure_float_height

_NEVER = 1 << 56  # more than any way of pairing costs
_MOST_HALF_WINS = 1 << 14
_STEPS = 3  # between two looks for a ring


def weigh_scores(field: PairingField, playing: IntArray, one: IntArray, other: IntArray) -> IntArray:
    """Scores and float heights in one for these pairs of the players at the `playing` places, less the shares of both;
    never below 0."""
    # More than the float heights of a whole pairing together: these decide only where the scores cost the same.
    height = 2 << int(field.half_wins.sum()).bit_length()

    def weigh(one: IntArray, other: IntArray) -> IntArray:
        weight: IntArray = (one - other) ** 2 * height + 2 * measure_float_height(one, other)
        return weight

    half_wins = field.half_wins[playing]
    weight = weigh(half_wins[one], half_wins[other])
    if field.half_wins[0] <= _MOST_HALF_WINS:
        key = field.balance[playing] - (half_wins << 20)  # the best first
        _, first, number, size = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        place, wins = playing[first], half_wins[first]
        meet = field.keep_even(place[:, None], place)
        costs = np.where(meet, weigh(wins[:, None], wins), _NEVER)
        share = _find_prices(costs, size, np.sign(field.balance[place]))[number]
        weight = weight - share[one] - share[other]
    return weight


def _find_prices(costs: IntArray, size: IntArray, lean: IntArray) -> IntArray:
    """The classes' prices: half of what each pays in its row and in its column of the cheapest transport."""
    more, even, less = (np.flatnonzero(lean == one).tolist() for one in (1, 0, -1))
    # Those who have started more meet those who have less: a beginning that keeps starts even as far as that goes.
    flow = _fill_in_order(size, [*more, *even[::-1], *less[::-1]], [*less, *even[::-1], *more[::-1]])
    column = np.zeros(len(size), np.int64)
    while ring := _lower_prices(costs, flow, column):
        moved = min(flow[one, other] for one, other, _ in ring)
        for one, other, instead in ring:
            flow[one, other] -= moved
            flow[one, instead] += moved
    # Somebody has to meet whom even starts forbid: prices of such a transport bound nothing, while shares of 0 always
    # hold.
    if (costs[flow > 0] == _NEVER).any():
        return np.zeros_like(column)
    prices: IntArray = ((costs - column).min(axis=1) + column) >> 1
    return prices


def _fill_in_order(size: IntArray, rows: list[int], columns: list[int]) -> IntArray:
    """Everybody of the first row's class meets whoever comes first of the columns' classes, and so on."""
    flow = np.zeros((len(size), len(size)), np.int64)
    sizes_left = size.tolist()
    for row in rows:
        needed = int(size[row])
        while needed:
            moved = min(needed, sizes_left[columns[0]])
            flow[row, columns[0]] += moved
            needed -= moved
            sizes_left[columns[0]] -= moved
            columns = columns if sizes_left[columns[0]] else columns[1:]
    return flow


def _lower_prices(costs: IntArray, flow: IntArray, price: IntArray) -> list[tuple[int, int, int]]:
    """Lower the columns' prices until no row's class would rather meet another column's (Bellman and Ford). If that
    never ends, return a ring of changes that saves something: row, column, and the column instead."""
    one, other = np.nonzero(flow)
    detour = costs[one] - costs[one, other][:, None]
    by = np.full(len(price), -1)
    step = 0
    while True:
        step += 1
        way = price[other][:, None] + detour
        best = way.argmin(axis=0)
        reached = way[best, np.arange(len(price))]
        better = reached < price
        if not better.any():
            return []
        price[better], by[better] = reached[better], best[better]
        if step % _STEPS == 0 and (ring := _find_ring(np.where(by < 0, -1, other[by]).tolist())):
            return [(int(one[by[at]]), int(other[by[at]]), at) for at in ring]


def _find_ring(before: list[int]) -> list[int]:
    """A ring of places of which `before` names for each the one before it; empty without one. −1: none comes before."""
    seen: set[int] = set()
    for start in range(len(before)):
        at, path = start, list[int]()
        while at >= 0 and at not in seen:
            seen.add(at)
            path.append(at)
            at = before[at]
        if at in path:
            return path[path.index(at) :]
    return []
