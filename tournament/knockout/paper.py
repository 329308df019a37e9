"""The bracket on paper: one page for up to 32 players whose names have room, else pages for each half and the end."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from django.utils.translation import gettext as _

from tournament.knockout.layout import (
    STARTER,
    WINNER,
    BracketLayout,
    BracketMeasures,
    BracketPicture,
    PlacedMatch,
    PlacedRow,
    lay_out_bracket,
    split_bracket,
)
from tournament.knockout.words import build_bracket_picture, list_knockout_facts
from tournament.models import Division, Round
from tournament.paper.boxes import Box
from tournament.paper.documents import render_notice
from tournament.paper.lettering import LEADING, SMALLEST_SIZE, break_text, fit_text, measure_fitted_width
from tournament.paper.sheet import MM, Align, Paper, PaperHeader
from tournament.results.knockout_state import load_knockout_state

MOST_FIRST_STAGE_MATCHES = 16  # in the first stage of a page; more would be too small to read
WIDEST_COLUMN, TALLEST_ROW = 280 * MM, 20 * MM
GAP, HEADING = 5.5 * MM, 7 * MM
CAPTION, SPACING = 0.74, 0.15  # the caption of a match and the room between matches, in parts of a row
LETTERS, LARGEST, SMALL, SMALLEST_LARGE = 0.8, 26, 0.76, 13
"""The size of names in parts of a row, and at most in points; the size of what stands beside them in parts of that, and
at most in points."""

FEWEST_FIRST_STAGE_MATCHES = 4  # on a page that is not divided, however long the names are
FEW = 0.1  # the part of the names that may be set smaller than all others

NAME_ROOM = 0.05  # room above and below a name, in parts of a row, so that its two lines do not touch the frame
TITLE_SHARE = 0.42  # the part of the head's width for the title; the legend has the rest
OPEN_PLACE_SHADE = 0.35  # the shade of what is not a player: a bye, a place still open


def render_bracket(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    state = load_knockout_state(division)
    if state is None:
        return render_notice(header, _("Knock-out"), _("This division has no knock-out."))
    # Named only: the sentence that explains double elimination has no room in the head.
    facts = list_knockout_facts(state.knockout, division.tournament.rules, explains=False)
    return draw_bracket(header, build_bracket_picture(state.bracket, state.names), facts)


def draw_bracket(header: PaperHeader, picture: BracketPicture, facts: Sequence[tuple[str, str]]) -> bytes:
    """The bracket on A4 landscape. `facts` are those of its announcement: label and sentence of each."""
    paper = Paper(header, _("Knock-out"), wide=True)
    rules = " · ".join(f"{label}: {text}" for label, text in facts)
    for title, part in paper.pages(build_bracket_pages(picture, paper.content)):
        _draw_page(paper, lay_out_bracket(part, fit_bracket_measures(part, paper.content)), title)
        # What the marks mean and how a match is decided: beside the title, below the event's line, which may be long.
        width = paper.content.width
        head = Box(paper.content.x + width * TITLE_SHARE, 13.5 * MM, width * (1 - TITLE_SHARE), 11.5 * MM)
        upper, lower = head.below(3.5 * MM, gap=-head.height), head.below(8 * MM, gap=-8 * MM)
        marks = _("▸ winner of the match · ● starts the next game · the number before a name is the seed")
        paper.write(upper, marks, size=8, align=Align.RIGHT)
        paper.write(lower, rules, size=8, align=Align.RIGHT)
    return paper.done()


def build_bracket_pages(picture: BracketPicture, room: Box) -> list[tuple[str, BracketPicture]]:
    """The pages that a bracket takes, each with its title: in halves where there is no room for all matches, or not for
    all names."""
    # Apart from the bracket above it: on one page the rows of both would be half as high.
    if picture.below is not None:
        below = [
            (" · ".join(part for part in (picture.below.title, title) if part), page)
            for title, page in build_bracket_pages(picture.below, room)
        ]
        return [*build_bracket_pages(replace(picture, below=None), room), *below]
    count = len(picture.columns[0].cards)
    if count <= FEWEST_FIRST_STAGE_MATCHES or (count <= MOST_FIRST_STAGE_MATCHES and _holds_names(picture, room)):
        return [("", picture)]
    upper, lower, end = split_bracket(picture)
    return [
        *_number_parts(_("Upper half"), build_bracket_pages(upper, room)),
        *_number_parts(_("Lower half"), build_bracket_pages(lower, room)),
        ("", end),
    ]


def _number_parts(title: str, pages: list[tuple[str, BracketPicture]]) -> list[tuple[str, BracketPicture]]:
    """The pages of a half with its title, and numbers where there are several."""
    if len(pages) == 1:
        return [(title, pages[0][1])]
    return [(f"{title} {number}", part) for number, (_title, part) in enumerate(pages, 1)]


def _holds_names(picture: BracketPicture, room: Box) -> bool:
    """Whether every name of the picture, and what says who is to come, has room for all of its letters."""
    layout = lay_out_bracket(picture, fit_bracket_measures(picture, room))
    height = layout.measures.row * (1 - 2 * NAME_ROOM)
    return not any(
        fit_text(
            row.line.text, bold=row.line.won, width=row.text.width, height=height, size=layout.measures.size
        ).is_cut
        for match in layout.matches
        for row in match.rows
    )


def fit_bracket_measures(picture: BracketPicture, room: Box) -> BracketMeasures:
    """The largest measures at which the picture fits the room; all names have one size, on one line or two."""
    stages, first = len(picture.columns), len(picture.columns[0].cards)
    column = min(WIDEST_COLUMN, (room.width - (stages - 1) * GAP) / stages)
    row = min(TALLEST_ROW, (room.height - HEADING) / (first * (2 + CAPTION + SPACING)))
    # Worked out from the first stage alone: a champion above and a match for third place below may need more.
    while lay_out_bracket(picture, _build_measures(column, row, row * LETTERS)).height > room.height:
        row *= 0.97
    tight = _fit_letters(picture, column, row)
    spare = (room.height - lay_out_bracket(picture, tight).height) / first
    spread = replace(tight, spacing=tight.spacing + max(spare, 0))
    # With some room for rounding: on a page that is filled exactly, a sum of many floats is larger by a hair, and the
    # spacing would shrink for it.
    while spread.spacing > tight.spacing and lay_out_bracket(picture, spread).height > room.height + 0.01:
        spread = replace(spread, spacing=max(tight.spacing, spread.spacing * 0.97))
    return spread


def _fit_letters(picture: BracketPicture, column: float, row: float) -> BracketMeasures:
    """Measures with the largest letters at which all names fit their rows; what stands in open places gets smaller."""
    lines = [line for stage in picture.all_columns for card in stage.cards for line in card.lines]
    names = [line.text for line in lines if line.is_player]
    size = max(min(LARGEST, row * LETTERS), SMALLEST_SIZE)
    while size > SMALLEST_SIZE:
        measures = _build_measures(column, row, size)
        # All as bold: each of them may win, and its name must have room then, too.
        broken = [break_text(name, bold=True, width=measures.name, size=size) for name in names]
        most = max(1, int(row * (1 - 2 * NAME_ROOM) / (size * LEADING)))
        if sum(not is_whole or len(parts) > most for parts, is_whole in broken) <= len(lines) * FEW:
            return measures
        size = max(size * 0.97, SMALLEST_SIZE)
    return _build_measures(column, row, size)


def _build_measures(column: float, row: float, size: float) -> BracketMeasures:
    return BracketMeasures(
        column=column,
        gap=GAP,
        row=row,
        caption=max(row * CAPTION, SMALLEST_SIZE * LEADING),
        spacing=row * SPACING,
        heading=HEADING,
        seed=size * 1.75,
        mark=size * 0.95,
        score=size * 3.2,
        pad=size * 0.3,
        size=size,
        small=max(min(size * SMALL, SMALLEST_LARGE), SMALLEST_SIZE),
    )


def _draw_page(paper: Paper, layout: BracketLayout, title: str) -> None:
    size, content = layout.measures.size, paper.content
    if title:  # on the line of the document's title, beside it
        head = Box(content.x, 13 * MM, content.width * TITLE_SHARE, 12 * MM)
        title_width = (
            measure_fitted_width(paper.title, width=head.width, height=head.height, size=22, bold=True) + 4 * MM
        )
        paper.write(
            Box(head.x + title_width, head.y + 1.5 * MM, head.width - title_width, head.height - 1.5 * MM),
            title,
            size=14,
        )
    for heading in layout.headings:
        paper.write(_place_on_page(paper, heading.box), heading.text, size=min(size * 1.3, 11), bold=True)
    if layout.champion_title and layout.champion:
        above, name = layout.champion_title, layout.champion
        paper.write(_place_on_page(paper, above.box), above.text, size=layout.measures.small)
        paper.write(_place_on_page(paper, name.box), f"{WINNER} {name.text}", size=size * 1.4, bold=True)
    for points, is_taken in layout.connectors:
        weight = 1.3 if is_taken else 0.5
        for (title_width, upper), (right, lower) in pairwise(points):
            paper.rule(content.x + title_width, content.y + upper, content.x + right, content.y + lower, weight=weight)
    for match in layout.matches:
        _draw_match(paper, match, layout.measures)


def _place_on_page(paper: Paper, box: Box) -> Box:
    """A box of the layout, moved to where the page's content begins."""
    return Box(paper.content.x + box.x, paper.content.y + box.y, box.width, box.height)


def _draw_match(paper: Paper, match: PlacedMatch, measures: BracketMeasures) -> None:
    box = _place_on_page(paper, match.box)
    if match.card.is_bye:
        for end_y in (box.y, box.bottom):
            paper.rule(box.x, end_y, box.right, end_y, dashed=True)
        for end_x in (box.x, box.right):
            paper.rule(end_x, box.y, end_x, box.bottom, dashed=True)
    else:
        paper.frame(box)
        paper.write(_place_on_page(paper, match.caption), match.card.caption, size=measures.small)
    paper.rule(box.x, box.middle, box.right, box.middle, weight=0.3, shade=0.6)
    for row in match.rows:
        _draw_row(paper, row, measures)


def _draw_row(paper: Paper, row: PlacedRow, measures: BracketMeasures) -> None:
    line, name = row.line, _place_on_page(paper, row.text.inset(0, row.box.height * NAME_ROOM))
    if not line.is_player:
        paper.write(name, line.text, size=measures.size, shade=OPEN_PLACE_SHADE)
        return
    if line.seed is not None:
        paper.write(_place_on_page(paper, row.seed), str(line.seed), size=measures.small)
    if line.won:
        paper.write(_place_on_page(paper, row.mark), WINNER, size=measures.size, bold=True)
    elif line.starts:
        paper.write(_place_on_page(paper, row.mark), STARTER, size=max(measures.size * 0.6, SMALLEST_SIZE))
    paper.write_wrapped(name, line.text, size=measures.size, bold=line.won)
    paper.write(_place_on_page(paper, row.score), line.score, size=measures.size, bold=line.won, align=Align.RIGHT)
