"""What an archive says of itself: what it is, of which event, and the size and SHA-256 of each of its members."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournament import limits
from tournament.exchange import faults, file_writing, json_text
from tournament.exchange.faults import Code, quoted

FORMAT, VERSION = "tso-event", 1
NAME = "manifest.json"
TOURNAMENT, JOURNAL, REGISTER, PHOTOS = "tournament.json", "journal.jsonl", "register.json", "photos/"

MEMBER = re.compile(r"[a-z]{1,20}\.jsonl?|photos/[A-Za-z0-9_-]{1,64}\.[a-z0-9]{1,5}")
"""The names that members can have: nothing leads anywhere else."""


@dataclass(frozen=True, slots=True)
class ArchiveFile:
    """One file of an archive as the manifest states it."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ArchiveManifest:
    """The event, how many entries its journal has, the program that wrote the archive, and the other members."""

    slug: str
    name: str
    entries: int
    program: str
    made_at: str
    word_lists: list[dict[str, Any]]
    members: Mapping[str, ArchiveFile]


def text(manifest: ArchiveManifest) -> str:
    """The member's text."""
    members = {name: {"size": each.size, "sha256": each.sha256} for name, each in manifest.members.items()}
    said = {
        "format": FORMAT,
        "version": VERSION,
        "program": manifest.program,
        "made_at": manifest.made_at,
        "slug": manifest.slug,
        "name": manifest.name,
        "entries": manifest.entries,
        "word_lists": manifest.word_lists,
        "members": members,
    }
    return file_writing.formatted(said) + "\n"


def read(content: bytes) -> ArchiveManifest:
    """The manifest that a member holds. Raises `Faults` for another format, a newer version, or a broken one."""
    value, _text = json_text.load(content, limit=limits.MANIFEST_BYTES)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise faults.one(Code.NO_EVENT_ARCHIVE)
    if value.get("version") != VERSION:
        program = quoted(value.get("program"))
        raise faults.one(Code.ARCHIVE_VERSION, value=quoted(value.get("version")), program=program)
    try:
        return ArchiveManifest(
            slug=_text_of(value["slug"]),
            name=_text_of(value["name"]),
            entries=_number(value["entries"]),
            program=_text_of(value["program"]),
            made_at=_text_of(value["made_at"]),
            word_lists=[_word_list(each) for each in value["word_lists"]],
            members={_member_name(name): _member(each) for name, each in value["members"].items()},
        )
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise faults.one(Code.ARCHIVE_BROKEN, why=NAME) from fault


def _text_of(value: Any) -> str:
    if not isinstance(value, str) or len(value) > limits.WHY or not value.isprintable():
        raise ValueError("no text")
    return value


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("no number")
    return value


def _member_name(name: str) -> str:
    if not MEMBER.fullmatch(name):
        raise ValueError("no name of a member")
    return name


def _member(value: Mapping[str, Any]) -> ArchiveFile:
    return ArchiveFile(_number(value["size"]), _text_of(value["sha256"]))


def _word_list(value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _text_of(value[name]) for name in ("title", "letters", "sha256")}
