"""The main part of the costs (score, float height, clubs, policy) in 64 bits, for whole blocks of pairs at once.

A complete graph of 1,000 players has half a million pairs. Their main costs are worked out block by block, one
score group against another, and only what can matter goes on to the solver.

A boundary between two score groups with an odd number of players above it must be crossed by some pair. That is a
lower bound on score distance and float height, so each such boundary has a toll, the square of its width and the height
of the group above: what a pair pays for crossing it cannot be saved. Main costs are given less the tolls. (Whoever
crosses several boundaries pays all their tolls by score distance: the square of a sum is more than the sum of squares.)

A pair's main cost has to fit into 60 bits, the sum over a field has not: sums are Python's integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as default

import numpy as np

from tournament.pairing import policies
from tournament.pairing.field import Field, Ints
from tournament.pairing.values import Clubs, DrawRequest

FAR = 1 << 61  # the main cost of a repeat, a forbidden pair or a player with themselves
_WHOLE = 160  # up to this many players one block for all is as fast
_CHUNK = 1 << 16  # pairs worked out at a time: what the processor's cache holds


@dataclass(frozen=True, slots=True, eq=False)
class CostMatrix:
    """The main costs of an even number of players, by index 0 … m−1 into `at`, worked out block by block.

    Blocks are runs of score groups.

    `at`: places in the field. `unit`: the main cost of one squared half-win. `toll`: the sum of all boundaries above
    each player. `tolls`: the sum of all boundaries, which any complete pairing pays at least. `bounds`: where each
    block begins, and m. `slack`: for any two blocks the least main cost that the score gives a pair from them.
    `far_upper`: the pairs out of the question, by index, sorted. `_blocks`: those worked out so far.
    """

    field: Field
    request: DrawRequest
    at: Ints
    unit: int
    height_unit: int
    club_unit: int
    toll: Ints
    tolls: int
    bounds: Ints
    slack: Ints
    far_upper: Ints
    far_lower: Ints
    _blocks: dict[tuple[int, int], Ints] = default(default_factory=dict)

    @property
    def m(self) -> int:
        """How many players are to be matched."""
        return len(self.at)

    def main(self, upper: Ints, lower: Ints) -> Ints:
        """The main costs less tolls of arrays of pairs that broadcast against each other."""
        one, other = self.at[upper], self.at[lower]
        cost = policies.of(self.request).distance(self.field, self.request, one, other)
        if self.field.by_score:
            score = self.field.half_wins[one] - self.field.half_wins[other]
            height = self.field.float_height(one, other)
            cost = cost + score * score * self.unit + height * self.height_unit
            cost = cost + (self.toll[upper] - self.toll[lower])
        if self.request.clubs is Clubs.APART:
            club = self.field.club
            cost = cost + ((club[one] == club[other]) & (club[one] >= 0)) * self.club_unit
        return cost

    def block(self, group: int, other: int) -> Ints:
        """The main costs between two blocks, the upper one first, or within one (FAR below the diagonal)."""
        if (group, other) not in self._blocks:
            self._blocks[group, other] = self._block(group, other)
        return self._blocks[group, other]

    def _block(self, group: int, other: int) -> Ints:
        rows = np.arange(self.bounds[group], self.bounds[group + 1])
        columns = np.arange(self.bounds[other], self.bounds[other + 1])
        cost = np.full((len(rows), len(columns)), FAR, np.int64)
        step = max(1, _CHUNK // len(columns))
        for begin in range(0, len(rows), step):
            right = begin if group == other else 0
            part = cost[begin : begin + step, right:]
            part[:] = self.main(rows[begin : begin + step, None], columns[None, right:])
            if group == other:
                part[np.tri(*part.shape, dtype=np.bool_)] = FAR
        first, last = np.searchsorted(self.far_upper, (rows[0], rows[-1] + 1))
        upper, lower = self.far_upper[first:last], self.far_lower[first:last]
        inside = (lower >= columns[0]) & (lower <= columns[-1])
        cost[upper[inside] - rows[0], lower[inside] - columns[0]] = FAR
        return cost

    def panels(self) -> Iterator[tuple[int, int, Ints]]:
        """For each block the first row, the first column and the costs of its rows against the block itself and the
        ones next to it that it can meet at no cost in score."""
        before: Ints | None = None
        last = len(self.bounds) - 2
        for group in range(last + 1):
            inside = self.block(group, group)
            parts = [np.minimum(inside, inside.T)]
            column = int(self.bounds[group])
            if before is not None:
                parts.insert(0, before.T)
                column = int(self.bounds[group - 1])
            before = None
            if group < last and self.slack[group, group + 1] == 0:
                before = self.block(group, group + 1)
                parts.append(before)
            yield int(self.bounds[group]), column, np.hstack(parts) if len(parts) > 1 else parts[0]


def cost_matrix(field: Field, request: DrawRequest, at: Ints) -> CostMatrix | None:
    """The main costs of matching the players at these places; None when a pair's main cost needs more than 60 bits."""
    half_wins = field.half_wins[at] if field.by_score else np.zeros(len(at), np.int64)
    club_unit = _above(policies.of(request).most(field, request))
    height_unit = club_unit * (_above(len(at) // 2) if request.clubs is Clubs.APART else 1)
    unit = height_unit * _above(int(half_wins[: len(at) // 2].sum()) if half_wins[0] > half_wins[-1] else 0)
    if unit * (int(half_wins[0] - half_wins[-1]) ** 2 + 1) >> 60:
        return None
    begins = np.flatnonzero(half_wins[1:] != half_wins[:-1]) + 1
    above, below = half_wins[begins - 1], half_wins[begins]
    tolls = ((above - below) ** 2 * unit + above * height_unit) * (begins % 2)
    toll = np.repeat(np.concatenate(([0], np.cumsum(tolls))), np.diff(begins, prepend=0, append=len(at)))
    top = np.concatenate(([0], begins if len(at) > _WHOLE else begins[:0])).astype(np.int64)
    bounds = np.append(top, len(at))
    slack = _slack(half_wins[top], toll[top], unit, height_unit)
    units = unit, height_unit, club_unit
    return CostMatrix(field, request, at, *units, toll, int(tolls.sum()), bounds, slack, *_far(field, request, at))


def _slack(half_wins: Ints, toll: Ints, unit: int, height_unit: int) -> Ints:
    """For any two blocks what score and height cost a pair from them, less the tolls."""
    apart = half_wins[:, None] - half_wins
    height = np.where(apart == 0, 0, np.maximum(half_wins[:, None], half_wins))
    slack: Ints = apart**2 * unit + height * height_unit - np.abs(toll[:, None] - toll)
    return slack


def _above(most: int) -> int:
    """A power of two above every sum of a component that is never more than `most`."""
    return 1 << most.bit_length()


def _far(field: Field, request: DrawRequest, at: Ints) -> tuple[Ints, Ints]:
    index = np.full(field.n, -1, np.int64)
    index[at] = np.arange(len(at))
    codes = field.forbidden_codes if request.repeats else np.union1d(field.forbidden_codes, field.met_codes)
    upper, lower = index[codes // field.n], index[codes % field.n]
    there = (upper >= 0) & (lower >= 0)
    return upper[there], lower[there]
