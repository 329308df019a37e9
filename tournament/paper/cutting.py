"""Sheets that are cut into equal parts, documents joined to one file, and the page that says why one is empty."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pypdf import PdfReader, PdfWriter

from tournament.paper.boxes import Box
from tournament.paper.sheet import MM, Paper, PaperHeader


def join_documents(documents: Iterable[bytes], title: str) -> bytes:
    """The pages of all documents one after the other, in a file of that title. Equal documents give equal files."""
    writer = PdfWriter()
    for document in documents:
        writer.append(PdfReader(io.BytesIO(document)))
    writer.add_metadata({"/Title": title, "/Creator": "TSO"})
    writer.compress_identical_objects()
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


SCISSORS = "\N{BLACK SCISSORS}"

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class CutLayout:
    """So many parts across and so many down."""

    across: int
    down: int

    @property
    def a_page(self) -> int:
        """The parts of a sheet."""
        return self.across * self.down

    def heaps(self, items: Sequence[Item]) -> list[list[Item | None]]:
        """The items of each page, None for a part left empty; at least one page.

        Cut through the whole pile: the first stack then holds the first items in order, the next those that follow.
        """
        count = max(1, -(-len(items) // self.a_page))
        return [
            [items[at] if (at := place * count + page) < len(items) else None for place in range(self.a_page)]
            for page in range(count)
        ]

    def part(self, paper: Paper, place: int) -> Box:
        """The room of one part, up to the lines; 0 is the first."""
        row, column = divmod(place, self.across)
        width, height = paper.width / self.across, paper.height / self.down
        return Box(column * width, row * height, width, height)

    def lines(self, paper: Paper) -> None:
        """Draw where to cut."""
        for row in range(1, self.down):
            y = row * paper.height / self.down
            paper.rule(0, y, paper.width, y, dashed=True, shade=0.4)
            paper.write(Box(5 * MM, y - 2.5 * MM, 6 * MM, 5 * MM), SCISSORS, size=12)
        for column in range(1, self.across):
            x = column * paper.width / self.across
            paper.rule(x, 0, x, paper.height, dashed=True, shade=0.4)
            paper.write(Box(x - 1.9 * MM, 4 * MM, 6 * MM, 5 * MM), SCISSORS, size=12)


def render_notice(header: PaperHeader, title: str, reason: str) -> bytes:
    """One page with the document's title and the reason."""
    paper = Paper(header, title)
    box = paper.content
    for text in paper.pages([reason]):
        paper.write(Box(box.x, box.y + 4 * MM, box.width, 20 * MM), text, size=13)
    return paper.done()
