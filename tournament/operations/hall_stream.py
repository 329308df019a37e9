"""Which tables' boards everybody may see as they are typed: otherwise a running game is its players' own."""

from tournament import limits
from tournament.models import Division, StreamedTable
from tournament.operations.change import Actor, change
from tournament.refusals import Refusals, out_of_range


def stream_table(division: Division, *, table: int, actor: Actor) -> None:
    """Let everybody see the board of this table, in every round. Raises `Refusals` for a table that cannot be."""
    if found := out_of_range("table", table, limits.TABLE):
        raise Refusals(found)
    with change(division.tournament, actor=actor, verb="stream_table", table=table) as log:
        if not StreamedTable.objects.filter(division=division, table=table).exists():
            log.create(StreamedTable(division=division, table=table))


def end_stream(division: Division, *, table: int, actor: Actor) -> None:
    """Let nobody see it any more."""
    with change(division.tournament, actor=actor, verb="end_stream", table=table) as log:
        log.delete_all(list(StreamedTable.objects.filter(division=division, table=table)))
