"""Several documents in one file, to be printed with one click."""

import io
from collections.abc import Iterable

from pypdf import PdfReader, PdfWriter


def joined(documents: Iterable[bytes], title: str) -> bytes:
    """The pages of all documents one after the other, in a file of that title. Equal documents give equal files."""
    writer = PdfWriter()
    for document in documents:
        writer.append(PdfReader(io.BytesIO(document)))
    writer.add_metadata({"/Title": title, "/Creator": "TSO"})
    writer.compress_identical_objects()
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()
