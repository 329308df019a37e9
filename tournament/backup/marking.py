"""Marks that say to which state of the database's file its `-wal` belongs, so that an old one is never played into it.

SQLite plays whatever `-wal` lies beside a database into it, even if somebody has just copied the file in from a backup:
then both are lost. So the file carries a mark, a number in its header (`user_version`), which is noted in a file beside
it, too. The mark changes each time the `-wal` is moved into the file: first the old and the new mark are noted, then
the new one is written and everything moved, then the new one is noted alone. So whenever the machine goes down, the
file's mark is among those noted; a file from elsewhere has another one, and a backup has the mark 0.

SQLite must not empty the `-wal` by itself meanwhile: `config.services` puts that off.
"""

import json
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path

from tournament.backup.files import write_json
from tournament.backup.places import Installation

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be moved: the attempt shows that it is open
    fcntl = None  # type: ignore[assignment]  # absent on one platform

WAL_HEADER = 32
"""A `-wal` of this size holds nothing."""
LARGE_WAL = 4 * 1024**2
"""Beyond this the `-wal` is moved into the file, because it slows reading down."""
DATABASE_TIMEOUT_SECONDS = 5
TRIES = 3
OPEN_BYTE = 128
"""The byte of the `-shm` that everybody with the database open has locked (SQLite's WAL format)."""


def read_mark(database: Path) -> int | None:
    """The mark in a database's file, whatever its `-wal` says; None if there is no file, or no database in it.

    Read through SQLite: if a process opens and closes the file by other means, POSIX drops the locks of its own
    connections, and another process would believe itself alone and remove the `-wal`.
    """
    address = f"{database.resolve().as_uri()}?immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as opened:
            opened.execute("SELECT count(*) FROM sqlite_master")
            return int(opened.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return None


def has_wal_content(wal: Path) -> bool:
    """Whether a `-wal` has anything to play."""
    try:
        return wal.stat().st_size > WAL_HEADER
    except OSError:
        return False


def has_wal_mismatch(home: Installation) -> bool:
    """Whether the `-wal` belongs to another state of the database's file than the one beside it, or to no file at all.

    Without noted marks (a data folder of an older version, or copied without them) nobody knows: False.
    """
    if not has_wal_content(home.wal):
        return False
    for _try in range(TRIES):  # the program may be moving the `-wal` at this moment
        noted, mark = read_noted_marks(home), read_mark(home.database)
        if mark is not None and (noted is None or mark in noted):
            return False
    return True


def read_noted_marks(home: Installation) -> list[int] | None:
    """The marks noted beside the database; None if there are none, or none that can be read."""
    try:
        return [int(mark) for mark in json.loads(home.mark.read_text(encoding="ascii"))["marks"]]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def renew_mark(home: Installation, *, patient: bool = False) -> bool:
    """Move the `-wal` into the file under a new mark; whether all of it was moved.

    Readers may be in the way: then the next try does it; `patient` waits for them. Raises `OSError`, `sqlite3.Error`.
    """
    mark = read_mark(home.database)
    new = secrets.randbelow(2**31 - 1) + 1
    _write_marks(home, *([] if mark is None else [mark]), new)
    with closing(sqlite3.connect(home.database, timeout=DATABASE_TIMEOUT_SECONDS)) as database:
        database.execute(f"PRAGMA user_version = {new}")
        mode = "TRUNCATE" if patient else "PASSIVE"
        busy, pages, moved = database.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
    if busy or pages != moved:
        return False
    _write_marks(home, new)
    return True


def _write_marks(home: Installation, *marks: int) -> None:
    write_json(home.mark, {"marks": marks})


def is_database_open(home: Installation) -> bool:
    """Whether any process has the database open, as far as the system can say.

    Only for a process that has not: closing the `-shm` would drop its locks, see `read_mark`.
    """
    if fcntl is None or not home.shared_memory.exists():
        return False
    with home.shared_memory.open("rb+") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, OPEN_BYTE)
        except OSError:
            return True
        fcntl.lockf(file, fcntl.LOCK_UN, 1, OPEN_BYTE)
    return False
