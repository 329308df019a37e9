"""A copy of the data as they are at one moment, taken while results come in.

What is copied goes into a folder of its own inside the folder of the backups: the database by SQLite's online backup,
photos and word lists as second names of the same files. That takes milliseconds; checking and packing come later, and
a copy that the machine's end has left behind is packed by the next start.
"""

import contextlib
import hashlib
import shutil
import sqlite3
import time
import uuid
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.utils import timezone

from tournament.laptop.backup import files, postgres
from tournament.laptop.backup.places import DATABASE, DUMP, FOLDERS, KEY, Installation
from tournament.laptop.backup.values import BackupReason, Engine

PREFIX, UNFINISHED = "copy-", "unfinished-"
STALE_SECONDS = 600
PATIENCE = 20
"""Seconds for which a copy waits for somebody who has the whole database locked."""
VOLATILE = (slice(24, 28), slice(60, 64), slice(92, 100))
"""Bytes of a database's header that say how often it was written and by what, not what is in it."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy that is not packed yet. `at` and `reason` stand in the folder's name, too."""

    folder: Path
    at: datetime
    reason: BackupReason

    @property
    def engine(self) -> Engine:
        return Engine.SQLITE if (self.folder / DATABASE).exists() else Engine.POSTGRESQL

    @property
    def database(self) -> Path:
        """The database's file, or what PostgreSQL's tool wrote."""
        return self.folder / (DATABASE if self.engine is Engine.SQLITE else DUMP)

    def files(self) -> list[Path]:
        """Everything in the copy, in the order in which it is packed."""
        others = sorted(path for name in FOLDERS for path in (self.folder / name).glob("*") if path.is_file())
        return [self.database, self.folder / KEY, *others]


def take(home: Installation, reason: BackupReason) -> Copy:
    """Copy the data as they are now. Raises `NoRoom`, `OSError` or `sqlite3.Error`; then no copy is left."""
    files.make_private(home.backups)
    files.require_room(home.backups, _needed(home))
    at = timezone.now()
    folder = home.backups / f"{UNFINISHED}{uuid.uuid4().hex}"
    folder.mkdir(mode=0o700)
    try:
        _fill(home, folder)
        finished = folder.with_name(f"{PREFIX}{at.timestamp():.6f}-{reason}-{uuid.uuid4().hex[:6]}")
        folder.rename(finished)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return Copy(finished, at, reason)


def _needed(home: Installation) -> int:
    """Bytes for the copy of the database and for the file that everything is packed into."""
    databases = sum(path.stat().st_size for path in (home.database, home.wal) if path.exists())
    others = sum(files.size_of(home.data / name) for name in FOLDERS)
    return 2 * databases + others


def _fill(home: Installation, folder: Path) -> None:
    if postgres.in_use():
        postgres.dump(folder / DUMP)
    else:
        copy_database(home.database, folder / DATABASE)
    shutil.copy2(home.key, folder / KEY)
    for name in FOLDERS:
        (folder / name).mkdir(mode=0o700)
        for path in sorted((home.data / name).glob("*")):
            if path.is_file() and path.suffix != ".new" and not path.name.startswith("incoming-"):
                files.link_or_copy(path, folder / name / path.name)


def copy_database(source: Path, target: Path) -> None:
    """Copy a database, what its `-wal` holds included, into one file that needs no other.

    Others go on reading and writing. The copy has the mark 0, which is no database's own, see `marking`.
    """
    address = f"{source.resolve().as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(address, uri=True, timeout=PATIENCE)) as live,
        closing(sqlite3.connect(target)) as copy,
    ):
        live.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.execute("PRAGMA user_version = 0")
    target.chmod(0o600)
    files.sync_file(target)


def close(copy: Copy) -> None:
    """Make the copy's database one file again, after somebody has opened it as programs do."""
    with closing(sqlite3.connect(copy.database)) as database:
        database.execute("PRAGMA journal_mode = DELETE")


def waiting(home: Installation) -> list[Copy]:
    """The copies that are not packed yet, the oldest first."""
    found = [copy for folder in home.backups.glob(f"{PREFIX}*") if (copy := _parsed(folder))]
    return sorted(found, key=lambda copy: copy.at)


def _parsed(folder: Path) -> Copy | None:
    """The copy in a folder, by its name; None for any other folder that somebody has made there."""
    at, _dash, rest = folder.name.removeprefix(PREFIX).partition("-")
    try:
        moment = datetime.fromtimestamp(float(at), tz=timezone.get_default_timezone())
        return Copy(folder, moment, BackupReason(rest.rpartition("-")[0]))
    except (ValueError, OverflowError):
        return None


def drop(copy: Copy) -> None:
    """Remove a copy."""
    shutil.rmtree(copy.folder, ignore_errors=True)


def sweep(home: Installation) -> None:
    """Remove what was begun when the machine went down and cannot be packed; what is young somebody else may be at."""
    for left in (*home.backups.glob(f"{UNFINISHED}*"), *home.backups.glob("*.part")):
        with contextlib.suppress(FileNotFoundError):  # a second program on the same folder has just finished it
            _remove_stale(left)


def _remove_stale(left: Path) -> None:
    if time.time() - left.stat().st_mtime < STALE_SECONDS:
        return
    if left.is_dir():
        shutil.rmtree(left, ignore_errors=True)
    else:
        left.unlink(missing_ok=True)


def content_of(copy: Copy) -> str:
    """A fingerprint that is equal for two copies of the same data."""
    digest = hashlib.sha256()
    with copy.database.open("rb") as file:
        header = bytearray(file.read(100))
        if copy.engine is Engine.SQLITE:
            for place in VOLATILE:
                header[place] = bytes(place.stop - place.start)
        digest.update(header)
        while block := file.read(files.BLOCK):
            digest.update(block)
    digest.update((copy.folder / KEY).read_bytes())
    for path in copy.files()[2:]:
        digest.update(f"{path.parent.name}/{path.name} {path.stat().st_size}\n".encode())
    return digest.hexdigest()
