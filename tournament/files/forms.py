"""Forms for lists of players and for tournaments from files: one file, several, or a zip of them."""

import io
import tempfile
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath
from typing import IO, Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.archive.carrying import ZIP_ERRORS, is_archive
from tournament.basics import limits
from tournament.basics.one_at_a_time import ReadingBusy, wait_for_turn
from tournament.entries.forms import NEW_PERSON
from tournament.entries.operations.numbers import USUAL_SYSTEMS, format_number_heading, parse_list_number
from tournament.entries.operations.register import Decision
from tournament.exchange.columns import (
    NUMBER_COLUMN,
    TEAM_COLUMNS,
    UNUSED_COLUMN,
    PlayerColumn,
    has_name_column,
)
from tournament.exchange.faults import FaultCode, FileFault, FileFaults, FilePlace, make_single_fault, quote_value
from tournament.exchange.json_text import make_size_fault
from tournament.exchange.players import (
    PlayerList,
    PlayerRow,
    PreviewRow,
    RowFate,
    choose_rows,
    find_unknown_divisions,
    read_pasted_player_list,
    read_player_list,
    read_written_player_list,
    write_rows,
)
from tournament.exchange.rows import ZIP_MARK, check_zip_entries
from tournament.exchange.team_rows import TeamsOfList
from tournament.exchange.tournament_file import read_tournament_file
from tournament.models import Division
from tournament.pages.forms import FilesField, FilesInput, Sent, TextField
from tournament.paper.lettering import has_unknown_letter
from tournament.tsh.reading import TOURNEY_JS_NAME, TSH_CONFIG_NAMES, TSO_ORDER, ImportedEvent, read_tsh_event

MAX_FAULTS_SHOWN = 300


class PlayerListForm(forms.Form):
    """A list of players, pasted or as a file. If valid, it holds the `sheet` that was read."""

    text = forms.CharField(
        label=gettext_lazy("One player a line"),
        required=False,
        max_length=limits.PASTED_TEXT,
        # Empty lines at the beginning stay: in a list that is sent back each row has the line of its number.
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Surname, given name – or more, separated by semicolons or tabs: Beispiel, Anna; SC Fulda; 1512. "
            "With headings in the first line in any order: name, club, rating, games, e-mail, phone, division."
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("CSV, Excel or JSON file"),
        required=False,
        allow_empty_file=True,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx,.json,.trf,.trfx"}),
    )

    sheet: PlayerList | None = None
    has_teams = False  # the list is for an event with teams
    is_event = False  # what was sent belongs on the page for tournaments from files

    @property
    def system(self) -> str:
        """The federation whose numbers stand in a column that does not say so."""
        return ""

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or {}
        upload: Sent | None = fields.get("file")
        text = fields.get("text") or ""
        posted = self.data if isinstance(self.data, QueryDict) else QueryDict()
        columns = [] if upload else posted.getlist("column")  # as they were chosen on the page
        if upload is None and not text.strip():
            raise forms.ValidationError(_("Nothing was sent. Paste a list or choose a file."))
        try:
            with wait_for_turn():
                if upload:
                    # One byte more than is allowed: a file that is cut off there is known to be too large, without
                    # being held whole.
                    content = upload.read(limits.LIST_BYTES + 1)
                    if _is_event_file(upload.name or "", content):
                        raise make_single_fault(FaultCode.WHOLE_EVENT)
                    self.sheet = read_player_list(content, system=self.system, has_teams=self.has_teams)
                elif columns:
                    headings = self.data.get("headings", "")
                    self.sheet = read_written_player_list(text, columns, headings, has_teams=self.has_teams)
                # Behind empty lines: a list sent back has each row in the line of its number, and the headings may have
                # been the third.
                elif text.lstrip("\n").startswith(format_list_headings()):  # what we wrote, perhaps corrected
                    self.sheet = read_player_list(text.encode("utf-8"), has_teams=self.has_teams)
                else:
                    self.sheet = read_pasted_player_list(text, system=self.system, has_teams=self.has_teams)
        except FileFaults as faults:
            self.is_event = any(fault.code == FaultCode.WHOLE_EVENT for fault in faults.faults)
            self.add_error("file" if upload else "text", [str(fault) for fault in faults.faults])
        except ReadingBusy as busy:
            self.add_error("file" if upload else "text", str(busy))
        return fields


EVENT_SUFFIXES = (".t", ".tsh", ".js")


def _is_event_file(name: str, content: bytes) -> bool:
    """Whether a file is one of tsh, or a zip of a whole event."""
    return name.casefold().endswith(EVENT_SUFFIXES) or _is_zip_of_files(content)


def _is_zip_of_files(content: bytes) -> bool:
    """Whether this is a zip, and no workbook; what is too broken to tell is none."""
    if not content.startswith(ZIP_MARK):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            # A workbook is a zip, too: only what lies in it tells the two apart.
            return not any(name.casefold().startswith("xl/") for name in parts.namelist())
    except ZIP_ERRORS:
        return False


def _is_player_list(name: str, content: bytes) -> bool:
    """Whether a file is a list of players, which its headings show."""
    if _is_event_file(name, content):
        return False
    try:
        sheet = read_player_list(content)
    except FileFaults:
        return False
    return sheet.layout.headings is not None and sheet.layout.is_certain


class TeamListForm(PlayerListForm):
    """A list of players for an event with teams, in which “Team” is not the club."""

    has_teams = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].help_text = _(
            "Surname, given name – or more, separated by semicolons or tabs: Beispiel, Anna; SC Fulda; 1512. "
            "With headings in the first line in any order: name, club, rating, games, e-mail, phone, division, team, "
            "board. Who has no team plays for the club."
        )


class RegisterListForm(PlayerListForm):
    """A list of players for the register, perhaps a federation's."""

    of = TextField(
        limits.NUMBER_SYSTEM,
        label=gettext_lazy("Numbers are those of"),
        help_text=gettext_lazy("For a list with a column “Number” alone: SDeV, NTSV, WESPA or another federation"),
        widget=forms.TextInput(attrs={"list": "number-systems"}),
    )

    @property
    def system(self) -> str:
        return parse_list_number(self.cleaned_data.get("of") or "", "").system


LISTED_COLUMNS = (PlayerColumn.CLUB, PlayerColumn.RATING, PlayerColumn.GAMES, PlayerColumn.EMAIL, PlayerColumn.PHONE)


def format_list_headings(*, has_teams: bool = False) -> str:
    """The first line of a list as it is written here; headings are read in any language."""
    named = [_("Name"), _("Club"), _("Rating"), _("Lifetime games"), _("E-mail"), _("Phone"), _("Division")]
    return ";".join([*named, _("Team"), _("Board")] if has_teams else named)


def format_player_list(sheet: PlayerList, *, has_teams: bool = False) -> str:
    """A sheet as text for `PlayerListForm`, to be looked at and sent back: each row in the line of its number, what is
    faulty or found no place as written."""
    headings = (*format_list_headings(has_teams=has_teams).split(";"), *map(format_number_heading, sheet.systems))
    rows = [] if sheet.headings is None else [(sheet.headings, headings)]
    for row in sheet.rows:
        cells = [row.person.name, *(row.cells.get(column, "") for column in LISTED_COLUMNS), row.division]
        cells += [row.cells.get(column, "") for column in TEAM_COLUMNS] if has_teams else []
        rows.append((row.number, (*cells, *(row.numbers.get(system, "") for system in sheet.systems), *row.dropped)))
    return write_rows(rows)


SAMPLE_ROWS = 5


class ColumnQuestions:
    """The step “which column is what” of a list, with its first rows beside. Each of the `columns` has its `number`,
    `heading`, the `cells` of the first rows, and the `column` that it is taken for."""

    def __init__(self, sheet: PlayerList, *, has_teams: bool) -> None:
        lines, layout, self.has_teams = sheet.lines, sheet.layout, has_teams
        begin = 0 if layout.headings is None else layout.headings + 1
        self.rows = lines[begin : begin + SAMPLE_ROWS]
        self.is_certain = layout.is_certain
        self.lacks_names = not has_name_column(layout.columns)
        self.text = write_rows((line.number, line.cells) for line in lines)
        self.headings = None if layout.headings is None else lines[layout.headings].number
        # Down to the present headings at least: the line that is chosen has to be among those that can be chosen.
        above = lines[: max(SAMPLE_ROWS, begin)]
        self.heading_choices = [(line.number, "; ".join(filter(None, line.cells))) for line in above]
        headings = () if layout.headings is None else lines[layout.headings].cells
        width = max(len(headings), *(len(row.cells) for row in self.rows))
        self.taken_for = [layout.columns[at] if at < len(layout.columns) else UNUSED_COLUMN for at in range(width)]
        self.columns = [
            {
                "number": at + 1,
                "heading": headings[at] if at < len(headings) else "",
                "cells": [row.cells[at] if at < len(row.cells) else "" for row in self.rows],
                "column": column,
            }
            for at, column in enumerate(self.taken_for)
        ]

    @property
    def choices(self) -> list[tuple[str, str]]:
        """What a column may be, with its label."""
        names: dict[str, str] = {
            UNUSED_COLUMN: _("not used"),
            PlayerColumn.NAME: _("Name (surname, given name)"),
            PlayerColumn.FULL_NAME: _("Name (given name first)"),
            PlayerColumn.SURNAME: _("Surname"),
            PlayerColumn.GIVEN: _("Given name"),
            PlayerColumn.CLUB: _("Club"),
            PlayerColumn.RATING: _("Rating"),
            PlayerColumn.GAMES: _("Lifetime games"),
            PlayerColumn.EMAIL: _("E-mail"),
            PlayerColumn.PHONE: _("Phone"),
            PlayerColumn.DIVISION: _("Division"),
        }
        if self.has_teams:
            names |= {PlayerColumn.TEAM: _("Team"), PlayerColumn.BOARD: _("Board")}
        chosen = {column for column in self.taken_for if column.startswith(f"{NUMBER_COLUMN}:")}
        numbers = dict.fromkeys([*(f"{NUMBER_COLUMN}:{system}" for system in USUAL_SYSTEMS), *sorted(chosen)])
        systems = [(number, _("Number of %(system)s") % {"system": number.partition(":")[2]}) for number in numbers]
        return [(str(value), label) for value, label in names.items()] + systems


class PlayerListPreview:
    """What reading a list would do, row by row, and whether anything stands in the way."""

    def __init__(
        self,
        sheet: PlayerList,
        rows: tuple[PreviewRow, ...],
        divisions: dict[str, Division] | None = None,
        teams: TeamsOfList | None = None,
    ) -> None:
        self.sheet = sheet
        self.teams = teams
        self.rows = rows if teams is None else teams.rows
        self.faults = list(sheet.faults)
        for row in self.rows:
            if row.fate == RowFate.UNCLEAR:
                self.faults.append(FileFault(FaultCode.REFUSED, FilePlace(row=row.row.number), {"why": row.why}))
        if divisions is not None:
            self.faults += find_unknown_divisions(sheet, divisions)
        self.counts = {fate.value: sum(1 for row in self.rows if row.fate == fate) for fate in RowFate}
        self.text = format_player_list(sheet, has_teams=teams is not None)
        numbers = (f"{NUMBER_COLUMN}:{system}" for system in sheet.systems)
        team_columns = () if teams is None else TEAM_COLUMNS
        self.columns = (PlayerColumn.NAME, *LISTED_COLUMNS, PlayerColumn.DIVISION, *team_columns, *numbers)
        self.dropped = [(row.number, "; ".join(row.dropped)) for row in sheet.rows if row.dropped]
        self.unturned = [row.person.name for row in sheet.unturned]
        self.unprintable = [row.row.person.name for row in rows if has_unknown_letter(row.row.person.name)]

    @property
    def wanted(self) -> int:
        """How many would be entered, or are asked about."""
        return self.counts[RowFate.NEW] + self.counts[RowFate.KNOWN] + self.asked

    @property
    def asked(self) -> int:
        """How many rows somebody is asked about."""
        return self.counts[RowFate.ALIKE]

    def choose_rows(
        self, sent: Mapping[str, str], *, fates: Collection[RowFate]
    ) -> tuple[list[PlayerRow], dict[int, Decision]]:
        """The rows to enter by what was chosen, and who is meant by those that were asked about, as `choose_rows`."""
        answers: dict[int, Decision] = {}
        for row in self.rows:
            possible: dict[str, Decision] = {str(player.pk): player for player in row.candidates}
            possible |= {f"row-{other.number}": other.number for other in row.rows_alike} | {NEW_PERSON: None}
            chosen = sent.get(f"row-{row.row.number}", "")
            # A form can be sent with anything: only what was offered for this row is an answer.
            if chosen in possible:
                answers[row.row.number] = possible[chosen]
        return choose_rows(self.rows, answers, fates=fates)


MAX_NAME_LENGTH = 60  # characters; four times as many bytes are what every file system takes


def read_uploaded_event(sent: Mapping[str, bytes], *, tso_order: bool = False) -> ImportedEvent:
    """The event in the files sent, by name: a tournament file, or files of tsh. With `tso_order` a tsh event is ranked
    by the TSO's criteria, else as tsh does it. Raises `FileFaults` with everything that is wrong, or if there are more
    games than can be stored while others wait."""
    contents, title = dict(sent), "tsh"
    if len(contents) == 1:
        ((name, content),) = contents.items()
        if _is_player_list(name, content):
            raise make_single_fault(FaultCode.PLAYER_LIST)
        if content.startswith(ZIP_MARK):
            contents, title = unpack_zip(content, name), get_base_name(PurePosixPath(name).stem)
    names = {name.casefold(): name for name in contents}
    # Asked once more: what was one zip may hold one file, and that may be a tournament file.
    if len(contents) == 1:
        ((name, content),) = contents.items()
        # By its content as well: mail programs and phones change the ends of names.
        if name.casefold().endswith(".json") or content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            return ImportedEvent(read_tournament_file(content, most_games=limits.GAMES_SENT), ())
    begin = next((names[name] for name in (*TSH_CONFIG_NAMES, TOURNEY_JS_NAME) if name in names), None)
    if begin is None and len(contents) > 1:
        raise make_single_fault(FaultCode.TSH_NO_CONFIG, value=quote_value(", ".join(contents)))
    if not contents:
        raise make_single_fault(FaultCode.NO_PLAYERS)
    if (size := sum(map(len, contents.values()))) > limits.TSH_BYTES:
        raise make_size_fault(size, limits.TSH_BYTES)
    # tsh's files are read where their reader expects them: side by side in a folder, which is deleted afterwards.
    with tempfile.TemporaryDirectory(prefix="tso-") as scratch:
        folder = Path(scratch) / title
        folder.mkdir()
        for name, content in contents.items():
            (folder / name).write_bytes(content)
        order = TSO_ORDER if tso_order else None
        return read_tsh_event(folder / (begin or next(iter(contents))), order=order, most_games=limits.GAMES_SENT)


def get_base_name(name: str) -> str:
    """The last part of a file's name, without dots before it, so that nothing is written anywhere else."""
    # A browser on Windows may send a whole path, and a zip one with `..`: what is left has no folder, and is no hidden
    # file.
    last = PurePosixPath(name.replace("\\", "/").replace("\0", "")).name.lstrip(".")
    return last[-MAX_NAME_LENGTH:] or "file"


def unpack_zip(content: bytes, name: str) -> dict[str, bytes]:
    """The files of a zip that belong together: those next to its configuration. Raises `FileFaults`."""
    try:
        check_zip_entries(content, limits.FILES)
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            contents = {}
            for part in _select_event_files(parts.infolist()):
                with parts.open(part) as stream:
                    content = stream.read(limits.FILE_BYTES + 1)  # the size that it states is not trusted
                if len(content) > limits.FILE_BYTES:
                    raise make_size_fault(len(content), limits.FILE_BYTES)
                contents[get_base_name(part.filename)] = content
            return contents
    except ZIP_ERRORS as error:
        raise make_single_fault(FaultCode.NOT_READABLE, value=quote_value(name), why=quote_value(str(error))) from error


def _select_event_files(parts: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    # A Mac puts a shadow of each file beside it, of the same name and without content that anybody could read.
    files = [part for part in parts if not part.is_dir() and not part.filename.startswith("__MACOSX/")]
    if (size := sum(part.file_size for part in files)) > limits.FILE_BYTES:
        raise make_size_fault(size, limits.FILE_BYTES, FaultCode.UNPACKED_TOO_LARGE)
    begins = [part for part in files if get_base_name(part.filename).casefold() in (*TSH_CONFIG_NAMES, TOURNEY_JS_NAME)]
    # Side by side two files of one name (`x/a.t`, `y/a.t`) would become one, and half of what was sent an event.
    if not begins and len(files) > 1:
        raise make_single_fault(
            FaultCode.TSH_NO_CONFIG, value=quote_value(", ".join(get_base_name(part.filename) for part in files))
        )
    if not begins:
        return files
    # The one nearest the top; next to a configuration, a tourney.js is only what tsh made of it.
    begin = min(begins, key=lambda part: (part.filename.count("/"), TOURNEY_JS_NAME in part.filename.casefold()))
    folder = PurePosixPath(begin.filename).parent
    return [part for part in files if PurePosixPath(part.filename).parent == folder]


class TournamentFilesForm(forms.Form):
    """A tournament from files: `archive` is one that was sent, `imported` what was read, or `faults` says why not."""

    sent = FilesField(
        label=gettext_lazy("Files"),
        help_text=gettext_lazy(
            "An event as an archive (.zip), a tournament file (.json), or files of tsh: config.tsh with its .t files, "
            "one .t file, tourney.js; several at once, or a zip of them"
        ),
        error_messages={"required": gettext_lazy("Choose one file or several.")},
        widget=FilesInput(attrs={"accept": ".json,.t,.tsh,.js,.zip"}),
    )
    tso_order = forms.BooleanField(
        label=gettext_lazy("Rank a tsh event by the TSO’s criteria"),
        required=False,
        help_text=gettext_lazy("Otherwise as tsh does: wins, then spread; players who are level share the rank"),
    )

    archive: IO[bytes] | None = None
    imported: ImportedEvent | None = None
    faults: tuple[FileFault, ...] = ()

    @property
    def is_player_list(self) -> bool:
        """Whether what was sent belongs on the pages for lists of players."""
        return any(fault.code == FaultCode.PLAYER_LIST for fault in self.faults)

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or {}
        uploads: list[Sent] = fields.get("sent") or []
        if not uploads:
            return fields
        if len(uploads) == 1 and uploads[0].file is not None and is_archive(uploads[0].file):
            self.archive = uploads[0].file
            return fields
        try:
            size = sum(upload.size or 0 for upload in uploads)
            if size > limits.FILE_BYTES:
                raise make_size_fault(size, limits.FILE_BYTES)
            with wait_for_turn():
                contents = {get_base_name(upload.name or ""): upload.read() for upload in uploads}
                # Without their folders two files may have one name: one of them would be left out, and nobody told.
                if len(contents) < len(uploads):
                    names = [get_base_name(upload.name or "") for upload in uploads]
                    raise make_single_fault(FaultCode.TWICE, value=quote_value(max(names, key=names.count)))
                self.imported = read_uploaded_event(contents, tso_order=fields["tso_order"])
        except FileFaults as faults:
            self.refuse(faults.faults)
        except ReadingBusy as busy:
            self.add_error("sent", str(busy))
        return fields

    def refuse(self, faults: tuple[FileFault, ...]) -> None:
        """Take note of what is wrong with the files."""
        self.faults = faults
        self.add_error("sent", _("Nothing was imported; the errors are listed below."))
