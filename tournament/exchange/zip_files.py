"""What zip files and workbooks have in common: how many files are inside is looked at before they are listed."""

from typing import IO

from tournament.exchange import faults
from tournament.exchange.faults import Code

ZIP_MARK = b"PK\x03\x04"
ENTRY_MARK = b"PK\x01\x02"
"""Begins each entry of a zip's directory. To list a hundred thousand of them takes seconds and megabytes."""

CHUNK = 1 << 20


def check_parts(content: bytes, limit: int) -> None:
    """Refuse a zip with more than `limit` files."""
    count = content.count(ENTRY_MARK)
    if count > limit:
        raise faults.one(Code.TOO_MANY_FILES, limit=limit, value=count)


def entries(file: IO[bytes]) -> int:
    """How many files a zip says are inside."""
    file.seek(0)
    count, end = 0, b""
    while chunk := file.read(CHUNK):
        count += (end + chunk).count(ENTRY_MARK)
        end = chunk[-len(ENTRY_MARK) + 1 :]
    return count
