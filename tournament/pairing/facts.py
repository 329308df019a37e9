"""What is true of a round when it is drawn: everything that a reason may speak of, in plain values.

`predicates` says of a reason and these facts whether it holds; `explaining` proposes reasons and keeps those that do.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import numpy as np

from tournament.pairing.costs import COST_COMPONENTS, get_method_policy
from tournament.pairing.field import build_field, build_pairing_history, choose_bye_places, measure_bye_distances
from tournament.pairing.matching import find_cheapest_pairing
from tournament.pairing.values import ByePolicy, ClaimCondition, Draft, DrawRequest, GivenPair, Method

PairKeys = frozenset[int]


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody who takes part in the round, before it.

    `order`: the place in which the method sees the player, 1 the best, no two alike. `rank`: as the table shows it;
    None where it does not, or there is no table. `seeding`: place before the first round. `course`: for each game with
    a known starter, in order, whether the player started.
    """

    order: int
    half_wins: int = 0
    rank: int | None = None
    seeding: int | None = None
    rated: bool = False
    club: Hashable | None = None
    byes: int = 0
    course: tuple[bool, ...] = ()

    @property
    def starts(self) -> int:
        return sum(self.course)

    @property
    def replies(self) -> int:
        return len(self.course) - sum(self.course)


@dataclass(frozen=True)
class Seating:
    """A pair of the round, or a bye, and whose work it is.

    `by_hand`: the director has put these two together. `locked`: the director has told the draw to keep the pair.
    `group`: the schedule's group whose game it is. `starter_set`: the director has said who starts.
    """

    first: int
    second: int | None = None
    by_hand: bool = False
    locked: bool = False
    group: int | None = None
    starter_set: bool = False

    @cached_property
    def keys(self) -> PairKeys:
        return frozenset(key for key in (self.first, self.second) if key is not None)

    @property
    def fixed(self) -> bool:
        """Whether the director is behind the pair."""
        return self.by_hand or self.locked

    @property
    def free(self) -> bool:
        """Whether the program had a choice."""
        return not self.fixed and self.group is None


@dataclass(frozen=True, slots=True)
class PairingCost:
    """What stands first when pairings are compared, as sums over the free pairs.

    `forbidden`: pairs who are kept apart. `byes`: squares of the byes had by those who get one. `repeats`: for each
    pair twice the square of their games, one more if the last was in the round before. `score`: squares of the
    differences in half wins; 0 where the method does not look at the score.
    """

    forbidden: int
    byes: int
    repeats: int
    score: int


@dataclass(frozen=True, slots=True)
class PairingProof:
    """What is known of the pairings that were not chosen, the pairs that are not free staying as they are.

    `best`: the least cost of any complete pairing, compared from the left. `least_score`: the least `score` among those
    of that cost with the byes that were given. `unless`: if any one of these were given up, nobody would meet again;
    None: not known. `apart_unless`: the same, and no two who are kept apart would meet. `left_over`: of those with at
    least so many half wins (True), or fewer (False), how many are left over when as many as possible are paired among
    themselves without a repeat; the second figure without kept-apart pairs as well. `repeat_with_bye`: if any one of
    these players had the bye, somebody would meet again.
    """

    best: PairingCost | None = None
    least_score: int | None = None
    unless: frozenset[ClaimCondition] | None = None
    apart_unless: frozenset[ClaimCondition] | None = None
    left_over: Mapping[tuple[int, bool], tuple[int, int]] = field(default_factory=dict)
    repeat_with_bye: frozenset[int] = frozenset()


@dataclass(frozen=True)
class RoundFacts:
    """A round as it is drawn. What every pair asks for is worked out once: a thousand players ask often.

    `players`: everybody who takes part, by key. `games`: the rounds in which two have played each other, ascending.
    `last_starter`: who started the last of those games that is known to have a starter. `by_score`: whether the free
    pairs were chosen by the score. `repeats`: whether these cost nothing. `looked_ahead`: the players who are paired
    otherwise for the rounds to come.
    """

    players: Mapping[int, Participant]
    pairs: tuple[Seating, ...]
    games: Mapping[PairKeys, tuple[int, ...]] = field(default_factory=dict)
    last_starter: Mapping[PairKeys, int] = field(default_factory=dict)
    apart: frozenset[PairKeys] = frozenset()
    groups: tuple[tuple[int, ...], ...] = ()
    method: Method = Method.SWISS
    by_score: bool = True
    round: int = 1
    rounds: int = 1
    repeats: bool = False
    clubs_apart: bool = False
    drawn_at_table: bool = False
    factor: int = 2
    bye_policy: ByePolicy = ByePolicy.LOWEST
    looked_ahead: frozenset[int] = frozenset()
    proof: PairingProof = field(default_factory=PairingProof)

    def pair_of(self, key: int) -> Seating | None:
        """The pair that the player belongs to."""
        return self._pairs_by_key.get(key)

    @cached_property
    def _pairs_by_key(self) -> dict[int, Seating]:
        return {key: pair for pair in self.pairs for key in pair.keys}

    @cached_property
    def in_order(self) -> list[int]:
        """Everybody, the best first."""
        return sorted(self.players, key=lambda key: self.players[key].order)

    @cached_property
    def is_ranked(self) -> bool:
        """Whether there is a table that shows ranks."""
        return any(player.rank is not None for player in self.players.values())

    @cached_property
    def playing(self) -> list[int]:
        """Everybody with a game, the best first."""
        busy = {key for pair in self.pairs if pair.second is not None for key in pair.keys}
        return [key for key in self.in_order if key in busy]

    def score_group(self, half_wins: int) -> list[int]:
        """Everybody with this score, the best first."""
        return self._score_groups.get(half_wins, [])

    @cached_property
    def _score_groups(self) -> dict[int, list[int]]:
        groups: dict[int, list[int]] = {}
        for key in self.in_order:
            groups.setdefault(self.players[key].half_wins, []).append(key)
        return groups

    @cached_property
    def unfixed(self) -> list[int]:
        """Everybody in a game that the program chose, the best first."""
        chosen = {key for pair in self.pairs if pair.free and pair.second is not None for key in pair.keys}
        return [key for key in self.in_order if key in chosen]

    @cached_property
    def level(self) -> frozenset[int]:
        """Everybody in a game that the program chose inside a score group."""
        inside = (pair for pair in self.pairs if pair.free and pair.second is not None and self.gap(pair) == 0)
        return frozenset(key for pair in inside for key in pair.keys)

    def crossing(self, half_wins: int) -> list[Seating]:
        """The games of somebody with at least so many half wins against somebody with fewer."""
        return [
            pair
            for pair in self.pairs
            if pair.second is not None
            and (self.players[pair.first].half_wins >= half_wins) != (self.players[pair.second].half_wins >= half_wins)
        ]

    def met(self, one: int, other: int) -> tuple[int, ...]:
        """The rounds in which the two have played each other."""
        return self.games.get(frozenset((one, other)), ())

    def cost(self) -> PairingCost:
        """What the free pairs of the round cost."""
        free = [pair for pair in self.pairs if pair.free]
        games = [pair for pair in free if pair.second is not None]
        return PairingCost(
            forbidden=sum(pair.keys in self.apart for pair in games),
            byes=sum(self.players[pair.first].byes ** 2 for pair in free if pair.second is None),
            repeats=0 if self.repeats else sum(self._again(pair) for pair in games),
            score=sum(self.gap(pair) ** 2 for pair in games) if self.by_score else 0,
        )

    def gap(self, pair: Seating) -> int:
        """How many half wins lie between the two; 0 for a bye."""
        if pair.second is None:
            return 0
        return abs(self.players[pair.first].half_wins - self.players[pair.second].half_wins)

    def _again(self, pair: Seating) -> int:
        rounds = self.games.get(pair.keys, ())
        return 2 * len(rounds) ** 2 + (rounds[-1] == self.round - 1) if rounds else 0


# What is known of the pairings that were not chosen.
# The matching core minimises the components of the cost in order, so what the chosen pairing pays in one of them is
# unavoidable under those before it. Whether giving one of those up would help is found by drawing without it.


MOST_PROOF_PLAYERS = 100
"""So many players at most on one side of a boundary are looked at: beyond that the proof takes longer than the draw."""

FALLBACK_METHODS = {Method.GROUPS: Method.SWISS, Method.ROUND_ROBIN: Method.KING_OF_THE_HILL}
"""By which method those are matched whom a schedule leaves without an opponent."""


def build_proof(draft: Draft, request: DrawRequest, facts: RoundFacts, *, changed: bool) -> PairingProof:
    """What can be claimed of the draft; nothing of the pairings not chosen where a schedule or nobody chose.

    One that the director has changed is not the cheapest: what would be is found anew.
    """
    left_over = _count_left_over(facts)
    free = any(pair.free for pair in facts.pairs)
    scheduled = any(pair.group is not None for pair in facts.pairs)
    if not free or scheduled or request.method is Method.MANUAL or not draft.proven:
        return PairingProof(left_over=left_over)
    fixed = tuple(GivenPair(pair.first, pair.second) for pair in facts.pairs if pair.fixed)
    asked = replace(request, given=fixed, method=FALLBACK_METHODS.get(request.method, request.method))
    chosen = _CheapestPairing(
        facts.cost(), frozenset(pair.keys for pair in facts.pairs if pair.free and pair.second is None)
    )
    least = _find_cheapest(asked) if changed or _may_look_ahead(request) else chosen
    best = least.cost
    return PairingProof(
        best=best,
        least_score=best.score if least == chosen and facts.by_score else None,
        unless=_find_claim_conditions(asked, "repeats") if best.repeats else None,
        apart_unless=_find_claim_conditions(asked, "forbidden") if best.forbidden else None,
        left_over=left_over,
        repeat_with_bye=_find_repeat_with_bye(asked, facts, best) if least == chosen else frozenset(),
    )


def _find_claim_conditions(request: DrawRequest, component: str) -> frozenset[ClaimCondition] | None:
    """What would each by itself bring the component down to nothing; empty if nothing does, None if only several."""
    relaxed = {
        ClaimCondition.KEPT_APART: replace(request, forbidden=frozenset()),
        ClaimCondition.SECOND_BYE: replace(
            request, meetings=tuple(one for one in request.meetings if one.second is not None)
        ),
        ClaimCondition.LOCKED: replace(request, given=()),
    }
    if component == "forbidden":
        relaxed = {ClaimCondition.LOCKED: relaxed[ClaimCondition.LOCKED]}
    different = {each: asked for each, asked in relaxed.items() if asked != request}
    helping = frozenset(each for each, asked in different.items() if not getattr(_find_cheapest(asked).cost, component))
    if helping or len(different) < 2:
        return helping
    everything = replace(relaxed[ClaimCondition.SECOND_BYE], forbidden=frozenset(), given=())
    return frozenset() if getattr(_find_cheapest(everything).cost, component) else None


def _may_look_ahead(request: DrawRequest) -> bool:
    """Whether the draw may have taken another pairing than the cheapest; in large fields every one leaves enough."""
    return bool(request.later) and len(request.competitors) <= MOST_PROOF_PLAYERS


@dataclass(frozen=True, slots=True)
class _CheapestPairing:
    """The cost of the cheapest pairing, and who has its byes."""

    cost: PairingCost
    resting: frozenset[frozenset[int]]


def _find_cheapest(request: DrawRequest) -> _CheapestPairing:
    """The cheapest pairing of the players who are not given."""
    taken = {key for pair in request.given for key in (pair.first, pair.second)} | request.byes
    rest = [player for player in request.competitors if player.key not in taken]
    policy = get_method_policy(request)
    past = build_pairing_history(request.meetings)
    players = build_field(rest, len(rest) % 2, past, request, policy.by_score, policy.in_groups)
    found = find_cheapest_pairing(players, request)
    cost = dict(zip(COST_COMPONENTS, found.cost, strict=True))
    resting = frozenset(frozenset({players.players[one].key}) for one, other in found.pairs if other is None)
    return _CheapestPairing(PairingCost(**{each.name: cost[each.name] for each in fields(PairingCost)}), resting)


def _find_repeat_with_bye(request: DrawRequest, facts: RoundFacts, best: PairingCost) -> frozenset[int]:
    """The policy's own choice for the bye where somebody else got it, and nothing but a repeat can stand against it."""
    free = [pair for pair in facts.pairs if pair.free]
    resting = [pair.first for pair in free if pair.second is None]
    if facts.looked_ahead:
        return frozenset()
    order = [key for key in facts.in_order if any(key in pair.keys for pair in free)]
    open_to_doubt = best.repeats or best != facts.cost() or any(both <= set(order) for both in facts.apart)
    if len(resting) != 1 or open_to_doubt or request.given:
        return frozenset()
    had = np.array([facts.players[key].byes for key in order], np.int64)
    (place,) = choose_bye_places(had, measure_bye_distances(np.arange(len(order)), request), 1)
    return frozenset({order[place]}) - set(resting)


def _count_left_over(facts: RoundFacts) -> dict[tuple[int, bool], tuple[int, int]]:
    """For each boundary that more cross than parity asks for, what is left over on either side."""
    found: dict[tuple[int, bool], tuple[int, int]] = {}
    if not facts.by_score or facts.repeats:
        return found
    for boundary in {facts.players[key].half_wins for key in facts.playing}:
        crossing = facts.crossing(boundary)
        above = [key for key in facts.playing if facts.players[key].half_wins >= boundary]
        if len(crossing) > len(above) % 2:
            for side in (True, False):
                keys = above if side else [key for key in facts.playing if key not in above]
                if 0 < len(keys) <= MOST_PROOF_PLAYERS and _are_all_free(keys, facts):
                    found[boundary, side] = _count_unmatched(keys, facts, False), _count_unmatched(keys, facts, True)
    return found


def _are_all_free(keys: Sequence[int], facts: RoundFacts) -> bool:
    return all(pair.free for pair in facts.pairs for key in pair.keys if key in keys)


def _count_unmatched(keys: Sequence[int], facts: RoundFacts, kept_apart: bool) -> int:
    """How many are left over when as many as possible are paired without a repeat."""
    import rustworkx  # noqa: PLC0415  # slow to load, and seldom needed

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(keys)
    for at, one in enumerate(keys):
        for beside, other in enumerate(keys[at + 1 :], at + 1):
            both = frozenset((one, other))
            if both not in facts.games and not (kept_apart and both in facts.apart):
                graph.add_edge(at, beside, 1)
    return len(keys) - 2 * len(rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int))
