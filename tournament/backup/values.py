"""What a backup says about itself: its manifest, as a value and as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

FORMAT, VERSION = "tso-backup", 1


class BackupReason(StrEnum):
    """Why a backup was made."""

    BY_HAND = "by_hand"
    START = "start"
    STOP = "stop"
    SCHEDULE = "schedule"
    ROUND_CLOSED = "round_closed"
    MIGRATION = "migration"
    DELETION = "deletion"
    IMPORT = "import"
    UNDO = "undo"
    RESTORE = "restore"


class DatabaseEngine(StrEnum):
    """Which database a backup is of."""

    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"


class NotAManifest(ValueError):
    """The text is no manifest that this program understands."""


@dataclass(frozen=True, slots=True)
class BackupFile:
    """A file in the backup."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class EventFigures:
    """A tournament in the backup, in figures. `rounds` are those that players have seen."""

    slug: str
    name: str
    revision: int
    entries: int
    rounds: int
    results: int


@dataclass(frozen=True, slots=True)
class DataFacts:
    """What is in a database: its schema, its tournaments, how many rows; and what is wrong with it.

    `replayed` names the tournaments whose journal was replayed to find out. `caught_up` and `left_out` count the
    entries noted beside a lost database that were done again and that could not be, `accounts` names those made for
    them, see `exchange.archive.catching_up`.
    """

    migrations: Mapping[str, list[str]] = field(default_factory=dict)
    events: tuple[EventFigures, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    replayed: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    caught_up: int = 0
    left_out: int = 0
    accounts: tuple[str, ...] = ()

    @property
    def event_count(self) -> int | None:
        """How many tournaments there are; None where the data are of another version and could not be asked."""
        return len(self.events) if self.counts else None


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """All that a backup says about itself. `program` is the version that had worked with the data; `content` is equal
    for two backups of the same data."""

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
        """The manifest as it stands in the file."""
        values = asdict(self) | {"made_at": self.made_at.isoformat()}
        return {"format": FORMAT, "version": VERSION, **values}


def parse_manifest(read: Any) -> BackupManifest:
    """The manifest that JSON states. Raises `NotAManifest` for anything else."""
    try:
        if (read["format"], read["version"]) != (FORMAT, VERSION):
            raise NotAManifest(f"{read['format']} {read['version']}")
        return BackupManifest(
            made_at=_parse_time(read["made_at"]),
            reason=BackupReason(read["reason"]),
            program=str(read["program"]),
            engine=DatabaseEngine(read["engine"]),
            content=str(read["content"]),
            facts=parse_data_facts(read["facts"]),
            members=tuple(_parse_member(member) for member in read["members"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise NotAManifest(str(fault)) from fault


def parse_data_facts(read: Any) -> DataFacts:
    """The facts that JSON states. Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    return DataFacts(
        migrations={str(app): [str(name) for name in names] for app, names in read["migrations"].items()},
        events=tuple(_parse_event(event) for event in read["events"]),
        counts={str(name): int(count) for name, count in read["counts"].items()},
        replayed=tuple(map(str, read["replayed"])),
        faults=tuple(map(str, read["faults"])),
        caught_up=int(read.get("caught_up", 0)),
        left_out=int(read.get("left_out", 0)),
        accounts=tuple(map(str, read.get("accounts", ()))),
    )


def _parse_event(read: Any) -> EventFigures:
    figures = {name: int(read[name]) for name in ("revision", "entries", "rounds", "results")}
    return EventFigures(slug=str(read["slug"]), name=str(read["name"]), **figures)


def _parse_member(read: Any) -> BackupFile:
    member = BackupFile(name=str(read["name"]), size=int(read["size"]), sha256=str(read["sha256"]))
    if member.size < 0:
        raise ValueError(f"{member.name}: {member.size}")
    return member


def _parse_time(text: str) -> datetime:
    """A time with its zone."""
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError(f"{text} has no zone")
    return time
