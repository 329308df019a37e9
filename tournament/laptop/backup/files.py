"""Files written whole or not at all, and what the system says when it will not write."""

import errno
import hashlib
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

from django.utils.translation import gettext_lazy as _

from tournament.refusals import Refusal

BLOCK = 1 << 20
PROBE = 256 * 1024
"""Bytes that must fit for the program to start."""
RESERVE = 100 * 1024**2
"""Bytes that a backup leaves free, so that results can still be saved."""


class DiskFull(Refusal):
    code = "disk_full"
    message = _("The disk is full: nothing more can be saved in %(folder)s. Please make room there.")


class ReadOnly(Refusal):
    code = "read_only"
    message = _("Nothing can be saved in %(folder)s: the folder is write-protected.")


class NotKept(Refusal):
    code = "not_kept"
    message = _("%(folder)s cannot be used (%(reason)s).")


class NoRoomThere(Refusal):
    code = "no_room_there"
    message = _(
        "There is no room for a backup in %(folder)s: it needs %(needed)s MB, but only %(free)s MB are free. Please "
        "make room there."
    )


class NoRoom(Refusal):
    code = "no_room"
    message = _(
        "There is no room for a backup in %(folder)s: it needs %(needed)s MB and has to leave %(reserve)s MB for "
        "results, but only %(free)s MB are free."
    )


def refusal(fault: OSError, folder: Path) -> Refusal:
    """An error of the file system as a sentence."""
    if fault.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(folder=folder)
    if fault.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return ReadOnly(folder=folder)
    return NotKept(folder=folder, reason=fault.strerror or type(fault).__name__)


def require_room(folder: Path, needed: int) -> None:
    """Raise `NoRoom` unless so many bytes fit into the folder and `RESERVE` is left."""
    free = shutil.disk_usage(folder).free
    if free < needed + RESERVE:
        figures = {"needed": -(-needed // 1024**2), "reserve": RESERVE // 1024**2, "free": free // 1024**2}
        raise NoRoom(folder=folder, **figures)


def require_room_there(folder: Path, needed: int) -> None:
    """Raise `NoRoomThere` unless so many bytes fit into a folder in which nobody else has to save anything."""
    free = shutil.disk_usage(folder).free
    if free < needed + PROBE:
        figures = {"needed": -(-(needed + PROBE) // 1024**2), "free": free // 1024**2}
        raise NoRoomThere(folder=folder, **figures)


def require_writable(folder: Path) -> None:
    """Raise what keeps a folder from being written to."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(PROBE))
            file.flush()
            sync(file.fileno())
    except OSError as fault:
        raise refusal(fault, folder) from fault


def make_private(folder: Path) -> Path:
    """The folder, made if need be, for its owner alone where the system knows owners."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def write_json(path: Path, value: Any) -> None:
    """Write a file by way of another beside it; it then survives a power cut."""
    beside = path.with_name(f"{path.name}.new")
    with beside.open("w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=1)
        sync(file.fileno())
    beside.replace(path)
    sync_folder(path.parent)


def sync(handle: int) -> None:
    """Have the system write an open file to the disk."""
    os.fsync(handle)


def sync_file(path: Path) -> None:
    """Have the system write a file to the disk."""
    with path.open("rb+") as file:
        sync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make new names durable. Windows does that by itself, and does not let a folder be opened."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def link_or_copy(source: Path, target: Path) -> None:
    """The same file under another name; copied where the file system knows no links."""
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)


def sha256_of(file: BinaryIO) -> str:
    """The fingerprint of what is left to read."""
    digest = hashlib.sha256()
    while block := file.read(BLOCK):
        digest.update(block)
    return digest.hexdigest()


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder and below."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
