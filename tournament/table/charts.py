"""The charts of the statistics, laid out for SVG: how scores spread, and what starting was worth. Plain figures in and
out."""

import statistics
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from scoring.statistics import StatisticsGame

WIDTH, HEIGHT = 480, 200
LEFT, RIGHT, TOP, BOTTOM = 34, 8, 16, 28
BIN_WIDTHS = (25, 50, 100, 200, 500)  # points
MOST_BINS = 16


def build_score_chart(scores: Collection[int]) -> dict[str, Any] | None:
    """How often scores of each size were reached, in bars of equal width; None for fewer than two scores. A bar has its
    scores from `low` to `high`, how many they are, and where it is drawn; at least half are `median` or more, and
    `most` is the tallest bar's."""
    if len(scores) < 2:
        return None
    low, high = min(scores), max(scores)
    size = next(
        (bin_width for bin_width in BIN_WIDTHS if high // bin_width - low // bin_width < MOST_BINS), BIN_WIDTHS[-1]
    )
    # Rounded down, not to zero: scores below 0 have bars of their own, and none is twice as wide.
    counted = Counter(score // size for score in scores)
    numbers = range(low // size, high // size + 1)
    most = max(counted.values())
    across = (WIDTH - LEFT - RIGHT) / len(numbers)
    unit = (HEIGHT - TOP - BOTTOM) / most
    bars, width = [], round(across - 2, 1)
    for at, number in enumerate(numbers):
        x = round(LEFT + at * across + 1, 1)
        bars.append(
            {
                "low": number * size,
                "high": number * size + size - 1,
                "count": counted[number],
                "x": x,
                "middle": round(x + width / 2, 1),
                "y": round(HEIGHT - BOTTOM - counted[number] * unit, 1),
                "width": width,
                "height": round(counted[number] * unit, 1),
            }
        )
    return {
        "bars": bars,
        # A score that somebody had, where the mean of the two in the middle might be 401.5.
        "median": statistics.median_low(scores),
        "most": most,
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "top": TOP,
        "bottom": HEIGHT - BOTTOM,
    }


def build_start_chart(games: Iterable[StatisticsGame]) -> dict[str, Any] | None:
    """What came of the played games for whoever started, the first player of each; None without any: how many were
    `won`, `drawn` and `lost`, by how many points starters were ahead in the average game (`margin`), and the parts of a
    bar of `WIDTH`, each a word, where it begins, and how wide it is."""
    scores = [game.scores for game in games if game.is_played]
    if not scores:
        return None
    outcomes = {
        "won": sum(own > other for own, other in scores),
        "drawn": sum(own == other for own, other in scores),
        "lost": sum(own < other for own, other in scores),
    }
    parts, at = [], 0.0
    for word, count in outcomes.items():
        width = WIDTH * count / len(scores)
        parts.append((word, round(at, 1), round(width, 1)))
        at += width
    margin = sum(own - other for own, other in scores) / len(scores)
    return {**outcomes, "games": len(scores), "margin": margin, "parts": parts}
