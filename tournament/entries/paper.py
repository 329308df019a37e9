"""What is cut from A4 for the hall: players' cards with their codes, numbers for the tables, badges."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db.models import Max
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.access.codes import make_personal_link
from tournament.basics.qr import make_qr_modules
from tournament.core.words.figures import format_points, format_rating
from tournament.core.words.outcomes import format_withdrawal
from tournament.models import Division, Entry, Pairing, Round, Wifi
from tournament.paper.boxes import Box
from tournament.paper.cutting import CutLayout, render_notice
from tournament.paper.documents import make_header
from tournament.paper.grid import PrintedCell, PrintedColumn, PrintedRow, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader, split_into_pages


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """Whose card it is, and the whole personal address."""

    name: str
    club: str
    address: str


@dataclass(frozen=True, slots=True)
class EntryLine:
    """A player in a list of those entered. `mark` says what is to be known: a guest, late, withdrawn, an exception."""

    key: str
    name: str
    club: str
    rating: str
    games: str
    mark: str = ""
    present: bool = False
    fee_paid: bool = False


# What is cut from A4 for the hall, from its rows.


def build_player_cards(division: Division, address: str, *, only: int | None = None) -> tuple[PlayerCard, ...]:
    """A card for each player by name, or for the `only` entry of this key; whoever has withdrawn needs none. One
    query."""
    entries = Entry.objects.filter(division=division).with_names().by_name()
    found = entries.filter(pk=only) if only is not None else entries.filter(withdrawn_after=None)
    return tuple(_build_player_card(entry, division, address) for entry in found)


def _build_player_card(entry: Entry, division: Division, address: str) -> PlayerCard:
    entry.tournament = division.tournament
    path = reverse("games:me", args=[make_personal_link(entry)])
    return PlayerCard(entry.name, entry.club.name if entry.club else "", address.rstrip("/") + path)


def get_wifi_name(division: Division) -> str:
    """The name of the hall's network, "" while none is noted. One query."""
    found = Wifi.objects.filter(organiser=division.tournament.organiser_id).first()
    return found.name if found else ""


def list_table_numbers(division: Division) -> list[int]:
    """The numbers of all tables that the division needs: one for two players, and those that were given. Three
    queries."""
    entries = Entry.objects.filter(division=division)
    played = Pairing.objects.filter(round__division=division).aggregate(last=Max("table"))["last"]
    fixed = entries.aggregate(last=Max("fixed_table"))["last"]
    needed = entries.filter(withdrawn_after=None).count() // 2
    return list(range(1, max(needed, played or 0, fixed or 0) + 1))


def list_badge_people(division: Division) -> list[tuple[str, str]]:
    """The name and club of everybody entered, by name. One query."""
    entries = Entry.objects.filter(division=division, withdrawn_after=None).with_names().by_name()
    return [(entry.name, entry.club.name if entry.club else "") for entry in entries]


EIGHT_A_PAGE = CutLayout(2, 4)
"""Cards of 105 × 74 mm, as pockets for badges take them."""

TWO, FOUR = CutLayout(1, 2), CutLayout(2, 2)

CODE_SIDE = 40 * MM
"""The side of a card's code: read at arm's length by any phone."""


def draw_player_cards(header: PaperHeader, cards: Sequence[PlayerCard], *, paired: bool, wifi: str) -> bytes:
    """Eight on a page, to cut: who, the personal address as a code and as text, the hall's network if it is noted.

    `paired`: the event has games at tables, which players report.
    """
    paper = Paper(header, _("Player cards"))
    told = _("Own game, report and card: scan, or type the address.") if paired else _("Own page in this tournament.")
    for page in paper.bare_pages(EIGHT_A_PAGE.heaps(cards)):
        EIGHT_A_PAGE.lines(paper)
        for place, card in enumerate(page):
            if card is not None:
                _draw_player_card(paper, EIGHT_A_PAGE.part(paper, place).inset(7 * MM, 6 * MM), card, told, wifi)
    return paper.done()


def _draw_player_card(paper: Paper, box: Box, card: PlayerCard, told: str, wifi: str) -> None:
    code = Box(box.x, box.y, CODE_SIDE, CODE_SIDE)
    paper.modules(code, make_qr_modules(card.address))
    beside = Box(code.right + 4 * MM, box.y, box.width - CODE_SIDE - 4 * MM, 18 * MM)
    paper.write(beside, card.name, size=17, bold=True)
    club = beside.below(9 * MM, 0.5 * MM)
    paper.write(club, card.club, size=10)
    paper.write(club.below(12 * MM, 0.5 * MM), _format_event(paper.header), size=9, shade=0.3)
    address = Box(box.x, code.bottom + 2 * MM, box.width, 5 * MM)
    paper.write(address, card.address, size=10.5, bold=True)
    line = address.below(4.5 * MM, 1 * MM)
    paper.write(line, told, size=9)
    below = line.below(4.5 * MM, 0.5 * MM)
    network = _("First join the Wi-Fi %(name)s.") % {"name": wifi} if wifi else ""
    paper.write(below, network, size=9)
    warning = _("Whoever has this card is taken for the player.")
    paper.write(below.below(4 * MM, 0.5 * MM) if wifi else below, warning, size=7.5, shade=0.3)


def _format_event(header: PaperHeader) -> str:
    return " · ".join(part for part in (header.event, header.division) if part)


def draw_table_cards(header: PaperHeader, tables: Sequence[int], *, cut: CutLayout) -> bytes:
    """A number for each table, as large as the part that it is cut from allows."""
    paper = Paper(header, _("Table cards"))
    for page in paper.bare_pages(cut.heaps(tables)):
        cut.lines(paper)
        for place, number in enumerate(page):
            if number is not None:
                _draw_table_card(paper, cut.part(paper, place).inset(9 * MM, 10 * MM), number)
    return paper.done()


def _draw_table_card(paper: Paper, box: Box, number: int) -> None:
    foot = 8 * MM
    head = Box(box.x, box.y, box.width, box.height * 0.14)
    paper.write(head, _("Table"), size=34, align=Align.CENTRE, shade=0.3)
    room = head.below(box.height - head.height - foot)
    paper.write(room, str(number), size=room.height / 0.8, bold=True, align=Align.CENTRE)
    paper.write(room.below(foot), _format_event(paper.header), size=11, align=Align.CENTRE, shade=0.3)


def draw_badges(header: PaperHeader, people: Sequence[tuple[str, str]]) -> bytes:
    """Eight on a page, to cut: each person's name and club, and the event."""
    paper = Paper(header, _("Badges"))
    for page in paper.bare_pages(EIGHT_A_PAGE.heaps(people)):
        EIGHT_A_PAGE.lines(paper)
        for place, person in enumerate(page):
            if person is not None:
                _draw_badge(paper, EIGHT_A_PAGE.part(paper, place).inset(8 * MM, 8 * MM), *person)
    return paper.done()


def _draw_badge(paper: Paper, box: Box, name: str, club: str) -> None:
    head = Box(box.x, box.y, box.width, 8 * MM)
    paper.write(head, _format_event(paper.header), size=11, align=Align.CENTRE)
    paper.rule(box.x, head.bottom + 1 * MM, box.right, head.bottom + 1 * MM, weight=0.8)
    foot = 11 * MM
    room = head.below(box.height - head.height - foot - 2 * MM, 2 * MM)
    paper.write(room, name, size=30, bold=True, align=Align.CENTRE)
    paper.write(room.below(foot), club, size=14, align=Align.CENTRE)


# Those entered, from their rows to the lines of the printed lists.


def build_entry_lines(division: Division) -> tuple[tuple[EntryLine, ...], tuple[str, ...]]:
    """Everybody entered, by name, and how many they are in words. One query."""
    lines = tuple(_build_entry_line(entry) for entry in Entry.objects.filter(division=division).with_names().by_name())
    return lines, (ngettext("%(count)s player", "%(count)s players", len(lines)) % {"count": len(lines)},)


def _build_entry_line(entry: Entry) -> EntryLine:
    late = _("from round %(number)s") % {"number": entry.first_round}
    marks = (
        _("guest") if entry.guest else "",
        late if entry.first_round > 1 else "",
        "" if entry.withdrawn_after is None else format_withdrawal(entry.withdrawn_after),
        entry.exception,
    )
    return EntryLine(
        key=entry.key,
        name=entry.name,
        club=entry.club.name if entry.club else "",
        rating=format_rating(entry.rating),
        games=format_points(entry.games),
        mark=", ".join(mark for mark in marks if mark),
        present=entry.present,
        fee_paid=entry.fee_paid,
    )


def render_player_card(entry: Entry, address: str) -> bytes:
    """One player's card alone, as PDF in the active language (`division__tournament` fetched)."""
    return render_player_cards(
        make_header(entry.division, timezone.now(), address), entry.division, None, only=entry.pk
    )


def render_entry_list(
    header: PaperHeader, division: Division, _round: Round | None, *, draw: Callable[..., bytes], title: str | Promise
) -> bytes:
    lines, notes = build_entry_lines(division)
    return draw(header, lines, notes) if lines else render_notice(header, str(title), _("Nobody has been entered yet."))


def render_player_cards(
    header: PaperHeader, division: Division, _round: Round | None, *, only: int | None = None
) -> bytes:
    title = _("Player cards")
    if not header.address:
        return render_notice(header, title, _("This machine is in no network: phones have no address to open."))
    found = build_player_cards(division, header.address, only=only)
    if not found:
        return render_notice(header, title, _("Nobody has been entered yet."))
    paired = division.tournament.rules.is_paired
    return draw_player_cards(header, found, paired=paired, wifi=get_wifi_name(division))


def render_table_cards(header: PaperHeader, division: Division, _round: Round | None, *, cut: CutLayout) -> bytes:
    tables = list_table_numbers(division)
    if not tables:
        return render_notice(header, _("Table cards"), _("Nobody has been entered yet."))
    return draw_table_cards(header, tables, cut=cut)


def render_badges(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    people = list_badge_people(division)
    if not people:
        return render_notice(header, _("Badges"), _("Nobody has been entered yet."))
    return draw_badges(header, people)


# Lists of those entered: for the wall, and for the desk where they check in.


ENTRY_ROWS_A_PAGE = 34
TALLEST_ENTRY_ROW = 12 * MM
LARGEST_ENTRY_SIZE = 14
ENTRY_HEAD_HEIGHT = 8 * MM
EMPTY_BOX, TICKED_BOX = "\N{BALLOT BOX}", "\N{BALLOT BOX WITH CHECK}"


def draw_entry_list(header: PaperHeader, lines: Sequence[EntryLine], notes: Sequence[str]) -> bytes:
    """Everybody entered by name, with club, rating and lifetime games."""
    columns = (
        PrintedColumn(_("No."), 15 * MM, Align.RIGHT),
        PrintedColumn(_("Name"), 63 * MM, bold=True, group="names"),
        PrintedColumn(_("Club"), 43 * MM, scale=0.85, group="clubs"),
        PrintedColumn(_("Rating"), 22 * MM, Align.RIGHT),
        PrintedColumn(_("Lifetime games"), 22 * MM, Align.RIGHT),
        PrintedColumn("", 25 * MM, scale=0.7, group="marks"),
    )
    return _draw_list(Paper(header, _("Entries"), notes=notes), columns, lines, _build_entry_cells)


def _build_entry_cells(line: EntryLine) -> tuple[PrintedCell | str, ...]:
    return line.key, line.name, line.club, line.rating, line.games, line.mark


def draw_check_in_list(header: PaperHeader, lines: Sequence[EntryLine], notes: Sequence[str]) -> bytes:
    """Everybody entered by name with boxes to tick: there, fee paid; what is ticked already is."""
    columns = (
        PrintedColumn(_("There"), 16 * MM, Align.CENTRE, scale=1.3),
        PrintedColumn(_("Name"), 74 * MM, bold=True, group="names"),
        PrintedColumn(_("Club"), 46 * MM, scale=0.85, group="clubs"),
        PrintedColumn(_("Fee"), 16 * MM, Align.CENTRE, scale=1.3),
        PrintedColumn(_("Remark"), 38 * MM, scale=0.7, group="marks"),
    )
    return _draw_list(Paper(header, _("Check-in"), notes=notes), columns, lines, _build_check_in_cells)


def _build_check_in_cells(line: EntryLine) -> tuple[PrintedCell | str, ...]:
    return _get_tick_box(line.present), line.name, line.club, _get_tick_box(line.fee_paid), line.mark


def _get_tick_box(ticked: bool) -> str:  # it is the box's state
    return TICKED_BOX if ticked else EMPTY_BOX


def _draw_list(
    paper: Paper,
    columns: tuple[PrintedColumn, ...],
    lines: Sequence[EntryLine],
    cells: Callable[[EntryLine], PrintedRow],
) -> bytes:
    rows = [cells(line) for line in lines]
    pages = split_into_pages(rows, ENTRY_ROWS_A_PAGE)
    height = min(TALLEST_ENTRY_ROW, (paper.content.height - ENTRY_HEAD_HEIGHT) / len(pages[0]))
    grid = PrintedTable(columns, height, min(LARGEST_ENTRY_SIZE, height * 0.52), head_height=ENTRY_HEAD_HEIGHT)
    return grid.even(rows).document(paper, pages)
