"""Entries on paper: the lists for wall and check-in, and what is cut from A4: players' cards, table numbers, badges."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.teams import TeamRule
from tournament.access.codes import make_personal_link
from tournament.basics.addresses import NetworkReach, get_reach
from tournament.basics.names import format_spoken_name
from tournament.basics.qr import make_qr_modules
from tournament.core.division_tables import list_division_tables, list_table_numbers
from tournament.core.fees import FeeTerms
from tournament.core.words.figures import format_points, format_rating
from tournament.core.words.outcomes import format_withdrawal
from tournament.models import Division, Entry, Pairing, Round, Wifi
from tournament.paper.boxes import Box
from tournament.paper.documents import CutLayout, make_header, render_notice
from tournament.paper.grid import PrintedColumn, PrintedRow, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader
from tournament.table.league import load_boards, plans_team_matches

Item = TypeVar("Item")

LOWEST_ENTRY_ROW, TALLEST_ENTRY_ROW = 6.8 * MM, 12 * MM
LARGEST_ENTRY_SIZE = 14
EMPTY_BOX, TICKED_BOX = "\N{BALLOT BOX}", "\N{BALLOT BOX WITH CHECK}"

EIGHT_A_PAGE = CutLayout(2, 4)  # cards of 105 × 74 mm, as pockets for badges take them

TWO, FOUR = CutLayout(1, 2), CutLayout(2, 2)

CODE_SIDE = 40 * MM  # the side of a card's code: read at arm's length by any phone


# Lists of those entered: for the wall, and for the desk where they check in.


def render_entry_list(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    has_matches = division.tournament.team_rule == TeamRule.MATCHES or plans_team_matches(division)
    return draw_entry_list(header, _list_entries(division), load_boards(division) if has_matches else None)


def render_check_in_list(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    return draw_check_in_list(header, _list_entries(division), FeeTerms.of(division.tournament))


def _list_entries(division: Division) -> list[Entry]:
    return list(Entry.objects.filter(division=division).with_names().by_name())


def draw_entry_list(header: PaperHeader, entries: Sequence[Entry], boards: Mapping[int, int] | None) -> bytes:
    """Everybody entered by name, with club, rating and lifetime games; where teams meet, with team and board (`boards`
    by the keys of the entries)."""
    if boards is not None and any(entry.team_name for entry in entries):
        columns, rows = _list_team_columns(entries, boards)
        return _draw_list(header, _("Entries"), columns, rows)
    columns = (
        PrintedColumn(_("No."), 15 * MM, Align.RIGHT),
        PrintedColumn(_("Name"), 63 * MM, bold=True, wraps=True),
        PrintedColumn(_("Club"), 43 * MM, scale=0.85, wraps=True),
        PrintedColumn(_("Rating"), 22 * MM, Align.RIGHT),
        PrintedColumn(_("Lifetime games"), 22 * MM, Align.RIGHT),
        PrintedColumn("", 25 * MM, scale=0.7, wraps=True),
    )
    rows = [
        (
            entry.key,
            entry.name_beside_club,
            entry.club.name if entry.club else "",
            format_rating(entry.rating),
            format_points(entry.games),
            _format_remark(entry),
        )
        for entry in entries
    ]
    return _draw_list(header, _("Entries"), columns, rows)


def _list_team_columns(
    entries: Iterable[Entry], boards: Mapping[int, int]
) -> tuple[tuple[PrintedColumn, ...], list[PrintedRow]]:
    """The columns and rows of a list in which everybody's team and place in it stand."""
    columns = (
        PrintedColumn(_("No."), 13 * MM, Align.RIGHT),
        PrintedColumn(_("Name"), 54 * MM, bold=True, wraps=True),
        PrintedColumn(_("Team"), 40 * MM, scale=0.85, wraps=True),
        PrintedColumn(_("Board"), 15 * MM, Align.CENTRE),
        PrintedColumn(_("Club"), 30 * MM, scale=0.7, wraps=True),
        PrintedColumn(_("Rating"), 18 * MM, Align.RIGHT),
        PrintedColumn("", 20 * MM, scale=0.7, wraps=True),
    )
    rows: list[PrintedRow] = [
        (
            entry.key,
            entry.name_beside_club,
            entry.team_name,
            str(boards.get(entry.pk, "")),
            entry.club.name if entry.club else "",
            format_rating(entry.rating),
            _format_remark(entry),
        )
        for entry in entries
    ]
    return columns, rows


def draw_check_in_list(header: PaperHeader, entries: Sequence[Entry], fees: FeeTerms) -> bytes:
    """Everybody entered by name with boxes to tick: there, fee paid; what is ticked already is."""
    columns = (
        PrintedColumn(_("There"), 16 * MM, Align.CENTRE, scale=1.3),
        PrintedColumn(_("Name"), 74 * MM, bold=True, wraps=True),
        PrintedColumn(_("Club"), 46 * MM, scale=0.85, wraps=True),
        PrintedColumn(_("Fee"), 16 * MM, Align.CENTRE, scale=1.3),
        PrintedColumn(_("Remark"), 38 * MM, scale=0.7, wraps=True, written_by_hand=True),
    )
    boxes = {False: EMPTY_BOX, True: TICKED_BOX}
    rows = [
        (
            boxes[entry.present],
            entry.name_beside_club,
            entry.club.name if entry.club else "",
            boxes[fees.weigh(entry).is_settled],
            _format_remark(entry),
        )
        for entry in entries
    ]
    return _draw_list(header, _("Check-in"), columns, rows)


def _format_remark(entry: Entry) -> str:
    """What is to be known of somebody: a guest, late, withdrawn, an exception."""
    remarks = (
        _("guest") if entry.guest else "",
        _("from round %(number)s") % {"number": entry.first_round} if entry.first_round > 1 else "",
        format_withdrawal(entry),
        entry.exception,
    )
    return ", ".join(remark for remark in remarks if remark)


def _draw_list(
    header: PaperHeader, title: str, columns: tuple[PrintedColumn, ...], rows: Sequence[PrintedRow]
) -> bytes:
    if not rows:
        return render_notice(header, title, _("Nobody has been entered yet."))
    count = ngettext("%(count)s player", "%(count)s players", len(rows)) % {"count": len(rows)}
    paper = Paper(header, title, notes=(count,))
    grid = PrintedTable(columns, LARGEST_ENTRY_SIZE, LOWEST_ENTRY_ROW, TALLEST_ENTRY_ROW)
    return grid.compose(rows, paper.content.height).document(paper)


# What is cut from A4.


def render_player_card(entry: Entry, address: str) -> bytes:
    """One player's card alone, as PDF in the active language (`division__tournament` fetched)."""
    header = make_header(entry.division, timezone.now(), address)
    return render_player_cards(header, entry.division, None, only=entry.pk)


def render_player_cards(
    header: PaperHeader, division: Division, _round: Round | None, *, only: int | None = None
) -> bytes:
    """A card for each player by name, or for the `only` entry of this key; whoever has withdrawn needs none."""
    if not header.address:
        no_network = _("This machine is not on a network: phones have no address to open.")
        if get_reach() == NetworkReach.THIS_MACHINE:
            no_network = _(
                "Only this machine can open the program at the moment. Started with --lan, it lets phones in, too; "
                "then cards and codes are here."
            )
        return render_notice(header, _("Player cards"), no_network)
    entries = Entry.objects.filter(division=division).with_names().by_name()
    # Somebody who is asked for gets a card even after they have left: behind it are their results.
    entries_shown = list(entries.filter(pk=only) if only is not None else entries.filter(withdrawn_after=None))
    if not entries_shown:
        return render_notice(header, _("Player cards"), _("Nobody has been entered yet."))
    cards = []
    for entry in entries_shown:
        # Each link is made with the event's moment: fetched by each entry, a hundred cards would ask for it a hundred
        # times.
        entry.tournament = division.tournament
        path = reverse("games:me", args=[make_personal_link(entry)])
        club = entry.club.name if entry.club else ""
        cards.append((entry.name_beside_club, club, header.address.rstrip("/") + path))
    network = Wifi.objects.filter(organiser=division.tournament.organiser_id).first()
    paired = division.tournament.rules.is_paired
    return draw_player_cards(header, cards, paired=paired, wifi=network.name if network else "")


def draw_player_cards(header: PaperHeader, cards: Sequence[tuple[str, str, str]], *, paired: bool, wifi: str) -> bytes:
    """Eight cards a page: name, club and the whole personal address of each, the hall's Wi-Fi. `paired`: the event
    has games at tables."""
    use = (
        _("Own game, report and card: scan the code, or type the address.")
        if paired
        else _("Own page in this tournament.")
    )
    draw = partial(_draw_player_card, use=use, wifi=wifi)
    return _draw_parts(Paper(header, _("Player cards")), EIGHT_A_PAGE, cards, draw, (7 * MM, 6 * MM))


def _draw_player_card(paper: Paper, box: Box, card: tuple[str, str, str], *, use: str, wifi: str) -> None:
    name, club_name, personal_address = card
    code = Box(box.x, box.y, CODE_SIDE, CODE_SIDE)
    paper.modules(code, make_qr_modules(personal_address))
    beside = Box(code.right + 4 * MM, box.y, box.width - CODE_SIDE - 4 * MM, 18 * MM)
    paper.write(beside, name, size=17, bold=True)
    club = beside.below(9 * MM, 0.5 * MM)
    paper.write(club, club_name, size=10)
    paper.write(club.below(12 * MM, 0.5 * MM), _format_event(paper.header), size=9, shade=0.3)
    address = Box(box.x, code.bottom + 2 * MM, box.width, 5 * MM)
    paper.write(address, personal_address, size=10.5, bold=True)
    line = address.below(4.5 * MM, 1 * MM)
    paper.write(line, use, size=9)
    below = line.below(4.5 * MM, 0.5 * MM)
    if wifi:
        paper.write(below, _("First join the Wi-Fi %(name)s.") % {"name": wifi}, size=9)
        below = below.below(4 * MM, 0.5 * MM)
    paper.write(below, _("Whoever has this card counts as the player."), size=7.5, shade=0.3)


def render_table_cards(header: PaperHeader, division: Division, _round: Round | None, *, cut: CutLayout) -> bytes:
    """The numbers of all tables that the division needs."""
    tables = list_card_tables(division)
    if not tables:
        return render_notice(header, _("Table cards"), _("Nobody has been entered yet."))
    return draw_table_cards(header, tables, cut=cut)


def list_card_tables(division: Division) -> list[int]:
    """The tables that need a card: one of the division's for two players, those at which somebody has played or always
    sits, and those between, unless the director has said which tables they are. Four queries."""
    entries = Entry.objects.filter(division=division)
    ranges = list_division_tables(division.tournament)[division.pk]
    players = entries.filter(withdrawn_after=None).count()
    tables = set(islice(list_table_numbers(ranges), players // 2))
    tables.update(filter(None, entries.values_list("fixed_table", flat=True)))
    # Also where somebody has played: with players gone since, half of the field is fewer tables than stand there.
    tables.update(filter(None, Pairing.objects.filter(round__division=division).values_list("table", flat=True)))
    if tables and not division.tables:
        tables.update(range(min(ranges[0][0], *tables), max(tables)))
    return sorted(tables)


def draw_table_cards(header: PaperHeader, tables: Sequence[int], *, cut: CutLayout) -> bytes:
    """A number for each table, as large as the part that it is cut from allows."""
    return _draw_parts(Paper(header, _("Table cards")), cut, tables, _draw_table_card, (9 * MM, 10 * MM))


def _draw_table_card(paper: Paper, box: Box, number: int) -> None:
    foot = 8 * MM
    head = Box(box.x, box.y, box.width, box.height * 0.14)
    paper.write(head, _("Table"), size=34, align=Align.CENTRE, shade=0.3)
    room = head.below(box.height - head.height - foot)
    paper.write(room, str(number), size=room.height / 0.8, bold=True, align=Align.CENTRE)
    paper.write(room.below(foot), _format_event(paper.header), size=11, align=Align.CENTRE, shade=0.3)


def render_badges(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    entries = Entry.objects.filter(division=division, withdrawn_after=None).with_names().by_name()
    people = []
    for entry in entries:  # the name as it is said, and the club; the number too where namesakes have one club
        club = entry.club.name if entry.club else ""
        marks = " · ".join(dict.fromkeys(filter(None, (club, entry.mark))))
        people.append((format_spoken_name(entry.player.name), marks))
    if not people:
        return render_notice(header, _("Badges"), _("Nobody has been entered yet."))
    return draw_badges(header, people)


def draw_badges(header: PaperHeader, people: Sequence[tuple[str, str]]) -> bytes:
    """Eight on a page, to cut: each person's name and club, and the event."""
    return _draw_parts(Paper(header, _("Badges")), EIGHT_A_PAGE, people, _draw_badge, (8 * MM, 8 * MM))


def _draw_badge(paper: Paper, box: Box, person: tuple[str, str]) -> None:
    name, club = person
    head = Box(box.x, box.y, box.width, 8 * MM)
    paper.write(head, _format_event(paper.header), size=11, align=Align.CENTRE)
    paper.rule(box.x, head.bottom + 1 * MM, box.right, head.bottom + 1 * MM, weight=0.8)
    foot = 11 * MM
    room = head.below(box.height - head.height - foot - 2 * MM, 2 * MM)
    paper.write(room, name, size=30, bold=True, align=Align.CENTRE)
    paper.write(room.below(foot), club, size=14, align=Align.CENTRE)


def _draw_parts(
    paper: Paper,
    cut: CutLayout,
    items: Sequence[Item],
    draw: Callable[[Paper, Box, Item], None],
    inset: tuple[float, float],
) -> bytes:
    """Draw each item on its part of a sheet that is cut."""
    for page in paper.bare_pages(cut.heaps(items)):
        cut.lines(paper)
        for place, item in enumerate(page):
            if item is not None:
                draw(paper, cut.part(paper, place).inset(*inset), item)
    return paper.done()


def _format_event(header: PaperHeader) -> str:
    return " · ".join(part for part in (header.event, header.division) if part)
