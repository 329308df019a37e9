"""The Norwegian procedure: ratings by spread, each with a deviation.

Taral Seierstad's rating for Norwegian Scrabble, in the form in which federations abroad use it. Five points of rating
are worth one point of spread in a game; a single game's spread scatters by 90 points. Each game is an observation of
the player's strength: the opponent's rating and five points for each point of spread. It weighs the more, the more
certain the opponent's rating is; the player's own rating weighs by its own deviation. The new rating is the weighted
mean of all that. All games of an event count at once, with the ratings from before it.

Who has no rating is counted with 1500, and who has no known deviation with 400. That deviations grow while somebody
does not play is a habit of rating offices, not of the procedure, and is left to them.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from scoring.ratings.values import GamePart, NewRating, OwnGame, RatedGame, RatedPlayer, Segment, list_own_games
from scoring.standings import PlayerKey

RATING_PER_POINT = 5  # of spread
SPREAD_OF_A_GAME = 90  # standard deviation of one game's spread
NEWCOMER_RATING = 1500
UNKNOWN_DEVIATION = 400.0


def rate_event(players: Iterable[RatedPlayer], games: Iterable[RatedGame]) -> dict[PlayerKey, NewRating]:
    """Everybody's rating and deviation after the games of a field."""
    field = {player.player: player for player in players}
    own_games = list_own_games(games)
    return {
        player: _rate_player(field_player, own_games.get(player, ()), field) for player, field_player in field.items()
    }


def _rate_player(player: RatedPlayer, games: Sequence[OwnGame], field: Mapping[PlayerKey, RatedPlayer]) -> NewRating:
    before = get_deviation(player)
    if not games:
        return NewRating(player, deviation_before=before, deviation_after=before)
    rating = get_rating(player)
    # How far one game may mislead about a rating, as a variance: by its spread, and by what is unsure of the opponent.
    spread_variance = (RATING_PER_POINT * SPREAD_OF_A_GAME) ** 2
    weights = [1 / (spread_variance + get_deviation(field[game.opponent]) ** 2) for game in games]
    variance = 1 / (1 / before**2 + sum(weights))
    parts = []
    for game, weight in zip(games, weights, strict=True):
        opponent = get_rating(field[game.opponent])
        surprise = opponent + RATING_PER_POINT * game.spread - rating
        expected = (rating - opponent) / RATING_PER_POINT
        parts.append(GamePart(game, opponent, expected, game.spread, variance * weight * surprise))
    exact = rating + sum(part.points or 0.0 for part in parts)
    return NewRating(player, (Segment(player.rating, exact, tuple(parts)),), before, sqrt(variance))


def get_rating(player: RatedPlayer) -> int:
    """The rating that a player is counted with."""
    return NEWCOMER_RATING if player.rating is None else player.rating


def get_deviation(player: RatedPlayer) -> float:
    """The deviation that a player is counted with."""
    return UNKNOWN_DEVIATION if player.deviation is None else player.deviation
