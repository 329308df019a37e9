"""The steps at which a result can change while the points of one player in one game go up.

A table compares sums, and what two have scored in their meetings; a match compares sums and the scores of its games.
All of these only ever move one way with the points, so nothing changes between two steps: trying each step tries
everything.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring import criteria, knockout_values
from scoring.awards import Awards
from scoring.standings import Ranking, RankingBasis, Standing
from scoring.tally import Criterion, PlayerKey, TableGame

WON_HALF_WINS = 2
"""The half wins of a game that is won."""


@dataclass(frozen=True, slots=True)
class PointSpan:
    """With `low` to `high` extra points the game comes out the same way, `gain` half wins better than it did."""

    low: int
    high: int
    gain: int


def point_spans(lead: int, most: int) -> Iterator[PointSpan]:
    """How a game comes out with up to `most` extra points for a player who was ahead by `lead`; below 0: behind."""
    if lead >= 0:
        spans = [(1, most, 0 if lead else WON_HALF_WINS - 1)]
    else:
        draw = -lead
        spans = [(1, draw - 1, 0), (draw, draw, WON_HALF_WINS - 1), (draw + 1, most, WON_HALF_WINS)]
    return (PointSpan(low, min(high, most), gain) for low, high, gain in spans if low <= min(high, most))


def player_scores(game: TableGame | knockout_values.KnockoutGame, player: PlayerKey) -> tuple[int, int]:
    """The points of a played game, those of one of its players first."""
    assert game.first_points is not None
    assert game.second_points is not None
    points = game.first_points, game.second_points
    return points if game.first == player else points[::-1]


def player_lead(game: TableGame, player: PlayerKey) -> int:
    """By how much a player of a played game was ahead; below 0 where behind."""
    own, theirs = player_scores(game, player)
    return own - theirs


@dataclass(frozen=True, slots=True)
class RaisedGame:
    """A game whose points go up for the player of `own`, at the cost of the player of `theirs`, in one span."""

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
        """Which of spread and points are compared, in order. The first is enough where it moves with every point."""
        return tuple(each for each in self.ranking.criteria if each in (Criterion.SPREAD, Criterion.POINTS))

    @cached_property
    def _peers(self) -> Mapping[int, list[Standing]]:
        """The rows by the figure that is compared first."""
        found: dict[int, list[Standing]] = {}
        for row in self.rows.values():
            found.setdefault(self.first(row), []).append(row)
        return found

    def first(self, row: Standing) -> int:
        """The figure that is compared first."""
        return row.half_wins if self.ranking.basis == RankingBasis.WINS else row.points

    def before(self, cut: int, raised: RaisedGame) -> set[int]:
        """The extra points, within a span, at which who is before a cut may change, by the figure compared first.

        Only players who come to the cut, leave it, or pass it matter: the others stay before it or behind it.
        """
        by_points = self.ranking.basis == RankingBasis.POINTS
        found = self._by_points(cut, raised) if by_points else self._by_wins(cut, raised)
        return {points for points in found if raised.span.low <= points <= raised.span.high}

    def _by_wins(self, cut: int, raised: RaisedGame) -> set[int]:
        span, own, theirs = raised.span, raised.own.half_wins, raised.theirs.half_wins
        comes, stays = own + span.gain, theirs - span.gain
        if not (own <= cut <= comes or stays <= cut <= theirs):
            return set()
        found = {span.low}
        if comes == cut:
            found.update(self._of_own(raised))
        if cut in (theirs, stays):
            found.update(self._of_theirs(raised))
        if comes == stays:
            found.update(self._between(raised))
        return found

    def _by_points(self, cut: int, raised: RaisedGame) -> set[int]:
        """Where points come first, they alone bring a player past the cut."""
        found = set(_level_and_beyond(cut - raised.own.points))
        if raised.theirs.points == cut:
            found.update((raised.span.low, *self._of_theirs(raised)))
        return found

    def _reach(self, raised: RaisedGame) -> "_SpreadReach":
        return _SpreadReach(player_lead(raised.game, raised.own.player), self.ranking.cap(raised.game.round))

    def _others(self, level: int, raised: RaisedGame) -> Iterator[Standing]:
        both = (raised.own.player, raised.theirs.player)
        return (row for row in self._peers.get(level, ()) if row.player not in both)

    def _of_own(self, raised: RaisedGame) -> Iterator[int]:
        """Where the player comes past those with as many wins."""
        reach, own = self._reach(raised), raised.own
        sums = self._sums if reach.cap is not None else self._sums[:1]
        for row in self._others(own.half_wins + raised.span.gain, raised):
            for criterion in sums:
                if criterion == Criterion.POINTS:
                    yield from _level_and_beyond(row.points - own.points)
                    break
                yield from reach.both(row.spread - own.spread)

    def _of_theirs(self, raised: RaisedGame) -> Iterator[int]:
        """Where others come past the opponent, whose points stay as they are."""
        reach, theirs = self._reach(raised), raised.theirs
        is_by_wins = self.ranking.basis == RankingBasis.WINS
        level = theirs.half_wins - raised.span.gain if is_by_wins else theirs.points
        for row in self._others(level, raised):
            if self._sums[:1] != (Criterion.POINTS,) or row.points == theirs.points:
                yield from reach.both(theirs.spread - row.spread)

    def _between(self, raised: RaisedGame) -> Iterator[int]:
        """Where the two of the game come past each other: what one gains in spread, the other loses."""
        own, theirs, reach = raised.own, raised.theirs, self._reach(raised)
        yield from reach.both((theirs.spread - own.spread) // 2)
        yield from _level_and_beyond(theirs.points - own.points)
        meetings, _games = criteria.meeting_points((own.player, theirs.player), self.games, self.figures)
        yield from _level_and_beyond(meetings[theirs.player] - meetings[own.player])


def _level_and_beyond(points: int) -> tuple[int, int]:
    """Where two are level, and just beyond."""
    return points, points + 1


@dataclass(frozen=True, slots=True)
class _SpreadReach:
    """How many extra points bring so much more spread, in a game with this lead, where at most `cap` of it counts."""

    lead: int
    cap: int | None

    def both(self, spread: int) -> tuple[int, ...]:
        """The fewest points by which the spread grows by so much, and by one more."""
        return *self.first(spread), *self.first(spread + 1)

    def first(self, spread: int) -> tuple[int, ...]:
        """The fewest points by which the spread grows by so much; none where it never does."""
        if self.cap is None:
            return (spread,)
        counted = max(-self.cap, min(self.cap, self.lead)) + spread
        return (counted - self.lead,) if counted <= self.cap else ()


def match_steps(own: int, behind: int, others: Iterable[int], most: int) -> list[int]:
    """The steps in a match for a player who has `own` points in a game.

    `behind`: what they lack in all games together; `others`: the other player's scores, that of this game included.
    """
    ends = {behind, *(score - own for score in others)}
    return sorted({points for end in ends for points in _level_and_beyond(end) if 1 <= points <= most})
