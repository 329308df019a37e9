"""The final ranking on paper, with the prizes below it or on a page of their own."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from tournament.layout.boxes import Box
from tournament.printing.grid import PrintedCell, PrintedColumn, PrintedTable
from tournament.printing.paper import MM, Align, Paper, share
from tournament.printing.values import FinalLine, FinalSheet, Header, PrizeLine
from tournament.words import figures

ROWS_A_PAGE = 36
TALLEST_ROW, LOWEST_ROW = 10 * MM, 6.6 * MM
LARGEST = 13
HEAD = 8 * MM
PRIZE_ROW = 8.5 * MM
HEADING = 12 * MM
"""The room of the heading above the prizes."""


def final_ranking(header: Header, sheet: FinalSheet) -> bytes:
    """The ranking from the first place on; the prizes follow on the same page if there is room for all of them."""
    paper = Paper(header, _("Final ranking"), notes=sheet.notes)
    box = paper.content
    pages = share(sheet.lines, ROWS_A_PAGE)
    prizes = _winner_lines(sheet.prizes)
    room = HEADING + PRIZE_ROW * len(prizes)
    together = len(pages) == 1 and room + HEAD + LOWEST_ROW * len(sheet.lines) <= box.height
    below = room if together and prizes else 0
    parts: list[tuple[Sequence[FinalLine], Sequence[tuple[str, str, str]]]] = [(lines, ()) for lines in pages]
    if together:
        parts = [(pages[0], prizes)]
    else:
        parts += [((), page) for page in share(prizes, int((box.height - HEADING) // PRIZE_ROW))]
    height = min(TALLEST_ROW, (box.height - HEAD - below) / max(len(pages[0]), 1)) if pages else TALLEST_ROW
    grid = PrintedTable(_columns(), height, min(LARGEST, height * 0.52), head_height=HEAD)
    grid = grid.even([_cells(line) for line in sheet.lines])
    for lines, won in paper.pages(parts):
        y = grid.draw(paper, [_cells(line) for line in lines]) if lines else box.y
        if won:
            _prizes(paper, Box(box.x, y, box.width, box.bottom - y), won)
    return paper.done()


def _columns() -> tuple[PrintedColumn, ...]:
    return (
        PrintedColumn(_("Rank"), 13 * MM, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), 54 * MM, group="names"),
        PrintedColumn(_("Club"), 30 * MM, scale=0.8, group="clubs"),
        PrintedColumn(_("Placed by"), 63 * MM, scale=0.72, group="how"),
        PrintedColumn(_("Wins"), 13 * MM, Align.RIGHT),
        PrintedColumn(_("Spread"), 17 * MM, Align.RIGHT),
    )


def _cells(line: FinalLine) -> tuple[PrintedCell | str, ...]:
    return (
        line.place,
        PrintedCell(line.name, line.mark),
        line.club,
        line.how,
        figures.halves(line.half_wins),
        figures.signed(line.spread),
    )


def _winner_lines(prizes: Sequence[PrizeLine]) -> list[tuple[str, str, str]]:
    """Each winner of each prize on a line: the prize (once), who wins it, by what."""
    found = []
    for prize in prizes:
        title = f"{prize.title} ({prize.award})" if prize.award else prize.title
        for number, (name, by) in enumerate(prize.winners or ((figures.NOTHING, ""),)):
            found.append(("" if number else title, name, by))
    return found


def _prizes(paper: Paper, box: Box, lines: Sequence[tuple[str, str, str]]) -> None:
    heading = Box(box.x, box.y + 3 * MM, box.width, HEADING - 4 * MM)
    paper.write(heading, _("Prizes"), size=14, bold=True)
    columns = (
        PrintedColumn("", 72 * MM),
        PrintedColumn("", 56 * MM, bold=True),
        PrintedColumn("", 62 * MM, scale=0.85),
    )
    grid = PrintedTable(columns, PRIZE_ROW, 11)
    y = box.y + HEADING
    paper.rule(box.x, y, box.right, y, weight=0.9)
    for line in lines:
        y = grid.row(paper, box.x, y, line)
