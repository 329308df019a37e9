"""Titled documents, the header of every page, sheets to be cut into equal parts, documents joined to one file."""

import io
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from tournament.core.records import list_divisions
from tournament.core.words.figures import format_event_days
from tournament.models import Division, Round
from tournament.paper.boxes import Box
from tournament.paper.sheet import MM, Paper, PaperHeader


@dataclass(frozen=True, slots=True)
class Document:
    """A document's title, and how it is rendered for a division and a round (None: the latest)."""

    title: str | Promise
    render: Callable[[PaperHeader, Division, Round | None], bytes]


def make_header(division: Division, printed_at: datetime | None = None, address: str = "") -> PaperHeader:
    """The header for a division's paper, printed now unless a time is given. One query."""
    tournament = division.tournament
    # The only division has a name that nobody has chosen: on paper it would look like a second event.
    alone = len(list_divisions(tournament)) == 1
    return PaperHeader(
        event=tournament.name,
        # Given by whoever compares two documents: the time stands on each page, and in the file.
        printed_at=printed_at or timezone.now(),
        division="" if alone else division.name,
        place=tournament.place,
        dates=format_event_days(tournament),
        address=address,
    )


def render_no_round(header: PaperHeader, title: str) -> bytes:
    return render_notice(header, title, _("There is no round to print yet."))


def join_documents(documents: Iterable[bytes], title: str) -> bytes:
    """All documents in one file. Equal documents give equal files."""
    from pypdf import PdfReader, PdfWriter  # noqa: PLC0415  # slow to load, and seldom needed

    writer = PdfWriter()
    for document in documents:
        writer.append(PdfReader(io.BytesIO(document)))
    writer.add_metadata({"/Title": title, "/Creator": "TSO"})
    # Each document brings its fonts along: what is the same in several is stored once.
    writer.compress_identical_objects()
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def enlarge_to_a3(document: bytes) -> bytes:
    """The document with each of its A4 pages on A3, everything on it larger by the same factor."""
    from pypdf import PdfReader, PdfWriter  # noqa: PLC0415  # as above

    # Cloned as a whole: pages that are added one by one leave title and language behind.
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(document)))
    for page in writer.pages:
        page.scale_by(math.sqrt(2))
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


SCISSORS = "\N{BLACK SCISSORS}"

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class CutLayout:
    """A sheet cut into equal parts."""

    across: int
    down: int

    @property
    def a_page(self) -> int:
        return self.across * self.down

    def heaps(self, items: Sequence[Item]) -> list[list[Item | None]]:
        """The items of each page, at least one, with None for an empty part. When the whole pile is cut, each stack
        holds consecutive items."""
        # Not page by page: the whole pile is cut at one stroke, and the stacks are laid on each other. Item 2 lies
        # under item 1, on the next page in the same place.
        count = max(1, -(-len(items) // self.a_page))
        return [
            [items[at] if (at := place * count + page) < len(items) else None for place in range(self.a_page)]
            for page in range(count)
        ]

    def part(self, paper: Paper, place: int) -> Box:
        """The box of a part; 0 is the first."""
        row, column = divmod(place, self.across)
        width, height = paper.width / self.across, paper.height / self.down
        return Box(column * width, row * height, width, height)

    def lines(self, paper: Paper) -> None:
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
