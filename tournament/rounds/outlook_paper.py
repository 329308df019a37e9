"""A sheet for the wall: pairs of the next round that are announced before the last result."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from tournament.models import Division, Entry, Round
from tournament.paper.documents import render_no_round
from tournament.paper.grid import PrintedCell, PrintedColumn, PrintedTable
from tournament.paper.sheet import MM, Paper, PaperHeader, split_into_pages
from tournament.rounds.outlook import MARGIN, load_announced_pairs

PAIRS_A_PAGE = 26
TALLEST_PAIR = 22 * MM
LETTER_SCALE = 0.56  # the size of the letters in parts of a row's height


def render_outlook(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    """What is announced of the next round; a notice if that is nothing."""
    title = _("The next round so far")
    pairs = list(load_announced_pairs(division, division.announced.get("round", 0)).values())
    if not pairs:
        return render_no_round(header, title)
    return draw_announced_pairs(header, division.announced["round"], pairs)


def draw_announced_pairs(header: PaperHeader, number: int, pairs: Sequence[Sequence[Entry]]) -> bytes:
    """The pairs in the order of their first names."""
    note = _(
        "These pairs stand however the open games end: won by a margin of up to %(margin)s, or drawn. Tables, and who "
        "starts, are told with the whole round."
    ) % {"margin": MARGIN}
    paper = Paper(header, _("Round %(number)s so far") % {"number": number}, notes=[note])
    named = sorted(sorted((entry.name for entry in pair), key=str.casefold) for pair in pairs)
    rows = [tuple(PrintedCell(name) for name in (*pair, _("bye"))[:2]) for pair in named]
    pages = split_into_pages(rows, PAIRS_A_PAGE)
    height = min(TALLEST_PAIR, (paper.content.height - 9 * MM) / len(pages[0]))
    half = paper.content.width / 2
    columns = (PrintedColumn(_("Player"), half, group="names"), PrintedColumn(_("Opponent"), half, group="names"))
    grid = PrintedTable(columns, height, height * LETTER_SCALE, head_height=9 * MM, head_size=12)
    return grid.even(rows).document(paper, pages)
