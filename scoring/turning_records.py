"""What a record hung on: the fewest extra points, in one game, with which somebody else would have held it. Only
changes count after which the same games would have been played. The biggest upset depends on who wins a game, the best
average on the points of all games, the best move on what one play scored, and most plays of all seven tiles on how many
more of them somebody would have had to lay. The organiser's own prizes depend on nothing here: the director awards
them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import chain
from math import ceil

from scoring import statistics
from scoring.prizes import PrizeKind
from scoring.standings import PlayerKey
from scoring.statistics import Feat, RecordKind, StatisticsGame
from scoring.turning_points import MAX_MORE_POINTS, GamePlace, MorePoints, TurningPoint


@dataclass(frozen=True, slots=True)
class EventCourse:
    """How the event went, apart from its records."""

    spot: Callable[[int | str], GamePlace]  # where a game was played, by its key
    steps: Callable[[GamePlace, PlayerKey], Iterable[int]]  # extra points at which the knock-out may change
    keeps: Callable[[MorePoints], bool]  # whether the same games would have been played after a change


@dataclass(frozen=True, slots=True)
class MorePlays:
    """With `count` more plays of all seven tiles by `player`, `winners` would have laid most instead of `won`."""

    player: PlayerKey
    count: int
    won: frozenset[PlayerKey]
    winners: frozenset[PlayerKey]


def _get_players(feats: Iterable[Feat]) -> frozenset[PlayerKey]:
    return frozenset(feat.player for feat in feats)


def _add_points(game: StatisticsGame, side: int, points: int) -> StatisticsGame:
    """The game with so many extra points for one of its players, scored with their best play."""
    half = game.halves[side]
    # Its best play alone: no other of that half can be the record.
    moves = (max(half.moves) + points,) if half.moves else ()
    half = replace(half, points=game.scores[side] + points, moves=moves)
    return replace(game, first=half) if side == 0 else replace(game, second=half)


class _GameRecord:
    """A record that is made in one game. `won`: who holds it."""

    def __init__(self, games: Sequence[StatisticsGame], made: Callable[[StatisticsGame], Sequence[Feat]]) -> None:
        self._made = made
        self._held: dict[int, dict[int | str, frozenset[PlayerKey]]] = {}
        for game in games:
            if feats := made(game):
                self._held.setdefault(int(feats[0].value), {})[game.key] = _get_players(feats)
        self._values = sorted(self._held, reverse=True)
        self.won = self._others(None)[1]

    def _others(self, but: int | str | None) -> tuple[int, frozenset[PlayerKey]]:
        """The best of all games but one, and its player; nobody if no other game brought a record."""
        for value in self._values:
            players = [feat for key, feat in self._held[value].items() if key != but]
            if players:
                return value, frozenset(chain.from_iterable(players))
        return 0, frozenset()

    def steps(self, game: StatisticsGame, side: int) -> Iterable[int]:
        """Where the game turns, and where its score, lead or best play passes what the others have."""
        value = self._others(game.key)[0]
        own, theirs = game.scores[side], game.scores[1 - side]
        best, other = (max(game.halves[half].moves, default=0) for half in (side, 1 - side))
        # Where the game is level; where the score, the lead, or a defeat that shrinks is level with the best elsewhere;
        # where the best play is level with that, or with the opponent's.
        ends = {theirs - own, value - own, value - (own - theirs), theirs - own - value, value - best, other - best}
        return {end + more for end in ends for more in (0, 1)}

    def with_points(self, game: StatisticsGame, side: int, points: int) -> frozenset[PlayerKey]:
        """Who holds the record with so many extra points."""
        value, players = self._others(game.key)
        feats = self._made(_add_points(game, side, points))
        if not feats or (players and feats[0].value < value):
            return players
        players_now = _get_players(feats)
        return players_now if feats[0].value > value or not players else players_now | players


class _AverageRecord:
    """The best average of points. `won`: who has it."""

    def __init__(self, games: Sequence[StatisticsGame]) -> None:
        self._of = {feat.player: feat for feat in statistics.averages(games)}
        self._best = max((feat.value for feat in self._of.values()), default=0)
        self.won = _get_players(feat for feat in self._of.values() if feat.value == self._best)

    def steps(self, game: StatisticsGame, side: int) -> Iterable[int]:
        """Where the player's total is enough, whichever game the points are scored in."""
        own = self._of.get(game.halves[side].player)
        if own is None:
            return ()
        # Averages are fractions: floats might come out just above a whole number, and `ceil` would ask for one more.
        level = ceil((self._best - own.value) * own.games)
        return level, level + 1

    def with_points(self, game: StatisticsGame, side: int, points: int) -> frozenset[PlayerKey]:
        """Who holds the record with so many extra points."""
        own = self._of.get(game.halves[side].player)
        if own is None:
            return self.won
        value = own.value + Fraction(points, own.games)
        others = [feat for feat in self._of.values() if feat is not own and feat.value >= value]
        best = max((feat.value for feat in others), default=value)
        held = _get_players(feat for feat in others if feat.value == best)
        return held | {own.player} if value == best else held


def _record_feats(kind: RecordKind, game: StatisticsGame) -> Sequence[Feat]:
    """What counts for a record in one game."""
    return next((record.feats for record in statistics.records([game]) if record.kind == kind), ())


RecordQuestion = _GameRecord | _AverageRecord


def make_record_question(kind: PrizeKind, games: Sequence[StatisticsGame]) -> RecordQuestion | None:
    """The record that a prize is for; None if it is for none, or for one that does not depend on points."""
    match kind:
        case PrizeKind.BEST_AVERAGE:
            return _AverageRecord(games)
        case PrizeKind.BIGGEST_UPSET:
            return _GameRecord(games, lambda game: statistics.upsets([game]))
        case PrizeKind.HIGHEST_GAME | PrizeKind.HIGHEST_LOSING_SCORE | PrizeKind.BIGGEST_WIN | PrizeKind.BEST_MOVE:
            return _GameRecord(games, partial(_record_feats, RecordKind(kind.value)))
    return None


def find_record_turning_point(
    kind: PrizeKind, games: Sequence[StatisticsGame], course: EventCourse, most: int = MAX_MORE_POINTS
) -> TurningPoint | MorePlays | None:
    """The smallest change by which others, fewer or more would hold the record of a prize; of equal ones the earliest,
    and the first player's before the second's. None for a prize without a record, if nobody holds it, and if no change
    of up to `most` points does it."""
    if kind == PrizeKind.MOST_BINGOS:
        return _find_more_plays(games)
    held = make_record_question(kind, games)
    if held is None or not held.won:
        return None
    is_of_play = kind == PrizeKind.BEST_MOVE
    tried: set[tuple[int, int, int]] = set()
    for at, game in enumerate(games):
        for side in (0, 1) if game.is_played else ():
            half = game.halves[side]
            # Where no plays were written down nobody knows which one would have been better.
            if not is_of_play or half.moves:
                further = course.steps(course.spot(game.key), half.player)
                tried |= {(points, at, side) for points in (*held.steps(game, side), *further)}
    for points, at, side in sorted(change for change in tried if 1 <= change[0] <= most):
        game = games[at]
        now = held.with_points(game, side, points)
        if now and now != held.won:
            own, theirs = game.halves[side], game.halves[1 - side]
            score = (game.scores[side], game.scores[1 - side])
            change = MorePoints(course.spot(game.key), own.player, theirs.player, score, points)
            # Asked last: for a game of the knock-out the whole bracket is worked out again.
            if course.keeps(change):
                return TurningPoint(change, held.won, now, play=max(own.moves) if is_of_play else None)
    return None


def _find_more_plays(games: Sequence[StatisticsGame]) -> MorePlays | None:
    """How many more plays of all seven tiles would have been enough, for players whose plays are written down."""
    counts: Mapping[PlayerKey, int] = {feat.player: int(feat.value) for feat in statistics.bingos(games)}
    if not any(counts.values()):
        return None
    most = max(counts.values())
    won = frozenset(player for player, count in counts.items() if count == most)
    if len(won) > 1:
        # One more by any of those who share it would be the most alone: told of the first.
        first = next(player for player in counts if player in won)
        return MorePlays(first, 1, won, frozenset({first}))
    near = sorted((player for player in counts if player not in won), key=lambda player: -counts[player])
    return MorePlays(near[0], most - counts[near[0]], won, won | {near[0]}) if near else None
