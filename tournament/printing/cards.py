"""What is cut from A4 for the hall: players' cards with their codes, numbers for the tables, badges."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from tournament.laptop import qr
from tournament.layout.boxes import Box
from tournament.printing.cutting import Cut
from tournament.printing.paper import MM, Align, Paper
from tournament.printing.values import Header, PlayerCard

EIGHT = Cut(2, 4)
"""Cards of 105 × 74 mm, as pockets for badges take them."""

TWO, FOUR = Cut(1, 2), Cut(2, 2)

CODE = 40 * MM
"""The side of a card's code: read at arm's length by any phone."""


def player_cards(header: Header, cards: Sequence[PlayerCard], *, paired: bool, wifi: str) -> bytes:
    """Eight on a page, to cut: who, the personal address as a code and as text, the hall's network if it is noted.

    `paired`: the event has games at tables, which players report.
    """
    paper = Paper(header, _("Player cards"))
    told = _("Own game, report and card: scan, or type the address.") if paired else _("Own page in this tournament.")
    for page in paper.bare_pages(EIGHT.heaps(cards)):
        EIGHT.lines(paper)
        for place, card in enumerate(page):
            if card is not None:
                _player_card(paper, EIGHT.part(paper, place).inset(7 * MM, 6 * MM), card, told, wifi)
    return paper.done()


def _player_card(paper: Paper, box: Box, card: PlayerCard, told: str, wifi: str) -> None:
    code = Box(box.x, box.y, CODE, CODE)
    paper.modules(code, qr.modules(card.address))
    beside = Box(code.right + 4 * MM, box.y, box.width - CODE - 4 * MM, 18 * MM)
    paper.write(beside, card.name, size=17, bold=True)
    club = beside.below(9 * MM, 0.5 * MM)
    paper.write(club, card.club, size=10)
    paper.write(club.below(12 * MM, 0.5 * MM), _event(paper.header), size=9, shade=0.3)
    address = Box(box.x, code.bottom + 2 * MM, box.width, 5 * MM)
    paper.write(address, card.address, size=10.5, bold=True)
    line = address.below(4.5 * MM, 1 * MM)
    paper.write(line, told, size=9)
    below = line.below(4.5 * MM, 0.5 * MM)
    network = _("First join the Wi-Fi %(name)s.") % {"name": wifi} if wifi else ""
    paper.write(below, network, size=9)
    warning = _("Whoever has this card is taken for the player.")
    paper.write(below.below(4 * MM, 0.5 * MM) if wifi else below, warning, size=7.5, shade=0.3)


def _event(header: Header) -> str:
    return " · ".join(part for part in (header.event, header.division) if part)


def table_cards(header: Header, tables: Sequence[int], *, cut: Cut) -> bytes:
    """A number for each table, as large as the part that it is cut from allows."""
    paper = Paper(header, _("Table cards"))
    for page in paper.bare_pages(cut.heaps(tables)):
        cut.lines(paper)
        for place, number in enumerate(page):
            if number is not None:
                _table_card(paper, cut.part(paper, place).inset(9 * MM, 10 * MM), number)
    return paper.done()


def _table_card(paper: Paper, box: Box, number: int) -> None:
    foot = 8 * MM
    head = Box(box.x, box.y, box.width, box.height * 0.14)
    paper.write(head, _("Table"), size=34, align=Align.CENTRE, shade=0.3)
    room = head.below(box.height - head.height - foot)
    paper.write(room, str(number), size=room.height / 0.8, bold=True, align=Align.CENTRE)
    paper.write(room.below(foot), _event(paper.header), size=11, align=Align.CENTRE, shade=0.3)


def badges(header: Header, people: Sequence[tuple[str, str]]) -> bytes:
    """Eight on a page, to cut: each person's name and club, and the event."""
    paper = Paper(header, _("Badges"))
    for page in paper.bare_pages(EIGHT.heaps(people)):
        EIGHT.lines(paper)
        for place, person in enumerate(page):
            if person is not None:
                _badge(paper, EIGHT.part(paper, place).inset(8 * MM, 8 * MM), *person)
    return paper.done()


def _badge(paper: Paper, box: Box, name: str, club: str) -> None:
    head = Box(box.x, box.y, box.width, 8 * MM)
    paper.write(head, _event(paper.header), size=11, align=Align.CENTRE)
    paper.rule(box.x, head.bottom + 1 * MM, box.right, head.bottom + 1 * MM, weight=0.8)
    foot = 11 * MM
    room = head.below(box.height - head.height - foot - 2 * MM, 2 * MM)
    paper.write(room, name, size=30, bold=True, align=Align.CENTRE)
    paper.write(room.below(foot), club, size=14, align=Align.CENTRE)
