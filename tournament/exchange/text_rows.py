"""Rows of texts from CSV, XLSX and pasted lines, whatever program wrote them. Formulas are never evaluated."""

import codecs
import csv
import io
import re
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any
from xml.etree.ElementTree import ParseError

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException

from tournament import limits, names
from tournament.exchange import faults, workbooks
from tournament.exchange.faults import Code, Place
from tournament.exchange.json_text import too_large
from tournament.exchange.zip_files import ZIP_MARK

OLD_EXCEL_MARK = b"\xd0\xcf\x11\xe0"

DELIMITERS = ";\t,"

_BROKEN_WORKBOOK = (
    zipfile.BadZipFile,
    InvalidFileException,
    ParseError,
    zlib.error,
    AttributeError,
    EOFError,
    IndexError,
    KeyError,
    OSError,
    TypeError,
    ValueError,
)
"""What openpyxl raises on files that are no workbooks; it has no exception of its own for them."""


@dataclass(frozen=True, slots=True)
class NumberedRow:
    """A row that is not empty, with its number in the file."""

    number: int
    cells: tuple[str, ...]


def read(content: bytes, *, known: Collection[str]) -> list[NumberedRow]:
    """The rows of a CSV file or of a workbook's first sheet. `known` headings (folded) help find the separator.

    Raises `Faults` if the file is too large or neither of the two.
    """
    if len(content) > limits.LIST_BYTES:
        raise too_large(len(content), limits.LIST_BYTES)
    if content.startswith(OLD_EXCEL_MARK):
        raise faults.one(Code.OLD_EXCEL)
    return _workbook(content) if content.startswith(ZIP_MARK) else separated(text_of(content), known=known)


def text_of(content: bytes) -> str:
    """The text of a file: UTF-8 or UTF-16 by its byte order mark, else UTF-8 if it is valid, else the Windows
    encoding."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError as error:
            place, byte = content.count(b"\n", 0, error.start) + 1, f"{content[error.start]:#04x}"
    raise faults.one(Code.NOT_TEXT, Place(line=place), encoding=encodings[-1], value=byte)


def separated(text: str, *, known: Collection[str]) -> list[NumberedRow]:
    """The rows of a text whose cells are separated by semicolons, tabs or commas, whichever fits its first line."""
    text = text.removeprefix("\ufeff")
    begun = text.lstrip()[: limits.HEADINGS].splitlines()
    first = begun[0] if begun else ""
    delimiter = max(DELIMITERS, key=lambda mark: _fit(first, mark, known))
    if _fit(first, delimiter, known) == (0, 0):
        if '"' not in text:
            return pasted(text)
        delimiter = ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return _lines((reader.line_num, cells) for cells in reader)
    except csv.Error as error:
        raise faults.one(Code.NOT_READABLE, Place(line=reader.line_num), value=delimiter, why=str(error)) from error


def _fit(line: str, delimiter: str, known: Collection[str]) -> tuple[int, int]:
    """How well a separator divides a line: known headings first, then (for all but the comma) the number of cells."""
    cells = next(csv.reader([line], delimiter=delimiter), [])
    headings = sum(names.fold(cell) in known for cell in cells)
    return headings if len(cells) > 1 or delimiter == ";" else 0, 0 if delimiter == "," else len(cells) - 1


def pasted(text: str) -> list[NumberedRow]:
    """The rows of a typed or pasted list: one player a line, numbered or not, cells separated by ; or tab."""
    return _lines(_pasted(text))


def _pasted(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, whole in enumerate(text.splitlines(), 1):
        line = whole[: limits.COLUMNS * limits.CELL]
        bare = re.sub(r"^\s*(?:\d{1,4}[.)]|[-•*])\s+", "", line)
        cells = bare.split(";" if ";" in bare else "\t")
        if len(cells) == 1:
            cells = _by_commas(bare)
        yield number, [cell.strip().strip('"') for cell in cells]


def _by_commas(line: str) -> list[str]:
    """The cells of a line that has only commas. `Surname, Given` is one name, alone or before other cells."""
    surname, *rest = line.split(",")
    if len(rest) > 1 and not rest[0].startswith(" "):
        return [surname, *rest]
    return [",".join([surname, *rest[:1]]), *rest[1:]]


def _lines(rows: Iterable[tuple[int, list[Any]]]) -> list[NumberedRow]:
    """The rows that are not empty. Raises `Faults` if there are too many."""
    found: list[NumberedRow] = []
    for number, values in rows:
        cells = tuple(_text(value) for value in values[: limits.COLUMNS])
        if any(cells):
            found.append(NumberedRow(number, cells))
        if len(found) > limits.ROWS or number > 10 * limits.ROWS:
            raise faults.one(Code.TOO_MANY_ROWS, limit=limits.ROWS)
    return found


def _text(value: Any) -> str:
    """A cell's value as text; whole numbers without a point, control characters kept for the checks to find."""
    if isinstance(value, str):
        return names.tidy(value[: limits.CELL])
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, date):
        value = value.isoformat()
    return names.tidy(str(value)[: limits.CELL])


def _workbook(content: bytes) -> list[NumberedRow]:
    """The rows of a workbook's first sheet, with the values last shown."""
    try:
        workbooks.check(content)
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        try:
            sheet = book.worksheets[0]
            sheet.reset_dimensions()
            rows = sheet.iter_rows(values_only=True, max_col=limits.COLUMNS)
            return _lines((number, list(cells)) for number, cells in enumerate(rows, 1))
        finally:
            book.close()
    except _BROKEN_WORKBOOK as error:
        raise faults.one(Code.NO_WORKBOOK, value=faults.quoted(str(error))) from error
