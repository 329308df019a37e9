"""Reading a backup's file with suspicion: it may be foreign, cut off, damaged, or made to do harm."""

import json
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from django.utils.translation import gettext_lazy as _

from tournament.backup.files import copy_and_hash, require_room, sync_folder, sync_open_file
from tournament.backup.places import DATA_FOLDERS, DATABASE_FILE, DUMP_FILE, KEY_FILE, MANIFEST_FILE
from tournament.backup.queries import find_unknown_migrations
from tournament.backup.values import BackupFile, BackupManifest, NotAManifest, parse_manifest
from tournament.basics.refusals import Refusal
from tournament.basics.version import get_version, is_newer_version

ALLOWED_MEMBER_PATTERN = re.compile(
    rf"{re.escape(DATABASE_FILE)}|{re.escape(DUMP_FILE)}|{re.escape(KEY_FILE)}|(?:{'|'.join(DATA_FOLDERS)})/[0-9A-Za-z_][0-9A-Za-z._-]{{0,99}}"
)
MANIFEST_BYTES = 32 * 1024**2
MOST_MEMBERS = 200_000
RATIO, SMALL = 300, 64 * 1024**2
"""No honest member of more than `SMALL` bytes is packed to less than 1/`RATIO`: that would be a zip bomb."""


class BackupFileRefusal(Refusal):
    """Something is wrong with the file that was named."""

    field = "file"


class BackupFileUnreadable(BackupFileRefusal):
    code = "no_such_file"
    message = _("“%(file)s” cannot be read (%(reason)s).")


class NotABackup(BackupFileRefusal):
    code = "no_backup"
    message = _("“%(file)s” is no backup of this program.")


class BackupCutOff(BackupFileRefusal):
    code = "cut_off"
    message = _("“%(file)s” is damaged or cut off, so nothing is restored from it. Please take another backup.")


class BackupMemberWrong(BackupFileRefusal):
    code = "member_wrong"
    message = _(
        "“%(file)s” is damaged: “%(member)s” in it is not what was saved. Nothing is restored from it. Please take "
        "another backup."
    )


class UnexpectedBackupContent(BackupFileRefusal):
    code = "strange_content"
    message = _(
        "“%(file)s” holds something that no backup of this program holds: “%(member)s”. Nothing is restored from it."
    )


class BackupUnpacksTooLarge(BackupFileRefusal):
    code = "unfolds_too_far"
    message = _(
        "“%(file)s” would unfold to %(size)s MB, which no backup of this size does. Nothing is restored from it."
    )


class BackupMadeByNewer(BackupFileRefusal):
    code = "made_by_newer"
    message = _(
        "“%(file)s” was made by a newer version of the program (%(program)s; this is %(own)s). Please restore it with "
        "that version."
    )


def inspect_backup(path: Path) -> BackupManifest:
    """A backup's manifest, if the zip's table of contents bears it out; no member is read yet.

    Raises a `Refusal` that names the file and what is wrong with it.
    """
    with _refuse_unreadable_zip(path), ZipFile(path) as packed:
        manifest = _load_manifest(path, packed)
        _check_members(path, packed.infolist(), manifest)
    return manifest


def extract_backup(path: Path, manifest: BackupManifest, folder: Path) -> None:
    """Unpack a backup into an empty folder; every byte is checked, and on the disk afterwards.

    Raises `BackupMemberWrong`, `BackupCutOff`, `NoRoomForBackup`, or `OSError` if the folder cannot be written.
    """
    require_room(folder, manifest.size)
    for name in DATA_FOLDERS:
        (folder / name).mkdir(mode=0o700, exist_ok=True)
    with _refuse_unreadable_zip(path), ZipFile(path) as packed:
        for member in manifest.members:
            if _unpack_member(packed, member, folder / member.name) != member.sha256:
                raise BackupMemberWrong(file=path.name, member=member.name)
    for name in DATA_FOLDERS:
        sync_folder(folder / name)
    sync_folder(folder)


def _unpack_member(packed: ZipFile, member: BackupFile, target: Path) -> str:
    with packed.open(member.name) as source, target.open("xb") as sink:
        target.chmod(0o600)
        digest = copy_and_hash(source, sink)
        sink.flush()
        sync_open_file(sink.fileno())
    return digest


def _load_manifest(path: Path, packed: ZipFile) -> BackupManifest:
    names = [entry for entry in packed.infolist() if entry.filename == MANIFEST_FILE]
    if len(names) != 1 or names[0].file_size > MANIFEST_BYTES or names[0].flag_bits & 1:
        raise NotABackup(file=path.name)
    try:
        return parse_manifest(json.loads(packed.read(MANIFEST_FILE)))
    except (NotAManifest, ValueError, RecursionError) as fault:
        raise NotABackup(file=path.name) from fault


def _check_members(path: Path, entries: list[ZipInfo], manifest: BackupManifest) -> None:
    """Refuse unless the zip holds what its manifest says, each member once, under names that stay in their folder."""
    stated = {member.name: member for member in manifest.members}
    found = [entry for entry in entries if entry.filename != MANIFEST_FILE]
    if len(found) > MOST_MEMBERS or len(stated) != len(manifest.members):
        raise NotABackup(file=path.name)
    for entry in found:
        is_expected = ALLOWED_MEMBER_PATTERN.fullmatch(entry.filename) and entry.filename in stated
        if not is_expected or not _is_plain_file(entry):
            raise UnexpectedBackupContent(file=path.name, member=entry.filename[:80])
        if entry.file_size > SMALL and entry.file_size > RATIO * max(entry.compress_size, 1):
            raise BackupUnpacksTooLarge(file=path.name, size=entry.file_size // 1024**2)
    there = {entry.filename: entry.file_size for entry in found}
    if len(there) != len(found) or {KEY_FILE} - there.keys() or not {DATABASE_FILE, DUMP_FILE} & there.keys():
        raise NotABackup(file=path.name)
    for name, member in stated.items():
        if there.get(name) != member.size:
            raise BackupMemberWrong(file=path.name, member=name[:80])


def _is_plain_file(entry: ZipInfo) -> bool:
    """Whether an entry is a file, not encrypted, and compressed as we do it."""
    return not entry.is_dir() and not entry.flag_bits & 1 and entry.compress_type in (ZIP_STORED, ZIP_DEFLATED)


def require_known_version(path: Path, manifest: BackupManifest) -> None:
    """Raise `BackupMadeByNewer` if a newer version has worked with the backup's data."""
    if is_newer_version(manifest.program) or find_unknown_migrations(manifest.facts.migrations):
        raise BackupMadeByNewer(file=path.name, program=manifest.program, own=get_version())


@contextmanager
def _refuse_unreadable_zip(path: Path) -> Iterator[None]:
    """Turn what reading a zip can raise into a refusal that names the file."""
    if not path.is_file():
        raise BackupFileUnreadable(file=path, reason=_("there is no such file"))
    try:
        yield
    except (BadZipFile, zlib.error, EOFError, NotImplementedError) as fault:
        with path.open("rb") as file:
            begins_like_a_zip = file.read(2) == b"PK"
        raise (BackupCutOff if begins_like_a_zip else NotABackup)(file=path.name) from fault
    except OSError as fault:
        if fault.filename != str(path):
            raise
        raise BackupFileUnreadable(file=path, reason=fault.strerror) from fault
