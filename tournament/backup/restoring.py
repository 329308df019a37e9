"""Restoring a backup: today's data are moved aside and the backup's put in their place, whole or not at all.
A backup's file is read with suspicion: it may be foreign, cut off, damaged, or made to do harm. First everything is
unpacked into a folder of its own, checked, and brought to this version. Then a plan is written; from that moment on the
new data count. Carrying the plan out only renames files and can be repeated from any point: if the machine goes down in
the middle the next start finishes it, and until then nobody can open the database.

A running program closes its doors first: every page answers 503 and asks to come back in some seconds. When those that
are being answered have finished, the plan is written and the process replaces itself, as if it had been stopped and
started: so none of its threads can write into data that are moved away."""

import json
import os
import re
import shutil
import sqlite3
import sys
import threading
import uuid
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.backup.database import find_unknown_migrations
from tournament.backup.files import (
    DiskFull,
    copy_and_hash,
    link_or_copy,
    refuse_file_faults,
    require_room,
    sync_file,
    sync_folder,
    write_json,
)
from tournament.backup.health import REHEARSAL_PREFIX, accept_missing_entries, is_database_open, save_data_version
from tournament.backup.keeper import get_keeper
from tournament.backup.making import (
    DataCheckFailed,
    DataCopy,
    close_copy,
    is_postgresql_used,
    remove_unfinished_copies,
    replace_schema,
    run_data_check,
)
from tournament.backup.noting import copy_notes
from tournament.backup.places import (
    DATA_FOLDERS,
    DATABASE_FILE,
    DUMP_FILE,
    KEY_FILE,
    MANIFEST_FILE,
    NOTES_FOLDER,
    VERSION_FILE,
    BackupManifest,
    BackupReason,
    DatabaseEngine,
    DataFacts,
    Installation,
    parse_manifest,
)
from tournament.basics.pictures import INCOMING_PREFIX, UPLOADS_FOLDER
from tournament.basics.refusals import Refusal
from tournament.basics.version import get_version, is_newer_version

ALLOWED_MEMBER_PATTERN = re.compile(
    rf"{re.escape(DATABASE_FILE)}|{re.escape(DUMP_FILE)}|{re.escape(KEY_FILE)}|(?:{'|'.join(DATA_FOLDERS)})/[0-9A-Za-z_][0-9A-Za-z._-]{{0,99}}"
)
MANIFEST_BYTES = 32 * 1024**2
MOST_MEMBERS = 200_000
RATIO, SMALL = 300, 64 * 1024**2
"""No honest member of more than `SMALL` bytes is packed to less than 1/`RATIO`: that would be a zip bomb."""


class BackupFileRefusal(Refusal):
    """Something is wrong with the file that was named."""

    field = "file"


class BackupFileUnreadable(BackupFileRefusal, code="no_such_file"):
    message = _("“%(file)s” cannot be read (%(reason)s).")


class NotABackup(BackupFileRefusal, code="no_backup"):
    message = _("“%(file)s” is not a backup of this program.")


class BackupCutOff(BackupFileRefusal, code="cut_off"):
    message = _("“%(file)s” is damaged or cut off, so nothing is restored from it. Please take another backup.")


class BackupMemberWrong(BackupFileRefusal, code="member_wrong"):
    message = _(
        "“%(file)s” is damaged: “%(member)s” in it is not what was saved. Nothing is restored from it. Please take "
        "another backup."
    )


def inspect_backup(path: Path) -> BackupManifest:
    """A backup's manifest, if the zip's table of contents bears it out; no member is read yet. Raises a `Refusal`."""
    with _refuse_unreadable_zip(path), ZipFile(path) as packed:
        manifest = _load_manifest(path, packed)
        _check_members(path, packed.infolist(), manifest)
    return manifest


def extract_backup(path: Path, manifest: BackupManifest, folder: Path) -> None:
    """Unpack a backup into an empty folder; every byte is checked and on the disk. Raises a `Refusal`, or `OSError`."""
    require_room(folder, manifest.size)
    for name in DATA_FOLDERS:
        (folder / name).mkdir(mode=0o700, exist_ok=True)
    with _refuse_unreadable_zip(path), ZipFile(path) as packed:
        for member in manifest.members:
            target = folder / member.name
            # Never over another one: on Windows and macOS `A.jpg` and `a.jpg` are one file, and the second of them
            # would lie in the place of the first, whose checksum was right.
            with packed.open(member.name) as source, target.open("xb") as sink:
                target.chmod(0o600)
                digest = copy_and_hash(source, sink)
                sink.flush()
                os.fsync(sink.fileno())
            if digest != member.sha256:
                raise BackupMemberWrong(file=path.name, member=member.name)
    for name in DATA_FOLDERS:
        sync_folder(folder / name)
    sync_folder(folder)


def _load_manifest(path: Path, packed: ZipFile) -> BackupManifest:
    names = [entry for entry in packed.infolist() if entry.filename == MANIFEST_FILE]
    # A zip can hold two members of one name, of which readers take different ones. The flag's first bit says encrypted:
    # zipfile would raise RuntimeError for want of a password.
    if len(names) != 1 or names[0].file_size > MANIFEST_BYTES or names[0].flag_bits & 1:
        raise NotABackup(file=path.name)
    try:
        return parse_manifest(json.loads(packed.read(MANIFEST_FILE)))
    except (ValueError, RecursionError) as fault:
        raise NotABackup(file=path.name) from fault


def _check_members(path: Path, entries: list[ZipInfo], manifest: BackupManifest) -> None:
    """Refuse unless the zip holds what its manifest says, each member once, under names that stay in their folder."""
    stated = {member.name: member for member in manifest.members}
    entries_found = [entry for entry in entries if entry.filename != MANIFEST_FILE]
    if len(entries_found) > MOST_MEMBERS or len(stated) != len(manifest.members):
        raise NotABackup(file=path.name)
    for entry in entries_found:
        is_expected = ALLOWED_MEMBER_PATTERN.fullmatch(entry.filename) and entry.filename in stated
        is_plain = not entry.is_dir() and not entry.flag_bits & 1 and entry.compress_type in (ZIP_STORED, ZIP_DEFLATED)
        if not is_expected or not is_plain:
            message = _(
                "“%(file)s” holds something that no backup of this program holds: “%(member)s”. Nothing is restored "
                "from it."
            )
            raise BackupFileRefusal("strange_content", message, file=path.name, member=entry.filename[:80])
        # A few kilobytes of zeros unpack to gigabytes. What the zip says of itself is asked before a byte of it is
        # written.
        if entry.file_size > SMALL and entry.file_size > RATIO * max(entry.compress_size, 1):
            message = _(
                "“%(file)s” would unpack to %(size)s MB, far more than a backup of this size. Nothing is restored from "
                "it."
            )
            raise BackupFileRefusal("unfolds_too_far", message, file=path.name, size=entry.file_size // 1024**2)
    # Fewer names than entries: one name stands twice, and what was checked need not be what is unpacked.
    there = {entry.filename: entry.file_size for entry in entries_found}
    if len(there) != len(entries_found) or {KEY_FILE} - there.keys() or not {DATABASE_FILE, DUMP_FILE} & there.keys():
        raise NotABackup(file=path.name)
    for name, member in stated.items():
        if there.get(name) != member.size:
            raise BackupMemberWrong(file=path.name, member=name[:80])


def require_known_version(path: Path, manifest: BackupManifest) -> None:
    """Raise `made_by_newer` if a newer version has worked with the backup's data."""
    if is_newer_version(manifest.program) or find_unknown_migrations(manifest.facts.migrations):
        message = _(
            "“%(file)s” was made by a newer version of the program (%(program)s; this is %(own)s). Please restore it "
            "with that version."
        )
        raise BackupFileRefusal("made_by_newer", message, file=path.name, program=manifest.program, own=get_version())


@contextmanager
def _refuse_unreadable_zip(path: Path) -> Iterator[None]:
    """Turn what reading a zip can raise into a refusal that names the file."""
    if not path.is_file():
        raise BackupFileUnreadable(file=path, reason=_("there is no such file"))
    try:
        yield
    except (BadZipFile, zlib.error, EOFError, NotImplementedError) as fault:
        with path.open("rb") as file:
            begins_like_a_zip = file.read(2) == b"PK"
        raise (BackupCutOff if begins_like_a_zip else NotABackup)(file=path.name) from fault
    except OSError as fault:
        # Trouble with another file is the target's: a full disk here does not make the backup unreadable.
        if fault.filename != str(path):
            raise
        raise BackupFileUnreadable(file=path, reason=fault.strerror) from fault


ASIDE, IN = "aside", "in"  # the two steps of a plan: today's data are moved aside; the new ones are moved in
RESTORE_PREFIX = "restoring-"
DISK_FULL_TEXT = "disk is full"  # in every message of SQLite's about it, also in those that the check's process prints
# The database first: it is what somebody may have open, and where Windows then refuses to move it nothing else has gone
# yet.
MOVED_NAMES = (
    DATABASE_FILE,
    f"{DATABASE_FILE}-wal",
    f"{DATABASE_FILE}-shm",
    f"{DATABASE_FILE}-mark",
    VERSION_FILE,
    NOTES_FOLDER,
    *DATA_FOLDERS,
)
"""What is moved aside. The key is copied, then replaced: were it missing for a moment, the program would make one."""


class DataInUse(Refusal, code="in_use"):
    message = _(
        "The program is running with these data. Stop it first (Ctrl+C in its window), or restore the backup on its "
        "page “Backups”."
    )


def prepare_restore(
    home: Installation, path: Path, manifest: BackupManifest, *, is_lost: bool = False
) -> tuple[Path, DataFacts]:
    """Unpack and check a backup beside today's data and bring it to this version: its folder, and what is in it.
    `is_lost`: today's database cannot be used, so what was noted beside it since the backup is done again, and photos
    added since are kept. Raises a `Refusal`; then nothing of it is left."""
    own = DatabaseEngine.POSTGRESQL if is_postgresql_used() else DatabaseEngine.SQLITE
    if manifest.engine is not own:
        message = _("“%(file)s” is a backup of %(of)s, but this installation uses %(own)s.")
        raise Refusal("other_engine", message, file=path.name, of=manifest.engine, own=own)
    require_known_version(path, manifest)
    remove_unfinished_restores(home)
    folder = home.data / f"{RESTORE_PREFIX}{uuid.uuid4().hex}"
    try:
        with refuse_file_faults(home.data):
            folder.mkdir(mode=0o700)
            extract_backup(path, manifest, folder)
            entered = home.data / NOTES_FOLDER if is_lost and (home.data / NOTES_FOLDER).is_dir() else None
            if entered is not None:
                _add_missing_files(home, folder)
            return folder, _check_unpacked_data(path, folder, manifest, entered)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _add_missing_files(home: Installation, folder: Path) -> None:
    """Add today's photos and word lists that the backup does not have."""
    for name in DATA_FOLDERS:
        for path in (home.data / name).glob("*"):
            if path.is_file() and not (folder / name / path.name).exists():
                (folder / name).mkdir(mode=0o700, exist_ok=True)
                link_or_copy(path, folder / name / path.name)


def _check_unpacked_data(path: Path, folder: Path, manifest: BackupManifest, entered: Path | None) -> DataFacts:
    """Bring the unpacked data to this version; what is in them. Raises a `Refusal` for new faults."""
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
    for leftover in folder.iterdir():
        if leftover.name not in (DATABASE_FILE, KEY_FILE, *DATA_FOLDERS):  # what the check's process wrote: its log
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
    if entered is not None:
        copy_notes(entered, folder / NOTES_FOLDER)  # an older backup may be restored once more
        if facts.left_out:
            # They stay in the notes: without this the next start would refuse the restored database for lacking them.
            accept_missing_entries(Installation(folder))
    save_data_version(Installation(folder))
    sync_file(copy.database)
    return facts


def _make_restore_refusal(path: Path, folder: Path, fault: str) -> Refusal:
    """Why a backup is not restored; a full disk is not its fault."""
    if DISK_FULL_TEXT in fault:
        return DiskFull(folder=folder.parent)
    message = _("“%(file)s” cannot be restored: %(fault)s. Nothing was changed. Please take another backup.")
    return Refusal("data_faulty", message, file=path.name, fault=fault)


def replace_data(home: Installation, prepared: Path) -> Path:
    """Move today's data aside and the prepared ones in; the folder where today's are now. Raises `DataInUse` if anybody
    has the database open, or another `Refusal` if the disk does not let us."""
    if is_database_open(home):
        raise DataInUse
    save_restore_plan(home, prepared)
    aside = carry_out_restore_plan(home)
    assert aside is not None
    return aside


def save_restore_plan(home: Installation, prepared: Path) -> None:
    """Write the plan to replace today's data: nobody can open the database until `carry_out_restore_plan` is done. It
    names the folders with the `new` data and for today's (`aside`), and the next `step`."""
    name = f"before-restore-{timezone.localtime():%Y%m%d-%H%M%S}"
    number = 1
    while (home.data / (aside := name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    with refuse_file_faults(home.data):
        # The prepared folder's name first: after a power cut the plan could name a folder that is not there.
        sync_folder(home.data)
        write_json(home.plan, {"new": prepared.name, "aside": aside, "step": ASIDE})


def carry_out_restore_plan(home: Installation) -> Path | None:
    """Carry a plan out from where it stands; the folder with the data that were moved aside, None without a plan.
    Raises `DataInUse` where the system does not let open files be moved; then nothing was."""
    if (plan := _read_restore_plan(home)) is None:
        return None
    aside, new = home.data / plan["aside"], home.data / plan["new"]
    if plan["step"] == ASIDE:
        _move_data_aside(home, aside)
        # Noted before the first new file comes in: a start that found the first step still open would move the new data
        # aside.
        write_json(home.plan, {**plan, "step": IN})
    # What has been moved is no longer there: begun again after a power cut, this goes on with the rest.
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
            # Windows moves no file that somebody has open. With the plan left behind, the next start would go on with
            # it, hours later and over new results.
            home.plan.unlink()
            raise DataInUse from fault
    sync_folder(aside)
    sync_folder(home.data)


def _read_restore_plan(home: Installation) -> dict[str, str] | None:
    try:
        plan: dict[str, str] = json.loads(home.plan.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return plan


def remove_unfinished_restores(home: Installation) -> None:
    """Remove what was unpacked for restores that never began."""
    plan = _read_restore_plan(home)
    for folder in home.data.glob(f"{RESTORE_PREFIX}*"):
        if plan is None or folder.name != plan["new"]:
            shutil.rmtree(folder, ignore_errors=True)


def remove_leftovers(home: Installation) -> None:
    """At a start: remove what a crash has left half done of backups, restores, checks, and photos that were sent."""
    is_alone = not is_postgresql_used() and not is_database_open(home)
    remove_unfinished_copies(home, is_alone=is_alone)
    if is_alone:
        remove_unfinished_restores(home)
        for folder in home.data.glob(f"{REHEARSAL_PREFIX}*"):
            shutil.rmtree(folder, ignore_errors=True)
        unfinished = [
            path for folder in (home.data, home.backups, home.data / NOTES_FOLDER) for path in folder.glob("*.new")
        ]
        for path in (*unfinished, *(home.data / UPLOADS_FOLDER).glob(f"{INCOMING_PREFIX}*")):
            path.unlink(missing_ok=True)


def restore_postgresql(home: Installation, path: Path, manifest: BackupManifest) -> str:
    """Restore a backup of PostgreSQL; the names of the schema and folder that keep today's data. Raises a `Refusal`."""
    prepared, _facts = prepare_restore(home, path, manifest)
    schema = f"before_restore_{timezone.localtime():%Y%m%d_%H%M%S}"
    replace_schema(prepared / DUMP_FILE, schema)
    (prepared / DUMP_FILE).unlink()
    save_restore_plan(home, prepared)
    return f"{schema}, {carry_out_restore_plan(home)}"


CLOSING_TIMEOUT_SECONDS = 15  # seconds for the pages that are being answered
FAREWELL_SECONDS = 1.5  # seconds for the last page to reach its reader


class RequestGate:
    """How many requests are being answered, and whether more are let in."""

    def __init__(self) -> None:
        self.are_closed = False
        self._inside = 0
        self._changed = threading.Condition()

    @contextmanager
    def passing(self) -> Iterator[bool]:
        """Around one request; yields False if the doors are closed and it has to be turned away."""
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
        """Let nobody in, and wait until all but `staying` requests have left, `CLOSING_TIMEOUT_SECONDS` at most."""
        with self._changed:
            self.are_closed = True
            # Whoever asks for the restore is inside as well, and would wait for itself.
            self._changed.wait_for(lambda: self._inside <= staying, timeout=CLOSING_TIMEOUT_SECONDS)

    def open(self) -> None:
        with self._changed:
            self.are_closed = False


REQUEST_GATE = RequestGate()
RESTART_ALLOWED = threading.Event()  # set if this process may replace itself: it is the program that a director started


def restore_backup(home: Installation, path: Path, manifest: BackupManifest) -> None:
    """Check a backup, save today's data, close the doors, write the plan, and restart once the page is on its way.
    Raises a `Refusal` if the backup is faulty or the plan cannot be written; then everything goes on as before."""
    prepared, _facts = prepare_restore(home, path, manifest)
    # While pages are still answered, since packing takes seconds. What is entered after it is not lost, either: it lies
    # in the folder to which today's data are moved.
    if (keeper := get_keeper()) is not None:
        keeper.save(BackupReason.RESTORE)
    REQUEST_GATE.close()
    try:
        save_restore_plan(home, prepared)
    except BaseException:
        REQUEST_GATE.open()
        raise
    threading.Timer(FAREWELL_SECONDS, restart_program).start()


def can_restart_itself() -> bool:
    """Whether the process can restart itself: Windows hands the window back to whoever typed the command."""
    return os.name != "nt"


def restart_program() -> None:
    """Replace this process by a new one with the same arguments; on Windows end it, for somebody to start it again."""
    if not can_restart_itself():
        os._exit(0)
    # A browser is open already: the last page looks by itself whether the program is there again.
    words = [word for word in sys.orig_argv[1:] if word != "--no-browser"]
    os.execv(sys.executable, [sys.executable, *words, "--no-browser"])  # noqa: S606  # our own program, started as it was
