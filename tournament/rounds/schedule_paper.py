"""The whole schedule of an all-play-all on paper."""

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournament.models import Division, Round
from tournament.paper.documents import render_notice
from tournament.paper.grid import PrintedCell, PrintedColumn, PrintedRow, PrintedTable
from tournament.paper.sheet import MM, Paper, PaperHeader
from tournament.rounds.schedule import load_schedule
from tournament.table.league import plans_team_matches

LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW = 12.0, 6 * MM, 11 * MM
ROUND_WIDTH, DAY_WIDTH = 18 * MM, 28 * MM


def render_schedule(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    """Every round with who meets, at home first, or who starts; a notice where the plan waits for results."""
    title, rounds = _("Schedule"), load_schedule(division)
    if not rounds:
        return render_notice(header, title, _("There is a schedule once the rounds are those of a round robin."))
    is_open = not all(round.is_published for round in rounds)
    notes = [_("Rounds that are not published yet stand as they would be paired now.")] if is_open else []
    has_days = any(round.due_on for round in rounds)
    paper = Paper(header, title, notes=notes)
    half = (paper.content.width - ROUND_WIDTH - (DAY_WIDTH if has_days else 0)) / 2
    one, other = list_heads(division)
    columns = [PrintedColumn(_("Round"), ROUND_WIDTH, bold=True)]
    if has_days:
        columns.append(PrintedColumn(_("Played by"), DAY_WIDTH))
    columns += [PrintedColumn(one, half, wraps=True), PrintedColumn(other, half, wraps=True)]
    rows: list[PrintedRow] = []
    for round in rounds:
        day = date_format(round.due_on, "SHORT_DATE_FORMAT") if round.due_on else ""
        for place, (first, second) in enumerate(round.pairs):
            marks = [str(round.number), day] if not place else ["", ""]
            names = [PrintedCell(first), PrintedCell(second or _("bye"))]
            rows.append((*marks[: 1 + has_days], *names))
    grid = PrintedTable(tuple(columns), LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW)
    return grid.compose(rows, paper.content.height).document(paper)


def list_heads(division: Division) -> tuple[str, str]:
    """What stands over the two of a pair."""
    if plans_team_matches(division):
        return _("Home"), _("Away")
    return _("Starter"), _("Opponent")
