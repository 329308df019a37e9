"""This round's pairing, chosen with an eye on the rounds that the plan still has: the cheapest that lets those be
completed with the fewest second byes and repeats, none if that can be. That is found by a search over complete
pairings, the player with the fewest opponents left first; a set of players is the bits of a
whole number. What could not be completed is remembered; the search gives up after so many steps."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import islice, takewhile
from operator import or_

import numpy as np

from tournament.pairing.costs import build_method_field, split_costs
from tournament.pairing.field import PairingField, PairingHistory
from tournament.pairing.matching import (
    Matching,
    build_all_edges,
    build_matching,
    build_matching_of_pairs,
    find_cheapest_pairing,
    rank_opponents,
    solve_numbered_edges,
)
from tournament.pairing.values import (
    ByePolicy,
    ChosenPair,
    Competitor,
    DrawNote,
    DrawRequest,
    DrawRule,
    LaterRound,
    LookAhead,
    Method,
    NoteCode,
    Obstacle,
    RequestImpossible,
)


class SearchGivenUp(Exception):
    """The search has taken all its steps without an answer."""


@dataclass(frozen=True, slots=True)
class RoundTask:
    """One round to be filled: who plays, how many of them rest, and whether repeats cost nothing."""

    players: int
    resting: int
    free: bool = False


@dataclass(frozen=True, slots=True)
class ByesAndRepeats:
    """What may be spent, or is: byes beyond the first (each as many as its player has had), and repeats."""

    byes: int = 0
    repeats: int = 0

    def less(self, other: "ByesAndRepeats") -> "ByesAndRepeats":
        """What is left; below 0 where it is too little."""
        return ByesAndRepeats(self.byes - other.byes, self.repeats - other.repeats)

    @property
    def overdrawn(self) -> bool:
        """Whether more is spent than there was."""
        return self.byes < 0 or self.repeats < 0


@dataclass(frozen=True, slots=True)
class SearchState:
    """Whom each player can still meet for the first time, and how many byes each has had."""

    fresh: tuple[int, ...]
    byes: tuple[int, ...]

    def after(self, pairs: Sequence[tuple[int, int | None]]) -> "SearchState":
        """The state when these have met, or rested."""
        fresh, byes = list(self.fresh), list(self.byes)
        for one, other in pairs:
            if other is None:
                byes[one] += 1
            else:
                fresh[one] &= ~(1 << other)
                fresh[other] &= ~(1 << one)
        return SearchState(tuple(fresh), tuple(byes))

    def spends(self, pairs: Sequence[tuple[int, int | None]], task: RoundTask) -> ByesAndRepeats:
        """What these pairs cost now."""
        byes = sum(self.byes[one] for one, other in pairs if other is None)
        again = sum(other is not None and not self.fresh[one] >> other & 1 for one, other in pairs)
        return ByesAndRepeats(byes, 0 if task.free else again)


WIDE_FIELD = 12  # with more players the matching solver says first whether a round can be paired at all

NumberedPairs = tuple[tuple[int, int | None], ...]


class CompletionSearch:
    """Fills rounds within a number of steps. `allowed` are each player's possible opponents, met or not; `liking` is
    the order in which they are tried, in the first round above all."""

    def __init__(
        self, tasks: Sequence[RoundTask], allowed: Sequence[int], steps: int, liking: Sequence[Sequence[int]] = ()
    ) -> None:
        self.tasks = tasks
        self.allowed = allowed
        self.steps = steps
        self.liking = liking
        self._failed: set[tuple[int, SearchState, ByesAndRepeats]] = set()

    def answer(self, state: SearchState, spent: ByesAndRepeats, begin: int = 0) -> bool | None:
        """Whether the tasks from `begin` on can be filled for no more than `spent`; None if that takes too long."""
        try:
            return self.fill_rounds(state, spent, begin) is not None
        except SearchGivenUp:
            return None

    def fill_rounds(self, state: SearchState, spent: ByesAndRepeats, begin: int = 0) -> NumberedPairs | None:
        """The pairs of task `begin` in a way to fill it and those after it, or None. Raises SearchGivenUp."""
        if begin == len(self.tasks):
            return ()
        attempt = begin, state, spent
        if attempt in self._failed or self.least_repeats(state, begin) > spent.repeats:
            return None
        for pairs in self._list_pairings(state, spent, begin):
            rest_spent = spent.less(state.spends(pairs, self.tasks[begin]))
            if self.fill_rounds(state.after(pairs), rest_spent, begin + 1) is not None:
                return pairs
        # With what was left to spend: the same players may still get through with one repeat more.
        self._failed.add(attempt)
        return None

    def least_repeats(self, state: SearchState, begin: int) -> int:
        """The least number of repeats that the tasks from `begin` on need: whoever plays more rounds than there are new
        opponents has to repeat."""
        tasks = [task for task in self.tasks[begin:] if not task.free]
        short = 0
        for player, fresh in enumerate(state.fresh):
            own = [task.players for task in tasks if task.players >> player & 1]
            short += max(0, len(own) - (fresh & reduce(or_, own, 0)).bit_count())
        # A bye spares one player an opponent, and a repeat serves two.
        return max(0, -(-(short - sum(task.resting for task in tasks)) // 2))

    def _list_pairings(self, state: SearchState, spent: ByesAndRepeats, begin: int) -> Iterator[NumberedPairs]:
        """Every pairing of one round that stays within `spent`, new opponents first."""
        task = self.tasks[begin]
        fresh = self.allowed if task.free else state.fresh
        if not spent.repeats:
            # An odd part always leaves somebody over, which trying finds only after every way to pair the others.
            if _count_odd_parts(task.players, fresh) > task.resting:
                return
            if task.players.bit_count() > WIDE_FIELD:
                # 41 players with 30 rounds were given up before the solver was asked first whether a round can be
                # paired at all. Its pairing is the first to be tried where none is liked better.
                self._take_steps(task.players.bit_count())
                some = _match_new_opponents(task, fresh, [had if had <= spent.byes else None for had in state.byes])
                if some is None:
                    return
                if begin or not self.liking:
                    yield some
        yield from self._pair_rest(task.players, task.resting, fresh, state.byes, spent)

    def _take_steps(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise SearchGivenUp

    def _pair_rest(
        self, left: int, resting: int, fresh: Sequence[int], byes: Sequence[int], spent: ByesAndRepeats
    ) -> Iterator[NumberedPairs]:
        """Every way to pair who is left, of whom so many rest."""
        if not left:
            if not resting:
                yield ()
            return
        self._take_steps(1)
        one = min(list_set_members(left), key=lambda player: (fresh[player] & left).bit_count())
        for other, cost in self._list_partners(one, left & ~(1 << one), resting, fresh, byes, spent):
            still = left & ~(1 << one) if other is None else left & ~(1 << one | 1 << other)
            for pairs in self._pair_rest(still, resting - (other is None), fresh, byes, spent.less(cost)):
                yield ((one, other), *pairs)

    def _list_partners(
        self, one: int, others: int, resting: int, fresh: Sequence[int], byes: Sequence[int], spent: ByesAndRepeats
    ) -> Iterator[tuple[int | None, ByesAndRepeats]]:
        """Whom the player can be set against, None for a bye, and what that costs: those new to the player first."""
        for other in self._sort_opponents(one, fresh[one] & others):
            yield other, ByesAndRepeats()
        if resting and byes[one] <= spent.byes:
            yield None, ByesAndRepeats(byes[one])
        if spent.repeats:
            for other in self._sort_opponents(one, self.allowed[one] & ~fresh[one] & others):
                yield other, ByesAndRepeats(0, 1)

    def _sort_opponents(self, one: int, others: int) -> list[int]:
        """The opponents in the order in which they are tried."""
        if one < len(self.liking):
            return [other for other in self.liking[one] if others >> other & 1]
        return list_set_members(others)


def _match_new_opponents(task: RoundTask, fresh: Sequence[int], byes: Sequence[int | None]) -> NumberedPairs | None:
    """Some pairing of new opponents with byes (None: not possible) as low as can be; None if there is no complete one,
    which the search could take very long to find in a wide field."""
    import rustworkx  # noqa: PLC0415  # slow to load, and only needed in wide fields

    players = list_set_members(task.players)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(fresh) + task.resting))
    most = max((had for had in byes if had is not None), default=0)
    for one in players:
        graph.add_edges_from([(one, other, 0) for other in list_set_members(fresh[one] & task.players) if other > one])
        if (had := byes[one]) is not None:
            # The solver looks for the greatest sum: a bye is worth most to whoever has had the fewest.
            graph.add_edges_from([(one, len(fresh) + bye, most - had) for bye in range(task.resting)])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matching) < len(players) + task.resting:
        return None
    return tuple(sorted((min(pair), max(pair) if max(pair) < len(fresh) else None) for pair in matching))


def list_set_members(players: int) -> list[int]:
    """The players of a set, from the lowest number."""
    members = []
    while players:
        lowest = players & -players
        members.append(lowest.bit_length() - 1)
        players ^= lowest
    return members


def _count_odd_parts(players: int, fresh: Sequence[int]) -> int:
    """In how many connected parts with an odd number of players the graph falls."""
    odd = 0
    while players:
        part = border = players & -players
        while border:
            border = reduce(or_, (fresh[player] for player in list_set_members(border))) & players & ~part
            part |= border
        odd += part.bit_count() % 2
        players &= ~part
    return odd


# This round and those that the plan still has, as tasks for a search.

UNLIMITED = 1 << 20  # more repeats and byes than any plan needs


@dataclass(frozen=True, slots=True)
class Outlook:
    """The players by their places in the field, then whoever else plays in a later round. The first task is this round,
    of the players left to the method; the director's pairs have met."""

    start: SearchState
    allowed: tuple[int, ...]  # each player's possible opponents, met or not
    tasks: tuple[RoundTask, ...]

    def spent(self, pairs: Sequence[tuple[int, int | None]]) -> ByesAndRepeats:
        """What this round's pairs cost."""
        return self.start.spends(pairs, self.tasks[0])

    def possible(self, steps: int) -> bool:
        """Whether each round can be paired at all; False if those kept apart are in the way, or it takes too long."""
        anything = ByesAndRepeats(UNLIMITED, UNLIMITED)
        return all(CompletionSearch([task], self.allowed, steps).answer(self.start, anything) for task in self.tasks)

    def surely_completes(self, pairs: Sequence[tuple[int, int | None]]) -> bool:
        """Whether so many new opponents are left after these pairs that no search is needed."""
        return _are_surely_filled(self.start.after(pairs), self.tasks[1:])

    def surely_completes_after_any(self) -> bool:
        """Whether that is so whatever this round pairs: it takes a new opponent from everybody, or from nobody."""
        now, *later = self.tasks
        return _are_surely_filled(self.start, (replace(now, free=True), *later), first=1)

    def least(self) -> ByesAndRepeats:
        """What all rounds cost at least: the next bye goes to whoever had the fewest, new opponents are used up."""
        odd = [task for task in self.tasks if task.resting]
        had = [byes for player, byes in enumerate(self.start.byes) if any(task.players >> player & 1 for task in odd)]
        heapq.heapify(had)
        byes = sum(heapq.heapreplace(had, had[0] + 1) for task in odd for _ in range(task.resting))
        return ByesAndRepeats(byes, CompletionSearch(self.tasks, self.allowed, 0).least_repeats(self.start, 0))


def _are_surely_filled(state: SearchState, tasks: Sequence[RoundTask], first: int = 0) -> bool:
    """Whether the tasks from the `first` on can be filled without a repeat or second bye, because so many new opponents
    are left, whatever pairs fill those before. The bye is one more opponent, of those who have had the fewest."""
    odd = sum(task.resting for task in tasks)
    counted = {one: _count_new_opponents(state, *one) for one in {(task.players, task.resting) for task in tasks}}
    for before, task in enumerate(tasks):
        next_for_bye, new = counted[task.players, task.resting]
        if task.resting and next_for_bye < odd:
            return False
        if before < first or task.free:
            continue
        # An earlier round takes at most one of them from each, and just one if the same players met for the first time.
        used = sum(one.players == task.players and not one.free for one in tasks[:before])
        if not has_complete_pairing(len(new), min(new, default=0) - before, max(new, default=0) - used):
            return False
    return True


def _count_new_opponents(state: SearchState, taking_part: int, resting: int) -> tuple[int, list[int]]:
    """How many are next for a bye, if so many rest, and how many new opponents everybody has, each bye included."""
    players, fewest = list_set_members(taking_part), min(state.byes)
    next_for_bye = [resting and int(state.byes[player] == fewest) for player in players]
    unmet = [(state.fresh[player] & taking_part).bit_count() for player in players]
    able = sum(next_for_bye)
    return able, [*map(sum, zip(unmet, next_for_bye, strict=True)), *[able] * resting]


@lru_cache(maxsize=1024)
def has_complete_pairing(players: int, least: int, most: int) -> bool:
    """Whether every graph of so many players, an even number, each with `least` to `most` neighbours, has a complete
    pairing; False where that does not follow. Half of the others as neighbours are enough (Dirac). Else, if there is
    none, some `lone` players leave `lone + 2` odd parts or more when they are taken out (Tutte). A part no larger than
    `least` has `least` edges to them or more, and they have `most` each; a larger one is large."""
    if 2 * least >= players:
        return True
    large_size = least + 1 + least % 2
    for lone in range(players // 2):
        for large in range(lone + 3):
            small = lone + 2 - large
            if small * least <= lone * most and lone + small + large * large_size <= players:
                return False
    return True


def build_outlook(
    field: PairingField, past: PairingHistory, request: DrawRequest, later: Sequence[LaterRound], *, apart: bool
) -> Outlook:
    """What lies ahead; `apart` keeps apart in each round those whom the director wants kept apart."""
    here = [player.key for player in field.players]
    others = {player.key for player in request.competitors}.union(*(one.players for one in later)) - set(here)
    number = {key: place for place, key in enumerate((*here, *sorted(others)))}
    everybody = (1 << len(number)) - 1
    nobody_met = SearchState(tuple(everybody & ~(1 << place) for place in number.values()), (0,) * len(number))
    allowed = nobody_met.after(_number_pairs(request.forbidden if apart else (), number)).fresh
    start = SearchState(allowed, tuple(past.record(key).byes for key in number)).after(_number_pairs(past.met, number))
    by_hand = [(pair.first, pair.second) for pair in request.given]
    now = RoundTask((1 << len(here)) - 1, field.byes, request.repeats)
    taking_part = {keys: sum(1 << number[key] for key in keys) for keys in {one.players for one in later}}
    tasks = (RoundTask(taking_part[one.players], len(one.players) % 2, one.repeats) for one in later)
    return Outlook(start.after(_number_pairs(by_hand, number)), allowed, (now, *tasks))


def _number_pairs(pairs: Iterable[tuple[int, int | None]], number: dict[int, int]) -> list[tuple[int, int | None]]:
    """The pairs whose players matter, by number."""
    usable = [(one, other) for one, other in pairs if one in number and (other is None or other in number)]
    return [(number[one], None if other is None else number[other]) for one, other in usable]


# The choice among the pairings of this round.

MATCHED_METHODS = (
    *(Method.SWISS, Method.KING_OF_THE_HILL, Method.AUSTRALIAN, Method.FACTOR, Method.RANDOM, Method.CONTENTION),
    Method.TEAMS,
)
"""The methods that can take whatever pairing is left. What a schedule or the director will do is not looked at."""

SEARCH_STEPS = 1_500_000  # of one search, and
CANDIDATES = 6_000  # pairings of this round that are looked at, both divided by the square of the players
FEWEST_PLAYERS = 12  # players, for that division
# A family of three in a club of eight cost three seconds a draw; where the rounds can be completed a search needs a
# tenth of its steps.
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
    byes = len(rest) % 2
    field = build_method_field(rest, byes, past, request)
    keys = [player.key for player in field.players]
    cheapest = find_cheapest_pairing(field, request)
    if byes and request.bye_policy is ByePolicy.BY_HAND:
        relaxed = tuple(keys[one] for one, other in cheapest.pairs if other is None)
        raise RequestImpossible((Obstacle(DrawRule.BYE_NOT_NAMED, (), byes, relaxed),))
    pairing, ahead, notes = choose_pairing(field, cheapest, past, request)
    choices = [
        ChosenPair(keys[one], None if other is None else keys[other], None, None) for one, other in pairing.pairs
    ]
    return MethodPairs(choices, pairing.cost, pairing.proven, notes, ahead=ahead)


def _list_matched_rounds(request: DrawRequest) -> tuple[LaterRound, ...]:
    """The later rounds that have to be looked at; none where all of them can be paired whatever comes before, or where
    who has met may meet again after some rounds."""
    if request.within:
        return ()
    later = tuple(takewhile(lambda one: one.method in MATCHED_METHODS, request.later))
    return () if all(one.repeats and len(one.players) % 2 == 0 for one in later) else later


def takes_cheapest(field: PairingField, past: PairingHistory, request: DrawRequest) -> bool:
    """Whether it is certain, before anything is drawn, that `choose_pairing` takes the cheapest pairing."""
    later = _list_matched_rounds(request)
    return not later or build_outlook(field, past, request, later, apart=True).surely_completes_after_any()


def choose_pairing(
    field: PairingField, cheapest: Matching, past: PairingHistory, request: DrawRequest
) -> ChosenPairing:
    """The pairing of this round that the plan's remaining rounds ask for."""
    # Cheapest now can be a dead end later: of 1,260 events of 4 to 12 players it left 39 with a repeat or a second bye
    # that the rounds do not need, all of them all-play-alls or one round short of it.
    later = _list_matched_rounds(request)
    if not field.n or not later:
        return cheapest, None, ()
    view = build_outlook(field, past, request, later, apart=True)
    if view.surely_completes(cheapest.pairs):
        return cheapest, None, ()
    # If those kept apart leave some round without a complete pairing, two of them will meet whatever is drawn now: kept
    # apart in the search as well, no way through would ever be found.
    if request.forbidden and not view.possible(_count_search_steps(view)):
        view = build_outlook(field, past, request, later, apart=False)
    return _PairingSearch(view, field, request, [one.number for one in later]).choose(cheapest)


def rank_pairings(field: PairingField, request: DrawRequest, best: Matching) -> Iterator[Matching]:
    """All complete pairings by cost, the cheapest, which is known, first (Murty's ranking, 1968). Whatever is not the
    cheapest lacks one of its pairs. So each pairing given leaves as many smaller questions as it has pairs: the
    cheapest that keeps the first of them and lacks the next."""
    yield best
    edges = build_all_edges(field, request)
    vertices = field.n + field.byes
    costs = split_costs(edges, vertices)
    weights = costs.join()
    # The open questions, each with its cheapest answer: its weight and edges, those it keeps and those it lacks.
    heap: list[tuple[int, list[int], tuple[int, ...], frozenset[int]]] = []

    def ask(kept: tuple[int, ...], without: frozenset[int]) -> None:
        ends = np.concatenate((edges.one[list(kept)], edges.other[list(kept)]))
        usable = ~(np.isin(edges.one, ends) | np.isin(edges.other, ends))
        usable[list(without)] = False
        numbers = np.flatnonzero(usable)
        rest = solve_numbered_edges(edges, numbers, costs) if len(numbers) else []
        if rest is not None and len(ends) + 2 * len(rest) == vertices:
            chosen = sorted((*kept, *rest))
            # Of equal weights the edges decide, so that every machine gives the pairings in one order.
            heapq.heappush(heap, (sum(weights[edge] for edge in chosen), chosen, kept, without))

    ask((), frozenset())
    pairings = {best.pairs}
    while heap:
        _, chosen, kept, without = heapq.heappop(heap)
        free = [edge for edge in chosen if edge not in kept]
        for place, edge in enumerate(free):
            ask((*kept, *free[:place]), without | {edge})
        matching = build_matching(field, edges.where(np.array(chosen, np.int64)), proven=True)
        if matching.pairs not in pairings:  # bye vertices can change places
            pairings.add(matching.pairs)
            yield matching


def _count_search_steps(view: Outlook) -> int:
    """The number of steps of one search: fewer where each takes longer, but enough to fill all rounds without turning
    back."""
    players = len(view.start.fresh)
    return max(SEARCH_STEPS // max(FEWEST_PLAYERS, players) ** 2, players * len(view.tasks))


class _PairingSearch:
    """A search among this round's pairings, which ends after so many steps."""

    def __init__(self, view: Outlook, field: PairingField, request: DrawRequest, later: list[int]) -> None:
        self.view, self.field, self.request, self.later = view, field, request, later
        # One for all questions: what has been found to lead nowhere is known to the next one.
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
        rest_spent = spent.less(self.view.spent(pairing.pairs))
        return False if rest_spent.overdrawn else self._ask(self.view.start.after(pairing.pairs), rest_spent, 1)

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
        state, rest_spent = self.view.start.after(cheapest.pairs), fewest.less(self.view.spent(cheapest.pairs))
        if rest_spent.overdrawn:
            return self.request.round
        steps = _count_search_steps(self.view)
        for count, number in enumerate(self.later, 1):
            if (
                CompletionSearch(self.view.tasks[1 : count + 1], self.view.allowed, steps).answer(state, rest_spent)
                is False
            ):
                return number
        return self.later[-1]

    def _list_notes(self) -> tuple[DrawNote, ...]:
        return (DrawNote(NoteCode.NOT_SEARCHED, (), self.later[-1]),) if self.broken_off else ()
