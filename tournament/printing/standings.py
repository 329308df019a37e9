"""The table of standings after a round, with what decided each place."""

from collections.abc import Iterable
from typing import TypeVar

from django.utils.translation import gettext as _

from tournament.layout import typeface
from tournament.printing.grid import PADDING, PrintedCell, PrintedColumn, PrintedTable
from tournament.printing.paper import MM, Align, Paper, share
from tournament.printing.values import Header, StandingLine, StandingsSheet
from tournament.words import figures

ROWS_A_PAGE = 36
TALLEST_ROW = 13 * MM
LARGEST = 12.5
FIGURES = (12 * MM, 12 * MM, 17 * MM, 14 * MM, 14 * MM)
"""The widths of rank, wins, spread, points and highest game."""
CLUB, CLUB_ROOM = 0.8, (12 * MM, 30 * MM)
DECIDED, DECIDED_ROOM = 0.68, (20 * MM, 44 * MM)
"""The size of clubs, and of what decided, in parts of the row's; how wide the column is at least and at most."""

Part = TypeVar("Part")


def table(header: Header, sheet: StandingsSheet) -> bytes:
    """The table in order of ranks; the notes say how it is ranked and what is still open."""
    after = _("Standings after round %(number)s") % {"number": sheet.after}
    title = after if sheet.after else _("Standings before round 1")
    paper = Paper(header, title, notes=sheet.notes)
    box = paper.content
    rows = [_in_order(_cells(line), sheet) for line in sheet.lines]
    pages = share(rows, ROWS_A_PAGE)
    height = min(TALLEST_ROW, (box.height - 8 * MM) / len(pages[0]))
    size = min(LARGEST, height * 0.52)
    grid = PrintedTable(_in_order(_columns(sheet, box.width, size), sheet), height, size)
    return grid.even(rows).document(paper, pages)


def _columns(sheet: StandingsSheet, width: float, size: float) -> tuple[PrintedColumn, ...]:
    """The columns; what the figures leave goes to what decided, as far as it is one line, to the club, to the name."""
    decided = _wide([line.decided_by for line in sheet.lines], size * DECIDED, DECIDED_ROOM)
    club = _wide([line.club for line in sheet.lines], size * CLUB, CLUB_ROOM)
    name = width - decided - club - sum(FIGURES)
    rank, wins, spread, points, highest = FIGURES
    return (
        PrintedColumn(_("Rank"), rank, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), name, group="names"),
        PrintedColumn(_("Club"), club, scale=CLUB, group="clubs"),
        PrintedColumn(_("Wins"), wins, Align.RIGHT, bold=True),
        PrintedColumn(_("Spread"), spread, Align.RIGHT),
        PrintedColumn(_("Points"), points, Align.RIGHT),
        PrintedColumn(_("Highest game"), highest, Align.RIGHT),
        PrintedColumn(_("Decided by"), decided, scale=DECIDED, group="decided", lines=1),
    )


def _wide(texts: Iterable[str], size: float, room: tuple[float, float]) -> float:
    """How wide a column must be for these texts in one line, at least and at most so much."""
    widest = max((typeface.width(typeface.printable(text), bold=False) * size for text in texts), default=0.0)
    return min(max(widest + 2 * PADDING + 0.5, room[0]), room[1])


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
