"""Forms for lists of players and for tournaments from files."""

import csv
import io
from typing import IO, TYPE_CHECKING, Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament import limits, names, one_at_a_time
from tournament.exchange import faults, players, uploads
from tournament.exchange.archive.reading import is_archive
from tournament.exchange.faults import Code, Fault, Place, quoted
from tournament.exchange.json_text import too_large
from tournament.exchange.players import Fate, PlayerColumn, PlayerList, PreviewRow
from tournament.exchange.tsh.reading import Read
from tournament.models import Division
from tournament.operations.entries import Newcomer

if TYPE_CHECKING:
    Sent = UploadedFile[Any]  # generic for the checker only
else:
    Sent = UploadedFile

MOST_FAULTS_SHOWN = 300


class PlayerListForm(forms.Form):
    """A list of players, pasted or as a file. If valid, it holds the `sheet` that was read."""

    text = forms.CharField(
        label=gettext_lazy("One player a line"),
        required=False,
        max_length=limits.PASTED,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Surname, given name – or more, separated by semicolons or tabs: Beispiel, Anna; SC Fulda; 1512. "
            "With headings in the first line in any order: name, club, rating, games, e-mail, division."
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("CSV or Excel file"),
        required=False,
        allow_empty_file=True,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx"}),
    )

    sheet: PlayerList | None = None

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or {}
        sent: Sent | None = typed.get("file")
        text = typed.get("text") or ""
        if sent is None and not text.strip():
            raise forms.ValidationError(_("Paste a list or choose a file; nothing was sent."))
        try:
            with one_at_a_time.wait_for_turn():
                self.sheet = players.read(sent.read(limits.LIST_BYTES + 1)) if sent else _typed(text)
        except faults.Faults as found:
            self.add_error("file" if sent else "text", [str(fault) for fault in found.faults])
        except one_at_a_time.Busy as busy:
            self.add_error("file" if sent else "text", str(busy))
        return typed


def _typed(text: str) -> PlayerList:
    """A list that was pasted, or that `as_text` wrote and somebody checked and perhaps corrected."""
    written = text.startswith(headings())
    return players.read(text.encode("utf-8")) if written else players.read_pasted(text)


COLUMNS = (PlayerColumn.CLUB, PlayerColumn.RATING, PlayerColumn.GAMES, PlayerColumn.EMAIL)


def headings() -> str:
    """The first line of a list as `as_text` writes it; lists are read with headings in either language."""
    return ";".join([_("Name"), _("Club"), _("Rating"), _("Games"), _("E-mail"), _("Division")])


def as_text(sheet: PlayerList) -> str:
    """A sheet as text for `PlayerListForm`, to be looked at and sent back; what is faulty stays as written."""
    out = io.StringIO()
    out.write(f"{headings()}\n")
    writer = csv.writer(out, delimiter=";", lineterminator="\n")
    for row in sheet.rows:
        writer.writerow([row.person.name, *(row.cells.get(column, "") for column in COLUMNS), row.division])
    return out.getvalue()


class Preview:
    """What reading a list would do, row by row, and whether anything stands in the way."""

    def __init__(
        self, sheet: PlayerList, rows: tuple[PreviewRow, ...], divisions: dict[str, Division] | None = None
    ) -> None:
        self.sheet = sheet
        self.rows = rows
        self.faults = sheet.faults + [_unclear(row) for row in rows if row.fate == Fate.UNCLEAR]
        if divisions is not None:
            self.faults += [_no_division(row) for row in rows if not _division(row, divisions)]
        self.counts = {fate.value: sum(1 for row in rows if row.fate == fate) for fate in Fate}
        self.text = as_text(sheet)
        self.dropped = [(row.number, "; ".join(row.dropped)) for row in sheet.rows if row.dropped]
        self.unturned = [row.person.name for row in sheet.unturned]

    @property
    def wanted(self) -> int:
        """How many would be entered."""
        return self.counts[Fate.NEW] + self.counts[Fate.KNOWN]


def _division(row: PreviewRow, divisions: dict[str, Division]) -> bool:
    return not row.row.division or names.fold(row.row.division) in divisions


def _unclear(row: PreviewRow) -> Fault:
    return Fault(Code.REFUSED, Place(row=row.row.number), {"why": row.why})


def _no_division(row: PreviewRow) -> Fault:
    return Fault(Code.UNKNOWN_DIVISION, Place(row=row.row.number), {"value": quoted(row.row.division)})


def by_name(divisions: list[Division]) -> dict[str, Division]:
    """Divisions by their folded names."""
    return {names.fold(division.name): division for division in divisions}


def newcomers(sheet: PlayerList, usual: Division, divisions: dict[str, Division]) -> list[Newcomer]:
    """Everybody on a list with the division that their row names, else the usual one."""
    return [Newcomer(row.person, divisions.get(names.fold(row.division), usual)) for row in sheet.rows]


class FilesInput(forms.ClearableFileInput):
    """A field to choose several files."""

    allow_multiple_selected = True


class ManyFiles(forms.FileField):
    """Several files at once."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Sent]:
        sent = data if isinstance(data, list | tuple) and data else [data or None]
        return [super(ManyFiles, self).clean(each, initial) for each in sent]


class TournamentFilesForm(forms.Form):
    """A tournament from files.

    If valid, `archive` is the event's archive that was sent, or `found` holds the event that was read; otherwise
    `faults` says why not.
    """

    sent = ManyFiles(
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
    found: Read | None = None
    faults: tuple[Fault, ...] = ()

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or {}
        sent: list[Sent] = typed.get("sent") or []
        if not sent:
            return typed
        if len(sent) == 1 and sent[0].file is not None and is_archive(sent[0].file):
            self.archive = sent[0].file
            return typed
        try:
            with one_at_a_time.wait_for_turn():
                self.found = uploads.read(_contents(sent), tso_order=typed["tso_order"])
        except faults.Faults as found:
            self.refuse(found.faults)
        except one_at_a_time.Busy as busy:
            self.add_error("sent", str(busy))
        return typed

    @property
    def read(self) -> Read:
        """What a valid form has read."""
        if self.found is None:
            raise RuntimeError("nothing was read")
        return self.found

    def refuse(self, found: tuple[Fault, ...]) -> None:
        """Take note of what is wrong with the files."""
        self.faults = found
        self.add_error("sent", _("Nothing was read in; the faults are listed below."))


def _contents(sent: list[Sent]) -> dict[str, bytes]:
    """The files by name. Raises `Faults` if they are too large together; the sizes are looked at first."""
    size = sum(each.size or 0 for each in sent)
    if size > limits.FILE_BYTES:
        raise too_large(size, limits.FILE_BYTES)
    return {uploads.base_name(each.name or ""): each.read() for each in sent}
