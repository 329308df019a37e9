"""A document on A4: pages with header and footer, and boxes to draw text, rules and frames in. All measures are in
points from the top left corner of the page."""

import io
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto
from functools import lru_cache, partial
from typing import TypeVar

from django.utils import formats, timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from reportlab import rl_config
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.rl_accel import fp_str
from reportlab.pdfgen.canvas import Canvas

from tournament.paper.boxes import Box
from tournament.paper.lettering import (
    CAP_HEIGHT,
    FONT_LOCK,
    LEADING,
    FittedText,
    break_text,
    fit_text,
    get_font_name,
    holds_words,
    make_drawable,
    measure_width,
    wrap_text,
)


@dataclass(frozen=True, slots=True)
class PaperHeader:
    """The event as named on every page. `division` is empty if there is only one; `address` is for codes on paper.
    `file`: where the document becomes a part of a longer one."""

    event: str
    printed_at: datetime
    division: str = ""
    place: str = ""
    dates: str = ""
    address: str = ""
    file: "PaperFile | None" = None


MM = 72 / 25.4
MARGIN = 10 * MM
NOTE_SIZE, EASY_NOTE_SIZE = 10.0, 8.5  # of the lines under the title, and at least of one that shrinks to its line
FOOT_SIZE = 8.0
GREY = 0.9  # a shade that a black-and-white printer gives and a copier keeps

rl_config.useA85 = 0  # letters for mail of seven bits: a quarter more bytes, and much of the time

STAMP_NAME = "stamp"  # the name of a document's stamp inside the file

Item = TypeVar("Item")


@lru_cache(maxsize=4096)
def _format_figures(*values: float) -> str:
    """Figures as reportlab writes them. They come again: in each row, and on each page."""
    return str(fp_str(*values))


class LetterCodes(dict[str, str]):
    """The code of each letter in a font of one document, as reportlab writes it. It looks for the letters of every line
    anew, at 10 µs a line; here it is asked once for each letter. "" is the code of a letter that does not lie in the
    font's first part, which holds some 250 letters."""

    def __init__(self, canvas: Canvas, *, bold: bool) -> None:
        super().__init__()
        self._canvas, self._font, self._first_part = canvas, get_font_name(bold=bold), ""

    def __missing__(self, letter: str) -> str:
        part, _space, operators = self._ask_reportlab(letter, 1).partition(" ")
        self._first_part = self._first_part or part
        code = operators[operators.index("(") + 1 : operators.rindex(")")] if part == self._first_part else ""
        self[letter] = code
        return code

    def write_line(self, line: str, size: float) -> str:
        """The operators that choose font and size and draw a line of printable text."""
        # Letters of the font's second part change the font in the middle of a line: these lines are left to reportlab.
        codes = [self[letter] for letter in line]
        if not all(codes):
            return self._ask_reportlab(line, size)
        return f"{self._first_part} {_format_figures(size)} Tf ({''.join(codes)}) Tj"

    def _ask_reportlab(self, line: str, size: float) -> str:
        self._canvas.setFont(self._font, size)
        text = self._canvas.beginText(0, 0)
        text.textLine(line)
        return str(text.getCode().partition(" Tm ")[2].removesuffix(" ET"))


class Align(Enum):
    LEFT = auto()
    RIGHT = auto()
    CENTRE = auto()


class PaperFile:
    """A PDF into which documents are drawn one after another (`PaperHeader.file`). `done` numbers their pages from the
    first to the last and gives the PDF."""

    def __init__(self, header: PaperHeader, title: str, subject: str = "") -> None:
        self._buffer = io.BytesIO()
        # `invariant` keeps reportlab's own clock out of the file, which has the moment of printing instead.
        self.canvas = Canvas(self._buffer, pagesize=A4, pageCompression=1, invariant=1, lang=get_language() or "de")
        self.letters = LetterCodes(self.canvas, bold=False), LetterCodes(self.canvas, bold=True)
        self._feet: list[Callable[[int, int], object]] = []
        # The date is that of printing, so that equal documents give equal files.
        stamp = timezone.localtime(header.printed_at).strftime("D:%Y%m%d%H%M%S%z")
        # PDF writes a zone as +01'00' where strftime has +0100.
        self.canvas.setDateFormatter(lambda *_now: f"{stamp[:-2]}'{stamp[-2:]}'")
        self.canvas.setTitle(title)
        self.canvas.setAuthor(header.event)
        self.canvas.setCreator("TSO")
        self.canvas.setSubject(subject or title)
        self.canvas.setViewerPreference("DisplayDocTitle", "true")

    def number_page(self, write: Callable[[int, int], object]) -> None:
        """Let `write` put a number on this page, once all pages are counted: it is given the number and the count."""
        self._feet.append(write)
        self.canvas.doForm(f"foot{len(self._feet)}")  # may stand on a page before it is drawn

    def done(self) -> bytes:
        for number, write in enumerate(self._feet, 1):
            self.canvas.beginForm(f"foot{number}")
            write(number, len(self._feet))
            self.canvas.endForm()
        # reportlab keeps the state of a document that is being written in its fonts, which all documents share: two
        # that are saved at once would write each other's letters.
        with FONT_LOCK:
            self.canvas.save()
        return self._buffer.getvalue()


class Paper:
    """A document being drawn. `pages` draws each page's header and footer, `done` gives the PDF."""

    def __init__(
        self, header: PaperHeader, title: str, *, notes: Sequence[str] = (), wide: bool = False, aside: float = 0
    ) -> None:
        """`notes` go under the title; `wide` is landscape; `aside` is the width kept clear at the header's right."""
        self.header = header
        self.title = title
        self.aside = aside
        self.size = landscape(A4) if wide else A4
        self.width, self.height = float(self.size[0]), float(self.size[1])
        self.notes = tuple(line for note in notes for line in self._break_note(make_drawable(note)))
        self.file = header.file or PaperFile(header, f"{title} – {format_event_line(header)}", title)
        self.canvas, self._letters = self.file.canvas, self.file.letters
        self.canvas.setPageSize(self.size)

    def _break_note(self, note: str) -> tuple[str, ...]:
        """A note on one line, a little smaller if need be, or on as many as it takes."""
        width = self.width - 2 * MARGIN
        if measure_width(note, bold=False) * EASY_NOTE_SIZE <= width:
            return (note,) if note else ()
        return wrap_text(note, bold=False, width=width / NOTE_SIZE)

    @property
    def page(self) -> Box:
        return Box(0, 0, self.width, self.height)

    @property
    def content(self) -> Box:
        """The room between header and footer."""
        top = 27 * MM + len(self.notes) * 5 * MM
        return Box(MARGIN, top, self.width - 2 * MARGIN, self.height - top - 14 * MM)

    def pages(self, chunks: Sequence[Item]) -> Iterator[Item]:
        """Each chunk on a page of its own, where header and footer are drawn already."""
        for number, chunk in enumerate(chunks, 1):
            self._head()
            foot = Box(MARGIN, self.height - 11 * MM, self.width - 2 * MARGIN, 6 * MM)
            self.rule(foot.x, foot.y, foot.right, foot.y, weight=0.5)
            # A part leaves room for the number that is written once all pages are counted.
            page = _format_page_number(999, 999) if self.header.file else _format_page_number(number, len(chunks))
            left_box, middle, right = self._split_foot(foot, format_print_time(self.header), page)
            self.write(left_box, self.header.event, size=FOOT_SIZE)
            self.write(middle, format_print_time(self.header), size=FOOT_SIZE, align=Align.CENTRE)
            if not self.header.file:
                self._write_page_number(right, number, len(chunks))
            yield chunk
            if self.header.file:
                self.header.file.number_page(partial(self._write_page_number, right))
            self.canvas.showPage()

    def _write_page_number(self, box: Box, number: int, count: int) -> None:
        self.write(box, _format_page_number(number, count), size=FOOT_SIZE, align=Align.RIGHT)

    def _split_foot(self, foot: Box, *texts: str) -> tuple[Box, ...]:
        """Three parts of the foot: like ones, or where the event's name is longer, all that the other texts leave."""
        event, *others = (
            measure_width(make_drawable(text), bold=False) * FOOT_SIZE + 1 for text in (self.header.event, *texts)
        )
        gap = 3 * MM
        third = (foot.width - 2 * gap) / 3
        if event <= third or max(others) > third:
            return foot.columns(1, 1, 1, gap=gap)
        return foot.columns(foot.width - 2 * gap - sum(others), *others, gap=gap)

    def bare_pages(self, chunks: Sequence[Item]) -> Iterator[Item]:
        """Each chunk with an empty page of its own."""
        for chunk in chunks:
            yield chunk
            self.canvas.showPage()

    def _head(self) -> None:
        across = self.width - 2 * MARGIN - self.aside
        self.write(Box(MARGIN, 7 * MM, across, 6 * MM), format_event_line(self.header), size=10)
        self.write(Box(MARGIN, 13 * MM, across, 12 * MM), self.title, size=22, bold=True)
        for index, note in enumerate(self.notes):
            self.write(Box(MARGIN, (25.5 + 5 * index) * MM, across, 5 * MM), note, size=NOTE_SIZE)

    def write(
        self,
        box: Box,
        text: str,
        *,
        size: float,
        bold: bool = False,
        align: Align = Align.LEFT,
        shade: float = 0,
        hyphens: bool = False,
    ) -> float:
        """Write text, vertically centred, smaller or on more lines if necessary; return its width. `hyphens`: long
        words may be broken by the rules of the language, since the text holds no names."""
        if not text:
            return 0.0
        language = get_language() or "" if hyphens else ""
        fitted = fit_text(text, bold=bold, width=box.width, height=box.height, size=size, language=language)
        return self._set(box, fitted, bold=bold, align=align, shade=shade)

    def write_wrapped(
        self, box: Box, text: str, *, size: float, bold: bool = False, align: Align = Align.LEFT
    ) -> float:
        """Write text at this size, smaller only if that breaks a word or is higher than the box; return its width."""
        lines, is_short = break_text(text, bold=bold, width=box.width, size=size)
        is_whole = is_short or holds_words(text, bold=bold, width=box.width, size=size)
        if not is_whole or len(lines) * size * LEADING > box.height + 0.01:
            return self.write(box, text, size=size, bold=bold, align=align)
        return self._set(box, FittedText(lines, size), bold=bold, align=align, shade=0)

    def _set(self, box: Box, fitted: FittedText, *, bold: bool, align: Align, shade: float) -> float:
        """Draw fitted lines, vertically centred in a box."""
        leading = fitted.size * LEADING
        block = leading * (len(fitted.lines) - 1) + fitted.size * CAP_HEIGHT
        base = box.y + (box.height - block) / 2 + fitted.size * CAP_HEIGHT
        # Said with each text: a field that was filled before has left its grey behind.
        self.canvas.addLiteral(f"{_format_figures(shade)} g")
        widest = 0.0
        for index, line in enumerate(fitted.lines):
            width = measure_width(line, bold=bold) * fitted.size
            x = box.x
            if align is not Align.LEFT:
                x += (box.width - width) / (2 if align is Align.CENTRE else 1)
            self._draw_line(x, self.height - base - index * leading, line, size=fitted.size, bold=bold)
            widest = max(widest, width)
        return widest

    def _draw_line(self, x: float, y: float, line: str, *, size: float, bold: bool) -> None:
        """Draw a line from here, by the same operators as `canvas.drawString`."""
        place = f"{_format_figures(x)} {_format_figures(y)}"
        self.canvas.addLiteral(f"BT 1 0 0 1 {place} Tm {self._letters[bold].write_line(line, size)} ET")

    def rule(
        self,
        x: float,
        y: float,
        to_x: float,
        to_y: float,
        *,
        weight: float = 0.4,
        dashed: bool = False,
        shade: float = 0,
    ) -> None:
        begin, end = _format_figures(x, self.height - y), _format_figures(to_x, self.height - to_y)
        self._stroke(f"n {begin} m {end} l S", weight, shade, "4 3" if dashed else "")

    def _stroke(self, path: str, weight: float, shade: float = 0, dash: str = "") -> None:
        """Draw a path, by the same operators as the canvas, which writes each of their figures anew."""
        self.canvas.addLiteral(f"{_format_figures(weight)} w\n{_format_figures(shade)} G\n[{dash}] 0 d\n{path}")

    def course(self, points: Sequence[tuple[float, float]], *, weight: float, dash: Sequence[float] = ()) -> None:
        """A line through these points, with dashes and gaps of these lengths."""
        self.canvas.setLineWidth(weight)
        self.canvas.setStrokeGray(0)
        self.canvas.setDash(list(dash))
        path = self.canvas.beginPath()
        for place, (x, y) in enumerate(points):
            (path.lineTo if place else path.moveTo)(x, self.height - y)
        self.canvas.drawPath(path)

    def frame(self, box: Box, *, weight: float = 0.6) -> None:
        self._stroke(f"n {_format_figures(box.x, self.height - box.bottom, box.width, box.height)} re S", weight)

    def fill(self, box: Box, *, shade: float = GREY) -> None:
        self.canvas.setFillGray(shade)
        self.canvas.rect(box.x, self.height - box.bottom, box.width, box.height, stroke=0, fill=1)

    def modules(self, box: Box, rows: Sequence[Sequence[bool]]) -> None:
        """Draw a QR code in a box; adjacent dark modules are one bar, without seams."""
        side = box.width / len(rows)
        self.canvas.setFillGray(0)
        for index, row in enumerate(rows):
            y = self.height - box.y - (index + 1) * side
            start = 0
            for is_dark, group in itertools.groupby(row):
                count = len(list(group))
                if is_dark:
                    self.canvas.rect(box.x + start * side, y, count * side, side, stroke=0, fill=1)
                start += count

    def stamp(self, write: Callable[[], None]) -> None:
        """Put what `write` draws on this page; it is stored once for all pages."""
        if not self.canvas.hasForm(STAMP_NAME):
            self.canvas.beginForm(STAMP_NAME, 0, 0, self.width, self.height)
            write()
            self.canvas.endForm()
        self.canvas.doForm(STAMP_NAME)

    def done(self) -> bytes:
        """The PDF; empty for a part of a longer one."""
        return b"" if self.header.file else self.file.done()


def format_event_line(header: PaperHeader) -> str:
    """Event, division, place and days, as far as known."""
    return " · ".join(part for part in (header.event, header.division, header.place, header.dates) if part)


def _format_page_number(number: int, count: int) -> str:
    return _("Page %(number)s of %(count)s") % {"number": number, "count": count}


def format_print_time(header: PaperHeader) -> str:
    """When the document was made."""
    at = formats.date_format(timezone.localtime(header.printed_at), "DATETIME_FORMAT")
    return _("Printed %(at)s") % {"at": at}


def split_into_pages(items: Sequence[Item], most: int) -> list[Sequence[Item]]:
    """The items on as few pages as possible with `most` each, spread evenly."""
    count = -(-len(items) // most)
    if not count:
        return []
    page_size, more = divmod(len(items), count)
    sizes = [page_size + (index < more) for index in range(count)]
    return [items[sum(sizes[:index]) : sum(sizes[: index + 1])] for index in range(count)]
