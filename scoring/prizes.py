"""Prizes that an organiser announces, and who wins them: by the final ranking, by a record, or as the director says.
Players who are level win together."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring import statistics
from scoring.final_ranking import FinalPlace
from scoring.standings import PlayerKey
from scoring.statistics import Feat, Record


class PrizeKind(StrEnum):
    """What a prize is for. One with the name of a record goes to whoever holds that record."""

    PLACE = "place"
    NEWCOMER = "newcomer"
    CLUB = "club"
    RATING_CLASS = "rating_class"
    HIGHEST_GAME = statistics.RecordKind.HIGHEST_GAME.value
    HIGHEST_LOSING_SCORE = statistics.RecordKind.HIGHEST_LOSING_SCORE.value
    BIGGEST_WIN = statistics.RecordKind.BIGGEST_WIN.value
    BEST_AVERAGE = statistics.RecordKind.BEST_AVERAGE.value
    BEST_MOVE = statistics.RecordKind.BEST_MOVE.value
    MOST_BINGOS = statistics.RecordKind.MOST_BINGOS.value
    BIGGEST_UPSET = "biggest_upset"
    OWN = "own"


BEST_PLACED_PRIZES = frozenset({PrizeKind.NEWCOMER, PrizeKind.CLUB, PrizeKind.RATING_CLASS})
"""Prizes for the best placed among some of the players."""

PRIZE_RECORDS: Mapping[PrizeKind, statistics.RecordKind] = {
    kind: statistics.RecordKind(kind.value) for kind in PrizeKind if kind.value in set(statistics.RecordKind)
}
"""The record that a prize is for."""


@dataclass(frozen=True, slots=True)
class Winner:
    """Who wins a prize, and by what: a place in the final ranking, or a feat; neither if the director named them."""

    player: PlayerKey
    place: int | None = None
    feat: Feat | None = None


@dataclass(frozen=True, slots=True)
class PrizeResults:
    """What prizes are won by: the final ranking, records and upsets of an event."""

    ranking: Sequence[FinalPlace]
    records: Iterable[Record]
    upsets: Sequence[Feat]


def winners(
    kind: PrizeKind,
    results: PrizeResults,
    *,
    place: int | None = None,
    among: Collection[PlayerKey] = (),
    named: PlayerKey | None = None,
) -> tuple[Winner, ...]:
    """Who wins a prize; nobody as long as that is open. `place`: the place that a prize of kind `PLACE` is for;
    `among`: the players that a prize for the best of some is for; `named`: the winner of a prize of kind `OWN`, as the
    director says."""
    if kind == PrizeKind.PLACE:
        # A prize without a place must not go to those who have none.
        rows = [row for row in results.ranking if row.place is not None and row.place == place]
        return tuple(Winner(row.player, place=row.place) for row in rows)
    if kind in BEST_PLACED_PRIZES:
        rows = [row for row in results.ranking if row.player in among]
        if any(row.by is None for row in rows):
            return ()  # one of them has a match to play, and may still come to a better place
        best = min((row.place for row in rows if row.place is not None), default=None)
        return tuple(Winner(row.player, place=best) for row in rows if best is not None and row.place == best)
    if kind in PRIZE_RECORDS:
        held = (record.feats for record in results.records if record.kind == PRIZE_RECORDS[kind])
        return _winners_by_feat(next(held, ()))
    if kind == PrizeKind.BIGGEST_UPSET:
        # Where there are no upsets nobody asks for the first of them: the condition runs for each one only.
        return _winners_by_feat(feat for feat in results.upsets if feat.value == results.upsets[0].value)
    return () if named is None else (Winner(named),)


def _winners_by_feat(feats: Iterable[Feat]) -> tuple[Winner, ...]:
    """Each player once, by the first of their feats: whoever did it twice wins once."""
    first: dict[PlayerKey, Feat] = {}
    for feat in feats:
        first.setdefault(feat.player, feat)
    return tuple(Winner(player, feat=feat) for player, feat in first.items())
