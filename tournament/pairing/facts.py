"""What is true of a round when it is drawn, in plain values, and what is known of the pairings that were not chosen.
`explaining` proposes reasons, and keeps those that hold by these facts."""

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from tournament.pairing.byes import choose_bye_places, measure_bye_distances, measure_earlier_byes
from tournament.pairing.contention import Hopes
from tournament.pairing.costs import COST_COMPONENTS, build_method_field, put_starts_first
from tournament.pairing.field import PlayerHistory, build_pairing_history, measure_repeats
from tournament.pairing.matching import find_cheapest_pairing
from tournament.pairing.seating import measure_start_excess
from tournament.pairing.values import ChosenPair, ClaimCondition, Draft, DraftPair, DrawRequest, Method, Reason

FALLBACK_METHODS = {
    Method.GROUPS: Method.SWISS,
    Method.ROUND_ROBIN: Method.KING_OF_THE_HILL,
    Method.CONTENTION: Method.SWISS,
    Method.TEAMS: Method.SWISS,
}
"""By which method those are matched whom a schedule, or a prize, leaves without an opponent."""


ReasonFigures = Mapping[str, Any]
Proposals = Iterator[Iterable[Reason]]
"""Things worth saying of a pair, each in one wording or several, the strongest first."""


@dataclass(slots=True, kw_only=True)
class Participant(PlayerHistory):
    """Somebody who takes part in the round, with their past."""

    order: int  # the place in which the method sees the player, 1 the best, no two alike
    half_wins: int = 0
    rank: int | None = None  # as the table shows it; None where it does not, or there is no table
    seeding: int | None = None  # place before the first round
    rated: bool = False
    club: Hashable | None = None


@dataclass(frozen=True, slots=True)
class PairingCost:
    """What comes first when pairings are compared, as sums over the free pairs."""

    forbidden: int  # pairs who are kept apart
    byes: int  # squares of the byes had by those who get one
    repeats: int  # for each pair twice the square of their games, one more if the last was in the round before
    starts: int  # how far beyond one from even the best choice leaves each pair; 0 where that does not come first
    score: int  # squares of the differences in half wins; 0 where the method does not look at the score


@dataclass(frozen=True, slots=True)
class PairingProof:
    """What is known of the pairings that were not chosen, the pairs that are not free staying as they are. `best`: the
    least cost of any complete pairing, compared from the left. `least_score`: the least `score` among those of that
    cost, starts included, with the byes that were given. `unless`: if any one of these were given up, nobody would
    meet again; None: not known. `apart_unless`: the same, and no two who are kept apart would meet. `left_over`: of
    those with at least so many half wins (True), or fewer (False), how many are left over when as many as possible are
    paired among themselves without a repeat; the second figure without kept-apart pairs as well. `repeat_with_bye`: if
    any one of these players had the bye, somebody would meet again."""

    best: PairingCost | None = None
    least_score: int | None = None
    unless: frozenset[ClaimCondition] | None = None
    apart_unless: frozenset[ClaimCondition] | None = None
    left_over: Mapping[tuple[int, bool], tuple[int, int]] = field(default_factory=dict)
    repeat_with_bye: frozenset[int] = frozenset()


@dataclass
class RoundFacts:
    """A round as it is drawn. What every pair asks for is worked out once: a thousand players ask often. Nothing
    changes afterwards but the proof, which follows from the rest."""

    request: DrawRequest
    players: Mapping[int, Participant]  # everybody who takes part, by key
    pairs: tuple[DraftPair, ...]
    games: Mapping[frozenset[int], tuple[int, ...]]  # the rounds in which two have played each other, ascending
    last_starter: Mapping[frozenset[int], int]  # of the pairs' last game with a known starter
    by_score: bool  # whether the free pairs were chosen by the score
    groups: tuple[tuple[int, ...], ...] = ()
    looked_ahead: frozenset[int] = frozenset()  # players who are paired otherwise for the rounds to come
    hopes: Hopes | None = None  # who can still win a prize, where the round is paired by that
    proof: PairingProof = field(default_factory=PairingProof)

    @cached_property
    def apart(self) -> frozenset[frozenset[int]]:
        """The pairs who are kept apart."""
        return frozenset(frozenset(both) for both in self.request.forbidden)

    @cached_property
    def barring(self) -> Mapping[frozenset[int], Sequence[int]]:
        """The games that stand in the way of another, as `games`."""
        if self.request.repeats or not self.request.within:
            return {} if self.request.repeats else self.games
        recent = {both: self.request.list_recent(rounds) for both, rounds in self.games.items()}
        return {both: rounds for both, rounds in recent.items() if rounds}

    @cached_property
    def in_order(self) -> list[int]:
        """Everybody, the best first."""
        return sorted(self.players, key=lambda key: self.players[key].order)

    @cached_property
    def is_ranked(self) -> bool:
        """Whether there is a table that shows ranks."""
        return any(player.rank is not None for player in self.players.values())

    @cached_property
    def fewest_byes(self) -> int:
        """The fewest that anybody has had."""
        return min(player.byes for player in self.players.values())

    @cached_property
    def resting(self) -> list[DraftPair]:
        """The byes."""
        return [pair for pair in self.pairs if pair.second is None]

    @cached_property
    def playing(self) -> dict[int, int]:
        """The place of everybody with a game among all of them, the best first."""
        resting = {pair.first for pair in self.resting}
        seated = {key for pair in self.pairs for key in (pair.first, pair.second)} - resting
        return {key: place for place, key in enumerate(key for key in self.in_order if key in seated)}

    @cached_property
    def score_groups(self) -> dict[int, dict[int, int]]:
        """By half wins, everybody's place in the group from 1, the best first."""
        groups: dict[int, dict[int, int]] = {}
        for key in self.in_order:
            group = groups.setdefault(self.players[key].half_wins, {})
            group[key] = len(group) + 1
        return groups

    @cached_property
    def boundaries(self) -> list[int]:
        """The half wins of all score groups, the highest first."""
        return sorted(self.score_groups, reverse=True)

    @cached_property
    def free(self) -> list[DraftPair]:
        """The pairs and byes that the program chose."""
        return [pair for pair in self.pairs if pair.free]

    @cached_property
    def unfixed(self) -> dict[int, int]:
        """The place of everybody in a game that the program chose among all of them, the best first."""
        chosen = {key for pair in self.free if pair.second is not None for key in (pair.first, pair.second)}
        return {key: place for place, key in enumerate(key for key in self.in_order if key in chosen)}

    @cached_property
    def level_groups(self) -> dict[int, list[int]]:
        """By half wins, everybody in a game that the program chose inside the score group, the best first."""
        inside = {key for pair in self.free if pair.second is not None and not self.gap(pair) for key in pair.keys}
        return {wins: [key for key in group if key in inside] for wins, group in self.score_groups.items()}

    @cached_property
    def floats(self) -> list[DraftPair]:
        """The games of two with different scores."""
        return [pair for pair in self.pairs if self.gap(pair)]

    def crosses(self, pair: DraftPair, half_wins: int) -> bool:
        """Whether one of the two has at least so many half wins and the other fewer."""
        low, high = self._get_span(pair)
        return low < half_wins <= high

    def _get_span(self, pair: DraftPair) -> tuple[int, int]:
        """The half wins of both, the fewer first."""
        one = self.players[pair.first].half_wins
        other = one if pair.second is None else self.players[pair.second].half_wins
        return (one, other) if one < other else (other, one)

    def crossing(self, half_wins: int) -> list[DraftPair]:
        """The games of somebody with at least so many half wins against somebody with fewer."""
        if half_wins not in self._crossing:
            self._crossing[half_wins] = [pair for pair, (low, high) in self._spans if low < half_wins <= high]
        return self._crossing[half_wins]

    @cached_property
    def _crossing(self) -> dict[int, list[DraftPair]]:
        return {}

    @cached_property
    def _spans(self) -> list[tuple[DraftPair, tuple[int, int]]]:
        return [(pair, self._get_span(pair)) for pair in self.floats]

    def count_above(self, half_wins: int) -> int:
        """How many of those with a game have at least so many half wins."""
        return len(self._wins_of_playing) - bisect_left(self._wins_of_playing, half_wins)

    @cached_property
    def _wins_of_playing(self) -> list[int]:
        return sorted(self.players[key].half_wins for key in self.playing)

    @cached_property
    def starts_first(self) -> bool:
        """Whether starts that stay even came before the score, and there were any that could differ."""
        busy = [key for pair in self.free for key in pair.keys]
        fallback_request = replace(self.request, method=FALLBACK_METHODS.get(self.request.method, self.request.method))
        return put_starts_first(fallback_request, len(busy)) and any(self.players[key].balance for key in busy)

    @cached_property
    def cost(self) -> PairingCost:
        """What the free pairs of the round cost."""
        games = [pair for pair in self.free if pair.second is not None]
        met = [self.barring.get(pair.keys, ()) for pair in games]
        return PairingCost(
            forbidden=sum(pair.keys in self.apart for pair in games) if self.apart else 0,
            byes=sum(measure_earlier_byes(self.players[pair.first].byes) for pair in self.free if pair.second is None),
            repeats=sum(measure_repeats(rounds, self.request.round) for rounds in met),
            starts=sum(map(self.measure_starts, games)) if self.starts_first else 0,
            score=sum(self.gap(pair) ** 2 for pair in self.floats if pair.free) if self.by_score else 0,
        )

    def measure_starts(self, pair: DraftPair) -> int:
        """How far beyond one from even the better choice of who starts leaves the two; 0 for a bye."""
        if pair.second is None:
            return 0
        one, other = self.players[pair.first].balance, self.players[pair.second].balance
        return min(measure_start_excess(one, other), measure_start_excess(other, one))

    def gap(self, pair: DraftPair) -> int:
        """How many half wins lie between the two; 0 for a bye."""
        low, high = self._get_span(pair)
        return high - low


# What is known of the pairings that were not chosen.
# The matching core minimises the components of the cost in order, so what the chosen pairing pays in one of them is
# unavoidable under those before it. Whether giving one of those up would help is found by drawing without it.

MOST_PROOF_PLAYERS = 100  # on one side of a boundary: with more the proof takes longer than the draw


def build_proof(draft: Draft, request: DrawRequest, facts: RoundFacts, *, changed: bool) -> PairingProof:
    """What can be claimed of the draft; nothing of the pairings not chosen where a schedule or nobody chose. One that
    the director has `changed` is not the cheapest: what would be is worked out anew."""
    left_over = _count_left_over(facts)
    # Neither a schedule nor a contest for prizes asks what else were possible.
    bound = any(not pair.free and not pair.fixed for pair in facts.pairs)
    if not facts.free or bound or request.method is Method.MANUAL or not draft.proven:
        return PairingProof(left_over=left_over)
    fixed = tuple(ChosenPair(pair.first, pair.second) for pair in facts.pairs if pair.fixed)
    fallback_request = replace(request, given=fixed, method=FALLBACK_METHODS.get(request.method, request.method))
    chosen = facts.cost, frozenset(pair.first for pair in facts.free if pair.second is None)
    # The draw may have looked ahead and taken another pairing than the cheapest; in large fields each leaves enough.
    may_differ = changed or (request.later and len(request.competitors) <= MOST_PROOF_PLAYERS)
    least = _find_cheapest(fallback_request) if may_differ else chosen
    best = least[0]
    return PairingProof(
        best=best,
        # What is claimed without a repeat would have to hold without those that stand in nobody's way, too.
        least_score=best.score if least == chosen and facts.by_score and not request.within else None,
        unless=_find_claim_conditions(fallback_request, "repeats") if best.repeats and not request.within else None,
        apart_unless=_find_claim_conditions(fallback_request, "forbidden") if best.forbidden else None,
        left_over=left_over,
        repeat_with_bye=_find_repeat_with_bye(fallback_request, facts, best) if least == chosen else frozenset(),
    )


def _find_claim_conditions(request: DrawRequest, component: str) -> frozenset[ClaimCondition] | None:
    """What would each by itself bring the component down to nothing; empty if nothing does, None if only several."""
    games = tuple(one for one in request.meetings if one.second is not None)
    relaxed = {ClaimCondition.LOCKED: replace(request, given=())}
    if component != "forbidden":
        relaxed[ClaimCondition.KEPT_APART] = replace(request, forbidden=frozenset())
        relaxed[ClaimCondition.SECOND_BYE] = replace(request, meetings=games)

    def is_paid(changed: DrawRequest) -> bool:
        return bool(getattr(_find_cheapest(changed)[0], component))

    different = {condition: changed for condition, changed in relaxed.items() if changed != request}
    helping = frozenset(condition for condition, changed in different.items() if not is_paid(changed))
    # None of them alone: whether all together would help is one more draw, and if they do, nothing is claimed.
    if helping or len(different) < 2:
        return helping
    return frozenset() if is_paid(replace(request, meetings=games, forbidden=frozenset(), given=())) else None


def _find_cheapest(request: DrawRequest) -> tuple[PairingCost, frozenset[int]]:
    """The cost of the cheapest pairing of the players who are not given, and who has its byes."""
    paired_keys = {key for pair in request.given for key in pair.keys}
    rest = [player for player in request.competitors if player.key not in paired_keys]
    players = build_method_field(rest, len(rest) % 2, build_pairing_history(request.meetings), request)
    pairing = find_cheapest_pairing(players, request)
    cost = dict(zip(COST_COMPONENTS, pairing.cost, strict=True))
    resting = frozenset(players.players[one].key for one, other in pairing.pairs if other is None)
    return PairingCost(**{component.name: cost[component.name] for component in fields(PairingCost)}), resting


def _find_repeat_with_bye(request: DrawRequest, facts: RoundFacts, best: PairingCost) -> frozenset[int]:
    """The policy's own choice for the bye where somebody else got it, and nothing but a repeat can stand against it."""
    resting = [pair.first for pair in facts.free if pair.second is None]
    if facts.looked_ahead or len(resting) != 1 or request.given:
        return frozenset()
    busy = {key for pair in facts.free for key in pair.keys}
    # With a repeat in the pairing as it is, or two who are kept apart among its players, something else may have stood
    # against that bye.
    if best.repeats or best != facts.cost or any(both <= busy for both in facts.apart):
        return frozenset()
    order = [key for key in facts.in_order if key in busy]
    had = np.array([facts.players[key].byes for key in order], np.int64)
    (place,) = choose_bye_places(had, measure_bye_distances(np.arange(len(order)), request), 1)
    return frozenset({order[place]}) - set(resting)


def _count_left_over(facts: RoundFacts) -> dict[tuple[int, bool], tuple[int, int]]:
    """For each boundary that more cross than parity asks for, what is left over on either side; nothing where two who
    cross it could have met each other, as fewer are left over then (if nobody meets again inside)."""
    counts: dict[tuple[int, bool], tuple[int, int]] = {}
    # Only where every earlier game stands in the way: with `within` those of long ago do not, and are among `games` all
    # the same.
    if not facts.by_score or facts.request.repeats or facts.request.within:
        return counts
    bound = {key for pair in facts.pairs if not pair.free for key in pair.keys}
    obstacles = facts.games.keys() | facts.apart
    spoilt = any(pair.keys in obstacles for pair in facts.pairs)
    ordered = sorted(facts.playing, key=lambda key: -facts.players[key].half_wins)
    for boundary in facts.boundaries:
        above, crossing = facts.count_above(boundary), facts.crossing(boundary)
        if len(crossing) > above % 2:
            crossers = {key for pair in crossing for key in pair.keys}
            for side, keys in ((True, ordered[:above]), (False, ordered[above:])):
                if 0 < len(keys) <= MOST_PROOF_PLAYERS and bound.isdisjoint(keys):
                    leaving = crossers.intersection(keys)
                    if spoilt or all(frozenset(both) in obstacles for both in itertools.combinations(leaving, 2)):
                        met = _count_unmatched(keys, facts.games)
                        counts[boundary, side] = met, _count_unmatched(keys, obstacles) if facts.apart else met
    return counts


def _count_unmatched(keys: Sequence[int], obstacles: Collection[frozenset[int]]) -> int:
    """How many are left over when as many as possible are paired with somebody who is no obstacle to them."""
    inside = set(keys)
    against = {both for both in obstacles if both <= inside}
    met = Counter(itertools.chain.from_iterable(against))
    if 2 * (len(keys) - 1 - max(met.values(), default=0)) >= len(keys) - 1:
        return len(keys) % 2  # everybody is on one path then (Dirac), and every other step of it is a pair
    import rustworkx  # noqa: PLC0415  # slow to load, and seldom needed

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(keys)
    numbered = itertools.combinations(enumerate(keys), 2)
    graph.add_edges_from([(a, b, 1) for (a, one), (b, other) in numbered if frozenset((one, other)) not in against])
    return len(keys) - 2 * len(rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int))
