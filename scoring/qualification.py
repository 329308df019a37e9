"""Who qualifies by a season: first whoever does so directly, then by the places that count, then by rating until all
seats are taken. The figures are in `season.QualifyingRules`; those that stand there unless others are announced are of
the Liga der Champions 2026 of Scrabble Deutschland (announced on 15 June 2024)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.season import EventPerformance, QualifyingRules, SeasonRow
from scoring.standings import PlayerKey


class QualifiedBy(StrEnum):
    """What brings somebody a seat."""

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
    with others for seats that are too few for all of them, so that somebody has to decide."""

    row: SeasonRow
    by: QualifiedBy
    candidate: Candidate
    direct: EventPerformance | None = None
    is_open: bool = False


def qualify(
    rows: Sequence[SeasonRow], candidates: Mapping[PlayerKey, Candidate], rules: QualifyingRules
) -> tuple[Qualified, ...]:
    """Who qualifies, in order: directly, by places, by rating. `rows` are those of the season's table. Direct seats are
    never too few: if they are more than there are seats, nobody else qualifies."""
    direct = {row.player: found for row in rows if (found := find_direct_place(row)) is not None}
    seated = [
        Qualified(row, QualifiedBy.DIRECT, candidates.get(row.player, Candidate()), direct[row.player])
        for row in rows
        if row.player in direct
    ]
    placed = [row for row in rows if row.total > 0 and row.player not in direct]
    seated += _seat(placed, QualifiedBy.PLACES, candidates, rules.seats - len(seated))
    taken = {each.row.player for each in seated}
    rated = [row for row in rows if row.player not in taken and may_fill_seat(row, candidates, rules)]
    rest = rules.seats - len(seated)
    return (*seated, *_seat(rated, QualifiedBy.RATING, candidates, rest))


def find_direct_place(row: SeasonRow) -> EventPerformance | None:
    """The best showing by which a player qualifies directly; None without one."""
    found = [
        score.showing
        for score in row.scores
        if score.showing.place is not None and score.showing.place <= score.showing.field.direct
    ]
    return min(found, key=lambda showing: (showing.place, showing.event), default=None)


def may_fill_seat(row: SeasonRow, candidates: Mapping[PlayerKey, Candidate], rules: QualifyingRules) -> bool:
    """Whether a player may qualify by rating."""
    known = candidates.get(row.player, Candidate())
    return known.rating is not None and known.games >= rules.least_games and len(row.scores) >= rules.least_events


def _seat(
    rows: Iterable[SeasonRow], by: QualifiedBy, candidates: Mapping[PlayerKey, Candidate], seats: int
) -> list[Qualified]:
    """The first of these, as many as there are seats; with those who are level with the last of them, open."""

    def figures(row: SeasonRow) -> tuple[int, ...]:
        # Of two level in places, and of all others, the higher rating goes first, then more games in all, then more in
        # the season.
        known = candidates.get(row.player, Candidate())
        played = sum(score.showing.games for score in row.scores)
        rank = row.rank if by == QualifiedBy.PLACES else 0
        return (rank, -(known.rating or 0), -known.games, -played)

    if seats <= 0:
        return []
    ordered = sorted(rows, key=figures)
    if len(ordered) <= seats or figures(ordered[seats - 1]) != figures(ordered[seats]):
        return [Qualified(row, by, candidates.get(row.player, Candidate())) for row in ordered[:seats]]
    level = figures(ordered[seats])
    return [
        Qualified(row, by, candidates.get(row.player, Candidate()), is_open=figures(row) == level)
        for row in ordered
        if figures(row) <= level
    ]
