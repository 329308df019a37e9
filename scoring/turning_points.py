"""What an event hung on: the fewest points that one player would have had to score more, in one game, for somebody else
to win it or to come among the first – with everybody's other games and all pairings as they were.

A game that is won or drawn by it counts so from then on; that is what makes most of the difference. Awarded games,
byes and absences stay as they are: nobody scored there.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from scoring import standings
from scoring.awards import Awards, Outcome
from scoring.standings import Basis, Contestant, Criterion, Game, Key, Ranking, Standing

MOST = 999
"""More points than this are no near miss."""

FLIPPED = 2
"""The most half wins that one game moves."""


@dataclass(frozen=True, slots=True)
class Event:
    """What a table is worked out from."""

    contestants: tuple[Contestant, ...]
    games: tuple[Game, ...]
    ranking: Ranking
    figures: Awards
    lots: tuple[tuple[Key, ...], ...] = ()

    def table(self, games: Iterable[Game] | None = None) -> tuple[Standing, ...]:
        """The table by these games instead of its own."""
        counted = self.games if games is None else games
        return standings.rank(self.contestants, counted, self.ranking, self.figures, lots=self.lots)


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """So many `points` more for `player` in `game`, and `winners` would have won, or have come among the first."""

    game: Game
    player: Key
    points: int
    winners: frozenset[Key]


class Question(Protocol):
    """What is asked of a table: who wins, and whether others do."""

    def winners(self, table: Iterable[Standing]) -> frozenset[Key]:
        """Those whom it asks about."""

    def others(self, won: frozenset[Key], now: frozenset[Key]) -> frozenset[Key]:
        """Who wins now, if that is told of as something else; nobody otherwise."""


@dataclass(frozen=True, slots=True)
class Best:
    """Who is placed best of some players, all who share that rank. Fewer or more of them are others, too."""

    among: frozenset[Key]

    def winners(self, table: Iterable[Standing]) -> frozenset[Key]:
        return best_placed(table, self.among)

    def others(self, won: frozenset[Key], now: frozenset[Key]) -> frozenset[Key]:
        return now if now != won else frozenset()


@dataclass(frozen=True, slots=True)
class First:
    """Who has one of the first so many places. Others are those who come in."""

    places: int

    def winners(self, table: Iterable[Standing]) -> frozenset[Key]:
        return frozenset(row.player for row in table if row.rank is not None and row.rank <= self.places)

    def others(self, won: frozenset[Key], now: frozenset[Key]) -> frozenset[Key]:
        return now - won


def best_placed(table: Iterable[Standing], among: Collection[Key]) -> frozenset[Key]:
    """The first of some players in a table, all who share that rank."""
    ranked = [row for row in table if row.rank is not None and row.player in among]
    best = min((row.rank or 0 for row in ranked), default=0)
    return frozenset(row.player for row in ranked if row.rank == best)


def changed(game: Game, player: Key, points: int) -> Game:
    """The game with so many points more for one of its players."""
    if game.first == player:
        return replace(game, first_points=(game.first_points or 0) + points)
    return replace(game, second_points=(game.second_points or 0) + points)


def smallest(event: Event, question: Question, *, most: int = MOST) -> TurningPoint | None:
    """The smallest change that gives other winners; of several as small the earliest, the first player's before the
    second's. None if no change of up to `most` points does. None, too, where direct meetings are compared before the
    sums: there a game of others can decide, which is not looked for.
    """
    won = question.winners(event.table())
    if not won or not _sums_come_first(event.ranking):
        return None
    search = _Search.of(event, question, won)
    found: TurningPoint | None = None
    for game, player in search.changes():
        points = search.fewest(game, player, most if found is None else found.points - 1)
        if points is not None:
            now = question.winners(event_with(event, game, player, points).table())
            found = TurningPoint(game, player, points, question.others(won, now))
    return found


def _sums_come_first(ranking: Ranking) -> bool:
    """Whether direct meetings decide only between those who are level by every sum that is compared."""
    order = ranking.criteria
    meetings = order.index(Criterion.HEAD_TO_HEAD) if Criterion.HEAD_TO_HEAD in order else len(order)
    return not {Criterion.SPREAD, Criterion.POINTS} & set(order[meetings:])


def event_with(event: Event, game: Game, player: Key, points: int) -> Event:
    """The event with one game changed, which may have been kept elsewhere meanwhile."""
    games = tuple(changed(each, player, points) if each == game else each for each in event.games)
    return replace(event, games=games)


@dataclass(frozen=True, slots=True)
class _Search:
    """Looks for the fewest points in one game.

    More points never make the player's figures worse, nor the opponent's better: once others come in, it stays so, and
    halving finds where. Among some players alone (`narrowed`) this holds but where others are just level with them and
    direct meetings decide: there, too, `steps` are looked at. `least`: the half wins of the last of the winners.
    """

    event: Event
    question: Question
    games: tuple[Game, ...]
    rows: dict[Key, Standing]
    won: frozenset[Key]
    least: int
    narrowed: bool

    @classmethod
    def of(cls, event: Event, question: Question, won: frozenset[Key]) -> "_Search":
        """Over the games of those who by their wins may come in when one game turns; where points come first in the
        table, over all."""
        rows = {row.player: row for row in event.table()}
        least = min(rows[player].half_wins for player in won)
        # A game between the two moves both: the one comes up by a win, and the winner down by one.
        lowest = least - 2 * FLIPPED if event.ranking.basis == Basis.WINS else 0
        near = {player for player, row in rows.items() if row.half_wins >= lowest}
        games = tuple(game for game in event.games if game.first in near or game.second in near)
        narrowed = isinstance(question, Best) and not rows.keys() <= question.among
        return cls(event, question, games, rows, won, least, narrowed)

    def changes(self) -> Iterator[tuple[Game, Key]]:
        """The games, and whose points may bring other winners: those of who may come in, and against whom."""
        for game in self.games:
            if game.outcome != Outcome.PLAYED or game.second is None:
                continue
            for player, other in ((game.first, game.second), (game.second, game.first)):
                gain = 0 if _behind(game, player) < 0 else FLIPPED
                if self.narrowed or self._is_near(player, gain) or self._is_near(other, 0):
                    yield game, player

    def _is_near(self, player: Key, gain: int) -> bool:
        """Whether somebody stands by their wins, with so many half wins more, where it is decided who comes in."""
        return self.event.ranking.basis != Basis.WINS or self.rows[player].half_wins + gain >= self.least

    def fewest(self, game: Game, player: Key, limit: int) -> int | None:
        """The fewest points up to `limit` that change who wins; None if these do not."""
        steps = [points for points in self.steps(game, player) if points <= limit] if self.narrowed else []
        high = next((points for points in (*steps, limit) if points > 0 and self.turns(game, player, points)), None)
        if high is None:
            return None
        low = 0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.turns(game, player, middle) else (middle, high)
        return high

    def steps(self, game: Game, player: Key) -> list[int]:
        """Where one of the two is level with a winner, and just beyond; where the game is drawn, and just won."""
        ends = {_behind(game, player)}
        for own in (self.rows[each] for each in (game.first, game.second) if each is not None):
            for best in (self.rows[winner] for winner in self.won):
                ends |= {abs(own.spread - best.spread), abs(own.points - best.points)}
        return sorted({end + more for end in ends for more in (0, 1) if end + more > 0})

    def turns(self, game: Game, player: Key, points: int) -> bool:
        """Whether others win with so many points more."""
        games = [changed(each, player, points) if each is game else each for each in self.games]
        return bool(self.question.others(self.won, self.question.winners(self.event.table(games))))


def _behind(game: Game, player: Key) -> int:
    """By how much a player lost a game; below 0 for one that they won."""
    lead = (game.second_points or 0) - (game.first_points or 0)
    return lead if game.first == player else -lead
