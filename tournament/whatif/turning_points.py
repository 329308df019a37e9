"""What a division's event hung on: the smallest change of one score that would have made somebody else win, or come
among the first.

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
from scoring.turning_points import Best, Event, First, TurningPoint
from tournament.models import Prize
from tournament.queries import final, league
from tournament.queries.final import FinalRanking
from tournament.words import turning_points as words

KEPT_SECONDS = 86400

PLACES = (2, 3)
"""The places after the first that are told of."""


@dataclass(frozen=True, slots=True)
class HungOn:
    """A turning point of the championship, of a `place` after the first, or of a `prize`, with the names of those whom
    it is about."""

    point: TurningPoint
    names: Mapping[Key, str]
    prize: Prize | None = None
    place: int = 1
    alone: bool = False
    """Whether somebody would have won alone who shares the first place."""

    @property
    def said(self) -> str:
        """It in a sentence."""
        return words.sentence(self.point, self.names, self.prize, place=self.place, alone=self.alone)


def of(found: FinalRanking) -> list[HungOn]:
    """What the championship hung on, the places after the first, and each prize for the best of some players.

    Of prizes only if they are public. Nothing before the event is over, without games, and with a knock-out. Six
    queries; up to two seconds for each the first time, then from the cache.
    """
    if not found.is_final or found.knockout is not None:
        return []
    event = _event(found)
    names: dict[Key, str] = {row.entry.pk: row.entry.name for row in found.rows}
    told = _won(event, names, names.keys())
    told += _places(event, names, told)
    if found.division.prizes_public:
        told += [each for prize, among in _prizes(found) if among for each in _won(event, names, among, prize)]
    return told


def _won(event: Event, names: Mapping[Key, str], among: Collection[Key], prize: Prize | None = None) -> list[HungOn]:
    """What the championship, or a prize for the best of some players, hung on."""
    question = Best(frozenset(among))
    point = _smallest(event, question)
    if point is None:
        return []
    return [HungOn(point, names, prize, alone=point.winners < question.winners(event.table()))]


def _places(event: Event, names: Mapping[Key, str], told: list[HungOn]) -> list[HungOn]:
    """Who else would have come to a place after the first, and by what, unless that has been told of a better place."""
    known = [each.point for each in told]
    found = []
    for places in PLACES:
        point = _smallest(event, First(places)) if places < len(names) else None
        if point is None or any(_is_same_change(point, each) for each in known):
            continue
        known.append(point)
        table = turning_points.event_with(event, point.game, point.player, point.points).table()
        ranks = {row.rank for row in table if row.player in point.winners}
        if len(ranks) == 1 and (place := ranks.pop()) is not None:
            found.append(HungOn(point, names, place=place))
    return found


def _is_same_change(one: TurningPoint, other: TurningPoint) -> bool:
    return (one.game, one.player, one.points) == (other.game, other.player, other.points)


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


def _smallest(event: Event, question: Best | First) -> TurningPoint | None:
    """As `scoring.turning_points.smallest`, kept for whoever asks again about the same results."""
    about = question.places if isinstance(question, First) else sorted(question.among, key=str)
    asked = repr((event, about))
    key = f"turning-point:{hashlib.sha256(asked.encode()).hexdigest()}"
    kept: tuple[TurningPoint | None] | None = cache.get(key)
    if kept is None:
        kept = (turning_points.smallest(event, question),)
        cache.set(key, kept, KEPT_SECONDS)
    return kept[0]
