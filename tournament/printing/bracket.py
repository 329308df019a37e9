"""The bracket: on one page up to 32 players, beyond that a page for each half and one for the last stages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from django.utils.translation import gettext as _

from tournament.layout import bracket as bracket_layout
from tournament.layout import lettering
from tournament.layout.boxes import Box
from tournament.layout.bracket import (
    STARTER,
    WINNER,
    BracketCard,
    BracketPicture,
    Connector,
    Layout,
    Measures,
    PlacedMatch,
    PlacedRow,
    lay_out,
)
from tournament.printing.paper import MM, Align, Paper
from tournament.printing.values import Header

MOST_MATCHES = 16
"""In the first stage of a page; more would be too small to read."""

WIDEST, TALLEST = 280 * MM, 20 * MM
"""A column, and a player's row."""

GAP, HEADING = 5.5 * MM, 7 * MM
CAPTION, SPACING = 0.74, 0.24
"""The caption of a match and the room between matches, in parts of a row."""

LETTERS, LARGEST, SMALL, SMALLEST_LARGE = 0.8, 26, 0.76, 13
"""The size of names in parts of a row, at most so many points; that of what stands beside them in parts of it, at most
so many points."""

NAME_ROOM = 0.05
"""Above and below a name, in parts of a row, so that two lines of it do not touch the frame."""

TITLE = 0.42
"""The part of the head's width that is the title's; the legend has the rest."""

OPEN = 0.35
"""The shade of what is not a player: a bye, a place still open."""


@dataclass(frozen=True, slots=True)
class BracketPage:
    """What one page shows: its title, and its part of the bracket."""

    title: str
    picture: BracketPicture


def bracket(header: Header, picture: BracketPicture, facts: Sequence[tuple[str, str]]) -> bytes:
    """The bracket on A4 landscape. `facts` are those of its announcement: label and sentence of each."""
    paper = Paper(header, _("Knock-out"), wide=True)
    rules = " · ".join(f"{label}: {text}" for label, text in facts)
    for page in paper.pages(pages(picture)):
        layout = lay_out(page.picture, fitting(page.picture, paper.content))
        _page(paper, layout, page.title)
        _legend(paper, rules)
    return paper.done()


def pages(picture: BracketPicture) -> Sequence[BracketPage]:
    """The pages that a bracket takes."""
    if len(picture.columns[0].cards) <= MOST_MATCHES:
        return [BracketPage("", picture)]
    upper, lower, end = bracket_layout.halves(picture)
    return [BracketPage(_("Upper half"), upper), BracketPage(_("Lower half"), lower), BracketPage("", end)]


def fitting(picture: BracketPicture, room: Box) -> Measures:
    """The largest measures at which the picture fits the room, which it then fills from top to bottom.

    All names have one size, at which each fits its row on one line or on two.
    """
    stages, first = len(picture.columns), len(picture.columns[0].cards)
    column = min(WIDEST, (room.width - (stages - 1) * GAP) / stages)
    row = min(TALLEST, (room.height - HEADING) / (first * (2 + CAPTION + SPACING)))
    while lay_out(picture, _measures(column, row, row * LETTERS)).height > room.height:
        row *= 0.97
    tight = _lettered(picture, column, row)
    spare = (room.height - lay_out(picture, tight).height) / first
    spread = replace(tight, spacing=tight.spacing + max(spare, 0))
    while spread.spacing > tight.spacing and lay_out(picture, spread).height > room.height + 0.01:
        spread = replace(spread, spacing=max(tight.spacing, spread.spacing * 0.97))
    return spread


def _lettered(picture: BracketPicture, column: float, row: float) -> Measures:
    """Measures with the largest letters at which all names fit their rows."""
    lines = [line for card in _cards(picture) for line in card.lines]
    size = min(LARGEST, row * LETTERS)
    while size > lettering.LEAST:
        found = _measures(column, row, size)
        texts = [(line.text, line.is_player, found.name) for line in lines]
        if lettering.one_size(texts, height=row * (1 - 2 * NAME_ROOM), size=size) == size:
            return found
        size *= 0.97
    return _measures(column, row, size)


def _cards(picture: BracketPicture) -> Iterator[BracketCard]:
    columns = (*picture.columns, *((picture.third,) if picture.third else ()))
    return (card for column in columns for card in column.cards)


def _measures(column: float, row: float, size: float) -> Measures:
    return Measures(
        column=column,
        gap=GAP,
        row=row,
        caption=row * CAPTION,
        spacing=row * SPACING,
        heading=HEADING,
        seed=size * 1.75,
        mark=size * 0.95,
        score=size * 3.2,
        pad=size * 0.3,
        size=size,
        small=min(size * SMALL, SMALLEST_LARGE),
    )


def _page(paper: Paper, layout: Layout, title: str) -> None:
    size = layout.measures.size
    if title:
        _beside_title(paper, title)
    for heading in layout.headings:
        paper.write(_on(paper, heading.box), heading.text, size=min(size * 1.3, 11), bold=True)
    if layout.champion_title and layout.champion:
        paper.write(_on(paper, layout.champion_title.box), layout.champion_title.text, size=layout.measures.small)
        paper.write(_on(paper, layout.champion.box), f"{WINNER} {layout.champion.text}", size=size * 1.4, bold=True)
    for connector in layout.connectors:
        _connect(paper, connector)
    for match in layout.matches:
        _match(paper, match, layout.measures)


def _beside_title(paper: Paper, text: str) -> None:
    """Which part of the bracket this page shows, on the line of the document's title."""
    head = Box(paper.content.x, 13 * MM, paper.content.width * TITLE, 12 * MM)
    left = lettering.width_taken(paper.title, width=head.width, height=head.height, size=22, bold=True) + 4 * MM
    paper.write(Box(head.x + left, head.y + 1.5 * MM, head.width - left, head.height - 1.5 * MM), text, size=14)


def _on(paper: Paper, box: Box) -> Box:
    """A box of the layout, moved to where the page's content begins."""
    return Box(paper.content.x + box.x, paper.content.y + box.y, box.width, box.height)


def _connect(paper: Paper, connector: Connector) -> None:
    weight = 1.3 if connector.is_taken else 0.5
    x, y = paper.content.x, paper.content.y
    for (left, upper), (right, lower) in pairwise(connector.points):
        paper.rule(x + left, y + upper, x + right, y + lower, weight=weight)


def _match(paper: Paper, match: PlacedMatch, measures: Measures) -> None:
    box = _on(paper, match.box)
    if match.card.is_bye:
        for end_y in (box.y, box.bottom):
            paper.rule(box.x, end_y, box.right, end_y, dashed=True)
        for end_x in (box.x, box.right):
            paper.rule(end_x, box.y, end_x, box.bottom, dashed=True)
    else:
        paper.frame(box)
        paper.write(_on(paper, match.caption), match.card.caption, size=measures.small)
    middle = box.y + box.height / 2
    paper.rule(box.x, middle, box.right, middle, weight=0.3, shade=0.6)
    for row in match.rows:
        _row(paper, row, measures)


def _row(paper: Paper, row: PlacedRow, measures: Measures) -> None:
    line = row.line
    if not line.is_player:
        paper.write(
            _on(paper, row.name.inset(0, row.box.height * NAME_ROOM)), line.text, size=measures.size, shade=OPEN
        )
        return
    if line.seed is not None:
        paper.write(_on(paper, row.seed), str(line.seed), size=measures.small)
    if line.won:
        paper.write(_on(paper, row.mark), WINNER, size=measures.size, bold=True)
    elif line.starts:
        paper.write(_on(paper, row.mark), STARTER, size=measures.size * 0.6)
    paper.write_at(
        _on(paper, row.name.inset(0, row.box.height * NAME_ROOM)), line.text, size=measures.size, bold=line.won
    )
    paper.write(_on(paper, row.score), line.score, size=measures.size, bold=line.won, align=Align.RIGHT)


def _legend(paper: Paper, rules: str) -> None:
    """What the marks mean and how a match is decided: beside the title, below the event's line, which may be long."""
    width = paper.content.width
    head = Box(paper.content.x + width * TITLE, 13.5 * MM, width * (1 - TITLE), 11.5 * MM)
    upper, lower = head.below(3.5 * MM, gap=-head.height), head.below(8 * MM, gap=-8 * MM)
    marks = _("▸ winner of the match · ● starts the next game · the number before a name is the seed")
    paper.write(upper, marks, size=8, align=Align.RIGHT)
    paper.write(lower, rules, size=8, align=Align.RIGHT)
