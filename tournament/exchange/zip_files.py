"""What zip files and workbooks have in common: how many files are inside is looked at before they are listed."""

from tournament.exchange import faults
from tournament.exchange.faults import Code

ZIP_MARK = b"PK\x03\x04"
ENTRY_MARK = b"PK\x01\x02"
"""Begins each entry of a zip's directory."""


def check_parts(content: bytes, limit: int) -> None:
    """Refuse a zip with more than `limit` files: listing a hundred thousand takes seconds and megabytes."""
    count = content.count(ENTRY_MARK)
    if count > limit:
        raise faults.one(Code.TOO_MANY_FILES, limit=limit, value=count)
