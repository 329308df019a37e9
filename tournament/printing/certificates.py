"""Certificates: a page for each player, to be signed and handed over."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto

from django.utils.translation import gettext as _

from tournament.layout.boxes import Box
from tournament.printing.paper import MM, Align, Paper
from tournament.printing.values import Certificate, Header

FRAME, INNER = 12 * MM, 14 * MM
"""How far the two frames are from the edge of the sheet."""

WIDEST_TILE, TILE_GAP = 17 * MM, 1.6 * MM
HONOUR, HONOURS = 9, 56
"""How high the line of a prize is at most, and the room of all of them, in millimetres."""


CORNER = 7 * MM
"""The side of the squares at the corners of the classic frame."""


class Design(Enum):
    """What a certificate looks like around its text."""

    TILES = auto()
    """The title in letter tiles, a double frame."""
    CLASSIC = auto()
    """The title between two rules, a frame with squares at its corners."""
    BAND = auto()
    """The event in a grey band, no frame: for paper that has a border of its own."""


def certificates(
    header: Header, winners: Sequence[Certificate], values: Mapping[str, int], design: Design = Design.TILES
) -> bytes:
    """A page each; `values` are those of the letters, which the title is laid in where the design has tiles."""
    paper = Paper(header, _("Certificates"))
    for certificate in paper.bare_pages(winners):
        title = certificate.heading or _("Certificate")
        if design == Design.TILES:
            _frames(paper)
            _tiles(paper, title, values)
        elif design == Design.CLASSIC:
            _classic(paper, title)
        else:
            _band(paper, title)
        _event(paper)
        _who(paper, certificate)
        _what(paper, certificate)
        _signatures(paper, certificate)
    return paper.done()


def _classic(paper: Paper, title: str) -> None:
    outer = paper.page.inset(FRAME, FRAME)
    paper.frame(outer, weight=1.6)
    paper.frame(outer.inset(1.4 * MM, 1.4 * MM), weight=0.4)
    for x in (outer.x, outer.right):
        for y in (outer.y, outer.bottom):
            square = Box(x - CORNER / 2, y - CORNER / 2, CORNER, CORNER)
            paper.fill(square, shade=1)
            paper.frame(square, weight=1.6)
            paper.fill(square.inset(1.6 * MM, 1.6 * MM), shade=0.35)
    line = _line(paper, 68, 22)
    width = paper.write(line, title, size=46, align=Align.CENTRE)
    free = (line.width - width) / 2 - 5 * MM
    for x in (line.x, line.right - free):
        if free > 0:
            paper.rule(x, line.middle, x + free, line.middle, weight=0.8)


def _band(paper: Paper, title: str) -> None:
    paper.fill(Box(FRAME, 22 * MM, paper.width - 2 * FRAME, 40 * MM))
    paper.fill(Box(FRAME, 62 * MM, paper.width - 2 * FRAME, 1.2 * MM), shade=0.35)
    paper.write(_line(paper, 70, 24), title, size=50, bold=True, align=Align.CENTRE)
    paper.fill(Box(FRAME, 281 * MM, paper.width - 2 * FRAME, 1.2 * MM), shade=0.35)


def _frames(paper: Paper) -> None:
    paper.frame(paper.page.inset(FRAME, FRAME), weight=2.4)
    paper.frame(paper.page.inset(INNER, INNER), weight=0.6)


def _line(paper: Paper, y: float, height: float) -> Box:
    """A box across the page, so many millimetres from its top and so many high."""
    return Box(24 * MM, y * MM, paper.width - 48 * MM, height * MM)


def _event(paper: Paper) -> None:
    header = paper.header
    where = " · ".join(part for part in (header.place, header.dates) if part)
    paper.write(_line(paper, 28, 20), header.event, size=26, bold=True, align=Align.CENTRE)
    paper.write(_line(paper, 49, 8), where, size=13, align=Align.CENTRE)


def _tiles(paper: Paper, word: str, values: Mapping[str, int]) -> None:
    """The word as letter tiles in a row, each with its value; blanks between several words stay empty."""
    letters = word.upper()
    room = _line(paper, 70, 0).width
    side = min(WIDEST_TILE, (room - TILE_GAP * (len(letters) - 1)) / len(letters))
    x = (paper.width - side * len(letters) - TILE_GAP * (len(letters) - 1)) / 2
    for letter in letters:
        if letter.isspace():
            x += side + TILE_GAP
            continue
        tile = Box(x, 70 * MM, side, side)
        paper.fill(tile)
        paper.frame(tile, weight=0.8)
        paper.write(
            Box(tile.x, tile.y, tile.width, tile.height * 0.94), letter, size=side * 0.62, bold=True, align=Align.CENTRE
        )
        value = Box(tile.x, tile.y + tile.height * 0.7, tile.width * 0.94, tile.height * 0.28)
        paper.write(value, str(values.get(letter, "")), size=side * 0.2, align=Align.RIGHT)
        x += side + TILE_GAP


def _who(paper: Paper, certificate: Certificate) -> None:
    paper.write(_line(paper, 106, 30), certificate.name, size=38, bold=True, align=Align.CENTRE)
    paper.write(_line(paper, 137, 9), certificate.club, size=15, align=Align.CENTRE)


def _what(paper: Paper, certificate: Certificate) -> None:
    """The place or what the director says instead, and below it the prizes."""
    if certificate.line:
        paper.write(_line(paper, 153, 31), certificate.line, size=22, align=Align.CENTRE)
    else:
        paper.write(_line(paper, 157, 18), certificate.place, size=32, bold=True, align=Align.CENTRE)
        paper.write(_line(paper, 176, 8), certificate.among, size=13, align=Align.CENTRE)
    if not certificate.honours:
        return
    paper.rule(paper.width * 0.4, 189 * MM, paper.width * 0.6, 189 * MM, weight=0.8)
    honour = _line(paper, 192, min(HONOUR, HONOURS / len(certificate.honours)))
    for text in certificate.honours:
        paper.write(honour, text, size=15, align=Align.CENTRE)
        honour = honour.below(honour.height)


def _signatures(paper: Paper, certificate: Certificate) -> None:
    """Two lines to sign on, with what belongs there below."""
    left, right = _line(paper, 258, 10).columns(1, 1, gap=18 * MM)
    signed = Box(left.x, left.y - 9 * MM, left.width, 8 * MM)
    paper.write(signed, certificate.signed, size=13, align=Align.CENTRE)
    for box, text in ((left, certificate.left or _("Place and date")), (right, certificate.right or _("Director"))):
        paper.rule(box.x, box.y, box.right, box.y, weight=0.7)
        paper.write(Box(box.x, box.y + 1 * MM, box.width, 6 * MM), text, size=10, align=Align.CENTRE)
