"""Rows of texts from CSV, XLSX, FIDE's TRF and pasted lines, whatever program wrote them. Formulas are never
evaluated."""

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

from tournament.basics import limits
from tournament.basics.names import fold_text, normalise_text
from tournament.exchange.faults import FaultCode, FileFault, FilePlace, make_single_fault, quote_value
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
        # A mark may lie across two chunks; the end is one byte short of a mark, so that none is counted twice.
        end = chunk[-len(ZIP_ENTRY_MARK) + 1 :]
    return count


SHEETS, STRINGS = "xl/worksheets/", "xl/sharedstrings.xml"
TAG, STRING, DOCUMENT_TYPE = b"<", b"<si", b"<!DOCTYPE"


def check_workbook(content: bytes) -> None:
    """Refuse a workbook that cannot be a list of players: with too many parts, bytes, cells, texts, formats or names,
    or with entities. A workbook is a zip of texts that can unfold to gigabytes, so it is counted before openpyxl reads
    it, and no part is unpacked beyond its stated size. Raises `FileFaults`, or what `zipfile` raises on a broken
    archive."""
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
            # It may define entities, of which a few lines unfold to gigabytes while they are read; no program writes
            # one into a list.
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

LINES_BEFORE_HEADINGS = 10  # how many lines (a title, a date …) may stand above the headings

_BROKEN_WORKBOOK = (
    *(zipfile.BadZipFile, ParseError, zlib.error),
    *(AttributeError, EOFError, IndexError, KeyError, OSError, TypeError, ValueError),
)
"""What openpyxl raises on files that are no workbooks; it has no exception of its own for them."""


@dataclass(frozen=True, slots=True)
class NumberedRow:
    """A row that is not empty, with its number in the file."""

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadTable:
    """The rows of a file, and what the sender should be told about how it was read."""

    rows: list[NumberedRow]
    remarks: tuple[FileFault, ...] = ()


def read_rows(content: bytes, *, known: Collection[str]) -> ReadTable:
    """The rows of a CSV file, of the sheet of a workbook that holds the list, or of a TRF file. `known` headings
    (folded) help find the separator and the sheet. Raises `FileFaults` if the file is too large or none of these."""
    if len(content) > limits.LIST_BYTES:
        raise make_size_fault(len(content), limits.LIST_BYTES)
    # By the first bytes, whatever the file is called: every byte is a letter in MacRoman, so a workbook read as text
    # would be a list of odd names.
    if content.startswith(OLD_EXCEL_MARK):
        raise make_single_fault(FaultCode.OLD_EXCEL)
    if content.startswith(ZIP_MARK):
        return _read_workbook(content, known)
    encoding = find_encoding(content)
    text = decode_text(content)
    # A list that is “saved as” from a browser: its lines would be players with names of tags.
    if _WEB_PAGE.match(text):
        raise make_single_fault(FaultCode.WEB_PAGE)
    remarks = (FileFault(FaultCode.LIST_ENCODING, figures={"encoding": "MacRoman"}),) if encoding == MAC else ()
    if _TRF_PLAYER.search(text):
        return ReadTable(_read_trf_rows(text), remarks)
    return ReadTable(read_separated_rows(text, known=known), remarks)


MAC = "mac_roman"

_WEB_PAGE = re.compile(r"\s*<(?:!doctype|html|head|meta|body|table|\?xml)\b", re.IGNORECASE)


def decode_text(content: bytes) -> str:
    """The text of a file in the encoding that `find_encoding` finds. Raises `FileFaults` where it is none."""
    encoding = find_encoding(content)
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        place, byte = content.count(b"\n", 0, error.start) + 1, f"{content[error.start]:#04x}"
        raise make_single_fault(
            FaultCode.NOT_TEXT, FilePlace(line=place), encoding=encoding.removesuffix("-sig"), value=byte
        ) from error


def find_encoding(content: bytes) -> str:
    """The encoding of a text: UTF-8 or UTF-16 by its byte order mark, UTF-16 by its zeros, UTF-8 if it is valid, else
    Windows-1252 or MacRoman, whichever has fewer letters where nobody writes them."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    # Zeros before validity: UTF-16 without a mark is valid UTF-8 with zeros between its letters. And UTF-8 before the
    # encodings of one byte a letter, in which nearly every text is valid.
    for at, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        begin = content[at:ENCODING_SAMPLE:2]
        if begin.count(0) > len(begin) / 3 and not content[1 - at : ENCODING_SAMPLE : 2].count(0):
            return encoding
    if _can_decode(content, "utf-8-sig"):
        return "utf-8-sig"
    oddities = _count_oddities(content.decode(MAC))
    if not _can_decode(content, "cp1252"):
        # A byte that Windows-1252 does not have: it is MacRoman if that reads well; else the reader is told of that
        # very byte.
        return "cp1252" if oddities else MAC
    # Where both read equally well it is Windows-1252, in which far more lists are written.
    return MAC if oddities < _count_oddities(content.decode("cp1252")) else "cp1252"


ENCODING_SAMPLE = 4000  # bytes

_ODDITY = re.compile(
    r"(?<=[^\W\d_])[^\x00-\x7f\w\s’´–·](?=[^\W\d_])"  # a symbol inside of a word: M†ller
    r"|(?<=[a-zß-ÿ])–(?=[a-zß-ÿ])"
    r"|(?<![^\W\d_])[^\x00-\x7f\w\s“”„‘’«»‹›–—•·](?=[^\W\d_])"  # one that begins a word: €nne
    r"|(?<=[^\W\d_])[€†‡§¶](?!\w)"  # one that ends it: Gro§
    r"|(?<![^\W\d_])(?=\w)[^\x00-\x7f](?![^\W\d_])"  # a letter alone
    r"|[^\W\d_][À-ÖØ-ÞŸŠŽ](?=[a-zß-ÿ])|[a-zß-ÿ][À-ÖØ-ÞŸŠŽ]"  # a capital behind small letters: MŸller, RenŽ
    r"|[šžƒˆ‰]"  # what MacRoman has for ö and û is hardly in any list in Windows-1252, and the other way round
)


def _count_oddities(text: str) -> int:
    """How many letters and symbols stand where they hardly ever stand in names."""
    return len(_ODDITY.findall(text))


def _can_decode(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


_TRF_PLAYER = re.compile(r"^001 [ \d]{4} [ mwf]", re.MULTILINE)
"""A player's line of a TRF file (FIDE handbook C.04, annex 2: Tournament Report File, 2006 and 2016)."""

_TRF_FIELDS = (slice(14, 47), slice(53, 56), slice(48, 52), slice(57, 68))  # name, federation, rating, number of FIDE
TRF_HEADINGS = ("Name", "Club", "Rating", "FIDE-ID")


def _read_trf_rows(text: str) -> list[NumberedRow]:
    """The players of a TRF file under headings; a federation stands where others have the club."""
    rows = [(number, line) for number, line in enumerate(text.splitlines(), 1) if _TRF_PLAYER.match(line)]
    players = [(number, [line[part].strip() for part in _TRF_FIELDS]) for number, line in rows]
    return [NumberedRow(0, TRF_HEADINGS), *_number_rows(players)]


def read_separated_rows(text: str, *, known: Collection[str]) -> list[NumberedRow]:
    """The rows of a text whose cells are separated by semicolons, tabs or commas, whichever fits its first line."""
    # A mark of the byte order is no part of the first heading, which would be unknown with it.
    text = text.removeprefix("\ufeff")
    first = next(iter(text.lstrip()[: limits.HEADINGS].splitlines()), "")
    # By the first line alone: it has the headings, and a note in some later row may hold any sign.
    delimiter = max(CELL_DELIMITERS, key=lambda mark: _rate_delimiter(first, mark, known))
    if _rate_delimiter(first, delimiter, known) == (0, 0):
        if '"' not in text:
            return read_pasted_rows(text)
        # No separator, but quotation marks: a single column, in which each name is quoted because of its own comma.
        delimiter = ","
    return read_rows_separated_by(delimiter, text)


def read_rows_separated_by(delimiter: str, text: str) -> list[NumberedRow]:
    """The rows of a text whose cells are separated by this. Raises `FileFaults`."""
    _refuse_open_quote(text, delimiter)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return _number_rows((reader.line_num, cells) for cells in reader)
    except csv.Error as error:
        raise make_single_fault(
            FaultCode.NOT_READABLE, FilePlace(line=reader.line_num), value=delimiter, why=str(error)
        ) from error


def _refuse_open_quote(text: str, delimiter: str) -> None:
    """Raise `FileFaults` at a quotation mark that is never closed, or only by the next one that opens: without a word
    the cell would take the rows behind it along. A line break inside of closed ones is fine."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    least = max(1, _count_cells_ended(text.lstrip().split("\n", 1)[0], delimiter))
    cell = re.compile(rf'(?:^|(?<=[\n{delimiter}]))"((?:[^"]|"")*)("?)(?=(.?))', re.DOTALL)
    at = 0
    while match := cell.search(text, at):
        quoted, closing, behind = match.groups()
        # Such a cell ends where the next quotation mark opens: then letters follow instead of a separator, or the lines
        # within it look like rows of their own.
        is_torn = "\n" in quoted and (
            behind not in ("", delimiter, "\n")
            or any(_count_cells_ended(line, delimiter) >= least for line in quoted.split("\n"))
        )
        if not closing or is_torn:
            row = text.count("\n", 0, match.start(1)) + 1
            raise make_single_fault(FaultCode.OPEN_QUOTE, FilePlace(row=row), value=quote_value(quoted.split("\n")[0]))
        at = match.end()


def _count_cells_ended(line: str, delimiter: str) -> int:
    """How many separators of a line end a cell; a comma before a blank belongs to a text."""
    return len(re.findall(f"{delimiter}(?! )", line))


def _rate_delimiter(line: str, delimiter: str, known: Collection[str]) -> tuple[int, int]:
    """How well a separator divides a line: known headings first, then (for all but the comma) the number of cells."""
    cells = next(csv.reader([line], delimiter=delimiter), [])
    headings = sum(fold_text(cell) in known for cell in cells)
    # A comma counts by known headings alone: in `Müller, Udo; SC Fulda; 1512` it stands within a name, and by the
    # number of cells it would win over the semicolon in many lists.
    return headings if len(cells) > 1 or delimiter == ";" else 0, 0 if delimiter == "," else len(cells) - 1


def read_pasted_rows(text: str) -> list[NumberedRow]:
    """The rows of a typed or pasted list: one player a line, numbered or not, cells separated by ; or tab."""
    rows = []
    for number, pasted_line in enumerate(text.splitlines(), 1):
        line = pasted_line[: limits.COLUMNS * limits.CELL]  # before anything is looked for in a line of megabytes
        bare = re.sub(r"^\s*(?:\d{1,4}[.)]|[-•*])\s+", "", line)
        cells = bare.split(";" if ";" in bare else "\t")
        if len(cells) == 1:
            cells = _split_by_commas(bare)
        if any(cell.lstrip().startswith('"') and cell.count('"') % 2 for cell in cells):
            raise make_single_fault(FaultCode.OPEN_QUOTE, FilePlace(row=number), value=quote_value(bare.strip()))
        rows.append((number, [cell.strip().strip('"') for cell in cells]))
    return _number_rows(rows)


def _split_by_commas(line: str) -> list[str]:
    """The cells of a line that has only commas. `Surname, Given` is one name, alone or before other cells."""
    # Only the blank tells `Müller, Udo,KSV` (a name and a club) from `Müller,Udo,KSV` (surname, given name and club).
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
        # Empty rows are not kept, but each takes its time: a sheet can have a million of them.
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


def _read_workbook(content: bytes, known: Collection[str]) -> ReadTable:
    """The rows of the sheet that holds the list, with the values last shown: the one with the most known headings in a
    line, else with the most rows of several cells."""
    import openpyxl  # noqa: PLC0415  # slow to load, and only needed where a workbook is read

    try:
        check_workbook(content)
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        try:
            tables = {sheet.title: _read_sheet(sheet) for sheet in book.worksheets if sheet.sheet_state == "visible"}
        finally:
            book.close()
    except _BROKEN_WORKBOOK as error:
        raise make_single_fault(FaultCode.NO_WORKBOOK, value=quote_value(str(error))) from error
    filled = {title: rows for title, rows in tables.items() if rows}
    if not filled:
        return ReadTable([])
    title = max(filled, key=lambda title: _rate_sheet(filled[title], known))
    remarks = (FileFault(FaultCode.ONE_SHEET, figures={"value": quote_value(title)}),) if len(filled) > 1 else ()
    return ReadTable(filled[title], remarks)


def _read_sheet(sheet: Any) -> list[NumberedRow]:
    # Programs write wrong dimensions into a sheet; openpyxl would believe them and leave rows out.
    sheet.reset_dimensions()
    rows = sheet.iter_rows(values_only=True, max_col=limits.COLUMNS)
    return _number_rows((number, list(cells)) for number, cells in enumerate(rows, 1))


def _rate_sheet(rows: list[NumberedRow], known: Collection[str]) -> tuple[int, int]:
    """How much a sheet looks like a list of players."""
    headings = max(sum(fold_text(cell) in known for cell in row.cells) for row in rows[:LINES_BEFORE_HEADINGS])
    return headings if len(rows) > 1 else 0, sum(sum(map(bool, row.cells)) > 1 for row in rows)
