"""A copy of the data packed into one file, which is read again before it counts."""

import hashlib
import json
import secrets
from dataclasses import replace
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from tournament.laptop.backup import files
from tournament.laptop.backup.copying import Copy
from tournament.laptop.backup.places import MANIFEST
from tournament.laptop.backup.values import BackupFile, BackupManifest

PACKED_ALREADY = (".jpg", ".pgdump")
LEVEL = 1
"""The fastest compression: a word list or a journal still shrinks to a quarter."""


class Damaged(OSError):
    """What was written reads differently: the disk or the stick is failing."""


def pack(copy: Copy, manifest: BackupManifest, target: Path) -> BackupManifest:
    """Write everything into one file, read it again, and only then give it its name; the manifest as it stands there.

    Raises `OSError`; then nothing of the file is left.
    """
    part = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")  # one that a crash has left may lie there
    try:
        whole = _write(copy, manifest, part)
        _read_again(part, whole)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    files.sync_folder(target.parent)
    return whole


def _write(copy: Copy, manifest: BackupManifest, part: Path) -> BackupManifest:
    with part.open("xb") as raw:
        part.chmod(0o600)
        with ZipFile(raw, "w", strict_timestamps=False) as packed:
            members = tuple(_add(packed, copy.folder, path) for path in copy.files())
            whole = replace(manifest, members=members)
            packed.writestr(MANIFEST, json.dumps(whole.as_json(), ensure_ascii=False, indent=1), ZIP_DEFLATED)
        raw.flush()
        files.sync(raw.fileno())
    return whole


def _add(packed: ZipFile, folder: Path, path: Path) -> BackupFile:
    name = path.relative_to(folder).as_posix()
    entry = ZipInfo.from_file(path, name, strict_timestamps=False)
    entry.compress_type = ZIP_STORED if path.suffix in PACKED_ALREADY else ZIP_DEFLATED
    entry._compresslevel = LEVEL  # type: ignore[attr-defined]  # the only way to say so of an entry that is written in blocks
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as source, packed.open(entry, "w", force_zip64=True) as sink:
        while block := source.read(files.BLOCK):
            digest.update(block)
            size += len(block)
            sink.write(block)
    return BackupFile(name, size, digest.hexdigest())


def _read_again(part: Path, manifest: BackupManifest) -> None:
    with ZipFile(part) as packed:
        for member in manifest.members:
            with packed.open(member.name) as file:
                if files.sha256_of(file) != member.sha256:  # type: ignore[arg-type]  # it reads as a file does
                    raise Damaged(0, f"{member.name} ≠")
