"""A line over the rounds, laid out the same way for the page's SVG and for paper. Plain figures in and out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 340, 170
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 12, 28

FEWEST_POINTS = 2  # one makes no line
MOST_ROUND_TICKS = 12


@dataclass(frozen=True, slots=True)
class Curve:
    """A line with its axes, in a box of `width` by `height` with its origin at the top left."""

    points: tuple[tuple[float, float, int, int], ...]  # x, y, round, value
    rounds: tuple[tuple[float, int], ...]  # the labels below: x and the number
    values: tuple[tuple[float, int], ...]  # the labels on the left: y and the value
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM

    @property
    def path(self) -> str:
        """The line as the points of an SVG polyline."""
        return " ".join(f"{x},{y}" for x, y, _round, _value in self.points)


def build_player_curves(running: Mapping[int, tuple[int | None, int]]) -> dict[str, Curve | None]:
    """The curves of a player's `rank`, the first place on top, and `spread`, both by round; None where too few are
    known for a line."""
    ranks, spreads = [rank for rank, _spread in running.values()], [spread for _rank, spread in running.values()]
    return {"rank": lay_out_curve([*running], ranks, best_low=True), "spread": lay_out_curve([*running], spreads)}


def lay_out_curve(rounds: Sequence[int], values: Sequence[int | None], *, best_low: bool = False) -> Curve | None:
    """The line through the values that are known, by round; None for fewer than two. `best_low`: small ones on top."""
    points = [(number, value) for number, value in zip(rounds, values, strict=True) if value is not None]
    if len(points) < FEWEST_POINTS:
        return None
    figures = [value for _number, value in points]
    low, high = min(figures), max(figures)
    # A level line: it lies in the middle of some height, by which is divided below.
    if low == high:
        low, high = low - 1, high + 1
    first, last = points[0][0], points[-1][0]

    def across(number: int) -> float:
        return round(LEFT + (number - first) / (last - first) * (WIDTH - LEFT - RIGHT), 1)

    def down(value: int) -> float:
        share = (value - low) / (high - low)
        return round(TOP + (share if best_low else 1 - share) * (HEIGHT - TOP - BOTTOM), 1)

    # Rounded up: each round is labelled, or each second or third …, never more than fit.
    ticked = points[:: -(-len(points) // MOST_ROUND_TICKS)]
    levels = {min(figures), max(figures)}
    # Nearer to an end than a sixth of the height, the label of zero would run into that of the end.
    if low < 0 < high and min(-low, high) * 6 > high - low:  # zero lies well inside
        levels.add(0)
    return Curve(
        points=tuple((across(number), down(value), number, value) for number, value in points),
        rounds=tuple((across(number), number) for number, _value in ticked),
        values=tuple((down(value), value) for value in sorted(levels)),
    )
