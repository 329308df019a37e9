"""Small events to draw from: tables, histories, and whole tournaments played by lot."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from tests.tournament.pairing.ledger import Complete, Field
from tournament.pairing.costs import build_method_field
from tournament.pairing.drafting import draw_round
from tournament.pairing.facts import RoundFacts
from tournament.pairing.field import PairingField, build_pairing_history
from tournament.pairing.values import Competitor, Draft, DraftPair, DrawRequest, Meeting, Method


def table(*half_wins: int, **figures: Any) -> tuple[Competitor, ...]:
    """Players 1, 2 … in the order of the table, with these half-wins; ratings fall by 100 from 2000."""
    return tuple(
        replace(Competitor(place, place, won, 2100 - 100 * place), **figures) for place, won in enumerate(half_wins, 1)
    )


def games(*pairs: tuple[int, int | None], round: int = 1) -> tuple[Meeting, ...]:
    """These games, first named starting, in one round."""
    return tuple(Meeting(round, first, second) for first, second in pairs)


def opponents(pairs: Iterable[DraftPair]) -> set[frozenset[int]]:
    """Who meets whom; a bye is a set of one."""
    return {frozenset(key for key in (pair.first, pair.second) if key is not None) for pair in pairs}


def built(request: DrawRequest) -> PairingField:
    """The request's players as the matching core gets them."""
    byes = len(request.competitors) % 2
    past = build_pairing_history(request.meetings)
    return build_method_field(request.competitors, byes, past, request)


class Event:
    """A tournament that is drawn by the product and whose games are decided by lot."""

    def __init__(self, players: int, seed: int, *, clubs: int = 4) -> None:
        self.rng = random.Random(seed)
        self.rating = {key: self.rng.randrange(800, 2000) for key in range(1, players + 1)}
        self.club = {key: self.rng.randrange(clubs) for key in self.rating}
        self.half_wins = dict.fromkeys(self.rating, 0)
        self.spread = dict.fromkeys(self.rating, 0)
        self.active = set(self.rating)
        self.meetings: list[Meeting] = []
        self.round = 0

    def competitors(self) -> tuple[Competitor, ...]:
        order = sorted(self.active, key=lambda key: (-self.half_wins[key], -self.spread[key], key))
        return tuple(
            Competitor(key, rank, self.half_wins[key], self.rating[key], club=self.club[key])
            for rank, key in enumerate(order, 1)
        )

    def request(self, **wishes: Any) -> DrawRequest:
        """The request for the next round."""
        asked = DrawRequest(self.competitors(), tuple(self.meetings), self.round + 1, self.round + 3, seed=self.round)
        return replace(asked, **wishes)

    def play(self, **wishes: Any) -> Draft:
        """Draw the next round and decide its games."""
        draft = draw_round(self.request(**wishes))
        self.round += 1
        for pair in draft.pairs:
            self.meetings.append(Meeting(self.round, pair.first, pair.second))
            margin = 50 if pair.second is None else self.rng.randrange(-120, 121)
            self._credit(pair.first, margin)
            if pair.second is not None:
                self._credit(pair.second, -margin)
        return draft

    def _credit(self, key: int, margin: int) -> None:
        self.half_wins[key] += (margin > 0) * 2 + (margin == 0)
        self.spread[key] += margin


def play_event(players: int, rounds: int, seed: int, *, leaving: int = 0, method: Method = Method.SWISS) -> Event:
    """An event after some rounds; so many players leave on the way."""
    event = Event(players, seed)
    for _ in range(rounds):
        event.play(method=method)
        if leaving and len(event.active) > 2:
            leaving -= 1
            event.active.discard(event.rng.choice(sorted(event.active)))
    return event


def balances(meetings: Sequence[Meeting]) -> dict[int, int]:
    """Starts less replies of everybody who played."""
    found: dict[int, int] = {}
    for meeting in meetings:
        if meeting.second is not None:
            found[meeting.first] = found.get(meeting.first, 0) + 1
            found[meeting.second] = found.get(meeting.second, 0) - 1
    return found


def complete(facts: RoundFacts) -> list[Complete]:
    """Every complete pairing of those who take part."""
    return Field(facts, sorted(facts.players)).pairings()
