"""Lots: the last resort to separate players whom the table leaves level."""

from collections.abc import Collection, Sequence
from itertools import groupby
from random import SystemRandom

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.standings import Criterion
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.core.seen import list_results_things
from tournament.models import Division, Entry, Lot
from tournament.pairing.lots import draw_player_lot, find_seed_tiles, make_tile_seed
from tournament.results.knockout_games import update_all_knockouts, update_knockout_games
from tournament.results.knockout_state import get_stored_knockout
from tournament.table.league import LeagueTable, TableRow, get_last_round_number, load_table

HIGHEST_DRAW_SEED = 2**31  # seeds run from 1 to this


def make_draw_seed() -> int:
    """A fresh seed; it is stored with the round, so that the draw can be repeated."""
    return SystemRandom().randrange(1, HIGHEST_DRAW_SEED)


def find_level_groups(table: LeagueTable) -> list[list[Entry]]:
    """The groups of players who share a rank in a table, in its order. No query."""
    # Whoever has left has no rank: all of them together would be one group, and lots would be offered for it.
    ranked = [row for row in table.rows if row.standing.rank is not None]
    grouped = (list(rows) for _, rows in groupby(ranked, key=lambda row: row.standing.rank))
    return [[row.entry for row in rows] for rows in grouped if len(rows) > 1]


def order_by_lot(level: Sequence[Entry], *, seed: int) -> list[Entry]:
    """Players in an order drawn by a seed, numbered by name: the same names and seed give the same order on every
    machine."""
    numbered = enumerate(sorted(level, key=lambda entry: (entry.name, entry.pk)), 1)
    return [entry for _number, entry in sorted(numbered, key=lambda each: draw_player_lot(seed, each[0]))]


def _load_complete_table(division: Division, after: int) -> LeagueTable:
    """Return the table after a round. Raises `no_table` or `table_incomplete`."""
    last = get_last_round_number(division)
    if not 1 <= after <= last:
        message = gettext_lazy("There is no table after round %(after)s; the last published round is %(last)s.")
        raise Refusal("no_table", message, field="after", after=after, last=last)
    table = load_table(division, after=after)
    if table.missing:
        message = gettext_lazy(
            "Results still missing in round %(after)s: %(missing)s. Enter them before lots are drawn."
        )
        raise Refusal("table_incomplete", message, after=after, missing=table.missing)
    return table


def settle_tie_by_lot(
    division: Division, *, after: int, order: Sequence[Entry], actor: Actor, seed: int | None = None
) -> Lot:
    """Settle a tie after round `after` in the `order` in which lots were drawn; with `seed` the program draws among
    these. Raises `no_table`, `table_incomplete`, or `not_level` unless these are all the players who
    share one rank; `LaterGamesDisturbed` if games of a knock-out that its places decide have been played."""
    drawn = list(order) if seed is None else order_by_lot(order, seed=seed)
    about = {"division": division.name, "after": after, "order": [entry.name for entry in drawn], "seed": seed}
    with change(division.tournament, actor=actor, verb="settle_by_lot", **about) as log:
        # A result may come in while the lots lie on the table. The players are then no longer level, and the lot would
        # settle a tie that is none.
        log.rely_on(*list_results_things(division))
        table = _load_complete_table(division, after)
        # All of them or none: a lot among two of three who are level says nothing of the third.
        keys = [entry.pk for entry in drawn]
        if sorted(keys) not in [sorted(entry.pk for entry in group) for group in find_level_groups(table)]:
            raise Refusal(
                "not_level",
                gettext_lazy(
                    "After round %(after)s the table does not leave exactly these players level: "
                    "%(names)s. Lots separate all who share one rank, and nobody else."
                ),
                field="order",
                after=after,
                names="; ".join(entry.name for entry in drawn),
            )
        # Only a seed that was made of tiles gives them back; for any other, and for lots drawn by hand, the column
        # stays empty.
        drawn_lot = log.create(Lot(division=division, after=after, order=keys, tiles=find_seed_tiles(seed or 0)))
        # A level match of the knock-out may be decided by the places that these lots have just parted.
        update_all_knockouts(log, log.tournament)
        return drawn_lot


def list_lot_notes(division: Division, after: int, rows: Sequence[TableRow]) -> list[str]:
    """Which tiles ties of a table were settled by, and how to repeat it, where these give that order. One query where
    lots decided, else none."""
    if not any(row.standing.decided_by == Criterion.LOT for row in rows):
        return []
    entries, notes = {row.entry.pk: row.entry for row in rows}, []
    for lot in division.lots.filter(after=after).exclude(tiles="").order_by("pk"):
        drawn = [entries[pk] for pk in lot.order if pk in entries]
        # Tried before it is said: players are numbered by name, and since one was corrected the same tiles may give
        # another order.
        if len(drawn) == len(lot.order) and order_by_lot(drawn, seed=make_tile_seed(lot.tiles)) == drawn:
            message = _(
                "Lot among %(names)s, drawn from the bag: %(spaced)s. Whoever enters %(tiles)s for a lot among the "
                "same players gets the same order."
            )
            names, spaced = "; ".join(entry.name for entry in drawn), "\N{NO-BREAK SPACE}".join(lot.tiles)
            notes.append(message % {"names": names, "spaced": spaced, "tiles": lot.tiles})
    return notes


def discard_lot(lot: Lot, *, actor: Actor, disturb: Collection[int] = ()) -> None:
    """Take lots back; the players are level again. Raises `LaterGamesDisturbed` unless `disturb` has the results of the
    knock-out lost by it."""
    about = {"division": lot.division.name, "after": lot.after}
    with change(lot.division.tournament, actor=actor, verb="discard_lot", **about) as log:
        # By a query: pressed twice, the second finds nothing, and leaves no entry in the journal.
        log.delete_all(list(Lot.objects.filter(pk=lot.pk)))
        # A level match of the knock-out may have been decided by the places that these lots had parted.
        if (knockout := get_stored_knockout(lot.division)) is not None:
            update_knockout_games(log, knockout, disturb=disturb)
