"""Fields to measure pairing on: players, ratings, clubs and the rounds they have played, all from one seed.

The rounds are paired roughly (score groups, upper half meets lower half, no repeats where looking a few places further
on avoids them), so that making a field of 3,000 takes no time and does not depend on what is measured.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from dataclasses import dataclass

from tournament.pairing.drafting import draw_round
from tournament.pairing.values import Competitor, DrawRequest, Meeting


@dataclass(frozen=True, slots=True)
class Played:
    """A field after some rounds, as a request needs it."""

    competitors: tuple[Competitor, ...]
    meetings: tuple[Meeting, ...]
    rounds: int


@dataclass(slots=True)
class _Player:
    key: int
    rating: int
    club: int
    half_wins: int = 0
    spread: int = 0
    balance: int = 0
    byes: int = 0


@functools.cache
def played(players: int, rounds: int, seed: int, *, clubs: int = 12, draws: float = 0.01) -> Played:
    """Return a field of `players` after `rounds` rounds."""
    rng = random.Random(f"{players} {rounds} {seed}")
    field = [_Player(key, round(rng.gauss(1400, 250)), rng.randrange(clubs)) for key in range(1, players + 1)]
    met: set[tuple[int, int]] = set()
    meetings: list[Meeting] = []
    for number in range(1, rounds + 1):
        for first, second in _paired(_table(field), met):
            _play(first, second, rng, draws)
            meetings.append(Meeting(number, first.key, second.key if second else None))
    table = _table(field)
    competitors = tuple(Competitor(p.key, rank, p.half_wins, p.rating, club=p.club) for rank, p in enumerate(table, 1))
    return Played(competitors, tuple(meetings), rounds)


def simulated(players: int, rounds: int, seed: int) -> list[list[int]]:
    """Play a Swiss event paired by the program: everybody's starts minus replies after 0, 1 … rounds."""
    rng = random.Random(f"{players} {rounds} {seed}")
    field = [_Player(key, round(rng.gauss(1400, 250)), 0) for key in range(1, players + 1)]
    by_key = {player.key: player for player in field}
    meetings: list[Meeting] = []
    balances = [[0] * players]
    for number in range(1, rounds + 1):
        table = tuple(Competitor(p.key, rank, p.half_wins, p.rating) for rank, p in enumerate(_table(field), 1))
        for pair in draw_round(DrawRequest(table, tuple(meetings), number, rounds, seed=seed)).pairs:
            _play(by_key[pair.first], None if pair.second is None else by_key[pair.second], rng, 0.01)
            meetings.append(Meeting(number, pair.first, pair.second))
        balances.append([player.balance for player in field])
    return balances


def _table(field: list[_Player]) -> list[_Player]:
    return sorted(field, key=lambda p: (-p.half_wins, -p.spread, p.key))


def _paired(table: list[_Player], met: set[tuple[int, int]]) -> list[tuple[_Player, _Player | None]]:
    games: list[tuple[_Player, _Player | None]] = []
    waiting = list(table)
    if len(waiting) % 2:
        spare = min(reversed(waiting), key=lambda p: p.byes)
        waiting.remove(spare)
        games.append((spare, None))
    left = Counter(p.half_wins for p in waiting)
    while waiting:
        best = waiting.pop(0)
        half = left[best.half_wins] // 2
        reach = sorted(range(max(0, half - 41), min(len(waiting), half + 40)), key=lambda at: abs(at + 1 - half))
        other = waiting.pop(next((at for at in reach if _code(best, waiting[at]) not in met), 0))
        left.subtract((best.half_wins, other.half_wins))
        met.add(_code(best, other))
        games.append((best, other) if best.balance <= other.balance else (other, best))
    return games


def _code(one: _Player, other: _Player) -> tuple[int, int]:
    return min(one.key, other.key), max(one.key, other.key)


def _play(first: _Player, second: _Player | None, rng: random.Random, draws: float) -> None:
    if second is None:
        first.half_wins, first.spread, first.byes = first.half_wins + 2, first.spread + 50, first.byes + 1
        return
    first.balance, second.balance = first.balance + 1, second.balance - 1
    margin = round(rng.gauss((first.rating - second.rating) / 4, 90)) or 1
    if rng.random() < draws:
        first.half_wins, second.half_wins = first.half_wins + 1, second.half_wins + 1
        return
    winner, loser = (first, second) if margin > 0 else (second, first)
    winner.half_wins += 2
    winner.spread += abs(margin)
    loser.spread -= abs(margin)
