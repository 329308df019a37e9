"""The procedures by their names."""

from collections.abc import Iterable

from scoring.ratings import norwegian, tsh_deu
from scoring.ratings.values import NewRating, RatedGame, RatedPlayer, RatingSystem
from scoring.standings import PlayerKey


def rate_event(
    players: Iterable[RatedPlayer], games: Iterable[RatedGame], *, rounds: int, system: RatingSystem
) -> dict[PlayerKey, NewRating]:
    """Everybody's rating after a field's games, in the order of `players`. `rounds` is how many rounds the event has:
    a long one is rated in parts by `tsh-deu`. Games of higher rounds belong to the last part."""
    if system == RatingSystem.NORWEGIAN:
        return norwegian.rate_event(players, games)
    return tsh_deu.rate_event(players, games, rounds=rounds)
