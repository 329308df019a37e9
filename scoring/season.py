"""A season: several events counted together, by the rule that its organiser announces. No rule book has seasons. What
is counted, how many of a player's events count, what players who share a place get, and what separates players with
equal totals is defined here alone. Who qualifies by a season is worked out in `qualification`."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from statistics import median

from scoring.row_ranks import rank_rows
from scoring.standings import PlayerKey


class SeasonRule(StrEnum):
    """What is counted of an event."""

    PLACES = "places"  # points for the place in its final ranking
    WINS = "wins"
    SPREAD = "spread"
    QUALIFYING = "qualifying"  # how often a place was reached by which one qualifies
    MEDIAN = "median"  # points in per cent of the event's median, on average


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
    FIRSTS = "firsts"  # how many of the places that count are first ones
    SECONDS = "seconds"
    THIRDS = "thirds"


TIE_BREAKS: dict[SeasonRule, tuple[SeparatedBy, ...]] = {
    SeasonRule.PLACES: (SeparatedBy.TOTAL, SeparatedBy.EVENTS, SeparatedBy.WINS, SeparatedBy.SPREAD),
    SeasonRule.WINS: (SeparatedBy.TOTAL, SeparatedBy.SPREAD, SeparatedBy.EVENTS),
    SeasonRule.SPREAD: (SeparatedBy.TOTAL, SeparatedBy.WINS, SeparatedBy.EVENTS),
    SeasonRule.QUALIFYING: (SeparatedBy.TOTAL, SeparatedBy.FIRSTS, SeparatedBy.SECONDS, SeparatedBy.THIRDS),
    SeasonRule.MEDIAN: (SeparatedBy.TOTAL, SeparatedBy.EVENTS),
}
"""What each rule compares, in order; wins and spread are those of the events that count."""

PLACES_COMPARED = {SeparatedBy.FIRSTS: 1, SeparatedBy.SECONDS: 2, SeparatedBy.THIRDS: 3}


@dataclass(frozen=True, slots=True)
class QualifyingRules:
    """Which places count for qualification, and who qualifies. `tiers`: how many players an event needs for its first,
    second … place to count. `division_places`: in an event of several divisions, each with at least `division_players`,
    how many places of the top one, the next one … count. `size`: how many qualify. Whoever qualifies by rating must
    have played at least `least_games` in all and `least_events` of the season. Raises ValueError for figures below
    zero."""

    tiers: tuple[int, ...] = (16, 16, 48)
    division_places: tuple[int, ...] = (2, 1)
    division_players: int = 11
    size: int = 24
    least_games: int = 100
    least_events: int = 2

    def __post_init__(self) -> None:
        figures = (*self.tiers, *self.division_places, self.division_players)
        if min(*figures, self.size, self.least_games, self.least_events) < 0:
            raise ValueError(f"figures below zero: {self}")


@dataclass(frozen=True, slots=True)
class EventField:
    """How many took part in each division of an event, from the top down; which division is meant (0: the top one); and
    how many of its first places qualify directly."""

    sizes: tuple[int, ...]
    division: int = 0
    direct: int = 0


def is_qualifying_place(place: int | None, field: EventField, rules: QualifyingRules) -> bool:
    """Whether a place counts for qualification. One by which somebody qualifies directly does not."""
    if place is None or place <= field.direct:
        return False
    # An event with one division is an open one.
    if len(field.sizes) == 1:
        return place <= len(rules.tiers) and field.sizes[0] >= rules.tiers[place - 1]
    if field.division >= len(rules.division_places) or min(field.sizes) < rules.division_players:
        return False
    return place <= rules.division_places[field.division]


@dataclass(frozen=True, slots=True)
class SeasonCounting:
    """How a season counts. `points`: for the 1st, 2nd … place; further places give none. `best`: how many of a player's
    events count, the best ones; None: all. Players who have played in fewer events than `least`, or in a smaller share
    of them than `least_percent`, are not listed; while there have been fewer than `least` events, all of them are
    needed."""

    rule: SeasonRule
    points: tuple[int, ...] = ()
    shared: SharedPlaces = SharedPlaces.EACH
    best: int | None = None
    least: int = 0
    least_percent: int = 0
    qualifying: QualifyingRules = QualifyingRules()

    def count_required_events(self, events: int) -> int:
        """How many of `events` events a player must have played in to be listed."""
        # Rounded up, in whole numbers: 33 % of eleven events are four (NTSV, house rules 5.7).
        return min(events, max(self.least, -(-self.least_percent * events // 100)))


@dataclass(frozen=True, slots=True)
class EventPerformance:
    """What a player achieved in an event: the place in its final ranking (None without one), wins, spread, points, and
    how many games it took. `field`: who took part, where places qualify."""

    event: int
    player: PlayerKey
    place: int | None
    half_wins: int
    spread: int
    points: int = 0
    games: int = 0
    field: EventField = EventField((0,))


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

    def count_places(self, place: int) -> int:
        """In how many of the events that count the player came to this place."""
        return sum(score.counts and score.showing.place == place for score in self.scores)

    def score_in(self, event: int) -> EventScore | None:
        """What an event is worth to the player; None if they did not take part."""
        return next((score for score in self.scores if score.showing.event == event), None)


def table(showings: Iterable[EventPerformance], counting: SeasonCounting) -> tuple[SeasonRow, ...]:
    """Everybody who took part in an event, or in as many as the rule asks for, by rank; level players in the order in
    which they first appear. Raises ValueError for a second showing of a player in the same event."""
    listed = list(showings)
    twice = [
        pair for pair, count in Counter((showing.event, showing.player) for showing in listed).items() if count > 1
    ]
    if twice:
        raise ValueError(f"more than one showing of a player in an event: {twice}")
    sharing = Counter((showing.event, showing.place) for showing in listed)
    # The median of the points of those who scored any, for each event.
    points: dict[int, list[int]] = {}
    for showing in listed:
        points.setdefault(showing.event, []).extend([showing.points] if showing.points > 0 else [])
    medians = {
        event: Fraction(median(event_points)) if event_points else Fraction(0) for event, event_points in points.items()
    }
    scores: dict[PlayerKey, list[EventScore]] = {}
    for placing in listed:
        value = event_worth(
            placing, sharing[placing.event, placing.place], counting, median_points=medians[placing.event]
        )
        scores.setdefault(placing.player, []).append(EventScore(placing, value))
    required = counting.count_required_events(len(medians))
    rows = [
        _make_row(player, player_scores, counting)
        for player, player_scores in scores.items()
        if len(player_scores) >= required
    ]
    criteria = TIE_BREAKS[counting.rule]

    def get_figures(row: SeasonRow) -> tuple[tuple[Fraction, ...], ...]:
        return tuple(_comparison_figures(row, criterion) for criterion in criteria)

    return rank_rows(rows, get_figures, criteria)


def _make_row(player: PlayerKey, scores: Sequence[EventScore], counting: SeasonCounting) -> SeasonRow:
    """A player's row without a rank."""
    if counting.rule == SeasonRule.QUALIFYING:
        in_order = sorted(scores, key=lambda score: score.showing.event)
        # Every place that qualifies counts: `best` limits the other rules only.
        marked = tuple(replace(score, counts=score.value > 0) for score in in_order)
    else:
        marked = _mark_best_scores(scores, counting.best)
    best = [score for score in marked if score.counts]
    total = sum((score.value for score in best), Fraction(0))
    if counting.rule == SeasonRule.MEDIAN:
        total /= len(best)
    half_wins, spread = sum(score.showing.half_wins for score in best), sum(score.showing.spread for score in best)
    return SeasonRow(0, player, total, half_wins, spread, marked)


def event_worth(
    showing: EventPerformance, sharing: int, counting: SeasonCounting, median_points: Fraction = Fraction(0)
) -> Fraction:
    """What an event is worth to a player whose place is shared by `sharing` players, themselves included."""
    if counting.rule == SeasonRule.QUALIFYING:
        return Fraction(is_qualifying_place(showing.place, showing.field, counting.qualifying))
    if counting.rule == SeasonRule.MEDIAN:
        return 100 * showing.points / median_points if median_points else Fraction(0)
    if counting.rule == SeasonRule.WINS:
        return Fraction(showing.half_wins, 2)
    if counting.rule == SeasonRule.SPREAD:
        return Fraction(showing.spread)
    if showing.place is None:
        return Fraction(0)
    filled = range(showing.place, showing.place + (sharing if counting.shared == SharedPlaces.SPLIT else 1))
    place_points = [counting.points[place - 1] for place in filled if place <= len(counting.points)]
    # By all the places that they fill: two who share the last place with points get half of these each.
    return Fraction(sum(place_points), len(filled))


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
        # An event worth nothing would otherwise part two who are level: (5, 0) is more than (5,).
        return tuple(value for value in values if value)
    if criterion == SeparatedBy.TOTAL:
        return (row.total,)
    if criterion in PLACES_COMPARED:
        return (Fraction(row.count_places(PLACES_COMPARED[criterion])),)
    return (Fraction(row.half_wins if criterion == SeparatedBy.WINS else row.spread),)
