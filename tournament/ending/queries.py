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

from scoring import final_ranking, standings, turning_matches, turning_points, turning_records
from scoring import statistics as feats
from scoring.awards import Awards
from scoring.final_ranking import FinalPlace
from scoring.prizes import BEST_PLACED_PRIZES, PrizeKind, PrizeResults, Winner, winners
from scoring.statistics import StatisticsGame, StatisticsKey
from scoring.tally import Contestant, PlayerKey
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
from tournament.core.words.rounds import format_game_name
from tournament.ending.words import (
    TurningPointNames,
    describe_other_champion,
    describe_other_final_winner,
    describe_other_placing,
    describe_other_prize_winner,
    describe_way_to_final,
    keep_figures_together,
)
from tournament.models import Division, Entry, Prize
from tournament.results.queries import KnockoutState, load_knockout_state
from tournament.table.league import (
    LeagueTable,
    RoundProgress,
    count_planned_rounds,
    list_division_entries,
    list_league_games,
    list_league_rounds,
    load_table,
)
from tournament.table.queries import Statistics, load_statistics

# The final ranking of a division with the players behind it, and who wins its prizes.


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A row of the final ranking with its player.

    `standing` is their row of the table, None if they have none; `above` the row above it there, if that player stands
    right above them here, too.
    """

    ranked: FinalPlace
    entry: Entry
    standing: standings.Standing | None = None
    above: standings.Standing | None = None


@dataclass(frozen=True, slots=True)
class FinalRanking:
    """The final ranking of a division as it stands, with the knock-out and the table that it comes from.

    `rounds` is the number of public rounds. `is_complete`: all planned rounds and the knock-out are played. `is_held`:
    the reader may not see all of it yet.
    """

    division: Division
    rows: tuple[FinalRow, ...]
    table: LeagueTable
    knockout: KnockoutState | None
    rounds: int
    is_complete: bool
    is_held: bool = False

    @property
    def is_final(self) -> bool:
        """Whether nothing more is to come: everything is played, or the director has ended the event after a round."""
        begun = self.rounds > 0 or (self.knockout is not None and bool(self.knockout.entries))
        return not self.is_held and (self.is_complete or (begun and self.division.tournament.is_ended))


def may_be_final(division: Division, progress: list[RoundProgress]) -> bool:
    """Whether it is worth looking if a division's event is over: its rounds are, or the director says so. No query."""
    return division.tournament.is_ended or _are_rounds_over(division, progress)


def load_final_ranking(division: Division) -> FinalRanking:
    """The final ranking of a division from its public results. Seven queries, five more with a knock-out."""
    progress = list_league_rounds(division)
    table = load_table(division)
    state = load_knockout_state(division)
    entries = {row.entry.pk: row.entry for row in table.rows} | dict(state.entries if state else {})
    placed = final_ranking.rank([row.standing for row in table.rows], state.bracket if state else None)
    return FinalRanking(
        division=division,
        rows=tuple(_build_final_rows(placed, table, entries)),
        table=table,
        knockout=state,
        rounds=len(progress),
        is_complete=_is_complete(division, progress, state),
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


def _is_complete(division: Division, progress: list[RoundProgress], state: KnockoutState | None) -> bool:
    if not _are_rounds_over(division, progress):
        return False
    return count_planned_rounds(division) > 0 if state is None else state.bracket.is_over


def _are_rounds_over(division: Division, progress: list[RoundProgress]) -> bool:
    """Whether all planned rounds have all their results."""
    last = progress[-1].round.number if progress else 0
    return last >= count_planned_rounds(division) and not any(item.missing for item in progress)


AwardedWinners = tuple[tuple[Entry, Winner], ...]
"""Who wins a prize, and by what: nobody yet, or several who are level."""


@dataclass(frozen=True, slots=True)
class AwardedPrize:
    """A prize and who wins it by the results so far."""

    prize: Prize
    winners: AwardedWinners


@dataclass(frozen=True, slots=True)
class AwardedPrizes:
    """The prizes of a division in their order. `statistics` has the games behind the feats.

    `newcomers_unknown`: lifetime games or a rating are stated of nobody, so that nobody can be told to be new.
    """

    prizes: tuple[AwardedPrize, ...]
    statistics: Statistics
    newcomers_unknown: bool = False

    def opponent(self, winner: Winner) -> Entry | None:
        """Against whom somebody did what wins the prize; None where it was not in one game."""
        if winner.feat is None or winner.feat.game is None:
            return None
        first, second = winner.feat.game.halves
        return self.statistics.entries[second.player if first.player == winner.player else first.player]


def list_prizes(division: Division) -> list[Prize]:
    """The prizes of a division in their order, with the clubs and winners they name. One query."""
    found = Prize.objects.filter(division=division).select_related("club", "winner__player")
    return list(found.in_order())


def load_awarded_prizes(found: FinalRanking) -> AwardedPrizes:
    """The prizes of a division and who wins them. Five queries."""
    stood_out = load_statistics(found.division)
    field = list(stood_out.entries.values())
    new = find_newcomers(field)
    results = PrizeResults([row.ranked for row in found.rows], stood_out.records, stood_out.upsets)
    return AwardedPrizes(
        prizes=tuple(_award_prize(prize, results, field, new) for prize in list_prizes(found.division)),
        statistics=stood_out,
        newcomers_unknown=bool(field) and new is None,
    )


def find_newcomers(field: Iterable[Entry]) -> set[int] | None:
    """Who plays their first tournament: no lifetime games and no rating. None if that is so for everybody, since then
    nobody has written these figures down."""
    everybody = list(field)
    found = {entry.pk for entry in everybody if not entry.games and entry.rating is None}
    return None if len(found) == len(everybody) else found


def find_prize_contenders(prize: Prize, field: Iterable[Entry]) -> list[int]:
    """Of whom a prize for the best of some players is."""
    everybody = list(field)
    new = find_newcomers(everybody)
    return [entry.pk for entry in everybody if _may_win_prize(entry, prize, new)]


def _award_prize(prize: Prize, results: PrizeResults, field: list[Entry], new: set[int] | None) -> AwardedPrize:
    kind = PrizeKind(prize.kind)
    among = {entry.pk for entry in field if _may_win_prize(entry, prize, new)} if kind in BEST_PLACED_PRIZES else set()
    found = winners(kind, results, place=prize.place, among=among, named=prize.winner_id)
    entries: dict[feats.StatisticsKey, Entry] = {entry.pk: entry for entry in field}
    return AwardedPrize(prize, tuple((entries[winner.player], winner) for winner in found))


def _may_win_prize(entry: Entry, prize: Prize, new: set[int] | None) -> bool:
    """Whether an entry is one of those for the best of whom the prize is."""
    if prize.kind == PrizeKind.NEWCOMER:
        return entry.pk in (new or ())
    if prize.kind == PrizeKind.CLUB:
        return entry.club_id == prize.club_id
    lowest, highest = prize.lowest_rating, prize.highest_rating
    rated = entry.rating
    return rated is not None and (lowest is None or rated >= lowest) and (highest is None or rated <= highest)


TURNING_POINT_CACHE_SECONDS = 86400

TURNING_POINT_PLACES = (2, 3)
"""The places after the first that are told of, also where there is no prize for them."""

RECORD_PRIZE_KINDS = tuple(
    kind for kind in PrizeKind if kind not in BEST_PLACED_PRIZES | {PrizeKind.PLACE, PrizeKind.OWN}
)
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
class NamedTurningPoint:
    """A turning point, of a `prize` or what else it is about, with what players and games are called."""

    topic: TurningTopic
    point: TurningPoint | MatchTurningPoint | MorePlays
    called: TurningPointNames
    prize: Prize | None = None

    @property
    def said(self) -> str:
        """It in a sentence."""
        return keep_figures_together(self._sentence())

    def _sentence(self) -> str:
        match self.point:
            case MatchTurningPoint() if self.topic == TurningTopic.WAY_TO_FINAL:
                return describe_way_to_final(self.point, self.called)
            case MatchTurningPoint():
                return describe_other_final_winner(
                    self.point, self.called, third_place=self.topic == TurningTopic.THIRD_PLACE
                )
            case TurningPoint() if self.prize is None:
                tells = describe_other_champion if self.topic == TurningTopic.CHAMPION else describe_other_placing
                return tells(self.point, self.called)
        assert self.prize is not None
        return describe_other_prize_winner(self.point, self.prize, self.called)


def load_turning_points(found: FinalRanking) -> list[NamedTurningPoint]:
    """What the championship hung on, the places after the first, and the prizes, in this order.

    Of prizes only if they are public. Nothing before the event is over, and without games. Nine queries; up to two
    seconds for a large event the first time, then from the cache.
    """
    if not found.is_final:
        return []
    announced = _load_announced_prizes(found) if found.division.prizes_public else []
    return _list_turning_points(found, announced, _get_cached_answers(_collect_questions(found, announced)))


AnnouncedPrizes = list[tuple[Prize, frozenset[PlayerKey]]]
"""Prizes, each with those for the best of whom it is; nobody where it is for something else."""


@dataclass(frozen=True, slots=True)
class _TurningQuestions:
    """All that the answers are worked out from. `places`: those that are asked about; `prizes`: whom each prize for the
    best of some players is for; `kinds`: of the other prizes; `games` and `spots`: what these go by, and where each was
    played."""

    event: PlayedTable
    played: PlayedKnockout | None
    places: tuple[int, ...]
    prizes: tuple[frozenset[PlayerKey], ...]
    kinds: tuple[PrizeKind, ...]
    games: tuple[StatisticsGame, ...]
    spots: dict[StatisticsKey, GamePlace]

    @property
    def digest(self) -> str:
        """A short text that is another for other results."""
        prizes = [sorted(among, key=str) for among in self.prizes]
        played = self.played and self.played.sorted
        asked = repr((self.event, played, self.places, prizes, self.kinds, self.games, list(self.spots.items())))
        return hashlib.sha256(asked.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _TurningAnswers:
    """What came of it: of the knock-out; by the table, of the championship without one and of each place; of each prize
    for the best of some players; of each other kind of prize."""

    final: MatchTurningPoint | None
    third_place: MatchTurningPoint | None
    way: MatchTurningPoint | None
    champion: TurningPoint | None
    places: dict[int, TurningPoint | None]
    prizes: dict[frozenset[PlayerKey], TurningPoint | None]
    kinds: dict[PrizeKind, TurningPoint | MorePlays | None]


def _get_cached_answers(asked: _TurningQuestions) -> _TurningAnswers:
    """The answers, kept for whoever asks again about the same results."""
    key = f"turning-points:{asked.digest}"
    kept: _TurningAnswers | None = cache.get(key)
    if kept is None:
        kept = _work_out_answers(asked)
        cache.set(key, kept, TURNING_POINT_CACHE_SECONDS)
    return kept


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
    prizes = dict(zip(by_table, others[len(places) :], strict=True))
    if played is not None:
        within = [among for among in asked.prizes if among & seeded]
        prizes |= {
            among: turning_matches.find_knockout_turning_point(played, BestPlacedQuestion(among)) for among in within
        }
    return _TurningAnswers(
        final=None if played is None else turning_matches.find_final_change(played),
        third_place=None if played is None else turning_matches.find_third_place_change(played),
        way=None if played is None else turning_matches.find_change_before_final(played),
        champion=first,
        places=dict(zip(places, others, strict=False)),
        prizes=prizes,
        kinds={
            kind: turning_records.find_record_turning_point(kind, asked.games, _build_course(asked))
            for kind in asked.kinds
        },
    )


def _build_course(asked: _TurningQuestions) -> EventCourse:
    """What games would have been played after a change. In the table it is the pairings that are held fixed."""
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
    """The answers in their order, no change told twice of places."""
    called = _build_names(found)
    told = [
        NamedTurningPoint(topic, point, called)
        for topic, point in _list_championship_answers(answers)
        if point is not None
    ]
    known = [answers.champion.change] if answers.champion else []
    for point in answers.places.values():
        if point is not None and point.change not in known:
            known.append(point.change)
            if point.place is not None:
                told.append(NamedTurningPoint(TurningTopic.PLACE, point, called))
    for prize, among in announced:
        won = (
            answers.prizes.get(among) if prize.kind in BEST_PLACED_PRIZES else answers.kinds.get(PrizeKind(prize.kind))
        )
        if won is not None:
            told.append(NamedTurningPoint(TurningTopic.PRIZE, won, called, prize))
    return told


def _list_championship_answers(
    answers: _TurningAnswers,
) -> list[tuple[TurningTopic, TurningPoint | MatchTurningPoint | None]]:
    """The championship; the champion's way to the final where less than in the final would have been enough."""
    final, way = answers.final, answers.way
    is_less = way and (final is None or final.goes_on or way.change.points < final.change.points)
    return [
        (TurningTopic.CHAMPION, answers.champion),
        (TurningTopic.FINAL, final),
        (TurningTopic.WAY_TO_FINAL, way if is_less else None),
        (TurningTopic.THIRD_PLACE, answers.third_place),
    ]


def _build_names(found: FinalRanking) -> TurningPointNames:
    state = found.knockout

    def game(place: tuple[int, int, int]) -> str:
        assert state is not None
        return format_game_name(state.knockout, *place)

    return TurningPointNames({row.entry.pk: row.entry.name for row in found.rows}, game)


def _collect_questions(found: FinalRanking, announced: AnnouncedPrizes) -> _TurningQuestions:
    """What is asked of a division. Seven queries."""
    event = _load_played_table(found)
    kinds = tuple(kind for kind in RECORD_PRIZE_KINDS if any(prize.kind == kind for prize, _among in announced))
    for_places = {prize.place for prize, _among in announced if prize.place is not None and prize.place > 1}
    stood_out = load_statistics(found.division) if kinds else None
    return _TurningQuestions(
        event=event,
        played=_build_played_knockout(found, event),
        places=tuple(sorted(place for place in {*TURNING_POINT_PLACES, *for_places} if place < len(found.rows))),
        prizes=tuple(among for prize, among in announced if prize.kind in BEST_PLACED_PRIZES),
        kinds=kinds,
        games=stood_out.listed if stood_out else (),
        spots=_map_game_spots(stood_out) if stood_out else {},
    )


def _load_played_table(found: FinalRanking) -> PlayedTable:
    """What the table of the division is worked out from. Three queries."""
    division, tournament = found.division, found.division.tournament
    games = list_league_games(division)
    lots = division.lots.filter(after=max((game.round for game in games), default=0)).order_by("pk")
    figures: Awards = tournament.awards
    return PlayedTable(
        contestants=tuple(Contestant(row.entry.pk, withdrawn=row.entry.is_withdrawn) for row in found.table.rows),
        games=tuple(games),
        ranking=tournament.ranking,
        figures=figures,
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
        table=event.table(),
    )


def _load_announced_prizes(found: FinalRanking) -> AnnouncedPrizes:
    """The prizes, each with those for the best of whom it is. Two queries."""
    field = list_division_entries(found.division)
    ranked: set[PlayerKey] = {row.entry.pk for row in found.rows}
    announced = list_prizes(found.division)
    return [
        (
            prize,
            frozenset(ranked.intersection(find_prize_contenders(prize, field)))
            if prize.kind in BEST_PLACED_PRIZES
            else frozenset(),
        )
        for prize in announced
    ]


def _map_game_spots(stood_out: Statistics) -> dict[StatisticsKey, GamePlace]:
    """Where each game was played, by its pairing."""
    found = {}
    for game in stood_out.listed:
        round, table = stood_out.rounds[game.key], stood_out.tables[game.key]
        found[game.key] = GamePlace(round=round.number)
        if round.stage is not None and round.game is not None and table is not None:
            found[game.key] = GamePlace(place=(round.stage, table, round.game))
    return found
