"""The announcement (Ausschreibung): what the rules want stated in advance, on as few pages as possible."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.core.words.figures import append_clause
from tournament.events.words import describe_segment, format_segment_rounds, list_announcement_facts
from tournament.knockout.words import list_knockout_facts
from tournament.models import Division, Round
from tournament.paper.boxes import Box
from tournament.paper.hyphens import mark_hyphens
from tournament.paper.lettering import make_drawable, wrap_text
from tournament.paper.sheet import MM, Paper, PaperHeader
from tournament.registration.calling_off import list_minimum_facts
from tournament.results.knockout_state import get_stored_knockout
from tournament.rounds.plan import read_round_plan
from tournament.table.public_table import list_exceptions


@dataclass(frozen=True, slots=True)
class AnnouncementSection:
    """A part of the announcement, under a heading or none: facts with labels; running text has an empty label.
    `hyphens`: the words are the program's own, so long ones may be broken; what people write may hold names."""

    heading: str
    facts: tuple[tuple[str, str], ...]
    hyphens: bool = False


TEXT_SIZES = (14, 13.5, 13, 12.5, 12, 11.5, 11)  # the largest that takes no more pages than the smallest
LINE_SHARE = 1.4  # the height of a line in parts of the size
LARGEST_LINE_SHARE = 1.8  # where an only page has room left
LABEL_WIDTH = 60 * MM


@dataclass(frozen=True, slots=True)
class _AnnouncementLine:
    """A heading, a line of text (with the label if it begins a fact), or a gap; `goes_on`: no break before it."""

    text: str = ""
    label: str = ""
    heading: bool = False
    indented: bool = False
    goes_on: bool = False


def render_announcement(header: PaperHeader, sections: tuple[AnnouncementSection, ...], *, title: str = "") -> bytes:
    """Each section under its heading, in letters as large as the pages allow; no page ends between a heading and its
    text, nor after a fact's first line."""
    paper = Paper(header, title or _("Announcement"))
    box = paper.content
    layouts = [(size, _lay_out_sections(sections, box, size)) for size in TEXT_SIZES]
    fewest = len(layouts[-1][1])
    size, pages = next((size, pages) for size, pages in layouts if len(pages) == fewest)
    height = size * LINE_SHARE
    if len(pages) == 1:
        height = min(box.height / max(len(pages[0]), 1), size * LARGEST_LINE_SHARE)
    # An announcement without a word is an empty page: a document has one at least.
    for page in paper.pages(pages or [[]]):
        row = Box(box.x, box.y, box.width, height)
        for line in page:
            _draw_line(paper, row, line, size)
            row = row.below(height)
    return paper.done()


def _lay_out_sections(
    sections: tuple[AnnouncementSection, ...], box: Box, size: float
) -> list[list[_AnnouncementLine]]:
    """The lines of each page in letters of this size; pages are broken only where that is allowed."""
    lines = [line for section in sections for line in _make_lines(section, box.width, size)]
    most = int(box.height // (size * LINE_SHARE))
    pages: list[list[_AnnouncementLine]] = []
    while lines:
        if not lines[0].text and not lines[0].label:
            lines = lines[1:]
            continue
        cut = min(most, len(lines))
        while 0 < cut < len(lines) and lines[cut].goes_on:
            cut -= 1
        # A text longer than a page has no line at which it may be broken: then the page's end has to do.
        cut = cut or most
        pages.append(lines[:cut])
        lines = lines[cut:]
    return pages


def _make_lines(section: AnnouncementSection, width: float, size: float) -> Iterator[_AnnouncementLine]:
    """A section as lines: its heading, if it has one, then its facts or its running text."""
    first = bool(section.heading)
    if section.heading:
        yield _AnnouncementLine()
        yield _AnnouncementLine(section.heading, heading=True)
    language = get_language() or "" if section.hyphens else ""
    for label, text in section.facts:
        room = width - LABEL_WIDTH if label else width
        wrapped = [
            part
            # An empty text is a line all the same, as its label has to stand somewhere.
            for line in text.splitlines() or [""]
            for part in wrap_text(mark_hyphens(make_drawable(line), language), bold=False, width=room / size)
        ]
        for number, part in enumerate(wrapped):
            yield _AnnouncementLine(part, "" if number else label, indented=bool(label), goes_on=first or number == 1)
            first = False


def _draw_line(paper: Paper, row: Box, line: _AnnouncementLine, size: float) -> None:
    if line.heading:
        paper.write(row, line.text, size=size + 2, bold=True, hyphens=True)
        paper.rule(row.x, row.y - 0.6 * MM, row.right, row.y - 0.6 * MM, weight=0.5)
        return
    if line.label:
        paper.write(Box(row.x, row.y, LABEL_WIDTH - 3 * MM, row.height), line.label, size=size, bold=True)
    indent = LABEL_WIDTH if line.indented else 0
    # A little wider than the text was wrapped by: a line that just fits must not count as too wide by a rounding.
    paper.write(Box(row.x + indent, row.y, row.width - indent + 0.1, row.height), line.text, size=size)


def render_division_announcement(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    """What the rules want an announcement to state, and what the director adds. Two queries."""
    tournament = division.tournament
    clauses = tournament.rules.clauses
    planned = tuple((format_segment_rounds(part), describe_segment(part)) for part in read_round_plan(division.plan))
    exceptions = tuple((entry.name, entry.exception) for entry in list_exceptions(tournament))
    sections = (
        AnnouncementSection("", (("", tournament.announcement),) if tournament.announcement else ()),
        AnnouncementSection("", tuple(list_minimum_facts(tournament)), hyphens=True),
        AnnouncementSection(_("How it is played"), tuple(list_announcement_facts(tournament)), hyphens=True),
        AnnouncementSection(_("Plan of rounds"), planned, hyphens=True),
        AnnouncementSection(
            append_clause(_("Knock-out rounds"), clauses.knockout.whole),
            tuple(list_knockout_facts(get_stored_knockout(division), tournament.rules)),
            hyphens=True,
        ),
        AnnouncementSection(append_clause(_("Exceptions for players"), clauses.exceptions), exceptions),
    )
    return render_announcement(header, tuple(section for section in sections if section.facts))
