"""What a backup says about itself, how its file is named, where an installation keeps what, and which backups it keeps.

There may be a second place for backups (a stick, another disk, a folder on another machine). A file of ours lies there.
Where it is missing the stick is not plugged in, or another one is: then nothing is written, and each new backup tries
again. A place that does not answer in time is left alone until it has answered."""

import hashlib
import json
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.backup.files import (
    FileDamaged,
    make_private_folder,
    refuse_file_faults,
    require_room_in_second_place,
    sync_file,
    sync_folder,
    write_json,
)
from tournament.basics.refusals import Refusal

FORMAT, VERSION = "tso-backup", 1


class BackupReason(TextChoices):
    BY_HAND = "by_hand", _("by hand")
    START = "start", _("at the start")
    STOP = "stop", _("at the end")
    SCHEDULE = "schedule", _("by the clock")
    ROUND_CLOSED = "round_closed", _("after a round")
    MIGRATION = "migration", _("before a new version’s changes")
    DELETION = "deletion", _("before something was deleted")
    IMPORT = "import", _("before a list was imported")
    UNDO = "undo", _("before an older step was taken back")
    RESTORE = "restore", _("before data were restored")


class DatabaseEngine(StrEnum):
    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"


@dataclass(frozen=True, slots=True)
class BackupFile:
    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class EventFigures:
    """A tournament in figures; `rounds` are those of the league that players have seen."""

    slug: str
    name: str
    revision: int
    entries: int
    rounds: int
    results: int


EVENT_COUNTS = ("revision", "entries", "rounds", "results")


@dataclass(frozen=True, slots=True)
class DataFacts:
    """What is in a database: its schema, its tournaments, how many rows; and what is wrong with it. `replayed` names
    the tournaments whose journals were replayed to find out. Of the entries noted beside a lost database, `caught_up`
    were done again, the last one of `caught_up_to`, and `left_out` could not be; `accounts` names the users made for
    them. `lost_photos` counts photos whose files are gone or damaged."""

    migrations: Mapping[str, list[str]] = field(default_factory=dict)
    events: tuple[EventFigures, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    replayed: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    caught_up: int = 0
    left_out: int = 0
    accounts: tuple[str, ...] = ()
    caught_up_to: str = ""
    lost_photos: int = 0

    @property
    def event_count(self) -> int | None:
        """How many tournaments there are; None where the data are of another version and were not counted."""
        return len(self.events) if self.counts else None


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """All that a backup says about itself: the version that worked with the data, their fingerprint as `content`."""

    made_at: datetime
    reason: BackupReason
    program: str
    engine: DatabaseEngine
    content: str
    facts: DataFacts
    members: tuple[BackupFile, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether nothing was found wrong with the data."""
        return not self.facts.faults

    @property
    def size(self) -> int:
        """Bytes of everything in it, unpacked."""
        return sum(member.size for member in self.members)

    def as_json(self) -> dict[str, Any]:
        return {"format": FORMAT, "version": VERSION, **asdict(self), "made_at": self.made_at.isoformat()}


def parse_manifest(read: Any) -> BackupManifest:
    """A manifest from JSON. Raises `ValueError` for anything else."""
    try:
        if (read["format"], read["version"]) != (FORMAT, VERSION):
            raise ValueError(f"{read['format']} {read['version']}")
        made_at = datetime.fromisoformat(read["made_at"])
        # Without a zone it cannot be compared with the moments of the notes: whoever looks for the way back would get a
        # TypeError where the database is lost already.
        if made_at.tzinfo is None:
            raise ValueError(f"{made_at} has no zone")
        members = tuple(
            BackupFile(str(member["name"]), int(member["size"]), str(member["sha256"])) for member in read["members"]
        )
        if any(member.size < 0 for member in members):
            raise ValueError("a file has no size")
        return BackupManifest(
            made_at=made_at,
            reason=BackupReason(read["reason"]),
            program=str(read["program"]),
            engine=DatabaseEngine(read["engine"]),
            content=str(read["content"]),
            facts=parse_data_facts(read["facts"]),
            members=members,
        )
    except (KeyError, TypeError, AttributeError) as fault:
        raise ValueError(str(fault)) from fault


def parse_data_facts(read: Any) -> DataFacts:
    """Facts from JSON. Raises `KeyError`, `TypeError`, `ValueError` or `AttributeError` for anything else."""
    return DataFacts(
        migrations={str(app): [str(name) for name in names] for app, names in read["migrations"].items()},
        events=tuple(
            EventFigures(str(event["slug"]), str(event["name"]), *(int(event[name]) for name in EVENT_COUNTS))
            for event in read["events"]
        ),
        counts={str(name): int(count) for name, count in read["counts"].items()},
        replayed=tuple(map(str, read["replayed"])),
        faults=tuple(map(str, read["faults"])),
        # From here on what earlier versions do not say: their backups are still read.
        caught_up=int(read.get("caught_up", 0)),
        left_out=int(read.get("left_out", 0)),
        accounts=tuple(map(str, read.get("accounts", ()))),
        caught_up_to=str(read.get("caught_up_to", "")),
        lost_photos=int(read.get("lost_photos", 0)),
    )


DATABASE_FILE = "tso.sqlite3"
DUMP_FILE = "tso.pgdump"  # in a backup: what PostgreSQL's own tool wrote
KEY_FILE = "secret-key.txt"
VERSION_FILE = "version.json"
DATA_FOLDERS = ("uploads", "words")  # photos and word lists: files that are written once and never changed
NOTES_FOLDER = "entered"  # the folder of what was entered since the last backups, see `noting`
MANIFEST_FILE = "manifest.json"
BACKUP_NAME_PATTERN = re.compile(
    r"tso-(?P<installation>[0-9a-f]{6})-(?P<number>\d{5,9})-(?P<at>\d{4}-\d\d-\d\d-\d{6})-(?P<reason>[a-z_]+)"
    r"(?P<doubtful>-doubtful)?\.zip"
)
BACKUP_TIME_FORMAT = "%Y-%m-%d-%H%M%S"


class Installation:
    """A data folder and what lies in it."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.database = data / DATABASE_FILE
        self.wal = data / f"{DATABASE_FILE}-wal"  # what SQLite has not moved into the database's file yet
        self.shared_memory = data / f"{DATABASE_FILE}-shm"  # SQLite's index of the `-wal`, while the database is open
        self.mark = data / f"{DATABASE_FILE}-mark"  # to which state of the database's file the `-wal` belongs: `health`
        self.key = data / KEY_FILE
        self.version = data / VERSION_FILE  # which version of the program has worked with the data last: `health`
        self.backups = data / "backups"
        self.plan = data / "restore-plan.json"  # what is still to be done of a restore that has begun: `restoring`
        self.state = self.backups / "state.json"  # the `BackupState`


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
        return f"tso-{self.installation}-{self.number:05}-{self.at:{BACKUP_TIME_FORMAT}}-{self.reason}{doubtful}.zip"


def read_data_version(home: Installation) -> str:
    """The version of the program that has worked with the data last; "" if that is not noted."""
    try:
        return str(json.loads(home.version.read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def parse_backup_name(name: str) -> BackupName | None:
    """What a file's name says; None for any other file."""
    if (match := BACKUP_NAME_PATTERN.fullmatch(name)) is None:
        return None
    try:
        at, reason = datetime.strptime(match["at"], BACKUP_TIME_FORMAT), BackupReason(match["reason"])  # noqa: DTZ007  # local, as said
    except ValueError:
        return None
    return BackupName(int(match["number"]), at, reason, match["installation"], is_good=not match["doubtful"])


def list_backups(folder: Path) -> list[BackupName]:
    """The backups in a folder, the newest first; none if there is no such folder."""
    try:
        names = [parse_backup_name(entry.name) for entry in folder.iterdir()]
    except OSError:
        return []
    return sorted((name for name in names if name), reverse=True)


def find_last_write_time(home: Installation) -> float:
    """When the database's files were written last, 0 if there are none. To be asked before anybody opens them."""
    return max([path.stat().st_mtime for path in (home.database, home.wal) if path.exists()], default=0.0)


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
    """What is remembered; made anew if there is nothing or it cannot be read. Raises `OSError` if it cannot be read."""
    state = BackupState(secrets.token_hex(3))
    try:
        read = json.loads(home.state.read_text(encoding="utf-8"))
        return BackupState(str(read["installation"]), str(read["second_place"]))
    except FileNotFoundError:
        pass
    except (ValueError, KeyError, TypeError):
        with suppress(OSError):
            # Moved aside, not written over: it names the second place, which somebody may still read in it.
            home.state.replace(home.state.with_suffix(".damaged"))
    with suppress(OSError):  # on a full disk the next one notes it; whoever looks at the backups is shown what is there
        _save_state(home, state)
    return state


def save_second_place(home: Installation, place: Path | None) -> BackupState:
    """Remember another second place, or none. Raises `OSError`."""
    return _save_state(home, replace(load_backup_state(home), second_place=str(place) if place else ""))


def _save_state(home: Installation, state: BackupState) -> BackupState:
    make_private_folder(home.backups)
    write_json(home.state, asdict(state))
    return state


# The second place.

SECOND_PLACE_TIMEOUT_SECONDS = 15.0  # seconds to wait for an answer

Answer = TypeVar("Answer")
_late: dict[Path, Future[Any]] = {}  # answers that have not come in time, by folder


class SecondPlaceSlow(Refusal, code="place_slow"):
    message = _(
        "The second place %(folder)s is slow, or does not answer: the newest backup may not be there yet. The program "
        "keeps trying; backups on this machine continue."
    )


def call_with_timeout(folder: Path, ask: Callable[[], Answer], *, patient: bool = False) -> Answer:
    """What `ask` returns or raises about this folder, called in a thread of its own, so that neither backups nor pages
    wait for a slow stick or a share that is gone. Raises `SecondPlaceSlow` if it takes too long, unless the caller is
    `patient`, and at once while an earlier call has no answer. A late call goes on, even when the program ends."""
    if folder in _late and not _late[folder].done():
        raise SecondPlaceSlow(folder=folder)
    caller = ThreadPoolExecutor(1, "second place")
    answer = caller.submit(ask)
    # Nothing else is asked of this thread: it ends with the call, however late. A pool kept for all calls would have
    # its one thread hang in the first share that is gone.
    caller.shutdown(wait=False)
    try:
        return answer.result(None if patient else SECOND_PLACE_TIMEOUT_SECONDS)
    except TimeoutError as fault:
        if answer.done():  # a share raises `TimeoutError`, too
            raise
        _late[folder] = answer
        raise SecondPlaceSlow(folder=folder) from fault


# Which backups are kept: all of today, then the last of each day, then the last of each month.
# Only days with backups count, and the order is that of their numbers: a clock that is wrong for an hour costs nothing.

NEWEST_KEPT = 20  # how many of the newest are kept whatever their time says
DAYS_KEPT = 30
MOST_BYTES = 4 * 1024**3  # beyond this the oldest that the clock made go, before the disk is full
ORDINARY_REASONS = frozenset(
    {BackupReason.SCHEDULE, BackupReason.START, BackupReason.STOP, BackupReason.ROUND_CLOSED, BackupReason.UNDO}
)
"""One of these a day is enough once the day is over; those made before a step are kept for `DAYS_KEPT`."""


def find_superfluous_backups(
    backups: Iterable[BackupName], sizes: Mapping[BackupName, int] | None = None
) -> list[BackupName]:
    """The backups that may go. Doubtful ones never take the place of good ones; the last good one always stays."""
    newest_first = sorted(backups, reverse=True)
    good = [backup for backup in newest_first if backup.is_good]
    backups_to_keep = _choose_kept_backups(good) | _choose_kept_backups(
        [backup for backup in newest_first if not backup.is_good]
    )
    backups_to_keep -= _choose_over_limit([backup for backup in newest_first if backup in backups_to_keep], sizes or {})
    return [backup for backup in newest_first if backup not in backups_to_keep]


def _choose_kept_backups(newest_first: Sequence[BackupName]) -> set[BackupName]:
    days: dict[object, list[BackupName]] = {}
    months: dict[object, BackupName] = {}
    # The newest first, so that the first one of a month is its last.
    for dated_backup in newest_first:
        days.setdefault(dated_backup.at.date(), []).append(dated_backup)
        months.setdefault((dated_backup.at.year, dated_backup.at.month), dated_backup)
    chosen_backups = {*newest_first[:NEWEST_KEPT], *months.values()}
    for number, of_day in enumerate(list(days.values())[:DAYS_KEPT]):
        chosen_backups.add(of_day[0])
        # Number 0 is the newest day that has backups, which need not be today: all of them stay.
        chosen_backups.update(backup for backup in of_day if number == 0 or backup.reason not in ORDINARY_REASONS)
    return chosen_backups


def _choose_over_limit(newest_first: Sequence[BackupName], sizes: Mapping[BackupName, int]) -> set[BackupName]:
    """Backups made by the clock, the oldest first, that must go for the rest to fit into `MOST_BYTES`."""
    total = sum(sizes.get(backup, 0) for backup in newest_first)
    going: set[BackupName] = set()
    for old_backup in reversed(newest_first[NEWEST_KEPT:]):
        if total <= MOST_BYTES:
            break
        if old_backup.reason is BackupReason.SCHEDULE:
            going.add(old_backup)
            total -= sizes.get(old_backup, 0)
    return going


SIGN_FILE = "tso-backups.txt"
STALE_PART_SECONDS = 24 * 3600  # seconds after which a half-copied file is given up


def prepare_second_place(home: Installation, folder: Path) -> None:
    """Make a folder the second place. Raises `no_folder`, `own_folder`, `place_silent`, or as
    `make_file_refusal` if it cannot be written."""
    text = gettext(
        "TSO keeps backups in this folder. Please leave this file here: the program recognises the folder by it."
    )
    try:
        call_with_timeout(folder, lambda: _prepare_folder(home, folder, text))
    except SecondPlaceSlow as late:
        raise Refusal(
            "place_silent",
            _("“%(folder)s” does not answer. Name another folder, or try again when it does."),
            field="folder",
            folder=folder,
        ) from late


def _prepare_folder(home: Installation, folder: Path, text: str) -> None:
    if not (folder.is_absolute() and folder.is_dir()):
        raise Refusal(
            "no_folder",
            _(
                "“%(folder)s” is not a folder on the machine where the program runs. Enter its full path, "
                "such as %(example)s."
            ),
            field="folder",
            folder=folder,
            example=home.data.anchor + str(Path("media", "stick")),
        )
    if folder.resolve().is_relative_to(home.data.resolve()):
        raise Refusal(
            "own_folder",
            _("“%(folder)s” is inside the data folder, so it would not be a second place."),
            field="folder",
            folder=folder,
        )
    with refuse_file_faults(folder):
        (folder / SIGN_FILE).write_text(f"{text}\n", encoding="utf-8")


def find_in_second_place(folder: Path, look: Callable[[Path], list[Answer]]) -> list[Answer]:
    """What `look` finds in the second place; nothing where it is not there, or does not answer."""
    try:
        return call_with_timeout(folder, lambda: look(folder) if _has_sign(folder) else [])
    except SecondPlaceSlow:
        return []


def _has_sign(folder: Path) -> bool:
    try:
        return (folder / SIGN_FILE).is_file()
    except OSError:
        return False


def copy_to_second_place(home: Installation, folder: Path, name: BackupName, *, patient: bool = False) -> None:
    """Copy a backup there unless it is there already, then delete what the rule lets go. Raises `place_gone`,
    `SecondPlaceSlow` unless `patient` (the copying goes on then), or as `make_file_refusal`."""
    # A share of the network that hung held the one thread that makes backups: none was made any more, and the note that
    # something is unsaved came from the same thread.
    call_with_timeout(folder, lambda: _copy_backup(home, folder, name), patient=patient)


def _copy_backup(home: Installation, folder: Path, name: BackupName) -> None:
    if not _has_sign(folder):
        raise Refusal(
            "place_gone",
            _("The second place %(folder)s is not there: is the stick plugged in? The program keeps trying."),
            folder=folder,
        )
    with refuse_file_faults(folder):
        if not (folder / str(name)).exists():
            for leftover in folder.glob(f"tso-{name.installation}-*.zip.part"):  # the stick was pulled out
                # Either way: the half file of a machine whose clock was ahead would lie in the future, and never be old
                # enough.
                if abs(time.time() - leftover.stat().st_mtime) > STALE_PART_SECONDS:
                    leftover.unlink(missing_ok=True)
            _copy_and_verify(home.backups / str(name), folder / str(name))
            thin_out_backups(folder, name.installation)


def _copy_and_verify(source: Path, target: Path) -> None:
    """Copy to a file beside the target, read it back, and only then give it its name."""
    part = target.with_name(f"{target.name}.part")
    require_room_in_second_place(target.parent, source.stat().st_size)
    try:
        shutil.copyfile(source, part)
        sync_file(part)
        with source.open("rb") as original, part.open("rb") as copy:
            if hashlib.file_digest(original, "sha256").digest() != hashlib.file_digest(copy, "sha256").digest():
                raise FileDamaged(0, f"{target.name} ≠")
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(target.parent)


def thin_out_backups(folder: Path, installation: str) -> None:
    """Delete the superfluous backups of an installation in a folder. Raises `OSError`."""
    sizes: dict[BackupName, int] = {}
    for name in list_backups(folder):
        # A second program on the same folder thins out as well: what it has just deleted made a backup that was there
        # and whole count as failed.
        with suppress(FileNotFoundError):
            if name.installation == installation:
                sizes[name] = (folder / str(name)).stat().st_size
    for name in find_superfluous_backups(sizes, sizes):
        (folder / str(name)).unlink(missing_ok=True)
