"""The pairings of a round as a list shows them, by table and by name."""

from collections.abc import Iterable
from dataclasses import dataclass

from tournament.models import Entry, Pairing, Result, Round
from tournament.table.league import list_round_pairings
from tournament.table.published_games import HALF_WINS_PER_WIN, credit_result


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A pairing with its players and its result, which is None while the game is open."""

    pairing: Pairing
    first: Entry
    second: Entry | None
    result: Result | None
    first_won: bool
    second_won: bool


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A player's place in a round, seen from their side."""

    entry: Entry
    opponent: Entry | None
    row: PairingRow
    is_first: bool
    won: bool
    own: int | None  # points, and the opponent's
    other: int | None


def list_pairing_rows(round: Round) -> list[PairingRow]:
    """A round's pairings by table; byes and absences last. Three queries."""
    rows = []
    for pairing in list_round_pairings(round):
        credits = credit_result(pairing.result, round.division.tournament.awards)
        first_won, second_won = (credit is not None and credit.half_wins == HALF_WINS_PER_WIN for credit in credits)
        rows.append(PairingRow(pairing, pairing.first, pairing.second, pairing.result, first_won, second_won))
    return rows


def list_players_by_name(found: Iterable[PairingRow]) -> list[SeatedPlayer]:
    """Everybody in a round in the order of names. No query."""
    seated = []
    for row in found:
        own, other = (row.result.first_points, row.result.second_points) if row.result else (None, None)
        seated.append(SeatedPlayer(row.first, row.second, row, True, row.first_won, own, other))
        if row.second is not None:
            seated.append(SeatedPlayer(row.second, row.first, row, False, row.second_won, other, own))
    return sorted(seated, key=lambda seat: (seat.entry.player.sort_name, seat.entry.pk))
