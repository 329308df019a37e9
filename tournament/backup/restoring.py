"""A backup brought back: today's data moved aside, the backup's put in their place, whole or not at all.

First everything is unpacked into a folder of its own, checked, and brought to this version. Then a plan is written;
from that moment on the new data count. Carrying the plan out only moves names, and can be done again from any point:
when the machine goes down in the middle the next start finishes it, and until then nobody can open the database.
"""

import json
import os
import shutil
import sqlite3
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.backup.copying import (
    DataCheckFailed,
    DataCopy,
    close_copy,
    is_postgresql_used,
    replace_schema,
    run_data_check,
)
from tournament.backup.files import DiskFull, link_or_copy, make_file_refusal, sync_file, sync_folder, write_json
from tournament.backup.health import save_data_version
from tournament.backup.keeper import get_keeper
from tournament.backup.marking import is_database_open
from tournament.backup.noting import copy_notes
from tournament.backup.places import (
    DATA_FOLDERS,
    DATABASE_FILE,
    DUMP_FILE,
    KEY_FILE,
    NOTES_FOLDER,
    VERSION_FILE,
    Installation,
)
from tournament.backup.reading import extract_backup, require_known_version
from tournament.backup.values import BackupManifest, BackupReason, DatabaseEngine, DataFacts
from tournament.basics.refusals import Refusal

ASIDE, IN = "aside", "in"
"""The two steps of a plan: today's data are moved aside; the new ones are moved in."""
RESTORE_PREFIX = "restoring-"
DISK_FULL_TEXT = "disk is full"
"""SQLite says so, whoever asks it."""
MOVED_NAMES = (
    DATABASE_FILE,
    f"{DATABASE_FILE}-wal",
    f"{DATABASE_FILE}-shm",
    f"{DATABASE_FILE}-mark",
    VERSION_FILE,
    NOTES_FOLDER,
    *DATA_FOLDERS,
)
"""What is moved aside. The key is copied and replaced: were it missing for a moment, the program would make another."""


class DataInUse(Refusal):
    code = "in_use"
    message = _(
        "The program is running with these data. Stop it first (Ctrl+C in its window), or restore the backup on its "
        "page “Backups”."
    )


class OtherDatabaseEngine(Refusal):
    code = "other_engine"
    message = _("“%(file)s” is a backup of %(of)s, and this installation uses %(own)s.")


class BackupFaulty(Refusal):
    code = "data_faulty"
    message = _("“%(file)s” cannot be restored: %(fault)s. Nothing was changed. Please take another backup.")


@dataclass(frozen=True, slots=True)
class RestorePlan:
    """What is still to be done: the folder with the new data, the folder for today's, and the step."""

    new: str
    aside: str
    step: str = ASIDE


@dataclass(frozen=True, slots=True)
class PreparedRestore:
    """A backup unpacked, checked and brought to this version, still beside today's data."""

    folder: Path
    manifest: BackupManifest
    facts: DataFacts


def prepare_restore(
    home: Installation, path: Path, manifest: BackupManifest, *, is_lost: bool = False
) -> PreparedRestore:
    """Unpack and check a backup beside today's data. Raises a `Refusal`; then nothing of it is left.

    `is_lost`: today's database cannot be used; so what was noted beside it since the backup is done again, and the
    photos that came since come along.
    """
    own = DatabaseEngine.POSTGRESQL if is_postgresql_used() else DatabaseEngine.SQLITE
    if manifest.engine is not own:
        raise OtherDatabaseEngine(file=path.name, of=manifest.engine, own=own)
    require_known_version(path, manifest)
    remove_unfinished_restores(home)
    folder = home.data / f"{RESTORE_PREFIX}{uuid.uuid4().hex}"
    try:
        folder.mkdir(mode=0o700)
        extract_backup(path, manifest, folder)
        entered = home.data / NOTES_FOLDER if is_lost and (home.data / NOTES_FOLDER).is_dir() else None
        if entered is not None:
            _add_missing_files(home, folder)
        return PreparedRestore(folder, manifest, _check_unpacked_data(path, folder, manifest, entered))
    except OSError as fault:
        shutil.rmtree(folder, ignore_errors=True)
        raise make_file_refusal(fault, home.data) from fault
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _add_missing_files(home: Installation, folder: Path) -> None:
    """Give the unpacked data the photos and word lists of today that the backup does not have."""
    for name in DATA_FOLDERS:
        for path in (home.data / name).glob("*"):
            if path.is_file() and not (folder / name / path.name).exists():
                (folder / name).mkdir(mode=0o700, exist_ok=True)
                link_or_copy(path, folder / name / path.name)


def _check_unpacked_data(path: Path, folder: Path, manifest: BackupManifest, entered: Path | None) -> DataFacts:
    """What is in the unpacked data, once they are of this version. Raises `BackupFaulty` for new faults."""
    if manifest.engine is DatabaseEngine.POSTGRESQL:
        return manifest.facts
    copy = DataCopy(folder, manifest.made_at, manifest.reason)
    try:
        facts = run_data_check(folder, "--update", *(["--entered", str(entered)] if entered else []))
        close_copy(copy)
    except (DataCheckFailed, sqlite3.Error) as fault:
        raise _make_restore_refusal(path, folder, str(fault)) from fault
    if facts.faults and not manifest.facts.faults:
        raise _make_restore_refusal(path, folder, facts.faults[0])
    for left in folder.iterdir():
        if left.name not in (DATABASE_FILE, KEY_FILE, *DATA_FOLDERS):  # what the check's process wrote: its log
            shutil.rmtree(left) if left.is_dir() else left.unlink()
    if entered is not None:
        copy_notes(entered, folder / NOTES_FOLDER)  # an older backup may be restored once more
    save_data_version(Installation(folder))
    sync_file(copy.database)
    return facts


def _make_restore_refusal(path: Path, folder: Path, fault: str) -> Refusal:
    """Why a backup is not restored; a full disk is no fault of it."""
    if DISK_FULL_TEXT in fault:
        return DiskFull(folder=folder.parent)
    return BackupFaulty(file=path.name, fault=fault)


def replace_data(home: Installation, prepared: PreparedRestore) -> Path:
    """Move today's data aside and the prepared ones in; the folder where today's are now.

    Nobody may have the database open. Raises `InUse`, or a `Refusal` if the disk does not let us.
    """
    if is_database_open(home):
        raise DataInUse
    save_restore_plan(home, prepared)
    aside = carry_out_restore_plan(home)
    assert aside is not None
    return aside


def save_restore_plan(home: Installation, prepared: PreparedRestore) -> None:
    """Decide that the prepared data are to replace today's: nobody opens the database now before `carry_out_plan`."""
    name = f"before-restore-{timezone.localtime():%Y%m%d-%H%M%S}"
    number = 1
    while (home.data / (aside := name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    try:
        sync_folder(home.data)
        write_json(home.plan, asdict(RestorePlan(prepared.folder.name, aside)))
    except OSError as fault:
        raise make_file_refusal(fault, home.data) from fault


def carry_out_restore_plan(home: Installation) -> Path | None:
    """Carry a plan out from where it stands; the folder with the data that were moved aside, None without a plan.

    Raises `InUse` where the system does not let open files be moved; then nothing was.
    """
    plan = _read_restore_plan(home)
    if plan is None:
        return None
    aside, new = home.data / plan.aside, home.data / plan.new
    if plan.step == ASIDE:
        _move_data_aside(home, aside)
        plan = replace(plan, step=IN)
        write_json(home.plan, asdict(plan))
    for path in sorted(new.iterdir()) if new.exists() else ():
        path.replace(home.data / path.name)
    sync_folder(home.data)
    home.plan.unlink()
    if new.exists():
        new.rmdir()
    return aside


def _move_data_aside(home: Installation, aside: Path) -> None:
    aside.mkdir(mode=0o700, exist_ok=True)
    if home.key.exists():
        shutil.copy2(home.key, aside / KEY_FILE)
    for name in MOVED_NAMES:
        try:
            if (home.data / name).exists():
                (home.data / name).rename(aside / name)
        except PermissionError as fault:
            if name != DATABASE_FILE:
                raise
            home.plan.unlink()
            raise DataInUse from fault
    sync_folder(aside)
    sync_folder(home.data)


def _read_restore_plan(home: Installation) -> RestorePlan | None:
    try:
        return RestorePlan(**json.loads(home.plan.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None


def remove_unfinished_restores(home: Installation) -> None:
    """Remove what was unpacked for a restore that never began."""
    plan = _read_restore_plan(home)
    for folder in home.data.glob(f"{RESTORE_PREFIX}*"):
        if plan is None or folder.name != plan.new:
            shutil.rmtree(folder, ignore_errors=True)


def restore_postgresql(home: Installation, path: Path, manifest: BackupManifest) -> str:
    """Restore a backup of PostgreSQL; the schema that holds today's data from now on, and the folder for the files.

    Raises a `Refusal`; then everything is as it was.
    """
    prepared = prepare_restore(home, path, manifest)
    schema = f"before_restore_{timezone.localtime():%Y%m%d_%H%M%S}"
    replace_schema(prepared.folder / DUMP_FILE, schema)
    (prepared.folder / DUMP_FILE).unlink()
    save_restore_plan(home, prepared)
    return f"{schema}, {carry_out_restore_plan(home)}"


# The running program lets go of its data and begins anew, so that a backup can take their place.
# From the moment the doors are closed every page answers 503 and asks to come back in some seconds. Those that are
# being answered finish first; then the plan is written and the process replaces itself, as if it had been stopped
# and started: no thread of it can write into data that are moved away.


CLOSING_TIMEOUT_SECONDS = 15
"""Seconds for pages that are being answered."""
FAREWELL_SECONDS = 1.5
"""Seconds in which the last page reaches its reader."""


class RequestGate:
    """Who is inside, and whether somebody may still come in."""

    def __init__(self) -> None:
        self.are_closed = False
        self._inside = 0
        self._changed = threading.Condition()

    @contextmanager
    def passing(self) -> Iterator[bool]:
        """One request comes and goes; False if the doors are closed and it has to be sent away."""
        with self._changed:
            let_in = not self.are_closed
            self._inside += let_in
        try:
            yield let_in
        finally:
            with self._changed:
                self._inside -= let_in
                self._changed.notify_all()

    def close(self, *, staying: int = 1) -> None:
        """Let nobody in any more, and wait until all but those `staying` have left, or until they had their time."""
        until = time.monotonic() + CLOSING_TIMEOUT_SECONDS
        with self._changed:
            self.are_closed = True
            self._changed.wait_for(lambda: self._inside <= staying, timeout=until - time.monotonic())

    def open(self) -> None:
        """Let everybody in again."""
        with self._changed:
            self.are_closed = False


REQUEST_GATE = RequestGate()
_allowed = threading.Event()


def allow_restart() -> None:
    """This process may replace itself: it is the program that a director started."""
    _allowed.set()


def may_restart() -> bool:
    """Whether this process may replace itself."""
    return _allowed.is_set()


def restore_backup(home: Installation, path: Path, manifest: BackupManifest) -> None:
    """Check a backup, save today's data, close the doors, decide, and begin anew once the page is on its way.

    Raises a `Refusal` if the backup is not in order or the decision cannot be written down; then everything goes on as
    before.
    """
    prepared = prepare_restore(home, path, manifest)
    kept = get_keeper()
    if kept is not None:
        kept.save(BackupReason.RESTORE)
    REQUEST_GATE.close()
    try:
        save_restore_plan(home, prepared)
    except BaseException:
        REQUEST_GATE.open()
        raise
    threading.Timer(FAREWELL_SECONDS, restart_program).start()


def can_restart_itself() -> bool:
    """Whether the process begins anew by itself: Windows hands the window back to whoever typed the command."""
    return os.name != "nt"


def restart_program() -> None:
    """Replace this process by a new one with the same words; on Windows end it, for somebody to start it again."""
    if not can_restart_itself():
        os._exit(0)
    words = [word for word in sys.orig_argv[1:] if word != "--no-browser"]
    os.execv(sys.executable, [sys.executable, *words, "--no-browser"])  # noqa: S606  # our own program, started as it was
