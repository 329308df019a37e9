"""Lists of those entered: for the wall, and for the desk where they check in."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _

from tournament.printing.grid import Cells, PrintedCell, PrintedColumn, PrintedTable
from tournament.printing.paper import MM, Align, Paper, share
from tournament.printing.values import EntryLine, Header

ROWS_A_PAGE = 34
TALLEST_ROW = 12 * MM
LARGEST = 14
HEAD = 8 * MM
EMPTY_BOX, TICKED_BOX = "\N{BALLOT BOX}", "\N{BALLOT BOX WITH CHECK}"


def participants(header: Header, lines: Sequence[EntryLine], notes: Sequence[str]) -> bytes:
    """Everybody entered by name, with club, rating and lifetime games."""
    columns = (
        PrintedColumn(_("No."), 15 * MM, Align.RIGHT),
        PrintedColumn(_("Name"), 63 * MM, bold=True, group="names"),
        PrintedColumn(_("Club"), 43 * MM, scale=0.85, group="clubs"),
        PrintedColumn(_("Rating"), 22 * MM, Align.RIGHT),
        PrintedColumn(_("Lifetime games"), 22 * MM, Align.RIGHT),
        PrintedColumn("", 25 * MM, scale=0.7, group="marks"),
    )
    return _list(Paper(header, _("Entries"), notes=notes), columns, lines, _entered)


def _entered(line: EntryLine) -> tuple[PrintedCell | str, ...]:
    return line.key, line.name, line.club, line.rating, line.games, line.mark


def check_in(header: Header, lines: Sequence[EntryLine], notes: Sequence[str]) -> bytes:
    """Everybody entered by name with boxes to tick: there, fee paid; what is ticked already is."""
    columns = (
        PrintedColumn(_("There"), 16 * MM, Align.CENTRE, scale=1.3),
        PrintedColumn(_("Name"), 74 * MM, bold=True, group="names"),
        PrintedColumn(_("Club"), 46 * MM, scale=0.85, group="clubs"),
        PrintedColumn(_("Fee"), 16 * MM, Align.CENTRE, scale=1.3),
        PrintedColumn(_("Remark"), 38 * MM, scale=0.7, group="marks"),
    )
    return _list(Paper(header, _("Check-in"), notes=notes), columns, lines, _to_tick)


def _to_tick(line: EntryLine) -> tuple[PrintedCell | str, ...]:
    return _box(line.present), line.name, line.club, _box(line.fee_paid), line.mark


def _box(ticked: bool) -> str:  # it is the box's state
    return TICKED_BOX if ticked else EMPTY_BOX


def _list(
    paper: Paper,
    columns: tuple[PrintedColumn, ...],
    lines: Sequence[EntryLine],
    cells: Callable[[EntryLine], Cells],
) -> bytes:
    rows = [cells(line) for line in lines]
    pages = share(rows, ROWS_A_PAGE)
    height = min(TALLEST_ROW, (paper.content.height - HEAD) / len(pages[0]))
    grid = PrintedTable(columns, height, min(LARGEST, height * 0.52), head_height=HEAD)
    return grid.even(rows).document(paper, pages)
