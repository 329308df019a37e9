"""Choosing this round's pairing with an eye on the rounds that the plan still has.

Cheapest now can be a dead end later. Of the pairings of this round the cheapest is taken that still lets the remaining
rounds be completed with the fewest second byes and repeats: none, if that can be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice, takewhile

from tournament.pairing import in_order, matching, outlook
from tournament.pairing.completion import GivenUp, Search, Spent, State
from tournament.pairing.field import Field
from tournament.pairing.history import History
from tournament.pairing.matching import Matching
from tournament.pairing.outlook import MANY, Outlook
from tournament.pairing.values import DrawRequest, LookedAhead, Method, Note, NoteCode

MATCHED = (Method.SWISS, Method.KING_OF_THE_HILL, Method.FACTOR, Method.RANDOM)
"""The methods that can take whatever pairing is left. What a schedule or the director will do is not looked at."""

STEPS = 1_500_000  # of one search, and
CANDIDATES = 6_000  # pairings of this round that are looked at, both divided by the square of the players
FEWEST = 12  # players, for that division
SEARCHES = 2  # so many times the steps of one search are granted for a draw


@dataclass(frozen=True, slots=True)
class Prospect:
    """The pairing chosen, what was given up for it, and what the director should know about that."""

    chosen: Matching
    ahead: LookedAhead | None = None
    notes: tuple[Note, ...] = ()


def choose(field: Field, cheapest: Matching, past: History, request: DrawRequest) -> Prospect:
    """The pairing of this round that the plan's remaining rounds ask for."""
    later = tuple(takewhile(lambda one: one.method in MATCHED, request.later))
    if not field.n or all(one.repeats and len(one.players) % 2 == 0 for one in later):
        return Prospect(cheapest)
    view = outlook.of(field, past, request, later, apart=True)
    if view.surely_completes(cheapest.pairs):
        return Prospect(cheapest)
    if request.forbidden and not view.possible(_steps(view)):
        view = outlook.of(field, past, request, later, apart=False)
    return _Choice(view, field, request, [one.number for one in later]).made(cheapest)


def _steps(view: Outlook) -> int:
    """The steps of one search: fewer where each takes longer, enough to fill all rounds without turning back."""
    players = len(view.start.fresh)
    return max(STEPS // max(FEWEST, players) ** 2, players * len(view.tasks))


class _Choice:
    """A search among this round's pairings, which ends after so many steps."""

    def __init__(self, view: Outlook, field: Field, request: DrawRequest, later: list[int]) -> None:
        self.view, self.field, self.request, self.later = view, field, request, later
        self.search = Search(view.tasks, view.allowed, 0)
        self.steps = SEARCHES * _steps(view)
        self.broken_off = False

    def made(self, cheapest: Matching) -> Prospect:
        """The first pairing, cheapest first, with which the fewest second byes and repeats are needed in all."""
        if self._completes(cheapest, self.view.least()):
            return Prospect(cheapest)
        fewest = self._fewest(self.view.least())
        if fewest is None:
            return Prospect(cheapest, notes=self._notes())
        candidates = 1 + CANDIDATES // max(FEWEST, self.field.n) ** 2
        for candidate in islice(in_order.pairings(self.field, self.request, cheapest), candidates):
            if self._completes(candidate, fewest):
                return self._instead(cheapest, candidate, fewest)
        self.broken_off = True
        return self._instead(cheapest, self._any(fewest) or cheapest, fewest)

    def _fewest(self, least: Spent) -> Spent | None:
        """The fewest second byes, then the fewest repeats, that all rounds need; None if that takes too long."""
        byes, repeats = least.byes, least.repeats
        while not self._ask(self.view.start, Spent(byes, MANY), 0):
            byes += 1
            if self.steps <= 0:
                return None
        while not self._ask(self.view.start, Spent(byes, repeats), 0):
            repeats += 1
            if self.steps <= 0:
                return None
        return Spent(byes, repeats)

    def _completes(self, pairing: Matching, spent: Spent) -> bool | None:
        """Whether all can be completed with this pairing for no more, its own cost included; None: not known."""
        left = spent.less(self.view.spent(pairing.pairs))
        return False if left.overdrawn else self._ask(self.view.after(pairing.pairs), left, 1)

    def _ask(self, state: State, spent: Spent, begin: int) -> bool | None:
        """Whether the rounds from `begin` on can be completed; None when that took too long."""
        self.search.steps = granted = max(0, min(_steps(self.view), self.steps))
        answer = self.search.answer(state, spent, begin)
        self.steps -= granted - self.search.steps
        self.broken_off |= answer is None
        return answer

    def _any(self, fewest: Spent) -> Matching | None:
        """Some pairing with which all can be completed, made of cheap pairs first."""
        edges = matching.all_edges(self.field, self.request)
        liking = matching.by_cost(self.field, edges)
        try:
            pairs = Search(self.view.tasks, self.view.allowed, _steps(self.view), liking).filled(
                self.view.start, fewest
            )
        except GivenUp:
            return None
        return matching.of_pairs(self.field, edges, pairs) if pairs else None

    def _instead(self, cheapest: Matching, chosen: Matching, fewest: Spent) -> Prospect:
        """The pairing chosen, and what the cheapest one would have led to, if that is known."""
        chosen = replace(chosen, proven=chosen.proven and not self.broken_off)
        if chosen.pairs == cheapest.pairs or self._completes(cheapest, fewest) is not False:
            return Prospect(chosen, notes=self._notes())
        moved = sorted(set(chosen.pairs) - set(cheapest.pairs))
        keys = tuple(self.field.players[place].key for pair in moved for place in pair if place is not None)
        ahead = LookedAhead(keys, self._dead_end(cheapest, fewest), self.later[-1], fewest.repeats, cheapest.cost)
        return Prospect(chosen, ahead, (Note(NoteCode.LOOKED_AHEAD, keys, ahead.by), *self._notes()))

    def _dead_end(self, cheapest: Matching, fewest: Spent) -> int:
        """The round by which the pairing would need more repeats or second byes than all rounds do otherwise."""
        state, left = self.view.after(cheapest.pairs), fewest.less(self.view.spent(cheapest.pairs))
        if left.overdrawn:
            return self.request.round
        for count, number in enumerate(self.later, 1):
            if (
                Search(self.view.tasks[1 : count + 1], self.view.allowed, _steps(self.view)).answer(state, left)
                is False
            ):
                return number
        return self.later[-1]

    def _notes(self) -> tuple[Note, ...]:
        return (Note(NoteCode.NOT_SEARCHED, (), self.later[-1]),) if self.broken_off else ()
