"""The uploads folder: pictures under random names, written whole or not at all, and sent as nothing else."""

import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import FileResponse, Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.pictures.rewriting import CONTENT_TYPE, Jpeg, require_own
from tournament.refusals import Refusal

ENDING = ".jpg"


class NotKept(Refusal):
    code = "not_kept"
    message = gettext_lazy("The photo could not be written to the data folder (%(fault)s). Nothing was attached.")
    field = "photos"


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


def drawn_name() -> str:
    """A name for a file, which nobody can guess."""
    return f"{secrets.token_hex(16)}{ENDING}"


def keep(picture: Jpeg) -> dict[str, Any]:
    """Keep a picture; the columns of the row that names its file. Raises `NotKept`.

    The file is written before its row: a crash in between leaves a file that nothing refers to, never a row without
    its picture.
    """
    try:
        name = write(picture.content)
    except OSError as fault:
        raise NotKept(fault=fault.strerror or type(fault).__name__) from fault
    return {
        "name": name,
        "content_type": CONTENT_TYPE,
        "size": len(picture.content),
        "width": picture.width,
        "height": picture.height,
        "sha256": picture.sha256,
    }


def keep_from_elsewhere(row: Mapping[str, Any], content: bytes) -> str:
    """Keep the picture of such a row from elsewhere. Raises ValueError if it is not one of the program's own making."""
    require_own(content, width=row["width"], height=row["height"])
    return write(content)


def write(content: bytes) -> str:
    """Keep a file and return its name; it then survives a power cut. Raises OSError, for example on a full disk."""
    name = drawn_name()
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


def response(name: str, shown_name: str) -> FileResponse:
    """The picture as a file that no browser takes for anything else. Raises Http404 where it is not there any more."""
    try:
        file = path(name).open("rb")
    except OSError as fault:
        raise Http404(_("The file of this photo is not in the data folder any more.")) from fault
    answer = FileResponse(file, content_type=CONTENT_TYPE, filename=shown_name)
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    # The laptop is the hall's, and a photo that was deleted is gone.
    answer.headers["Cache-Control"] = "private, no-store"
    return answer
