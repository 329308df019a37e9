"""What stands out in an event: the records of its games, each with everybody who holds it, and the upsets. A played
game counts for every record. An awarded game counts only with what the innocent player really reached, and only for
records of a player's own figures: highest game, best move, seven-tile plays (TSO 6.1.1). Byes and absences are not
games."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoring import awards
from scoring.awards import Outcome
from scoring.standings import PlayerKey

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
    """One player's half of a game. `moves`: the points of single plays. None or no moves: not recorded."""

    player: PlayerKey
    points: int | None = None
    rating: int | None = None
    moves: tuple[int, ...] = ()
    bingos: int | None = None


@dataclass(frozen=True, slots=True)
class StatisticsGame:
    """A game with an opponent, and its result. `key` names it for the caller. Raises ValueError for a bye or an
    absence, which are not games, and for a played game without both scores."""

    key: int | str
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
        assert self.first.points is not None
        assert self.second.points is not None
        return self.first.points, self.second.points

    @property
    def halves(self) -> tuple[GameHalf, GameHalf]:
        return self.first, self.second

    @property
    def ranked(self) -> tuple[GameHalf, GameHalf]:
        """Winner and loser of a played game; in a draw, the first and the second player."""
        return (self.second, self.first) if self.scores[1] > self.scores[0] else (self.first, self.second)

    @property
    def margin(self) -> int:
        """By how much a played game was won; 0 for a draw."""
        return abs(self.scores[0] - self.scores[1])


@dataclass(frozen=True, slots=True)
class Feat:
    """What one player achieved: in one game, or over so many `games` in the whole event (then `game` is None). A feat
    of both players of a game is listed once, under the winner."""

    player: PlayerKey
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


def records(games: Iterable[StatisticsGame], without: Collection[PlayerKey] = ()) -> tuple[Record, ...]:
    """The records of these games, in the order of `RecordKind`; one that nobody can hold yet is left out. `without`:
    players who can hold none."""
    all_games = list(games)
    played = [game for game in all_games if game.is_played]
    # A draw is neither won nor lost: it is nobody's losing score.
    won = [game for game in played if game.margin]
    halves = _counting_halves(all_games)
    # Here alone the smallest figure is the record: only games of that margin are listed, for below the largest of each
    # list counts.
    closest = min((game.margin for game in played if game.ranked[0].player not in without), default=0)
    feats = {
        RecordKind.HIGHEST_GAME: [Feat(h.player, h.points, g) for g, h in halves if h.points is not None],
        RecordKind.HIGHEST_LOSING_SCORE: [Feat(g.ranked[1].player, min(g.scores), g) for g in won],
        RecordKind.HIGHEST_COMBINED: [Feat(g.ranked[0].player, sum(g.scores), g) for g in played],
        RecordKind.CLOSEST: [Feat(g.ranked[0].player, g.margin, g) for g in played if g.margin == closest],
        RecordKind.BIGGEST_WIN: [Feat(g.ranked[0].player, g.margin, g) for g in won],
        RecordKind.BEST_AVERAGE: averages(all_games),
        RecordKind.BEST_MOVE: [Feat(h.player, max(h.moves), g) for g, h in halves if h.moves],
        RecordKind.MOST_BINGOS_IN_GAME: [Feat(h.player, h.bingos, g) for g, h in halves if h.bingos],
        RecordKind.MOST_BINGOS: [feat for feat in bingos(all_games) if feat.value],
    }
    # Left out only now: how many games an average needs is still measured by those of all.
    feats = {kind: [feat for feat in listed if feat.player not in without] for kind, listed in feats.items()}
    best = {kind: max((feat.value for feat in listed), default=0) for kind, listed in feats.items()}
    held = {kind: tuple(feat for feat in listed if feat.value == best[kind]) for kind, listed in feats.items()}
    return tuple(Record(kind, holders) for kind, holders in held.items() if holders)


def upsets(games: Iterable[StatisticsGame], most: int = MAX_UPSETS) -> tuple[Feat, ...]:
    """Wins over higher-rated players and by how much, the biggest first: `most` of them, and any level with the last.
    Both ratings must be known, and the game played: an award does not say who plays better."""
    feats = []
    for game in games:
        if game.is_played and game.margin:
            winner, loser = game.ranked
            if winner.rating is not None and loser.rating is not None and loser.rating > winner.rating:
                feats.append(Feat(winner.player, loser.rating - winner.rating, game))
    feats.sort(key=lambda feat: -feat.value)
    # `most` first: of no feats there is no last one to be level with.
    return tuple(feat for feat in feats if most and feat.value >= feats[:most][-1].value)


def _counting_halves(games: Iterable[StatisticsGame]) -> list[tuple[StatisticsGame, GameHalf]]:
    """The halves of games that count for a player: games played, or awarded to them after they had begun."""
    halves = []
    for game in games:
        # Any figures will do: asked is only whether a score was really reached, which they do not change.
        both_credits = awards.credit(game.outcome, game.first.points, game.second.points, awards.DEFAULT_AWARDS)
        halves += [
            (game, half)
            for half, half_credit in zip(game.halves, both_credits, strict=True)
            if half_credit and half_credit.score is not None
        ]
    return halves


def averages(games: Iterable[StatisticsGame]) -> list[Feat]:
    """Points per played game, for players who have played at least half as many as whoever has played most."""
    scores: dict[PlayerKey, list[int]] = {}
    for game in games:
        if game.is_played:
            for half, points in zip(game.halves, game.scores, strict=True):
                scores.setdefault(half.player, []).append(points)
    most = max(map(len, scores.values()), default=0)
    return [
        Feat(player, Fraction(sum(points), len(points)), games=len(points))
        for player, points in scores.items()
        # A guest of one round must not hold the record of an event.
        if 2 * len(points) >= most
    ]


def bingos(games: Iterable[StatisticsGame]) -> list[Feat]:
    """Each player's seven-tile plays in all games in which they were recorded."""
    bingo_counts: dict[PlayerKey, list[int]] = {}
    for _game, half in _counting_halves(games):
        if half.bingos is not None:
            bingo_counts.setdefault(half.player, []).append(half.bingos)
    return [Feat(player, sum(counts), games=len(counts)) for player, counts in bingo_counts.items()]
