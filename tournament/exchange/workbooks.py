"""What a workbook would cost to read, looked at before anything takes it apart: it is a zip of texts that unfold."""

import io
import zipfile

from tournament import limits
from tournament.exchange import faults
from tournament.exchange.faults import Code
from tournament.exchange.json_text import too_large
from tournament.exchange.zip_files import check_parts

SHEETS, STRINGS = "xl/worksheets/", "xl/sharedstrings.xml"
TAG, STRING, DOCUMENT_TYPE = b"<", b"<si", b"<!DOCTYPE"


def check(content: bytes) -> None:
    """Refuse a workbook that is no list of players: too many parts, bytes, cells, texts, formats or names, or entities.

    Raises `Faults`, or what `zipfile` raises on a broken archive. No part is unpacked further than it says it goes.
    """
    check_parts(content, limits.PARTS)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        texts = [part for part in archive.infolist() if part.filename.casefold().endswith((".xml", ".rels"))]
        unpacked = sum(part.file_size for part in texts)
        if unpacked > limits.UNPACKED_BYTES:
            raise too_large(unpacked, limits.UNPACKED_BYTES, Code.UNPACKED_TOO_LARGE)
        cells = strings = others = 0
        for part in texts:
            name = part.filename.casefold()
            text = archive.read(part).replace(b"\0", b"")  # UTF-16 has them beside each mark
            if DOCUMENT_TYPE in text:
                raise faults.one(Code.NO_WORKBOOK, value=DOCUMENT_TYPE.decode())
            tags = text.count(TAG)
            cells += tags if name.startswith(SHEETS) or name == STRINGS else 0
            others += 0 if name.startswith(SHEETS) or name == STRINGS else tags
            strings += text.count(STRING) if name == STRINGS else 0
    _check_counts({limits.SHEET_TAGS: cells, limits.SHEET_STRINGS: strings, limits.OTHER_TAGS: others})


def _check_counts(counts: dict[int, int]) -> None:
    """Refuse the first count that is above its limit."""
    for limit, count in counts.items():
        if count > limit:
            raise faults.one(Code.WORKBOOK_TOO_LARGE, value=count, limit=limit)
