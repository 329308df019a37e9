"""Whether rounds can be paired without, or with so few, repeats and second byes: a search over complete pairings.

Players are numbered from 0, a set of players is the bits of a whole number. Rounds are filled one after the other, in
each the player with the fewest opponents left first. What could not be completed is remembered; the search gives up
after so many steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


class GivenUp(Exception):
    """The search has taken all its steps without an answer."""


@dataclass(frozen=True, slots=True)
class Task:
    """One round to be filled: who plays, how many of them rest, and whether repeats cost nothing."""

    players: int
    resting: int
    free: bool = False


@dataclass(frozen=True, slots=True)
class Spent:
    """What may be spent, or is: byes beyond the first (each as many as its player has had), and repeats."""

    byes: int = 0
    repeats: int = 0

    def less(self, other: Spent) -> Spent:
        """What is left; below 0 where it is too little."""
        return Spent(self.byes - other.byes, self.repeats - other.repeats)

    @property
    def overdrawn(self) -> bool:
        """Whether more is spent than there was."""
        return self.byes < 0 or self.repeats < 0


@dataclass(frozen=True, slots=True)
class State:
    """Whom each player can still meet for the first time, and how many byes each has had."""

    fresh: tuple[int, ...]
    byes: tuple[int, ...]

    def after(self, pairs: Sequence[tuple[int, int | None]]) -> State:
        """The state when these have met, or rested."""
        fresh, byes = list(self.fresh), list(self.byes)
        for one, other in pairs:
            if other is None:
                byes[one] += 1
            else:
                fresh[one] &= ~(1 << other)
                fresh[other] &= ~(1 << one)
        return State(tuple(fresh), tuple(byes))

    def spends(self, pairs: Sequence[tuple[int, int | None]], task: Task) -> Spent:
        """What these pairs cost now."""
        byes = sum(self.byes[one] for one, other in pairs if other is None)
        again = sum(other is not None and not self.fresh[one] >> other & 1 for one, other in pairs)
        return Spent(byes, 0 if task.free else again)


WIDE = 12
"""With more players the matching solver says first whether a round can be paired at all."""

Pairs = tuple[tuple[int, int | None], ...]


class Search:
    """Fills rounds within a number of steps.

    `allowed` are each player's possible opponents, met or not; `liking` is the order in which each player's opponents
    are tried, in the first round above all.
    """

    def __init__(
        self, tasks: Sequence[Task], allowed: Sequence[int], steps: int, liking: Sequence[Sequence[int]] = ()
    ) -> None:
        self.tasks = tasks
        self.allowed = allowed
        self.steps = steps
        self.liking = liking
        self._failed: set[tuple[int, State, Spent]] = set()

    def answer(self, state: State, spent: Spent, begin: int = 0) -> bool | None:
        """Whether the tasks from `begin` on can be filled for no more than `spent`; None if that takes too long."""
        try:
            return self.filled(state, spent, begin) is not None
        except GivenUp:
            return None

    def filled(self, state: State, spent: Spent, begin: int = 0) -> Pairs | None:
        """The pairs of task `begin` in a way to fill it and those after it; None if there is no way. Raises GivenUp."""
        if begin == len(self.tasks):
            return ()
        known = begin, state, spent
        if known in self._failed or self.least_repeats(state, begin) > spent.repeats:
            return None
        for pairs in self._pairings(state, spent, begin):
            left = spent.less(state.spends(pairs, self.tasks[begin]))
            if self.filled(state.after(pairs), left, begin + 1) is not None:
                return pairs
        self._failed.add(known)
        return None

    def least_repeats(self, state: State, begin: int) -> int:
        """As many repeats the tasks need at least: whoever plays more rounds than there are new opponents repeats."""
        tasks = [task for task in self.tasks[begin:] if not task.free]
        short = 0
        for player, fresh in enumerate(state.fresh):
            own = [task.players for task in tasks if task.players >> player & 1]
            there = 0
            for players in own:
                there |= players
            short += max(0, len(own) - (fresh & there).bit_count())
        return max(0, -(-(short - sum(task.resting for task in tasks)) // 2))

    def _pairings(self, state: State, spent: Spent, begin: int) -> Iterator[Pairs]:
        """Every pairing of one round that costs no more, new opponents first."""
        task = self.tasks[begin]
        fresh = self.allowed if task.free else state.fresh
        if not spent.repeats:
            if _odd_parts(task.players, fresh) > task.resting:
                return
            if task.players.bit_count() > WIDE:
                self._take(task.players.bit_count())
                some = _matched(task, fresh, [had if had <= spent.byes else None for had in state.byes])
                if some is None:
                    return
                if begin or not self.liking:
                    yield some
        yield from self._rest(task.players, task.resting, fresh, state.byes, spent)

    def _take(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise GivenUp

    def _rest(
        self, left: int, resting: int, fresh: Sequence[int], byes: Sequence[int], spent: Spent
    ) -> Iterator[Pairs]:
        """Every way to pair who is left, of whom so many rest."""
        if not left:
            if not resting:
                yield ()
            return
        self._take(1)
        one = min(members(left), key=lambda player: (fresh[player] & left).bit_count())
        for other, cost in self._partners(one, left & ~(1 << one), resting, fresh, byes, spent):
            still = left & ~(1 << one) if other is None else left & ~(1 << one | 1 << other)
            for pairs in self._rest(still, resting - (other is None), fresh, byes, spent.less(cost)):
                yield ((one, other), *pairs)

    def _partners(
        self, one: int, others: int, resting: int, fresh: Sequence[int], byes: Sequence[int], spent: Spent
    ) -> Iterator[tuple[int | None, Spent]]:
        """Whom the player can be set against, None for a bye, and what that costs: those new to the player first."""
        for other in self._tried(one, fresh[one] & others):
            yield other, Spent()
        if resting and byes[one] <= spent.byes:
            yield None, Spent(byes[one])
        if spent.repeats:
            for other in self._tried(one, self.allowed[one] & ~fresh[one] & others):
                yield other, Spent(0, 1)

    def _tried(self, one: int, others: int) -> list[int]:
        """The opponents in the order in which they are tried."""
        if one < len(self.liking):
            return [other for other in self.liking[one] if others >> other & 1]
        return members(others)


def _matched(task: Task, fresh: Sequence[int], byes: Sequence[int | None]) -> Pairs | None:
    """Some pairing of new opponents, the byes (None: not possible) as low as can be; None if there is no complete one.

    In a wide field the search could try very long before it finds that there is none.
    """
    import rustworkx  # noqa: PLC0415  # slow to load, and only needed in wide fields

    players = members(task.players)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(fresh) + task.resting))
    most = max((had for had in byes if had is not None), default=0)
    for one in players:
        graph.add_edges_from([(one, other, 0) for other in members(fresh[one] & task.players) if other > one])
        if (had := byes[one]) is not None:
            graph.add_edges_from([(one, len(fresh) + bye, most - had) for bye in range(task.resting)])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < len(players) + task.resting:
        return None
    return tuple(sorted((min(pair), max(pair) if max(pair) < len(fresh) else None) for pair in found))


def members(players: int) -> list[int]:
    """The players of a set, from the lowest number."""
    found = []
    while players:
        lowest = players & -players
        found.append(lowest.bit_length() - 1)
        players ^= lowest
    return found


def _odd_parts(players: int, fresh: Sequence[int]) -> int:
    """In how many connected parts with an odd number of players the graph falls."""
    odd = 0
    while players:
        part = border = players & -players
        while border:
            reached = 0
            for player in members(border):
                reached |= fresh[player]
            border = reached & players & ~part
            part |= border
        odd += part.bit_count() % 2
        players &= ~part
    return odd
