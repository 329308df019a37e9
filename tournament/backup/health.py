"""Checks before the database is opened: is its file missing, empty, damaged, exchanged, or from a newer version?
Nothing is repaired here and nothing deleted: whoever starts the program is told what is wrong and how to go on.

SQLite plays whatever `-wal` lies beside a database into it, even if somebody has just copied the file in from a backup:
then both are lost. So the file carries a mark, a number in its header (`user_version`), which is noted in a file beside
it, too. The mark changes each time the `-wal` is moved into the file: first the old and the new mark are noted, then
the new one is written and everything moved, then the new one is noted alone. So whenever the machine goes down, the
file's mark is among those noted; a file from elsewhere has another one, and a backup has the mark 0. SQLite must not
empty the `-wal` by itself meanwhile: `config.services` puts that off."""

import json
import os
import secrets
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.backup.files import write_json
from tournament.backup.making import read_backup_manifest
from tournament.backup.noting import read_notes
from tournament.backup.places import (
    DATA_FOLDERS,
    DATABASE_FILE,
    NOTES_FOLDER,
    BackupManifest,
    BackupName,
    Installation,
    find_in_second_place,
    list_backups,
    load_backup_state,
    read_data_version,
)
from tournament.backup.words import describe_first_fault, describe_possible_loss, format_backup_time
from tournament.basics.program import format_command_line
from tournament.basics.refusals import Refusal
from tournament.basics.version import get_version, is_newer_version, parse_version

WAL_HEADER = 32  # A `-wal` of this size holds nothing
LARGE_WAL = 4 * 1024**2  # beyond this the `-wal` is moved into the file, because it slows reading down
DATABASE_TIMEOUT_SECONDS = 5
REHEARSAL_PREFIX = "rehearsal-"  # of folders in which a `-wal` is played into a copy first
TRIES = 3
JOURNAL_TABLE = "tournament.JournalEntry"  # as the counts of a backup name it
ACCEPTED_FILE = "without.json"  # beside the notes: the last of them when somebody decided to go on without it
OPEN_BYTE = 128  # the byte of the `-shm` that everybody with the database open has locked (SQLite's WAL format)
OPEN_QUESTION = """
import fcntl, sys
with open(sys.argv[1], "rb+") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, int(sys.argv[2]))
    except OSError:
        print("open")
    else:
        print("free")
"""
"""A program that says whether anybody holds a lock on a byte of a file."""

DAMAGED_FILE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged database raises; Python's module also stumbles over SQLite's message where that quotes bytes
of the file that are no text."""


def read_mark(database: Path) -> int | None:
    """The mark in a database's file, whatever its `-wal` says; None if there is no file, or no database in it. Read
    through SQLite: if a process opens and closes the file by other means, POSIX drops the locks of its own connections,
    and another process would believe itself alone and remove the `-wal`."""
    address = f"{database.resolve().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as opened:
            opened.execute("SELECT count(*) FROM sqlite_master")
            return int(opened.execute("PRAGMA user_version").fetchone()[0])
    except DAMAGED_FILE_ERRORS:
        return None


def has_wal_content(wal: Path) -> bool:
    """Whether a `-wal` has anything to play."""
    try:
        return wal.stat().st_size > WAL_HEADER
    except OSError:
        return False


def has_wal_mismatch(home: Installation) -> bool:
    """Whether the `-wal` belongs to another state of the database's file than the one beside it, or to no file at all.
    Without noted marks (a data folder of an older version, or copied without them) nobody knows: False."""
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
    """Move the `-wal` into the file under a new mark; whether all of it was moved. Readers may be in the way: then the
    next try does it; `patient` waits for them. Raises `OSError`, `sqlite3.Error`."""
    new = secrets.randbelow(2**31 - 1) + 1
    with closing(sqlite3.connect(home.database, timeout=DATABASE_TIMEOUT_SECONDS, isolation_level=None)) as database:
        # Noted before the file gets the new mark, under the lock of those who write: two who did this at once each
        # dropped what the other had noted, and the next start refused its own data. And all earlier ones stay: that of
        # a try that readers cut short may still be in the `-wal`, and anybody's checkpoint moves it into the file.
        database.execute("BEGIN IMMEDIATE")
        written = database.execute("PRAGMA user_version").fetchone()[0]
        earlier = [*(read_noted_marks(home) or ()), read_mark(home.database), written]
        _write_marks(home, *dict.fromkeys(mark for mark in earlier if mark is not None), new)
        database.execute(f"PRAGMA user_version = {new}")
        database.execute("COMMIT")
        mode = "TRUNCATE" if patient else "PASSIVE"
        busy, pages, moved = database.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
        if busy or pages != moved:
            return False
        database.execute("BEGIN IMMEDIATE")
        noted = read_noted_marks(home) or []
        if new in noted:  # else somebody has moved all of a later one
            _write_marks(home, *noted[noted.index(new) :])
    return True


def _write_marks(home: Installation, *marks: int) -> None:
    write_json(home.mark, {"marks": marks})


def is_database_open(home: Installation) -> bool:
    """Whether any process, this one included, has the database open, as far as the system can say."""
    if not home.shared_memory.exists():
        return False
    if os.name == "nt":  # where a file that SQLite has open cannot get a name, not even its own
        try:
            home.shared_memory.rename(home.shared_memory)
        except OSError:
            return True
        return False
    # Asked in a process of its own: POSIX drops a process's locks on a file when it closes that file anywhere. A
    # command within a process that had the database open took its locks away in this manner; the next process
    # believed itself alone and emptied the `-wal`, and the first one read "database disk image is malformed".
    words = [sys.executable, "-I", "-S", "-c", OPEN_QUESTION, str(home.shared_memory), str(OPEN_BYTE)]
    answer = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603  # our own words
    return answer.stdout.strip() != "free"  # without an answer nobody's data are moved


class DatabaseUnusable(Refusal, code="database_unusable"):
    """The database cannot be used; the message ends with the way back."""

    def __init__(self, home: Installation, **figures: object) -> None:
        super().__init__(file=home.database, way=describe_way_back(home), **figures)


class DatabaseMissing(DatabaseUnusable, code="database_missing"):
    message = gettext_lazy(
        "The database %(file)s is missing, although other data are here. %(way)s To start from scratch, move the rest "
        "of the folder away as well."
    )


class DatabaseEmpty(DatabaseUnusable, code="database_empty"):
    message = gettext_lazy("The database %(file)s is empty. %(way)s")


class DatabaseDamaged(DatabaseUnusable, code="database_damaged"):
    message = gettext_lazy("The database %(file)s is damaged (%(reason)s). Nothing was changed in it. %(way)s")


class DatabaseForeign(DatabaseUnusable, code="database_foreign"):
    message = gettext_lazy("The database %(file)s belongs to another program. %(way)s")


class EntriesMissing(DatabaseUnusable, code="entries_missing"):
    message = gettext_lazy(
        "The database %(file)s lacks the last entries: the newest that was noted beside it is from %(noted)s. %(way)s "
        "What was noted since that backup comes back with it. To go on without these entries: %(without)s"
    )


class WalMismatch(Refusal, code="wal_strange"):
    message = gettext_lazy(
        "The database %(file)s was replaced, and an old %(wal)s still lies beside it. Together they would be "
        "unreadable, so the program does not start. To continue with the current database (the old -wal is moved "
        "aside, not deleted): %(aside)s – %(way)s – If the two belong together, because the whole folder was copied: "
        "%(keep)s"
    )


def describe_way_back(home: Installation) -> str:
    """The newest backup, what is wrong with the data in it, and the command that restores it; then, if that one is
    doubtful, the last good one, too. Of each what was entered after it. Or that there is no backup."""
    newest = max(list_all_backups(home), key=lambda pair: pair[1], default=None)
    good = find_last_good_backup(home)
    sentences = []
    if newest is not None and newest != good:
        path, name = newest
        manifest = read_backup_manifest(path)
        faults = manifest.facts.faults if manifest else ()
        message = _(
            "The newest backup is from %(at)s. Doubtful in it: %(fault)s. This restores it as it is: %(command)s"
        )
        figures = {"at": format_backup_time(name.at), "command": format_command_line("restore", path)}
        sentences.append(message % {**figures, "fault": describe_first_fault(faults)})
        sentences.append(describe_entries_after(home, manifest))
    if good is not None:
        path, name = good
        message = _("The last good backup is from %(at)s; this restores it: %(command)s")
        sentences.append(message % {"at": format_backup_time(name.at), "command": format_command_line("restore", path)})
        sentences.append(describe_entries_after(home, read_backup_manifest(path)))
    if not sentences:
        return _("There is no backup of it in %(folder)s.") % {"folder": home.backups}
    return " ".join(filter(None, sentences))


def describe_entries_after(home: Installation, manifest: BackupManifest | None) -> str:
    """How much was entered after a backup, and may be lost with it: by what was noted beside the database, and by the
    newest backup. "" where nothing is known of that, as when it could not be read."""
    if manifest is None:
        return ""
    moments = [_parse_moment(row.get("at")) for row in read_notes(home.data / NOTES_FOLDER)]
    later = [at for at in moments if at is not None and at > manifest.made_at]
    counts = [manifest.facts.counts.get(JOURNAL_TABLE, 0)]
    until = [manifest.made_at, *later]
    newest_path, _name = max(list_all_backups(home), key=lambda pair: pair[1], default=(None, None))
    if newest_path is not None and (newest := read_backup_manifest(newest_path)) is not None:
        counts.append(newest.facts.counts.get(JOURNAL_TABLE, 0))
        until.append(newest.made_at)
    # The larger of two counts: notes may be gone with the disk, and the newest backup may be older than they are.
    entries = max(len(later), counts[-1] - counts[0])
    return describe_possible_loss(entries, max(until) - manifest.made_at) if entries > 0 else ""


def _parse_moment(text: Any) -> datetime | None:
    """When an entry was noted; None for a damaged line, which in notes of version 1.0 has no checksum to tell."""
    try:
        at = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return None
    return at if timezone.is_aware(at) else None


def find_last_good_backup(home: Installation) -> tuple[Path, BackupName] | None:
    """The newest good backup, in the folder of the backups or in the second place."""
    return max((pair for pair in list_all_backups(home) if pair[1].is_good), key=lambda pair: pair[1], default=None)


def list_all_backups(home: Installation) -> list[tuple[Path, BackupName]]:
    """The backups in the folder of the backups, then those in the second place, each the newest first."""
    backups = [(home.backups / str(name), name) for name in list_backups(home.backups)]
    if home.backups.is_dir() and (place := load_backup_state(home).place):
        backups += [(place / str(name), name) for name in find_in_second_place(place, list_backups)]
    return backups


def check_database(home: Installation) -> None:
    """Raise a `DatabaseUnusable` or `WalMismatch` before anybody opens the database. A folder without data is fine."""
    check_database_file(home)
    require_noted_entries(home)


def check_database_file(home: Installation) -> None:
    """As `check_database`, whatever was noted beside the database."""
    if not home.database.exists():
        if has_wal_content(home.wal) or _has_other_data(home):
            raise DatabaseMissing(home)
        return
    if home.database.stat().st_size == 0:
        if has_wal_content(home.wal) or home.mark.exists() or _has_other_data(home):
            raise DatabaseEmpty(home)
        return
    if read_mark(home.database) is None:
        raise DatabaseDamaged(home, reason=_("this is no database"))
    if has_wal_mismatch(home):
        raise _make_wal_mismatch(home)
    # What a crash left in the -wal is played into a copy first: if that is damaged then, the original stays as it
    # is.
    try:
        if has_wal_content(home.wal) and not is_database_open(home):
            with tempfile.TemporaryDirectory(dir=home.data, prefix=REHEARSAL_PREFIX) as folder:
                for path in (home.database, home.wal):
                    shutil.copyfile(path, Path(folder) / path.name)
                _check_database_file(home, Path(folder) / DATABASE_FILE)
        else:
            _check_database_file(home, home.database)
    except DAMAGED_FILE_ERRORS as fault:
        raise DatabaseDamaged(home, reason=fault) from fault


def require_database(home: Installation) -> None:
    """Raise a `DatabaseUnusable` where a new database would be made beside data that are lost or in a file that is not
    ours, or where entries are missing that would be lost for good under new ones."""
    if not read_mark(home.database):  # missing, empty, damaged, foreign, or never started with
        check_database(home)
    elif not has_wal_mismatch(home):
        require_noted_entries(home)


def require_safe_to_open(home: Installation) -> None:
    """Raise a `Refusal` where opening the database would do harm: the least that all check."""
    if home.plan.exists():
        message = gettext_lazy("A backup is being restored. The next start of the program completes it: %(command)s")
        raise Refusal("restore_pending", message, command=format_command_line())
    if has_wal_mismatch(home):
        raise _make_wal_mismatch(home)


def _make_wal_mismatch(home: Installation) -> WalMismatch:
    return WalMismatch(
        file=home.database,
        wal=home.wal.name,
        aside=format_command_line("start", "--wal", "aside"),
        keep=format_command_line("start", "--wal", "keep"),
        way=describe_way_back(home),
    )


def _has_other_data(home: Installation) -> bool:
    """Whether there are backups, photos, word lists or notes: then a database was here once."""
    # Notes count, too: a database that was lost before its first backup was replaced by an empty one without a word.
    files = (path for name in (*DATA_FOLDERS, NOTES_FOLDER) for path in (home.data / name).glob("*"))
    return bool(list_backups(home.backups)) or any(path.is_file() for path in files)


def _check_database_file(home: Installation, database: Path) -> None:
    with closing(sqlite3.connect(database, timeout=DATABASE_TIMEOUT_SECONDS)) as opened:
        if (answer := opened.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise DatabaseDamaged(home, reason=" ".join(str(answer).split()))
        tables = {name for (name,) in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables and _has_other_data(home):
        raise DatabaseEmpty(home)
    if tables and "django_migrations" not in tables:
        raise DatabaseForeign(home)


def move_wal_aside(home: Installation) -> Path:
    """Move the `-wal` and its companions into a folder, so that nobody plays it; that folder. Raises `OSError`."""
    folder = home.data / f"old-wal-{timezone.localtime():%Y%m%d-%H%M%S}"
    folder.mkdir(mode=0o700)
    for path in (home.wal, home.shared_memory, home.mark):
        if path.exists():
            path.rename(folder / path.name)
    return folder


def require_noted_entries(home: Installation) -> None:
    """Raise `EntriesMissing` if the database lacks what was noted last. Nothing is said where either cannot be read."""
    if (missing := find_missing_entries(home)) is not None:
        raise missing


def find_missing_entries(home: Installation) -> EntriesMissing | None:
    """The refusal for a database that lacks the entries noted last: its `-wal` was damaged or removed, or its file is
    an older one. None if they are there, or if somebody has said that it is to go on without them."""
    noted = _read_last_noted(home)  # before the database is asked: an entry is stored first, then noted
    if noted is None or noted == _read_accepted(home):
        return None
    try:
        with closing(sqlite3.connect(f"{home.database.resolve().as_uri()}?mode=ro", uri=True)) as opened:
            last = opened.execute("SELECT max(id) FROM tournament_journalentry").fetchone()[0] or 0
    except DAMAGED_FILE_ERRORS:
        return None
    if last >= noted["id"]:
        return None
    at = _parse_moment(noted["at"])
    text = format_backup_time(at) if at else "–"
    return EntriesMissing(home, noted=text, without=format_command_line("start", "--wal", "aside"))


def _read_last_noted(home: Installation) -> dict[str, Any] | None:
    rows = reversed(read_notes(home.data / NOTES_FOLDER))
    return next(({"id": row["id"], "at": row["at"]} for row in rows if "at" in row), None)  # a damaged one has no time


def _read_accepted(home: Installation) -> Any:
    try:
        return json.loads((home.data / NOTES_FOLDER / ACCEPTED_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def accept_missing_entries(home: Installation) -> None:
    """Note that the database is to go on without the entries noted last. Raises `OSError`."""
    if (noted := _read_last_noted(home)) is not None:
        write_json(home.data / NOTES_FOLDER / ACCEPTED_FILE, noted)


def keep_wal(home: Installation) -> None:
    """Accept the `-wal` as the database's own, on the word of whoever copied both. Raises `OSError`."""
    home.mark.unlink(missing_ok=True)


# An older version of the program must not go on with the data. Migrations show that only where a version has brought
# some, but a new version may also write into rows what an older one cannot read. So the first two figures of its number
# count; the third one only mends, and may be taken back.


class DataNewer(Refusal, code="data_newer"):
    """A newer version has worked with the data; `names` are its number or its migrations."""

    message = gettext_lazy(
        "A newer version of the program has used these data (%(names)s); this is version %(own)s. Please start the "
        "newer one. Nothing was changed. %(way)s"
    )

    def __init__(self, home: Installation, *, names: Sequence[str]) -> None:
        super().__init__(names=", ".join(names), own=get_version(), way=_describe_last_readable_backup(home, names))


def require_data_not_newer(home: Installation) -> None:
    if is_newer_version(noted := read_data_version(home)):
        raise DataNewer(home, names=[noted])


def is_data_older(home: Installation) -> bool:
    """Whether an older version worked with the data last: then they are saved before this one does."""
    noted = read_data_version(home)
    return bool(noted) and parse_version(noted) < parse_version(get_version())


def save_data_version(home: Installation) -> None:
    """Note that this version works with the data from now on. Raises `OSError`."""
    if read_data_version(home) != get_version():
        write_json(home.version, {"version": get_version()})


def _describe_last_readable_backup(home: Installation, unknown_migrations: Sequence[str]) -> str:
    """The newest good backup that no newer version has made and the command that restores it, or that there is none."""
    unknown = set(unknown_migrations)
    message = _(
        "To continue with the older version: the backup from %(at)s is the last one that it can read: %(command)s"
    )
    for name in list_backups(home.backups):
        path = home.backups / str(name)
        manifest = read_backup_manifest(path) if name.is_good else None
        if manifest is None or is_newer_version(manifest.program):
            continue
        # Two states of the program between releases have one number; their migrations tell them apart.
        own = {f"{app}.{migration}" for app, names in manifest.facts.migrations.items() for migration in names}
        if unknown.isdisjoint(own):
            return message % {"at": format_backup_time(name.at), "command": format_command_line("restore", path)}
    return _("There is no backup in %(folder)s that this version can read.") % {"folder": home.backups}
