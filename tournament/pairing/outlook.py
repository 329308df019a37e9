"""This round and those that the plan still has, as tasks for a search; see `completion`."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournament.pairing.completion import Search, Spent, State, Task, members
from tournament.pairing.field import Field
from tournament.pairing.history import History
from tournament.pairing.values import DrawRequest, LaterRound

MANY = 1 << 20
"""More repeats and byes than any plan needs."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The players by their places in the field, behind them whoever else plays in a later round.

    The first task is this round, of the players left to the method; the director's pairs have met.

    `allowed`: each player's possible opponents, met or not.
    """

    start: State
    allowed: tuple[int, ...]
    tasks: tuple[Task, ...]

    def after(self, pairs: Sequence[tuple[int, int | None]]) -> State:
        """The state when this round's pairs have met, or rested."""
        return self.start.after(pairs)

    def spent(self, pairs: Sequence[tuple[int, int | None]]) -> Spent:
        """What this round's pairs cost."""
        return self.start.spends(pairs, self.tasks[0])

    def possible(self, steps: int) -> bool:
        """Whether each round can be paired at all; False if those kept apart are in the way, or it takes too long."""
        anything = Spent(MANY, MANY)
        return all(Search([task], self.allowed, steps).answer(self.start, anything) for task in self.tasks)

    def surely_completes(self, pairs: Sequence[tuple[int, int | None]]) -> bool:
        """Whether no search is needed: so many new opponents are left that any pairing leaves enough of them.

        A graph in which everybody has at least half of the others as neighbours has a complete pairing (Dirac).
        """
        state, later = self.after(pairs), self.tasks[1:]
        odd, fewest = sum(task.resting for task in later), min(state.byes)
        for before, task in enumerate(later):
            players = members(task.players)
            new = min(((state.fresh[player] & task.players).bit_count() for player in players), default=0)
            playing = len(players) - task.resting
            if not task.free and new - before - task.resting < (playing + 1) // 2:
                return False
            if task.resting and sum(state.byes[player] == fewest for player in players) < odd:
                return False
        return True

    def least(self) -> Spent:
        """What all rounds cost at least: the next bye goes to whoever had the fewest, new opponents are used up."""
        odd = [task for task in self.tasks if task.resting]
        had = [byes for player, byes in enumerate(self.start.byes) if any(task.players >> player & 1 for task in odd)]
        heapq.heapify(had)
        byes = sum(heapq.heapreplace(had, had[0] + 1) for task in odd for _ in range(task.resting))
        return Spent(byes, Search(self.tasks, self.allowed, 0).least_repeats(self.start, 0))


def of(field: Field, past: History, request: DrawRequest, later: Sequence[LaterRound], *, apart: bool) -> Outlook:
    """What lies ahead; `apart` keeps apart in each round those whom the director wants kept apart."""
    here = [player.key for player in field.players]
    others = {player.key for player in request.competitors}.union(*(one.players for one in later)) - set(here)
    number = {key: place for place, key in enumerate((*here, *sorted(others)))}
    everybody = (1 << len(number)) - 1
    nobody_met = State(tuple(everybody & ~(1 << place) for place in number.values()), (0,) * len(number))
    allowed = nobody_met.after(_numbered(request.forbidden if apart else (), number)).fresh
    start = State(allowed, tuple(past.record(key).byes for key in number)).after(_numbered(past.met, number))
    by_hand = [(pair.first, pair.second) for pair in request.given] + [(key, None) for key in request.byes]
    now = Task((1 << len(here)) - 1, field.byes, request.repeats)
    tasks = (Task(sum(1 << number[key] for key in one.players), len(one.players) % 2, one.repeats) for one in later)
    return Outlook(start.after(_numbered(by_hand, number)), allowed, (now, *tasks))


def _numbered(pairs: Iterable[tuple[int, int | None]], number: dict[int, int]) -> list[tuple[int, int | None]]:
    """The pairs whose players matter, by number."""
    kept = [(one, other) for one, other in pairs if one in number and (other is None or other in number)]
    return [(number[one], None if other is None else number[other]) for one, other in kept]
