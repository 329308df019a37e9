"""The players to be matched as arrays, in the order of the table, with the history's figures beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tournament.pairing import byes as bye_rules
from tournament.pairing.history import History
from tournament.pairing.values import Competitor, DrawRequest

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Places 0 … n−1 are the players in the order of the table; the bye vertices follow.

    Where the score counts, all players with the same half-wins are a score group, and the order is by group first (a
    table that ranks by points can mix them). Seats count only the players expected to play: whoever is next for a bye
    does not shift the others.

    `byes`: how many bye vertices there are. `by_score`: whether the score distance counts. `club`: −1 without a club.
    `balance`: starts less replies. `bye_wish`: see `byes.distances`. `resting`: places of those expected to get the
    byes. `seat`: how many of the players above play. `met_codes`: sorted codes (see `code`) of those who have met.
    """

    players: tuple[Competitor, ...]
    byes: int
    by_score: bool
    keys: Ints
    half_wins: Ints
    club: Ints
    balance: Ints
    had_byes: Ints
    bye_wish: Ints
    resting: Ints
    seat: Ints
    groups: Groups
    met_codes: Ints
    met_costs: Ints
    forbidden_codes: Ints

    @property
    def n(self) -> int:
        """Number of players."""
        return len(self.players)

    def code(self, low: Ints, high: Ints) -> Ints:
        """One number for each pair of places, `low` above `high` in the table."""
        return low * self.n + high

    def float_height(self, upper: Ints, lower: Ints) -> Ints:
        """The better player's half-wins where the scores differ: of equal score distance, the lower floats are better.

        So a group at the top is kept whole, and whoever has to leave their group does so further down.
        """
        height: Ints = np.where(self.half_wins[upper] == self.half_wins[lower], 0, self.half_wins[upper])
        return height


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Each player's score group, by place in the field. Its numbers leave out those who are next for a bye.

    `number`: the group's, from 0. `place`: the player's inside the group, from 0. `half`: half the number of players
    who can be paired inside the group. `in_upper`: whether the player belongs to the upper half of those.
    """

    number: Ints
    place: Ints
    size: Ints
    half: Ints
    in_upper: npt.NDArray[np.bool_]


def build(
    players: Sequence[Competitor], byes: int, history: History, request: DrawRequest, by_score: bool, in_groups: bool
) -> Field:
    """Put the players in order and look up their figures."""
    ordered = tuple(sorted(players, key=lambda p: (-p.half_wins if in_groups else 0, p.rank)))
    half_wins = np.array([p.half_wins for p in ordered], np.int64)
    standing = np.argsort(np.argsort(np.array([p.rank for p in ordered], np.int64)))
    records = [history.record(p.key) for p in ordered]
    had_byes = np.array([r.byes for r in records], np.int64)
    bye_wish = bye_rules.distances(standing, request)
    resting = bye_rules.cheapest(had_byes, bye_wish, byes)
    plays = np.ones(len(ordered), np.int64)
    plays[resting] = 0
    where = {p.key: index for index, p in enumerate(ordered)}
    met_codes, met_costs = _met(history, where, request)
    return Field(
        players=ordered,
        byes=byes,
        by_score=by_score and bool((half_wins[1:] <= half_wins[:-1]).all()),
        keys=np.array([p.key for p in ordered], np.int64),
        half_wins=half_wins,
        club=_clubs(ordered),
        balance=np.array([r.balance for r in records], np.int64),
        had_byes=had_byes,
        bye_wish=bye_wish,
        resting=resting,
        seat=np.cumsum(plays) - plays,
        groups=_groups(half_wins, plays),
        met_codes=met_codes,
        met_costs=met_costs,
        forbidden_codes=_codes(request.forbidden, where),
    )


def _groups(half_wins: Ints, plays: Ints) -> Groups:
    """Halve the score groups. Where an odd number plays above a group, its first player meets somebody from there;
    where an odd number plays down to its end, its last player leaves for the next one."""
    begins = np.flatnonzero(np.concatenate(([True], half_wins[1:] != half_wins[:-1])))[: len(half_wins)]
    number = np.repeat(np.arange(len(begins)), np.diff(np.append(begins, len(half_wins))))
    above = np.concatenate(([0], np.cumsum(plays)))
    top, end = above[begins][number], above[np.append(begins, len(half_wins))][number + 1]
    place = above[:-1] - top
    half = (end - top - top % 2 - end % 2) // 2
    return Groups(number, place, end - top, half, place - top % 2 < half)


def _clubs(players: Iterable[Competitor]) -> Ints:
    numbers: dict[object, int] = {None: -1}
    return np.array([numbers.setdefault(p.club, len(numbers)) for p in players], np.int64)


def _met(history: History, where: dict[int, int], request: DrawRequest) -> tuple[Ints, Ints]:
    """What it costs two players to meet again: twice the square of their meetings, one more if the last
    was in the round before."""
    found: dict[int, int] = {}
    n, before = len(where), request.round - 1
    for (one, other), meetings in history.met.items():
        here, there = where.get(one), where.get(other)
        if here is not None and there is not None:
            code = here * n + there if here < there else there * n + here
            found[code] = 2 * len(meetings) ** 2 + (meetings[-1].round == before)
    codes = np.array(sorted(found), np.int64)
    return codes, np.array([found[code] for code in codes.tolist()], np.int64)


def _codes(pairs: Iterable[tuple[int, int]], where: dict[int, int]) -> Ints:
    places = (sorted((where[one], where[other])) for one, other in pairs if one in where and other in where)
    return np.array(sorted({low * len(where) + high for low, high in places}), np.int64)
