"""What is looked at before the database is opened: a file that is missing, empty, damaged, or not the one that it was.

Nothing is repaired here and nothing deleted: whoever starts the program is told what is wrong and how to go on.
"""

import os
import shlex
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.laptop.backup import marking, places, second_place, state
from tournament.laptop.backup.places import DATABASE, ENTERED, FOLDERS, BackupName, Installation
from tournament.refusals import Refusal
from tournament.words import backups as words


class DatabaseUnusable(Refusal):
    """The database cannot be used; the message ends with the way to the last good backup."""

    code = "database_unusable"

    def __init__(self, home: Installation, **figures: object) -> None:
        super().__init__(file=home.database, way=way_back(home), **figures)


class DatabaseMissing(DatabaseUnusable):
    code = "database_missing"
    message = gettext_lazy(
        "The database %(file)s is missing, although other data are here. %(way)s If a new beginning is meant, move the "
        "rest of the folder away, too."
    )


class DatabaseEmpty(DatabaseUnusable):
    code = "database_empty"
    message = gettext_lazy("The database %(file)s is empty: nothing is in it any more. %(way)s")


class DatabaseDamaged(DatabaseUnusable):
    code = "database_damaged"
    message = gettext_lazy("The database %(file)s is damaged (%(reason)s). Nothing was changed in it. %(way)s")


class DatabaseForeign(DatabaseUnusable):
    code = "database_foreign"
    message = gettext_lazy("The database %(file)s is of another program. %(way)s")


class WalStrange(Refusal):
    code = "wal_strange"
    message = gettext_lazy(
        "The database %(file)s was exchanged, and beside it still lies %(wal)s from before. Together they would make "
        "nonsense, so the program does not start. To go on with the database that is there now (the old -wal is moved "
        "aside, not deleted): %(aside)s – %(way)s – If both do belong together, because the whole folder was copied: "
        "%(keep)s"
    )


class RestorePending(Refusal):
    code = "restore_pending"
    message = gettext_lazy("A backup is being restored. The next start of the program finishes that: %(command)s")


def command(*words_: object) -> str:
    """How to run the program from its folder, as one can type it."""
    python = "py" if os.name == "nt" else "python3"
    return " ".join([python, "tso.py", *(shlex.quote(str(word)) for word in words_)])


def way_back(home: Installation) -> str:
    """Which backup is the last good one, and the command that restores it; that there is none."""
    found = last_good(home)
    if found is None:
        return _("There is no backup of it in %(folder)s.") % {"folder": home.backups}
    path, name = found
    figures = {"at": words.clock(name.at), "command": command("restore", path)}
    return _("The last good backup is from %(at)s; this restores it: %(command)s") % figures


def last_good(home: Installation) -> tuple[Path, BackupName] | None:
    """The newest good backup, in the folder of the backups or in the second place."""
    found = [(home.backups / str(name), name) for name in places.listed(home.backups) if name.is_good]
    if home.backups.is_dir() and (place := state.load(home).place):
        found += [(place / str(name), name) for name in second_place.listed(place) if name.is_good]
    return max(found, key=lambda pair: pair[1], default=None)


def examine(home: Installation) -> None:
    """Raise what is wrong with the database before anybody opens it. A folder without any data is fine."""
    if not home.database.exists():
        if marking.holds_something(home.wal) or places.listed(home.backups) or _has_files(home):
            raise DatabaseMissing(home)
        return
    if home.database.stat().st_size == 0:
        if marking.holds_something(home.wal) or home.mark.exists() or places.listed(home.backups) or _has_files(home):
            raise DatabaseEmpty(home)
        return
    if marking.mark_of(home.database) is None:
        raise DatabaseDamaged(home, reason=_("this is no database"))
    if marking.wal_is_strange(home):
        raise _strange(home)
    _look_inside(home)


def require_there(home: Installation) -> None:
    """Raise `DatabaseMissing` or `DatabaseEmpty` where a new database would be made beside data that are lost."""
    if not home.database.exists() or home.database.stat().st_size == 0:
        examine(home)


def require_harmless(home: Installation) -> None:
    """Raise `RestorePending` or `WalStrange` where opening the database would do harm: the least that anybody asks."""
    if home.plan.exists():
        raise RestorePending(command=command())
    if marking.wal_is_strange(home):
        raise _strange(home)


def _strange(home: Installation) -> WalStrange:
    return WalStrange(
        file=home.database,
        wal=home.wal.name,
        aside=command("start", "--wal", "aside"),
        keep=command("start", "--wal", "keep"),
        way=way_back(home),
    )


def _has_files(home: Installation) -> bool:
    return any(path.is_file() for name in (*FOLDERS, ENTERED) for path in (home.data / name).glob("*"))


def _look_inside(home: Installation) -> None:
    """Raise `DatabaseDamaged`, `DatabaseEmpty` or `DatabaseForeign`.

    What a crash left in the `-wal` is played into a copy first: if that does no good, nothing is played at all.
    """
    try:
        if marking.holds_something(home.wal) and not marking.is_open(home):
            with tempfile.TemporaryDirectory(dir=home.data, prefix="rehearsal-") as folder:
                for path in (home.database, home.wal):
                    shutil.copyfile(path, Path(folder) / path.name)
                _check(home, Path(folder) / DATABASE)
        else:
            _check(home, home.database)
    except sqlite3.DatabaseError as fault:
        raise DatabaseDamaged(home, reason=fault) from fault


def _check(home: Installation, database: Path) -> None:
    with closing(sqlite3.connect(database, timeout=marking.PATIENCE)) as opened:
        if (found := opened.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise DatabaseDamaged(home, reason=" ".join(str(found).split()))
        tables = {name for (name,) in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables and (places.listed(home.backups) or _has_files(home)):
        raise DatabaseEmpty(home)
    if tables and "django_migrations" not in tables:
        raise DatabaseForeign(home)


def lay_wal_aside(home: Installation) -> Path:
    """Move the `-wal` and what belongs to it into a folder of its own, so that nobody plays it. Raises `OSError`."""
    folder = home.data / f"old-wal-{timezone.localtime():%Y%m%d-%H%M%S}"
    folder.mkdir(mode=0o700)
    for path in (home.wal, home.shared_memory, home.mark):
        if path.exists():
            path.rename(folder / path.name)
    return folder


def keep_wal(home: Installation) -> None:
    """Take the `-wal` for the database's own: nobody knows better than whoever copied both. Raises `OSError`."""
    home.mark.unlink(missing_ok=True)
