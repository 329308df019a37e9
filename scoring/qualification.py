"""Who qualifies by a season: first whoever does so directly, then by the places that count, then by rating until there
are enough. The figures are in `season.QualifyingRules`; those that stand there unless others are announced are of
the Liga der Champions 2026 of Scrabble Deutschland (announced on 15 June 2024)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.season import EventPerformance, QualifyingRules, SeasonRow
from scoring.standings import PlayerKey


class QualifiedBy(StrEnum):
    """By what somebody qualifies."""

    DIRECT = "direct"  # a place in an event whose first places qualify
    PLACES = "places"  # places that count, by the season's table
    RATING = "rating"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player's rating, None without one, and how many games they have played in all."""

    rating: int | None = None
    games: int = 0


@dataclass(frozen=True, slots=True)
class Qualified:
    """Somebody who qualifies, and by what. `direct`: the performance by which they do so directly. `is_open`: level
    with others where not all of them can qualify, so that somebody has to decide."""

    row: SeasonRow
    by: QualifiedBy
    candidate: Candidate
    direct: EventPerformance | None = None
    is_open: bool = False


def qualify(
    rows: Sequence[SeasonRow], candidates: Mapping[PlayerKey, Candidate], rules: QualifyingRules
) -> tuple[Qualified, ...]:
    """Who qualifies, in order: directly, by places, by rating. `rows` are those of the season's table. Whoever
    qualifies directly is in even if these alone are more than `size`; then nobody else qualifies."""
    direct = {row.player: showing for row in rows if (showing := find_direct_place(row)) is not None}
    first = sorted((row for row in rows if row.player in direct), key=lambda row: _get_order(direct[row.player]))
    qualifiers = [
        Qualified(row, QualifiedBy.DIRECT, candidates.get(row.player, Candidate()), direct[row.player]) for row in first
    ]
    # However few have places that count: without one nobody qualifies by places.
    placed = [row for row in rows if row.total > 0 and row.player not in direct]
    qualifiers += _choose(placed, QualifiedBy.PLACES, candidates, rules.size - len(qualifiers))
    qualified_players = {qualifier.row.player for qualifier in qualifiers}
    rated = [
        row for row in rows if row.player not in qualified_players and may_qualify_by_rating(row, candidates, rules)
    ]
    return (*qualifiers, *_choose(rated, QualifiedBy.RATING, candidates, rules.size - len(qualifiers)))


def find_direct_place(row: SeasonRow) -> EventPerformance | None:
    """The best showing by which a player qualifies directly; None without one."""
    direct_places = [
        score.showing
        for score in row.scores
        if score.showing.place is not None and score.showing.place <= score.showing.field.direct
    ]
    return min(direct_places, key=lambda showing: (showing.place, showing.event), default=None)


def _get_order(showing: EventPerformance) -> tuple[int, int]:
    """The order of those who qualify directly: by event, then by place."""
    return showing.event, showing.place or 0


def may_qualify_by_rating(row: SeasonRow, candidates: Mapping[PlayerKey, Candidate], rules: QualifyingRules) -> bool:
    """Whether a player may qualify by rating."""
    candidate = candidates.get(row.player, Candidate())
    return (
        candidate.rating is not None and candidate.games >= rules.least_games and len(row.scores) >= rules.least_events
    )


def _choose(
    rows: Iterable[SeasonRow], by: QualifiedBy, candidates: Mapping[PlayerKey, Candidate], most: int
) -> list[Qualified]:
    """The first `most` of these rows; if the last of them is level with further ones, those too, all of them marked as
    open."""

    def figures(row: SeasonRow) -> tuple[int, ...]:
        # Of two level in places, and of all others, the higher rating goes first, then more games in all, then more in
        # the season.
        candidate = candidates.get(row.player, Candidate())
        played = sum(score.showing.games for score in row.scores)
        rank = row.rank if by == QualifiedBy.PLACES else 0
        return (rank, -(candidate.rating or 0), -candidate.games, -played)

    if most <= 0:
        return []
    ordered = sorted(rows, key=figures)
    if len(ordered) <= most or figures(ordered[most - 1]) != figures(ordered[most]):
        return [Qualified(row, by, candidates.get(row.player, Candidate())) for row in ordered[:most]]
    level = figures(ordered[most])
    return [
        Qualified(row, by, candidates.get(row.player, Candidate()), is_open=figures(row) == level)
        for row in ordered
        if figures(row) <= level
    ]
