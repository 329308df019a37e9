"""The treasurer's list on paper."""

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournament.core.words.figures import format_amount
from tournament.fees.queries import FeeLine, FeeList
from tournament.fees.words import describe_early_payers, describe_line, describe_sums
from tournament.paper.documents import render_notice
from tournament.paper.grid import PrintedCell, PrintedColumn, PrintedRow, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader

LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW = 11.0, 6 * MM, 9 * MM
KIND_WIDTH, MONEY_WIDTH, DAY_WIDTH = 32 * MM, 23 * MM, 23 * MM


def draw_fees(header: PaperHeader, found: FeeList) -> bytes:
    """Everybody by name with what is due, paid and open; the sums above."""
    title = _("Fees")
    if not (found.lines or found.early):
        return render_notice(header, title, _("Nobody has been entered yet."))
    early = describe_early_payers(found)
    paper = Paper(header, title, notes=[*describe_sums(found), *([early] if early else [])])
    name_width = paper.content.width - KIND_WIDTH - 3 * MONEY_WIDTH - DAY_WIDTH
    unit = found.terms.currency
    columns = (
        PrintedColumn(_("Name"), name_width, bold=True, wraps=True),
        PrintedColumn(_("Kind of fee"), KIND_WIDTH, scale=0.85, wraps=True),
        PrintedColumn(f"{_('Due')} ({unit})", MONEY_WIDTH, Align.RIGHT),
        PrintedColumn(f"{_('Paid')} ({unit})", MONEY_WIDTH, Align.RIGHT),
        PrintedColumn(_("Paid on"), DAY_WIDTH, Align.RIGHT, scale=0.85),
        PrintedColumn(f"{_('Open')} ({unit})", MONEY_WIDTH, Align.RIGHT, bold=True),
    )
    rows = [_build_row(line, unit) for line in (*found.lines, *found.early)]
    return (
        PrintedTable(columns, LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW).compose(rows, paper.content.height).document(paper)
    )


def _build_row(line: FeeLine, currency: str) -> PrintedRow:
    entry, fee = line.entry, line.fee
    day = date_format(entry.paid_on, "SHORT_DATE_FORMAT") if entry.paid_on else ""
    name = PrintedCell(entry.name, below=describe_line(line, currency))
    kind = fee.kind.name if fee.kind else ""
    return (
        name,
        kind,
        format_amount(fee.due),
        format_amount(fee.paid),
        day,
        format_amount(fee.open) if fee.open else "",
    )
