"""Where an installation keeps what, how a backup's file is named, and what the folder of the backups remembers."""

import json
import re
import secrets
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

from django.conf import settings

from tournament.backup.files import make_private_folder, write_json
from tournament.backup.values import BackupReason

DATABASE_FILE = "tso.sqlite3"
DUMP_FILE = "tso.pgdump"
"""In a backup: what PostgreSQL's own tool wrote."""
KEY_FILE = "secret-key.txt"
VERSION_FILE = "version.json"
DATA_FOLDERS = ("uploads", "words")
"""Photos and word lists: files that are written once and never changed."""
NOTES_FOLDER = "entered"
"""The folder of what was entered since the last backups, see `noting`."""
MANIFEST_FILE = "manifest.json"
BACKUP_NAME_PATTERN = re.compile(
    r"tso-(?P<installation>[0-9a-f]{6})-(?P<number>\d{5,9})-(?P<at>\d{4}-\d\d-\d\d-\d{6})-(?P<reason>[a-z_]+)"
    r"(?P<doubtful>-doubtful)?\.zip"
)
BACKUP_TIME_FORMAT = "%Y-%m-%d-%H%M%S"


@dataclass(frozen=True, slots=True)
class Installation:
    """A data folder and what lies in it."""

    data: Path

    @property
    def database(self) -> Path:
        return self.data / DATABASE_FILE

    @property
    def wal(self) -> Path:
        """What SQLite has not moved into the database's file yet."""
        return self.data / f"{DATABASE_FILE}-wal"

    @property
    def shared_memory(self) -> Path:
        """SQLite's index of the `-wal`, for processes that have the database open."""
        return self.data / f"{DATABASE_FILE}-shm"

    @property
    def mark(self) -> Path:
        """Says to which state of the database's file the `-wal` belongs, see `marking`."""
        return self.data / f"{DATABASE_FILE}-mark"

    @property
    def key(self) -> Path:
        return self.data / KEY_FILE

    @property
    def version(self) -> Path:
        """Says which version of the program has worked with the data last, see `health`."""
        return self.data / VERSION_FILE

    @property
    def backups(self) -> Path:
        return self.data / "backups"

    @property
    def plan(self) -> Path:
        """What is still to be done of a restore that has begun, see `restoring`."""
        return self.data / "restore-plan.json"

    @property
    def state(self) -> Path:
        """Holds the `BackupState`."""
        return self.backups / "state.json"


def get_installation() -> Installation:
    """This program's own data folder."""
    return Installation(Path(settings.DATA_DIR))


@dataclass(frozen=True, slots=True, order=True)
class BackupName:
    """The name of a backup's file, as values. The number counts up whatever the clock does; the time is local."""

    number: int
    at: datetime
    reason: BackupReason
    installation: str
    is_good: bool = True

    def __str__(self) -> str:
        doubtful = "" if self.is_good else "-doubtful"
        at = self.at.strftime(BACKUP_TIME_FORMAT)
        return f"tso-{self.installation}-{self.number:05}-{at}-{self.reason}{doubtful}.zip"


def read_data_version(home: Installation) -> str:
    """The version of the program that has worked with the data last; "" if that is not noted."""
    try:
        return str(json.loads(home.version.read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def parse_backup_name(name: str) -> BackupName | None:
    """What a file's name says; None for any other file."""
    found = BACKUP_NAME_PATTERN.fullmatch(name)
    if found is None:
        return None
    try:
        at, reason = datetime.strptime(found["at"], BACKUP_TIME_FORMAT), BackupReason(found["reason"])  # noqa: DTZ007  # local, as said
    except ValueError:
        return None
    return BackupName(int(found["number"]), at, reason, found["installation"], is_good=not found["doubtful"])


def list_backups(folder: Path) -> list[BackupName]:
    """The backups in a folder, the newest first; none if there is no such folder."""
    try:
        names = [parse_backup_name(entry.name) for entry in folder.iterdir()]
    except OSError:
        return []
    return sorted((name for name in names if name), reverse=True)


def find_last_good_name(folder: Path) -> BackupName | None:
    """The newest backup in a folder with which nothing is wrong."""
    return next((name for name in list_backups(folder) if name.is_good), None)


@dataclass(frozen=True, slots=True)
class BackupState:
    """What the folder of the backups remembers; `installation` tells several machines' backups in one folder apart."""

    installation: str
    second_place: str = ""

    @property
    def place(self) -> Path | None:
        """The second place, if one is named."""
        return Path(self.second_place) if self.second_place else None


def load_backup_state(home: Installation) -> BackupState:
    """What is remembered; made anew if there is nothing or it cannot be read. Raises `OSError`."""
    try:
        read = json.loads(home.state.read_text(encoding="utf-8"))
        return BackupState(str(read["installation"]), str(read["second_place"]))
    except FileNotFoundError:
        pass
    except (ValueError, KeyError, TypeError):
        home.state.replace(home.state.with_suffix(".damaged"))
    return _save_state(home, BackupState(secrets.token_hex(3)))


def save_second_place(home: Installation, place: Path | None) -> BackupState:
    """Remember another second place, or none. Raises `OSError`."""
    return _save_state(home, replace(load_backup_state(home), second_place=str(place) if place else ""))


def _save_state(home: Installation, state: BackupState) -> BackupState:
    make_private_folder(home.backups)
    write_json(home.state, asdict(state))
    return state
