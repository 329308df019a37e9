"""Why two do not meet: the round paired again with that pair held, and what that would cost, component by component."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tournament.pairing.costs import COST_COMPONENTS, build_player_edges, get_method_policy
from tournament.pairing.drafting import draw_without_reasons
from tournament.pairing.facts import FALLBACK_METHODS
from tournament.pairing.field import PairingField, PairingHistory, build_field, build_pairing_history
from tournament.pairing.values import ByePolicy, ClubPolicy, Competitor, DrawRequest, GivenPair, PairFlag

PairOrBye = tuple[int, ...]
"""A pair, or whoever has the bye."""

COMPARED_COMPONENTS = (
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
    who: tuple[PairOrBye, ...]


@dataclass(frozen=True, slots=True)
class CostComparison:
    """The costs of the round as it is and with the pair held, and where they differ, the weightiest first."""

    paired: tuple[int, ...]
    held: tuple[int, ...]
    differs: tuple[CostDifference, ...]


@dataclass(frozen=True, slots=True)
class _RoundPairs:
    """A round's pairs, of which some are a schedule's games."""

    pairs: frozenset[frozenset[int]]
    scheduled: frozenset[frozenset[int]] = frozenset()


def compare_with_held_pair(request: DrawRequest, stored: Sequence[GivenPair], one: int, other: int) -> CostComparison:
    """Compare the round as `stored` with the cheapest in which the two meet; who else is set by hand stays so.

    Raises `Impossible` with what stands in the way.
    """
    fixed = [
        pair
        for pair in stored
        if pair.flag in (PairFlag.MANUAL, PairFlag.LOCKED) and not _get_pair_keys(pair) & {one, other}
    ]
    held = replace(request, given=(*fixed, GivenPair(one, other, starter_fixed=False)))
    if held.bye_policy is ByePolicy.BY_HAND:
        held = replace(held, bye_policy=ByePolicy.LOWEST)
    bound = {key for pair in fixed for key in _get_pair_keys(pair)}
    ruler = _CostRuler(replace(held, given=()), [player for player in request.competitors if player.key not in bound])
    now = _RoundPairs(
        frozenset(_get_pair_keys(pair) for pair in stored),
        frozenset(_get_pair_keys(pair) for pair in stored if pair.group is not None),
    )
    then = _RoundPairs(frozenset(_make_pair_keys(pair.first, pair.second) for pair in draw_without_reasons(held).pairs))
    return _compare_costs(ruler, now, then)


def _get_pair_keys(pair: GivenPair) -> frozenset[int]:
    return _make_pair_keys(pair.first, pair.second)


def _make_pair_keys(first: int, second: int | None) -> frozenset[int]:
    return frozenset({first}) if second is None else frozenset({first, second})


def _compare_costs(ruler: _CostRuler, now: _RoundPairs, then: _RoundPairs) -> CostComparison:
    missed = now.scheduled - then.pairs
    paired, held = ruler.measures(now.pairs), ruler.measures(then.pairs)
    held["schedule"] = len(missed)
    differs = []
    for name in COMPARED_COMPONENTS:
        if by := held[name] - paired[name]:
            more, less = (then, now) if by > 0 else (now, then)
            who = missed if name == "schedule" else ruler.concerned(name, more.pairs - less.pairs)
            differs.append(CostDifference(name, by, tuple(sorted(tuple(sorted(keys)) for keys in who))))
    return CostComparison(
        tuple(paired[each] for each in COMPARED_COMPONENTS),
        tuple(held[each] for each in COMPARED_COMPONENTS),
        tuple(differs),
    )


class _CostRuler:
    """Measures complete pairings of the players whom the director has not bound."""

    def __init__(self, request: DrawRequest, players: Sequence[Competitor]) -> None:
        self.request = replace(request, method=FALLBACK_METHODS.get(request.method, request.method))
        self.past: PairingHistory = build_pairing_history(request.meetings)
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
        policy = get_method_policy(self.request)
        players = build_field(self.players, len(resting), self.past, self.request, policy.by_score, policy.in_groups)
        place = {player.key: at for at, player in enumerate(players.players)}
        ends = np.array([sorted(place[key] for key in keys) for keys in games], np.int64).reshape(-1, 2)
        edges = build_player_edges(players, self.request, ends[:, 0], ends[:, 1])
        sums = {name: int(each.sum()) for name, each in zip(COST_COMPONENTS, edges.costs, strict=True)}
        sums["bye_policy"] = self._bye_wish(players, [place[key] for key in resting])
        return {name: sums[name] for name in ("bye_policy", "score", "float_height", "policy", "starts", "tidiness")}

    @staticmethod
    def _bye_wish(players: PairingField, places: list[int]) -> int:
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
            return self.request.clubs is not ClubPolicy.IGNORED and len(clubs) == 1 and clubs != {None}
        if name in ("repeats", "again_at_once"):
            latest = self.request.round - 1 if name == "again_at_once" else None
            met = [] if self.request.repeats else self._met(keys)
            return latest in met if latest is not None else bool(met)
        return name in ("score", "float_height") and len({self.half_wins[key] for key in keys}) > 1
