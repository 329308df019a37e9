"""Cells of tables for spreadsheet programs, which mistake some texts for commands."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from django.utils import formats

CellValue = str | int | float | None

_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?", re.ASCII)
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


def escape_formula(text: str) -> str:
    """A text that no spreadsheet program runs: one that begins like a formula gets an apostrophe, a number stays."""
    if text.startswith(_DANGEROUS) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def remove_control_characters(text: str) -> str:
    """A text without control characters, which XML cannot hold."""
    return "".join(letter for letter in text if letter.isprintable() or letter in "\n\t")


def build_csv(rows: Iterable[Sequence[CellValue]]) -> bytes:
    """Rows as CSV in UTF-8 with a byte order mark; with semicolons, and ½ as 0,5, in languages with a decimal comma."""
    comma = formats.get_format("DECIMAL_SEPARATOR") == ","
    content = io.StringIO()
    writer = csv.writer(content, delimiter=";" if comma else ",", lineterminator="\r\n")
    writer.writerows([_format_cell(value, comma=comma) for value in row] for row in rows)
    return content.getvalue().encode("utf-8-sig")


def _format_cell(value: CellValue, *, comma: bool) -> str:
    if isinstance(value, float):
        text = f"{value:g}"
        return text.replace(".", ",") if comma else text
    return escape_formula(value) if isinstance(value, str) else "" if value is None else str(value)
