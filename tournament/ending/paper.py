"""The end of an event on paper: the final ranking with the prizes, and certificates to be signed and handed over."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import TextChoices
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring import letters
from scoring.prizes import PrizeKind
from tournament.basics.names import format_spoken_name
from tournament.core.words.figures import NO_FIGURE, format_half_wins, format_points, format_signed
from tournament.core.words.outcomes import format_withdrawal
from tournament.ending.awarded_prizes import load_awarded_prizes
from tournament.ending.certificate_codes import (
    describe_certified_place,
    get_certificate_key,
    make_certificate_code,
)
from tournament.ending.final_ranking import FinalRanking, FinalRow, load_final_ranking
from tournament.ending.plan import CertificateText, Placeholder, fill_in_placeholders
from tournament.ending.tables import describe_row_placing
from tournament.ending.words import format_place, format_prize_title, format_win_count
from tournament.models import Division, Round
from tournament.paper.boxes import Box
from tournament.paper.documents import make_header, render_notice
from tournament.paper.grid import ComposedRow, ComposedTable, PrintedCell, PrintedColumn, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader, split_into_pages


@dataclass(frozen=True, slots=True)
class FinalSheet:
    """The final ranking with what gave each place, by the entry's key, and the prizes: what there is to win, who wins
    it and by what. `notes`: the form, the order of places, whether it is provisional."""

    rows: tuple[FinalRow, ...]
    placed_by: Mapping[int, str]
    prizes: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    notes: tuple[str, ...] = ()
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class Certificate:
    """What one player's certificate says. The director's texts, from `heading` on, replace the usual ones."""

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
    code: str = ""  # by which the event's public page says whether it holds; "" while that cannot be asked


# Certificates, a page for each player.

FRAME, INNER = 12 * MM, 14 * MM  # how far the two frames are from the edge of the sheet

WIDEST_TILE, TILE_GAP = 17 * MM, 1.6 * MM
TALLEST_HONOUR, ALL_HONOURS = 9, 56  # the height of a prize's line at most, and the room of all of them, in millimetres

ROOM_OF_HONOURS = 27  # millimetres by which the rest moves down, in parts, where there are none

HONOURED_PLACES = 3  # whoever has one of the first places gets a certificate as a winner

CORNER_SIDE = 7 * MM  # the side of the squares at the corners of the classic frame


class CertificateDesign(TextChoices):
    """What a certificate looks like around its text."""

    TILES = "tiles", gettext_lazy("with letter tiles")  # the title in letter tiles, a double frame
    CLASSIC = "classic", gettext_lazy("with a frame")
    """The title between two rules, a frame with squares at its corners."""
    BAND = "band", gettext_lazy("with a grey band")
    """The event in a grey band, no frame: for paper that has a border of its own."""


def draw_certificates(
    header: PaperHeader,
    winners: Sequence[Certificate],
    values: Mapping[str, int],
    design: CertificateDesign = CertificateDesign.TILES,
) -> bytes:
    """A page each; `values` are those of the letters, for the design that lays its title in tiles."""
    paper = Paper(header, _("Certificates"))
    for certificate in paper.bare_pages(winners):
        title = certificate.heading or _("Certificate")
        if design == CertificateDesign.TILES:
            paper.frame(paper.page.inset(FRAME, FRAME), weight=2.4)
            paper.frame(paper.page.inset(INNER, INNER), weight=0.6)
            _draw_title_tiles(paper, title, values)
        elif design == CertificateDesign.CLASSIC:
            _draw_classic_design(paper, title)
        else:
            _draw_band_design(paper, title)
        where = " · ".join(part for part in (header.place, header.dates) if part)
        paper.write(_get_line_box(paper, 28, 20), header.event, size=26, bold=True, align=Align.CENTRE)
        paper.write(_get_line_box(paper, 49, 8), where, size=13, align=Align.CENTRE)
        lower = 0 if certificate.honours else ROOM_OF_HONOURS / 3
        paper.write(_get_line_box(paper, 106 + lower, 30), certificate.name, size=38, bold=True, align=Align.CENTRE)
        paper.write(_get_line_box(paper, 137 + lower, 9), certificate.club, size=15, align=Align.CENTRE)
        _draw_achievement(paper, certificate)
        _draw_signature_lines(paper, certificate)
        if certificate.code:
            code = _("Code %(code)s: the event’s public page says whether this certificate holds.")
            text = code % {"code": certificate.code}
            paper.write(_get_line_box(paper, 272, 5), text, size=8.5, align=Align.CENTRE)
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
    # Less than nothing beside a long title, which then has no rules.
    free = (line.width - width) / 2 - 5 * MM
    for x in (line.x, line.right - free):
        if free > 0:
            paper.rule(x, line.middle, x + free, line.middle, weight=0.8)


def _draw_band_design(paper: Paper, title: str) -> None:
    paper.fill(Box(FRAME, 22 * MM, paper.width - 2 * FRAME, 40 * MM))
    paper.fill(Box(FRAME, 62 * MM, paper.width - 2 * FRAME, 1.2 * MM), shade=0.35)
    paper.write(_get_line_box(paper, 70, 24), title, size=50, bold=True, align=Align.CENTRE)
    paper.fill(Box(FRAME, 281 * MM, paper.width - 2 * FRAME, 1.2 * MM), shade=0.35)


def _get_line_box(paper: Paper, y: float, height: float) -> Box:
    """A box across the page, `y` millimetres from its top and `height` millimetres high."""
    return Box(24 * MM, y * MM, paper.width - 48 * MM, height * MM)


def _draw_title_tiles(paper: Paper, title: str, values: Mapping[str, int]) -> None:
    """The title as letter tiles in a row, each with its value; a space between words leaves a gap."""
    # Before it is counted: “ß” becomes two tiles.
    word = title.upper()
    # A long title has smaller tiles and stays in one row.
    side = min(WIDEST_TILE, (_get_line_box(paper, 70, 0).width - TILE_GAP * (len(word) - 1)) / len(word))
    x = (paper.width - side * len(word) - TILE_GAP * (len(word) - 1)) / 2
    for index, letter in enumerate(word):
        if letter.isspace():
            continue
        tile = Box(x + index * (side + TILE_GAP), 70 * MM, side, side)
        paper.fill(tile)
        paper.frame(tile, weight=0.8)
        paper.write(Box(tile.x, tile.y, side, side * 0.94), letter, size=side * 0.62, bold=True, align=Align.CENTRE)
        value = Box(tile.x, tile.y + side * 0.7, side * 0.94, side * 0.28)
        paper.write(value, str(values.get(letter, "")), size=side * 0.2, align=Align.RIGHT)


def _draw_achievement(paper: Paper, certificate: Certificate) -> None:
    """The place, or what the director says instead, and the prizes below it; without prizes lower on the sheet."""
    lower = 0 if certificate.honours else ROOM_OF_HONOURS * 2 / 3
    if certificate.line:
        paper.write(_get_line_box(paper, 153 + lower, 31), certificate.line, size=22, align=Align.CENTRE)
    else:
        paper.write(_get_line_box(paper, 157 + lower, 18), certificate.place, size=32, bold=True, align=Align.CENTRE)
        paper.write(_get_line_box(paper, 176 + lower, 8), certificate.among, size=13, align=Align.CENTRE)
    if not certificate.honours:
        return
    paper.rule(paper.width * 0.4, 189 * MM, paper.width * 0.6, 189 * MM, weight=0.8)
    honour = _get_line_box(paper, 192, min(TALLEST_HONOUR, ALL_HONOURS / len(certificate.honours)))
    for text in certificate.honours:
        paper.write(honour, text, size=15, align=Align.CENTRE)
        honour = honour.below(honour.height)


def _draw_signature_lines(paper: Paper, certificate: Certificate) -> None:
    """Two lines to sign on, with what belongs there below."""
    left_box, right = _get_line_box(paper, 258, 10).columns(1, 1, gap=18 * MM)
    signed = Box(left_box.x, left_box.y - 9 * MM, left_box.width, 8 * MM)
    paper.write(signed, format_signed_line(paper.header, certificate), size=13, align=Align.CENTRE)
    for box, text in ((left_box, certificate.left or _("Place and date")), (right, certificate.right or _("Director"))):
        paper.rule(box.x, box.y, box.right, box.y, weight=0.7)
        paper.write(Box(box.x, box.y + 1 * MM, box.width, 6 * MM), text, size=10, align=Align.CENTRE)


def format_signed_line(header: PaperHeader, certificate: Certificate) -> str:
    """What stands on the left line: place and last day, unless the director says what belongs there or below it."""
    place_and_date = ", ".join(filter(None, (header.place, header.dates.rpartition(" – ")[2])))
    return certificate.signed or ("" if certificate.left else place_and_date)


def build_certificates(division: Division, *, winners: bool = False) -> dict[int, Certificate]:
    """A certificate for each player in final order who took part and was not disqualified, by the entry's key;
    `winners`: only for the first three places and winners of prizes. Eleven queries, five more with a knock-out."""
    ranking = load_final_ranking(division)
    awarded = load_awarded_prizes(ranking)
    honours: dict[int, list[str]] = {}
    for prize, won in awarded.prizes:
        if prize.kind == PrizeKind.PLACE and not prize.title:
            continue  # the certificate names the place anyway
        title = format_prize_title(prize)
        for entry, winner in won:
            by = awarded.describe_win(prize, winner) if winner.feat else ""
            text = _("%(prize)s: %(by)s") % {"prize": title, "by": by} if by else title
            honours.setdefault(entry.pk, []).append(text)
    # Before the ranking is final, or where the public has no page, nobody could ask whether a certificate holds.
    is_checked = ranking.is_final and division.tournament.is_public
    key = get_certificate_key(division.tournament) if is_checked else ""
    return {
        row.entry.pk: _build_certificate(row, ranking, tuple(honours.get(row.entry.pk, ())), key)
        for row in ranking.rows
        if row.entry.is_certified
        # Who has no place is not among the first: with 0 for it they would be.
        if not winners or row.entry.pk in honours or (row.ranked.place or HONOURED_PLACES + 1) <= HONOURED_PLACES
    }


def _build_certificate(row: FinalRow, found: FinalRanking, honours: tuple[str, ...], key: str) -> Certificate:
    """The certificate of a row; `key` is that of the event's codes, "" if they have none."""
    count = found.certified_count
    among = ngettext("of %(count)s player", "of %(count)s players", count) % {"count": count}
    placed = row.ranked.place is not None
    # Whoever has won no game is not told so on a certificate.
    if row.standing and row.standing.half_wins:
        among = f"{among} · {format_win_count(row.standing.half_wins)}"
    certificate = Certificate(
        # The player's name and not the entry's, to which a club or number is added where there is a namesake.
        name=format_spoken_name(row.entry.player.name),
        club=row.entry.club.name if row.entry.club else "",
        place=describe_certified_place(row.ranked),
        among=among if placed else "",
        honours=honours,
        code=make_certificate_code(key, row.entry, row.ranked) if key else "",
    )
    return _fill_in_own_texts(certificate, found.division, _get_placeholder_values(row, found))


def _get_placeholder_values(row: FinalRow, found: FinalRanking) -> dict[Placeholder, str]:
    """What a player's certificate can name."""
    entry, standing, tournament = row.entry, row.standing, found.division.tournament
    # Each once, so that an event of one day does not read “3 October – 3 October”.
    days = dict.fromkeys((tournament.starts_on, tournament.ends_on))
    return {
        Placeholder.NAME: format_spoken_name(entry.player.name),
        Placeholder.RANK: format_place(row.ranked),
        Placeholder.PLAYERS: format_points(found.certified_count),
        Placeholder.CLUB: entry.club.name if entry.club else "",
        Placeholder.WINS: format_half_wins(standing.half_wins if standing else None),
        Placeholder.SPREAD: format_signed(standing.spread if standing else None),
        Placeholder.EVENT: tournament.name,
        Placeholder.DIVISION: found.division.name,
        Placeholder.TOWN: tournament.place,
        Placeholder.DATE: " – ".join(formats.date_format(day) for day in days if day is not None),
    }


def _fill_in_own_texts(certificate: Certificate, division: Division, told: Mapping[Placeholder, str]) -> Certificate:
    """The certificate with the director's texts, filled in."""
    text = CertificateText.read(division.tournament.certificate)
    filled: dict[str, Any] = {name: fill_in_placeholders(own_text, told) for name, own_text in text.stored().items()}
    return replace(certificate, **filled)


def get_tile_values(division: Division) -> dict[str, int]:
    """What each letter is worth in the event's set of tiles. No query."""
    return {tile.letter: tile.value for tile in letters.LETTER_SETS[division.tournament.rules.letters].tiles}


def render_certificates(
    header: PaperHeader,
    division: Division,
    _round: Round | None,
    *,
    winners: bool = False,
    design: CertificateDesign = CertificateDesign.TILES,
) -> bytes:
    certificates = list(build_certificates(division, winners=winners).values())
    if not certificates:
        return render_notice(header, _("Certificates"), _("Nobody has been entered yet."))
    return draw_certificates(header, certificates, get_tile_values(division), design)


def render_certificate_of_each(division: Division, entries: Collection[int]) -> dict[int, bytes]:
    """The certificate of each of these entries as a document of its own, by the entry's key, once the final ranking
    is final; in the active language."""
    # Letters that wait are drawn anew when somebody is forgotten, perhaps while the event goes on again: a place that
    # may still change must not go out.
    if not load_final_ranking(division).is_final:
        return {}
    header, values = make_header(division), get_tile_values(division)
    certificates = build_certificates(division)
    return {
        entry: draw_certificates(header, [certificate], values)
        for entry, certificate in certificates.items()
        if entry in entries
    }


def build_sample_certificate(division: Division) -> Certificate:
    """The first certificate of a division, or one for nobody before anybody is entered, in the active language."""
    nobody = Certificate(name=_("Name"), club="", place="", among="")
    samples = list(build_certificates(division).values())
    return samples[0] if samples else _fill_in_own_texts(nobody, division, dict.fromkeys(Placeholder, NO_FIGURE))


def render_sample_certificate(division: Division, design: CertificateDesign) -> bytes:
    """The sample on paper, in the active language."""
    header, sample = make_header(division, timezone.now()), build_sample_certificate(division)
    return draw_certificates(header, [sample], get_tile_values(division), design)


# The final ranking, with the prizes below it or on a page of their own.

LOWEST_ROW, TALLEST_ROW = 6.6 * MM, 10 * MM
LARGEST_RANKING_SIZE = 13
PODIUM_HEIGHT = 46 * MM
PRIZE_ROW_HEIGHT = 8.5 * MM
PRIZES_HEADING_HEIGHT = 12 * MM


PrizeLine = tuple[str, str, str]


def build_final_sheet(ranking: FinalRanking) -> FinalSheet:
    """The final ranking as it stands, with the prizes. One query, or four where there are prizes."""
    awarded = load_awarded_prizes(ranking)
    notes = [*ranking.announced]
    if ranking.is_held:
        notes.append(_("Provisional: not everything is shown yet."))
    elif not ranking.is_final:
        notes.append(_("Provisional: not everything is played yet."))
    prizes = []
    for prize, won in awarded.prizes:
        named = tuple((entry.name, awarded.describe_win(prize, winner)) for entry, winner in won)
        title = format_prize_title(prize)
        prizes.append((f"{title} ({prize.award})" if prize.award else title, named))
    placed_by = {row.entry.pk: describe_row_placing(row, ranking) for row in ranking.rows}
    return FinalSheet(ranking.rows, placed_by, tuple(prizes), tuple(notes), ranking.is_final)


def draw_final_ranking(header: PaperHeader, sheet: FinalSheet) -> bytes:
    """The ranking from the first place on; the prizes follow on the same page if there is room for all of them."""
    if not sheet.rows:
        return render_notice(header, _("Final ranking"), _("Nobody has been entered yet."))
    paper = Paper(header, _("Final ranking"), notes=sheet.notes)
    box = paper.content
    columns = (
        PrintedColumn(_("Rank"), 13 * MM, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), 54 * MM, wraps=True),
        PrintedColumn(_("Club"), 30 * MM, scale=0.8, wraps=True),
        PrintedColumn(_("Placed by"), 63 * MM, scale=0.72, wraps=True),
        PrintedColumn(_("Wins"), 13 * MM, Align.RIGHT),
        PrintedColumn(_("Spread"), 17 * MM, Align.RIGHT),
    )
    grid = PrintedTable(columns, LARGEST_RANKING_SIZE, LOWEST_ROW, TALLEST_ROW)
    podium = _list_podium(sheet)
    # A row for each winner of each prize: the prize (once), who wins it, by what.
    prizes = [
        ("" if number else title, name, by)
        for title, winners in sheet.prizes
        for number, (name, by) in enumerate(winners or ((NO_FIGURE, ""),))
    ]
    composed, parts = _share_pages(grid, box.height, sheet, len(podium), prizes)
    for number, (lines, won) in enumerate(paper.pages(parts)):
        y = box.y
        if podium and not number:
            _draw_podium(paper, replace(box, height=PODIUM_HEIGHT), podium)
            y += PODIUM_HEIGHT
        if lines:
            y = composed.draw(paper, lines, below=y - box.y)
        if won:
            _draw_prizes(paper, Box(box.x, y, box.width, box.bottom - y), won)
    return paper.done()


def _share_pages(
    grid: PrintedTable, height: float, sheet: FinalSheet, on_podium: int, prizes: Sequence[PrizeLine]
) -> tuple[ComposedTable, Sequence[tuple[Sequence[ComposedRow], Sequence[PrizeLine]]]]:
    """The rows below the podium as they are laid out, and which of them and which prizes stand on each page."""
    rows = [_build_ranking_cells(row, sheet) for row in sheet.rows[on_podium:]]
    above = PODIUM_HEIGHT if on_podium else 0
    below = PRIZES_HEADING_HEIGHT + PRIZE_ROW_HEIGHT * len(prizes) if prizes else 0
    composed = grid.compose(rows, height, reserved=above + below)
    # Without rows, as with three players, no page is counted, and podium and prizes alone may be more than one holds.
    if len(composed.pages) <= 1 and above + below < height:
        return composed, [(composed.pages[0] if rows else (), prizes)]
    # Laid out anew, without the room that was kept for the prizes: they have pages of their own then.
    composed = grid.compose(rows, height, reserved=above)
    prizes_a_page = int((height - PRIZES_HEADING_HEIGHT) // PRIZE_ROW_HEIGHT)
    # Nobody is left below the podium: it has a page of its own then, or the first page of prizes would be too long.
    ranking_pages = composed.pages or [()]
    return composed, [
        *((page, ()) for page in ranking_pages),
        *(((), page) for page in split_into_pages(prizes, prizes_a_page)),
    ]


def _list_podium(sheet: FinalSheet) -> Sequence[FinalRow]:
    """Whoever has one of the first three places, if these are two or three players and everything is decided."""
    if not sheet.is_final:
        return ()
    first = [row for row in sheet.rows if (row.ranked.place or HONOURED_PLACES + 1) <= HONOURED_PLACES]
    return first if len(first) in (2, 3) else ()


def _draw_podium(paper: Paper, box: Box, rows: Sequence[FinalRow]) -> None:
    """The first places side by side, the winner first and larger: the place on a tile, name, club and figures."""
    places = box.inset(0, 2 * MM).columns(*(5, 4, 4)[: len(rows)], gap=4 * MM)
    for number, (row, place) in enumerate(zip(rows, places, strict=True)):
        entry, standing = row.entry, row.standing
        paper.frame(place, weight=1.6 if row.ranked.place == rows[0].ranked.place else 0.6)
        inner = place.inset(3 * MM, 3 * MM)
        side = 15 * MM if not number else 12 * MM
        tile = Box(inner.x, inner.y, side, side)
        paper.fill(tile)
        paper.frame(tile, weight=0.8)
        paper.write(tile, format_place(row.ranked), size=side * 0.6, bold=True, align=Align.CENTRE)
        figures = Box(tile.right + 3 * MM, inner.y, inner.right - tile.right - 3 * MM, side)
        if standing and standing.half_wins:
            texts = format_win_count(standing.half_wins), format_signed(standing.spread)
            paper.write(figures, " · ".join(texts), size=10, align=Align.RIGHT)
        name = tile.below(inner.bottom - tile.bottom - 7 * MM, 1 * MM)
        paper.write(replace(name, width=inner.width), entry.name_beside_club, size=14 if number else 17, bold=True)
        club = entry.club.name if entry.club else ""
        paper.write(Box(inner.x, inner.bottom - 6 * MM, inner.width, 6 * MM), club, size=10)


def _build_ranking_cells(row: FinalRow, sheet: FinalSheet) -> tuple[PrintedCell | str, ...]:
    entry, standing = row.entry, row.standing
    return (
        format_place(row.ranked),
        PrintedCell(entry.name_beside_club, format_withdrawal(entry)),
        entry.club.name if entry.club else "",
        sheet.placed_by[entry.pk],
        format_half_wins(standing.half_wins if standing else None),
        format_signed(standing.spread if standing else None),
    )


def _draw_prizes(paper: Paper, box: Box, lines: Sequence[PrizeLine]) -> None:
    heading = Box(box.x, box.y + 3 * MM, box.width, PRIZES_HEADING_HEIGHT - 4 * MM)
    paper.write(heading, _("Prizes"), size=14, bold=True)
    columns = PrintedColumn("", 72 * MM), PrintedColumn("", 56 * MM, bold=True), PrintedColumn("", 62 * MM, scale=0.85)
    composed = PrintedTable(columns, 11, PRIZE_ROW_HEIGHT).fix(lines)
    y = box.y + PRIZES_HEADING_HEIGHT
    paper.rule(box.x, y, box.right, y, weight=0.9)
    for row in composed.pages[0]:
        y = composed.draw_row(paper, box.x, y, row)


def render_final_ranking(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    return draw_final_ranking(header, build_final_sheet(load_final_ranking(division)))
