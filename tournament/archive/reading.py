"""An archive that somebody sends, read with nothing trusted: names, sizes and checksums first, then what it says."""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from datetime import datetime
from typing import IO, Any

from tournament.archive.history import JournalEntryData
from tournament.archive.manifest import (
    JOURNAL_MEMBER,
    MANIFEST_NAME,
    PHOTO_MEMBER_PREFIX,
    REGISTER_MEMBER,
    TOURNAMENT_MEMBER,
    ArchiveManifest,
    read_archive_manifest,
)
from tournament.basics import limits
from tournament.core.change import JournalRow
from tournament.exchange.faults import FaultCode, FileFaults, make_single_fault, quote_value
from tournament.exchange.json_text import make_size_fault, read_json
from tournament.exchange.rows import ZIP_MARK, count_zip_entries
from tournament.exchange.values import PlayerData

CHUNK_BYTES = 1 << 16

ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError)
"""What zipfile raises on broken, encrypted or unknown archives."""


def is_archive(file: IO[bytes]) -> bool:
    """Whether a file is meant as an event's archive: a zip with a manifest, or what is left of one."""
    begins = file.read(len(ZIP_MARK)) == ZIP_MARK
    if count_zip_entries(file) > limits.ARCHIVE_MEMBERS:
        file.seek(0)
        return False
    try:
        with zipfile.ZipFile(file) as parts:
            return MANIFEST_NAME in parts.namelist()
    except ZIP_ERRORS:
        return begins
    finally:
        file.seek(0)


class OpenArchive:
    """An archive whose members are those that its manifest states, by name, size and SHA-256.

    Opening raises `FileFaults` for anything else; photos are looked at when they are asked for.
    """

    def __init__(self, file: IO[bytes]) -> None:
        try:
            self._zip = zipfile.ZipFile(file)
        except ZIP_ERRORS as fault:
            raise make_single_fault(FaultCode.NO_EVENT_ARCHIVE) from fault
        self.manifest = self._read_manifest()
        for name in self.manifest.members:
            if not name.startswith(PHOTO_MEMBER_PREFIX):
                digest = hashlib.sha256()
                for piece in self._pieces(name):
                    digest.update(piece)
                if digest.hexdigest() != self.manifest.members[name].sha256:
                    raise make_archive_fault(name)

    def _read_manifest(self) -> ArchiveManifest:
        """The manifest, if it states just what is there."""
        infos = self._zip.infolist()
        if len(infos) > limits.ARCHIVE_MEMBERS:
            raise make_single_fault(FaultCode.TOO_MANY_FILES, value=len(infos), limit=limits.ARCHIVE_MEMBERS)
        there = {info.filename: info.file_size for info in infos}
        if MANIFEST_NAME not in there:
            raise make_single_fault(FaultCode.NO_EVENT_ARCHIVE)
        if there[MANIFEST_NAME] > limits.MANIFEST_BYTES:
            raise make_size_fault(there[MANIFEST_NAME], limits.MANIFEST_BYTES)
        stated = read_archive_manifest(self._content(MANIFEST_NAME))
        wanted = {name: member.size for name, member in stated.members.items()} | {MANIFEST_NAME: there[MANIFEST_NAME]}
        if len(infos) != len(there) or wanted != there:
            different = sorted(there.items() ^ wanted.items())
            raise make_archive_fault(different[0][0] if different else MANIFEST_NAME)
        _check_sizes(stated)
        return stated

    def _pieces(self, name: str) -> Iterator[bytes]:
        try:
            with self._zip.open(name) as member:
                yield from iter(lambda: member.read(CHUNK_BYTES), b"")
        except ZIP_ERRORS as fault:
            raise make_archive_fault(name) from fault

    def _content(self, name: str) -> bytes:
        return b"".join(self._pieces(name))

    def tournament(self) -> bytes:
        """The tournament file."""
        return self._content(TOURNAMENT_MEMBER)

    def register(self) -> tuple[dict[int, PlayerData], dict[int, str]]:
        """The players and the names of clubs that the journal's rows refer to, by their keys there."""
        value, _text = read_json(self._content(REGISTER_MEMBER), limit=limits.FILE_BYTES)
        try:
            players = {each["id"]: _read_player(each) for each in value["players"]}
            return players, {each["id"]: str(each["name"])[: limits.CLUB] for each in value["clubs"]}
        except (KeyError, TypeError, ValueError) as fault:
            raise make_archive_fault(REGISTER_MEMBER) from fault

    def listed(self, name: str) -> list[Any]:
        """The rows of one of the lists; none where the archive does not have it."""
        if name not in self.manifest.members:
            return []
        value, _text = read_json(self._content(name), limit=limits.ARCHIVE_TEXT_BYTES)
        if not isinstance(value, list):
            raise make_archive_fault(name)
        return value

    def photo(self, name: str) -> bytes | None:
        """A photo's content; None if the archive does not have it."""
        path = f"{PHOTO_MEMBER_PREFIX}{name}"
        if path not in self.manifest.members:
            return None
        content = self._content(path)
        if hashlib.sha256(content).hexdigest() != self.manifest.members[path].sha256:
            raise make_archive_fault(path)
        return content

    def entries(self) -> Iterator[JournalEntryData]:
        """The journal's entries in their order, one line at a time."""
        try:
            with self._zip.open(JOURNAL_MEMBER) as member:
                while line := member.readline(limits.ARCHIVE_LINE_BYTES + 1):
                    yield _read_journal_line(line)
        except ZIP_ERRORS as fault:
            raise make_archive_fault(JOURNAL_MEMBER) from fault


def make_archive_fault(name: str) -> FileFaults:
    """The exception for an archive with a member that is not what the others say."""
    return make_single_fault(FaultCode.ARCHIVE_BROKEN, why=quote_value(name))


def _check_sizes(stated: ArchiveManifest) -> None:
    """Raise `FileFaults` for a member, or all together, above what an event can have; nothing has been unpacked yet."""
    for name, member in stated.members.items():
        limit = limits.ARCHIVE_PHOTO_BYTES if name.startswith(PHOTO_MEMBER_PREFIX) else limits.ARCHIVE_TEXT_BYTES
        if member.size > limit:
            raise make_size_fault(member.size, limit)
    for name in (TOURNAMENT_MEMBER, JOURNAL_MEMBER, REGISTER_MEMBER):
        if name not in stated.members:
            raise make_archive_fault(name)
    total = sum(member.size for member in stated.members.values())
    if total > limits.ARCHIVE_BYTES:
        raise make_size_fault(total, limits.ARCHIVE_BYTES)


def _read_player(value: dict[str, Any]) -> PlayerData:
    for name, kind in (("name", str), ("games", int)):
        if type(value[name]) is not kind:
            raise ValueError(name)
    club, rating = value["club"], value["rating"]
    if not (club is None or type(club) is str) or not (rating is None or type(rating) is int):
        raise ValueError(value["id"])
    return PlayerData(id=str(int(value["id"])), name=value["name"], club=club, rating=rating, games=value["games"])


def _read_journal_line(line: bytes) -> JournalEntryData:
    """One line of the journal. Raises ValueError for anything else."""
    if len(line) > limits.ARCHIVE_LINE_BYTES:
        raise ValueError("line too long")
    try:
        if line.count(b"{") + line.count(b"[") > limits.CONTAINERS:
            raise ValueError("entry too large")
        value = json.loads(line)
        at = datetime.fromisoformat(value["at"])
        rows = [_read_row(row) for row in value["rows"]]
        number, by, verb, details = value["number"], value["by"], value["verb"], value["details"]
    except (AttributeError, KeyError, RecursionError, TypeError) as fault:
        raise ValueError("no entry") from fault
    kinds = (type(number) is int, isinstance(by, str), isinstance(verb, str), isinstance(details, dict))
    if not all(kinds) or at.tzinfo is None or len(by) > limits.AUTHOR_NAME or len(verb) > limits.WORD:
        raise ValueError("no entry")
    return JournalEntryData(number, at, None, by, verb, details, rows)


def _read_row(row: Any) -> JournalRow:
    table, pk, before, after = row
    states = (before is None or isinstance(before, dict)) and (after is None or isinstance(after, dict))
    if not (isinstance(table, str) and type(pk) is int and states):
        raise ValueError("no row")
    return table, pk, before, after
