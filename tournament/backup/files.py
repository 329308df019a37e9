"""Writing files whole or not at all, and the refusals for a system that will not write them."""

import errno
import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.utils.translation import gettext_lazy as _

from tournament.basics.refusals import Refusal

BLOCK_BYTES = 1 << 20
PROBE_BYTES = 256 * 1024  # bytes that must be free for the program to start
RESERVE = 100 * 1024**2  # bytes that a backup leaves free, so that results can still be saved


class FileDamaged(OSError):
    """What was written reads back differently: the disk or the stick is failing."""


class DiskFull(Refusal, code="disk_full"):
    message = _("The disk is full: nothing more can be saved in %(folder)s. Please free some space there.")


class FolderReadOnly(Refusal, code="read_only"):
    message = _("Nothing can be saved in %(folder)s: the folder is write-protected.")


class FolderUnusable(Refusal, code="not_kept"):
    message = _("%(folder)s cannot be used (%(reason)s).")


def make_file_refusal(fault: OSError, folder: Path) -> Refusal:
    """An error of the file system as a sentence."""
    if fault.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(folder=folder)
    if fault.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return FolderReadOnly(folder=folder)
    return FolderUnusable(folder=folder, reason=fault.strerror or type(fault).__name__)


@contextmanager
def refuse_file_faults(folder: Path, database: Path | None = None) -> Iterator[None]:
    """Turn errors of the file system, and those of SQLite about a `database`, into refusals."""
    try:
        yield
    except OSError as fault:
        raise make_file_refusal(fault, folder) from fault
    except sqlite3.Error as fault:
        raise FolderUnusable(folder=database or folder, reason=fault) from fault


def require_room(folder: Path, needed: int) -> None:
    """Raise `no_room` unless the folder has room for that many bytes with `RESERVE` to spare."""
    free = shutil.disk_usage(folder).free
    if free < needed + RESERVE:
        figures = {"needed": -(-needed // 1024**2), "reserve": RESERVE // 1024**2, "free": free // 1024**2}
        raise Refusal(
            "no_room",
            _(
                "There is no room for a backup in %(folder)s: it needs %(needed)s MB and has to leave %(reserve)s MB "
                "for results, but only %(free)s MB are free."
            ),
            folder=folder,
            **figures,
        )


def require_room_in_second_place(folder: Path, needed: int) -> None:
    """Raise `no_room_there` unless that many bytes fit into a folder where no results need a reserve."""
    free = shutil.disk_usage(folder).free
    if free < needed + PROBE_BYTES:
        raise Refusal(
            "no_room_there",
            _(
                "There is no room for a backup in %(folder)s: it needs %(needed)s MB, but only %(free)s MB are free. "
                "Please free some space there."
            ),
            folder=folder,
            needed=-(-(needed + PROBE_BYTES) // 1024**2),
            free=free // 1024**2,
        )


def require_writable_folder(folder: Path) -> None:
    """Raise a `Refusal` if nothing can be written into a folder."""
    with refuse_file_faults(folder), tempfile.TemporaryFile(dir=folder) as file:
        # Written out, not only opened: a full disk or a network folder says no when the bytes arrive there.
        file.write(bytes(PROBE_BYTES))
        file.flush()
        os.fsync(file.fileno())


def make_private_folder(folder: Path) -> Path:
    """The folder, made if it is missing, for its owner alone where the system knows owners."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def create_whole_file(path: Path, content: bytes) -> None:
    """Make a file that is whole as soon as it has its name, readable by its owner only. One that is there stays: of two
    processes that start together both read the first one's. Raises `OSError`."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # mode 600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # a power cut soon after left the name of an empty file
        # A link and no renaming: that would put a second key in the place of the one which the first process has read.
        try:
            os.link(draft, path)
        except FileExistsError:
            return
        except OSError:  # a USB stick's file system may have no links; there the last process wins
            Path(draft).replace(path)
    finally:
        Path(draft).unlink(missing_ok=True)


def write_json(path: Path, value: Any) -> None:
    """Write a file by way of another beside it, so that a power cut leaves the old one or the new one whole."""
    # Under a name of its own: of two who wrote at once, one renamed the other's and the other found none to rename.
    beside = path.with_name(f"{path.name}-{secrets.token_hex(4)}.new")
    try:
        with beside.open("w", encoding="utf-8") as file:
            json.dump(value, file, ensure_ascii=False, indent=1)
            file.flush()  # what Python still holds is on no disk: the system would be asked for an empty file
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)  # where the disk is full, say
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Have the system write a file to the disk."""
    with path.open("rb+") as file:  # Windows does it only through a handle that may write
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make new names durable. Windows does that by itself, and does not let a folder be opened."""
    if os.name == "nt":
        return
    # A file that was renamed is safe only once its folder is: until then a power cut brings the old name back.
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def link_or_copy(source: Path, target: Path) -> None:
    """Give a file a second name, or copy it where the file system has no hard links."""
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)


def copy_and_hash(source: IO[bytes], sink: IO[bytes]) -> str:
    """Copy what is left to read; its SHA-256."""
    digest = hashlib.sha256()
    while block := source.read(BLOCK_BYTES):
        digest.update(block)
        sink.write(block)
    return digest.hexdigest()
