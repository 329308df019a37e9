"""The table of teams on paper."""

import textwrap

from django.utils.translation import gettext as _

from tournament.models import Division, Round
from tournament.paper.documents import render_notice
from tournament.paper.grid import PrintedCell, PrintedColumn, PrintedRow, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader
from tournament.teams.queries import load_team_table
from tournament.teams.tables import list_team_lines
from tournament.teams.words import CRITERION_HEADS, describe_exceptions, describe_team_rule, list_figure_criteria

LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW = 13.0, 8 * MM, 16 * MM
RANK_WIDTH, FIGURE_WIDTH = 14 * MM, 22 * MM
NOTE_LETTERS = 105  # on one line


def render_teams(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    """The teams with those who count for them, as far as the results are known."""
    found, title = load_team_table(division), _("Table of teams")
    if found is None:
        return render_notice(header, title, _("No table of teams is announced."))
    if not found.has_begun or not found.rows:
        return render_notice(header, title, _("The table of teams begins with the first result."))
    said = " ".join([*describe_team_rule(division.tournament), *describe_exceptions(found)])
    after = _("after round %(number)s") % {"number": found.shown.after}
    paper = Paper(header, f"{title} {after}", notes=textwrap.wrap(said, NOTE_LETTERS))
    criteria = list_figure_criteria(found.rule)
    columns = (
        PrintedColumn(_("Rank"), RANK_WIDTH, Align.RIGHT, bold=True),
        PrintedColumn(_("Team"), paper.content.width - RANK_WIDTH - FIGURE_WIDTH * len(criteria), wraps=True),
        *(
            PrintedColumn(str(CRITERION_HEADS[each]), FIGURE_WIDTH, Align.RIGHT, bold=not number)
            for number, each in enumerate(criteria)
        ),
    )
    rows: list[PrintedRow] = [
        (
            line.rank,
            PrintedCell(line.team, below=" · ".join(f"{each.entry.name} ({each.place})" for each in line.counting)),
            *line.figures,
        )
        for line in list_team_lines(found)
    ]
    grid = PrintedTable(columns, LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW)
    return grid.compose(rows, paper.content.height).document(paper)
