"""The end of an event from its rows: the final ranking, the prizes and the certificates as they are printed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import letters
from scoring.final_ranking import PlacedBy
from scoring.prizes import PrizeKind, Winner
from tournament.basics.names import format_spoken_name
from tournament.core.words.figures import NO_FIGURE, format_half_wins, format_points, format_signed
from tournament.core.words.outcomes import format_withdrawal
from tournament.ending.plan import CertificateText, Placeholder, fill_in_placeholders
from tournament.ending.queries import (
    AwardedPrizes,
    AwardedWinners,
    FinalRanking,
    FinalRow,
    load_awarded_prizes,
    load_final_ranking,
)
from tournament.ending.words import (
    describe_event_form,
    describe_place,
    describe_place_order,
    describe_placing,
    describe_winning_feat,
    format_place,
    format_prize_title,
)
from tournament.models import Division, Prize, Round
from tournament.paper.boxes import Box
from tournament.paper.cutting import render_notice
from tournament.paper.documents import make_header
from tournament.paper.grid import PrintedCell, PrintedColumn, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader, split_into_pages
from tournament.table.words import describe_criteria_order, describe_rank_decision


@dataclass(frozen=True, slots=True)
class FinalLine:
    """A row of the final ranking. `how` says what gave the place, a match of the knock-out if `in_match`; `mark` stands
    by the name."""

    place: str
    name: str
    club: str
    how: str
    half_wins: int | None
    spread: int | None
    mark: str = ""
    in_match: bool = False


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """A prize: what it is called, what there is to win, who wins it and by what."""

    title: str
    award: str
    winners: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FinalSheet:
    """The final ranking and the prizes. `notes`: form, order of places, that something is still to be played."""

    lines: tuple[FinalLine, ...]
    prizes: tuple[PrizeLine, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Certificate:
    """What one player's certificate says: the place, among how many, and the prizes, each in one line.

    The director's own texts stand in the place of the usual ones: the `heading`, the `line` instead of the place, what
    is `signed` on the left line, and what stands below the `left` and the `right` one.
    """

    name: str
    club: str
    place: str
    among: str
    honours: tuple[str, ...] = ()
    heading: str = ""
    line: str = ""
    signed: str = ""
    left: str = ""
    right: str = ""


# Certificates: a page for each player, to be signed and handed over.


FRAME, INNER = 12 * MM, 14 * MM
"""How far the two frames are from the edge of the sheet."""

WIDEST_TILE, TILE_GAP = 17 * MM, 1.6 * MM
HONOUR, HONOURS = 9, 56
"""How high the line of a prize is at most, and the room of all of them, in millimetres."""


CORNER_SIDE = 7 * MM
"""The side of the squares at the corners of the classic frame."""


class CertificateDesign(Enum):
    """What a certificate looks like around its text."""

    TILES = auto()
    """The title in letter tiles, a double frame."""
    CLASSIC = auto()
    """The title between two rules, a frame with squares at its corners."""
    BAND = auto()
    """The event in a grey band, no frame: for paper that has a border of its own."""


def draw_certificates(
    header: PaperHeader,
    winners: Sequence[Certificate],
    values: Mapping[str, int],
    design: CertificateDesign = CertificateDesign.TILES,
) -> bytes:
    """A page each; `values` are those of the letters, which the title is laid in where the design has tiles."""
    paper = Paper(header, _("Certificates"))
    for certificate in paper.bare_pages(winners):
        title = certificate.heading or _("Certificate")
        if design == CertificateDesign.TILES:
            _draw_frames(paper)
            _draw_title_tiles(paper, title, values)
        elif design == CertificateDesign.CLASSIC:
            _draw_classic_design(paper, title)
        else:
            _draw_band_design(paper, title)
        _draw_event(paper)
        _draw_player(paper, certificate)
        _draw_achievement(paper, certificate)
        _draw_signature_lines(paper, certificate)
    return paper.done()


def _draw_classic_design(paper: Paper, title: str) -> None:
    outer = paper.page.inset(FRAME, FRAME)
    paper.frame(outer, weight=1.6)
    paper.frame(outer.inset(1.4 * MM, 1.4 * MM), weight=0.4)
    for x in (outer.x, outer.right):
        for y in (outer.y, outer.bottom):
            square = Box(x - CORNER_SIDE / 2, y - CORNER_SIDE / 2, CORNER_SIDE, CORNER_SIDE)
            paper.fill(square, shade=1)
            paper.frame(square, weight=1.6)
            paper.fill(square.inset(1.6 * MM, 1.6 * MM), shade=0.35)
    line = _get_line_box(paper, 68, 22)
    width = paper.write(line, title, size=46, align=Align.CENTRE)
    free = (line.width - width) / 2 - 5 * MM
    for x in (line.x, line.right - free):
        if free > 0:
            paper.rule(x, line.middle, x + free, line.middle, weight=0.8)


def _draw_band_design(paper: Paper, title: str) -> None:
    paper.fill(Box(FRAME, 22 * MM, paper.width - 2 * FRAME, 40 * MM))
    paper.fill(Box(FRAME, 62 * MM, paper.width - 2 * FRAME, 1.2 * MM), shade=0.35)
    paper.write(_get_line_box(paper, 70, 24), title, size=50, bold=True, align=Align.CENTRE)
    paper.fill(Box(FRAME, 281 * MM, paper.width - 2 * FRAME, 1.2 * MM), shade=0.35)


def _draw_frames(paper: Paper) -> None:
    paper.frame(paper.page.inset(FRAME, FRAME), weight=2.4)
    paper.frame(paper.page.inset(INNER, INNER), weight=0.6)


def _get_line_box(paper: Paper, y: float, height: float) -> Box:
    """A box across the page, so many millimetres from its top and so many high."""
    return Box(24 * MM, y * MM, paper.width - 48 * MM, height * MM)


def _draw_event(paper: Paper) -> None:
    header = paper.header
    where = " · ".join(part for part in (header.place, header.dates) if part)
    paper.write(_get_line_box(paper, 28, 20), header.event, size=26, bold=True, align=Align.CENTRE)
    paper.write(_get_line_box(paper, 49, 8), where, size=13, align=Align.CENTRE)


def _draw_title_tiles(paper: Paper, word: str, values: Mapping[str, int]) -> None:
    """The word as letter tiles in a row, each with its value; blanks between several words stay empty."""
    tiles = word.upper()
    room = _get_line_box(paper, 70, 0).width
    side = min(WIDEST_TILE, (room - TILE_GAP * (len(tiles) - 1)) / len(tiles))
    x = (paper.width - side * len(tiles) - TILE_GAP * (len(tiles) - 1)) / 2
    for letter in tiles:
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


def _draw_player(paper: Paper, certificate: Certificate) -> None:
    paper.write(_get_line_box(paper, 106, 30), certificate.name, size=38, bold=True, align=Align.CENTRE)
    paper.write(_get_line_box(paper, 137, 9), certificate.club, size=15, align=Align.CENTRE)


def _draw_achievement(paper: Paper, certificate: Certificate) -> None:
    """The place or what the director says instead, and below it the prizes."""
    if certificate.line:
        paper.write(_get_line_box(paper, 153, 31), certificate.line, size=22, align=Align.CENTRE)
    else:
        paper.write(_get_line_box(paper, 157, 18), certificate.place, size=32, bold=True, align=Align.CENTRE)
        paper.write(_get_line_box(paper, 176, 8), certificate.among, size=13, align=Align.CENTRE)
    if not certificate.honours:
        return
    paper.rule(paper.width * 0.4, 189 * MM, paper.width * 0.6, 189 * MM, weight=0.8)
    honour = _get_line_box(paper, 192, min(HONOUR, HONOURS / len(certificate.honours)))
    for text in certificate.honours:
        paper.write(honour, text, size=15, align=Align.CENTRE)
        honour = honour.below(honour.height)


def _draw_signature_lines(paper: Paper, certificate: Certificate) -> None:
    """Two lines to sign on, with what belongs there below."""
    left, right = _get_line_box(paper, 258, 10).columns(1, 1, gap=18 * MM)
    signed = Box(left.x, left.y - 9 * MM, left.width, 8 * MM)
    paper.write(signed, certificate.signed, size=13, align=Align.CENTRE)
    for box, text in ((left, certificate.left or _("Place and date")), (right, certificate.right or _("Director"))):
        paper.rule(box.x, box.y, box.right, box.y, weight=0.7)
        paper.write(Box(box.x, box.y + 1 * MM, box.width, 6 * MM), text, size=10, align=Align.CENTRE)


HONOURED_PLACES = 3
"""Whoever has one of so many first places has a certificate among the winners."""


def build_final_sheet(division: Division) -> FinalSheet:
    """The final ranking as it stands, with the prizes. Twelve queries, five more with a knock-out."""
    found = load_final_ranking(division)
    awarded = load_awarded_prizes(found)
    knockout = found.knockout.knockout if found.knockout else None
    rules = division.tournament.rules
    notes = (
        describe_event_form(found.rounds, knockout, rules),
        describe_place_order(knockout, describe_criteria_order(found.table.ranking, rules)),
        _describe_provisional(found),
    )
    return FinalSheet(
        lines=tuple(_build_final_line(row, found) for row in found.rows),
        prizes=tuple(_build_prize_line(each.prize, each.winners, awarded) for each in awarded.prizes),
        notes=tuple(note for note in notes if note),
    )


def _describe_provisional(found: FinalRanking) -> str:
    """Why the ranking may still change; nothing where it is final."""
    if found.is_held:
        return _("Provisional: not everything is shown yet.")
    return "" if found.is_final else _("Provisional: not everything is played yet.")


def _build_final_line(row: FinalRow, found: FinalRanking) -> FinalLine:
    entry, standing = row.entry, row.standing
    state = found.knockout
    decided = describe_rank_decision(standing, row.above) if standing and row.above else ""
    how = describe_placing(row.ranked, state.bracket if state else None, state.names if state else {})
    return FinalLine(
        place=format_place(row.ranked),
        name=entry.name,
        club=entry.club.name if entry.club else "",
        how=f"{how}, {decided}" if decided else how,
        half_wins=standing.half_wins if standing else None,
        spread=standing.spread if standing else None,
        mark="" if entry.withdrawn_after is None else format_withdrawal(entry.withdrawn_after),
        in_match=row.ranked.by != PlacedBy.TABLE,
    )


def _build_prize_line(prize: Prize, won: AwardedWinners, awarded: AwardedPrizes) -> PrizeLine:
    return PrizeLine(
        title=format_prize_title(prize),
        award=prize.award,
        winners=tuple((entry.name, describe_prize_win(prize, winner, awarded)) for entry, winner in won),
    )


def describe_prize_win(prize: Prize, winner: Winner, awarded: AwardedPrizes) -> str:
    """By what somebody wins a prize, with the opponent of the game that it happened in."""
    opponent = awarded.opponent(winner)
    return describe_winning_feat(PrizeKind(prize.kind), winner, opponent.name if opponent else "")


def build_certificates(division: Division, *, winners: bool = False) -> tuple[Certificate, ...]:
    """A certificate for each player in order of the final ranking; with `winners` only for the first three places and
    for whoever wins a prize. Twelve queries, five more with a knock-out."""
    found = load_final_ranking(division)
    awarded = load_awarded_prizes(found)
    honours: dict[int, list[str]] = {}
    for key, text in _list_honours(awarded):
        honours.setdefault(key, []).append(text)
    return tuple(
        _build_certificate(row, found, tuple(honours.get(row.entry.pk, ())))
        for row in found.rows
        if not winners or row.entry.pk in honours or (row.ranked.place or HONOURED_PLACES + 1) <= HONOURED_PLACES
    )


def _list_honours(awarded: AwardedPrizes) -> Iterator[tuple[int, str]]:
    """Whoever wins a prize, and what their certificate says of it; a prize for a place is told by the place."""
    for each in awarded.prizes:
        if each.prize.kind == PrizeKind.PLACE and not each.prize.title:
            continue
        title = format_prize_title(each.prize)
        for entry, winner in each.winners:
            by = describe_prize_win(each.prize, winner, awarded) if winner.feat else ""
            yield entry.pk, _("%(prize)s: %(by)s") % {"prize": title, "by": by} if by else title


def _build_certificate(row: FinalRow, found: FinalRanking, honours: tuple[str, ...]) -> Certificate:
    count = len(found.rows)
    among = ngettext("of %(count)s player", "of %(count)s players", count) % {"count": count}
    placed = row.ranked.place is not None
    certificate = Certificate(
        name=row.entry.name,
        club=row.entry.club.name if row.entry.club else "",
        place=describe_place(row.ranked) if placed else _("Took part"),
        among=among if placed else "",
        honours=honours,
    )
    return _fill_in_own_texts(certificate, found.division, _get_placeholder_values(row, found))


def _get_placeholder_values(row: FinalRow, found: FinalRanking) -> dict[Placeholder, str]:
    """What a player's certificate can name."""
    entry, standing, tournament = row.entry, row.standing, found.division.tournament
    days = dict.fromkeys((tournament.starts_on, tournament.ends_on))
    return {
        Placeholder.NAME: format_spoken_name(entry.name),
        Placeholder.RANK: format_place(row.ranked),
        Placeholder.PLAYERS: format_points(len(found.rows)),
        Placeholder.CLUB: entry.club.name if entry.club else "",
        Placeholder.WINS: format_half_wins(standing.half_wins if standing else None),
        Placeholder.SPREAD: format_signed(standing.spread if standing else None),
        Placeholder.EVENT: tournament.name,
        Placeholder.DIVISION: found.division.name,
        Placeholder.TOWN: tournament.place,
        Placeholder.DATE: " – ".join(formats.date_format(day) for day in days if day is not None),
    }


def build_sample_certificate(division: Division) -> Certificate:
    """The first certificate, or one for nobody before anybody is entered."""
    written = build_certificates(division)
    if written:
        return written[0]
    nobody = Certificate(name=_("Name"), club="", place="", among="")
    return _fill_in_own_texts(nobody, division, dict.fromkeys(Placeholder, NO_FIGURE))


def _fill_in_own_texts(certificate: Certificate, division: Division, told: Mapping[Placeholder, str]) -> Certificate:
    """The certificate with the director's texts, filled in."""
    text = CertificateText.read(division.tournament.certificate)
    said: dict[str, Any] = {name: fill_in_placeholders(each, told) for name, each in text.stored().items()}
    return replace(certificate, **said)


def get_tile_values(division: Division) -> dict[str, int]:
    """What each letter is worth in the event's set of tiles. No query."""
    return {tile.letter: tile.value for tile in letters.LETTER_SETS[division.tournament.rules.letters].tiles}


# The final ranking on paper, with the prizes below it or on a page of their own.


RANKING_ROWS_A_PAGE = 36
TALLEST_ROW, LOWEST_ROW = 10 * MM, 6.6 * MM
LARGEST_RANKING_SIZE = 13
RANKING_HEAD_HEIGHT = 8 * MM
PRIZE_ROW_HEIGHT = 8.5 * MM
PRIZES_HEADING_HEIGHT = 12 * MM
"""The room of the heading above the prizes."""


def draw_final_ranking(header: PaperHeader, sheet: FinalSheet) -> bytes:
    """The ranking from the first place on; the prizes follow on the same page if there is room for all of them."""
    paper = Paper(header, _("Final ranking"), notes=sheet.notes)
    box = paper.content
    pages = split_into_pages(sheet.lines, RANKING_ROWS_A_PAGE)
    prizes = _list_winner_lines(sheet.prizes)
    room = PRIZES_HEADING_HEIGHT + PRIZE_ROW_HEIGHT * len(prizes)
    together = len(pages) == 1 and room + RANKING_HEAD_HEIGHT + LOWEST_ROW * len(sheet.lines) <= box.height
    below = room if together and prizes else 0
    parts: list[tuple[Sequence[FinalLine], Sequence[tuple[str, str, str]]]] = [(lines, ()) for lines in pages]
    if together:
        parts = [(pages[0], prizes)]
    else:
        parts += [
            ((), page)
            for page in split_into_pages(prizes, int((box.height - PRIZES_HEADING_HEIGHT) // PRIZE_ROW_HEIGHT))
        ]
    height = (
        min(TALLEST_ROW, (box.height - RANKING_HEAD_HEIGHT - below) / max(len(pages[0]), 1)) if pages else TALLEST_ROW
    )
    grid = PrintedTable(
        _build_ranking_columns(), height, min(LARGEST_RANKING_SIZE, height * 0.52), head_height=RANKING_HEAD_HEIGHT
    )
    grid = grid.even([_build_ranking_cells(line) for line in sheet.lines])
    for lines, won in paper.pages(parts):
        y = grid.draw(paper, [_build_ranking_cells(line) for line in lines]) if lines else box.y
        if won:
            _draw_prizes(paper, Box(box.x, y, box.width, box.bottom - y), won)
    return paper.done()


def _build_ranking_columns() -> tuple[PrintedColumn, ...]:
    return (
        PrintedColumn(_("Rank"), 13 * MM, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), 54 * MM, group="names"),
        PrintedColumn(_("Club"), 30 * MM, scale=0.8, group="clubs"),
        PrintedColumn(_("Placed by"), 63 * MM, scale=0.72, group="how"),
        PrintedColumn(_("Wins"), 13 * MM, Align.RIGHT),
        PrintedColumn(_("Spread"), 17 * MM, Align.RIGHT),
    )


def _build_ranking_cells(line: FinalLine) -> tuple[PrintedCell | str, ...]:
    return (
        line.place,
        PrintedCell(line.name, line.mark),
        line.club,
        line.how,
        format_half_wins(line.half_wins),
        format_signed(line.spread),
    )


def _list_winner_lines(prizes: Sequence[PrizeLine]) -> list[tuple[str, str, str]]:
    """Each winner of each prize on a line: the prize (once), who wins it, by what."""
    found = []
    for prize in prizes:
        title = f"{prize.title} ({prize.award})" if prize.award else prize.title
        for number, (name, by) in enumerate(prize.winners or ((NO_FIGURE, ""),)):
            found.append(("" if number else title, name, by))
    return found


def _draw_prizes(paper: Paper, box: Box, lines: Sequence[tuple[str, str, str]]) -> None:
    heading = Box(box.x, box.y + 3 * MM, box.width, PRIZES_HEADING_HEIGHT - 4 * MM)
    paper.write(heading, _("Prizes"), size=14, bold=True)
    columns = (
        PrintedColumn("", 72 * MM),
        PrintedColumn("", 56 * MM, bold=True),
        PrintedColumn("", 62 * MM, scale=0.85),
    )
    grid = PrintedTable(columns, PRIZE_ROW_HEIGHT, 11)
    y = box.y + PRIZES_HEADING_HEIGHT
    paper.rule(box.x, y, box.right, y, weight=0.9)
    for line in lines:
        y = grid.row(paper, box.x, y, line)


def render_sample_certificate(division: Division, design: CertificateDesign) -> bytes:
    """One certificate of a division, as PDF in the active language."""
    sample = build_sample_certificate(division)
    return draw_certificates(make_header(division, timezone.now()), [sample], get_tile_values(division), design)


def render_final_ranking(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    sheet = build_final_sheet(division)
    if not sheet.lines:
        return render_notice(header, _("Final ranking"), _("Nobody has been entered yet."))
    return draw_final_ranking(header, sheet)


def render_certificates(
    header: PaperHeader,
    division: Division,
    _round: Round | None,
    *,
    winners: bool = False,
    design: CertificateDesign = CertificateDesign.TILES,
) -> bytes:
    found = build_certificates(division, winners=winners)
    if not found:
        return render_notice(header, _("Certificates"), _("Nobody has been entered yet."))
    return draw_certificates(header, found, get_tile_values(division), design)
