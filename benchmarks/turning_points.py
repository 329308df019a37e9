"""What a large event hung on: all that is asked at the end of one, by several orders of criteria."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

from benchmarks.timing import median_ms
from scoring import rulesets, turning_points
from scoring.awards import Outcome
from scoring.standings import Contestant, Criterion, Ranking, RankingBasis, TableGame
from scoring.turning_points import BestPlacedQuestion, FirstPlacesQuestion, PlayedTable, RankingQuestion

PLAYERS, ROUNDS = 80, 12
RANKINGS = {
    "the order of the rules": Ranking(),
    "spread, shared ties": Ranking(shared_ties=True, order=(Criterion.SPREAD,), losses_count=True),
    "direct meetings, spread": Ranking(order=(Criterion.HEAD_TO_HEAD, Criterion.SPREAD)),
    "points, direct meetings": Ranking(basis=RankingBasis.POINTS, order=(Criterion.HEAD_TO_HEAD, Criterion.WINS)),
    "capped spread": Ranking(spread_cap=(2, 5)),
}
QUESTIONS: tuple[RankingQuestion, ...] = (
    BestPlacedQuestion(frozenset(range(PLAYERS))),
    *(FirstPlacesQuestion(places) for places in range(2, 11)),
    *(BestPlacedQuestion(frozenset(range(number, PLAYERS, 7))) for number in range(5)),
)
"""The champion, the places down to the tenth, five prizes for the best of some players."""


def event(ranking: Ranking, seed: int = 1) -> PlayedTable:
    """Pairs by wins, scores by chance around what everybody is worth."""
    rng = random.Random(seed)
    worth = [rng.gauss(390, 30) for _each in range(PLAYERS)]
    wins, games = [0] * PLAYERS, []
    for number in range(1, ROUNDS + 1):
        order = sorted(range(PLAYERS), key=lambda each: (-wins[each], rng.random()))
        for one, other in zip(order[::2], order[1::2], strict=True):
            first, second = (int(rng.gauss(worth[each], 45)) for each in (one, other))
            games.append(TableGame(number, one, other, Outcome.PLAYED, first, second))
            wins[one if first > second else other] += 1
    contestants = tuple(Contestant(key) for key in range(PLAYERS))
    return PlayedTable(contestants, tuple(games), ranking, rulesets.get("tso-2017").awards)


def measure() -> dict[str, Any]:
    """Milliseconds by order of criteria."""
    return {
        name: median_ms(partial(turning_points.find_table_turning_points, event(ranking), QUESTIONS), repeat=3)
        for name, ranking in RANKINGS.items()
    }
