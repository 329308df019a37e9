"""The final ranking of a division, who wins its prizes, and what its event hung on. A turning point is the smallest
change of one score that would have let somebody else win, come among the first, or win a prize. Pairings are held
fixed, as the sentence says. Of a knock-out only what is certain is told (see `scoring.turning_matches`), and a change
in the table only if it leaves the seeding as it was."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.core.cache import cache

from scoring import final_ranking, standings, turning_matches, turning_points, turning_records
from scoring.final_ranking import FinalPlace
from scoring.prizes import BEST_PLACED_PRIZES, PrizeKind, PrizeResults, Winner, winners
from scoring.standings import Contestant, PlayerKey
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
from tournament.core.public_view import list_hidden_rounds
from tournament.core.words.figures import format_score
from tournament.ending.words import (
    TurningPointNames,
    describe_event_form,
    describe_other_champion,
    describe_other_final_winner,
    describe_other_placing,
    describe_other_prize_winner,
    describe_place_order,
    describe_way_to_final,
    describe_winning_feat,
    keep_figures_together,
)
from tournament.models import Division, Entry, Prize
from tournament.models.event import prefetch_entries
from tournament.results.knockout_state import (
    KnockoutState,
    list_division_entries,
    list_league_games,
    load_knockout_state,
)
from tournament.table.league import LeagueTable, RoundProgress, count_planned_rounds, list_league_rounds, load_table
from tournament.table.queries import Statistics, load_statistics
from tournament.table.words import describe_criteria_order

# The final ranking and the winners of prizes.


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A row of the final ranking with its player."""

    ranked: FinalPlace
    entry: Entry
    standing: standings.Standing | None = None  # the player's row of the table, if there is one
    above: standings.Standing | None = None  # the row above it in the table, if it is also the one above in the ranking


@dataclass(frozen=True, slots=True)
class FinalRanking:
    """The final ranking of a division as it stands, with the knock-out and the table that it comes from."""

    division: Division
    rows: tuple[FinalRow, ...]
    table: LeagueTable
    knockout: KnockoutState | None
    rounds: int  # how many are public
    is_complete: bool  # all planned rounds and the knock-out are played
    is_held: bool = False  # the reader may not see all of it yet

    @property
    def announced(self) -> tuple[str, str]:
        """In which form the event is played, and how the places come about, as sentences."""
        knockout, rules = self.knockout.knockout if self.knockout else None, self.division.tournament.rules
        criteria = describe_criteria_order(self.table.ranking, rules)
        return describe_event_form(self.rounds, knockout, rules), describe_place_order(knockout, criteria)

    @property
    def is_final(self) -> bool:
        """Whether nothing more is to come: everything is played, or the director has ended an event that had begun."""
        begun = self.rounds > 0 or (self.knockout is not None and bool(self.knockout.entries))
        return not self.is_held and (self.is_complete or (begun and self.division.tournament.is_ended))


KEPT_SECONDS = 86400


def find_winners(divisions: Iterable[Division]) -> dict[int, list[str]]:
    """Who won each of these divisions, by its primary key; nobody where the ranking is not final or not seen by all.
    Kept until the tournament's next change: seven queries for a division not kept, twelve with a knock-out."""
    found = {}
    for division in divisions:
        key = f"winners:{division.pk}:{division.tournament.revision}"
        names: list[str] | None = cache.get(key)
        if names is None:
            ranking = load_final_ranking(division)
            names = [row.entry.name for row in ranking.rows if row.ranked.place == 1] if ranking.is_final else []
            if ranking.is_final:
                cache.set(key, names, KEPT_SECONDS)
        found[division.pk] = names
    return found


def may_be_final(division: Division, progress: list[RoundProgress]) -> bool:
    """Whether the final ranking is worth loading: the rounds are over, or the director says so. No query."""
    return division.tournament.is_ended or _are_rounds_over(division, progress)


def load_final_ranking(division: Division) -> FinalRanking:
    """The final ranking of a division from its public results. Seven queries, five more with a knock-out."""
    progress = list_league_rounds(division)
    table = load_table(division)
    state = load_knockout_state(division)
    entries = {row.entry.pk: row.entry for row in table.rows} | dict(state.entries if state else {})
    placed = final_ranking.rank([row.standing for row in table.rows], state.bracket if state else None)
    is_complete = _are_rounds_over(division, progress) and (
        count_planned_rounds(division) > 0 if state is None else state.bracket.is_over
    )
    return FinalRanking(
        division=division,
        rows=tuple(_build_final_rows(placed, table, entries)),
        table=table,
        knockout=state,
        rounds=len(progress),
        is_complete=is_complete,
        is_held=bool(list_hidden_rounds(division.pk)),
    )


def _build_final_rows(
    placed: Iterable[FinalPlace], table: LeagueTable, entries: dict[standings.PlayerKey, Entry]
) -> Iterable[FinalRow]:
    standing = {row.standing.player: row.standing for row in table.rows}
    before = dict(zip(list(standing)[1:], list(standing), strict=False))
    previous: standings.PlayerKey | None = None
    for row in placed:
        above = before.get(row.player)
        shown = standing[above] if above is not None and above == previous else None
        yield FinalRow(row, entries[row.player], standing.get(row.player), shown)
        previous = row.player


def _are_rounds_over(division: Division, progress: list[RoundProgress]) -> bool:
    """Whether all planned rounds have all their results."""
    last = progress[-1].round.number if progress else 0
    return last >= count_planned_rounds(division) and not any(item.missing for item in progress)


@dataclass(frozen=True, slots=True)
class AwardedPrize:
    """A prize and who wins it by the results so far: nobody yet, one player, or several who are level."""

    prize: Prize
    winners: tuple[tuple[Entry, Winner], ...]


@dataclass(frozen=True, slots=True)
class AwardedPrizes:
    """The prizes of a division in their order."""

    prizes: tuple[AwardedPrize, ...]
    statistics: Statistics  # the games behind the feats
    newcomers_unknown: bool = False  # nobody's lifetime games or rating are stated, so nobody is known to be new

    def describe_win(self, prize: Prize, winner: Winner) -> str:
        """By what somebody wins a prize, with the opponent if it happened in a single game."""
        opponent = ""
        if winner.feat is not None and winner.feat.game is not None:
            first, second = winner.feat.game.halves
            opponent = self.statistics.entries[second.player if first.player == winner.player else first.player].name
        return describe_winning_feat(PrizeKind(prize.kind), winner, opponent)


def list_prizes(division: Division) -> list[Prize]:
    """The prizes of a division in their order, with the clubs and winners they name. One query."""
    found = Prize.objects.filter(division=division).select_related("club").prefetch_related(prefetch_entries("winner"))
    return list(found.in_order())


def load_awarded_prizes(found: FinalRanking) -> AwardedPrizes:
    """The prizes of a division and who wins them. Five queries."""
    statistics = load_statistics(found.division)
    field = list(statistics.entries.values())
    results = PrizeResults([row.ranked for row in found.rows], statistics.records, statistics.upsets)
    awarded = []
    for prize in list_prizes(found.division):
        among = find_prize_contenders(prize, field)
        won = winners(PrizeKind(prize.kind), results, place=prize.place, among=among, named=prize.winner_id)
        awarded.append(AwardedPrize(prize, tuple((statistics.entries[winner.player], winner) for winner in won)))
    return AwardedPrizes(tuple(awarded), statistics, newcomers_unknown=bool(field) and find_newcomers(field) is None)


def find_newcomers(field: Sequence[Entry]) -> set[int] | None:
    """Who has no lifetime games and no rating; none if that would be everybody, since these were not written down."""
    found = {entry.pk for entry in field if not entry.games and entry.rating is None}
    return None if len(found) == len(field) else found


def find_prize_contenders(prize: Prize, field: Sequence[Entry]) -> set[int]:
    """The players of whom the best wins the prize; nobody if it is for something else."""
    match prize.kind:
        case PrizeKind.NEWCOMER:
            return find_newcomers(field) or set()
        case PrizeKind.CLUB:
            return {entry.pk for entry in field if entry.club_id == prize.club_id}
        case PrizeKind.RATING_CLASS:
            lowest, highest = prize.lowest_rating, prize.highest_rating
            return {
                entry.pk
                for entry in field
                if entry.rating is not None
                and (lowest is None or entry.rating >= lowest)
                and (highest is None or entry.rating <= highest)
            }
    return set()


# What the event hung on.

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
    asked = _collect_questions(found, announced)
    key = f"turning-points:{asked.digest}"
    answers: _TurningAnswers | None = cache.get(key)
    if answers is None:
        answers = _work_out_answers(asked)
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
        asked = repr((self.event, played, self.places, among, self.kinds, self.games, list(self.spots.items())))
        return hashlib.sha256(asked.encode()).hexdigest()


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
    everybody = BestPlacedQuestion(frozenset() if played else frozenset(each.key for each in asked.event.contestants))
    places = [place for place in asked.places if place > len(seeded)]
    by_table = [among for among in asked.prizes if not among & seeded]
    questions: list[RankingQuestion] = [
        everybody,
        *map(FirstPlacesQuestion, places),
        *map(BestPlacedQuestion, by_table),
    ]
    placing = turning_points.places_by_rank if played is None else played.behind
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
    told = [NamedTurningPoint(topic, point, called) for topic, point in championship if point is not None]
    known = [answers.champion.change] if answers.champion else []
    for point in answers.places.values():
        if point is not None and point.change not in known:
            known.append(point.change)
            if point.place is not None:
                told.append(NamedTurningPoint(TurningTopic.PLACE, point, called))
    for prize, among in announced:
        kind = PrizeKind(prize.kind)
        won = answers.prizes.get(among) if kind in BEST_PLACED_PRIZES else answers.kinds.get(kind)
        if won is not None:
            told.append(NamedTurningPoint(TurningTopic.PRIZE, won, called, prize))
    return told


def _collect_questions(found: FinalRanking, announced: AnnouncedPrizes) -> _TurningQuestions:
    """What is asked of a division. Seven queries."""
    event = _load_played_table(found)
    kinds = tuple(kind for kind in RECORD_PRIZE_KINDS if any(prize.kind == kind for prize, _among in announced))
    for_places = {prize.place for prize, _among in announced if prize.place is not None and prize.place > 1}
    statistics = load_statistics(found.division) if kinds else None
    return _TurningQuestions(
        event=event,
        played=_build_played_knockout(found, event),
        places=tuple(sorted(place for place in {*TURNING_POINT_PLACES, *for_places} if place < len(found.rows))),
        prizes=tuple(among for prize, among in announced if prize.kind in BEST_PLACED_PRIZES),
        kinds=kinds,
        games=statistics.listed if statistics else (),
        spots=_map_game_spots(statistics) if statistics else {},
    )


def _load_played_table(found: FinalRanking) -> PlayedTable:
    """What the table of the division is worked out from. Three queries."""
    division, tournament = found.division, found.division.tournament
    games = list_league_games(division)
    lots = division.lots.filter(after=max((game.round for game in games), default=0)).order_by("pk")
    return PlayedTable(
        contestants=tuple(Contestant(row.entry.pk, withdrawn=row.entry.is_withdrawn) for row in found.table.rows),
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
        round, table = statistics.rounds[game.key], statistics.tables[game.key]
        spots[game.key] = GamePlace(round=round.number)
        if round.stage is not None and round.game is not None and table is not None:
            spots[game.key] = GamePlace(place=(round.stage, table, round.game))
    return spots
