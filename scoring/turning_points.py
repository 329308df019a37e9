"""What an event hung on: the fewest extra points for one player, in one game, with which somebody else would have won
the event or come among the first – with everybody's other games and all pairings as they were.

A game that the extra points win or draw counts as won or drawn, which makes most of the difference. Awarded games, byes
and absences stay as they are: nobody scored there.

A table compares sums and what two players scored in their meetings; a match compares sums and the scores of its games.
All of these move one way only as points grow. So nothing changes between the steps found here, and trying each step
tries everything.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import TypeVar

from scoring import standings
from scoring.awards import Awards, Outcome
from scoring.knockout_values import KnockoutGame
from scoring.standings import Contestant, Criterion, PlayerKey, Ranking, RankingBasis, Standing, TableGame

MAX_MORE_POINTS = 999  # anything above this is no near miss


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """The contestants, games and rules that a table is worked out from."""

    contestants: tuple[Contestant, ...]
    games: tuple[TableGame, ...]
    ranking: Ranking
    figures: Awards
    lots: tuple[tuple[PlayerKey, ...], ...] = ()

    def table(self, games: Iterable[TableGame] | None = None) -> tuple[Standing, ...]:
        """The table by these games; without them, by its own."""
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


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A change with which `winners` would have won, or come among the first, instead of `won`. `place`: the rank that
    they would have had; None if not all of them the same. `beside`: who else would have had it. `play`: where one play
    brings the extra points, what that play scored."""

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


PlacesByPlayer = Mapping[PlayerKey, int | None]  # everybody's rank; None for those who have none


@dataclass(frozen=True, slots=True)
class BestPlacedQuestion:
    """Asks who is placed best among some players, together with all who share that rank. Fewer or more of them are
    another result."""

    among: frozenset[PlayerKey]

    def winners(self, places: PlacesByPlayer) -> frozenset[PlayerKey]:
        """Who wins by this ranking."""
        ranked = {player: place for player in self.among if (place := places.get(player)) is not None}
        best = min(ranked.values(), default=None)
        return frozenset(player for player, place in ranked.items() if place == best)

    def others(self, won: frozenset[PlayerKey], now: frozenset[PlayerKey]) -> frozenset[PlayerKey]:
        """Who wins now, if that is another result; else nobody."""
        return now if now != won else frozenset()


@dataclass(frozen=True, slots=True)
class FirstPlacesQuestion:
    """Asks who has one of the first `places` places. A result is another one if somebody new comes in."""

    places: int

    def winners(self, places: PlacesByPlayer) -> frozenset[PlayerKey]:
        return frozenset(player for player, place in places.items() if place is not None and place <= self.places)

    def others(self, won: frozenset[PlayerKey], now: frozenset[PlayerKey]) -> frozenset[PlayerKey]:
        return now - won


RankingQuestion = BestPlacedQuestion | FirstPlacesQuestion

PlacingRule = Callable[[Sequence[Standing]], PlacesByPlayer | None]
"""Makes a ranking of a table; None if nobody can say, because the event would have gone on differently."""


def places_by_rank(table: Sequence[Standing]) -> PlacesByPlayer:
    """The table itself as a ranking."""
    return {row.player: row.rank for row in table}


AnyGame = TypeVar("AnyGame", TableGame, KnockoutGame)


def add_points(game: AnyGame, player: PlayerKey, points: int) -> AnyGame:
    """The game with so many extra points for one of its players."""
    raised = player_scores(game, player)[0] + points
    return replace(game, first_points=raised) if game.first == player else replace(game, second_points=raised)


def apply_change(event: PlayedTable, change: MorePoints) -> PlayedTable:
    """The event with one game of its table changed."""
    # Round and players name the game, as two meet once in a round at most.
    round, players = change.spot.round, {change.player, change.opponent}
    games = (
        add_points(game, change.player, change.points)
        if game.round == round and {game.first, game.second} == players
        else game
        for game in event.games
    )
    return replace(event, games=tuple(games))


def find_table_turning_points(
    event: PlayedTable,
    questions: Sequence[RankingQuestion],
    *,
    placing: PlacingRule = places_by_rank,
    most: int = MAX_MORE_POINTS,
) -> list[TurningPoint | None]:
    """For each question the smallest change that gives other winners; of equal ones the earliest, and the first
    player's before the second's. None if no change of up to `most` points does; and always by Keizer, where a point
    more moves the values of everybody, and with them what all other games count."""
    if event.ranking.basis is RankingBasis.KEIZER:
        return [None] * len(questions)
    table = event.table()
    places = placing(table)
    won = [frozenset[PlayerKey]() if places is None else question.winners(places) for question in questions]
    turning_points: list[TurningPoint | None] = [None] * len(questions)
    # By points alone, in a sort that is stable: of equal changes the earliest game stays first, and its first player.
    for points, at, player, numbers in sorted(_find_table_steps(event, table, won, most), key=itemgetter(0)):
        open_numbers = [number for number in numbers if turning_points[number] is None]
        if not open_numbers:
            continue
        games = list(event.games)
        game, games[at] = games[at], add_points(games[at], player, points)
        # None for a table by which others would have been seeded: nobody can say what would have come of it.
        if (changed := placing(event.table(games))) is not None:
            change = MorePoints.of(game, player, points)
            for number in open_numbers:
                turning_points[number] = make_turning_point(questions[number], change, won[number], changed)
    return turning_points


def _find_table_steps(
    event: PlayedTable, table: Iterable[Standing], won: Sequence[frozenset[PlayerKey]], most: int
) -> Iterator[tuple[int, int, PlayerKey, list[int]]]:
    """The changes that may matter, each as points, game, player, and the questions whose answer it may change."""
    rows = {row.player: row for row in table}
    steps = TableSteps(rows, event.games, event.ranking, event.figures)
    # The cut is the last of those who won: what happens below it and does not reach it changes nothing.
    cuts = {
        number: min(steps.first(rows[player]) for player in players) for number, players in enumerate(won) if players
    }
    for at, game in enumerate(event.games):
        if game.outcome == Outcome.PLAYED:
            assert game.second is not None
            for player, other in ((game.first, game.second), (game.second, game.first)):
                for span in point_spans(player_lead(game, player), most):
                    raised = RaisedGame(game, rows[player], rows[other], span)
                    numbers_by_points: dict[int, list[int]] = {}
                    for number, cut in cuts.items():
                        for points in steps.before(cut, raised):
                            numbers_by_points.setdefault(points, []).append(number)
                    yield from ((points, at, player, numbers) for points, numbers in numbers_by_points.items())


def make_turning_point(
    question: RankingQuestion, change: MorePoints, won: frozenset[PlayerKey], places: PlacesByPlayer
) -> TurningPoint | None:
    """The turning point that a change is, by the ranking that it leads to; None if nobody else wins."""
    others = question.others(won, question.winners(places))
    if not others:
        return None
    ranks = {places[player] for player in others}
    if len(ranks) > 1:
        return TurningPoint(change, won, others)
    (place,) = ranks
    level = frozenset(player for player, reached in places.items() if reached == place)
    return TurningPoint(change, won, others, place, beside=level - others)


WON_HALF_WINS = 2  # the half wins for winning a game


@dataclass(frozen=True, slots=True)
class PointSpan:
    """With `low` to `high` extra points the game comes out the same way, `gain` half wins better than it did."""

    low: int
    high: int
    gain: int


def point_spans(lead: int, most: int) -> Iterator[PointSpan]:
    """How a game comes out with up to `most` extra points for a player who was ahead by `lead` (below 0: behind)."""
    if lead >= 0:
        spans = [(1, most, 0 if lead else WON_HALF_WINS - 1)]
    else:
        draw = -lead
        spans = [(1, draw - 1, 0), (draw, draw, WON_HALF_WINS - 1), (draw + 1, most, WON_HALF_WINS)]
    return (PointSpan(low, min(high, most), gain) for low, high, gain in spans if low <= min(high, most))


def player_scores(game: TableGame | KnockoutGame, player: PlayerKey) -> tuple[int, int]:
    """The scores of a played game, this player's first."""
    assert game.first_points is not None
    assert game.second_points is not None
    points = game.first_points, game.second_points
    return points if game.first == player else points[::-1]


def player_lead(game: TableGame, player: PlayerKey) -> int:
    """By how much this player was ahead in a played game; below 0: behind."""
    own, theirs = player_scores(game, player)
    return own - theirs


@dataclass(frozen=True, slots=True)
class RaisedGame:
    """A game in which the player of row `own` scores more against the player of row `theirs`, within one span."""

    game: TableGame
    own: Standing
    theirs: Standing
    span: PointSpan


@dataclass(frozen=True)
class TableSteps:
    """The steps in a table with these rows and games."""

    rows: Mapping[PlayerKey, Standing]
    games: Sequence[TableGame]
    ranking: Ranking
    figures: Awards

    @cached_property
    def _sums(self) -> tuple[Criterion, ...]:
        """Which of spread and points are compared, in order. The first is enough if it moves with every point."""
        return tuple(
            criterion for criterion in self.ranking.criteria if criterion in (Criterion.SPREAD, Criterion.POINTS)
        )

    @cached_property
    def _peers(self) -> Mapping[int, list[Standing]]:
        """The rows, by the figure that is compared first."""
        rows_by_first: dict[int, list[Standing]] = {}
        for row in self.rows.values():
            rows_by_first.setdefault(self.first(row), []).append(row)
        return rows_by_first

    def first(self, row: Standing) -> int:
        """The figure that is compared first."""
        return row.half_wins if self.ranking.basis == RankingBasis.WINS else row.points

    def before(self, cut: int, raised: RaisedGame) -> set[int]:
        """The extra points within the span at which the set of players before a cut may change; the cut is in the
        figure compared first. Only players who reach the cut, leave it or pass it matter: all others stay where they
        are."""
        by_points = self.ranking.basis == RankingBasis.POINTS
        points_tried = self._by_points(cut, raised) if by_points else self._by_wins(cut, raised)
        return {points for points in points_tried if raised.span.low <= points <= raised.span.high}

    def _by_wins(self, cut: int, raised: RaisedGame) -> set[int]:
        span, own, theirs = raised.span, raised.own.half_wins, raised.theirs.half_wins
        comes, stays = own + span.gain, theirs - span.gain
        if not (own <= cut <= comes or stays <= cut <= theirs):
            return set()
        # Within a span wins stay the same, so that they are tried where it begins.
        points_tried = {span.low}
        if comes == cut:
            points_tried.update(self._of_own(raised))
        if cut in (theirs, stays):
            points_tried.update(self._of_theirs(raised))
        if comes == stays:
            points_tried.update(self._between(raised))
        return points_tried

    def _by_points(self, cut: int, raised: RaisedGame) -> set[int]:
        """Where points come first, they alone bring a player past the cut."""
        points_tried = set(_level_and_beyond(cut - raised.own.points))
        if raised.theirs.points == cut:
            points_tried.update((raised.span.low, *self._of_theirs(raised)))
        return points_tried

    def _with_spread(self, spread: int, raised: RaisedGame) -> list[int]:
        """The fewest points by which the player's spread grows by so much, and by one more, as far as it can."""
        cap, lead = self.ranking.cap(raised.game.round), player_lead(raised.game, raised.own.player)
        if cap is None:
            return [spread, spread + 1]
        counted = max(-cap, min(cap, lead)) + spread
        # Beyond the cap more points bring no more spread.
        return [grown - lead for grown in (counted, counted + 1) if grown <= cap]

    def _others(self, level: int, raised: RaisedGame) -> Iterator[Standing]:
        both = (raised.own.player, raised.theirs.player)
        return (row for row in self._peers.get(level, ()) if row.player not in both)

    def _of_own(self, raised: RaisedGame) -> Iterator[int]:
        """Where the player passes others with as many wins."""
        own = raised.own
        # Without a cap spread grows with every point, so that nothing after the first of the two sums is ever compared.
        sums = self._sums if self.ranking.cap(raised.game.round) is not None else self._sums[:1]
        for row in self._others(own.half_wins + raised.span.gain, raised):
            for criterion in sums:
                # Own points grow with every point more, so that nothing after them is compared.
                if criterion == Criterion.POINTS:
                    yield from _level_and_beyond(row.points - own.points)
                    break
                yield from self._with_spread(row.spread - own.spread, raised)

    def _of_theirs(self, raised: RaisedGame) -> Iterator[int]:
        """Where others pass the opponent, whose points stay as they are."""
        theirs = raised.theirs
        is_by_wins = self.ranking.basis == RankingBasis.WINS
        level = theirs.half_wins - raised.span.gain if is_by_wins else theirs.points
        for row in self._others(level, raised):
            # The opponent's points stay: where they come first, spread decides only against those with as many.
            if self._sums[:1] != (Criterion.POINTS,) or row.points == theirs.points:
                yield from self._with_spread(theirs.spread - row.spread, raised)

    def _between(self, raised: RaisedGame) -> Iterator[int]:
        """Where the two players of the game pass each other: what one gains in spread, the other loses."""
        own, theirs = raised.own, raised.theirs
        # What one gains in spread the other loses, so that half the gap is enough. An odd gap is never level: of five
        # points two are too few and three too many.
        yield from self._with_spread((theirs.spread - own.spread) // 2, raised)
        yield from _level_and_beyond(theirs.points - own.points)
        meetings, _games = standings.meeting_points((own.player, theirs.player), self.games, self.figures)
        yield from _level_and_beyond(meetings[theirs.player] - meetings[own.player])


def _level_and_beyond(points: int) -> tuple[int, int]:
    """Where two players are level, and just beyond."""
    return points, points + 1


def match_steps(own: int, behind: int, others: Iterable[int], most: int) -> list[int]:
    """The steps in a match for a player who has `own` points in a game. `behind`: what they lack in all games together;
    `others`: the other player's scores, that of this game included."""
    ends = {behind, *(score - own for score in others)}
    return sorted({points for end in ends for points in _level_and_beyond(end) if 1 <= points <= most})
