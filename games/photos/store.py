"""The uploads folder: files under random names, written whole or not at all."""

import os
import secrets
import tempfile
from pathlib import Path

from django.conf import settings


def folder() -> Path:
    """Where uploads are kept; made when it is first asked for."""
    uploads = Path(settings.DATA_DIR) / "uploads"
    uploads.mkdir(parents=True, exist_ok=True)
    return uploads


def path(name: str) -> Path:
    """Where the file of that name is. Raises ValueError for a name that leads out of the folder."""
    if Path(name).name != name or name in ("", ".", ".."):
        raise ValueError(f"not a name that the program draws: {name!r}")
    return folder() / name


def drawn_name(ending: str) -> str:
    """A name for a file, which nobody can guess."""
    return f"{secrets.token_hex(16)}{ending}"


def write(content: bytes, ending: str) -> str:
    """Keep a file and return its name; it then survives a power cut. Raises OSError, for example on a full disk."""
    name = drawn_name(ending)
    handle, written = tempfile.mkstemp(prefix="incoming-", dir=folder())
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(written).replace(path(name))
    except BaseException:
        Path(written).unlink(missing_ok=True)
        raise
    _sync_folder()
    return name


def remove(name: str) -> None:
    """Remove a file; nothing happens if it is gone already."""
    path(name).unlink(missing_ok=True)


def _sync_folder() -> None:
    """Make the new name durable. Windows does that by itself, and does not let a folder be opened."""
    if os.name == "nt":
        return
    handle = os.open(folder(), os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
