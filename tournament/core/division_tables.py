"""Which tables of the hall a division sits at."""

from collections.abc import Iterable, Iterator, Sequence

from django.db.models import Count, Q
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.models import Division, Entry, Pairing, Round, Tournament

TableRange = tuple[int, int]
"""The first and the last of consecutive tables."""


def list_division_tables(tournament: Tournament) -> dict[int, list[TableRange]]:
    """The tables of each division by its id: those that the director has given it, or as many as its players need,
    from where the division before ends. One query."""
    tables: dict[int, list[TableRange]] = {}
    last = 0
    divisions = tournament.divisions.annotate(entered=Count("entries"))
    for division in divisions.order_by("position", "pk"):
        # Whoever has withdrawn still counts: nobody else's table moves because somebody goes home.
        # At least one: without entries the range would end before it begins.
        needed = max(1, (division.entered + 1) // 2)
        tables[division.pk] = read_table_ranges(division.tables) or [(last + 1, last + needed)]
        # Behind the highest table so far and not behind the division before: a director may have given that one the
        # tables at the front.
        last = max(last, *(end for _start, end in tables[division.pk]))
    return tables


def read_table_ranges(stored: list[list[int]]) -> list[TableRange]:
    """The ranges as `Division.tables` and the tournament file hold them."""
    return [(first, last) for first, last in stored]


def find_free_tables(division: Division) -> tuple[tuple[TableRange, ...], frozenset[int]]:
    """The division's own tables, and those at which none of its games may be put: given to other divisions, kept for
    one of their players, in a round that others play or have drafted, or used by an open game of any knock-out. Both
    empty in an event with a single division without tables of its own, whose tables count from 1. Four queries at
    most."""
    tables = list_division_tables(division.tournament)
    # The usual event: no query is made for what nobody else could take.
    if len(tables) == 1 and not division.tables:
        return (), frozenset()
    own = tables[division.pk]
    if not division.tables:  # it grows with its players
        own = [(own[0][0], limits.TABLE.high)]
    others = [other for other in division.tournament.divisions.all() if other.pk != division.pk]
    tables_of_others = {table for other in others if other.tables for table in list_table_numbers(tables[other.pk])}
    entries = Entry.objects.filter(division__in=others, withdrawn_after=None)
    tables_of_others.update(filter(None, entries.values_list("fixed_table", flat=True)))
    games = Pairing.objects.filter(round__division__in=tables, kind=Pairing.Kind.GAME)
    # A closed round holds no table any more; whoever plays next may sit there at once.
    is_of_others = Q(round__division__in=others, round__stage=None) & ~Q(round__state=Round.State.CLOSED)
    is_open_match = Q(round__stage__isnull=False) & ~Q(results__official=True)
    tables_of_others.update(filter(None, games.filter(is_of_others | is_open_match).values_list("table", flat=True)))
    return tuple(own), frozenset(tables_of_others)


def find_table_range_problems(ranges: Iterable[TableRange]) -> list[Refusal]:
    """The refusals of ranges that run backwards or beyond the numbers that tables have; none otherwise."""
    message = _("Tables %(first)s to %(last)s: tables are numbered from %(low)s to %(high)s, the lower number first.")
    return [
        Refusal("tables_not_possible", message, field="tables", first=first, last=last, **limits.TABLE.ends)
        for first, last in ranges
        if not (limits.TABLE.holds(first) and limits.TABLE.holds(last) and first <= last)
    ]


def find_shared_table(ranges: Sequence[TableRange], others: Sequence[TableRange]) -> int | None:
    """The lowest table that is in both lists of ranges."""
    shared = [max(first, low) for first, last in ranges for low, high in others if max(first, low) <= min(last, high)]
    return min(shared, default=None)


def list_table_numbers(ranges: Iterable[TableRange]) -> Iterator[int]:
    """The tables of these ranges, one after another."""
    for first, last in ranges:
        yield from range(first, last + 1)


def format_tables(ranges: Iterable[Sequence[int]]) -> str:
    """Ranges of tables as people write them."""
    return ", ".join(str(first) if first == last else f"{first}–\N{WORD JOINER}{last}" for first, last in ranges)
