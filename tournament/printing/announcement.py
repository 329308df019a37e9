"""The announcement (Ausschreibung): what the rules want stated in advance, on as few pages as possible."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.layout import lettering, typeface
from tournament.layout.boxes import Box
from tournament.printing.paper import MM, Paper
from tournament.printing.values import Header, Section

SIZE = 11
LINE = 5.4 * MM
LABEL = 60 * MM


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the page: a heading, or a line of text, with the label if it begins a fact; empty for a gap.

    `goes_on`: it must not be separated from the line before it.
    """

    text: str = ""
    label: str = ""
    heading: bool = False
    indented: bool = False
    goes_on: bool = False


def announcement(header: Header, sections: tuple[Section, ...]) -> bytes:
    """Each section under its heading; no page ends between a heading and its text, or within the first lines of a
    fact."""
    paper = Paper(header, _("Announcement"))
    box = paper.content
    lines = [line for section in sections for line in _lines(section, box.width)]
    for page in paper.pages(_pages(lines, int(box.height // LINE)) or [[]]):
        row = Box(box.x, box.y, box.width, LINE)
        for line in page:
            _draw(paper, row, line)
            row = row.below(LINE)
    return paper.done()


def _lines(section: Section, width: float) -> Iterator[_Line]:
    """A section as lines: its heading, if it has one, then its facts or its running text."""
    first = bool(section.heading)
    if section.heading:
        yield _Line()
        yield _Line(section.heading, heading=True)
    for label, text in section.facts:
        room = width - LABEL if label else width
        wrapped = [part for line in text.splitlines() or [""] for part in _wrapped(line, room)]
        for number, part in enumerate(wrapped):
            begins = "" if number else label
            yield _Line(part, begins, indented=bool(label), goes_on=first or number == 1)
            first = False


def _wrapped(text: str, width: float) -> tuple[str, ...]:
    return lettering.wrap(typeface.printable(text), bold=False, width=width / SIZE)


def _pages(lines: list[_Line], most: int) -> list[list[_Line]]:
    """The lines on pages of at most `most`, broken only where that is allowed."""
    pages: list[list[_Line]] = []
    rest = lines
    while rest:
        if not rest[0].text and not rest[0].label:
            rest = rest[1:]
            continue
        cut = min(most, len(rest))
        while 0 < cut < len(rest) and rest[cut].goes_on:
            cut -= 1
        cut = cut or most
        pages.append(rest[:cut])
        rest = rest[cut:]
    return pages


def _draw(paper: Paper, row: Box, line: _Line) -> None:
    if line.heading:
        paper.write(row, line.text, size=13, bold=True)
        paper.rule(row.x, row.y - 0.6 * MM, row.right, row.y - 0.6 * MM, weight=0.5)
        return
    if line.label:
        paper.write(Box(row.x, row.y, LABEL - 3 * MM, row.height), line.label, size=SIZE, bold=True)
    indent = LABEL if line.indented else 0
    paper.write(Box(row.x + indent, row.y, row.width - indent + 0.1, row.height), line.text, size=SIZE)
