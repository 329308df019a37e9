"""Which pairs can matter: a candidate graph that provably holds the optimum of the complete graph.

Let the players have prices u, with u(i) + u(j) ≤ main cost less tolls for every pair. Then the sum of prices and tolls
is a lower bound for any complete pairing. What a pair costs above its two prices is its *surplus*. A pairing that costs
no more than a known one holds no pair whose surplus is above the known one's distance from the bound: such pairs can be
left out. (This is linear programming duality; the tolls are odd-set prices of Edmonds' matching theorem.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tournament.pairing import connected_components
from tournament.pairing.field import Ints
from tournament.pairing.main_costs import FAR, CostMatrix

_SWEEPS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs by index, the upper one first, with their main costs less tolls, or with their surplus."""

    upper: Ints
    lower: Ints
    cost: Ints

    def __len__(self) -> int:
        return len(self.upper)

    def where(self, chosen: Ints | npt.NDArray[np.bool_]) -> Pairs:
        """Some of the pairs."""
        return Pairs(self.upper[chosen], self.lower[chosen], self.cost[chosen])

    def among(self, others: Pairs, m: int) -> npt.NDArray[np.bool_]:
        """Which of the pairs are among the others too."""
        return np.isin(self.upper * m + self.lower, others.upper * m + others.lower)


def near(matrix: CostMatrix, partners: int, neighbours: int, at_any_cost: bool = False) -> Pairs:
    """Each player's cheapest partners in reach, and the neighbours on each side in the table.

    Repeats and forbidden pairs only `at_any_cost`.
    """
    m = matrix.m
    codes = [_neighbours(m, neighbours)]
    for row, column, costs in matrix.panels():
        k = min(partners, costs.shape[1])
        cheapest = np.argpartition(costs, k - 1, axis=1)[:, :k] + column
        rows = np.arange(row, row + len(costs))[:, None]
        codes.append((np.minimum(rows, cheapest) * m + np.maximum(rows, cheapest)).ravel())
    code = np.sort(np.concatenate(codes))
    code = code[np.concatenate(([True], code[1:] != code[:-1]))]
    upper, lower = code // m, code % m
    keep = upper != lower
    if not at_any_cost:
        keep &= ~np.isin(code, matrix.far_upper * m + matrix.far_lower)
    upper, lower = upper[keep], lower[keep]
    return Pairs(upper, lower, matrix.main(upper, lower))


def _neighbours(m: int, reach: int) -> Ints:
    upper, step = np.arange(m)[:, None], np.arange(1, reach + 1)[None, :]
    lower = upper + step
    return (upper * m + lower)[lower < m]


def prices(matrix: CostMatrix, pairs: Pairs) -> Ints:
    """Prices for all players, as high as a few sweeps bring them without a pair falling below its two prices.

    In each sweep some players take what their cheapest pair leaves, or half of it if the partner takes too: first every
    other score group, then the other groups, the upper halves and the lower halves. Every player must be in some pair.
    """
    one, other = np.concatenate((pairs.upper, pairs.lower)), np.concatenate((pairs.lower, pairs.upper))
    order = np.argsort(one, kind="stable")
    one, other, left = one[order], other[order], np.concatenate((pairs.cost, pairs.cost))[order]
    begins = np.searchsorted(one, np.arange(matrix.m))
    even, upper_half = matrix.field.groups.number[matrix.at] % 2 == 0, matrix.field.groups.in_upper[matrix.at]
    turns = (even, ~even, upper_half, ~upper_half)
    price = np.zeros(matrix.m, np.int64)
    for sweep in range(_SWEEPS):
        taking = turns[sweep % len(turns)]
        shared = np.where(taking[one] & taking[other], left >> 1, left)
        step = np.where(taking, np.minimum.reduceat(shared, begins), 0)
        price += step
        left = left - step[one] - step[other]
    return price


def least(pairs: Pairs, price: Ints, count: int) -> Pairs:
    """The `count` pairs with the least surplus, and all that equal the last of them."""
    surplus = pairs.cost - price[pairs.upper] - price[pairs.lower]
    last = min(count, len(pairs)) - 1
    return pairs.where(surplus <= np.partition(surplus, last)[last])


def useful(matrix: CostMatrix, price: Ints, matched: Pairs, limit: int) -> Pairs | None:
    """All pairs that a pairing no dearer than the `matched` one can hold, with their surplus.

    None when there are more than `limit` of them.
    """
    paid = _total(matrix.toll[matched.lower] - matrix.toll[matched.upper])
    known = _total(matched.cost) + paid
    found = _within(matrix, price, known - _total(price) - matrix.tolls, limit)
    if found is not None and (found.cost < 0).any():
        price = price + _shortfall(matrix, found)
        found = _within(matrix, price, known - _total(price) - matrix.tolls, limit)
    return _by_part(matrix, found, matched) if found is not None and paid == matrix.tolls else found


def _total(figures: Ints) -> int:
    """The sum, which may need more than 64 bits."""
    return sum(figures.tolist())


def _within(matrix: CostMatrix, price: Ints, gap: int, limit: int) -> Pairs | None:
    """All pairs with a surplus up to `gap`, or below 0; None when there are more than `limit`."""
    gap = min(max(gap, 0), FAR - 1)
    highest = np.maximum.reduceat(price, matrix.bounds[:-1])
    least = matrix.slack - highest[:, None] - highest[None, :]
    found: list[Pairs] = []
    for group, other in np.argwhere(np.triu(least <= gap)).tolist():
        row, column = int(matrix.bounds[group]), int(matrix.bounds[other])
        costs = matrix.block(group, other)
        surplus = costs - price[row : row + costs.shape[0], None] - price[None, column : column + costs.shape[1]]
        upper, lower = np.nonzero(surplus <= gap)
        found.append(Pairs(upper + row, lower + column, surplus[upper, lower]))
        limit -= len(upper)
        if limit < 0:
            return None
    return Pairs(*(np.concatenate([getattr(pairs, name) for pairs in found]) for name in ("upper", "lower", "cost")))


def _shortfall(matrix: CostMatrix, pairs: Pairs) -> Ints:
    """How far the prices have to come down so that no pair falls below them; never above 0."""
    short = np.zeros(matrix.m, np.int64)
    np.minimum.at(short, pairs.upper, pairs.cost)
    np.minimum.at(short, pairs.lower, pairs.cost)
    return short


def _by_part(matrix: CostMatrix, pairs: Pairs, matched: Pairs) -> Pairs:
    """Leave out what is above its own part's gap: where the pairs fall into parts, each part is cheapest by itself.

    Valid when no toll is paid twice, since each boundary that must be crossed then belongs to one part.
    """
    own = pairs.where(pairs.among(matched, matrix.m))
    while True:
        part = connected_components.labels(matrix.m, pairs.upper, pairs.lower)
        gap = np.zeros(int(part.max()) + 1, np.int64)
        np.add.at(gap, part[own.upper], own.cost)
        kept = pairs.cost <= gap[part[pairs.upper]]
        if kept.all():
            return pairs
        pairs = pairs.where(kept)
