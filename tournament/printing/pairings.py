"""Pairings for the wall: by table, to be read from two metres, and by name."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament import names
from tournament.layout import lettering
from tournament.layout.boxes import Box
from tournament.printing.grid import PrintedCell, PrintedColumn, PrintedTable
from tournament.printing.paper import MM, Align, Paper, share
from tournament.printing.values import Header, PairedPlayer, PairingLine, RoundSheet
from tournament.words import figures
from tournament.words.clauses import before_stop

TABLES_A_PAGE = 26
NAMES_A_COLUMN = 26
TALLEST_ROW = 22 * MM
TALLEST_NAME = 20 * MM
LETTERS = 0.56
"""The size of the letters in parts of a row's height."""
HEAD = 7 * MM
"""The heading of a column of names."""
NAME = 0.62
"""The part of its line that a name has; the rest says what its player does."""


def by_table(header: Header, sheet: RoundSheet) -> bytes:
    """The round in order of tables; byes and absences at the end, with what they credit."""
    paper = Paper(
        header,
        _title(sheet, _("Pairings by table")),
        notes=_notes(sheet, ranks=any(line.first.rank for line in sheet.lines)),
    )
    box = paper.content
    rows = [_cells(line, sheet) for line in sheet.lines]
    pages = share(rows, TABLES_A_PAGE)
    height = min(TALLEST_ROW, (box.height - 9 * MM) / len(pages[0]))
    grid = PrintedTable(_columns(sheet, box.width), height, height * LETTERS, head_height=9 * MM, head_size=12)
    return grid.even(rows).document(paper, pages)


def _title(sheet: RoundSheet, what: str) -> str:
    if sheet.title:
        return _("%(round)s: %(what)s") % {"round": sheet.title, "what": what}
    return _("Round %(number)s: %(what)s") % {"number": sheet.number, "what": what}


def _notes(sheet: RoundSheet, *, ranks: bool = False) -> list[str]:
    """What the reader has to know: whether the round is a draft, who starts, how much time each player has."""
    starts = (
        _("The starter has the first move.")
        if sheet.balanced
        else before_stop(_("Who starts is drawn at the table."), sheet.drawn_clause)
    )
    minutes = ""
    if sheet.minutes:
        minutes = ngettext("%(count)s minute for each player.", "%(count)s minutes for each player.", sheet.minutes)
    elif sheet.shared_minutes:
        minutes = _("%(count)s minutes for the whole game.")
    minutes %= {"count": sheet.minutes or sheet.shared_minutes}
    draft = _("DRAFT: this round is not published yet and may still change.") if sheet.draft else ""
    brackets = _("In brackets: the rank before this round.") if ranks else ""
    return [draft, " ".join(part for part in (starts, minutes, brackets) if part)]


def _columns(sheet: RoundSheet, width: float) -> tuple[PrintedColumn, ...]:
    first, second = (_("Starter"), _("Opponent")) if sheet.balanced else (_("First player"), _("Second player"))
    table = 24 * MM
    half = (width - table) / 2
    return (
        PrintedColumn(_("Table"), table, Align.CENTRE, bold=True, scale=1.15),
        PrintedColumn(first, half, bold=sheet.balanced, group="names"),
        PrintedColumn(second, half, group="names"),
    )


def _cells(line: PairingLine, sheet: RoundSheet) -> tuple[PrintedCell | str, ...]:
    table = figures.NOTHING if line.table is None else str(line.table)
    if line.second is None:
        return table, PrintedCell(line.first.name), PrintedCell(line.note, scale=0.6)
    return table, _person(line.first), _person(line.second)


def _person(person: PairedPlayer) -> PrintedCell:
    return PrintedCell(person.name, f"({person.rank})" if person.rank else "")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where one player finds their game."""

    name: str
    table: str
    what: str


def by_name(header: Header, sheet: RoundSheet) -> bytes:
    """The round in the order of names, umlauts as their plain letters (DIN 5007-1), two columns a page."""
    paper = Paper(header, _title(sheet, _("Pairings by name")), notes=_notes(sheet))
    places = _places(sheet)
    pages = share(places, 2 * NAMES_A_COLUMN)
    columns = paper.content.columns(1, 1, gap=8 * MM)
    rows = -(-len(pages[0]) // 2)
    lettered = _lettered(places, columns[0], rows)
    for page in paper.pages(pages):
        for box, lines in zip(columns, (page[:rows], page[rows:]), strict=True):
            if lines:
                _column(paper, box, lines, lettered)
    return paper.done()


def _places(sheet: RoundSheet) -> list[_Place]:
    """Both players of each line, in order of names."""
    places = []
    for line in sheet.lines:
        if line.second is None:
            places.append(_Place(line.first.name, figures.NOTHING, line.note))
            continue
        starts, replies = _("starts against %(name)s"), _("replies to %(name)s")
        if not sheet.balanced:
            starts = replies = _("against %(name)s")
        places.append(_Place(line.first.name, str(line.table), starts % {"name": line.second.name}))
        places.append(_Place(line.second.name, str(line.table), replies % {"name": line.first.name}))
    return sorted(places, key=lambda place: (names.fold(place.name), place.name))


@dataclass(frozen=True, slots=True)
class _Lettered:
    """How high the lines of the list are, and the size of all names and of all that stands below them."""

    height: float
    name: float
    what: float


def _lettered(places: Sequence[_Place], column: Box, rows: int) -> _Lettered:
    height = min(TALLEST_NAME, (column.height - HEAD) / rows)
    upper, lower, _table = _parts(Box(0, 0, column.width, height))
    above = [(place.name, True, upper.width) for place in places]
    below = [(place.what, False, lower.width) for place in places]
    return _Lettered(
        height,
        lettering.one_size(above, height=upper.height, size=height * 0.48),
        lettering.one_size(below, height=lower.height, size=height * 0.3),
    )


def _parts(line: Box) -> tuple[Box, Box, Box]:
    """Of a line the room of the name, of what stands below it, and of the table."""
    left, right = line.inset(1.5 * MM, 0.6 * MM).columns(5.2, 1)
    upper = Box(left.x, left.y, left.width, left.height * NAME)
    return upper, upper.below(left.height - upper.height), right


def _column(paper: Paper, box: Box, places: Sequence[_Place], lettered: _Lettered) -> None:
    """One column of names: each with the table at the right and the opponent below."""
    head = Box(box.x, box.y, box.width, HEAD)
    paper.fill(head)
    paper.write(head.inset(1.5 * MM), _("Name"), size=10, bold=True)
    paper.write(head.inset(1.5 * MM), _("Table"), size=10, bold=True, align=Align.RIGHT)
    line = head.below(lettered.height)
    for place in places:
        upper, lower, table = _parts(line)
        paper.write_at(upper, place.name, size=lettered.name, bold=True)
        paper.write_at(lower, place.what, size=lettered.what)
        paper.write(table, place.table, size=lettered.height * 0.6, bold=True, align=Align.RIGHT)
        paper.rule(line.x, line.bottom, line.right, line.bottom, shade=0.45)
        line = line.below(lettered.height)
