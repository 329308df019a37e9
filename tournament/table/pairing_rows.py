"""The pairings of a round from the side of their players, as lists by name show them."""

from collections.abc import Iterable
from dataclasses import dataclass

from tournament.models import Entry, Pairing
from tournament.table.published_games import HALF_WINS_PER_WIN, credit_result


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A player's place in a round, seen from their side."""

    entry: Entry
    opponent: Entry | None
    pairing: Pairing
    is_first: bool
    won: bool
    own: int | None  # points, and the opponent's
    other: int | None


def find_winning_sides(pairing: Pairing) -> tuple[bool, bool]:
    """Whether the first and the second player have won. Reads the round with its tournament, and the result."""
    first, second = credit_result(pairing.result, pairing.round.division.tournament.awards)
    return (
        first is not None and first.half_wins == HALF_WINS_PER_WIN,
        second is not None and second.half_wins == HALF_WINS_PER_WIN,
    )


def list_players_by_name(pairings: Iterable[Pairing]) -> list[SeatedPlayer]:
    """Everybody in a round in the order of names. No query."""
    seated = []
    for pairing in pairings:
        first, second, result = pairing.first, pairing.second, pairing.result
        own, other = (result.first_points, result.second_points) if result else (None, None)
        first_won, second_won = find_winning_sides(pairing)
        seated.append(SeatedPlayer(first, second, pairing, True, first_won, own, other))
        if second is not None:
            seated.append(SeatedPlayer(second, first, pairing, False, second_won, other, own))
    return sorted(seated, key=lambda seat: (seat.entry.player.sort_name, seat.entry.pk))
