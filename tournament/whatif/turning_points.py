"""What a division's event hung on: the smallest change of one score that would have made somebody else win, come among
the first, or win a prize.

Worked out from the official results, once for the same results. Pairings stay as they were, although later rounds would
have been paired otherwise; the sentence says so. Of a knock-out only what is certain is told: `scoring.turning_matches`
says what, and a change in the table only as long as the same players would have been seeded in the same order. A prize
that the director gives hangs on nothing that could be worked out.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from django.core.cache import cache

from scoring import turning_matches, turning_points, turning_records
from scoring.awards import Awards
from scoring.prizes import BEST_OF, PrizeKind
from scoring.standings import Contestant, Key
from scoring.statistics import Game
from scoring.statistics import Key as StatisticsKey
from scoring.turning_matches import Otherwise, PlayedKnockout
from scoring.turning_points import Best, First, MorePoints, PlayedTable, RankingQuestion, Spot, TurningPoint
from scoring.turning_records import Course, MorePlays
from tournament.models import Prize
from tournament.queries import final, league, statistics
from tournament.queries.final import FinalRanking
from tournament.queries.statistics import Statistics
from tournament.words import round_names
from tournament.words import turning_points as words
from tournament.words.turning_points import Called

KEPT_SECONDS = 86400

PLACES = (2, 3)
"""The places after the first that are told of, also where there is no prize for them."""

BY_RECORD = tuple(kind for kind in PrizeKind if kind not in BEST_OF | {PrizeKind.PLACE, PrizeKind.OWN})
"""The prizes that go by what somebody did in games, not by a place, nor as the director says."""


class TurningTopic(StrEnum):
    """What it is that hung on something."""

    CHAMPION = "champion"
    FINAL = "final"
    THIRD_PLACE = "third_place"
    WAY_TO_FINAL = "way_to_final"
    PLACE = "place"
    PRIZE = "prize"


@dataclass(frozen=True, slots=True)
class HungOn:
    """A turning point, of a `prize` or what else it is about, with what players and games are called."""

    topic: TurningTopic
    point: TurningPoint | Otherwise | MorePlays
    called: Called
    prize: Prize | None = None

    @property
    def said(self) -> str:
        """It in a sentence."""
        return words.kept_together(self._sentence())

    def _sentence(self) -> str:
        match self.point:
            case Otherwise() if self.topic == TurningTopic.WAY_TO_FINAL:
                return words.way(self.point, self.called)
            case Otherwise():
                return words.final(self.point, self.called, third_place=self.topic == TurningTopic.THIRD_PLACE)
            case TurningPoint() if self.prize is None:
                tells = words.won if self.topic == TurningTopic.CHAMPION else words.placed
                return tells(self.point, self.called)
        assert self.prize is not None
        return words.prize(self.point, self.prize, self.called)


def of(found: FinalRanking) -> list[HungOn]:
    """What the championship hung on, the places after the first, and the prizes, in this order.

    Of prizes only if they are public. Nothing before the event is over, and without games. Nine queries; up to two
    seconds for a large event the first time, then from the cache.
    """
    if not found.is_final:
        return []
    announced = _prizes(found) if found.division.prizes_public else []
    return _told(found, announced, _kept(_asked(found, announced)))


Announced = list[tuple[Prize, frozenset[Key]]]
"""Prizes, each with those for the best of whom it is; nobody where it is for something else."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """All that the answers are worked out from. `places`: those that are asked about; `prizes`: whom each prize for the
    best of some players is for; `kinds`: of the other prizes; `games` and `spots`: what these go by, and where each was
    played."""

    event: PlayedTable
    played: PlayedKnockout | None
    places: tuple[int, ...]
    prizes: tuple[frozenset[Key], ...]
    kinds: tuple[PrizeKind, ...]
    games: tuple[Game, ...]
    spots: dict[StatisticsKey, Spot]

    @property
    def digest(self) -> str:
        """A short text that is another for other results."""
        prizes = [sorted(among, key=str) for among in self.prizes]
        played = self.played and self.played.sorted
        asked = repr((self.event, played, self.places, prizes, self.kinds, self.games, list(self.spots.items())))
        return hashlib.sha256(asked.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Answers:
    """What came of it: of the knock-out; by the table, of the championship without one and of each place; of each prize
    for the best of some players; of each other kind of prize."""

    final: Otherwise | None
    third_place: Otherwise | None
    way: Otherwise | None
    champion: TurningPoint | None
    places: dict[int, TurningPoint | None]
    prizes: dict[frozenset[Key], TurningPoint | None]
    kinds: dict[PrizeKind, TurningPoint | MorePlays | None]


def _kept(asked: _Asked) -> _Answers:
    """The answers, kept for whoever asks again about the same results."""
    key = f"turning-points:{asked.digest}"
    kept: _Answers | None = cache.get(key)
    if kept is None:
        kept = _answers(asked)
        cache.set(key, kept, KEPT_SECONDS)
    return kept


def _answers(asked: _Asked) -> _Answers:
    played = asked.played
    seeded = frozenset() if played is None else played.seeded
    everybody = Best(frozenset() if played else frozenset(each.key for each in asked.event.contestants))
    places = [place for place in asked.places if place > len(seeded)]
    by_table = [among for among in asked.prizes if not among & seeded]
    questions: list[RankingQuestion] = [everybody, *map(First, places), *map(Best, by_table)]
    placing = turning_points.by_rank if played is None else played.behind
    first, *others = turning_points.smallest(asked.event, questions, placing=placing)
    prizes = dict(zip(by_table, others[len(places) :], strict=True))
    if played is not None:
        within = [among for among in asked.prizes if among & seeded]
        prizes |= {among: turning_matches.smallest(played, Best(among)) for among in within}
    return _Answers(
        final=None if played is None else turning_matches.of_final(played),
        third_place=None if played is None else turning_matches.of_third_place(played),
        way=None if played is None else turning_matches.of_the_way(played),
        champion=first,
        places=dict(zip(places, others, strict=False)),
        prizes=prizes,
        kinds={kind: turning_records.smallest(kind, asked.games, _course(asked)) for kind in asked.kinds},
    )


def _course(asked: _Asked) -> Course:
    """What games would have been played after a change. In the table it is the pairings that are held fixed."""
    played = asked.played

    def steps(spot: Spot, player: Key) -> Iterable[int]:
        return () if played is None or spot.place is None else played.steps(spot, player)

    def keeps(change: MorePoints) -> bool:
        if played is None:
            return True
        if change.spot.place is not None:
            return played.keeps_games(change)
        return played.follows_table and played.keeps_seeds(turning_points.with_change(asked.event, change).table())

    return Course(asked.spots.__getitem__, steps, keeps)


def _told(found: FinalRanking, announced: Announced, answers: _Answers) -> list[HungOn]:
    """The answers in their order, no change told twice of places."""
    called = _called(found)
    told = [HungOn(topic, point, called) for topic, point in _first(answers) if point is not None]
    known = [answers.champion.change] if answers.champion else []
    for point in answers.places.values():
        if point is not None and point.change not in known:
            known.append(point.change)
            if point.place is not None:
                told.append(HungOn(TurningTopic.PLACE, point, called))
    for prize, among in announced:
        won = answers.prizes.get(among) if prize.kind in BEST_OF else answers.kinds.get(PrizeKind(prize.kind))
        if won is not None:
            told.append(HungOn(TurningTopic.PRIZE, won, called, prize))
    return told


def _first(answers: _Answers) -> list[tuple[TurningTopic, TurningPoint | Otherwise | None]]:
    """The championship; the champion's way to the final where less than in the final would have been enough."""
    final, way = answers.final, answers.way
    is_less = way and (final is None or final.goes_on or way.change.points < final.change.points)
    return [
        (TurningTopic.CHAMPION, answers.champion),
        (TurningTopic.FINAL, final),
        (TurningTopic.WAY_TO_FINAL, way if is_less else None),
        (TurningTopic.THIRD_PLACE, answers.third_place),
    ]


def _called(found: FinalRanking) -> Called:
    state = found.knockout

    def game(place: tuple[int, int, int]) -> str:
        assert state is not None
        return round_names.game_name(state.knockout, *place)

    return Called({row.entry.pk: row.entry.name for row in found.rows}, game)


def _asked(found: FinalRanking, announced: Announced) -> _Asked:
    """What is asked of a division. Seven queries."""
    event = _event(found)
    kinds = tuple(kind for kind in BY_RECORD if any(prize.kind == kind for prize, _among in announced))
    for_places = {prize.place for prize, _among in announced if prize.place is not None and prize.place > 1}
    stood_out = statistics.of(found.division) if kinds else None
    return _Asked(
        event=event,
        played=_played(found, event),
        places=tuple(sorted(place for place in {*PLACES, *for_places} if place < len(found.rows))),
        prizes=tuple(among for prize, among in announced if prize.kind in BEST_OF),
        kinds=kinds,
        games=stood_out.listed if stood_out else (),
        spots=_spots(stood_out) if stood_out else {},
    )


def _event(found: FinalRanking) -> PlayedTable:
    """What the table of the division is worked out from. Three queries."""
    division, tournament = found.division, found.division.tournament
    games = league.games(division)
    lots = division.lots.filter(after=max((game.round for game in games), default=0)).order_by("pk")
    figures: Awards = tournament.awards
    return PlayedTable(
        contestants=tuple(Contestant(row.entry.pk, withdrawn=row.entry.is_withdrawn) for row in found.table.rows),
        games=tuple(games),
        ranking=tournament.ranking,
        figures=figures,
        lots=tuple(tuple(lot.order) for lot in lots),
    )


def _played(found: FinalRanking, event: PlayedTable) -> PlayedKnockout | None:
    """The knock-out, once it is seeded."""
    state = found.knockout
    if state is None or not state.entries:
        return None
    return PlayedKnockout(
        seeds=state.bracket.seeds,
        rules=state.bracket.rules,
        games={place: tuple(games) for place, games in state.games.items()},
        lots=state.lots,
        not_recorded={place: frozenset(facts) for place, facts in state.not_recorded.items()},
        table=event.table(),
    )


def _prizes(found: FinalRanking) -> Announced:
    """The prizes, each with those for the best of whom it is. Two queries."""
    field = league.entries(found.division)
    ranked: set[Key] = {row.entry.pk for row in found.rows}
    announced = final.announced(found.division)
    return [
        (prize, frozenset(ranked.intersection(final.competing(prize, field))) if prize.kind in BEST_OF else frozenset())
        for prize in announced
    ]


def _spots(stood_out: Statistics) -> dict[StatisticsKey, Spot]:
    """Where each game was played, by its pairing."""
    found = {}
    for game in stood_out.listed:
        round, table = stood_out.rounds[game.key], stood_out.tables[game.key]
        found[game.key] = Spot(round=round.number)
        if round.stage is not None and round.game is not None and table is not None:
            found[game.key] = Spot(place=(round.stage, table, round.game))
    return found
