"""Lists of players, with German, English, Dutch or no headings, and what entering them would do."""

import csv
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import compress, zip_longest
from types import MappingProxyType

from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.cells import unescape_formula
from tournament.basics.likeness import AlikeNames
from tournament.basics.names import fold_text, make_identity_key, normalise_text, put_surname_first
from tournament.basics.refusals import Refusal, find_text_refusals
from tournament.entries.operations.entries import NewEntry
from tournament.entries.operations.numbers import parse_list_number
from tournament.entries.operations.register import (
    Decision,
    MayBeKnown,
    NumberOfAnother,
    Person,
    Register,
    SeveralPlayersKnown,
    StatedChange,
    find_person_problems,
    list_changes,
)
from tournament.exchange.columns import (
    NUMBER_COLUMN,
    UNUSED_COLUMN,
    Layout,
    PlayerColumn,
    find_layout,
    has_name_column,
    map_headings,
    name_cells_by_looks,
    name_columns,
    parse_columns,
)
from tournament.exchange.faults import FaultCode, FileFault, FilePlace, make_single_fault, quote_value
from tournament.exchange.json_text import read_json
from tournament.exchange.rows import NumberedRow, read_pasted_rows, read_rows, read_rows_separated_by
from tournament.exchange.shapes import KIND_NAMES
from tournament.models import Division, Entry, Player, Tournament


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player as a row states them, and what is wrong with it; of the `cells` some (`dropped`) found no place."""

    number: int
    person: Person
    division: str = ""
    team: str = ""  # as the row states it, beside the club
    board: int | None = None
    faults: tuple[FileFault, ...] = ()
    cells: Mapping[PlayerColumn, str] = field(default_factory=dict, compare=False)
    numbers: Mapping[str, str] = field(default_factory=dict, compare=False)
    dropped: tuple[str, ...] = ()
    is_total: bool = False  # no player: a row of sums


@dataclass(frozen=True, slots=True)
class PlayerList:
    """The players of a list, the headings of columns that are not used, the row of the headings if there is one."""

    rows: tuple[PlayerRow, ...]
    ignored: tuple[str, ...] = ()
    headings: int | None = None
    systems: tuple[str, ...] = ()  # the federations whose numbers the list has
    layout: Layout = field(default_factory=lambda: Layout(()))  # what each column of the file is
    lines: tuple[NumberedRow, ...] = field(default=(), compare=False)  # as they stand in the file
    remarks: tuple[FileFault, ...] = ()  # what whoever sent it should be told

    def arrange(self, layout: Layout) -> "PlayerList":
        """The list read again, with its columns as somebody says they are."""
        return _arrange_lines(self.lines, layout, self.remarks)

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


def read_player_list(content: bytes, *, system: str = "", has_teams: bool = False) -> PlayerList:
    """The players of a CSV, XLSX, TRF or JSON file; a column headed just “number” is of the federation `system`, if one
    is named. `has_teams`: it is for an event with teams. Raises `FileFaults` if the file itself cannot be read or holds
    nobody."""
    # By its first sign, behind a byte order mark and blanks: the name of a file says nothing of what is in it.
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"[", b"{"):
        lines = _unescape_cells(_read_json_rows(content))
        columns = name_columns(lines[0].cells, system, has_teams=has_teams)
        return _arrange_lines(lines, Layout(columns, 0, is_certain=has_name_column(columns)))
    known_headings = map_headings(has_teams=has_teams)
    hyphenated = [heading.replace(" ", "-") for heading in known_headings]  # as people also write them
    table = read_rows(content, known={*known_headings, *hyphenated})
    return _make_player_list(table.rows, system, table.remarks, has_teams=has_teams)


def _read_json_rows(content: bytes) -> list[NumberedRow]:
    """The objects of a JSON list (or of the first list in an object) as rows under their keys."""
    value, _text = read_json(content, limit=limits.LIST_BYTES)
    if isinstance(value, dict):
        # An event is JSON as well, and its players a list of objects: read as one, its results would be left out
        # without a word.
        if value.get("format") == "tso-tournament":
            raise make_single_fault(FaultCode.WHOLE_EVENT)
        value = next((element for element in value.values() if isinstance(element, list)), [])
    listed = [element for element in value if isinstance(element, dict)]
    if len(listed) > limits.ROWS:
        raise make_single_fault(FaultCode.TOO_MANY_ROWS, limit=limits.ROWS)
    if not listed:
        raise make_single_fault(FaultCode.NO_PLAYERS)
    # Of all objects and not of the first: those without a club or a rating often lack the key.
    headings = list(dict.fromkeys(key for json_row in listed for key in json_row))[: limits.COLUMNS]
    lines = [headings, *([_format_json_cell(json_row.get(key)) for key in headings] for json_row in listed)]
    return [NumberedRow(number, tuple(cells)) for number, cells in enumerate(lines, 1)]


def _format_json_cell(value: object) -> str:
    # By the type itself: true is an int as well, and would be a cell with “True” in it.
    return normalise_text(str(value))[: limits.CELL] if type(value) in (str, int) else ""


def read_pasted_player_list(text: str, *, system: str = "", has_teams: bool = False) -> PlayerList:
    """The players of a pasted list (`Surname, Given; Club; 1512`, or names). Raises `FileFaults` if it is empty."""
    return _make_player_list(read_pasted_rows(text), system, has_teams=has_teams)


def read_written_player_list(
    text: str, columns: Sequence[str], headings: str, *, has_teams: bool = False
) -> PlayerList:
    """The players of a list as a page sends it back (`write_rows`), with its columns, and the number of the row of the
    headings if there is one. Raises `FileFaults`."""
    lines = _unescape_cells(read_rows_separated_by(WRITTEN_DELIMITER, text))
    if not lines:
        raise make_single_fault(FaultCode.NO_PLAYERS)
    place = next((place for place, line in enumerate(lines) if str(line.number) == headings), None)
    named = parse_columns(columns, has_teams=has_teams)
    return _arrange_lines(lines, Layout(named, place, is_certain=has_name_column(named)))


WRITTEN_DELIMITER = ";"


def write_rows(rows: Iterable[tuple[int, Sequence[str]]]) -> str:
    """Rows as text for `read_written_player_list`, each in the line of its number."""
    lines = dict(rows)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=WRITTEN_DELIMITER, lineterminator="\n")
    # Rows that were left out come back as empty lines: faults, answers and questions name each row by its number.
    for number in range(1, max(lines, default=0) + 1):
        if number in lines:
            writer.writerow(lines[number])
        else:
            out.write("\n")
    return out.getvalue()


def _make_player_list(
    lines: Sequence[NumberedRow], system: str = "", remarks: tuple[FileFault, ...] = (), *, has_teams: bool
) -> PlayerList:
    if not lines:
        raise make_single_fault(FaultCode.NO_PLAYERS)
    lines = _unescape_cells(lines)
    return _arrange_lines(lines, find_layout(lines, system, has_teams=has_teams), remarks)


def _unescape_cells(lines: Sequence[NumberedRow]) -> list[NumberedRow]:
    return [NumberedRow(line.number, tuple(map(unescape_formula, line.cells))) for line in lines]


def _arrange_lines(lines: Sequence[NumberedRow], layout: Layout, remarks: tuple[FileFault, ...] = ()) -> PlayerList:
    """The players of the rows behind the headings, as the layout says. Raises `FileFaults` if there are none."""
    place = layout.headings
    headings = NumberedRow(0, ()) if place is None else lines[place]
    body = lines if place is None else lines[place + 1 :]
    if not body:
        raise make_single_fault(FaultCode.NO_PLAYERS)
    rows = []
    if layout.by_looks:
        for row in body:
            # Each row by its own looks: without headings one has a club where the next has a rating.
            columns = name_cells_by_looks(row.cells, layout.begin)
            cells = {column: cell for cell, column in zip(row.cells, columns, strict=True) if column}
            rows.append(_make_player_row(row, cells, row.cells[layout.begin :]))
        return PlayerList(tuple(rows), layout=layout, lines=tuple(lines), remarks=remarks)
    kinds, systems = layout.kinds, layout.systems
    unused = [column in (NUMBER_COLUMN, UNUSED_COLUMN) for column in layout.columns]
    for row in body:
        read = [cell for cell, is_unused in zip_longest(row.cells, unused, fillvalue="") if not is_unused]
        # Federations write 0 for somebody without a number: taken as one, all of them would be the same person.
        numbers = {system: cell for system, cell in zip(systems, row.cells, strict=False) if system and cell.strip("0")}
        rows.append(_make_player_row(row, assign_cells_by_heading(row.cells, kinds), read, numbers))
    named = tuple(dict.fromkeys(filter(None, systems)))
    ignored = tuple(filter(None, compress(headings.cells, unused)))
    number = None if place is None else headings.number
    return PlayerList(tuple(rows), ignored, number, named, layout, tuple(lines), remarks)


def assign_cells_by_heading(cells: Sequence[str], columns: Sequence[PlayerColumn | None]) -> dict[PlayerColumn, str]:
    """The cells by the columns that the headings name; of two columns of one kind the first that is not empty or 0."""
    cells_by_column: dict[PlayerColumn, str] = {}
    for cell, column in zip(cells, columns, strict=False):
        if column is not None and cells_by_column.get(column, "") in ("", "0"):
            cells_by_column[column] = cell or cells_by_column.get(column, "")
    return cells_by_column


_RUNNING_NUMBER = re.compile(r"^\d{1,4}[.):]?\s+(?=[^\W\d_])")  # before a name in the same cell

_TOTALS = re.compile(
    r"(?:(?:gesamt)?summe|gesamt|insgesamt|gesamtzahl|total|totals|sum|totaal|som|average|mean|gemiddelde|mittelwert"
    r"|(?:durch)?schnitt|(?:anzahl|aantal|count|number of)(?: (?:der )?\w+)?|∑|Σ|ø)[\s\d:=.,]*",
    re.IGNORECASE,
)
"""What stands before the sums at the end of a list."""

_BYTES_BEHIND = re.escape(bytes(range(0x80, 0xC0)).decode("cp1252", "ignore"))  # the second ones of UTF-8's two

_LOST_LETTERS = re.compile(rf"�|[ÃÂ][{_BYTES_BEHIND}]|[^\W\d_]Ÿ(?=[a-z])|[^\W\d_][€†‡§¶][^\W\d_]")
"""What is left of letters that were read in a wrong encoding before: Ã¼, MŸller."""


def _make_player_row(
    line: NumberedRow,
    cells: Mapping[PlayerColumn, str],
    read: Sequence[str],
    numbers: Mapping[str, str] = MappingProxyType({}),
) -> PlayerRow:
    """The player of a line. `cells` are by column, `numbers` by federation; `read` are all the cells that ought to have
    found a place."""
    # Word processors number their lists within the text: “3. Müller, Udo”.
    name = _RUNNING_NUMBER.sub("", _join_name(cells))
    # Where the column of names is empty the word may stand in any other one, as in “; ; Total: 34”.
    if sums := next((text for text in ([name] if name else line.cells) if text and _TOTALS.fullmatch(text)), ""):
        return PlayerRow(line.number, Person(sums), is_total=True)
    faults: list[FileFault] = []
    person = Person(
        name=name,
        club=cells.get(PlayerColumn.CLUB, ""),
        # Lists write 0 for somebody who has no rating.
        rating=_parse_whole_number(cells.get(PlayerColumn.RATING, ""), line, faults) or None,
        games=_parse_whole_number(cells.get(PlayerColumn.GAMES, ""), line, faults),
        email=cells.get(PlayerColumn.EMAIL, ""),
        phone=cells.get(PlayerColumn.PHONE, ""),
        numbers=tuple(parse_list_number(system, cell) for system, cell in numbers.items()),
    ).tidied()
    place, team = FilePlace(row=line.number), normalise_text(cells.get(PlayerColumn.TEAM, ""))
    board = _parse_board(cells.get(PlayerColumn.BOARD, ""), line, faults)
    refusals = [*find_person_problems(person), *find_text_refusals("team", team, limits.CLUB)]
    faults += [FileFault(FaultCode.REFUSED, place, {"why": refusal}) for refusal in refusals]
    for text in (person.name, person.club, team):
        if _LOST_LETTERS.search(text):
            faults.append(FileFault(FaultCode.WRONG_ENCODING, place, {"value": quote_value(text)}))
    # No place for a second club, a rating that is no number, more cells than headings. Each placed cell is crossed out
    # once, not asked for by `in`: two cells may hold the same text, and then one of them has found no place.
    placed_cells, leftover_cells = [*cells.values(), *numbers.values()], []
    for cell in read:
        if cell in placed_cells:
            placed_cells.remove(cell)
        elif cell.strip("0"):
            leftover_cells.append(cell)
    division = cells.get(PlayerColumn.DIVISION, "")
    return PlayerRow(line.number, person, division, team, board, tuple(faults), cells, numbers, tuple(leftover_cells))


def _join_name(cells: Mapping[PlayerColumn, str]) -> str:
    """The name in whichever columns it stands. Beside a given name, “Name” is the surname."""
    name, given_name = cells.get(PlayerColumn.NAME, ""), cells.get(PlayerColumn.GIVEN, "")
    surname = cells.get(PlayerColumn.SURNAME, "")
    if name and (surname or "," in name or not given_name):
        return name
    if not name and not surname and (full_name := cells.get(PlayerColumn.FULL_NAME, "")):
        return put_surname_first(full_name)
    return ", ".join(filter(None, (surname or name, given_name)))


RESERVE_WORDS = frozenset(
    {
        *("e", "r", "res", "ersatz", "ersatzspieler", "ersatzspielerin", "reserve", "reserves", "sub", "substitute"),
        *("invaller", "invalster", "reservespeler"),
    }
)
"""What lists say instead of a board of those who sit behind the boards."""


def _parse_board(text: str, line: NumberedRow, faults: list[FileFault]) -> int | None:
    """The board of a row; None for a reserve, who comes after those with a board."""
    if fold_text(text).rstrip(".") in RESERVE_WORDS:
        return None
    return _parse_whole_number(text, line, faults)


def _parse_whole_number(text: str, line: NumberedRow, faults: list[FileFault]) -> int | None:
    """A whole number; None for an empty cell or a dash; anything else is noted."""
    if text in ("", "-", "–", "—"):
        return None
    if match := re.fullmatch(r"(\d{1,9})(?:[.,]0{1,2})?", text, re.ASCII):  # as spreadsheets may write 1512
        return int(match[1])
    figures = {"value": quote_value(text), "kind": KIND_NAMES[int]}
    faults.append(FileFault(FaultCode.WRONG_KIND, FilePlace(row=line.number), figures))
    return None


def find_unknown_divisions(sheet: PlayerList, known: Collection[str]) -> list[FileFault]:
    """A fault for each row whose division is none of those `known` by their folded names."""
    return [
        FileFault(FaultCode.UNKNOWN_DIVISION, FilePlace(row=row.number), {"value": quote_value(row.division)})
        for row in sheet.rows
        if row.division and fold_text(row.division) not in known
    ]


def list_newcomers(rows: Iterable[PlayerRow], usual: Division, divisions: Mapping[str, Division]) -> list[NewEntry]:
    """Everybody in the rows of a list with the division that their row names, else the usual one."""
    return [
        NewEntry(row.person, divisions.get(fold_text(row.division), usual), team=row.team, board=row.board)
        for row in rows
    ]


class RowFate(StrEnum):
    """What entering a row would do."""

    NEW = "new"
    KNOWN = "known"
    TWICE = "twice"
    ENTERED = "entered"
    ALIKE = "alike"  # somebody who is known, or listed above, may be meant: somebody is to say so
    TOTAL = "total"  # a row of sums
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
    rows_alike: tuple[PlayerRow, ...] = ()  # the rows above that may be of the same person
    changes: tuple[StatedChange, ...] = ()  # of what the register says about the player
    renamed: Player | None = None  # who gets the row's name if they are the same: their number says who they are
    team: str = ""  # for which the player would be entered
    is_new_team: bool = False

    @property
    def alike(self) -> list[str]:
        """The names of those who may be meant."""
        names = [player.name for player in self.candidates] + [row.person.name for row in self.rows_alike]
        return list(dict.fromkeys(names))


def preview_player_list(
    sheet: PlayerList, organiser_id: int, *, tournament: Tournament | None = None, asks: bool = False
) -> tuple[PreviewRow, ...]:
    """What entering a list into a tournament (or only the organiser's register) would do, row by row. A row with
    exactly the same name, club and numbers as one above is the same person and left out. Where a row is merely like a
    player of the register or a row above, somebody is asked; with `asks`, also about namesakes in another club. Four
    queries at most."""
    register = Register(organiser_id, (row.person for row in sheet.rows))
    entered: set[int] = set()
    if tournament is not None:
        entered = set(Entry.objects.filter(tournament=tournament).values_list("player_id", flat=True))
    seen: set[tuple[object, ...]] = set()
    above, rows_by_name = AlikeNames(), dict[str, list[PlayerRow]]()
    previews = []
    for row in sheet.rows:
        # Father and son have one name and one club: their numbers alone tell them apart.
        numbers = frozenset(number.key for number in row.person.numbers)
        key = (make_identity_key(row.person.name), fold_text(row.person.club), numbers)
        preview = _preview_row(row, register, entered, twice=key in seen)
        if preview.fate in (RowFate.NEW, RowFate.ALIKE):
            names = above.find(row.person.name)
            rows_alike = tuple(other for name in names for other in rows_by_name[name])
            preview = replace(preview, fate=RowFate.ALIKE, rows_alike=rows_alike) if rows_alike else preview
        if preview.fate == RowFate.KNOWN and tournament is None:
            player, person = preview.player, preview.row.person
            assert player is not None
            new = [number for number in person.numbers if not register.has_number(player, number)]
            preview = replace(
                preview,
                changes=(*list_changes(player, person), *(StatedChange("number", "", str(number)) for number in new)),
            )
        may_be_another = asks and preview.fate in (RowFate.NEW, RowFate.UNCLEAR, RowFate.ALIKE)
        if may_be_another and (possible := register.list_possible(preview.row.person)):
            preview = replace(preview, fate=RowFate.ALIKE, candidates=tuple(possible))
        previews.append(replace(preview, renamed=_find_renamed(preview, register)))
        if preview.fate not in (RowFate.FAULTY, RowFate.TWICE, RowFate.TOTAL):
            above.add(row.person.name)
            rows_by_name.setdefault(row.person.name, []).append(row)
        seen.add(key)
    return tuple(previews)


def _preview_row(row: PlayerRow, register: Register, entered: set[int], *, twice: bool) -> PreviewRow:
    if row.faults:
        return PreviewRow(row, RowFate.FAULTY, why="; ".join(fault.sentence for fault in row.faults))
    if row.is_total or twice:
        return PreviewRow(row, RowFate.TOTAL if row.is_total else RowFate.TWICE)
    try:
        player = register.find(row.person)
    except MayBeKnown as question:
        return PreviewRow(row, RowFate.ALIKE, candidates=question.players)
    except (SeveralPlayersKnown, NumberOfAnother) as refusal:
        return PreviewRow(row, RowFate.UNCLEAR, why=str(refusal))
    if player is None:
        return PreviewRow(row, RowFate.NEW)
    return PreviewRow(row, RowFate.ENTERED if player.pk in entered else RowFate.KNOWN, player)


# A number says who it is, whatever the name: somebody who has married is found by it, and offered with the name that
# the list states.
def _find_renamed(preview: PreviewRow, register: Register) -> Player | None:
    person = preview.row.person
    return next(
        (
            player
            for player in preview.candidates
            if not register.is_called(player, person.name)
            and any(register.has_number(player, number) for number in person.numbers)
        ),
        None,
    )


def choose_rows(
    previews: Iterable[PreviewRow], answers: Mapping[int, Decision], *, fates: Collection[RowFate]
) -> tuple[list[PlayerRow], dict[int, Decision]]:
    """The rows of a list that are to be entered, and the decisions on those that were asked about, by their places
    among the rows returned. Chosen are rows of these `fates` and rows with an answer (by row number). An answer that
    means another row names it by its number; if that row is left out, this one is too."""
    rows: list[PlayerRow] = []
    places: dict[int, int] = {}
    decided: dict[int, Decision] = {}
    for preview in previews:
        number = preview.row.number
        if preview.fate == RowFate.ALIKE:
            answer = answers.get(number, NOT_DECIDED)
            # The answer names a row above by its number in the list, the decision its place among the rows entered;
            # a row that is left out has none, and whoever was to be the same person stays out with it.
            if isinstance(answer, int):
                answer = places.get(answer, NOT_DECIDED)
            if answer == NOT_DECIDED:
                continue
            decided[len(rows)] = answer
        elif preview.fate not in fates:
            continue
        places[number] = len(rows)
        rows.append(preview.row)
    return rows, decided


NOT_DECIDED = -1  # the place of no row


class AlikeAnswer(StrEnum):
    """One answer for all rows that are alike."""

    SAME = "same"
    OTHER = "other"


def answer_all(previews: Iterable[PreviewRow], answer: AlikeAnswer) -> tuple[dict[int, Decision], list[FileFault]]:
    """Who is meant by the rows that are alike, by their numbers, if all are the same or all are others; and a fault for
    each that may be the same as several."""
    answers: dict[int, Decision] = {}
    faults = []
    for preview in previews:
        if preview.fate != RowFate.ALIKE:
            continue
        if answer == AlikeAnswer.OTHER:
            answers[preview.row.number] = None
            continue
        possible: list[Decision] = list(preview.candidates)
        for row in preview.rows_alike:  # who is meant by that row is meant by this one
            meant = answers.get(row.number, row.number)
            possible += [] if meant in possible else [meant]
        if len(possible) == 1:
            answers[preview.row.number] = possible[0]
        else:
            message = _("%(name)s is like several others (%(others)s), so nobody can tell with whom it is the same.")
            figures = {"name": preview.row.person.name, "others": "; ".join(preview.alike)}
            why = Refusal("several_alike", message, **figures)
            faults.append(FileFault(FaultCode.REFUSED, FilePlace(row=preview.row.number), {"why": why}))
    return answers, faults
