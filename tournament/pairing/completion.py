"""Whether rounds can be paired without, or with so few, repeats and second byes: a search over complete pairings.

Players are numbered from 0, a set of players is the bits of a whole number. Rounds are filled one after the other, in
each the player with the fewest opponents left first. What could not be completed is remembered; the search gives up
after so many steps.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from tournament.pairing.field import PairingField, PairingHistory
from tournament.pairing.values import DrawRequest, LaterRound


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

    def less(self, other: ByesAndRepeats) -> ByesAndRepeats:
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

    def after(self, pairs: Sequence[tuple[int, int | None]]) -> SearchState:
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
    """Fills rounds within a number of steps.

    `allowed` are each player's possible opponents, met or not; `liking` is the order in which each player's opponents
    are tried, in the first round above all.
    """

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
        """The pairs of task `begin` in a way to fill it and those after it; None if there is no way.

        Raises SearchGivenUp.
        """
        if begin == len(self.tasks):
            return ()
        known = begin, state, spent
        if known in self._failed or self.least_repeats(state, begin) > spent.repeats:
            return None
        for pairs in self._list_pairings(state, spent, begin):
            left = spent.less(state.spends(pairs, self.tasks[begin]))
            if self.fill_rounds(state.after(pairs), left, begin + 1) is not None:
                return pairs
        self._failed.add(known)
        return None

    def least_repeats(self, state: SearchState, begin: int) -> int:
        """As many repeats the tasks need at least: whoever plays more rounds than there are new opponents repeats."""
        tasks = [task for task in self.tasks[begin:] if not task.free]
        short = 0
        for player, fresh in enumerate(state.fresh):
            own = [task.players for task in tasks if task.players >> player & 1]
            short += max(0, len(own) - (fresh & reduce(or_, own, 0)).bit_count())
        return max(0, -(-(short - sum(task.resting for task in tasks)) // 2))

    def _list_pairings(self, state: SearchState, spent: ByesAndRepeats, begin: int) -> Iterator[NumberedPairs]:
        """Every pairing of one round that costs no more, new opponents first."""
        task = self.tasks[begin]
        fresh = self.allowed if task.free else state.fresh
        if not spent.repeats:
            if _count_odd_parts(task.players, fresh) > task.resting:
                return
            if task.players.bit_count() > WIDE_FIELD:
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
    """Some pairing of new opponents, the byes (None: not possible) as low as can be; None if there is no complete one.

    In a wide field the search could try very long before it finds that there is none.
    """
    import rustworkx  # noqa: PLC0415  # slow to load, and only needed in wide fields

    players = list_set_members(task.players)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(fresh) + task.resting))
    most = max((had for had in byes if had is not None), default=0)
    for one in players:
        graph.add_edges_from([(one, other, 0) for other in list_set_members(fresh[one] & task.players) if other > one])
        if (had := byes[one]) is not None:
            graph.add_edges_from([(one, len(fresh) + bye, most - had) for bye in range(task.resting)])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < len(players) + task.resting:
        return None
    return tuple(sorted((min(pair), max(pair) if max(pair) < len(fresh) else None) for pair in found))


def list_set_members(players: int) -> list[int]:
    """The players of a set, from the lowest number."""
    found = []
    while players:
        lowest = players & -players
        found.append(lowest.bit_length() - 1)
        players ^= lowest
    return found


def _count_odd_parts(players: int, fresh: Sequence[int]) -> int:
    """In how many connected parts with an odd number of players the graph falls."""
    odd = 0
    while players:
        part = border = players & -players
        while border:
            reached = reduce(or_, (fresh[player] for player in list_set_members(border)))
            border = reached & players & ~part
            part |= border
        odd += part.bit_count() % 2
        players &= ~part
    return odd


# This round and those that the plan still has, as tasks for a search.

UNLIMITED = 1 << 20  # more repeats and byes than any plan needs


@dataclass(frozen=True, slots=True)
class Outlook:
    """The players by their places in the field, behind them whoever else plays in a later round.

    The first task is this round, of the players left to the method; the director's pairs have met.
    """

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
        """Whether no search is needed: so many new opponents are left that any pairing leaves enough of them.

        A graph in which everybody has at least half of the others as neighbours has a complete pairing (Dirac).
        """
        state, later = self.start.after(pairs), self.tasks[1:]
        odd, fewest = sum(task.resting for task in later), min(state.byes)
        for before, task in enumerate(later):
            players = list_set_members(task.players)
            new = min(((state.fresh[player] & task.players).bit_count() for player in players), default=0)
            playing = len(players) - task.resting
            if not task.free and new - before - task.resting < (playing + 1) // 2:
                return False
            if task.resting and sum(state.byes[player] == fewest for player in players) < odd:
                return False
        return True

    def least(self) -> ByesAndRepeats:
        """What all rounds cost at least: the next bye goes to whoever had the fewest, new opponents are used up."""
        odd = [task for task in self.tasks if task.resting]
        had = [byes for player, byes in enumerate(self.start.byes) if any(task.players >> player & 1 for task in odd)]
        heapq.heapify(had)
        byes = sum(heapq.heapreplace(had, had[0] + 1) for task in odd for _ in range(task.resting))
        return ByesAndRepeats(byes, CompletionSearch(self.tasks, self.allowed, 0).least_repeats(self.start, 0))


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
    by_hand = [(pair.first, pair.second) for pair in request.given] + [(key, None) for key in request.byes]
    now = RoundTask((1 << len(here)) - 1, field.byes, request.repeats)
    tasks = (
        RoundTask(sum(1 << number[key] for key in one.players), len(one.players) % 2, one.repeats) for one in later
    )
    return Outlook(start.after(_number_pairs(by_hand, number)), allowed, (now, *tasks))


def _number_pairs(pairs: Iterable[tuple[int, int | None]], number: dict[int, int]) -> list[tuple[int, int | None]]:
    """The pairs whose players matter, by number."""
    kept = [(one, other) for one, other in pairs if one in number and (other is None or other in number)]
    return [(number[one], None if other is None else number[other]) for one, other in kept]
