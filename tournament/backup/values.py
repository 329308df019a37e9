"""A backup's manifest: what it says about itself, as values and as JSON."""

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
    """A tournament in figures; `rounds` are those of the league that players have seen."""

    slug: str
    name: str
    revision: int
    entries: int
    rounds: int
    results: int


@dataclass(frozen=True, slots=True)
class DataFacts:
    """What is in a database: its schema, its tournaments, how many rows; and what is wrong with it.

    `replayed` names the tournaments whose journals were replayed to find out. Of the entries noted beside a lost
    database, `caught_up` were done again and `left_out` could not be; `accounts` names the users made for them.
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
        """How many tournaments there are; None where the data are of another version and were not counted."""
        return len(self.events) if self.counts else None


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """All that a backup says about itself. `program` is the version that worked with the data; `content` is their
    fingerprint, see `fingerprint_copy`."""

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
    """A manifest from JSON. Raises `NotAManifest` for anything else."""
    try:
        if (read["format"], read["version"]) != (FORMAT, VERSION):
            raise NotAManifest(f"{read['format']} {read['version']}")
        made_at = datetime.fromisoformat(read["made_at"])
        if made_at.tzinfo is None:
            raise NotAManifest(f"{made_at} has no zone")
        return BackupManifest(
            made_at=made_at,
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
    """Facts from JSON. Raises `KeyError`, `TypeError`, `ValueError` or `AttributeError` for anything else."""
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
