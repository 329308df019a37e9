"""Lists of players, with German, English, Dutch or no headings, and what entering them would do."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import compress, zip_longest
from types import MappingProxyType

from tournament.basics import limits
from tournament.basics.cells import unescape_formula
from tournament.basics.names import fold_text, normalise_text, put_surname_first
from tournament.basics.phones import looks_like_phone_number
from tournament.entries.operations.entries import NewEntry
from tournament.entries.operations.numbers import USUAL_SYSTEMS, parse_list_number
from tournament.entries.operations.register import (
    NumberOfAnother,
    Person,
    Register,
    SeveralPlayersKnown,
    StatedChange,
    find_person_problems,
    list_changes,
)
from tournament.exchange.faults import FaultCode, FileFault, FilePlace, make_single_fault, quote_value
from tournament.exchange.json_text import read_json
from tournament.exchange.rows import NumberedRow, read_pasted_rows, read_rows
from tournament.exchange.shapes import KIND_NAMES
from tournament.models import Division, Entry, Player, Tournament


class PlayerColumn(StrEnum):
    NAME = "name"
    SURNAME = "surname"
    GIVEN = "given"
    CLUB = "club"
    RATING = "rating"
    GAMES = "games"
    EMAIL = "email"
    PHONE = "phone"
    DIVISION = "division"


COLUMN_HEADINGS: Mapping[PlayerColumn, tuple[str, ...]] = {
    PlayerColumn.NAME: (
        *("name", "names", "spieler", "spielerin", "spieler in", "spielername", "teilnehmer", "player", "players"),
        *("nachname vorname", "name vorname", "surname given name", "surname given", "last name first name"),
        *("naam", "namen", "speler", "spelers", "deelnemer", "deelnemers", "achternaam voornaam", "naam voornaam"),
    ),
    PlayerColumn.SURNAME: (
        *("nachname", "familienname", "zuname", "achternaam", "surname", "last name", "lastname", "family name"),
    ),
    PlayerColumn.GIVEN: (
        *("vorname", "rufname", "voornaam", "roepnaam"),
        *("given name", "given names", "first name", "firstname", "forename"),
    ),
    PlayerColumn.CLUB: ("verein", "vereniging", "club", "klub", "spielgemeinschaft", "team"),
    PlayerColumn.RATING: ("wertung", "wertungszahl", "rating", "elo", "elo zahl", "ratingzahl"),
    PlayerColumn.GAMES: (
        *("spiele", "partien", "turnierspiele", "anzahl spiele", "wertungsspiele"),
        *("games", "lifetime games", "rated games", "partijen", "toernooipartijen", "aantal partijen"),
    ),
    PlayerColumn.EMAIL: (
        *("e mail", "email", "mail", "e mail adresse", "mailadresse", "emailadresse", "e mail address", "e mailadres"),
        *("emailadres", "mailadres"),
    ),
    PlayerColumn.PHONE: (
        *("telefon", "telefonnummer", "tel", "handy", "handynummer", "mobil", "mobilnummer", "rufnummer"),
        *("phone", "phone number", "telephone", "mobile", "mobile number", "cell", "cell phone"),
        *("telefoonnummer", "telefoon", "mobiel", "gsm", "06 nummer"),
    ),
    PlayerColumn.DIVISION: ("division", "gruppe", "klasse", "group", "section", "staffel", "groep", "poule", "reeks"),
}
"""The headings of each column, in small letters without marks."""

COLUMN_BY_HEADING = {heading: column for column, headings in COLUMN_HEADINGS.items() for heading in headings}

PLAIN_NUMBER_HEADINGS = frozenset(
    ("nummer", "nr", "id", "number", "no", "mitgliedsnummer", "mitglied", "spielernummer", "lidnummer", "spelersnummer")
)
"""Headings of a number of which they do not say whose it is."""

_NUMBER_HEADING = re.compile(r"(?:nummer|number|nr|no)\.?:? +(?P<system>.+)", re.IGNORECASE)
_USUAL_NUMBER_HEADING = re.compile(
    rf"(?P<system>{'|'.join(USUAL_SYSTEMS)})(?:[ -]?(?:nummer|number|nr|no|id)\.?)?", re.IGNORECASE
)

NAME_COLUMNS = {PlayerColumn.NAME, PlayerColumn.SURNAME}

LINES_BEFORE_HEADINGS = 10  # how many lines (a title, a date …) may stand above the headings


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player as a row states them, and what is wrong with it; of the `cells` some (`dropped`) found no place."""

    number: int
    person: Person
    division: str = ""
    faults: tuple[FileFault, ...] = ()
    cells: Mapping[PlayerColumn, str] = field(default_factory=dict, compare=False)
    numbers: Mapping[str, str] = field(default_factory=dict, compare=False)
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerList:
    """The players of a list, the headings of columns that are not used, the row of the headings if there is one."""

    rows: tuple[PlayerRow, ...]
    ignored: tuple[str, ...] = ()
    headings: int | None = None
    systems: tuple[str, ...] = ()  # the federations whose numbers the list has

    @property
    def faults(self) -> list[FileFault]:
        return [fault for row in self.rows for fault in row.faults]

    @property
    def unturned(self) -> list[PlayerRow]:
        """The rows whose name has no comma, so that nobody can tell the surname from the given name."""
        return [row for row in self.rows if " " in row.person.name and "," not in row.person.name]

    def turned(self) -> "PlayerList":
        """The list with those names turned round, read as given name and surname: Udo Müller → Müller, Udo."""
        turned = {
            row.number: replace(row, person=replace(row.person, name=put_surname_first(row.person.name)))
            for row in self.unturned
        }
        return replace(self, rows=tuple(turned.get(row.number, row) for row in self.rows))


def read_player_list(content: bytes, *, system: str = "") -> PlayerList:
    """The players of a CSV, XLSX or JSON file; a column headed just “number” is of the federation `system`, if one is
    named. Raises `FileFaults` if the file itself cannot be read or holds nobody."""
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"[", b"{"):
        return _make_player_list(_read_json_rows(content), system)
    hyphenated = [heading.replace(" ", "-") for heading in COLUMN_BY_HEADING]  # as people also write them
    return _make_player_list(read_rows(content, known={*COLUMN_BY_HEADING, *hyphenated}), system)


def _read_json_rows(content: bytes) -> list[NumberedRow]:
    """The objects of a JSON list (or of the first list in an object) as rows under their keys."""
    value, _text = read_json(content, limit=limits.LIST_BYTES)
    if isinstance(value, dict):
        value = next((element for element in value.values() if isinstance(element, list)), [])
    listed = [element for element in value if isinstance(element, dict)]
    if len(listed) > limits.ROWS:
        raise make_single_fault(FaultCode.TOO_MANY_ROWS, limit=limits.ROWS)
    headings = list(dict.fromkeys(key for json_row in listed for key in json_row))[: limits.COLUMNS]
    if listed and not {find_column(key) for key in headings} & NAME_COLUMNS:
        raise make_single_fault(FaultCode.NO_NAME_COLUMN, value=quote_value(", ".join(headings)))
    lines = [headings, *([_format_json_cell(json_row.get(key)) for key in headings] for json_row in listed)]
    return [NumberedRow(number, tuple(cells)) for number, cells in enumerate(lines, 1)] if listed else []


def _format_json_cell(value: object) -> str:
    return normalise_text(str(value))[: limits.CELL] if type(value) in (str, int) else ""


def read_pasted_player_list(text: str, *, system: str = "") -> PlayerList:
    """The players of a pasted list (`Surname, Given; Club; 1512`, or names). Raises `FileFaults` if it is empty."""
    return _make_player_list(read_pasted_rows(text), system)


def find_column(heading: str) -> PlayerColumn | None:
    """The column that a heading names; accents and case do not matter."""
    return COLUMN_BY_HEADING.get(" ".join(re.findall(r"\w+", fold_text(heading))))


def find_number_system(heading: str, system: str = "") -> str | None:
    """The federation whose numbers stand under a heading: `NTSV`, `SDeV-Nummer`, `Nummer XYZ`; under a plain `Nummer`
    those of `system`."""
    text = " ".join(heading.split())
    if system and fold_text(text).rstrip(".") in PLAIN_NUMBER_HEADINGS:
        return system
    match = _USUAL_NUMBER_HEADING.fullmatch(text) or _NUMBER_HEADING.fullmatch(text)
    return parse_list_number(match["system"], "").system if match else None


def _make_player_list(lines: Sequence[NumberedRow], system: str = "") -> PlayerList:
    """Rows by their headings; without headings the first cell is the name, and looks tell what the others are."""
    if not lines:
        raise make_single_fault(FaultCode.NO_PLAYERS)
    lines = [NumberedRow(line.number, tuple(map(unescape_formula, line.cells))) for line in lines]
    place = _find_heading_line(lines)
    if place is None:
        return PlayerList(tuple(_make_player_row(row, assign_cells_by_looks(row.cells), row.cells) for row in lines))
    headings, rest = lines[place], lines[place + 1 :]
    columns = [find_column(cell) for cell in headings.cells]
    if not set(columns) & NAME_COLUMNS:
        heading_text = ", ".join(cell for cell in headings.cells if cell)
        raise make_single_fault(
            FaultCode.NO_NAME_COLUMN, FilePlace(row=headings.number), value=quote_value(heading_text)
        )
    if not rest:
        raise make_single_fault(FaultCode.NO_PLAYERS)
    systems = [
        None if column else find_number_system(cell, system)
        for cell, column in zip(headings.cells, columns, strict=True)
    ]
    used = [column or system for column, system in zip(columns, systems, strict=True)]
    unused = [cell and not is_used for cell, is_used in zip(headings.cells, used, strict=True)]
    rows = []
    for row in rest:
        read = [cell for cell, is_unused in zip_longest(row.cells, unused, fillvalue="") if not is_unused]
        numbers = {system: cell for system, cell in zip(systems, row.cells, strict=False) if system and cell}
        rows.append(_make_player_row(row, assign_cells_by_heading(row.cells, columns), read, numbers))
    named = tuple(dict.fromkeys(filter(None, systems)))
    return PlayerList(tuple(rows), tuple(compress(headings.cells, unused)), headings.number, named)


def _find_heading_line(lines: Sequence[NumberedRow]) -> int | None:
    """The line of the headings: one of the first with two known ones, or the very first with a heading for names."""
    for place, line in enumerate(lines[:LINES_BEFORE_HEADINGS]):
        columns_known = {find_column(cell) for cell in line.cells} - {None}
        if len(columns_known) > 1 or (place == 0 and columns_known & NAME_COLUMNS):
            return place
    return None


def assign_cells_by_heading(cells: Sequence[str], columns: Sequence[PlayerColumn | None]) -> dict[PlayerColumn, str]:
    """The cells by the columns that the headings name; of two columns of one kind the first that is not empty."""
    cells_by_column: dict[PlayerColumn, str] = {}
    for cell, column in zip(cells, columns, strict=False):
        if column is not None and not cells_by_column.get(column):
            cells_by_column[column] = cell
    return cells_by_column


def assign_cells_by_looks(cells: Sequence[str]) -> dict[PlayerColumn, str]:
    """The cells of a row without headings: the name, then the others by their looks."""
    cells_by_column = {PlayerColumn.NAME: cells[0]}
    for cell in cells[1:]:
        if "@" in cell:
            cells_by_column.setdefault(PlayerColumn.EMAIL, cell)
        elif looks_like_phone_number(cell):
            cells_by_column.setdefault(PlayerColumn.PHONE, cell)
        elif cell.isdigit():
            cells_by_column.setdefault(
                PlayerColumn.GAMES if PlayerColumn.RATING in cells_by_column else PlayerColumn.RATING, cell
            )
        elif cell:
            cells_by_column.setdefault(PlayerColumn.CLUB, cell)
    return cells_by_column


def _make_player_row(
    line: NumberedRow,
    cells: Mapping[PlayerColumn, str],
    read: Sequence[str],
    numbers: Mapping[str, str] = MappingProxyType({}),
) -> PlayerRow:
    """The player of a line from the cells by their columns, and those with numbers by their federations; `read` are the
    cells that should have found a place."""
    name = cells.get(PlayerColumn.NAME, "")
    if not name:
        name = ", ".join(filter(None, (cells.get(PlayerColumn.SURNAME, ""), cells.get(PlayerColumn.GIVEN, ""))))
    faults: list[FileFault] = []
    person = Person(
        name=name,
        club=cells.get(PlayerColumn.CLUB, ""),
        rating=_parse_whole_number(cells.get(PlayerColumn.RATING, ""), line, faults) or None,
        games=_parse_whole_number(cells.get(PlayerColumn.GAMES, ""), line, faults),
        email=cells.get(PlayerColumn.EMAIL, ""),
        phone=cells.get(PlayerColumn.PHONE, ""),
        numbers=tuple(parse_list_number(system, cell) for system, cell in numbers.items()),
    ).tidied()
    place = FilePlace(row=line.number)
    faults += [FileFault(FaultCode.REFUSED, place, {"why": refusal}) for refusal in find_person_problems(person)]
    # No place for a second club, a rating that is no number, more cells than headings.
    placed_cells, leftover_cells = [*cells.values(), *numbers.values()], []
    for cell in read:
        if cell in placed_cells:
            placed_cells.remove(cell)
        elif cell:
            leftover_cells.append(cell)
    division = cells.get(PlayerColumn.DIVISION, "")
    return PlayerRow(line.number, person, division, tuple(faults), cells, numbers, tuple(leftover_cells))


def _parse_whole_number(text: str, line: NumberedRow, found: list[FileFault]) -> int | None:
    """A whole number; None for an empty cell or a dash; anything else is noted."""
    if text in ("", "-", "–", "—"):
        return None
    if re.fullmatch(r"\d{1,9}", text, re.ASCII):
        return int(text)
    figures = {"value": quote_value(text), "kind": KIND_NAMES[int]}
    found.append(FileFault(FaultCode.WRONG_KIND, FilePlace(row=line.number), figures))
    return None


def find_unknown_divisions(sheet: PlayerList, known: Collection[str]) -> list[FileFault]:
    """A fault for each row whose division is none of those `known` by their folded names."""
    return [
        FileFault(FaultCode.UNKNOWN_DIVISION, FilePlace(row=row.number), {"value": quote_value(row.division)})
        for row in sheet.rows
        if row.division and fold_text(row.division) not in known
    ]


def list_newcomers(sheet: PlayerList, usual: Division, divisions: Mapping[str, Division]) -> list[NewEntry]:
    """Everybody on a list with the division that their row names, else the usual one."""
    return [NewEntry(row.person, divisions.get(fold_text(row.division), usual)) for row in sheet.rows]


class RowFate(StrEnum):
    """What entering a row would do."""

    NEW = "new"
    KNOWN = "known"
    TWICE = "twice"
    ENTERED = "entered"
    UNCLEAR = "unclear"
    FAULTY = "faulty"


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A row, what would happen to it, and the player of the register who is meant."""

    row: PlayerRow
    fate: RowFate
    player: Player | None = None
    why: str = ""
    candidates: tuple[Player, ...] = ()  # of whom one may be meant, where somebody is to say so
    changes: tuple[StatedChange, ...] = ()  # of what the register says about the player


def preview_player_list(
    sheet: PlayerList, organiser_id: int, *, tournament: Tournament | None = None, asks: bool = False
) -> tuple[PreviewRow, ...]:
    """What entering a list into a tournament (or just the organiser's register) would do, row by row. Three queries at
    most. The same name, club and numbers twice in one list is the same person: the second row is left out."""
    register = Register(organiser_id, (row.person for row in sheet.rows))
    entered: set[int] = set()
    if tournament is not None:
        entered = set(Entry.objects.filter(tournament=tournament).values_list("player_id", flat=True))
    seen: set[tuple[object, ...]] = set()
    previews = []
    for row in sheet.rows:
        numbers = frozenset(number.key for number in row.person.numbers)
        key = (fold_text(row.person.name), fold_text(row.person.club), numbers)
        preview = _preview_row(row, register, entered, twice=key in seen)
        previews.append(_ask_about_row(preview, register) if asks else preview)
        seen.add(key)
    return tuple(previews)


def _preview_row(row: PlayerRow, register: Register, entered: set[int], *, twice: bool) -> PreviewRow:
    if row.faults:
        return PreviewRow(row, RowFate.FAULTY, why="; ".join(fault.sentence for fault in row.faults))
    if twice:
        return PreviewRow(row, RowFate.TWICE)
    try:
        player = register.find(row.person)
    except (SeveralPlayersKnown, NumberOfAnother) as refusal:
        return PreviewRow(row, RowFate.UNCLEAR, why=str(refusal))
    if player is None:
        return PreviewRow(row, RowFate.NEW)
    return PreviewRow(row, RowFate.ENTERED if player.pk in entered else RowFate.KNOWN, player)


def _ask_about_row(preview: PreviewRow, register: Register) -> PreviewRow:
    """The row with what the list changes; where somebody of the same name or number may be meant, with the question."""
    person = preview.row.person
    if preview.fate == RowFate.KNOWN and preview.player is not None:
        new = [number for number in person.numbers if not register.has_number(preview.player, number)]
        numbers = [StatedChange("number", "", str(number)) for number in new]
        return replace(preview, changes=(*list_changes(preview.player, person), *numbers))
    if preview.fate in (RowFate.NEW, RowFate.UNCLEAR) and (possible := register.list_possible(person)):
        return replace(preview, fate=RowFate.UNCLEAR, candidates=tuple(possible))
    return preview
