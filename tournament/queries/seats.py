"""Who sits where: the seats of many pairings, read in one query and put together pairing by pairing."""

from typing import Any, NamedTuple

from django.db.models import QuerySet

from tournament.models import Seat


class Players(NamedTuple):
    """The players of a pairing by entry id: the one who starts or is listed first, and the opponent (None: nobody).

    `about` holds the other columns asked for.
    """

    first: int
    second: int | None
    about: tuple[Any, ...]


def by_pairing(seats: QuerySet[Seat], *columns: str) -> dict[int, Players]:
    """The players of each pairing by its id, in the order of the seats, with these other columns. One query."""
    starters: dict[int, tuple[int, tuple[Any, ...]]] = {}
    opponents: dict[int, int] = {}
    for row in seats.values_list("pairing_id", "side", "entry_id", *columns):
        pairing, side, entry = row[:3]
        if side == Seat.FIRST:
            starters[pairing] = entry, row[3:]
        else:
            opponents[pairing] = entry
    return {pairing: Players(entry, opponents.get(pairing), about) for pairing, (entry, about) in starters.items()}
