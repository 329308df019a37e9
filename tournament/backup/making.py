"""Making a backup: the data are copied as they are at one moment, checked, packed into one file, and carried to the
second place; older ones are thinned out. The copy is taken while results come in, into a folder of its own inside that
of the backups: the database by SQLite's online backup (or PostgreSQL's own tools), photos and word lists as hard links.
Checking and packing come later; a copy that a crash has left behind is packed by the next start."""

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.backup.files import (
    BLOCK_BYTES,
    FileDamaged,
    copy_and_hash,
    link_or_copy,
    make_private_folder,
    refuse_file_faults,
    require_room,
    sync_file,
    sync_folder,
)
from tournament.backup.noting import REWRITTEN_FILE, read_rewriting, start_new_note_file
from tournament.backup.places import (
    DATA_FOLDERS,
    DATABASE_FILE,
    DUMP_FILE,
    KEY_FILE,
    MANIFEST_FILE,
    NOTES_FOLDER,
    BackupFile,
    BackupManifest,
    BackupName,
    BackupReason,
    DatabaseEngine,
    DataFacts,
    Installation,
    copy_to_second_place,
    find_in_second_place,
    find_last_good_name,
    get_installation,
    list_backups,
    load_backup_state,
    parse_data_facts,
    parse_manifest,
    read_data_version,
    thin_out_backups,
)
from tournament.basics.pictures import INCOMING_PREFIX
from tournament.basics.refusals import Refusal
from tournament.basics.version import get_version

POSTGRES_SCHEMA = "public"
OTHER_CONNECTIONS_SQL = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
POSTGRES_VARIABLES = {
    "NAME": "PGDATABASE",
    "HOST": "PGHOST",
    "PORT": "PGPORT",
    "USER": "PGUSER",
    "PASSWORD": "PGPASSWORD",
}
"""PostgreSQL's tools read these from their environment, so that no password stands in a list of processes."""


def is_postgresql_used() -> bool:
    return connection.vendor == "postgresql"


def uses_installation_file() -> bool:
    """Whether the database is the file in the data folder: not PostgreSQL, and not a test's own."""
    return bool(connection.settings_dict["NAME"] == get_installation().database)


def dump_database(target: Path) -> None:
    """Write a snapshot of the database into a file. Raises `tool_missing` or `tool_failed`."""
    run_postgres_tool(
        "pg_dump", "--format=custom", f"--schema={POSTGRES_SCHEMA}", "--no-owner", "--no-privileges", f"--file={target}"
    )
    target.chmod(0o600)
    sync_file(target)


def run_postgres_tool(tool: str, *words: str) -> str:
    """Run one of PostgreSQL's tools on our database; what it printed. Raises as `dump_database` does."""
    if (path := shutil.which(tool)) is None:
        raise Refusal(
            "tool_missing",
            _(
                "%(tool)s is missing here: PostgreSQL is backed up and restored with its own tools. On "
                "Debian and Ubuntu this helps: sudo apt install postgresql-client"
            ),
            tool=tool,
        )
    chosen = connection.settings_dict
    address = {variable: str(chosen[name]) for name, variable in POSTGRES_VARIABLES.items() if chosen.get(name)}
    process = subprocess.run([path, *words], env={**os.environ, **address}, capture_output=True, text=True, check=False)  # noqa: S603  # a tool found on the path, with our own words
    if process.returncode:
        raise Refusal("tool_failed", _("%(tool)s says: %(reason)s"), tool=tool, reason=" ".join(process.stderr.split()))
    return process.stdout


def replace_schema(source: Path, aside: str) -> None:
    """Rename today's schema to `aside` and fill a new one from a file that `dump_database` wrote. Raises a `Refusal`
    while others are connected, or as `dump_database` does; then today's schema has its name again."""
    # Asked before anything is renamed: a file that the tool cannot read is refused while today's schema still has its
    # name.
    contents = run_postgres_tool("pg_restore", "--list", str(source))
    with connection.cursor() as cursor:
        cursor.execute(OTHER_CONNECTIONS_SQL)
        if others := cursor.fetchone()[0]:
            message = _("Other connections to the database are open (%(count)s). Stop the program's processes first.")
            raise Refusal("others_connected", message, count=others)
        cursor.execute(f'ALTER SCHEMA {POSTGRES_SCHEMA} RENAME TO "{aside}"')
        cursor.execute(f"CREATE SCHEMA {POSTGRES_SCHEMA}")
    connection.close()
    try:
        _fill_schema(source, contents)
    except Refusal:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP SCHEMA {POSTGRES_SCHEMA} CASCADE")  # only what this attempt has put there
            cursor.execute(f'ALTER SCHEMA "{aside}" RENAME TO {POSTGRES_SCHEMA}')
        raise


def _fill_schema(source: Path, contents: str) -> None:
    """Restore everything but the schema itself, which is there already."""
    contents_file = source.with_name("contents")
    contents_file.write_text(
        "\n".join(line for line in contents.splitlines() if " SCHEMA - " not in line), encoding="utf-8"
    )
    try:
        words = (
            "--no-owner",
            "--no-privileges",
            "--exit-on-error",
            "--single-transaction",
            f"--use-list={contents_file}",
        )
        run_postgres_tool("pg_restore", *words, f"--dbname={connection.settings_dict['NAME']}", str(source))
    finally:
        contents_file.unlink()


PREFIX, UNFINISHED = "copy-", "unfinished-"
REASONS_WORTH_PACKING = frozenset({BackupReason.DELETION, BackupReason.IMPORT, BackupReason.UNDO})
"""Copies that the next start packs: no later one has what they have."""
STALE_COPY_SECONDS = 600
COPY_TIMEOUT_SECONDS = 20  # seconds to wait for somebody who has the whole database locked
VOLATILE_HEADER_BYTES = (slice(24, 28), slice(60, 64), slice(92, 100))
"""Bytes of SQLite's header that say how often and by which version it was written, not what is in it."""


@dataclass(frozen=True, slots=True)
class DataCopy:
    """A copy that is not packed yet. `at` and `reason` stand in the folder's name, too."""

    folder: Path
    at: datetime
    reason: BackupReason

    @property
    def engine(self) -> DatabaseEngine:
        return DatabaseEngine.SQLITE if (self.folder / DATABASE_FILE).exists() else DatabaseEngine.POSTGRESQL

    @property
    def database(self) -> Path:
        """The database's file, or what PostgreSQL's tool wrote."""
        return self.folder / (DATABASE_FILE if self.engine is DatabaseEngine.SQLITE else DUMP_FILE)

    def files(self) -> list[Path]:
        """Everything in the copy, in the order in which it is packed."""
        others = sorted(path for name in DATA_FOLDERS for path in (self.folder / name).glob("*") if path.is_file())
        return [self.database, self.folder / KEY_FILE, *others]


def take_copy(home: Installation, reason: BackupReason) -> DataCopy:
    """Copy the data as they are now, still to be checked and packed. Takes milliseconds. Raises a `Refusal`; then no
    copy is left."""
    with refuse_file_faults(home.backups, home.database):
        make_private_folder(home.backups)
        databases = sum(path.stat().st_size for path in (home.database, home.wal) if path.exists())
        files = (path for name in DATA_FOLDERS for path in (home.data / name).rglob("*"))
        # Twice the database: the copy and the packed file; photos and word lists are only packed.
        require_room(home.backups, 2 * databases + sum(path.stat().st_size for path in files if path.is_file()))
        at = timezone.now()
        folder = home.backups / f"{UNFINISHED}{uuid.uuid4().hex}"
        folder.mkdir(mode=0o700)
        try:
            _fill_copy(home, folder)
            # Under its name only when it is whole: the next start packs whatever has such a name, and half a copy would
            # become a backup.
            finished = folder.with_name(f"{PREFIX}{at.timestamp():.6f}-{reason}-{uuid.uuid4().hex[:6]}")
            folder.rename(finished)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return DataCopy(finished, at, reason)


def _fill_copy(home: Installation, folder: Path) -> None:
    if rewritten := read_rewriting(home.data / NOTES_FOLDER):  # before the database, which may forget somebody now
        (folder / REWRITTEN_FILE).write_bytes(rewritten)
    if is_postgresql_used():
        dump_database(folder / DUMP_FILE)
    else:
        copy_database(home.database, folder / DATABASE_FILE)
    shutil.copy2(home.key, folder / KEY_FILE)
    # After the database: a photo that comes meanwhile lies here without a row, which harms nobody. The other way round
    # the copy would lack a file that one of its rows names.
    for name in DATA_FOLDERS:
        (folder / name).mkdir(mode=0o700)
        for path in sorted((home.data / name).glob("*")):
            # Names of what somebody is writing at this moment: a copy of it could be half a file.
            if path.is_file() and path.suffix != ".new" and not path.name.startswith(INCOMING_PREFIX):
                link_or_copy(path, folder / name / path.name)


def copy_database(source: Path, target: Path) -> None:
    """Copy a database with what its `-wal` holds into one file, while others go on reading and writing. The copy has
    the mark 0, which is no database's own, see `health`."""
    address = f"{source.resolve().as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(address, uri=True, timeout=COPY_TIMEOUT_SECONDS)) as live,
        closing(sqlite3.connect(target)) as copy,
    ):
        # By SQLite itself: a process that opens and closes the file by other means loses the locks of its own
        # connections, and another one would take itself for the last and remove the -wal.
        live.backup(copy)
        # The copied header says WAL. Whoever opened the copy, even to read it, would put a `-wal` beside it.
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.execute("PRAGMA user_version = 0")
    target.chmod(0o600)
    sync_file(target)


def close_copy(copy: DataCopy) -> None:
    """Make the copy's database one file again, after a program has opened it in WAL mode."""
    with closing(sqlite3.connect(copy.database)) as database:
        database.execute("PRAGMA journal_mode = DELETE")


def list_unpacked_copies(home: Installation) -> list[DataCopy]:
    """The copies that are not packed yet, the oldest first."""
    copies = []
    for folder in home.backups.glob(f"{PREFIX}*"):
        at, _dash, rest = folder.name.removeprefix(PREFIX).partition("-")
        with contextlib.suppress(ValueError, OverflowError):  # any other folder that somebody has made there
            moment = datetime.fromtimestamp(float(at), tz=timezone.get_default_timezone())
            copies.append(DataCopy(folder, moment, BackupReason(rest.rpartition("-")[0])))
    return sorted(copies, key=lambda copy: copy.at)


def discard_unpacked_copies(home: Installation) -> None:
    """Throw away the copies that are not packed yet; whoever is packing one gives it up."""
    for copy in list_unpacked_copies(home):
        _remove_folder(copy.folder)


def _remove_folder(folder: Path) -> None:
    """Remove a copy. Its check may outlive a killed program by a second: under another name it finds nothing to write
    to. `rmtree` alone left a folder behind into which the check had just put a `-shm`."""
    with contextlib.suppress(OSError):  # Windows renames no folder in which a file is open
        folder = folder.rename(folder.with_name(f"{UNFINISHED}{uuid.uuid4().hex}"))
    shutil.rmtree(folder, ignore_errors=True)


def _is_older_than_notes(home: Installation, copy: DataCopy) -> bool:
    """Whether personal data were deleted since the copy was taken: it still has them, and the notes do not."""
    return read_rewriting(copy.folder) != read_rewriting(home.data / NOTES_FOLDER)


def remove_unfinished_copies(home: Installation, *, is_alone: bool = False) -> None:
    """Remove what a crash has left: half a copy, half a file, and whole copies but for those taken before something was
    done that is hard to take back, since the next backup has all that is in the others. What is young somebody else may
    still be working on, unless nobody else can be there."""
    copies = [copy.folder for copy in list_unpacked_copies(home) if copy.reason not in REASONS_WORTH_PACKING]
    for leftover in (*home.backups.glob(f"{UNFINISHED}*"), *home.backups.glob("*.part"), *copies):
        with contextlib.suppress(FileNotFoundError):  # a second program on the same folder has just finished it
            if not is_alone and time.time() - leftover.stat().st_mtime < STALE_COPY_SECONDS:
                continue
            if leftover.is_dir():
                _remove_folder(leftover)
            else:
                leftover.unlink(missing_ok=True)


def fingerprint_copy(copy: DataCopy) -> str:
    """A fingerprint that is equal for two copies of the same data."""
    digest = hashlib.sha256()
    with copy.database.open("rb") as file:
        header = bytearray(file.read(100))
        if copy.engine is DatabaseEngine.SQLITE:
            for place in VOLATILE_HEADER_BYTES:
                header[place] = bytes(place.stop - place.start)
        # The header is read apart: SQLite counts its writes there, so that two copies of the same data would never be
        # equal.
        digest.update(header)
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
    digest.update((copy.folder / KEY_FILE).read_bytes())
    # The first two, database and key, are in it byte by byte. Photos and word lists never change under a name.
    for path in copy.files()[2:]:
        digest.update(f"{path.parent.name}/{path.name} {path.stat().st_size}\n".encode())
    return digest.hexdigest()


# The check runs in a process of its own, so that pages are answered meanwhile as fast as ever.

CHECK_TIMEOUT_SECONDS = 600  # seconds; an event of a thousand players takes three

if sys.platform == "win32":
    OWN_GROUP: dict[str, int] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    OWN_GROUP = {"process_group": 0}
"""Ctrl+C stops every process of the window's group: in a group of its own the check goes on to its end."""


class DataCheckFailed(OSError):
    """The check could not run; the message holds what it printed last."""


def check_copy(copy: DataCopy, *, known: list[str], journals: bool = True) -> DataFacts:
    """What is in the copy and what is wrong with it, without replaying the journals of `known` events (checked before,
    as `slug:revision`), or of any without `journals`. Raises `DataCheckFailed`."""
    options = ["--leave-out", *known] if journals else ["--no-journals"]
    options += ["--noted", str((get_installation().data / NOTES_FOLDER).absolute())]
    if copy.engine is not DatabaseEngine.SQLITE:
        return run_data_check(None, *options)
    try:
        return run_data_check(copy.folder, *options)
    finally:
        close_copy(copy)


CHECK_WITH_PARENT = """
import gc, os, sys, threading

def end_with_parent():
    os.read(0, 1)
    os._exit(1)

threading.Thread(target=end_with_parent, daemon=True).start()
gc.disable()
import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
try:
    django.setup()
    gc.freeze()
    gc.enable()
    execute_from_command_line(sys.argv)
except ImproperlyConfigured as complaint:
    sys.exit(str(complaint))
"""
"""A command that ends as soon as its standard input is closed, even while it still loads the program: that takes ten
seconds on a busy machine, in which it made the folder of a copy anew that the next start had thrown away. It loads
without the search for cycles, as `manage.py` does."""


def run_data_check(data: Path | None, *options: str) -> DataFacts:
    """Run `check_data` in a process of its own, over the folder `data` or our own. Raises `DataCheckFailed`."""
    words = [sys.executable, "-c", CHECK_WITH_PARENT, "check_data", "--polite", "--format", "json", *options]
    # Both ends in UTF-8: on Windows a pipe has the machine's code page, in which a fault that quotes a Polish name
    # cannot be written.
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONUTF8": "1"}
    environment["PYTHONPATH"] = str(settings.BASE_DIR)
    if data is not None:
        # A `DATABASE_URL` of ours would lead the check to today's database instead of the copy's.
        environment |= {"TSO_DATA": str(data.absolute()), "DATABASE_URL": "", "CACHE_URL": ""}
    # The system closes our end of the pipe when this process ends, however it ends: then the check ends too.
    their_end, our_end = os.pipe()
    try:
        process = subprocess.run(  # noqa: S603  # our own program with our own words
            words,
            env=environment,
            stdin=their_end,
            cwd=settings.BASE_DIR,  # Python looks for modules where it stands: another version may lie there
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=CHECK_TIMEOUT_SECONDS,
            check=False,
            **OWN_GROUP,  # type: ignore[call-overload]  # one keyword or the other, by the system
        )
        return parse_data_facts(json.loads(process.stdout))
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise DataCheckFailed(0, str(fault)) from fault
    except (KeyError, TypeError, ValueError) as fault:
        raise DataCheckFailed(0, (process.stderr.strip().splitlines() or [str(fault)])[-1]) from fault
    finally:
        os.close(their_end)
        os.close(our_end)


# Packing: the file is read again before it counts.

COMPRESSED_SUFFIXES = (".jpg", ".pgdump")
COMPRESSION_LEVEL = 1  # the fastest: a word list or a journal still shrinks to a quarter


def pack_copy(copy: DataCopy, manifest: BackupManifest, target: Path) -> BackupManifest:
    """Write one file, read it back, only then name it; its manifest. Leaves nothing when it raises `OSError`."""
    part = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")  # a crash may have left one of this name
    try:
        full_manifest = _write_zip(copy, manifest, part)
        _verify_zip(part, full_manifest)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(target.parent)
    return full_manifest


def _write_zip(copy: DataCopy, manifest: BackupManifest, part: Path) -> BackupManifest:
    with part.open("xb") as raw:
        part.chmod(0o600)
        with ZipFile(raw, "w", strict_timestamps=False) as packed:
            full_manifest = replace(
                manifest, members=tuple(_add_file(packed, copy.folder, path) for path in copy.files())
            )
            # Of a name alone the zip would take the clock's time; it knows the years from 1980 to 2107.
            text = json.dumps(full_manifest.as_json(), ensure_ascii=False, indent=1)
            packed.writestr(ZipInfo(MANIFEST_FILE), text, ZIP_DEFLATED)
        # On the disk before it gets its name: older backups are deleted for it, and a power cut could leave a name
        # without content.
        raw.flush()
        os.fsync(raw.fileno())
    return full_manifest


def _add_file(packed: ZipFile, folder: Path, path: Path) -> BackupFile:
    name = path.relative_to(folder).as_posix()
    entry = ZipInfo.from_file(path, name, strict_timestamps=False)
    entry.compress_type = ZIP_STORED if path.suffix in COMPRESSED_SUFFIXES else ZIP_DEFLATED
    entry._compresslevel = COMPRESSION_LEVEL  # type: ignore[attr-defined]  # the only way to say so of an entry that is written in blocks
    with path.open("rb") as source, packed.open(entry, "w", force_zip64=True) as sink:
        digest = copy_and_hash(source, sink)
    return BackupFile(name, entry.file_size, digest)  # the size that was written: `sink` sets it when it closes


def _verify_zip(part: Path, manifest: BackupManifest) -> None:
    with ZipFile(part) as packed:
        for member in manifest.members:
            with packed.open(member.name) as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != member.sha256:  # type: ignore[arg-type]  # it reads as a file does
                    raise FileDamaged(0, f"{member.name} ≠")


def export_backup(backup: Path, target: Path) -> Path:
    """Copy a backup to where somebody wants it; the file there. Raises a `Refusal`; then an older file stays."""
    if target.is_dir():
        target /= backup.name
    part = target.with_name(f"{target.name}.part")
    try:
        with refuse_file_faults(target.parent):
            shutil.copyfile(backup, part)
            part.chmod(0o600)
            sync_file(part)
            part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return target


CopyCheck = Callable[..., DataFacts]  # as `check_copy`

REASONS_ALWAYS_MADE = frozenset({BackupReason.BY_HAND, BackupReason.MIGRATION})
"""Made even if nothing has changed since the last one."""


@dataclass(frozen=True, slots=True)
class MadeBackup:
    """A finished backup; `not_carried` says why it is not in the second place."""

    name: BackupName
    path: Path
    manifest: BackupManifest
    not_carried: Refusal | None = None


def make_backup(
    home: Installation, reason: BackupReason, *, check: CopyCheck = check_copy, awaits_place: bool = False
) -> MadeBackup | None:
    """Make a backup now; None if nothing has changed since the last one. With `awaits_place` the second place has as
    long as it takes, else `SECOND_PLACE_TIMEOUT_SECONDS`. Raises a `Refusal` with the reason."""
    remove_unfinished_copies(home)
    backup = check_and_pack_copy(home, take_copy(home, reason), check=check, awaits_place=awaits_place)
    while backup is None and reason in REASONS_ALWAYS_MADE:  # the copy was thrown away meanwhile
        backup = check_and_pack_copy(home, take_copy(home, reason), check=check, awaits_place=awaits_place)
    return backup


def check_and_pack_copy(
    home: Installation, copy: DataCopy, *, check: CopyCheck = check_copy, awaits_place: bool = False
) -> MadeBackup | None:
    """Finish a backup; older ones are deleted only when it is there. None if nothing has changed, if a second program
    on the same folder has packed the copy meanwhile, or if somebody was forgotten since it was taken. Raises a
    `Refusal`."""
    try:
        with refuse_file_faults(home.backups, copy.database):
            return _finish_backup(home, copy, check, awaits_place)
    except Refusal:
        # Started twice on one folder, each program packs what the other has just copied. The slower one finds the copy
        # gone: nothing is wrong, and it used to say that the folder for backups cannot be used.
        if copy.folder.exists():
            raise
        return None
    finally:
        shutil.rmtree(copy.folder, ignore_errors=True)


def _finish_backup(home: Installation, copy: DataCopy, check: CopyCheck, awaits_place: bool) -> MadeBackup | None:
    content = fingerprint_copy(copy)
    name = find_last_good_name(home.backups)
    last = read_backup_manifest(home.backups / str(name)) if name else None
    if last is not None and last.content == content and copy.reason not in REASONS_ALWAYS_MADE:
        return None
    if _is_older_than_notes(home, copy):
        return None
    facts = check(copy, known=_list_checked_events(last, copy), journals=copy.reason is not BackupReason.MIGRATION)
    # Once more: the check takes seconds, in which somebody may have been forgotten whom the copy still names.
    if _is_older_than_notes(home, copy):
        return None
    # The version that has worked with the data: before a migration that is the previous one.
    program = (read_data_version(home) if copy.reason is BackupReason.MIGRATION else "") or get_version()
    manifest = BackupManifest(timezone.localtime(copy.at), copy.reason, program, copy.engine, content, facts)
    name = _make_next_name(home, manifest)
    path = home.backups / str(name)
    full_manifest = pack_copy(copy, manifest, path)
    start_new_note_file(home)
    state = load_backup_state(home)
    thin_out_backups(home.backups, state.installation)
    refusal = None
    if state.place is not None and name.is_good:
        try:
            copy_to_second_place(home, state.place, name, patient=awaits_place)
        # A stick that was pulled out does not make the backup on this disk worse: that is told beside it.
        except Refusal as fault:
            refusal = fault
    return MadeBackup(name, path, full_manifest, refusal)


REASONS_IN_A_HURRY = frozenset({BackupReason.SCHEDULE, BackupReason.ROUND_CLOSED})
"""These come again and again while an event runs."""


def _list_checked_events(last: BackupManifest | None, copy: DataCopy) -> list[str]:
    """The last backup's events if it is of the same day: in a hurry, journals that have not grown are not replayed."""
    if last is None or copy.reason not in REASONS_IN_A_HURRY:
        return []
    # The first backup of a day replays all journals: damage to one that does not grow any more could stay unnoticed
    # otherwise.
    if timezone.localtime(last.made_at).date() != timezone.localtime(copy.at).date():
        return []
    return [f"{event.slug}:{event.revision}" for event in last.facts.events]


def _make_next_name(home: Installation, manifest: BackupManifest) -> BackupName:
    """A name with a number above all others; those in the second place may be from this machine's previous disk."""
    state = load_backup_state(home)
    elsewhere = find_in_second_place(state.place, list_backups) if state.place else []
    numbers = [name.number for name in [*list_backups(home.backups), *elsewhere]]
    at = timezone.localtime(manifest.made_at).replace(tzinfo=None, microsecond=0)
    return BackupName(max(numbers, default=0) + 1, at, manifest.reason, state.installation, is_good=manifest.is_good)


def read_backup_manifest(path: Path) -> BackupManifest | None:
    """A backup's manifest; None if it cannot be read."""
    try:
        with ZipFile(path) as packed:
            return parse_manifest(json.loads(packed.read(MANIFEST_FILE)))
    except (OSError, BadZipFile, KeyError, ValueError):
        return None
