"""A laid-out bracket as SVG: within a page, coloured by the page's style sheet, or as a file of its own."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.layout import lettering, typeface
from tournament.layout.boxes import Box
from tournament.layout.bracket import (
    SCREEN,
    STARTER,
    WINNER,
    BracketCard,
    BracketPicture,
    Label,
    Layout,
    PlacedMatch,
    PlacedRow,
    lay_out,
)
from tournament.names import tidy
from tournament.queries.knockout import KnockoutState
from tournament.words import bracket_cards

NAME_ROOM = 1.5
"""Above and below a name, so that two lines of it do not touch the frame."""

EDGE = 2
"""Around the picture, for the strokes of what stands at its edge."""

CAPTION_DROP = 0.06
"""How much lower than its middle a caption stands, so that it is nearer to its match than to the one above it."""

MARGIN = 24
"""Around a picture that is a file of its own."""

HEAD = 40
"""The height of its title."""

Address = Callable[[BracketCard], str]
"""Where a match leads; the empty text where it leads nowhere."""


def into_list(card: BracketCard) -> str:
    """The address of a match in the list below the picture; a bye has no match to look up."""
    return "" if card.is_bye else f"#{card.anchor}"


@dataclass(frozen=True, slots=True)
class SvgText:
    """A line of text: where it begins, ends or has its middle (`anchor`) on the baseline, and its size."""

    x: str
    y: str
    text: str
    size: str
    classes: str
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle in the picture."""

    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True, slots=True)
class SvgMatch:
    """A match as it is drawn; `divide` is the line between both rows (left, right, height), `url` is empty without a
    link."""

    card: BracketCard
    url: str
    box: Rectangle
    texts: tuple[SvgText, ...]
    divide: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Polyline:
    """A connector as the points of a polyline."""

    points: str
    is_taken: bool


@dataclass(frozen=True, slots=True)
class BracketSvg:
    """What templates/components/bracket.svg.html draws."""

    width: str
    height: str
    edge: int
    title: str
    summary: str
    headings: tuple[SvgText, ...]
    ways: tuple[Polyline, ...]
    matches: tuple[SvgMatch, ...]


def svg(picture: BracketPicture, *, title: str, address: Address = lambda _card: "") -> BracketSvg:
    """The picture in CSS pixels, named `title`; each match leads to its `address`."""
    layout = lay_out(picture, SCREEN)
    return BracketSvg(
        width=_number(layout.width + 2 * EDGE),
        height=_number(layout.height + 2 * EDGE),
        edge=EDGE,
        title=title,
        summary=_summary(picture),
        headings=tuple(_headings(layout)),
        ways=tuple(
            Polyline(" ".join(f"{_number(x)},{_number(y)}" for x, y in way.points), way.is_taken)
            for way in layout.connectors
        ),
        matches=tuple(_match(match, layout, address(match.card)) for match in layout.matches),
    )


def file(picture: BracketPicture, *, title: str) -> str:
    """The picture as a self-contained SVG file, under its title."""
    svg_picture = svg(picture, title=title)
    width, height = float(svg_picture.width), float(svg_picture.height)
    context = {
        "picture": svg_picture,
        "heading": tuple(_texts(Label(title, Box(0, -HEAD, width, HEAD)), "bracket-title", size=HEAD / 2, bold=True)),
        "left": -MARGIN,
        "top": -MARGIN - HEAD,
        "width": _number(width + 2 * MARGIN),
        "height": _number(height + 2 * MARGIN + HEAD),
    }
    return render_to_string("components/bracket_file.svg", context)


def file_of(state: KnockoutState) -> str:
    """A division's knock-out as an SVG file, with the event in its title. One query."""
    division = state.knockout.division
    tournament = division.tournament
    alone = tournament.divisions.count() == 1
    named = [_("Knock-out"), tournament.name, *(() if alone else (division.name,))]
    return file(bracket_cards.picture(state.bracket, state.names), title=" · ".join(named))


def _summary(picture: BracketPicture) -> str:
    """What the picture shows, in a sentence."""
    cards = [card for column in picture.columns for card in column.cards]
    if picture.third:
        cards.extend(picture.third.cards)
    matches = [card for card in cards if not card.is_bye]
    done = sum(card.has_winner for card in matches)
    words = ngettext(
        "%(done)s of %(matches)s match is decided.", "%(done)s of %(matches)s matches are decided.", len(matches)
    ) % {"done": done, "matches": len(matches)}
    if picture.champion:
        words = f"{words} {picture.champion_title}: {picture.champion}."
    return words


def _headings(layout: Layout) -> Iterator[SvgText]:
    for heading in layout.headings:
        yield from _texts(heading, "bracket-stage", size=layout.measures.size, bold=True)
    if layout.champion_title and layout.champion:
        yield from _texts(layout.champion_title, "bracket-note", size=layout.measures.small)
        crowned = Label(f"{WINNER} {layout.champion.text}", layout.champion.box)
        yield from _texts(crowned, "bracket-champion", size=layout.measures.size * 1.25, bold=True)


def _match(match: PlacedMatch, layout: Layout, url: str) -> SvgMatch:
    measures = layout.measures
    caption = match.caption.down(match.caption.height * CAPTION_DROP)
    texts = [
        *_texts(Label(match.card.caption, caption), "bracket-note", size=measures.small),
        *(text for row in match.rows for text in _row(row, measures.size, measures.small)),
    ]
    box = match.box
    return SvgMatch(
        card=match.card,
        url=url,
        box=Rectangle(_number(box.x), _number(box.y), _number(box.width), _number(box.height)),
        texts=tuple(texts),
        divide=(_number(box.x), _number(box.right), _number(box.middle)),
    )


def _row(row: PlacedRow, size: float, small: float) -> Iterator[SvgText]:
    line = row.line
    if not line.is_player:
        yield from _texts(Label(line.text, row.name.inset(0, NAME_ROOM)), "bracket-open", size=size)
        return
    weight = " bracket-won" if line.won else ""
    if line.seed is not None:
        yield from _texts(Label(str(line.seed), row.seed), "bracket-note", size=small)
    mark = WINNER if line.won else STARTER if line.starts else ""
    if mark:
        classes = "bracket-mark" if line.won else "bracket-starts"
        yield from _texts(Label(mark, row.mark), classes, size=size if line.won else size * 0.6)
    yield from _texts(Label(line.text, row.name.inset(0, NAME_ROOM)), f"bracket-name{weight}", size=size, bold=line.won)
    yield from _texts(Label(line.score, row.score), f"bracket-score{weight}", size=size, bold=line.won, anchor="end")


def _texts(label: Label, classes: str, *, size: float, bold: bool = False, anchor: str = "start") -> Iterator[SvgText]:
    """The label, vertically centred in its box, smaller or on more lines if need be."""
    if not label.text:
        return
    box = label.box
    fitted = fit(label.text, box, size=size, bold=bold)
    leading = fitted.size * lettering.LEADING
    block = leading * (len(fitted.lines) - 1) + fitted.size * typeface.CAP_HEIGHT
    base = box.middle - block / 2 + fitted.size * typeface.CAP_HEIGHT
    x = box.right if anchor == "end" else box.x
    for index, line in enumerate(fitted.lines):
        yield SvgText(_number(x), _number(base + index * leading), line, _number(fitted.size), classes, anchor)


def fit(text: str, box: Box, *, size: float, bold: bool) -> lettering.Fitted:
    """The text as large as the box allows by the metrics of our fonts, which are wider than those of most screens.

    Letters that our fonts lack stay as they are on a screen, which has them; each is taken to be a square.
    """
    shown = tidy(text)
    if typeface.printable(shown) == shown:
        return lettering.fit(shown, bold=bold, width=box.width, height=box.height, size=size)
    return lettering.Fitted((shown,), min(size, box.height / lettering.LEADING, box.width / len(shown)))


def _number(value: float) -> str:
    """A length as SVG writes it."""
    return f"{value:.1f}".removesuffix(".0")
