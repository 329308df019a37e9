"""The keeper: a thread of the program on a laptop that makes backups by itself, and says how things stand.

It makes one when a round was closed, every few minutes while something changes, and packs those that were copied before
a step that is hard to take back. It looks often and cheaply: SQLite says without reading anything whether somebody has
written. A page is never kept waiting longer than the copy takes.
"""

import contextlib
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils import timezone

from tournament import precautions
from tournament.laptop.backup import copying, files, making, marking, noting, patience, places, second_place, state
from tournament.laptop.backup.copying import Copy
from tournament.laptop.backup.places import BackupName, Installation
from tournament.laptop.backup.values import BackupReason
from tournament.refusals import Refusal
from tournament.words import backups as words

LOOK_SECONDS = 5
EVERY_SECONDS = 5 * 60
OLD_SECONDS = 3 * EVERY_SECONDS
"""Something that has not been saved for so long is told."""
SHARE = 30
"""Of this many seconds a backup takes one at most: a large one is made less often."""
OLD_BY_HAND_SECONDS = 2 * 24 * 3600
"""Where a machine's timetable makes them, one a day is expected."""
RETRY_SECONDS = 60
REASONS = {
    "delete_tournament": BackupReason.DELETION,
    "delete_word_list": BackupReason.DELETION,
    "remove_division": BackupReason.DELETION,
    "undo": BackupReason.UNDO,
    "redo": BackupReason.UNDO,
    "unpublish_round": BackupReason.UNDO,
    "update_register": BackupReason.IMPORT,
}
"""What is written beside the backup that is made before a step, by the step's verb."""


PAST_NOTES = frozenset({"forget_player", "forget_registration", "import_event", "rebuild_tournament"})
"""Verbs that write a journal, or write one anew, past the notes: a backup follows soon."""


@dataclass(frozen=True, slots=True)
class StatusInWords:
    """How things stand, in words, for the director's pages."""

    sentence: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Status:
    """How things stand, for the director's pages."""

    last: BackupName | None
    is_old: bool = False
    fault: Refusal | None = None
    place: Path | None = None
    place_fault: Refusal | None = None

    @property
    def warns(self) -> bool:
        """Whether somebody has to look."""
        return bool(self.in_words().warnings)

    def in_words(self) -> StatusInWords:
        """What a director reads."""
        faults = [str(fault) for fault in (self.fault, self.place_fault) if fault]
        old = [words.old()] if self.is_old else []
        return StatusInWords(words.last(self.last.at if self.last else None), (*old, *faults))


class Keeper:
    """Looks after the backups of one installation. Only `begin` starts the thread."""

    def __init__(self, home: Installation, *, check: making.Check, tell: Callable[[Refusal], None]) -> None:
        self.home = home
        self._check = check
        self._tell = tell
        self._copies: deque[Copy] = deque()
        self._wake = threading.Event()
        self._busy = threading.RLock()
        self._wanted: BackupReason | None = None
        self._watch: sqlite3.Connection | None = None
        self._seen = 0
        self._unsaved_since: float | None = None
        self._not_before = 0.0
        self.fault: Refusal | None = None
        self.place_fault: Refusal | None = None

    def begin(self) -> None:
        """Pack what an earlier run left, listen to the operations, and look from now on."""
        copying.sweep(self.home)
        self._copies.extend(copying.waiting(self.home))
        precautions.hard_step.connect(self.before)
        precautions.round_closed.connect(self.after_round)
        precautions.entered.connect(self.note)
        threading.Thread(target=self._run, daemon=True, name="backups").start()

    def end(self) -> None:
        """Make a last backup if something is not saved yet. Called when nobody is served any more."""
        precautions.hard_step.disconnect(self.before)
        precautions.round_closed.disconnect(self.after_round)
        precautions.entered.disconnect(self.note)
        self.save(BackupReason.STOP)
        with contextlib.suppress(OSError, sqlite3.Error):  # the next start does it
            marking.renew(self.home, patient=True)

    def before(self, verb: str, **_sent: Any) -> None:
        """Copy the data before something is done that is hard to take back."""
        self.save_soon(REASONS[verb])

    def save_soon(self, reason: BackupReason) -> None:
        """Copy the data now; to check the copy and to pack it can wait. Never raises: see `fault`."""
        try:
            self._copies.append(making.copy_data(self.home, reason))
        except Refusal as refusal:
            self._failed(refusal)
        self._wake.set()

    def after_round(self, **_sent: Any) -> None:
        """Make a backup soon."""
        self._wanted = BackupReason.ROUND_CLOSED
        self._wake.set()

    def note(self, entry: Mapping[str, Any], **_sent: Any) -> None:
        """Note what was entered beside the database; what is written past the notes is saved soon."""
        try:
            noting.note(self.home, entry)
        except OSError as fault:
            self._failed(files.refusal(fault, self.home.data / places.ENTERED))
        if entry["verb"] in PAST_NOTES:
            self._wanted = BackupReason.SCHEDULE
            self._wake.set()

    def save(self, reason: BackupReason) -> making.MadeBackup | None:
        """Make a backup now, after those that were copied before; None if nothing is new. Never raises: see `fault`."""
        with self._busy:
            while self._copies:
                self._finish(self._copies.popleft())
            try:
                return self._finish(making.copy_data(self.home, reason))
            except Refusal as refusal:
                self._failed(refusal)
                return None

    def status(self) -> Status:
        """How things stand now."""
        since = self._unsaved_since
        return Status(
            last=places.last_good(self.home.backups),
            is_old=since is not None and time.monotonic() - since > OLD_SECONDS,
            fault=self.fault,
            place=state.load(self.home).place,
            place_fault=self.place_fault,
        )

    def look(self) -> None:
        """Do what is due."""
        with self._busy:
            while self._copies:
                self._finish(self._copies.popleft())
        reason, self._wanted = self._wanted, None
        if self._has_changed() and self._unsaved_since is None:
            self._unsaved_since = time.monotonic()
        if reason or self._is_due():
            self.save(reason or BackupReason.SCHEDULE)
        self.carry()
        self._keep_wal_small()

    def _run(self) -> None:
        with closing(sqlite3.connect(f"{self.home.database.resolve().as_uri()}?mode=ro", uri=True)) as self._watch:
            self._seen = self._version()
            while True:
                self._wake.wait(LOOK_SECONDS)
                self._wake.clear()
                try:
                    self.look()
                except (OSError, sqlite3.Error) as fault:
                    self._failed(files.NotKept(folder=self.home.backups, reason=fault))

    def _version(self) -> int:
        """A number that is another one when somebody else has written."""
        return int(self._watch.execute("PRAGMA data_version").fetchone()[0]) if self._watch else 0

    def _has_changed(self) -> bool:
        version = self._version()
        changed, self._seen = version != self._seen, version
        return changed

    def _is_due(self) -> bool:
        now = time.monotonic()
        return (
            self._unsaved_since is not None and now >= self._not_before and now - self._unsaved_since >= EVERY_SECONDS
        )

    def _finish(self, copy: Copy) -> making.MadeBackup | None:
        began = time.monotonic()
        try:
            made = making.check_and_pack(self.home, copy, check=self._check)
        except Refusal as refusal:
            self._failed(refusal)
            return None
        self._unsaved_since = self.fault = None
        self.carry()
        if made is not None and not made.manifest.is_good:
            self._failed(making.DataFaulty(fault=made.manifest.facts.faults[0]))
        self._not_before = time.monotonic() + SHARE * (time.monotonic() - began)
        return made

    def _failed(self, refusal: Refusal) -> None:
        """Tell it once, and try again a minute later."""
        if str(refusal) != str(self.fault):
            self._tell(refusal)
        self.fault = refusal
        self._not_before = time.monotonic() + RETRY_SECONDS

    def carry(self) -> None:
        """See that the last good backup is in the second place."""
        before = self.place_fault
        self.place_fault = None
        try:
            place, last = state.load(self.home).place, places.last_good(self.home.backups)
            if place is not None and last is not None:
                second_place.carry(self.home, place, last, seconds=patience.SECONDS)
        except Refusal as refusal:
            self.place_fault = refusal
        except OSError as fault:
            self.place_fault = files.refusal(fault, self.home.backups)
        if self.place_fault is not None and str(self.place_fault) != str(before):
            self._tell(self.place_fault)

    def _keep_wal_small(self) -> None:
        try:
            if self.home.wal.exists() and self.home.wal.stat().st_size > marking.LARGE_WAL:
                marking.renew(self.home)
        except (OSError, sqlite3.Error):
            return  # somebody is writing: the next look does it


_running: Keeper | None = None


def begin(home: Installation, *, check: making.Check, tell: Callable[[Refusal], None]) -> Keeper:
    """Start this process's keeper; its pages say from now on how things stand."""
    global _running  # noqa: PLW0603  # a process has one
    _running = Keeper(home, check=check, tell=tell)
    _running.begin()
    return _running


@contextlib.contextmanager
def before_hard_steps(home: Installation, *, tell: Callable[[Refusal], None]) -> Iterator[None]:
    """Where no keeper runs: make a backup before each step that is hard to take back, and tell if there is none; note
    what is entered, and make a backup after what the notes alone do not bring back."""

    def before(verb: str, **_sent: Any) -> None:
        try:
            making.make(home, REASONS[verb])
        except Refusal as refusal:
            tell(refusal)

    precautions.hard_step.connect(before)
    with noting_entries(home, tell=tell) as entered:
        try:
            yield
        finally:
            precautions.hard_step.disconnect(before)
            if entered & PAST_NOTES or (entered and places.last_good(home.backups) is None):
                _save_after(home, tell)


@contextlib.contextmanager
def noting_entries(home: Installation, *, tell: Callable[[Refusal], None]) -> Iterator[set[str]]:
    """Where no keeper runs: note what is entered, and tell where that is not possible. The verbs, as they come."""
    entered: set[str] = set()

    def note(entry: Mapping[str, Any], **_sent: Any) -> None:
        entered.add(entry["verb"])
        try:
            noting.note(home, entry)
        except OSError as fault:
            tell(files.refusal(fault, home.data / places.ENTERED))

    precautions.entered.connect(note)
    try:
        yield entered
    finally:
        precautions.entered.disconnect(note)


def _save_after(home: Installation, tell: Callable[[Refusal], None]) -> None:
    """Make a backup of what a command has entered."""
    try:
        making.make(home, BackupReason.SCHEDULE)
    except Refusal as refusal:
        tell(refusal)


def status_in_words(home: Installation) -> StatusInWords | None:
    """How things stand with an installation's backups; None where nobody makes any."""
    if _running is not None:
        return _running.status().in_words()
    last = places.last_good(home.backups)
    if last is None:
        return None
    age = timezone.localtime().replace(tzinfo=None) - last.at
    return Status(last, is_old=age.total_seconds() > OLD_BY_HAND_SECONDS).in_words()


def running() -> Keeper | None:
    """This process's keeper; None in commands, in tests and on hosted servers."""
    return _running
