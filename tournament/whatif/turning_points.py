"""What a division's event hung on: the smallest change of one score that would have made somebody else win.

Worked out from the official results of the table, once for the same results. Pairings stay as they were, although later
rounds would have been paired otherwise; the sentence says so. With a knock-out nothing is said: who gets into it, and
meets whom there, hangs on the table.
"""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.core.cache import cache

from scoring import turning_points
from scoring.prizes import BEST_OF, PrizeKind
from scoring.standings import Contestant, Key
from scoring.turning_points import Event, TurningPoint
from tournament.models import Prize
from tournament.queries import final, league
from tournament.queries.final import FinalRanking

KEPT_SECONDS = 86400


@dataclass(frozen=True, slots=True)
class HungOn:
    """A turning point of the championship, or of a `prize`, with the names of those whom it is about."""

    point: TurningPoint
    names: Mapping[Key, str]
    prize: Prize | None = None
    alone: bool = False
    """Whether somebody would have won alone who shares the first place."""


def of(found: FinalRanking) -> list[HungOn]:
    """What the championship hung on, and each prize for the best of some players, if the prizes are public.

    Nothing before the event is over, without games, and with a knock-out. Six queries; up to two seconds for each the
    first time, then from the cache.
    """
    if not found.is_final or found.knockout is not None:
        return []
    event = _event(found)
    names: dict[Key, str] = {row.entry.pk: row.entry.name for row in found.rows}
    asked: list[tuple[Prize | None, Collection[Key]]] = [(None, names.keys())]
    if found.division.prizes_public:
        asked += [(prize, among) for prize, among in _prizes(found) if among]
    points = ((prize, among, _smallest(event, frozenset(among))) for prize, among in asked)
    return [
        HungOn(point, names, prize, alone=point.winners < event.winners(among))
        for prize, among, point in points
        if point is not None
    ]


def _event(found: FinalRanking) -> Event:
    """What the table of the division is worked out from. Three queries."""
    division, tournament = found.division, found.division.tournament
    games = league.games(division)
    lots = division.lots.filter(after=max((game.round for game in games), default=0)).order_by("pk")
    return Event(
        contestants=tuple(Contestant(row.entry.pk, withdrawn=row.entry.is_withdrawn) for row in found.rows),
        games=tuple(games),
        ranking=tournament.ranking,
        figures=tournament.awards,
        lots=tuple(tuple(lot.order) for lot in lots),
    )


def _prizes(found: FinalRanking) -> list[tuple[Prize, set[Key]]]:
    """The prizes for the best of some players, each with these. Two queries."""
    field = league.entries(found.division)
    ranked: set[Key] = {row.entry.pk for row in found.rows}
    announced = (prize for prize in final.announced(found.division) if PrizeKind(prize.kind) in BEST_OF)
    return [(prize, ranked.intersection(final.competing(prize, field))) for prize in announced]


def _smallest(event: Event, among: frozenset[Key]) -> TurningPoint | None:
    """As `scoring.turning_points.smallest`, kept for whoever asks again about the same results."""
    asked = repr((event, sorted(among, key=str)))
    key = f"turning-point:{hashlib.sha256(asked.encode()).hexdigest()}"
    kept: tuple[TurningPoint | None] | None = cache.get(key)
    if kept is None:
        kept = (turning_points.smallest(event, among),)
        cache.set(key, kept, KEPT_SECONDS)
    return kept[0]
