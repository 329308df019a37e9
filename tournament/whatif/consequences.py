"""What a result would change: the ranks, and what was paired or seeded on the old figures.

Reads only. A correction never touches what has been played; this says how it would have been otherwise.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring import standings
from tournament.models import Entry, Pairing
from tournament.queries import league
from tournament.reports import Report
from tournament.whatif import knockout as knockout_consequences
from tournament.whatif import later_rounds
from tournament.whatif.knockout import KnockoutChange
from tournament.words.consequences import RedrawnRound, SeedingKept


@dataclass(frozen=True, slots=True)
class RankChange:
    """A player's row in the table as it is and as it would be."""

    entry: Entry
    before: standings.Standing
    after: standings.Standing

    @property
    def changes_rank(self) -> bool:
        return self.before.rank != self.after.rank


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a result would change.

    In the league, `players` are those at the table, `moves` everybody whose rank changes, `later` the rounds that were
    paired on the result, `seeding` what becomes of a knock-out that is seeded already. A game of the knock-out has only
    `knockout`. `after`: the round whose table it is; None for the table as it stands.
    """

    after: int | None = None
    players: tuple[RankChange, ...] = ()
    moves: tuple[RankChange, ...] = ()
    later: tuple[RedrawnRound, ...] = ()
    seeding: SeedingKept | None = None
    knockout: KnockoutChange | None = None


def of(at: Pairing, report: Report | None) -> Consequences:
    """What would change if `report` became the official result of a pairing, or (None) if its result were withdrawn.

    `at` has its players fetched. The number of queries depends only on the number of later league rounds.
    """
    if at.round.is_knockout:
        return Consequences(knockout=knockout_consequences.of(at, report))
    division = at.round.division
    everybody = league.entries(division)
    now = league.games(division)
    then = _with(now, at, report)
    last = max((game.round for game in (*now, *then)), default=0)
    tables = [
        {row.player: row for row in league.rank(division, league.in_table(everybody, played, last), played, after=last)}
        for played in (now, then)
    ]
    everybody = league.in_table(everybody, [*now, *then], last)
    changes = (RankChange(entry, *(table.get(entry.pk) or _no_row(entry) for table in tables)) for entry in everybody)
    moves = tuple(sorted(changes, key=lambda move: (move.after.rank or len(everybody), move.entry.position)))
    seated = {seat.entry_id for seat in at.seats.all()}
    return Consequences(
        after=last,
        players=tuple(move for move in moves if move.entry.pk in seated),
        moves=tuple(move for move in moves if move.changes_rank),
        later=tuple(later_rounds.of(at, report, now, then)),
        seeding=knockout_consequences.seeding(division, *(_order(everybody, table) for table in tables)),
    )


def _no_row(entry: Entry) -> standings.Standing:
    """Of somebody who is not in the table: announced for a later round, and without a result so far."""
    return standings.Standing(None, entry.pk, half_wins=0, spread=0, points=0, games=0, highest_game=None)


def _order(everybody: Sequence[Entry], table: Iterable[standings.Key]) -> list[Entry]:
    """Everybody who can be seeded, in the order of a table."""
    by_key: dict[standings.Key, Entry] = {entry.pk: entry for entry in everybody}
    return [by_key[key] for key in table if not by_key[key].is_withdrawn]


def _with(games: Sequence[standings.Game], at: Pairing, report: Report | None) -> list[standings.Game]:
    """The games with `report` in the place of the pairing's own."""
    number, first, second = at.round.number, at.first.pk, at.second
    others = [game for game in games if (game.round, game.first) != (number, first)]
    if report is None:
        return others
    return [*others, report.game(number, first, second.pk if second else None)]
