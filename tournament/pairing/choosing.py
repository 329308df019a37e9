"""Choosing this round's pairing with an eye on the rounds that the plan still has.

Cheapest now can be a dead end later. Of the pairings of this round the cheapest is taken that still lets the remaining
rounds be completed with the fewest second byes and repeats: none, if that can be.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

import numpy as np

from tournament.pairing.completion import (
    UNLIMITED,
    ByesAndRepeats,
    CompletionSearch,
    Outlook,
    SearchGivenUp,
    SearchState,
    build_outlook,
)
from tournament.pairing.costs import get_method_policy, pack_costs
from tournament.pairing.field import PairingField, PairingHistory, build_field
from tournament.pairing.matching import (
    Matching,
    build_all_edges,
    build_matching,
    build_matching_of_pairs,
    find_cheapest_pairing,
    rank_opponents,
    solve_numbered_edges,
)
from tournament.pairing.seating import ChosenPair
from tournament.pairing.values import (
    ByePolicy,
    Competitor,
    DrawNote,
    DrawRequest,
    DrawRule,
    LookAhead,
    Method,
    NoteCode,
    Obstacle,
    RequestImpossible,
)

MATCHED_METHODS = (Method.SWISS, Method.KING_OF_THE_HILL, Method.FACTOR, Method.RANDOM)
"""The methods that can take whatever pairing is left. What a schedule or the director will do is not looked at."""

SEARCH_STEPS = 1_500_000  # of one search, and
CANDIDATES = 6_000  # pairings of this round that are looked at, both divided by the square of the players
FEWEST_PLAYERS = 12  # players, for that division
SEARCHES = 2  # so many times the steps of one search are granted for a draw

ChosenPairing = tuple[Matching, LookAhead | None, tuple[DrawNote, ...]]
"""The pairing chosen, what was given up for it, and what the director should know about that."""


@dataclass(frozen=True, slots=True)
class MethodPairs:
    """What a method makes of the players left to it; see `Draft`."""

    choices: list[ChosenPair]
    cost: tuple[int, ...] = ()
    proven: bool = True
    notes: tuple[DrawNote, ...] = ()
    unpaired: tuple[int, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    ahead: LookAhead | None = None


def pair_by_matching(rest: Sequence[Competitor], past: PairingHistory, request: DrawRequest) -> MethodPairs:
    """Whatever the matching core finds for these players. Raises RequestImpossible where a bye has to be named."""
    byes = request.extra_byes + (len(rest) + request.extra_byes) % 2
    policy = get_method_policy(request)
    field = build_field(rest, byes, past, request, policy.by_score, policy.in_groups)
    keys = [player.key for player in field.players]
    cheapest = find_cheapest_pairing(field, request)
    if byes and request.bye_policy is ByePolicy.BY_HAND:
        relaxed = tuple(keys[one] for one, other in cheapest.pairs if other is None)
        raise RequestImpossible((Obstacle(DrawRule.BYE_NOT_NAMED, (), byes, relaxed),))
    found, ahead, notes = choose_pairing(field, cheapest, past, request)
    choices = [
        ChosenPair(keys[one], None if other is None else keys[other], matched=True) for one, other in found.pairs
    ]
    return MethodPairs(choices, found.cost, found.proven, notes, ahead=ahead)


def choose_pairing(
    field: PairingField, cheapest: Matching, past: PairingHistory, request: DrawRequest
) -> ChosenPairing:
    """The pairing of this round that the plan's remaining rounds ask for."""
    later = tuple(takewhile(lambda one: one.method in MATCHED_METHODS, request.later))
    if not field.n or all(one.repeats and len(one.players) % 2 == 0 for one in later):
        return cheapest, None, ()
    view = build_outlook(field, past, request, later, apart=True)
    if view.surely_completes(cheapest.pairs):
        return cheapest, None, ()
    if request.forbidden and not view.possible(_count_search_steps(view)):
        view = build_outlook(field, past, request, later, apart=False)
    return _PairingSearch(view, field, request, [one.number for one in later]).choose(cheapest)


def rank_pairings(field: PairingField, request: DrawRequest, best: Matching) -> Iterator[Matching]:
    """All complete pairings by cost, the cheapest, which is known, first (Murty's ranking, 1968).

    Whatever is not the cheapest lacks one of its pairs. So each pairing given leaves as many smaller questions as it
    has pairs: the cheapest that keeps the first of them and lacks the next.
    """
    yield best
    edges = build_all_edges(field, request)
    vertices = field.n + field.byes
    weights = pack_costs(edges, vertices)
    # The open questions, each with its cheapest answer: its weight and edges, those it keeps and those it lacks.
    heap: list[tuple[int, list[int], tuple[int, ...], frozenset[int]]] = []

    def ask(kept: tuple[int, ...], without: frozenset[int]) -> None:
        ends = np.concatenate((edges.one[list(kept)], edges.other[list(kept)]))
        usable = ~(np.isin(edges.one, ends) | np.isin(edges.other, ends))
        usable[list(without)] = False
        numbers = np.flatnonzero(usable)
        rest = solve_numbered_edges(edges, numbers, weights) if len(numbers) else []
        if rest is not None and len(ends) + 2 * len(rest) == vertices:
            chosen = sorted((*kept, *rest))
            heapq.heappush(heap, (sum(weights[edge] for edge in chosen), chosen, kept, without))

    ask((), frozenset())
    given = {best.pairs}
    while heap:
        _, chosen, kept, without = heapq.heappop(heap)
        free = [edge for edge in chosen if edge not in kept]
        for place, edge in enumerate(free):
            ask((*kept, *free[:place]), without | {edge})
        found = build_matching(field, edges.where(np.array(chosen, np.int64)), proven=True)
        if found.pairs not in given:  # bye vertices can change places
            given.add(found.pairs)
            yield found


def _count_search_steps(view: Outlook) -> int:
    """The steps of one search: fewer where each takes longer, enough to fill all rounds without turning back."""
    players = len(view.start.fresh)
    return max(SEARCH_STEPS // max(FEWEST_PLAYERS, players) ** 2, players * len(view.tasks))


class _PairingSearch:
    """A search among this round's pairings, which ends after so many steps."""

    def __init__(self, view: Outlook, field: PairingField, request: DrawRequest, later: list[int]) -> None:
        self.view, self.field, self.request, self.later = view, field, request, later
        self.search = CompletionSearch(view.tasks, view.allowed, 0)
        self.steps = SEARCHES * _count_search_steps(view)
        self.broken_off = False

    def choose(self, cheapest: Matching) -> ChosenPairing:
        """The first pairing, cheapest first, with which the fewest second byes and repeats are needed in all."""
        if self._completes(cheapest, self.view.least()):
            return cheapest, None, ()
        fewest = self._find_fewest(self.view.least())
        if fewest is None:
            return cheapest, None, self._list_notes()
        candidates = 1 + CANDIDATES // max(FEWEST_PLAYERS, self.field.n) ** 2
        for candidate in islice(rank_pairings(self.field, self.request, cheapest), candidates):
            if self._completes(candidate, fewest):
                return self._explain_choice(cheapest, candidate, fewest)
        self.broken_off = True
        return self._explain_choice(cheapest, self._find_any(fewest) or cheapest, fewest)

    def _find_fewest(self, least: ByesAndRepeats) -> ByesAndRepeats | None:
        """The fewest second byes, then the fewest repeats, that all rounds need; None if that takes too long."""
        byes, repeats = least.byes, least.repeats
        while not self._ask(self.view.start, ByesAndRepeats(byes, UNLIMITED), 0):
            byes += 1
            if self.steps <= 0:
                return None
        while not self._ask(self.view.start, ByesAndRepeats(byes, repeats), 0):
            repeats += 1
            if self.steps <= 0:
                return None
        return ByesAndRepeats(byes, repeats)

    def _completes(self, pairing: Matching, spent: ByesAndRepeats) -> bool | None:
        """Whether all can be completed with this pairing for no more, its own cost included; None: not known."""
        left = spent.less(self.view.spent(pairing.pairs))
        return False if left.overdrawn else self._ask(self.view.start.after(pairing.pairs), left, 1)

    def _ask(self, state: SearchState, spent: ByesAndRepeats, begin: int) -> bool | None:
        """Whether the rounds from `begin` on can be completed; None when that took too long."""
        self.search.steps = granted = max(0, min(_count_search_steps(self.view), self.steps))
        answer = self.search.answer(state, spent, begin)
        self.steps -= granted - self.search.steps
        self.broken_off |= answer is None
        return answer

    def _find_any(self, fewest: ByesAndRepeats) -> Matching | None:
        """Some pairing with which all can be completed, made of cheap pairs first."""
        edges = build_all_edges(self.field, self.request)
        liking = rank_opponents(self.field, edges)
        try:
            search = CompletionSearch(self.view.tasks, self.view.allowed, _count_search_steps(self.view), liking)
            pairs = search.fill_rounds(self.view.start, fewest)
        except SearchGivenUp:
            return None
        return build_matching_of_pairs(self.field, edges, pairs) if pairs else None

    def _explain_choice(self, cheapest: Matching, chosen: Matching, fewest: ByesAndRepeats) -> ChosenPairing:
        """The pairing chosen, and what the cheapest one would have led to, if that is known."""
        chosen = replace(chosen, proven=chosen.proven and not self.broken_off)
        if chosen.pairs == cheapest.pairs or self._completes(cheapest, fewest) is not False:
            return chosen, None, self._list_notes()
        moved = sorted(set(chosen.pairs) - set(cheapest.pairs))
        keys = tuple(self.field.players[place].key for pair in moved for place in pair if place is not None)
        ahead = LookAhead(keys, self._find_dead_end(cheapest, fewest), self.later[-1], fewest.repeats, cheapest.cost)
        return chosen, ahead, (DrawNote(NoteCode.LOOKED_AHEAD, keys, ahead.by), *self._list_notes())

    def _find_dead_end(self, cheapest: Matching, fewest: ByesAndRepeats) -> int:
        """The round by which the pairing would need more repeats or second byes than all rounds do otherwise."""
        state, left = self.view.start.after(cheapest.pairs), fewest.less(self.view.spent(cheapest.pairs))
        if left.overdrawn:
            return self.request.round
        steps = _count_search_steps(self.view)
        for count, number in enumerate(self.later, 1):
            search = CompletionSearch(self.view.tasks[1 : count + 1], self.view.allowed, steps)
            if search.answer(state, left) is False:
                return number
        return self.later[-1]

    def _list_notes(self) -> tuple[DrawNote, ...]:
        return (DrawNote(NoteCode.NOT_SEARCHED, (), self.later[-1]),) if self.broken_off else ()
