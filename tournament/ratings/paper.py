"""A preview of ratings on paper."""

from django.utils.translation import gettext as _

from tournament.models import Division, Round
from tournament.paper.documents import render_notice
from tournament.paper.grid import PrintedColumn, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader
from tournament.ratings.division_ratings import load_division_ratings
from tournament.ratings.tables import list_rating_lines
from tournament.ratings.words import describe_preview, get_preview_title, list_rating_heads

LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW = 11.0, 6 * MM, 9 * MM
FIGURE_WIDTH = 24 * MM


def render_ratings(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    """Old, expected, reached, new and change of everybody, as far as the games are known."""
    ratings = load_division_ratings(division)
    title, preview_text = f"{_('Ratings')} – {get_preview_title(ratings.system)}", describe_preview(ratings)
    if not ratings.games:
        return render_notice(header, title, preview_text)
    paper = Paper(header, title, notes=[preview_text])
    heads = list_rating_heads(ratings.system)
    columns = (
        PrintedColumn(_("Name"), paper.content.width - FIGURE_WIDTH * len(heads), wraps=True),
        *(PrintedColumn(head, FIGURE_WIDTH, Align.RIGHT, bold=number == 3) for number, head in enumerate(heads)),
    )
    grid = PrintedTable(columns, LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW)
    rows = [
        (line.entry.name, line.old, line.expected, line.reached, line.new, line.change)
        for line in list_rating_lines(ratings)
    ]
    return grid.compose(rows, paper.content.height).document(paper)
