"""Where an installation keeps what, and how a backup's file is called."""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from tournament.laptop.backup.values import BackupReason

DATABASE = "tso.sqlite3"
DUMP = "tso.pgdump"
"""What PostgreSQL's own tool wrote, in a backup."""
KEY = "secret-key.txt"
VERSION = "version.json"
FOLDERS = ("uploads", "words")
"""Photos and word lists: files that are written once and never changed."""
ENTERED = "entered"
"""What was entered since the last backups, see `noting`."""
MANIFEST = "manifest.json"
NAME = re.compile(
    r"tso-(?P<installation>[0-9a-f]{6})-(?P<number>\d{5,9})-(?P<at>\d{4}-\d\d-\d\d-\d{6})-(?P<reason>[a-z_]+)"
    r"(?P<doubtful>-doubtful)?\.zip"
)
TIME = "%Y-%m-%d-%H%M%S"


@dataclass(frozen=True, slots=True)
class Installation:
    """A data folder and what lies in it."""

    data: Path

    @property
    def database(self) -> Path:
        return self.data / DATABASE

    @property
    def wal(self) -> Path:
        """What SQLite has not moved into the database's file yet."""
        return self.data / f"{DATABASE}-wal"

    @property
    def shared_memory(self) -> Path:
        """SQLite's index of the `-wal`; only of use to processes that have the database open."""
        return self.data / f"{DATABASE}-shm"

    @property
    def mark(self) -> Path:
        """Says to which state of the database's file the `-wal` belongs, see `marking`."""
        return self.data / f"{DATABASE}-mark"

    @property
    def key(self) -> Path:
        return self.data / KEY

    @property
    def version(self) -> Path:
        """Says which version of the program has worked with the data last, see `opened_by`."""
        return self.data / VERSION

    @property
    def backups(self) -> Path:
        return self.data / "backups"

    @property
    def plan(self) -> Path:
        """What is still to be done of a restore that has begun, see `restoring`."""
        return self.data / "restore-plan.json"


def here() -> Installation:
    """This program's own."""
    return Installation(Path(settings.DATA_DIR))


@dataclass(frozen=True, slots=True, order=True)
class BackupName:
    """What the name of a backup's file says. The number goes up by one whatever the clock does; the time is local."""

    number: int
    at: datetime
    reason: BackupReason
    installation: str
    is_good: bool = True

    def __str__(self) -> str:
        doubtful = "" if self.is_good else "-doubtful"
        return f"tso-{self.installation}-{self.number:05}-{self.at.strftime(TIME)}-{self.reason}{doubtful}.zip"


def last_version(home: Installation) -> str:
    """The version of the program that has worked with the data last; "" if that is not noted."""
    try:
        return str(json.loads(home.version.read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def parsed(name: str) -> BackupName | None:
    """What a file's name says; None for any other file."""
    found = NAME.fullmatch(name)
    if found is None:
        return None
    try:
        at, reason = datetime.strptime(found["at"], TIME), BackupReason(found["reason"])  # noqa: DTZ007  # local, as said
    except ValueError:
        return None
    return BackupName(int(found["number"]), at, reason, found["installation"], is_good=not found["doubtful"])


def listed(folder: Path) -> list[BackupName]:
    """The backups in a folder, the newest first; none if there is no such folder."""
    try:
        names = [parsed(entry.name) for entry in folder.iterdir()]
    except OSError:
        return []
    return sorted((name for name in names if name), reverse=True)


def last_good(folder: Path) -> BackupName | None:
    """The newest backup in a folder with which nothing is wrong."""
    return next((name for name in listed(folder) if name.is_good), None)
