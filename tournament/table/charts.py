"""The charts of the statistics, laid out for SVG: how scores spread, and what starting was worth. Plain figures in and
out."""

import statistics
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from scoring.statistics import StatisticsGame

WIDTH, HEIGHT = 480, 200
LEFT, RIGHT, TOP, BOTTOM = 34, 8, 16, 28
BIN_WIDTHS = (25, 50, 100, 200, 500)  # points
MOST_BINS = 16


@dataclass(frozen=True, slots=True)
class ChartBar:
    """Scores from `low` to `high`, how many they are, and the bar they are drawn as."""

    low: int
    high: int
    count: int
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """How often scores of each size were reached; at least half are `median` or more. `most`: the tallest bar."""

    bars: tuple[ChartBar, ...]
    median: int
    most: int
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def build_score_chart(scores: Collection[int]) -> ScoreChart | None:
    """The spread of scores in bars of equal width; None for fewer than two."""
    if len(scores) < 2:
        return None
    low, high = min(scores), max(scores)
    size = next(
        (bin_width for bin_width in BIN_WIDTHS if high // bin_width - low // bin_width < MOST_BINS), BIN_WIDTHS[-1]
    )
    counted = Counter(score // size for score in scores)
    numbers = range(low // size, high // size + 1)
    most = max(counted.values())
    across = (WIDTH - LEFT - RIGHT) / len(numbers)
    unit = (HEIGHT - TOP - BOTTOM) / most
    bars = tuple(
        ChartBar(
            low=number * size,
            high=number * size + size - 1,
            count=counted[number],
            x=round(LEFT + at * across + 1, 1),
            y=round(HEIGHT - BOTTOM - counted[number] * unit, 1),
            width=round(across - 2, 1),
            height=round(counted[number] * unit, 1),
        )
        for at, number in enumerate(numbers)
    )
    return ScoreChart(bars, statistics.median_low(scores), most)


@dataclass(frozen=True, slots=True)
class StartChart:
    """What came of the games for whoever started: won, drawn and lost ones, and the points of both sides in all."""

    won: int
    drawn: int
    lost: int
    own: int
    other: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def margin(self) -> float:
        """By how many points starters were ahead in the average game."""
        return (self.own - self.other) / self.games

    @property
    def parts(self) -> list[tuple[str, float, float]]:
        """The parts of a bar of `WIDTH`: a word, where each begins, and how wide it is."""
        chart_parts, at = [], 0.0
        for word, count in (("won", self.won), ("drawn", self.drawn), ("lost", self.lost)):
            width = WIDTH * count / self.games
            chart_parts.append((word, round(at, 1), round(width, 1)))
            at += width
        return chart_parts


def build_start_chart(games: Iterable[StatisticsGame]) -> StartChart | None:
    """What starting was worth in played games, in which the first player started; None without any."""
    scores = [game.scores for game in games if game.is_played]
    if not scores:
        return None
    return StartChart(
        won=sum(own > other for own, other in scores),
        drawn=sum(own == other for own, other in scores),
        lost=sum(own < other for own, other in scores),
        own=sum(own for own, _other in scores),
        other=sum(other for _own, other in scores),
    )
