"""What can still happen on paper, for the wall: as far as the public knows."""

from django.utils.translation import gettext as _

from tournament.chances.queries import load_chances, simulate_shares
from tournament.chances.tables import ChanceRow, list_chance_rows
from tournament.chances.words import (
    describe_model,
    describe_out_of_reach,
    describe_proof,
    describe_what_is_left,
    explain_nothing_foreseen,
    name_place,
)
from tournament.core.public_view import open_public_view
from tournament.core.words.figures import format_half_wins, format_rating
from tournament.models import Division, Round
from tournament.pages.tables import TournamentLinks
from tournament.paper.boxes import Box
from tournament.paper.documents import render_notice
from tournament.paper.grid import PrintedColumn, PrintedTable
from tournament.paper.lettering import measure_fitted_height
from tournament.paper.sheet import MM, NOTE_SIZE, Align, Paper, PaperHeader

LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW = 11.0, 7 * MM, 12 * MM
NAME_WIDTH, SHARE_WIDTH, LEFT_WIDTH, FIGURE_WIDTH = 46 * MM, 19 * MM, 19 * MM, 11 * MM
MOST_SHARES = 3  # columns of places that leave room for what it takes


def render_chances(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    """Who can still end where, with shares and what it takes, by the last published round."""
    title = _("What can still happen")
    # The director who prints it may see more than may hang on the wall.
    with open_public_view(division.tournament):
        chances = load_chances(division)
        if chances.is_over or not chances.prospects:
            silence = explain_nothing_foreseen(division) or _("Nothing yet.")
            return render_notice(header, title, describe_what_is_left(0, 0) if chances.prospects else silence)
        shares = simulate_shares(chances)
        rows = list_chance_rows(chances, shares, TournamentLinks(division.tournament))
    places = chances.places[:MOST_SHARES]
    explanation = " ".join((describe_proof(), describe_model(shares.runs) if shares else ""))
    games_note = describe_what_is_left(chances.rounds_left, chances.open_games)
    paper = Paper(header, title, notes=[games_note, explanation])
    width_taken = FIGURE_WIDTH * 2 + NAME_WIDTH + SHARE_WIDTH * len(places) + LEFT_WIDTH
    columns = (
        PrintedColumn(_("Rank"), FIGURE_WIDTH, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), NAME_WIDTH, wraps=True),
        PrintedColumn(_("Wins"), FIGURE_WIDTH, Align.RIGHT, bold=True),
        *(PrintedColumn(name_place(place), SHARE_WIDTH, Align.RIGHT, scale=0.85, wraps=True) for place in places),
        PrintedColumn(_("Places left"), LEFT_WIDTH, Align.RIGHT, bold=True),
        PrintedColumn(_("What it takes"), paper.content.width - width_taken, scale=0.75, wraps=True),
    )
    grid = PrintedTable(columns, LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW)
    out = describe_out_of_reach(chances.places[-1], [row.entry.name for row in rows if row.is_out])
    below = measure_fitted_height(out, bold=False, width=paper.content.width, size=NOTE_SIZE) + 4 * MM
    lines = [_build_cells(row, len(places)) for row in rows if not row.is_out]
    is_needed = len(lines) < len(rows)
    # True counts as 1: room is kept only where there is a sentence to stand below the table.
    composed = grid.compose(lines, paper.content.height - below * is_needed)
    for number, page in enumerate(paper.pages(composed.pages), 1):
        end = composed.draw(paper, page)
        if is_needed and number == len(composed.pages):
            paper.write(Box(paper.content.x, end + 2 * MM, paper.content.width, below), out, size=NOTE_SIZE)
    return paper.done()


def _build_cells(row: ChanceRow, places: int) -> tuple[str, ...]:
    figures = (share.figure for share in row.shares[:places])
    return (
        format_rating(row.rank), row.entry.name, format_half_wins(row.half_wins), *figures, row.places, row.need,
    )  # fmt: skip
