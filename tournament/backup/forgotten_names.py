"""Copies of the data that still hold the name of somebody whose personal data were deleted: which they are, and letting
them go. Their databases are read block by block, as much at a time as whoever asks may wait. A name that is looked for
stands in this process's memory alone, and only until nothing holds it any more."""

import json
import time
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from zipfile import BadZipFile, ZipFile

from django.utils.translation import gettext_lazy

from tournament.backup.files import BLOCK_BYTES, refuse_file_faults
from tournament.backup.health import list_all_backups
from tournament.backup.making import CopyCheck, check_copy, list_unpacked_copies, make_backup
from tournament.backup.places import (
    DATABASE_FILE,
    BackupName,
    BackupReason,
    Installation,
    find_in_second_place,
    load_backup_state,
    parse_backup_name,
)
from tournament.basics.names import list_name_forms
from tournament.basics.refusals import Refusal


@dataclass(slots=True)
class NameSearch:
    """A search for `texts`, any of them, through all backups and folders with earlier data; `holding` says of each file
    that was looked through whether it holds one."""

    texts: frozenset[bytes] = frozenset()
    holding: dict[Path, bool] = field(default_factory=dict)
    total: int = 0
    is_complete: bool = False

    def add(self, names: Iterable[str]) -> None:
        """Look for somebody's names and addresses as well, from the beginning."""
        # One word alone may be part of another: it counts only as the whole name of a row in a journal.
        texts = set()
        for name in filter(None, names):
            texts.add(f'"name": {json.dumps(name)}'.encode("ascii"))
            for form in list_name_forms(name):
                if " " in form or "@" in form:
                    texts |= {form.encode(), json.dumps(form)[1:-1].encode("ascii")}
        self.texts |= frozenset(texts)
        self.holding, self.is_complete = {}, False

    @property
    def backups(self) -> list[tuple[Path, BackupName]]:
        """The backups that hold a name, as far as was looked."""
        named_backups = [(path, parse_backup_name(path.name)) for path, holds in self.holding.items() if holds]
        return [(path, name) for path, name in named_backups if name]

    @property
    def folders(self) -> list[Path]:
        """The folders with earlier data that do."""
        return sorted(
            {path.parent for path, holds in self.holding.items() if holds and not parse_backup_name(path.name)}
        )

    def go_on(self, home: Installation, *, seconds: float | None = None) -> None:
        """Look on for so long (at least through one file), or to the end. The names go when nothing holds them."""
        texts, end = self.texts, None if seconds is None else time.monotonic() + seconds
        if not texts:
            self.is_complete = True
            return
        there = [path for path, _name in list_all_backups(home)] + sorted(home.data.glob(f"*/{DATABASE_FILE}*"))
        holding = {path: holds for path, holds in self.holding.items() if path in there}
        for path in there:
            if path not in holding:
                holding[path] = _holds_any(path, texts)
                if end is not None and time.monotonic() > end:
                    break
        if texts != self.texts:  # somebody else was forgotten meanwhile
            return
        # A copy that is not packed yet is a backup in a moment: until it has been looked through as one, the search is
        # not complete, and the name is still looked for.
        self.holding, self.total = holding, len(there) + len(list_unpacked_copies(home))
        self.is_complete = len(holding) == self.total
        if self.is_complete and not any(holding.values()):
            self.texts = frozenset()


_search = NameSearch()


def get_name_search() -> NameSearch:
    """This process's search for names of people whose data were deleted here."""
    return _search


def _holds_any(path: Path, texts: frozenset[bytes]) -> bool:
    """Whether a backup, or a database's file, holds any of the texts; whatever cannot be read may."""
    try:
        if path.suffix != ".zip":
            with path.open("rb") as file:
                return _find_any(file, texts)
        with ZipFile(path) as packed, packed.open(DATABASE_FILE) as member:
            return _find_any(member, texts)
    except (OSError, BadZipFile, KeyError, EOFError, NotImplementedError, zlib.error):
        return True


def _find_any(file: IO[bytes], texts: frozenset[bytes]) -> bool:
    longest, before = max(map(len, texts)), b""
    while block := file.read(BLOCK_BYTES):
        before += block
        if any(text in before for text in texts):
            return True
        # A name may lie across two blocks, so the end of one is looked at again with the next.
        before = before[-longest:]
    return False


def let_backups_go(home: Installation, search: NameSearch, *, check: CopyCheck = check_copy) -> int:
    """Make a backup of today's data, then delete those in which the search has found a name, here and in the second
    place; how many. Folders with earlier data are left to whoever made them. Raises a `Refusal`."""
    if not search.backups:
        return 0
    # As long as the second place takes: what is deleted there has to have its successor there before.
    backup = make_backup(home, BackupReason.BY_HAND, check=check, awaits_place=True)
    assert backup is not None
    if backup.not_carried:
        raise backup.not_carried
    if not backup.manifest.is_good:
        raise Refusal(
            "no_clean_backup",
            gettext_lazy("Nothing was deleted: the data contain errors, so the backups may still be needed. %(fault)s"),
            fault=backup.manifest.facts.faults[0],
        )
    going = [path for path, name in search.backups if name != backup.name]

    def delete_in(folder: Path) -> list[Path]:
        here = [path for path in going if path.parent == folder]
        for path in here:
            path.unlink(missing_ok=True)
        return here

    place = load_backup_state(home).place
    with refuse_file_faults(home.backups):
        return len(delete_in(home.backups) + (find_in_second_place(place, delete_in) if place else []))
