"""The keeper: a thread of the program on a laptop that makes backups by itself, and says how things stand. It makes one
when a round is closed and every few minutes while something changes, and packs the copies taken before steps that are
hard to take back. It looks often and cheaply: SQLite tells without reading anything whether somebody has written. No
page waits longer than the copy takes. Commands, where no keeper runs, find what they need below it."""

import contextlib
import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.backup.files import FolderUnusable, make_file_refusal
from tournament.backup.health import LARGE_WAL, describe_way_back, renew_mark
from tournament.backup.making import (
    CopyCheck,
    DataCopy,
    MadeBackup,
    check_and_pack_copy,
    list_unpacked_copies,
    make_backup,
    remove_unfinished_copies,
    take_copy,
)
from tournament.backup.noting import note_journal_entry
from tournament.backup.places import (
    NOTES_FOLDER,
    BackupName,
    BackupReason,
    Installation,
    copy_to_second_place,
    find_last_good_name,
    load_backup_state,
)
from tournament.backup.words import describe_last_backup, describe_lost_photos
from tournament.basics.precautions import entry_stored, irreversible_step, round_closed
from tournament.basics.refusals import Refusal

logger = logging.getLogger(__name__)

LOOK_SECONDS = 5
EVERY_SECONDS = 5 * 60
OLD_SECONDS = 3 * EVERY_SECONDS  # how long a change may stay unsaved before somebody is told
SHARE = 30  # A backup takes at most one second in this many: large ones are made less often
OLD_BY_HAND_SECONDS = 2 * 24 * 3600  # where the machine's timetable makes backups, one a day is expected
RETRY_SECONDS = 60
REASONS_BY_VERB = {
    "delete_tournament": BackupReason.DELETION,
    "delete_word_list": BackupReason.DELETION,
    "remove_division": BackupReason.DELETION,
    "undo": BackupReason.UNDO,
    "redo": BackupReason.UNDO,
    "unpublish_round": BackupReason.UNDO,
    "update_register": BackupReason.IMPORT,
}
"""The reason of the backup made before a step, by the step's verb."""
VERBS_WITHOUT_NOTES = frozenset({"forget_player", "forget_registration", "import_event", "rebuild_tournament"})
"""Verbs that write or rewrite a journal without notes: a backup follows soon."""


@dataclass(frozen=True, slots=True)
class BackupStatus:
    """How things stand, for the director's pages."""

    last: BackupName | None
    is_old: bool = False
    fault: Refusal | None = None
    place_fault: Refusal | None = None

    @property
    def sentence(self) -> str:
        return describe_last_backup(self.last.at if self.last else None)

    @property
    def warnings(self) -> list[str]:
        """What somebody has to look after."""
        unsaved = _("Something has changed since then that is not in any backup yet, although it should be.")
        faults = [str(fault) for fault in (self.fault, self.place_fault) if fault]
        return [unsaved, *faults] if self.is_old else faults


class BackupKeeper:
    """Looks after the backups of one installation. Only `begin` starts the thread."""

    def __init__(self, home: Installation, *, check: CopyCheck, tell: Callable[[Refusal], None]) -> None:
        self.home, self._check, self._tell = home, check, tell
        # Filled by the threads that answer pages, and emptied by whoever packs: a deque takes both without a lock.
        self._copies: deque[DataCopy] = deque()
        self._wake = threading.Event()
        # Reentrant: `save` holds it and calls `_pack_copies`, which takes it again.
        self._busy = threading.RLock()
        self._wanted: BackupReason | None = None
        self._watch: sqlite3.Connection | None = None
        self._seen = 0
        self._unsaved_since: float | None = None
        self._not_before = 0.0
        self.fault: Refusal | None = None
        self.place_fault: Refusal | None = None

    def begin(self) -> None:
        """Take over what an earlier run left unpacked, listen to the operations, and start the thread."""
        remove_unfinished_copies(self.home)
        self._copies.extend(list_unpacked_copies(self.home))
        irreversible_step.connect(self.before)
        round_closed.connect(self.after_round)
        entry_stored.connect(self.note)
        threading.Thread(target=self._run, daemon=True, name="backups").start()

    def end(self) -> None:
        """Make a last backup if something is unsaved. Called when nobody is served any more."""
        irreversible_step.disconnect(self.before)
        round_closed.disconnect(self.after_round)
        entry_stored.disconnect(self.note)
        self.save(BackupReason.STOP)
        with contextlib.suppress(OSError, sqlite3.Error):  # the next start does it
            renew_mark(self.home, patient=True)

    def before(self, verb: str, **_sent: Any) -> None:
        """Copy the data before something is done that is hard to take back."""
        self.save_soon(REASONS_BY_VERB[verb])

    def save_soon(self, reason: BackupReason) -> None:
        """Copy the data now; checking and packing can wait. Never raises: see `fault`."""
        try:
            self._copies.append(take_copy(self.home, reason))
        except Refusal as refusal:
            self._failed(refusal)
        self._wake.set()

    def after_round(self, **_sent: Any) -> None:
        """Make a backup soon."""
        self._wanted = BackupReason.ROUND_CLOSED
        self._wake.set()

    def note(self, entry: Mapping[str, Any], **_sent: Any) -> None:
        """Note an entry beside the database; a backup follows soon where the notes do not hold everything."""
        try:
            note_journal_entry(self.home, entry)
        except OSError as fault:
            self._failed(make_file_refusal(fault, self.home.data / NOTES_FOLDER))
        if entry["verb"] in VERBS_WITHOUT_NOTES:
            self._wanted = BackupReason.SCHEDULE
            self._wake.set()

    def save(self, reason: BackupReason) -> MadeBackup | None:
        """Pack what was copied before, then make a backup now; None if nothing is new. Never raises: see `fault`."""
        with self._busy:
            self._pack_copies()
            try:
                return self._finish(take_copy(self.home, reason))
            except Refusal as refusal:
                self._failed(refusal)
                return None

    def status(self) -> BackupStatus:
        since = self._unsaved_since
        return BackupStatus(
            last=find_last_good_name(self.home.backups),
            is_old=since is not None and time.monotonic() - since > OLD_SECONDS,
            fault=self.fault,
            place_fault=self.place_fault,
        )

    def look_or_tell(self) -> None:
        """Look, and tell what fails. Never raises: the thread would end, and nobody would make backups any more."""
        try:
            self.look()
        except (OSError, sqlite3.Error) as fault:
            self._failed(FolderUnusable(folder=self.home.backups, reason=fault))
        except Exception as fault:
            logger.exception("no backup was made")
            message = gettext_lazy("No backup was made: %(fault)s. The program keeps trying.")
            self._failed(Refusal("backup_failed", message, fault=str(fault) or type(fault).__name__))

    def look(self) -> None:
        self._pack_copies()
        # Taken before the backup is made: a round that is closed meanwhile asks for the next one.
        reason, self._wanted = self._wanted, None
        # The version is read before the copy is taken: what is written in between differs at the next look and counts
        # as unsaved.
        before, self._seen = self._seen, self._version()
        if self._seen != before and self._unsaved_since is None:
            self._unsaved_since = time.monotonic()
        now, since = time.monotonic(), self._unsaved_since
        is_due = since is not None and now >= self._not_before and now - since >= EVERY_SECONDS
        if reason or is_due:
            self.save(reason or BackupReason.SCHEDULE)
        # Also without a new backup: the stick may have been plugged in since the last one.
        self.carry()
        with contextlib.suppress(OSError, sqlite3.Error):  # somebody is writing: the next look does it
            if self.home.wal.exists() and self.home.wal.stat().st_size > LARGE_WAL:
                renew_mark(self.home)

    def _pack_copies(self) -> None:
        with self._busy:
            while self._copies:
                self._finish(self._copies.popleft())

    def _run(self) -> None:
        # One connection, kept open: SQLite's `data_version` says what others have written since the same connection
        # last asked.
        with closing(sqlite3.connect(f"{self.home.database.resolve().as_uri()}?mode=ro", uri=True)) as self._watch:
            self._seen = self._version()
            while True:
                self._wake.wait(LOOK_SECONDS)
                self._wake.clear()
                self.look_or_tell()

    def _version(self) -> int:
        """A number that changes when another connection has written."""
        return int(self._watch.execute("PRAGMA data_version").fetchone()[0]) if self._watch else 0

    def _finish(self, copy: DataCopy) -> MadeBackup | None:
        began = time.monotonic()
        try:
            backup = check_and_pack_copy(self.home, copy, check=self._check)
        except Refusal as refusal:
            self._failed(refusal)
            return None
        self._unsaved_since = self.fault = None
        self.carry()
        if backup is not None and not backup.manifest.is_good:
            message = gettext_lazy("The data contain an error. %(way)s")
            self._failed(Refusal("data_faulty", message, way=describe_way_back(self.home)))
        elif backup is not None and (lost := backup.manifest.facts.lost_photos):
            self._failed(Refusal("photos_lost", "%(said)s", said=describe_lost_photos(lost, self.home.data)))
        self._not_before = time.monotonic() + SHARE * (time.monotonic() - began)
        return backup

    def _failed(self, refusal: Refusal) -> None:
        """Tell a new fault once, and try again a minute later."""
        if str(refusal) != str(self.fault):
            self._tell(refusal)
        self.fault = refusal
        self._not_before = time.monotonic() + RETRY_SECONDS

    def carry(self) -> None:
        """See that the last good backup is in the second place."""
        before, self.place_fault = self.place_fault, None
        try:
            place, last = load_backup_state(self.home).place, find_last_good_name(self.home.backups)
            if place is not None and last is not None:
                copy_to_second_place(self.home, place, last)
        except Refusal as refusal:
            self.place_fault = refusal
        except OSError as fault:
            self.place_fault = make_file_refusal(fault, self.home.backups)
        if self.place_fault is not None and str(self.place_fault) != str(before):
            self._tell(self.place_fault)


_running: BackupKeeper | None = None


def start_keeper(home: Installation, *, check: CopyCheck, tell: Callable[[Refusal], None]) -> BackupKeeper:
    """Start this process's keeper; its pages say from now on how things stand."""
    global _running  # noqa: PLW0603  # a process has one
    _running = BackupKeeper(home, check=check, tell=tell)
    _running.begin()
    return _running


@contextlib.contextmanager
def back_up_before_hard_steps(home: Installation, *, tell: Callable[[Refusal], None]) -> Iterator[None]:
    """Where no keeper runs: note what is entered, make a backup before each step that is hard to take back, and one
    afterwards where the notes alone would not bring everything back; tell if one cannot be made."""

    def save(reason: BackupReason) -> None:
        try:
            make_backup(home, reason)
        except Refusal as refusal:
            tell(refusal)

    def before(verb: str, **_sent: Any) -> None:
        save(REASONS_BY_VERB[verb])

    irreversible_step.connect(before)
    with take_journal_notes(home, tell=tell) as entered:
        try:
            yield
        finally:
            irreversible_step.disconnect(before)
            # Notes are done again on top of a backup: where there is none yet, they alone would bring nothing back.
            if entered & VERBS_WITHOUT_NOTES or (entered and find_last_good_name(home.backups) is None):
                save(BackupReason.SCHEDULE)


@contextlib.contextmanager
def take_journal_notes(home: Installation, *, tell: Callable[[Refusal], None]) -> Iterator[set[str]]:
    """Where no keeper runs: note what is entered, or tell why not. Yields the set of verbs, which grows meanwhile."""
    entered: set[str] = set()

    def note(entry: Mapping[str, Any], **_sent: Any) -> None:
        entered.add(entry["verb"])
        try:
            note_journal_entry(home, entry)
        except OSError as fault:
            tell(make_file_refusal(fault, home.data / NOTES_FOLDER))

    entry_stored.connect(note)
    try:
        yield entered
    finally:
        entry_stored.disconnect(note)


def describe_backup_status(home: Installation) -> BackupStatus | None:
    """How things stand with an installation's backups; None where nobody makes any."""
    if _running is not None:
        return _running.status()
    if (last := find_last_good_name(home.backups)) is None:
        return None
    # Without its zone, as the names of backups have the time of the clock on the wall.
    age = timezone.localtime().replace(tzinfo=None) - last.at
    return BackupStatus(last, is_old=age.total_seconds() > OLD_BY_HAND_SECONDS)


def get_keeper() -> BackupKeeper | None:
    """This process's keeper; None in commands, in tests and on hosted servers."""
    return _running
