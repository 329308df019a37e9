"""Small fields with and without looking ahead: what is left undone at the end of an event, and what a draw takes.

An event is a *dead end* if it has more repeats or second byes than its rounds need: with V players, the bye counted as
one where they are odd, V − 1 rounds need none, and each round more as few as can be.

Of 1,260 events cheapest-now left 39 dead ends, all of them among the 260 that are an all-play-all or one round short of
it; looking ahead left none, and no search was broken off.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import product

from tournament.pairing.drafting import draw_round
from tournament.pairing.values import Competitor, DrawRequest, LaterRound, Meeting, Method, NoteCode

PLAYERS = range(4, 13)
ROUNDS = range(3, 10)
EVENTS = 20  # of each size
PLANS = {
    "swiss": lambda rounds: [Method.SWISS] * rounds,
    "random, then swiss": lambda rounds: [Method.RANDOM] + [Method.SWISS] * (rounds - 1),
    "king of the hill": lambda rounds: [Method.KING_OF_THE_HILL] * rounds,
}
"""The methods of an event's rounds, by turns."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of an event: repeats and second byes beyond those it needs, milliseconds a draw, searches ended."""

    dead_end: bool
    times: tuple[float, ...]
    broken_off: int


def measure() -> dict[str, object]:
    """Dead ends and milliseconds, all sizes together and by rounds short of all-play-all."""
    found = {ahead: {size: _events(*size, ahead) for size in product(PLAYERS, ROUNDS)} for ahead in (False, True)}
    return {
        "looking_ahead" if ahead else "cheapest_now": {
            "all": _figures([event for events in sizes.values() for event in events]),
            "by_rounds_to_spare": {
                str(spare): _figures([event for size in sizes for event in sizes[size] if _spare(*size) == spare])
                for spare in sorted({_spare(*size) for size in sizes})
            },
        }
        for ahead, sizes in found.items()
    }


def _spare(players: int, rounds: int) -> int:
    """How many rounds more could be played before everybody has met everybody."""
    return players - 1 + players % 2 - rounds


def _figures(events: list[Played]) -> dict[str, object]:
    times = [time for event in events for time in event.times]
    return {
        "events": len(events),
        "dead_ends": sum(event.dead_end for event in events),
        "median_ms": round(statistics.median(times), 2),
        "slowest_ms": round(max(times), 1),
        "searches_broken_off": sum(event.broken_off for event in events),
    }


def _events(players: int, rounds: int, ahead: bool) -> list[Played]:
    plans = list(PLANS.values())
    return [event(players, plans[seed % len(plans)](rounds), seed, ahead=ahead) for seed in range(EVENTS)]


def event(players: int, methods: list[Method], seed: int, *, ahead: bool) -> Played:
    """Play an event whose games are decided by lot."""
    rng = random.Random(f"{players} {len(methods)} {seed}")
    half_wins, spread = dict.fromkeys(range(1, players + 1), 0), dict.fromkeys(range(1, players + 1), 0)
    meetings: list[Meeting] = []
    times, broken_off = [], 0
    for number, method in enumerate(methods, 1):
        order = sorted(half_wins, key=lambda key: (-half_wins[key], -spread[key], key))
        table = tuple(Competitor(key, rank, half_wins[key]) for rank, key in enumerate(order, 1))
        request = DrawRequest(table, tuple(meetings), number, len(methods), method, seed)
        if ahead:
            left = range(number + 1, len(methods) + 1)
            request = replace(request, later=tuple(LaterRound(n, methods[n - 1], frozenset(order)) for n in left))
        started = time.perf_counter()
        draft = draw_round(request)
        times.append((time.perf_counter() - started) * 1000)
        broken_off += any(note.code is NoteCode.NOT_SEARCHED for note in draft.notes)
        for pair in draft.pairs:
            meetings.append(Meeting(number, pair.first, pair.second))
            margin = 50 if pair.second is None else rng.randrange(-120, 121)
            for key, sign in ((pair.first, 1), (pair.second, -1)):
                if key is not None:
                    half_wins[key] += (margin * sign > 0) * 2 + (margin == 0)
                    spread[key] += margin * sign
    return Played(wasted(players, meetings) > 0, tuple(times), broken_off)


def wasted(players: int, meetings: list[Meeting]) -> int:
    """How many repeats and second byes more than the number of rounds makes necessary."""
    met = Counter(frozenset((one.first, one.second)) for one in meetings)
    byes = [times for pair, times in met.items() if None in pair]
    games = [times for pair, times in met.items() if None not in pair]
    again, rested = sum(games) - len(games), sum(byes)
    uneven = sum(math.comb(times, 2) for times in byes) - _evenly(rested, players)
    return uneven + again - max(0, sum(games) - math.comb(players, 2))


def _evenly(byes: int, players: int) -> int:
    """What byes cost that are shared as evenly as can be."""
    each, more = divmod(byes, players)
    return (players - more) * math.comb(each, 2) + more * math.comb(each + 1, 2)
