"""The table as files: JSON by docs/formats.md, CSV and XLSX for people."""

import io
from collections.abc import Sequence
from typing import Any

import openpyxl
from django.utils.translation import gettext as _
from openpyxl.cell import WriteOnlyCell

from tournament.basics.cells import CellValue, build_csv, remove_control_characters
from tournament.table.league import LeagueTable, TableRow

PRINTED_FIGURES = ("wins", "losses", "spread", "points", "games", "highest_game")


def build_standings_json(table: LeagueTable) -> list[dict[str, Any]]:
    """The rows as `standings --format json` prints them."""
    return [
        {
            "rank": row.standing.rank,
            "player": row.entry.key,
            "name": row.entry.name,
            **{figure: getattr(row.standing, figure) for figure in PRINTED_FIGURES},
            "decided_by": row.standing.decided_by,
        }
        for row in table.rows
    ]


def list_standings_headings() -> list[str]:
    """The headings of CSV and XLSX in the reader's language."""
    figures = [_("Wins"), _("Losses"), _("Spread"), _("Points"), _("Games"), _("Highest game")]
    return [_("Rank"), _("Name"), _("Club"), *figures, _("Decided by")]


def _list_row_values(row: TableRow) -> list[CellValue]:
    standing, entry = row.standing, row.entry
    return [
        standing.rank,
        entry.name,
        entry.club.name if entry.club else "",
        *(getattr(standing, figure) for figure in PRINTED_FIGURES),
        str(standing.decided_by or ""),
    ]


def build_standings_csv(table: LeagueTable) -> bytes:
    """The table as CSV, in the form usual for the reader's language."""
    return build_csv([list_standings_headings(), *(_list_row_values(row) for row in table.rows)])


def build_standings_xlsx(table: LeagueTable) -> bytes:
    """The table as a workbook. Texts stay texts, whatever they look like."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet(_("Standings"))
    rows: list[Sequence[CellValue]] = [list_standings_headings(), *(_list_row_values(row) for row in table.rows)]
    for values in rows:
        line = []
        for value in values:
            cell = WriteOnlyCell(sheet, value=remove_control_characters(value) if isinstance(value, str) else value)
            if isinstance(value, str):
                cell.data_type = "s"  # a text that begins with = would become a formula
            line.append(cell)
        sheet.append(line)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()
