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


Pairs = tuple[tuple[int, int | None], ...]


class Search:
    """Fills rounds within a number of steps.

    `allowed` are each player's possible opponents, met or not; `liking` is the order in which each player's opponents
    are tried.
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
        for pairs in self._pairings(state, spent, self.tasks[begin]):
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

    def _pairings(self, state: State, spent: Spent, task: Task) -> Iterator[Pairs]:
        """Every pairing of one round that costs no more, new opponents first."""
        fresh = self.allowed if task.free else state.fresh
        if spent.repeats or not _odd_parts(task.players, fresh) > task.resting:
            yield from self._rest(task.players, task.resting, fresh, state.byes, spent)

    def _rest(
        self, left: int, resting: int, fresh: Sequence[int], byes: Sequence[int], spent: Spent
    ) -> Iterator[Pairs]:
        """Every way to pair who is left, of whom so many rest."""
        if not left:
            if not resting:
                yield ()
            return
        self.steps -= 1
        if self.steps < 0:
            raise GivenUp
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
