"""The table, from official results in memory."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

from benchmarks.timing import median_ms
from scoring.awards import Awards, Outcome
from scoring.standings import Contestant, Ranking, TableGame, rank

FIELDS = ((100, 20), (300, 20), (1_000, 20), (3_000, 20), (10_000, 20))


def event(players: int, rounds: int, seed: int = 1) -> tuple[list[Contestant], list[TableGame]]:
    """Contestants and games of a random event: mostly played, a few byes, forfeits and draws."""
    rng = random.Random(f"{players} {rounds} {seed}")
    games = []
    for number in range(1, rounds + 1):
        order = rng.sample(range(players), players)
        for first, second in zip(order[::2], order[1::2], strict=False):
            games.append(_game(rng, number, first, second))
        if players % 2:
            games.append(TableGame(number, order[-1], None, Outcome.BYE))
    return [Contestant(key) for key in range(players)], games


def _game(rng: random.Random, number: int, first: int, second: int) -> TableGame:
    if rng.random() < 0.01:
        return TableGame(number, first, second, Outcome.SECOND_FORFEITS)
    return TableGame(number, first, second, Outcome.PLAYED, round(rng.gauss(390, 60)), round(rng.gauss(390, 60)))


def measure() -> dict[str, Any]:
    """Milliseconds by field."""
    return {
        f"{players} players x {rounds} rounds": median_ms(
            partial(rank, *event(players, rounds), Ranking(), Awards()), repeat=15
        )
        for players, rounds in FIELDS
    }
