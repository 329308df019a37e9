"""The table of standings after a round, with what decided each place."""

from typing import TypeVar

from django.utils.translation import gettext as _

from tournament.printing.grid import PrintedCell, PrintedColumn, PrintedTable
from tournament.printing.paper import MM, Align, Paper, share
from tournament.printing.values import Header, StandingLine, StandingsSheet
from tournament.words import figures

ROWS_A_PAGE = 36
TALLEST_ROW = 9 * MM
LARGEST = 12

Part = TypeVar("Part")


def table(header: Header, sheet: StandingsSheet) -> bytes:
    """The table in order of ranks; the notes say how it is ranked and what is still open."""
    after = _("Standings after round %(number)s") % {"number": sheet.after}
    title = after if sheet.after else _("Standings before round 1")
    paper = Paper(header, title, notes=sheet.notes)
    box = paper.content
    pages = share(sheet.lines, ROWS_A_PAGE)
    for lines in paper.pages(pages):
        height = min(TALLEST_ROW, (box.height - 8 * MM) / len(pages[0]))
        grid = PrintedTable(_in_order(_columns(), sheet), height, min(LARGEST, height * 0.52))
        y = grid.head(paper, box.x, box.y)
        for line in lines:
            y = grid.row(paper, box.x, y, _in_order(_cells(line), sheet))
    return paper.done()


def _columns() -> tuple[PrintedColumn, ...]:
    return (
        PrintedColumn(_("Rank"), 14 * MM, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), 50 * MM),
        PrintedColumn(_("Club"), 27 * MM, scale=0.8),
        PrintedColumn(_("Wins"), 13 * MM, Align.RIGHT, bold=True),
        PrintedColumn(_("Spread"), 18 * MM, Align.RIGHT),
        PrintedColumn(_("Points"), 16 * MM, Align.RIGHT),
        PrintedColumn(_("Highest game"), 17 * MM, Align.RIGHT),
        PrintedColumn(_("Decided by"), 35 * MM, scale=0.75),
    )


def _cells(line: StandingLine) -> tuple[PrintedCell | str, ...]:
    return (
        figures.NOTHING if line.rank is None else str(line.rank),
        PrintedCell(line.name, line.mark),
        line.club,
        figures.halves(line.half_wins),
        figures.signed(line.spread),
        figures.points(line.points),
        figures.points(line.highest_game),
        line.decided_by,
    )


def _in_order(parts: tuple[Part, ...], sheet: StandingsSheet) -> tuple[Part, ...]:
    """The columns in the order of ranking: points before wins where points rank first."""
    if not sheet.points_first:
        return parts
    rank, name, club, wins, spread, points, *rest = parts
    return rank, name, club, points, wins, spread, *rest
