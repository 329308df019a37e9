"""A season: several events of a club counted together, by the rule that its organiser announces. No rule book has
seasons. What is counted, how many of a player's events count, what players who share a place get, and what separates
players with equal totals is defined here alone."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import groupby

from scoring.standings import PlayerKey


class SeasonRule(StrEnum):
    """What is counted of an event."""

    PLACES = "places"  # points for the place in its final ranking
    WINS = "wins"
    SPREAD = "spread"


class SharedPlaces(StrEnum):
    """What players who share a place get, if places give points."""

    EACH = "each"  # the points of the place, each
    SPLIT = "split"  # equal parts of the points for all the places that they fill


class SeparatedBy(StrEnum):
    """What separates a row from the one above it; level rows share the rank."""

    TOTAL = "total"
    EVENTS = "events"  # the better single events, the best first
    WINS = "wins"
    SPREAD = "spread"


TIE_BREAKS: dict[SeasonRule, tuple[SeparatedBy, ...]] = {
    SeasonRule.PLACES: (SeparatedBy.TOTAL, SeparatedBy.EVENTS, SeparatedBy.WINS, SeparatedBy.SPREAD),
    SeasonRule.WINS: (SeparatedBy.TOTAL, SeparatedBy.SPREAD, SeparatedBy.EVENTS),
    SeasonRule.SPREAD: (SeparatedBy.TOTAL, SeparatedBy.WINS, SeparatedBy.EVENTS),
}
"""What each rule compares, in order; wins and spread are those of the events that count."""


@dataclass(frozen=True, slots=True)
class SeasonCounting:
    """How a season counts. `points`: for the 1st, 2nd … place; places beyond these give none. `best`: how many of a
    player's events count, the best ones; None: all."""

    rule: SeasonRule
    points: tuple[int, ...] = ()
    shared: SharedPlaces = SharedPlaces.EACH
    best: int | None = None


@dataclass(frozen=True, slots=True)
class EventPerformance:
    """What a player achieved in an event: the place in its final ranking (None without one), wins and spread."""

    event: int
    player: PlayerKey
    place: int | None
    half_wins: int
    spread: int


@dataclass(frozen=True, slots=True)
class EventScore:
    """What an event is worth to a player: `value` by the rule, and whether it `counts` among their best."""

    showing: EventPerformance
    value: Fraction
    counts: bool = True


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player's row in the season's table. `scores` are in the order of the events; level players share the `rank`.
    `decided_by`: what separates the row from the one above; None for the first, and for one that is level with it."""

    rank: int
    player: PlayerKey
    total: Fraction
    half_wins: int
    spread: int
    scores: tuple[EventScore, ...]
    decided_by: SeparatedBy | None = None

    def score_in(self, event: int) -> EventScore | None:
        """What an event is worth to the player; None if they did not take part."""
        return next((score for score in self.scores if score.showing.event == event), None)


def table(showings: Iterable[EventPerformance], counting: SeasonCounting) -> tuple[SeasonRow, ...]:
    """Everybody who took part in an event, by rank; level players in the order in which they first appear. Raises
    ValueError for a second showing of a player in the same event."""
    listed = list(showings)
    twice = [pair for pair, count in Counter((each.event, each.player) for each in listed).items() if count > 1]
    if twice:
        raise ValueError(f"more than one showing of a player in an event: {twice}")
    sharing = Counter((each.event, each.place) for each in listed)
    scores: dict[PlayerKey, list[EventScore]] = {}
    for each in listed:
        value = event_worth(each, sharing[each.event, each.place], counting)
        scores.setdefault(each.player, []).append(EventScore(each, value))
    rows = []
    for player, found in scores.items():
        marked = _mark_best_scores(found, counting.best)
        best = [score for score in marked if score.counts]
        total = sum((score.value for score in best), Fraction(0))
        half_wins, spread = sum(each.showing.half_wins for each in best), sum(each.showing.spread for each in best)
        rows.append(SeasonRow(0, player, total, half_wins, spread, marked))
    return _rank_rows(rows, TIE_BREAKS[counting.rule])


def event_worth(showing: EventPerformance, sharing: int, counting: SeasonCounting) -> Fraction:
    """What an event is worth to a player whose place is shared by `sharing` players, themselves included."""
    if counting.rule == SeasonRule.WINS:
        return Fraction(showing.half_wins, 2)
    if counting.rule == SeasonRule.SPREAD:
        return Fraction(showing.spread)
    if showing.place is None:
        return Fraction(0)
    filled = range(showing.place, showing.place + (sharing if counting.shared == SharedPlaces.SPLIT else 1))
    given = [counting.points[place - 1] for place in filled if place <= len(counting.points)]
    return Fraction(sum(given), len(filled))


def _mark_best_scores(scores: Sequence[EventScore], best: int | None) -> tuple[EventScore, ...]:
    """The scores in the order of their events, marked whether they count among the `best`. Of two with equal value the
    one with more wins counts, then the one with more spread, then the earlier."""
    in_order = sorted(scores, key=lambda score: score.showing.event)
    if best is None or len(in_order) <= best:
        return tuple(in_order)
    by_worth = sorted(in_order, key=lambda score: (-score.value, -score.showing.half_wins, -score.showing.spread))
    counted = {score.showing.event for score in by_worth[:best]}
    return tuple(replace(score, counts=score.showing.event in counted) for score in in_order)


def _comparison_figures(row: SeasonRow, criterion: SeparatedBy) -> tuple[Fraction, ...]:
    """What is compared: the greater ranks higher. Events that are worth nothing are left out."""
    if criterion == SeparatedBy.EVENTS:
        values = sorted((score.value for score in row.scores if score.counts), reverse=True)
        return tuple(value for value in values if value)
    if criterion == SeparatedBy.TOTAL:
        return (row.total,)
    return (Fraction(row.half_wins if criterion == SeparatedBy.WINS else row.spread),)


def _rank_rows(rows: Sequence[SeasonRow], criteria: Sequence[SeparatedBy]) -> tuple[SeasonRow, ...]:
    """The rows in order, each with its rank and what separates it from the row above."""

    def figures(row: SeasonRow) -> tuple[tuple[Fraction, ...], ...]:
        return tuple(_comparison_figures(row, criterion) for criterion in criteria)

    found: list[SeasonRow] = []
    above: tuple[tuple[Fraction, ...], ...] | None = None
    for reached, level in groupby(sorted(rows, key=figures, reverse=True), key=figures):
        rank, decided = len(found) + 1, None
        if above is not None:
            pairs = zip(criteria, reached, above, strict=True)
            decided = next(criterion for criterion, own, other in pairs if own != other)
        for row in level:
            found.append(replace(row, rank=rank, decided_by=decided))
            decided = None
        above = reached
    return tuple(found)
