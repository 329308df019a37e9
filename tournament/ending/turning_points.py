"""What an event hung on. A turning point is the smallest change of one score that would have let somebody else win,
come among the first, or win a prize. Pairings are held fixed, as the sentence says. Of a knock-out only what is certain
is told (see `scoring.turning_matches`), and a change in the table only if it leaves the seeding as it was."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from django.core.cache import cache

from scoring import turning_matches, turning_points, turning_records
from scoring.prizes import BEST_PLACED_PRIZES, PrizeKind
from scoring.standings import PlayerKey
from scoring.statistics import StatisticsGame
from scoring.turning_matches import MatchTurningPoint, PlayedKnockout
from scoring.turning_points import (
    BestPlacedQuestion,
    FirstPlacesQuestion,
    GamePlace,
    MorePoints,
    PlayedTable,
    RankingQuestion,
    TurningPoint,
)
from scoring.turning_records import EventCourse, MorePlays
from tournament.core.words.figures import format_score
from tournament.ending.awarded_prizes import find_prize_contenders, list_prizes
from tournament.ending.final_ranking import FinalRanking
from tournament.ending.words import (
    TurningPointNames,
    describe_other_champion,
    describe_other_final_winner,
    describe_other_placing,
    describe_other_prize_winner,
    describe_way_to_final,
    keep_figures_together,
)
from tournament.models import Prize
from tournament.results.league_games import list_division_entries, list_league_games
from tournament.table.statistics import Statistics, load_statistics

TURNING_POINT_CACHE_SECONDS = 86400

TURNING_POINT_PLACES = (2, 3)  # the places after the first that are told of even if there is no prize for them

RECORD_PRIZE_KINDS = tuple(
    kind for kind in PrizeKind if kind not in BEST_PLACED_PRIZES | {PrizeKind.PLACE, PrizeKind.OWN}
)
"""The prizes for what somebody did in games: not for a place, and not the director's choice."""


class TurningTopic(StrEnum):
    """What hung on something."""

    CHAMPION = "champion"
    FINAL = "final"
    THIRD_PLACE = "third_place"
    WAY_TO_FINAL = "way_to_final"
    PLACE = "place"
    PRIZE = "prize"


@dataclass(frozen=True, slots=True)
class NamedTurningPoint:
    """A turning point with the names of its players and games; `prize` if a prize hung on it."""

    topic: TurningTopic
    point: TurningPoint | MatchTurningPoint | MorePlays
    called: TurningPointNames
    prize: Prize | None = None

    @property
    def score(self) -> str:
        """How the game ended that it is about; not of a number of plays."""
        assert not isinstance(self.point, MorePlays)
        return format_score(*self.point.change.score)

    @property
    def game(self) -> str:
        """Which game that is, and whose, in the order of the score."""
        assert not isinstance(self.point, MorePlays)
        return self.called.game(self.point.change)

    @property
    def said(self) -> str:
        """The turning point as a sentence."""
        match self.point:
            case MatchTurningPoint() if self.topic == TurningTopic.WAY_TO_FINAL:
                text = describe_way_to_final(self.point, self.called)
            case MatchTurningPoint():
                is_third = self.topic == TurningTopic.THIRD_PLACE
                text = describe_other_final_winner(self.point, self.called, third_place=is_third)
            case TurningPoint() if self.prize is None:
                describe = describe_other_champion if self.topic == TurningTopic.CHAMPION else describe_other_placing
                text = describe(self.point, self.called)
            case _:
                assert self.prize is not None
                text = describe_other_prize_winner(self.point, self.prize, self.called)
        return keep_figures_together(text)


AnnouncedPrizes = list[tuple[Prize, frozenset[PlayerKey]]]
"""Prizes, each with the ranked players of whom the best wins it."""


def load_turning_points(found: FinalRanking) -> list[NamedTurningPoint]:
    """What the championship, the next places, and the prizes (if public) hung on; empty before the event is over. Nine
    queries; up to two seconds for a large event the first time, then from the cache."""
    if not found.is_final:
        return []
    announced: AnnouncedPrizes = []
    if found.division.prizes_public:
        field = list_division_entries(found.division)
        ranked: set[PlayerKey] = {row.entry.pk for row in found.rows}
        announced = [
            (prize, frozenset(ranked & find_prize_contenders(prize, field))) for prize in list_prizes(found.division)
        ]
    event = _load_played_table(found)
    kinds = tuple(kind for kind in RECORD_PRIZE_KINDS if any(prize.kind == kind for prize, _among in announced))
    for_places = {prize.place for prize, _among in announced if prize.place is not None and prize.place > 1}
    statistics = load_statistics(found.division) if kinds else None
    # The last place asks nothing: everybody has one of the first n places.
    questions = _TurningQuestions(
        event=event,
        played=_build_played_knockout(found, event),
        places=tuple(sorted(place for place in {*TURNING_POINT_PLACES, *for_places} if place < len(found.rows))),
        prizes=tuple(among for prize, among in announced if prize.kind in BEST_PLACED_PRIZES),
        kinds=kinds,
        games=statistics.listed if statistics else (),
        spots=_map_game_spots(statistics) if statistics else {},
    )
    # By what is asked, not by the revision: a photo or a fee that changes must not cost two seconds again.
    key = f"turning-points:{questions.digest}"
    answers: _TurningAnswers | None = cache.get(key)
    if answers is None:
        answers = _work_out_answers(questions)
        cache.set(key, answers, TURNING_POINT_CACHE_SECONDS)
    return _list_turning_points(found, announced, answers)


@dataclass(frozen=True, slots=True)
class _TurningQuestions:
    """All that the answers depend on."""

    event: PlayedTable
    played: PlayedKnockout | None
    places: tuple[int, ...]
    prizes: tuple[frozenset[PlayerKey], ...]  # of each prize for the best placed, who can win it
    kinds: tuple[PrizeKind, ...]  # the prizes for records
    games: tuple[StatisticsGame, ...]  # what these go by
    spots: dict[int | str, GamePlace]  # where each of the games was played

    @property
    def digest(self) -> str:
        """A short text that differs for different results. Sets are sorted, since their order may change."""
        among = [sorted(keys, key=str) for keys in self.prizes]
        played = self.played and self.played.sorted
        # The text of the values and not their `hash`, which differs from process to process, while the cache may be
        # shared.
        text = repr((self.event, played, self.places, among, self.kinds, self.games, list(self.spots.items())))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _TurningAnswers:
    """What each question came to; None where nothing would have changed."""

    final: MatchTurningPoint | None
    third_place: MatchTurningPoint | None
    way: MatchTurningPoint | None
    champion: TurningPoint | None  # of an event without a knock-out
    places: dict[int, TurningPoint | None]
    prizes: dict[frozenset[PlayerKey], TurningPoint | None]
    kinds: dict[PrizeKind, TurningPoint | MorePlays | None]


def _work_out_answers(asked: _TurningQuestions) -> _TurningAnswers:
    played = asked.played
    seeded = frozenset() if played is None else played.seeded
    everybody = BestPlacedQuestion(
        frozenset() if played else frozenset(contestant.key for contestant in asked.event.contestants)
    )
    # Places within the knock-out are settled by its matches, not by the table; so are prizes that a seeded player can
    # win, which are asked below.
    places = [place for place in asked.places if place > len(seeded)]
    by_table = [among for among in asked.prizes if not among & seeded]
    questions: list[RankingQuestion] = [
        everybody,
        *map(FirstPlacesQuestion, places),
        *map(BestPlacedQuestion, by_table),
    ]
    placing = turning_points.places_by_rank if played is None else played.behind
    # One pass for all: each step of a game costs a whole table. With a knock-out the first question is about nobody, so
    # that the answers keep their places.
    first, *others = turning_points.find_table_turning_points(asked.event, questions, placing=placing)
    won = dict(zip(by_table, others[len(places) :], strict=True))
    final = third_place = way = None
    if played is not None:
        final = turning_matches.find_final_change(played)
        third_place = turning_matches.find_third_place_change(played)
        way = turning_matches.find_change_before_final(played)
        for among in asked.prizes:
            if among & seeded:
                won[among] = turning_matches.find_knockout_turning_point(played, BestPlacedQuestion(among))
    course = _build_course(asked)
    return _TurningAnswers(
        final=final,
        third_place=third_place,
        way=way,
        champion=first,
        # Not strict: after the places, `others` goes on with the prizes.
        places=dict(zip(places, others, strict=False)),
        prizes=won,
        kinds={kind: turning_records.find_record_turning_point(kind, asked.games, course) for kind in asked.kinds},
    )


def _build_course(asked: _TurningQuestions) -> EventCourse:
    """Which games would still have been played after a change; in the table, the pairings are held fixed."""
    played = asked.played

    def steps(spot: GamePlace, player: PlayerKey) -> Iterable[int]:
        return () if played is None or spot.place is None else played.steps(spot, player)

    def keeps(change: MorePoints) -> bool:
        if played is None:
            return True
        if change.spot.place is not None:
            return played.keeps_games(change)
        return played.follows_table and played.keeps_seeds(turning_points.apply_change(asked.event, change).table())

    return EventCourse(asked.spots.__getitem__, steps, keeps)


def _list_turning_points(
    found: FinalRanking, announced: AnnouncedPrizes, answers: _TurningAnswers
) -> list[NamedTurningPoint]:
    """The answers in their order; a change that is told of one place is not told again of another."""
    called = TurningPointNames(
        {row.entry.pk: row.entry.name for row in found.rows}, found.knockout.knockout if found.knockout else None
    )
    final, way = answers.final, answers.way
    # The way to the final is told only if less would have been enough there than in the final.
    if way and final and not final.goes_on and way.change.points >= final.change.points:
        way = None
    championship: list[tuple[TurningTopic, TurningPoint | MatchTurningPoint | None]] = [
        (TurningTopic.CHAMPION, answers.champion),
        (TurningTopic.FINAL, final),
        (TurningTopic.WAY_TO_FINAL, way),
        (TurningTopic.THIRD_PLACE, answers.third_place),
    ]
    places_told = [NamedTurningPoint(topic, point, called) for topic, point in championship if point is not None]
    # One score often decides several places: with twelve points more the third would have been second, and the second
    # third.
    changes_told = [answers.champion.change] if answers.champion else []
    for point in answers.places.values():
        if point is not None and point.change not in changes_told:
            changes_told.append(point.change)
            if point.place is not None:
                places_told.append(NamedTurningPoint(TurningTopic.PLACE, point, called))
    for prize, among in announced:
        kind = PrizeKind(prize.kind)
        won = answers.prizes.get(among) if kind in BEST_PLACED_PRIZES else answers.kinds.get(kind)
        if won is not None:
            places_told.append(NamedTurningPoint(TurningTopic.PRIZE, won, called, prize))
    return places_told


def _load_played_table(found: FinalRanking) -> PlayedTable:
    """What the table of the division is worked out from. Three queries."""
    division, tournament = found.division, found.division.tournament
    games = list_league_games(division)
    lots = division.lots.filter(after=max((game.round for game in games), default=0)).order_by("pk")
    return PlayedTable(
        contestants=tuple(row.entry.as_contestant(found.table.after) for row in found.table.rows),
        games=tuple(games),
        ranking=tournament.ranking,
        figures=tournament.awards,
        lots=tuple(tuple(lot.order) for lot in lots),
    )


def _build_played_knockout(found: FinalRanking, event: PlayedTable) -> PlayedKnockout | None:
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
        by_own_criterion=frozenset(state.by_own_criterion),
        places_before=state.places,
        table=event.table(),
    )


def _map_game_spots(statistics: Statistics) -> dict[int | str, GamePlace]:
    """Where each game was played, by its pairing."""
    spots = {}
    for game in statistics.listed:
        round, position = statistics.rounds[game.key], statistics.positions[game.key]
        spots[game.key] = GamePlace(round=round.number)
        if round.stage is not None and round.game is not None and position is not None:
            spots[game.key] = GamePlace(place=(round.stage, position, round.game))
    return spots
