"""Why two do not meet: the round paired again with that pair held, and what that would cost, component by component."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tournament.pairing import costs, field, history, policies, proofs
from tournament.pairing.field import Field
from tournament.pairing.history import History
from tournament.pairing.numbering import drawn
from tournament.pairing.values import ByePolicy, Clubs, Competitor, DrawRequest, Flag, Given

Keys = tuple[int, ...]
"""A pair, or whoever has the bye."""

COMPONENTS = (
    "schedule",  # games of a schedule that are not played
    "forbidden",  # pairs who are to be kept apart
    "byes",  # squares of the byes had so far by those who get one
    "repeats",  # squares of how often opponents have played each other
    "again_at_once",  # opponents who played each other in the round before
    "bye_policy",  # how far the bye is from its place
    "score",  # squares of the differences in half wins
    "float_height",  # the better player's half wins, of those whose scores differ
    "club",  # pairs of one club
    "policy",  # how far from what the method wants
    "starts",  # how far starts and replies get from even
    "tidiness",  # how far from what the method wants to the place
)
"""What is compared, the weightiest first, each as a sum over the round."""


@dataclass(frozen=True, slots=True)
class CostDifference:
    """A component in which the two pairings differ: by how much the held one costs more, and whose pairs make it so."""

    component: str
    by: int
    who: tuple[Keys, ...]


@dataclass(frozen=True, slots=True)
class CostComparison:
    """The costs of the round as it is and with the pair held, and where they differ, the weightiest first."""

    paired: tuple[int, ...]
    held: tuple[int, ...]
    differs: tuple[CostDifference, ...]


@dataclass(frozen=True, slots=True)
class _Pairing:
    """A round's pairs, of which some are a schedule's games."""

    pairs: frozenset[frozenset[int]]
    scheduled: frozenset[frozenset[int]] = frozenset()


def compare(request: DrawRequest, stored: Sequence[Given], one: int, other: int) -> CostComparison:
    """Compare the round as `stored` with the cheapest in which the two meet; who else is set by hand stays so.

    Raises `Impossible` with what stands in the way.
    """
    fixed = [pair for pair in stored if pair.flag in (Flag.MANUAL, Flag.LOCKED) and not _keys(pair) & {one, other}]
    held = replace(request, given=(*fixed, Given(one, other, starter_fixed=False)))
    if held.bye_policy is ByePolicy.BY_HAND:
        held = replace(held, bye_policy=ByePolicy.LOWEST)
    bound = {key for pair in fixed for key in _keys(pair)}
    ruler = _Ruler(replace(held, given=()), [player for player in request.competitors if player.key not in bound])
    now = _Pairing(
        frozenset(_keys(pair) for pair in stored), frozenset(_keys(pair) for pair in stored if pair.group is not None)
    )
    then = _Pairing(frozenset(_keys_of(pair.first, pair.second) for pair in drawn(held).pairs))
    return _compared(ruler, now, then)


def _keys(pair: Given) -> frozenset[int]:
    return _keys_of(pair.first, pair.second)


def _keys_of(first: int, second: int | None) -> frozenset[int]:
    return frozenset({first}) if second is None else frozenset({first, second})


def _compared(ruler: _Ruler, now: _Pairing, then: _Pairing) -> CostComparison:
    missed = now.scheduled - then.pairs
    paired, held = ruler.measures(now.pairs), ruler.measures(then.pairs)
    held["schedule"] = len(missed)
    differs = []
    for name in COMPONENTS:
        if by := held[name] - paired[name]:
            more, less = (then, now) if by > 0 else (now, then)
            who = missed if name == "schedule" else ruler.concerned(name, more.pairs - less.pairs)
            differs.append(CostDifference(name, by, tuple(sorted(tuple(sorted(keys)) for keys in who))))
    return CostComparison(
        tuple(paired[each] for each in COMPONENTS), tuple(held[each] for each in COMPONENTS), tuple(differs)
    )


class _Ruler:
    """Measures complete pairings of the players whom the director has not bound."""

    def __init__(self, request: DrawRequest, players: Sequence[Competitor]) -> None:
        self.request = replace(request, method=proofs.MATCHED_BY.get(request.method, request.method))
        self.past: History = history.read(request.meetings)
        self.players = players
        self.clubs = {player.key: player.club for player in players}
        self.half_wins = {player.key: player.half_wins for player in players}

    def measures(self, pairs: Iterable[frozenset[int]]) -> dict[str, int]:
        """Each component's sum over those pairs whose players are measured."""
        mine = [keys for keys in pairs if keys <= self.clubs.keys()]
        games, resting = (
            [keys for keys in mine if len(keys) == 2],
            [key for keys in mine for key in keys if len(keys) == 1],
        )
        counted = {name: len(self.concerned(name, games)) for name in ("forbidden", "again_at_once", "club")}
        met = [self._met(keys) for keys in games]
        return {
            "schedule": 0,
            **counted,
            "byes": sum(self.past.record(key).byes ** 2 for key in resting),
            "repeats": 0 if self.request.repeats else sum(len(rounds) ** 2 for rounds in met),
            **self._by_the_core(games, resting),
        }

    def _by_the_core(self, games: Sequence[frozenset[int]], resting: Sequence[int]) -> dict[str, int]:
        """What the matching core counts in units of its own."""
        policy = policies.of(self.request)
        players = field.build(self.players, len(resting), self.past, self.request, policy.by_score, policy.in_groups)
        place = {player.key: at for at, player in enumerate(players.players)}
        ends = np.array([sorted(place[key] for key in keys) for keys in games], np.int64).reshape(-1, 2)
        edges = costs.between(players, self.request, ends[:, 0], ends[:, 1])
        sums = {name: int(each.sum()) for name, each in zip(costs.COMPONENTS, edges.costs, strict=True)}
        sums["bye_policy"] = self._bye_wish(players, [place[key] for key in resting])
        return {name: sums[name] for name in ("bye_policy", "score", "float_height", "policy", "starts", "tidiness")}

    @staticmethod
    def _bye_wish(players: Field, places: list[int]) -> int:
        return int(players.bye_wish[places].sum())

    def _met(self, keys: frozenset[int]) -> list[int]:
        one, other = sorted(keys)
        return [meeting.round for meeting in self.past.between(one, other)]

    def concerned(self, name: str, pairs: Iterable[frozenset[int]]) -> list[frozenset[int]]:
        """Those of the pairs that the component counts."""
        return [keys for keys in pairs if keys <= self.clubs.keys() and self._counts(name, keys)]

    def _counts(self, name: str, keys: frozenset[int]) -> bool:
        if len(keys) == 1:
            (resting,) = keys
            return name == "bye_policy" or (name == "byes" and self.past.record(resting).byes > 0)
        if name == "forbidden":
            return keys in {frozenset(both) for both in self.request.forbidden}
        if name == "club":
            clubs = {self.clubs[key] for key in keys}
            return self.request.clubs is not Clubs.IGNORED and len(clubs) == 1 and clubs != {None}
        if name in ("repeats", "again_at_once"):
            latest = self.request.round - 1 if name == "again_at_once" else None
            met = [] if self.request.repeats else self._met(keys)
            return latest in met if latest is not None else bool(met)
        return name in ("score", "float_height") and len({self.half_wins[key] for key in keys}) > 1
