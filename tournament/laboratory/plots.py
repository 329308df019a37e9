"""The laboratory's plots, laid out the same way for the page's SVG and for paper. Plain figures in and out; every plan
has a letter, a dash and a mark of its own, so that no colour is the only sign."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

from tournament.core.words.figures import format_percent
from tournament.laboratory.figures import Estimate, PlanFigures, StudyFigures, bound_share, get_width

WIDTH, HEIGHT = 540, 260
LEFT, RIGHT, TOP, BOTTOM = 58, 40, 30, 46
LETTERS = "ABCDEF"
LABEL_GAP = 17.0  # between two letters at the ends of lines
LETTER_LIFT = 9.0  # of a letter above its point
MOST_RANKS = 12
MOST_TICKS = 6
MOST_ROUND_TICKS = 13
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """A value and its interval, in the plot's box: upright bars from `top` to `bottom`, and where both axes are
    estimates level ones from `left` to `right`."""

    x: float
    y: float
    top: float
    bottom: float
    left: float = 0.0
    right: float = 0.0


@dataclass(frozen=True, slots=True)
class PlotSeries:
    """What one plan has in the plot. `number`: from 0, which chooses letter, dash and mark; `label_at`: where the
    letter stands."""

    number: int
    points: tuple[PlotPoint, ...]
    label_x: float
    label_at: float

    @property
    def letter(self) -> str:
        """The plan's letter."""
        return LETTERS[self.number]

    @property
    def path(self) -> str:
        """The line as the points of an SVG polyline."""
        return " ".join(f"{point.x},{point.y}" for point in self.points)

    @property
    def band(self) -> str:
        """The interval along the line, as the points of an SVG polygon."""
        there = [f"{point.x},{point.top}" for point in self.points]
        return " ".join([*there, *(f"{point.x},{point.bottom}" for point in reversed(self.points))])


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot with its axes, in a box of `width` by `height` with its origin at the top left."""

    key: str
    series: tuple[PlotSeries, ...]
    across: tuple[dict[str, Any], ...]
    down: tuple[dict[str, Any], ...]
    is_line: bool = True
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


@dataclass(frozen=True, slots=True)
class Axis:
    """A range of values and where they lie."""

    low: float
    high: float
    begin: float
    end: float

    def place(self, value: float) -> float:
        """Where a value lies; what is beyond the axis lies at its end."""
        share = (min(max(value, self.low), self.high) - self.low) / ((self.high - self.low) or 1)
        return round(self.begin + share * (self.end - self.begin), 1)

    def ticks(self, step: float, label: Callable[[float], str]) -> tuple[dict[str, Any], ...]:
        """A tick for each step: where it is, and its label."""
        # 0.3 / 0.1 is 2.9999999999999996 to a computer: without the grain the axis would lose its last tick.
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return tuple(
            {"at": self.place(number * step), "label": label(number * step)} for number in range(first, last + 1)
        )


def choose_step(reach: float) -> float:
    """A round step that cuts a range into few parts."""
    value, digits = reach / MOST_TICKS, 0
    while value >= 10:
        value, digits = value / 10, digits + 1
    while 0 < value < 1:
        value, digits = value * 10, digits - 1
    power = 10.0**digits
    return next((step * power for step in STEPS if step * power * MOST_TICKS >= reach), 10 * power)


def lay_out_plots(found: StudyFigures) -> tuple[Plot, ...]:
    """The four plots: who wins, by strength; how often the strongest player leads, by round; repeats against who is
    shut out; whether the title is open, by round."""
    return (
        _lay_out_lines("ranks", found, lambda plan: plan.wins_by_true_rank[:MOST_RANKS]),
        _lay_out_lines("rounds", found, lambda plan: plan.led),
        _lay_out_scatter(found),
        _lay_out_lines("open", found, lambda plan: plan.open, whole=True),
    )


def _lay_out_lines(
    key: str, found: StudyFigures, pick: Callable[[PlanFigures], Sequence[Estimate]], *, whole: bool = False
) -> Plot:
    """Shares by round or rank, which count from 1; `whole`: the axis goes up to 100 %."""
    lines = [pick(plan) for plan in found.plans]
    bounds = [[bound_share(estimate.value, found.events) for estimate in line] for line in lines]
    longest = max(len(line) for line in lines)
    step = choose_step(1.0 if whole else max((high for line in bounds for _low, high in line), default=1.0))
    top = 1.0 if whole else step * ceil(max((high for line in bounds for _low, high in line), default=1.0) / step)
    # A share is never above 1, whatever the step makes of the axis; figures of SVG grow downwards, so that it begins at
    # the bottom.
    upright = Axis(0.0, min(top, 1.0), HEIGHT - BOTTOM, TOP)
    level = Axis(1, max(longest, 2), LEFT, WIDTH - RIGHT)
    drawn = []
    for line, bounded in zip(lines, bounds, strict=True):
        drawn.append(
            tuple(
                PlotPoint(level.place(place), upright.place(estimate.value), upright.place(high), upright.place(low))
                for place, (estimate, (low, high)) in enumerate(zip(line, bounded, strict=True), 1)
            )
        )
    # Rounded up, so that no more labels than fit stand below the axis.
    rounds = max(1, -(-longest // MOST_ROUND_TICKS))
    return Plot(
        key, _label_lines(drawn), level.ticks(rounds, lambda n: str(round(n))), upright.ticks(step, format_percent)
    )


def _label_lines(drawn: Sequence[tuple[PlotPoint, ...]]) -> tuple[PlotSeries, ...]:
    """The lines with a letter at their ends, none over another."""
    ends = sorted((points[-1].y, number) for number, points in enumerate(drawn) if points)
    places: dict[int, float] = {}
    last = float(TOP) - LABEL_GAP
    for y, number in ends:
        last = max(y, last + LABEL_GAP)
        places[number] = last
    # Pushed apart downwards, the last letters may stand below the axis: then all of them move up.
    over = max(0.0, last - (HEIGHT - BOTTOM))
    return tuple(
        PlotSeries(number, points, points[-1].x + 10, round(places[number] - over, 1))
        for number, points in enumerate(drawn)
        if points
    )


def _place_letters(points: Sequence[PlotPoint]) -> list[float]:
    """How far down each point's letter stands: above its point, or below the letters before it that are in the way."""
    placed: list[tuple[float, float]] = []
    for point in points:
        y = point.y - LETTER_LIFT
        while heights := [at for x, at in placed if abs(x - point.x) < LABEL_GAP and abs(at - y) < LABEL_GAP]:
            y = max(heights) + LABEL_GAP
        placed.append((point.x, round(y, 1)))
    return [y for _x, y in placed]


def _lay_out_scatter(found: StudyFigures) -> Plot:
    """Repeats an event to the right, shut out upwards: the best plan lies at the bottom left."""
    repeats = [plan.figures["repeats"] for plan in found.plans]
    shut_out = [plan.figures["shut_out"] for plan in found.plans]
    bounds = [bound_share(estimate.value, found.events) for estimate in shut_out]
    width = get_width()
    farthest = max(estimate.value + width * estimate.error for estimate in repeats)
    # No finer than a tenth: the labels have one decimal, and two ticks would bear the same one.
    across_step = max(choose_step(farthest or 1.0), 0.1)
    level = Axis(0.0, across_step * max(1, ceil(farthest / across_step)), LEFT, WIDTH - RIGHT)
    step = choose_step(max(high for _low, high in bounds))
    upright = Axis(0.0, min(1.0, step * ceil(max(high for _low, high in bounds) / step)), HEIGHT - BOTTOM, TOP)
    points = [
        PlotPoint(
            level.place(again.value),
            upright.place(share.value),
            upright.place(high),
            upright.place(low),
            level.place(again.value - width * again.error),
            level.place(again.value + width * again.error),
        )
        for again, share, (low, high) in zip(repeats, shut_out, bounds, strict=True)
    ]
    digits = 0 if across_step >= 1 else 1
    letters = enumerate(zip(points, _place_letters(points), strict=True))
    series = tuple(PlotSeries(number, (point,), point.x + 9, y) for number, (point, y) in letters)
    across = level.ticks(across_step, lambda value: f"{value:.{digits}f}")
    return Plot("repeats", series, across, upright.ticks(step, format_percent), is_line=False)
