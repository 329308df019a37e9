"""What stands out of an event: the records of its games, each with everybody who holds it, and the upsets.

A played game counts everywhere. Of an awarded game only what the innocent player really reached counts, and only in
records of a player's own figures: highest game, best move, seven-tile plays (TSO 6.1.1). Byes and absences are not
games.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoring import awards
from scoring.awards import Outcome

StatisticsKey = Hashable
"""Names a player; never None."""

MAX_UPSETS = 5


class RecordKind(StrEnum):
    """The records, in the order in which they are shown."""

    HIGHEST_GAME = "highest_game"
    HIGHEST_LOSING_SCORE = "highest_losing_score"
    HIGHEST_COMBINED = "highest_combined"
    CLOSEST = "closest"
    BIGGEST_WIN = "biggest_win"
    BEST_AVERAGE = "best_average"
    BEST_MOVE = "best_move"
    MOST_BINGOS_IN_GAME = "most_bingos_in_game"
    MOST_BINGOS = "most_bingos"


@dataclass(frozen=True, slots=True)
class GameHalf:
    """One player's half of a game; None or no moves: not recorded. `moves` are points of single plays."""

    player: StatisticsKey
    points: int | None = None
    rating: int | None = None
    moves: tuple[int, ...] = ()
    bingos: int | None = None


@dataclass(frozen=True, slots=True)
class StatisticsGame:
    """A game with an opponent and what came out of it. `key` names it for the caller.

    Raises ValueError for a bye or an absence, which are not games, and for a played game without both scores.
    """

    key: StatisticsKey
    outcome: Outcome
    first: GameHalf
    second: GameHalf

    def __post_init__(self) -> None:
        if self.outcome in awards.OUTCOMES_WITHOUT_OPPONENT:
            raise ValueError(f"{self.outcome} is no game: {self.key}")
        if self.is_played and None in (self.first.points, self.second.points):
            raise ValueError(f"a played game needs both scores: {self.key}")

    @property
    def is_played(self) -> bool:
        return self.outcome == Outcome.PLAYED

    @property
    def scores(self) -> tuple[int, int]:
        """Both final scores of a played game."""
        assert self.first.points is not None
        assert self.second.points is not None
        return self.first.points, self.second.points

    @property
    def halves(self) -> tuple[GameHalf, GameHalf]:
        return self.first, self.second

    @property
    def ranked(self) -> tuple[GameHalf, GameHalf]:
        """Winner and loser of a played game; first and second player of a draw."""
        return (self.second, self.first) if self.scores[1] > self.scores[0] else (self.first, self.second)

    @property
    def margin(self) -> int:
        """By how much a played game was won; 0 for a draw."""
        return abs(self.scores[0] - self.scores[1])


@dataclass(frozen=True, slots=True)
class Feat:
    """What one player reached: in one game, or in the whole event (`game` is None) over so many `games`.

    Where a feat belongs to both players of a game it stands once, under the winner's name.
    """

    player: StatisticsKey
    value: int | Fraction
    game: StatisticsGame | None = None
    games: int = 1


@dataclass(frozen=True, slots=True)
class Record:
    """A record and everybody who holds it, in the order of the games."""

    kind: RecordKind
    feats: tuple[Feat, ...]

    @property
    def value(self) -> int | Fraction:
        return self.feats[0].value


def records(games: Iterable[StatisticsGame]) -> tuple[Record, ...]:
    """The records of these games in the order of `RecordKind`; a record that nobody can hold yet is left out."""
    found = list(games)
    tried = {
        RecordKind.HIGHEST_GAME: _best_feats(_score_feats(found)),
        RecordKind.HIGHEST_LOSING_SCORE: _best_feats(_losing_scores(found)),
        RecordKind.HIGHEST_COMBINED: _best_feats(
            [Feat(g.ranked[0].player, sum(g.scores), g) for g in found if g.is_played]
        ),
        RecordKind.CLOSEST: _least_feats(
            [Feat(game.ranked[0].player, game.margin, game) for game in found if game.is_played]
        ),
        RecordKind.BIGGEST_WIN: _best_feats(
            [Feat(g.ranked[0].player, g.margin, g) for g in found if g.is_played and g.margin]
        ),
        RecordKind.BEST_AVERAGE: _best_feats(averages(found)),
        RecordKind.BEST_MOVE: _best_feats(
            [Feat(h.player, max(h.moves), game) for game, h in _counting_halves(found) if h.moves]
        ),
        RecordKind.MOST_BINGOS_IN_GAME: _best_feats(
            [Feat(h.player, h.bingos, g) for g, h in _counting_halves(found) if h.bingos]
        ),
        RecordKind.MOST_BINGOS: _best_feats([feat for feat in bingos(found) if feat.value]),
    }
    return tuple(Record(kind, feats) for kind, feats in tried.items() if feats)


def upsets(games: Iterable[StatisticsGame], most: int = MAX_UPSETS) -> tuple[Feat, ...]:
    """Wins over higher-rated players, by how much, the biggest first: `most` of them, and any level with the last.

    Both ratings have to be known, and the game played: an award says nothing about who plays better.
    """
    found = []
    for game in games:
        if game.is_played and game.margin:
            winner, loser = game.ranked
            if winner.rating is not None and loser.rating is not None and loser.rating > winner.rating:
                found.append(Feat(winner.player, loser.rating - winner.rating, game))
    found.sort(key=lambda feat: -feat.value)
    return tuple(feat for feat in found if most and feat.value >= found[:most][-1].value)


def _best_feats(feats: Sequence[Feat]) -> tuple[Feat, ...]:
    best = max((feat.value for feat in feats), default=0)
    return tuple(feat for feat in feats if feat.value == best)


def _least_feats(feats: Sequence[Feat]) -> tuple[Feat, ...]:
    least = min((feat.value for feat in feats), default=0)
    return tuple(feat for feat in feats if feat.value == least)


def _counting_halves(games: Iterable[StatisticsGame]) -> list[tuple[StatisticsGame, GameHalf]]:
    """Each player's half of each game that counts for them: played, or awarded to them after it had begun."""
    found = []
    for game in games:
        scores = awards.reached_scores(game.outcome, game.first.points, game.second.points)
        found += [(game, half) for half, score in zip(game.halves, scores, strict=True) if score is not None]
    return found


def _score_feats(games: Iterable[StatisticsGame]) -> list[Feat]:
    return [Feat(half.player, half.points, game) for game, half in _counting_halves(games) if half.points is not None]


def _losing_scores(games: Iterable[StatisticsGame]) -> list[Feat]:
    """The loser's score of each played game that somebody lost."""
    return [Feat(game.ranked[1].player, min(game.scores), game) for game in games if game.is_played and game.margin]


def averages(games: Iterable[StatisticsGame]) -> list[Feat]:
    """Points per played game, of each player who has played at least half as many as whoever has played most."""
    scores: dict[StatisticsKey, list[int]] = {}
    for game in games:
        if game.is_played:
            for half, points in zip(game.halves, game.scores, strict=True):
                scores.setdefault(half.player, []).append(points)
    most = max(map(len, scores.values()), default=0)
    return [
        Feat(player, Fraction(sum(points), len(points)), games=len(points))
        for player, points in scores.items()
        if 2 * len(points) >= most
    ]


def bingos(games: Iterable[StatisticsGame]) -> list[Feat]:
    """Each player's seven-tile plays over all games in which they were recorded."""
    found: dict[StatisticsKey, list[int]] = {}
    for _game, half in _counting_halves(games):
        if half.bingos is not None:
            found.setdefault(half.player, []).append(half.bingos)
    return [Feat(player, sum(counts), games=len(counts)) for player, counts in found.items()]
