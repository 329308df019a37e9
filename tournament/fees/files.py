"""The treasurer's list as CSV."""

from django.utils import formats
from django.utils.translation import gettext as _

from tournament.basics.cells import CellValue, build_csv
from tournament.fees.queries import FeeList
from tournament.fees.words import describe_line


def build_fees_csv(found: FeeList) -> bytes:
    """A row for each entry and for each registration with a payment, in the form usual for the reader's language."""
    heads = [_("No."), _("Name"), _("Club"), _("Division"), _("Kind of fee"), _("Due"), _("Paid"), _("Paid on")]
    rows: list[list[CellValue]] = [[*heads, _("Waived"), _("Open"), _("Currency"), _("Remark")]]
    for line in (*found.lines, *found.early):
        entry, fee = line.entry, line.fee
        kind = fee.kind.name if fee.kind else ""
        day = entry.paid_on.isoformat() if entry.paid_on else ""
        who = [line.number, entry.name, line.club, entry.division.name, kind]
        figures = [_format_plain(fee.due), _format_plain(fee.paid), day, _format_plain(fee.waived)]
        said = describe_line(line, found.terms.currency)
        rows.append([*who, *figures, _format_plain(fee.open), found.terms.currency, said])
    return build_csv(rows)


def _format_plain(cents: int) -> str:
    """An amount that a spreadsheet takes for a number: without grouping, with the language's decimal mark."""
    return f"{cents // 100}{formats.get_format('DECIMAL_SEPARATOR')}{cents % 100:02d}"
