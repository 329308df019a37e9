"""What can still happen before the end: bounds with needs of a field whose last round is published, or still to be
drawn, and simulated shares."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

from benchmarks.timing import median_ms
from scoring import rulesets, simulation
from scoring.awards import Outcome
from scoring.chances import find_prospects
from scoring.completions import Event
from scoring.standings import Contestant, Ranking, TableGame

FIELDS = {
    "24 players, the last round published": (24, 13, 0, 12),
    "24 players, ten games open": (24, 13, 0, 10),
    "24 players, a round published and one to come": (24, 12, 1, 12),
    "100 players, the last round published": (100, 13, 0, 50),
    "100 players, a round to come": (100, 12, 1, 0),
    "100 players, a round published and two to come": (100, 11, 2, 50),
    "8 players, two rounds to come": (8, 5, 2, 0),
}
"""Players, rounds published, rounds to come, open games of the last one."""
RUNS = 20_000


def event(players: int, rounds: int, to_come: int, missing: int, seed: int = 5) -> Event:
    """Pairs by wins, margins by chance around what everybody is worth."""
    rng = random.Random(seed)
    worth = [rng.gauss(0, simulation.STRENGTH_DEVIATION) for _each in range(players)]
    wins, games = [0] * players, []
    for number in range(1, rounds + 1):
        order = sorted(range(players), key=lambda each: (-wins[each], rng.random()))
        for place, (one, other) in enumerate(zip(order[::2], order[1::2], strict=True)):
            if number == rounds and place < missing:
                games.append(TableGame(number, one, other, Outcome.OPEN))
                continue
            margin = round(rng.gauss(worth[one] - worth[other], simulation.MARGIN_DEVIATION))
            games.append(TableGame(number, one, other, Outcome.PLAYED, 400 + margin, 400))
            wins[one if margin > 0 else other] += 1
    contestants = tuple(Contestant(key) for key in range(players))
    to_draw = tuple(range(rounds + 1, rounds + to_come + 1))
    return Event(contestants, tuple(games), to_draw, Ranking(), rulesets.get("tso-2017").awards)


def simulate() -> None:
    """The shares of 24 players with two rounds to come."""
    situation = simulation.Situation(half_wins=tuple(range(24)), spread=(0,) * 24, caps=(None, None))
    simulation.rank_endings(simulation.simulate_endings(situation, RUNS, 1), 1)


def measure() -> dict[str, Any]:
    """Milliseconds by field, and of the shares."""
    found = {name: median_ms(partial(find_prospects, event(*field)), repeat=3) for name, field in FIELDS.items()}
    return {**found, "24 players, shares of 20,000 runs": median_ms(simulate, repeat=3)}
