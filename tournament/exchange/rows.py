"""Rows of texts from CSV, XLSX and pasted lines, whatever program wrote them. Formulas are never evaluated."""

import codecs
import csv
import io
import re
import zipfile
import zlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from typing import IO, Any
from xml.etree.ElementTree import ParseError

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException

from tournament.basics import limits
from tournament.basics.names import fold_text, normalise_text
from tournament.exchange.faults import FaultCode, FilePlace, make_single_fault, quote_value
from tournament.exchange.json_text import make_size_fault

ZIP_TIMESTAMP = (1980, 1, 1, 0, 0, 0)
"""The parts of an archive carry no time of their own, so that the same event gives the same archive."""


ZIP_MARK = b"PK\x03\x04"
ZIP_ENTRY_MARK = b"PK\x01\x02"
"""Begins each entry of a zip's directory. To list a hundred thousand of them takes seconds and megabytes."""

ZIP_CHUNK_BYTES = 1 << 20


def check_zip_entries(content: bytes, limit: int) -> None:
    """Refuse a zip with more than `limit` files."""
    count = content.count(ZIP_ENTRY_MARK)
    if count > limit:
        raise make_single_fault(FaultCode.TOO_MANY_FILES, limit=limit, value=count)


def count_zip_entries(file: IO[bytes]) -> int:
    file.seek(0)
    count, end = 0, b""
    while chunk := file.read(ZIP_CHUNK_BYTES):
        count += (end + chunk).count(ZIP_ENTRY_MARK)
        end = chunk[-len(ZIP_ENTRY_MARK) + 1 :]
    return count


SHEETS, STRINGS = "xl/worksheets/", "xl/sharedstrings.xml"
TAG, STRING, DOCUMENT_TYPE = b"<", b"<si", b"<!DOCTYPE"


def check_workbook(content: bytes) -> None:
    """Refuse a workbook that is no list of players: too many parts, bytes, cells, texts, formats or names, or entities.
    It is a zip of texts that unfold, so this is looked at before anything takes it apart. Raises `FileFaults`, or what
    `zipfile` raises on a broken archive. No part is unpacked further than it says it goes."""
    check_zip_entries(content, limits.PARTS)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        texts = [part for part in archive.infolist() if part.filename.casefold().endswith((".xml", ".rels"))]
        unpacked = sum(part.file_size for part in texts)
        if unpacked > limits.UNPACKED_BYTES:
            raise make_size_fault(unpacked, limits.UNPACKED_BYTES, FaultCode.UNPACKED_TOO_LARGE)
        cells = strings = others = 0
        for part in texts:
            name = part.filename.casefold()
            text = archive.read(part).replace(b"\0", b"")  # UTF-16 has them beside each mark
            if DOCUMENT_TYPE in text:
                raise make_single_fault(FaultCode.NO_WORKBOOK, value=DOCUMENT_TYPE.decode())
            tags = text.count(TAG)
            cells += tags if name.startswith(SHEETS) or name == STRINGS else 0
            others += 0 if name.startswith(SHEETS) or name == STRINGS else tags
            strings += text.count(STRING) if name == STRINGS else 0
    for limit, count in ((limits.SHEET_TAGS, cells), (limits.SHEET_STRINGS, strings), (limits.OTHER_TAGS, others)):
        if count > limit:
            raise make_single_fault(FaultCode.WORKBOOK_TOO_LARGE, value=count, limit=limit)


OLD_EXCEL_MARK = b"\xd0\xcf\x11\xe0"

CELL_DELIMITERS = ";\t,"

_BROKEN_WORKBOOK = (
    *(zipfile.BadZipFile, InvalidFileException, ParseError, zlib.error),
    *(AttributeError, EOFError, IndexError, KeyError, OSError, TypeError, ValueError),
)
"""What openpyxl raises on files that are no workbooks; it has no exception of its own for them."""


@dataclass(frozen=True, slots=True)
class NumberedRow:
    """A row that is not empty, with its number in the file."""

    number: int
    cells: tuple[str, ...]


def read_rows(content: bytes, *, known: Collection[str]) -> list[NumberedRow]:
    """The rows of a CSV file or of a workbook's first sheet. `known` headings (folded) help find the separator. Raises
    `FileFaults` if the file is too large or neither of the two."""
    if len(content) > limits.LIST_BYTES:
        raise make_size_fault(len(content), limits.LIST_BYTES)
    if content.startswith(OLD_EXCEL_MARK):
        raise make_single_fault(FaultCode.OLD_EXCEL)
    if content.startswith(ZIP_MARK):
        return _read_workbook(content)
    return read_separated_rows(decode_text(content), known=known)


def decode_text(content: bytes) -> str:
    """The text of a file: UTF-8 or UTF-16 by its byte order mark, else UTF-8 if it is valid, else Windows-1252."""
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    encodings = ["utf-16"] if is_utf16 else ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError as error:
            place, byte = content.count(b"\n", 0, error.start) + 1, f"{content[error.start]:#04x}"
    raise make_single_fault(FaultCode.NOT_TEXT, FilePlace(line=place), encoding=encodings[-1], value=byte)


def read_separated_rows(text: str, *, known: Collection[str]) -> list[NumberedRow]:
    """The rows of a text whose cells are separated by semicolons, tabs or commas, whichever fits its first line."""
    text = text.removeprefix("\ufeff")
    begun = text.lstrip()[: limits.HEADINGS].splitlines()
    first = begun[0] if begun else ""
    delimiter = max(CELL_DELIMITERS, key=lambda mark: _rate_delimiter(first, mark, known))
    if _rate_delimiter(first, delimiter, known) == (0, 0):
        if '"' not in text:
            return read_pasted_rows(text)
        delimiter = ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return _number_rows((reader.line_num, cells) for cells in reader)
    except csv.Error as error:
        raise make_single_fault(
            FaultCode.NOT_READABLE, FilePlace(line=reader.line_num), value=delimiter, why=str(error)
        ) from error


def _rate_delimiter(line: str, delimiter: str, known: Collection[str]) -> tuple[int, int]:
    """How well a separator divides a line: known headings first, then (for all but the comma) the number of cells."""
    cells = next(csv.reader([line], delimiter=delimiter), [])
    headings = sum(fold_text(cell) in known for cell in cells)
    return headings if len(cells) > 1 or delimiter == ";" else 0, 0 if delimiter == "," else len(cells) - 1


def read_pasted_rows(text: str) -> list[NumberedRow]:
    """The rows of a typed or pasted list: one player a line, numbered or not, cells separated by ; or tab."""
    rows = []
    for number, pasted_line in enumerate(text.splitlines(), 1):
        line = pasted_line[: limits.COLUMNS * limits.CELL]
        bare = re.sub(r"^\s*(?:\d{1,4}[.)]|[-•*])\s+", "", line)
        cells = bare.split(";" if ";" in bare else "\t")
        if len(cells) == 1:
            cells = _split_by_commas(bare)
        rows.append((number, [cell.strip().strip('"') for cell in cells]))
    return _number_rows(rows)


def _split_by_commas(line: str) -> list[str]:
    """The cells of a line that has only commas. `Surname, Given` is one name, alone or before other cells."""
    surname, *rest = line.split(",")
    if len(rest) > 1 and not rest[0].startswith(" "):
        return [surname, *rest]
    return [",".join([surname, *rest[:1]]), *rest[1:]]


def _number_rows(rows: Iterable[tuple[int, list[Any]]]) -> list[NumberedRow]:
    """The rows that are not empty. Raises `FileFaults` if there are too many."""
    numbered: list[NumberedRow] = []
    for number, values in rows:
        cells = tuple(_format_cell(value) for value in values[: limits.COLUMNS])
        if any(cells):
            numbered.append(NumberedRow(number, cells))
        if len(numbered) > limits.ROWS or number > 10 * limits.ROWS:
            raise make_single_fault(FaultCode.TOO_MANY_ROWS, limit=limits.ROWS)
    return numbered


def _format_cell(value: Any) -> str:
    """A cell's value as text; whole numbers without a point, control characters kept for the checks to find."""
    if isinstance(value, str):
        return normalise_text(value[: limits.CELL])
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, date):
        value = value.isoformat()
    return normalise_text(str(value)[: limits.CELL])


def _read_workbook(content: bytes) -> list[NumberedRow]:
    """The rows of a workbook's first sheet, with the values last shown."""
    try:
        check_workbook(content)
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        try:
            sheet = book.worksheets[0]
            sheet.reset_dimensions()
            rows = sheet.iter_rows(values_only=True, max_col=limits.COLUMNS)
            return _number_rows((number, list(cells)) for number, cells in enumerate(rows, 1))
        finally:
            book.close()
    except _BROKEN_WORKBOOK as error:
        raise make_single_fault(FaultCode.NO_WORKBOOK, value=quote_value(str(error))) from error
