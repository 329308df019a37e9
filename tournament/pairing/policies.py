"""What each method wants: a distance from its ideal for every possible pair of places in the table.

A distance takes the field, the request and two arrays of places (the upper ones first, they may broadcast against
each other) and returns an array. Adding a method is adding one function and its line in `_POLICIES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tournament.pairing import lots
from tournament.pairing.field import Field, Ints
from tournament.pairing.values import DrawRequest, Method

Distance = Callable[[Field, DrawRequest, Ints, Ints], Ints]

RANDOM_BITS = 16
TIDINESS_BITS = 14  # more is cut off
_FREEDOM = 4  # places in a score group, at most


@dataclass(frozen=True, slots=True)
class Policy:
    """A method's distance, the most its sum can be, what it leaves to tidiness, and what the score means to it.

    `most`: the most that the distances of a complete pairing can add up to. `by_score`: the score distance comes before
    the method's own. `in_groups`: besides, the order of play is by score group, then by rank.
    """

    distance: Distance
    most: Callable[[Field, DrawRequest], int]
    tidiness: Distance
    by_score: bool
    in_groups: bool = False


def of(request: DrawRequest) -> Policy:
    """The policy of the request's method."""
    return _POLICIES[request.method]


def _swiss(field: Field, request: DrawRequest, upper: Ints, lower: Ints) -> Ints:
    """Inside a score group: how far from half a group apart, so that the upper half meets the lower half.

    Between groups: how far the upper player is from the end of their group and the lower from the top of theirs. Those
    who have to leave a group because of odd numbers do not count when it is halved. Squared, so that a shift is shared
    by all; one more for two of the same half prefers 1–4, 2–3 to 1–2, 3–4.

    A few places more or less are as good (a third of the group, at most four): the starts decide among them. Exact to
    the place, a quarter of a field of 50 is two starts from even after eight rounds; with this freedom, an eighth.
    """
    return _from_half(field, upper, lower, np.minimum(field.groups.size // 3, _FREEDOM))


def _exactly(field: Field, request: DrawRequest, upper: Ints, lower: Ints) -> Ints:
    """As `_swiss`, but exact to the place."""
    return _cut(_from_half(field, upper, lower, np.zeros(field.n, np.int64)))


def _from_half(field: Field, upper: Ints, lower: Ints, free: Ints) -> Ints:
    groups = field.groups
    same = groups.number[upper] == groups.number[lower]
    same_half = groups.in_upper[upper] == groups.in_upper[lower]
    shift = np.abs(field.seat[lower] - (field.seat + groups.half)[upper]) - free[upper]
    from_end = np.maximum(groups.size - 1 - groups.place - free, 0) ** 2
    from_top = np.maximum(groups.place - free, 0) ** 2
    between = 2 * (from_end[upper] + from_top[lower])
    distance: Ints = np.where(same, 2 * np.maximum(shift, 0) ** 2 + same_half, between)
    return distance


def _most_in_groups(field: Field, request: DrawRequest) -> int:
    """No pair is further from its wish than twice the squares of both group's sizes, and one for the same half."""
    return int((2 * field.groups.size**2).sum()) + field.n


def _king_of_the_hill(field: Field, request: DrawRequest, upper: Ints, lower: Ints) -> Ints:
    """How far from neighbours in the table, squared."""
    distance: Ints = np.square(field.seat[lower] - field.seat[upper] - 1)
    return distance


def _factor(field: Field, request: DrawRequest, upper: Ints, lower: Ints) -> Ints:
    """How far from `factor` ranks apart, squared."""
    distance: Ints = np.square(field.seat[lower] - field.seat[upper] - request.factor)
    return distance


def _random(field: Field, request: DrawRequest, upper: Ints, lower: Ints) -> Ints:
    """A number drawn for the two players."""
    return lots.pair_bits(request.seed ^ 1, field.keys[upper], field.keys[lower], RANDOM_BITS)


def _top_first(distance: Distance) -> Distance:
    """Where sums are equal, the top of the table gets what the method wants and the bottom gets the rest."""

    def tidiness(field: Field, request: DrawRequest, upper: Ints, lower: Ints) -> Ints:
        weight = 1 + (field.n - 1 - upper) * 8 // max(1, field.n)
        return _cut(np.minimum(distance(field, request, upper, lower), 1000) * weight)

    return tidiness


def _none(field: Field, request: DrawRequest, upper: Ints, lower: Ints) -> Ints:
    return np.zeros(np.broadcast(upper, lower).shape, np.int64)


def _cut(distance: Ints) -> Ints:
    return np.minimum(distance, (1 << TIDINESS_BITS) - 1)


_POLICIES: dict[Method, Policy] = {
    Method.SWISS: Policy(_swiss, _most_in_groups, _exactly, by_score=True, in_groups=True),
    Method.KING_OF_THE_HILL: Policy(
        _king_of_the_hill, lambda field, request: field.n**3, _top_first(_king_of_the_hill), by_score=True
    ),
    # These two ignore the score: a random draw is open to all, and ranks apart are ranks in the whole table.
    Method.FACTOR: Policy(
        _factor, lambda field, request: field.n * (field.n + request.factor) ** 2, _top_first(_factor), by_score=False
    ),
    Method.RANDOM: Policy(_random, lambda field, request: field.n << RANDOM_BITS, _none, by_score=False),
}
