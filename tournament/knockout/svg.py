"""A laid-out bracket as SVG: within a page, coloured by the page's style sheet, or as a file of its own."""

from collections.abc import Iterator
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.basics.names import normalise_text
from tournament.knockout.layout import (
    SCREEN_MEASURES,
    STARTER,
    WINNER,
    BracketLabel,
    BracketLayout,
    BracketMeasures,
    BracketPicture,
    PlacedMatch,
    PlacedRow,
    lay_out_bracket,
)
from tournament.knockout.words import build_bracket_picture
from tournament.paper.boxes import Box
from tournament.paper.lettering import CAP_HEIGHT, LEADING, FittedText, fit_text, make_drawable
from tournament.results.knockout_state import KnockoutState

# In CSS pixels.

NAME_ROOM = 1.5  # room above and below a name, so that its two lines do not touch the frame
EDGE = 2  # room around the picture, for the strokes of what stands at its edge
MARGIN, TITLE_HEIGHT = 24, 40  # room around and above a picture that is a file of its own
CAPTION_DROP = 0.06
"""How much lower than centred a caption is, in parts of its height, to be nearer to its match than to the one above."""

# Lengths are text here, since Django would write the decimal point of a number as the reader's language does.


def build_bracket_svg(
    picture: BracketPicture,
    *,
    title: str,
    measures: BracketMeasures = SCREEN_MEASURES,
) -> dict[str, Any]:
    """What templates/components/bracket.svg.html draws: the picture, named `title`, as large as `measures` say. `ways`
    are the points of each connector, and whether there is a winner to take it."""
    layout = lay_out_bracket(picture, measures)
    return {
        "width": _format_length(layout.width + 2 * EDGE),
        "height": _format_length(layout.height + 2 * EDGE),
        "edge": EDGE,
        "title": title,
        "summary": describe_bracket_progress(picture),
        "headings": list(_build_headings(layout)),
        "ways": [
            (" ".join(f"{_format_length(x)},{_format_length(y)}" for x, y in points), is_taken)
            for points, is_taken in layout.connectors
        ],
        "matches": [_build_match(match, layout) for match in layout.matches],
    }


def render_bracket_svg(picture: BracketPicture, *, title: str) -> str:
    """The picture as a self-contained SVG file, under its title."""
    svg_picture = build_bracket_svg(picture, title=title)
    width, height = float(svg_picture["width"]), float(svg_picture["height"])
    label = BracketLabel(title, Box(0, -TITLE_HEIGHT, width, TITLE_HEIGHT))
    context = {
        "picture": svg_picture,
        "heading": tuple(_build_label_texts(label, "bracket-title", size=TITLE_HEIGHT / 2, bold=True)),
        "left": -MARGIN,
        "top": -MARGIN - TITLE_HEIGHT,
        "width": _format_length(width + 2 * MARGIN),
        "height": _format_length(height + 2 * MARGIN + TITLE_HEIGHT),
    }
    return render_to_string("components/bracket_file.svg", context)


def render_knockout_svg(state: KnockoutState) -> str:
    """A division's knock-out as an SVG file, with the event in its title. One query."""
    division = state.knockout.division
    parts = [_("Knock-out"), division.tournament.name]
    if division.tournament.divisions.count() > 1:
        parts.append(division.name)
    return render_bracket_svg(build_bracket_picture(state.bracket, state.names), title=" · ".join(parts))


def describe_bracket_progress(picture: BracketPicture) -> str:
    # Without byes: of nine players, seven are in the second stage before anybody has played.
    matches = [card for column in picture.all_columns for card in column.cards if not (card.is_bye or card.is_extra)]
    decided_count = sum(card.has_winner for card in matches)
    message = ngettext(
        "%(done)s of %(matches)s match is decided.", "%(done)s of %(matches)s matches are decided.", len(matches)
    ) % {"done": decided_count, "matches": len(matches)}
    return f"{message} {picture.champion_title}: {picture.champion}." if picture.champion else message


def _build_headings(layout: BracketLayout) -> Iterator[dict[str, str]]:
    for heading in layout.headings:
        yield from _build_label_texts(heading, "bracket-stage", size=layout.measures.size, bold=True)
    if layout.champion_title and layout.champion:
        yield from _build_label_texts(layout.champion_title, "bracket-note", size=layout.measures.small)
        crowned = BracketLabel(f"{WINNER} {layout.champion.text}", layout.champion.box)
        yield from _build_label_texts(crowned, "bracket-champion", size=layout.measures.size * 1.25, bold=True)


def _build_match(match: PlacedMatch, layout: BracketLayout) -> dict[str, Any]:
    """A match as it is drawn. `divide`: left, right and y of the line between the two rows."""
    measures = layout.measures
    caption = match.caption.down(match.caption.height * CAPTION_DROP)
    texts = [
        *_build_label_texts(BracketLabel(match.card.caption, caption), "bracket-note", size=measures.small),
        *(text for row in match.rows for text in _build_row_texts(row, measures.size, measures.small)),
    ]
    box = match.box
    return {
        "card": match.card,
        "box": {side: _format_length(getattr(box, side)) for side in ("x", "y", "width", "height")},
        "texts": texts,
        "divide": (_format_length(box.x), _format_length(box.right), _format_length(box.middle)),
    }


def _build_row_texts(row: PlacedRow, size: float, small: float) -> Iterator[dict[str, str]]:
    line, name = row.line, BracketLabel(row.line.text, row.text.inset(0, NAME_ROOM))
    if not line.is_player:
        yield from _build_label_texts(name, "bracket-open", size=size)
        return
    weight = " bracket-won" if line.won else ""
    if line.seed is not None:
        yield from _build_label_texts(BracketLabel(str(line.seed), row.seed), "bracket-note", size=small)
    mark = WINNER if line.won else STARTER if line.starts else ""
    if mark:
        classes = "bracket-mark" if line.won else "bracket-starts"
        yield from _build_label_texts(BracketLabel(mark, row.mark), classes, size=size if line.won else size * 0.6)
    yield from _build_label_texts(name, f"bracket-name{weight}", size=size, bold=line.won)
    score = BracketLabel(line.score, row.score)
    yield from _build_label_texts(score, f"bracket-score{weight}", size=size, bold=line.won, anchor="end")


def _build_label_texts(
    label: BracketLabel, classes: str, *, size: float, bold: bool = False, anchor: str = "start"
) -> Iterator[dict[str, str]]:
    """The lines of the label, vertically centred in its box, smaller or more of them if need be; each starts or ends
    (`anchor`) at a point on the baseline."""
    if not label.text:
        return
    box = label.box
    fitted = fit_svg_text(label.text, box, size=size, bold=bold)
    leading = fitted.size * LEADING
    base = box.middle - (leading * (len(fitted.lines) - 1) + fitted.size * CAP_HEIGHT) / 2 + fitted.size * CAP_HEIGHT
    x, font_size = _format_length(box.right if anchor == "end" else box.x), _format_length(fitted.size)
    for index, line in enumerate(fitted.lines):
        yield {
            "x": x,
            "y": _format_length(base + index * leading),
            "text": line,
            "size": font_size,
            "classes": classes,
            "anchor": anchor,
        }


def fit_svg_text(text: str, box: Box, *, size: float, bold: bool) -> FittedText:
    """The text as large as the box allows by the metrics of our fonts, which are wider than those of most screens.
    Letters that our fonts lack are kept, since a screen has them; each is assumed to be a square."""
    text_shown = normalise_text(text)
    if make_drawable(text_shown) == text_shown:
        return fit_text(text_shown, bold=bold, width=box.width, height=box.height, size=size)
    return FittedText((text_shown,), min(size, box.height / LEADING, box.width / len(text_shown)))


def _format_length(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
