"""What a pair costs: a tuple compared from the left, and its packing into one integer.

Each component is wide enough for its sum over any complete pairing, so that packed sums compare as the tuples do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tournament.pairing import lots, policies
from tournament.pairing.field import Field, Ints
from tournament.pairing.values import Clubs, DrawRequest

COMPONENTS = (
    "forbidden",
    "byes",
    "repeats",
    "bye_policy",
    "score",
    "float_height",
    "clubs_apart",
    "policy",
    "clubs",
    "starts",
    "tidiness",
    "lot",
)
ROOM = 120  # bits: the solver calculates with 128 and needs a few for itself
LOT_BITS = 20
_LIMB = 62  # bits that an integer of an array holds with room to spare


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Possible pairs: two arrays of vertices (the second may be a bye vertex) and one array for each component."""

    one: Ints
    other: Ints
    costs: tuple[Ints, ...]

    def where(self, chosen: Ints) -> Edges:
        """Some of the edges."""
        return Edges(self.one[chosen], self.other[chosen], tuple(component[chosen] for component in self.costs))


def between(field: Field, request: DrawRequest, upper: Ints, lower: Ints) -> Edges:
    """The edges between players, given by two arrays of places, the upper ones first."""
    zero = np.zeros(len(upper), np.int64)
    code = field.code(upper, lower)
    club = np.where((field.club[upper] >= 0) & (field.club[upper] == field.club[lower]), 1, 0)
    policy = policies.of(request)
    costs = (
        np.isin(code, field.forbidden_codes).astype(np.int64),
        zero,
        zero if request.repeats else _look_up(field.met_codes, field.met_costs, code),
        zero,
        (field.half_wins[upper] - field.half_wins[lower]) ** 2 if field.by_score else zero,
        field.float_height(upper, lower) if field.by_score else zero,
        club if request.clubs is Clubs.APART else zero,
        policy.distance(field, request, upper, lower),
        club if request.clubs is Clubs.TIES else zero,
        _uneven(field.balance[upper], field.balance[lower]),
        policy.tidiness(field, request, upper, lower),
        lots.pair_bits(request.seed, field.keys[upper], field.keys[lower], LOT_BITS),
    )
    return Edges(upper, lower, costs)


def to_byes(field: Field, request: DrawRequest) -> Edges:
    """The edges from every player to every bye vertex, vertex by vertex."""
    one = np.tile(np.arange(field.n), field.byes)
    other = np.repeat(np.arange(field.byes) + field.n, field.n)
    zero = np.zeros(len(one), np.int64)
    had, wish = (field.had_byes**2)[one], field.bye_wish[one]
    lot = lots.pair_bits(request.seed, field.keys[one], field.keys[one], LOT_BITS)
    return Edges(one, other, (zero, had, zero, wish, *[zero] * 7, lot))


def joined(first: Edges, second: Edges) -> Edges:
    """Both sets of edges in one."""
    costs = tuple(np.concatenate(both) for both in zip(first.costs, second.costs, strict=True))
    return Edges(np.concatenate((first.one, second.one)), np.concatenate((first.other, second.other)), costs)


def packed(edges: Edges, vertices: int) -> list[int]:
    """One integer for each edge. In a very large field the lots lose those last bits that do not fit.

    Raises OverflowError when that is not enough.
    """
    widths = [_bound(edges, component, vertices).bit_length() for component in edges.costs]
    spare = max(0, sum(widths) - ROOM)
    if spare > LOT_BITS:
        raise OverflowError(f"the cost needs {sum(widths)} bits, {ROOM} are there: {widths}")
    components = [*edges.costs[:-1], edges.costs[-1] >> spare]
    return _shifted_together(components, [*widths[:-1], max(0, widths[-1] - spare)])


def _shifted_together(components: Sequence[Ints], widths: Sequence[int]) -> list[int]:
    """Put the components side by side: as many as fit in arrays, then in Python's unbounded integers."""
    limbs: list[tuple[Ints, int]] = []  # from the right, with their widths
    for component, width in zip(reversed(components), reversed(widths), strict=True):
        if limbs and limbs[-1][1] + width <= _LIMB:
            limb, shift = limbs[-1]
            limbs[-1] = limb + (component << shift), shift + width
        else:
            limbs.append((component, width))
    total: list[int] = limbs[0][0].tolist()
    shift = limbs[0][1]
    for limb, width in limbs[1:]:
        total = [have + (more << shift) for have, more in zip(total, limb.tolist(), strict=True)]
        shift += width
    return total


def _bound(edges: Edges, component: Ints, vertices: int) -> int:
    """The most that the component can add up to over a set of edges without a common vertex."""
    most = np.zeros(vertices, np.int64)
    np.maximum.at(most, edges.one, component)
    np.maximum.at(most, edges.other, component)
    return int(most.sum()) // 2 + 1 if component.any() else 0


def _look_up(codes: Ints, costs: Ints, wanted: Ints) -> Ints:
    if not len(codes):
        return np.zeros(len(wanted), np.int64)
    found = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
    looked_up: Ints = np.where(codes[found] == wanted, costs[found], 0)
    return looked_up


def _uneven(mine: Ints, theirs: Ints) -> Ints:
    """How far beyond one from even the better choice of starter leaves the two, see `starts.excess`."""

    def excess(starter: Ints, replier: Ints) -> Ints:
        beyond: Ints = np.maximum(0, np.abs(starter + 1) - 1) + np.maximum(0, np.abs(replier - 1) - 1)
        return beyond

    return np.minimum(excess(mine, theirs), excess(theirs, mine))
