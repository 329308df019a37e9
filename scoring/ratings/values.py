"""What rating procedures take, and what they give."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import floor

from scoring.standings import PlayerKey


class RatingSystem(StrEnum):
    """A procedure by which ratings are worked out."""

    TSH_DEU = "tsh-deu"  # the German one, as the program tsh computes it: by wins
    NORWEGIAN = "norwegian"  # by spread, with a deviation that says how certain a rating is


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player before an event. `rating` is None for a newcomer; `games` are those of the player's life so far;
    `deviation` is None where none is known, and read by systems that have one."""

    player: PlayerKey
    rating: int | None
    games: int = 0
    deviation: float | None = None


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game that was played to its end and is rated. `round` says into which part of a long event it falls."""

    round: int
    first: PlayerKey
    second: PlayerKey
    first_points: int
    second_points: int


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A rated game from one player's side."""

    round: int
    opponent: PlayerKey
    spread: int

    @property
    def won(self) -> float:
        """1 for a win, a half for a draw, 0 for a loss."""
        return (self.spread > 0) + (self.spread == 0) / 2


@dataclass(frozen=True, slots=True)
class GamePart:
    """What a game did to a rating. `opponent_rating` is the one that the opponent was counted with. `expected` and
    `reached` are in the system's own measure: wins, or points of spread. `points` is None where a newcomer is rated by
    all games together; `feedback` is the game's share in the opponent's acceleration."""

    game: OwnGame
    opponent_rating: float
    expected: float
    reached: float
    points: float | None
    feedback: float = 0.0


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of an event that was rated by itself: the rating before and after it, and what its games did. The points
    and feedbacks of the parts and the `acceleration` make up the change."""

    old: int | None
    new_exact: float
    parts: tuple[GamePart, ...]
    acceleration: float = 0.0


@dataclass(frozen=True, slots=True)
class NewRating:
    """What an event makes of a player. Without a rated game the rating stays, and a newcomer has none (`new` None).
    `deviation_before` and `deviation_after` are None in systems without one."""

    before: RatedPlayer
    segments: tuple[Segment, ...] = ()
    deviation_before: float | None = None
    deviation_after: float | None = None

    @property
    def is_newcomer(self) -> bool:
        return self.before.rating is None

    @property
    def parts(self) -> tuple[GamePart, ...]:
        """All rated games of the player, in their order."""
        return tuple(part for segment in self.segments for part in segment.parts)

    @property
    def rated_games(self) -> int:
        return len(self.parts)

    @property
    def wins(self) -> float:
        return sum(part.game.won for part in self.parts)

    @property
    def spread(self) -> int:
        return sum(part.game.spread for part in self.parts)

    @property
    def expected(self) -> float | None:
        """What the ratings led to expect, in the system's measure; None for a newcomer."""
        return None if self.is_newcomer else sum(part.expected for part in self.parts)

    @property
    def new_exact(self) -> float | None:
        return self.segments[-1].new_exact if self.segments else self.before.rating

    @property
    def new(self) -> int | None:
        return None if self.new_exact is None else round_rating(self.new_exact)

    @property
    def change(self) -> int | None:
        """New less old; None for a newcomer."""
        return None if self.before.rating is None or self.new is None else self.new - self.before.rating


def round_rating(exact: float) -> int:
    """A rating as it is listed: to the nearest whole, halves upwards, also those that sums of fractions just miss."""
    return floor(round(exact, 9) + 0.5)


def list_own_games(games: Iterable[RatedGame]) -> dict[PlayerKey, list[OwnGame]]:
    """Each player's games as that player sees them, in the order of the rounds."""
    own_games: dict[PlayerKey, list[OwnGame]] = {}
    for game in sorted(games, key=lambda game: game.round):
        spread = game.first_points - game.second_points
        own_games.setdefault(game.first, []).append(OwnGame(game.round, game.second, spread))
        own_games.setdefault(game.second, []).append(OwnGame(game.round, game.first, -spread))
    return own_games
