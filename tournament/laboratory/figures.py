"""From many events to figures with their errors, and to differences between plans, which are paired: every plan has
played the same events. Sums are exact, so that the same events give the same figures on every machine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import NormalDist
from typing import Any

from tournament.laboratory.playing import FIGURES, PlayedEvent
from tournament.laboratory.values import Study

CONFIDENCE = 0.95
FEWEST_DIFFERENT = 10
"""Events in which two plans must differ before a difference is claimed: below, the normal distribution says little."""
FIGURE_DIGITS = 6
FEWEST_EVENTS = 2


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over events and its standard error."""

    value: float
    error: float

    def stored(self) -> dict[str, float]:
        """As JSON."""
        return {"value": round(self.value, FIGURE_DIGITS), "error": round(self.error, FIGURE_DIGITS)}


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much the second of two plans is above the first in a figure, on the same luck. `different`: the events in
    which the two are not equal."""

    plans: tuple[int, int]
    figure: str
    estimate: Estimate
    different: int

    def is_shown(self, claims: int = 1) -> bool:
        """Whether the interval carries a difference, where so many claims are to hold together."""
        beyond = abs(self.estimate.value) > get_width(claims) * self.estimate.error
        return self.different >= FEWEST_DIFFERENT and beyond


@dataclass(frozen=True, slots=True)
class PlanFigures:
    """What the events of one plan were like. `led`, `open`: by round, as in `PlayedEvent`. `wins_by_true_rank`: how
    often the strongest player, the second … ends first."""

    name: str
    figures: Mapping[str, Estimate]
    wins_by_true_rank: tuple[Estimate, ...]
    led: tuple[Estimate, ...]
    open: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class StudyFigures:
    """All figures of a study, of so many events; `rounds_help` says by how much more often the strongest player leads
    after a plan's last round than two rounds before."""

    study: Study
    events: int
    plans: tuple[PlanFigures, ...]
    compared: tuple[Difference, ...]
    rounds_help: tuple[Difference, ...]
    rounds_beat: tuple[Difference, ...]

    def find(self, one: int, other: int, figure: str) -> Difference:
        """The difference of two plans in a figure."""
        return next(
            difference
            for difference in self.compared
            if difference.plans == (one, other) and difference.figure == figure
        )

    def stored(self) -> dict[str, Any]:
        """As `simulate --format json` prints it."""
        names = [plan.name for plan in self.plans]
        return {
            "events": self.events,
            "seed": self.study.seed,
            "plans": [
                {
                    "name": plan.name,
                    "figures": {name: estimate.stored() for name, estimate in plan.figures.items()},
                    "wins_by_true_rank": [round(share.value, FIGURE_DIGITS) for share in plan.wins_by_true_rank],
                }
                for plan in self.plans
            ],
            "compared": [
                {
                    "plans": [names[place] for place in difference.plans],
                    "figure": difference.figure,
                    "difference": round(difference.estimate.value, FIGURE_DIGITS),
                    "error": round(difference.estimate.error, FIGURE_DIGITS),
                }
                for difference in self.compared
            ],
        }


def get_width(claims: int = 1) -> float:
    """How many standard errors an interval reaches to each side, where so many are to hold together."""
    return NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2 / claims)


def estimate_mean(values: Sequence[float]) -> Estimate:
    """The mean and its standard error."""
    count = len(values)
    mean = fsum(values) / count
    squares = fsum((value - mean) ** 2 for value in values)
    return Estimate(mean, sqrt(squares / (count - 1) / count) if count > 1 else 0.0)


def bound_share(share: float, count: int) -> tuple[float, float]:
    """The interval of a share of `count` events (Wilson 1927), which says something of a share of none, too."""
    # Not share ± width × error: of something that has not happened once in a hundred events that would say 0 ± 0.
    width = get_width()
    middle = (share + width**2 / (2 * count)) / (1 + width**2 / count)
    reach = width / (1 + width**2 / count) * sqrt(share * (1 - share) / count + width**2 / (4 * count**2))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def count_study(study: Study, events: Sequence[Sequence[PlayedEvent]]) -> StudyFigures:
    """The figures of the events played so far, at least two, each by every plan."""
    if len(events) < FEWEST_EVENTS:
        raise ValueError(f"{len(events)} events have no error")
    by_plan = list(zip(*events, strict=True))
    numbers = range(len(by_plan))
    pairs = [(one, other) for one in numbers for other in numbers if one < other]
    return StudyFigures(
        study=study,
        events=len(by_plan[0]),
        plans=tuple(_count_plan(study, place, by_plan[place]) for place in numbers),
        compared=tuple(
            _compare(pair, figure, *(_list_values(by_plan[place], figure) for place in pair))
            for pair in pairs
            for figure in FIGURES
        ),
        rounds_help=tuple(_compare((place, place), "best_wins", *_list_leads(by_plan[place])) for place in numbers),
        rounds_beat=tuple(_measure_rounds_against_plans(by_plan, *pair) for pair in pairs),
    )


def _list_values(played: Sequence[PlayedEvent], figure: str) -> list[float]:
    return [getattr(event, figure) for event in played]


def _count_plan(study: Study, place: int, played: Sequence[PlayedEvent]) -> PlanFigures:
    rounds = range(len(played[0].led))
    return PlanFigures(
        name=study.plans[place].name,
        figures={figure: estimate_mean(_list_values(played, figure)) for figure in FIGURES},
        wins_by_true_rank=tuple(
            estimate_mean([event.rank_of_winner == rank for event in played]) for rank in range(1, study.players + 1)
        ),
        led=tuple(estimate_mean([event.led[number] for event in played]) for number in rounds),
        # After the last round nothing is open any more.
        open=tuple(estimate_mean([event.open[number] for event in played]) for number in rounds[:-1]),
    )


def _compare(pair: tuple[int, int], figure: str, ones: Sequence[float], others: Sequence[float]) -> Difference:
    # Event by event: both plans had the same luck, so that most of it falls out of the difference.
    by_event = [other - one for one, other in zip(ones, others, strict=True)]
    return Difference(pair, figure, estimate_mean(by_event), sum(value != 0 for value in by_event))


ROUNDS_MORE = 2


def _list_leads(played: Sequence[PlayedEvent]) -> tuple[list[float], list[float]]:
    """Whether the strongest player leads two rounds before the end, and at the end."""
    return [event.led[max(0, len(event.led) - 1 - ROUNDS_MORE)] for event in played], [
        event.led[-1] for event in played
    ]


def _measure_rounds_against_plans(by_plan: Sequence[Sequence[PlayedEvent]], one: int, other: int) -> Difference:
    """By how much more two rounds help the first plan than the change to the second, whichever of the two is better."""
    before, after = _list_leads(by_plan[one])
    gains = [end - earlier for earlier, end in zip(before, after, strict=True)]
    changes = [second.best_wins - first.best_wins for first, second in zip(by_plan[one], by_plan[other], strict=True)]
    # Turned so that the change is a gain: which of the two plans is better is not asked here, only how much that
    # matters.
    sign = 1 if fsum(changes) >= 0 else -1
    return _compare((one, other), "best_wins", [sign * change for change in changes], gains)
