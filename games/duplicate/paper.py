"""A session on paper: standings, slips to hand in, the record turn by turn, certificates; and its table as text."""

import itertools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.duplicate.notice_paper import render_notices
from games.duplicate.record import render_session_record
from games.models import DuplicateSeat
from games.sessions.seats import load_seats
from games.sessions.session_state import SessionState, find_duplicate_session, load_session_state
from games.sessions.tables import (
    TableLine,
    describe_state,
    format_session_points,
    get_missing_list_note,
    list_clubs,
    make_session_table,
)
from tournament.basics.names import format_spoken_name
from tournament.basics.refusals import Refusal
from tournament.ending.paper import Certificate, draw_certificates
from tournament.models import Division, Entry
from tournament.paper.boxes import Box
from tournament.paper.documents import join_documents, render_notice
from tournament.paper.grid import PrintedCell, PrintedColumn, PrintedRow, PrintedTable
from tournament.paper.lettering import SMALLEST_SIZE
from tournament.paper.sheet import MM, Align, Paper, PaperHeader, format_event_line

LOWEST_ROW = 6.6 * MM
ACROSS, DOWN = 2, 5
SLIPS_A_PAGE = ACROSS * DOWN
OWN_MARK = "→"  # before the members of the club whose sheet it is


def render_session_standings(header: PaperHeader, state: SessionState) -> bytes:
    """The table after the last turn that is closed."""
    title = _("Standings after turn %(number)s") % {"number": state.closed}
    lines = make_session_table(state)
    if not lines:
        return render_notice(header, title, _("Nobody has been entered yet."))
    paper = Paper(header, title, notes=[describe_state(state), get_missing_list_note(state)])
    return draw_totals(paper, lines, (14, 22, 24, 18, 18), height=11, size=12)


def render_club_results(header: PaperHeader, state: SessionState, club: str = "") -> bytes:
    """The table for each club that has players in it, its own members marked; or for one club."""
    title, lines = _("Result sheets of the clubs"), make_session_table(state)
    clubs = [name for name in list_clubs(lines) if club in ("", name)]
    if not clubs:
        return render_notice(header, title, _("Nobody in the table belongs to a club."))
    return join_documents((_draw_club_results(header, state, lines, name) for name in clubs), title)


def _draw_club_results(header: PaperHeader, state: SessionState, lines: Sequence[TableLine], club: str) -> bytes:
    """The sheet of one club."""
    title = _("%(club)s: standings after turn %(number)s") % {"club": club, "number": state.closed}
    own = sum(line.club == club for line in lines)
    marked = ngettext("%(mark)s: %(count)s player of the club", "%(mark)s: %(count)s players of the club", own) % {
        "mark": OWN_MARK,
        "count": own,
    }
    paper = Paper(header, title, notes=[marked, describe_state(state), get_missing_list_note(state)])
    return draw_totals(paper, lines, (14, 22, 24, 18, 18), height=11, size=12, own_club=club)


def draw_totals(
    paper: Paper, lines: Sequence[TableLine], widths: tuple[int, ...], *, height: int, size: int, own_club: str = ""
) -> bytes:
    """A table; where they all `played` somewhere, it says so. `widths` are those of the columns with figures, `height`
    is that of a row at the most, both in mm; `size` that of the letters in points. Players of `own_club` are marked."""
    box, clubs = paper.content, [_("Played at")] if any(line.played for line in lines) else []
    marks = [PrintedColumn("", 7 * MM, Align.CENTRE, bold=True)] if own_club else []
    rows: list[PrintedRow] = []
    for line in lines:
        names = [PrintedCell(text) for text in (line.name, line.played) if text]
        mark = [OWN_MARK if line.club == own_club else ""] if own_club else []
        rows.append((*mark, str(line.total.rank), *names, *line.figures))
    rank, points, percent, solos, zeroes = (width * MM for width in widths)
    name = (box.width - sum(widths) * MM - sum(column.width for column in marks)) / (1 + len(clubs))
    columns = (
        *marks,
        PrintedColumn(_("Rank"), rank, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), name, wraps=True),
        *(PrintedColumn(title, name, wraps=True) for title in clubs),
        PrintedColumn(_("Points"), points, Align.RIGHT, bold=True),
        PrintedColumn(_("Percent"), percent, Align.RIGHT),
        PrintedColumn(_("Solos"), solos, Align.RIGHT),
        PrintedColumn(_("Zeroes"), zeroes, Align.RIGHT),
    )
    return PrintedTable(columns, size, LOWEST_ROW, height * MM).compose(rows, box.height).document(paper)


def render_session_certificates(header: PaperHeader, state: SessionState) -> bytes:
    """A certificate for each player by the session's table, once it is over."""
    lines = make_session_table(state)
    if not lines or not state.is_over:
        return render_notice(header, _("Certificates"), _("The session is not over yet."))
    shared = Counter(line.total.rank for line in lines)
    among = ngettext("of %(count)s player", "of %(count)s players", len(lines)) % {"count": len(lines)}
    certificates = []
    for line in lines:
        place = _("Place %(place)s, shared") if shared[line.total.rank] > 1 else _("Place %(place)s")
        ranked, honours = place % {"place": line.total.rank}, (format_session_points(line),)
        # The name alone: that of the table has the club behind it where two are called the same, and the certificate
        # has the club on a line of its own.
        name = format_spoken_name(state.by_key[line.total.player].player.name)
        certificates.append(Certificate(name, line.club, ranked, among, honours))
    return draw_certificates(header, certificates, {tile.letter: tile.value for tile in state.letters.tiles})


def render_session_seats(header: PaperHeader, state: SessionState) -> bytes:
    """Who sits where, by name and then by seat."""
    seats = load_seats(state.session)
    seated = [(seats[entry.pk].number, entry) for entry in state.expected if entry.pk in seats]
    if not seated:
        return render_notice(header, _("Seats"), _("Nobody has a seat yet."))
    by_name = sorted(seated, key=lambda line: (line[1].player.sort_name, line[1].pk))
    by_seat = sorted(seated, key=lambda line: line[0])
    documents = [_draw_seat_list(header, _("Seats by name"), by_name), _draw_seat_list(header, _("Seats"), by_seat)]
    return join_documents(documents, str(_("Seats")))


def _draw_seat_list(header: PaperHeader, title: str, lines: Sequence[tuple[int, Entry]]) -> bytes:
    """Seats with their players in this order."""
    paper = Paper(header, title)
    box = paper.content
    rest = (box.width - 18 * MM) / 2
    columns = (
        PrintedColumn(_("Seat"), 18 * MM, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), rest, wraps=True),
        PrintedColumn(_("Club"), rest, wraps=True),
    )
    rows = [(str(number), entry.name, entry.club.name if entry.club else "") for number, entry in lines]
    return PrintedTable(columns, 12, LOWEST_ROW, 11 * MM).compose(rows, box.height).document(paper)


def _name_seat(entry: Entry, seats: Mapping[int, DuplicateSeat]) -> str:
    """The seat of a player; "" without one."""
    seat = seats.get(entry.pk)
    return _("Seat %(number)s") % {"number": seat.number} if seat else ""


def render_session_slips(header: PaperHeader, state: SessionState) -> bytes:
    """The slips of everybody, a slip for each turn, ten to a page with lines to cut along."""
    paper, seats = Paper(header, _("Slips")), load_seats(state.session)
    slips = [(entry, number) for entry in state.expected for number in range(1, state.session.max_turns + 1)]
    if not slips:
        return render_notice(header, _("Slips"), _("Nobody has been entered yet."))
    pages = [slips[at : at + SLIPS_A_PAGE] for at in range(0, len(slips), SLIPS_A_PAGE)]
    for page in paper.bare_pages(pages):
        width, height = paper.width / ACROSS, paper.height / DOWN
        for row in range(1, DOWN):
            paper.rule(0, row * height, paper.width, row * height, dashed=True, shade=0.4)
        paper.rule(width, 0, width, paper.height, dashed=True, shade=0.4)
        for place, (entry, number) in enumerate(page):
            row, column = divmod(place, ACROSS)
            box = Box(column * width, row * height, width, height).inset(8 * MM, 6 * MM)
            _draw_slip(paper, box, entry, number, _name_seat(entry, seats))
    return paper.done()


def _draw_slip(paper: Paper, box: Box, entry: Entry, number: int, seat: str) -> None:
    """One slip: whose, from which seat, which turn, and room for place, direction, word and points."""
    head = Box(box.x, box.y, box.width, 6 * MM)
    event, place = head.columns(4, 2, gap=2 * MM) if seat else (head, head)
    paper.write(event, format_event_line(paper.header), size=SMALLEST_SIZE)
    if seat:
        paper.write(place, seat, size=10, bold=True, align=Align.RIGHT)
    who, turn = head.below(8 * MM).columns(4, 2, gap=2 * MM)
    paper.write(who, f"{entry.position}  {entry.name}", size=12, bold=True)
    paper.write(turn, _("Turn %(number)s") % {"number": number}, size=12, bold=True, align=Align.RIGHT)
    boxes = who.below(20 * MM, 3 * MM)
    fields = Box(box.x, boxes.y, box.width, boxes.height).columns(3, 3, 8, 3, gap=2 * MM)
    for field, label in zip(fields, (_("Position"), _("Direction"), _("Word"), _("Points")), strict=True):
        paper.write(Box(field.x, field.y, field.width, 4 * MM), label, size=SMALLEST_SIZE)
        paper.frame(Box(field.x, field.y + 4 * MM, field.width, 13 * MM), weight=0.8)
    arrows = replace(fields[1].down(4 * MM), height=13 * MM).columns(1, 1)
    for half, arrow in zip(arrows, "→↓", strict=True):
        paper.write(half.inset(1 * MM), arrow, size=14, align=Align.CENTRE)
    hint = Box(box.x, fields[0].y + 17.5 * MM, box.width, 6 * MM)
    paper.write(hint, _("Circle → across or ↓ down. A blank may be marked by a circle."), size=SMALLEST_SIZE)


def render_session_forms(header: PaperHeader, state: SessionState) -> bytes:
    """A form for each player, to keep: of every turn the draw, their own word and the best one (Duplicate III-5 b)."""
    title = _("Player's form")
    if not state.expected:
        return render_notice(header, title, _("Nobody has been entered yet."))
    paper = Paper(header, title)
    turns, box = state.session.max_turns, paper.content
    widths = (14 * MM, 38 * MM, 18 * MM)
    word = (box.width - widths[0] - widths[1] - 2 * widths[2]) / 2
    columns = (
        PrintedColumn(_("Turn"), widths[0], Align.RIGHT, bold=True),
        PrintedColumn(_("Letters drawn"), widths[1]),
        PrintedColumn(_("Own word"), word),
        PrintedColumn(_("Points"), widths[2]),
        PrintedColumn(_("Best word"), word),
        PrintedColumn(_("Points"), widths[2]),
    )
    seats = load_seats(state.session)
    blank = [*((str(number), *[""] * 5) for number in range(1, turns + 1)), (_("Sum"), *[""] * 5)]
    # Laid out once for everybody: the rows are the same, only the name above differs.
    composed = PrintedTable(columns, 11, (box.height - 20 * MM) / (turns + 1)).fix(blank)
    for entry in paper.pages(state.expected):
        whose = "  ".join(filter(None, (str(entry.position), entry.name, _name_seat(entry, seats))))
        paper.write(Box(box.x, box.y, box.width, 8 * MM), whose, size=13, bold=True)
        end = composed.draw(paper, composed.pages[0], below=10 * MM)
        for x in itertools.accumulate((column.width for column in columns), initial=box.x):
            paper.rule(x, box.y + 10 * MM, x, end, shade=0.45)
    return paper.done()


SESSION_DOCUMENTS: Mapping[str, tuple[str | Promise, Callable[[PaperHeader, SessionState], bytes]]] = {
    "standings": (gettext_lazy("Standings"), render_session_standings),
    "clubs": (gettext_lazy("Result sheets of the clubs"), render_club_results),
    "seats": (gettext_lazy("Seats"), render_session_seats),
    "slips": (gettext_lazy("Slips"), render_session_slips),
    "forms": (gettext_lazy("Player's form"), render_session_forms),
    "record": (gettext_lazy("Record of the session"), render_session_record),
    "notices": (gettext_lazy("Notices of corrections"), render_notices),
    "certificates": (gettext_lazy("Certificates"), render_session_certificates),
}
"""What can be printed of a session, with its name."""


def make_session_renderer(name: str) -> Callable[[PaperHeader, Division], bytes]:
    """How the command `print` draws a document of a division's session. Drawing raises `no_session`."""

    def render(header: PaperHeader, division: Division) -> bytes:
        session = find_duplicate_session(division)
        if session is None:
            raise Refusal(
                "no_session", gettext_lazy("Division %(division)s has no duplicate session."), division=division.name
            )
        return SESSION_DOCUMENTS[name][1](header, load_session_state(session))

    return render
