"""Cells for spreadsheet programs, which take some texts for formulas."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.utils import formats

CellValue = str | int | float | None

_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?", re.ASCII)
_DANGEROUS = (*"=+-@", *"＝＋－＠", "\t", "\r", "\n")
_AFTER_A_SEPARATOR = re.compile(r"([,;\t])(?=[\"']*[=+\-@＝＋－＠])")


def escape_formula(text: str) -> str:
    """The text, after an apostrophe if a spreadsheet program would take it for a formula; numbers stay as they are."""
    # A program of another language than the file's ends cells elsewhere: “Muster,=1+1” is two cells to it.
    text = _AFTER_A_SEPARATOR.sub(r"\1 ", text)
    # A name that begins so runs as a formula at whoever opens the list: with it anybody who registers could read the
    # others' addresses.
    if text.startswith(_DANGEROUS) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def unescape_formula(text: str) -> str:
    """The text without the apostrophe that `escape_formula` puts before it, and spreadsheets before numbers that they
    keep as texts."""
    return text[1:] if text.startswith("'") and text[1:].startswith((*_DANGEROUS, *"0123456789")) else text


def build_csv(rows: Iterable[Sequence[CellValue]]) -> bytes:
    """Rows as CSV, UTF-8 with a byte order mark; languages with a decimal comma get semicolons and write ½ as 0,5."""
    comma = formats.get_format("DECIMAL_SEPARATOR") == ","
    content = io.StringIO()
    writer = csv.writer(content, delimiter=";" if comma else ",", lineterminator="\r\n")
    writer.writerows([_format_cell(value, comma=comma) for value in row] for row in rows)
    # With a byte order mark: without one Excel reads the file in the machine's code page, and Müßig is MÃ¼ÃŸig.
    return content.getvalue().encode("utf-8-sig")


def _format_cell(value: CellValue, *, comma: bool) -> str:
    if isinstance(value, float):
        text = f"{value:g}"
        return text.replace(".", ",") if comma else text
    return escape_formula(value) if isinstance(value, str) else "" if value is None else str(value)


def build_xlsx(title: str, rows: Iterable[Sequence[CellValue]]) -> bytes:
    """Rows as a workbook of one sheet. Texts stay texts, whatever they look like."""
    from openpyxl import Workbook  # noqa: PLC0415  # slow to load, and only needed where a workbook is written
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415  # as above
    from openpyxl.writer.excel import ExcelWriter  # noqa: PLC0415  # as above

    book = Workbook(write_only=True)
    sheet = book.create_sheet(title)
    for values in rows:
        line = []
        for value in values:
            cell = WriteOnlyCell(sheet, value=value)
            if isinstance(value, str):
                # XML cannot hold control characters.
                text = "".join(letter for letter in value if letter.isprintable() or letter in "\n\t")
                cell = WriteOnlyCell(sheet, value=text)
                cell.data_type = "s"  # a text that begins with = would become a formula
            line.append(cell)
        sheet.append(line)
    content = io.BytesIO()
    ExcelWriter(book, _TimelessZip(content, "w", ZIP_DEFLATED, strict_timestamps=False)).save()
    return content.getvalue()


class _TimelessZip(ZipFile):
    """A zip whose parts carry no time: it knows the years 1980 to 2107, a machine without a battery begins in 1970."""

    def writestr(self, name: Any, data: Any, *_options: Any) -> None:
        super().writestr(ZipInfo(name), data, ZIP_DEFLATED)
