"""What an event hung on: the fewest extra points for one player, in one game, with which somebody else would have won
it or come among the first – with everybody's other games and all pairings as they were.

A game won or drawn by them counts as won or drawn; that makes most of the difference. Awarded games,
byes and absences stay as they are: nobody scored there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Protocol, TypeVar

from scoring import knockout_values, standings
from scoring.awards import Awards, Outcome
from scoring.standings import Ranking, Standing
from scoring.tally import Contestant, PlayerKey, TableGame
from scoring.turning_steps import RaisedGame, TableSteps, player_lead, player_scores, point_spans

MAX_MORE_POINTS = 999
"""More points than this are no near miss."""


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """The contestants, games and rules that a table is worked out from."""

    contestants: tuple[Contestant, ...]
    games: tuple[TableGame, ...]
    ranking: Ranking
    figures: Awards
    lots: tuple[tuple[PlayerKey, ...], ...] = ()

    def table(self, games: Iterable[TableGame] | None = None) -> tuple[Standing, ...]:
        """The table by these games; None: by its own."""
        counted = self.games if games is None else games
        return standings.rank(self.contestants, counted, self.ranking, self.figures, lots=self.lots)


@dataclass(frozen=True, slots=True)
class GamePlace:
    """Where a game was played: in a round, or in the knock-out (stage, position of the match, game of it from 1)."""

    round: int | None = None
    place: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class MorePoints:
    """So many `points` more for `player` against `opponent` in a game that ended `score`, the player's points first."""

    spot: GamePlace
    player: PlayerKey
    opponent: PlayerKey
    score: tuple[int, int]
    points: int

    @classmethod
    def of(cls, game: TableGame, player: PlayerKey, points: int) -> "MorePoints":
        """A change in a game of the table."""
        assert game.second is not None
        opponent = game.second if game.first == player else game.first
        return cls(GamePlace(round=game.round), player, opponent, player_scores(game, player), points)

    def is_in(self, game: TableGame) -> bool:
        """Whether this is the game of the table that changes."""
        return game.round == self.spot.round and {game.first, game.second} == {self.player, self.opponent}


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A change with which `winners` would have won, or come among the first, instead of `won`.

    `place`: the rank that they would have had; None where they would not all have had the same. `beside`: who else
    would have had it. `play`: what the play scored that would bring the extra points, where it is about one play.
    """

    change: MorePoints
    won: frozenset[PlayerKey]
    winners: frozenset[PlayerKey]
    place: int | None = None
    play: int | None = None
    beside: frozenset[PlayerKey] = frozenset()

    @property
    def is_alone(self) -> bool:
        """Whether fewer would have won, and nobody else."""
        return self.winners.issubset(self.won)


PlacesByPlayer = Mapping[PlayerKey, int | None]
"""Everybody's rank; None for those who have none."""


class RankingQuestion(Protocol):
    """What is asked of a ranking: who wins, and whether others would."""

    def winners(self, places: PlacesByPlayer) -> frozenset[PlayerKey]:
        """Who wins by this ranking."""

    def others(self, won: frozenset[PlayerKey], now: frozenset[PlayerKey]) -> frozenset[PlayerKey]:
        """Who wins now, if that counts as another result; nobody otherwise."""


@dataclass(frozen=True, slots=True)
class BestPlacedQuestion:
    """Who of some players is placed best, with all who share that rank. Fewer or more of them count as others, too."""

    among: frozenset[PlayerKey]

    def winners(self, places: PlacesByPlayer) -> frozenset[PlayerKey]:
        ranked = {player: place for player in self.among if (place := places.get(player)) is not None}
        best = min(ranked.values(), default=None)
        return frozenset(player for player, place in ranked.items() if place == best)

    def others(self, won: frozenset[PlayerKey], now: frozenset[PlayerKey]) -> frozenset[PlayerKey]:
        return now if now != won else frozenset()


@dataclass(frozen=True, slots=True)
class FirstPlacesQuestion:
    """Who has one of the first `places` places. Others are those who come in."""

    places: int

    def winners(self, places: PlacesByPlayer) -> frozenset[PlayerKey]:
        return frozenset(player for player, place in places.items() if place is not None and place <= self.places)

    def others(self, won: frozenset[PlayerKey], now: frozenset[PlayerKey]) -> frozenset[PlayerKey]:
        return now - won


class PlacingRule(Protocol):
    """How a table becomes a ranking."""

    def __call__(self, table: Sequence[Standing]) -> PlacesByPlayer | None:
        """Everybody's rank; None if nobody can say, because the event would have gone on differently."""


def places_by_rank(table: Sequence[Standing]) -> PlacesByPlayer:
    """The ranking that the table itself is."""
    return {row.player: row.rank for row in table}


AnyGame = TypeVar("AnyGame", TableGame, knockout_values.KnockoutGame)


def add_points(game: AnyGame, player: PlayerKey, points: int) -> AnyGame:
    """The game with so many more points for one of its players."""
    raised = player_scores(game, player)[0] + points
    return replace(game, first_points=raised) if game.first == player else replace(game, second_points=raised)


def apply_change(event: PlayedTable, change: MorePoints) -> PlayedTable:
    """The event with one game of its table changed."""
    games = (add_points(each, change.player, change.points) if change.is_in(each) else each for each in event.games)
    return replace(event, games=tuple(games))


def find_table_turning_points(
    event: PlayedTable,
    questions: Sequence[RankingQuestion],
    *,
    placing: PlacingRule = places_by_rank,
    most: int = MAX_MORE_POINTS,
) -> list[TurningPoint | None]:
    """For each question the smallest change that gives other winners; of several as small the earliest, the first
    player's before the second's. None if no change of up to `most` points does.
    """
    return _TableSearch(event, questions, placing, most).found


@dataclass
class _TableSearch:
    """Tries the steps of all games, fewest points first, until each question has its answer."""

    event: PlayedTable
    questions: Sequence[RankingQuestion]
    placing: PlacingRule
    most: int
    found: list[TurningPoint | None] = field(init=False)
    won: list[frozenset[PlayerKey]] = field(init=False)

    def __post_init__(self) -> None:
        self.found = [None] * len(self.questions)
        table = self.event.table()
        places = self.placing(table)
        self.won = [frozenset() if places is None else question.winners(places) for question in self.questions]
        rows = {row.player: row for row in table}
        for points, at, player, numbers in sorted(self._steps(rows), key=itemgetter(0)):
            if asked := [number for number in numbers if self.found[number] is None]:
                self._try(points, at, player, asked)

    def _try(self, points: int, at: int, player: PlayerKey, asked: Iterable[int]) -> None:
        games = list(self.event.games)
        game, games[at] = games[at], add_points(games[at], player, points)
        places = self.placing(self.event.table(games))
        if places is not None:
            change = MorePoints.of(game, player, points)
            for number in asked:
                self.found[number] = make_turning_point(self.questions[number], change, self.won[number], places)

    def _steps(self, rows: Mapping[PlayerKey, Standing]) -> Iterator[tuple[int, int, PlayerKey, list[int]]]:
        """Each change that may matter: points, game, player, and the questions whose answer it may change."""
        steps = TableSteps(rows, self.event.games, self.event.ranking, self.event.figures)
        cuts = {at: min(steps.first(rows[player]) for player in won) for at, won in enumerate(self.won) if won}
        for at, game in enumerate(self.event.games):
            if game.outcome == Outcome.PLAYED:
                assert game.second is not None
                for player, other in ((game.first, game.second), (game.second, game.first)):
                    for span in point_spans(player_lead(game, player), self.most):
                        raised = RaisedGame(game, rows[player], rows[other], span)
                        asked: dict[int, list[int]] = {}
                        for number, cut in cuts.items():
                            for points in steps.before(cut, raised):
                                asked.setdefault(points, []).append(number)
                        yield from ((points, at, player, numbers) for points, numbers in asked.items())


def make_turning_point(
    question: RankingQuestion, change: MorePoints, won: frozenset[PlayerKey], places: PlacesByPlayer
) -> TurningPoint | None:
    """The turning point that a change makes by the ranking it brings; None if nobody else wins."""
    others = question.others(won, question.winners(places))
    if not others:
        return None
    ranks = {places[player] for player in others}
    if len(ranks) > 1:
        return TurningPoint(change, won, others)
    (place,) = ranks
    level = frozenset(player for player, reached in places.items() if reached == place)
    return TurningPoint(change, won, others, place, beside=level - others)
