"""What an archive says of itself: what it is, of which event, and the size and SHA-256 of each of its members."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tournament.basics import limits
from tournament.exchange.faults import FaultCode, make_single_fault, quote_value
from tournament.exchange.json_text import format_json, read_json

ARCHIVE_FORMAT, ARCHIVE_VERSION = "tso-event", 1
MANIFEST_NAME = "manifest.json"
TOURNAMENT_MEMBER, JOURNAL_MEMBER, REGISTER_MEMBER = "tournament.json", "journal.jsonl", "register.json"
PHOTO_MEMBER_PREFIX = "photos/"

MEMBER_PATTERN = re.compile(r"[a-z]{1,20}\.jsonl?|photos/[A-Za-z0-9_-]{1,64}\.[a-z0-9]{1,5}")
"""The names that members can have: nothing leads anywhere else."""


@dataclass(frozen=True, slots=True)
class ArchiveFile:
    """One file of an archive as the manifest states it."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ArchiveManifest:
    """The program that wrote the archive, the event, how many entries its journal has, and the other members.

    The fields stand in the order in which they are written.
    """

    program: str
    made_at: str
    slug: str
    name: str
    entries: int
    word_lists: list[dict[str, Any]]
    members: Mapping[str, ArchiveFile]


def format_archive_manifest(manifest: ArchiveManifest) -> str:
    """The member's text."""
    return format_json({"format": ARCHIVE_FORMAT, "version": ARCHIVE_VERSION, **asdict(manifest)}) + "\n"


def read_archive_manifest(content: bytes) -> ArchiveManifest:
    """The manifest that a member holds. Raises `FileFaults` for another format, a newer version, or a broken one."""
    value, _text = read_json(content, limit=limits.MANIFEST_BYTES)
    if not isinstance(value, dict) or value.get("format") != ARCHIVE_FORMAT:
        raise make_single_fault(FaultCode.NO_EVENT_ARCHIVE)
    if value.get("version") != ARCHIVE_VERSION:
        program = quote_value(value.get("program"))
        raise make_single_fault(FaultCode.ARCHIVE_VERSION, value=quote_value(value.get("version")), program=program)
    try:
        return ArchiveManifest(
            slug=_check_text(value["slug"]),
            name=_check_text(value["name"]),
            entries=_check_number(value["entries"]),
            program=_check_text(value["program"]),
            made_at=_check_text(value["made_at"]),
            word_lists=[
                {name: _check_text(each[name]) for name in ("title", "letters", "sha256")}
                for each in value["word_lists"]
            ],
            members={
                _check_member_name(name): ArchiveFile(_check_number(each["size"]), _check_text(each["sha256"]))
                for name, each in value["members"].items()
            },
        )
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise make_single_fault(FaultCode.ARCHIVE_BROKEN, why=MANIFEST_NAME) from fault


def _check_text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > limits.WHY or not value.isprintable():
        raise ValueError("no text")
    return value


def _check_number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("no number")
    return value


def _check_member_name(name: str) -> str:
    if not MEMBER_PATTERN.fullmatch(name):
        raise ValueError("no name of a member")
    return name
