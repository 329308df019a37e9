"""Photos that people send: refused with a reason, or kept under random names and served only as pictures."""

import os
import secrets
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.http import FileResponse, Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.basics import limits
from tournament.basics.one_at_a_time import wait_for_turn
from tournament.basics.pixels import MAX_EDGE, Jpeg, PictureFault, PictureProcess, require_own_picture
from tournament.basics.refusals import Refusal, Refusals

PHOTO_CONTENT_TYPE = "image/jpeg"

FAULT_MESSAGES = {
    "photo_empty": gettext_lazy("“%(name)s” is empty. Take or choose the photo again."),
    "photo_too_large": gettext_lazy(
        "“%(name)s” has %(size)s MB; at most %(limit)s MB are allowed. Choose a smaller size or crop it."
    ),
    "photo_heic": gettext_lazy(
        "“%(name)s” is a HEIC picture, which browsers do not show. Send it as JPEG: on an iPhone choose "
        "Settings, Camera, Formats, “Most Compatible”, or share the photo and take the size “Large”."
    ),
    "photo_unknown": gettext_lazy("“%(name)s” cannot be kept. Send a JPEG, PNG or WebP picture."),
    "photo_broken": gettext_lazy(
        "“%(name)s” cannot be read: the picture is damaged or incomplete. Take or send it again."
    ),
    "photo_pixels": gettext_lazy(
        "“%(name)s” has %(width)s × %(height)s pixels. A %(kind)s picture may have %(limit)s million at most, and "
        "neither side more than %(side)s. Choose a smaller size."
    ),
    "photo_frames": gettext_lazy(
        "“%(name)s” contains %(count)s pictures in a row; a photo is a single one. Send the pictures one by one."
    ),
    "photo_scans": gettext_lazy(
        "“%(name)s” is a JPEG in %(count)s scans; at most %(limit)s are read. Save it as an ordinary JPEG and send "
        "that."
    ),
}
"""Why a file is not kept, by code; `name` is the sender's name for it, cut short."""


class PhotoRefused(Refusal):
    """A file that is not kept."""

    field = "photos"

    def __init__(self, name: str, fault: PictureFault) -> None:
        super().__init__(name=name, **fault.figures)
        self.code, self.message = fault.code, FAULT_MESSAGES[fault.code]


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file that the browser sent, read only when its turn comes. Its name is shown, never used as a path."""

    name: str
    file: IO[bytes]

    @property
    def quoted(self) -> str:
        """The sender's name for it, printable and cut short."""
        printable = "".join(letter if letter.isprintable() else "�" for letter in self.name)
        return printable if len(printable) <= limits.QUOTED_TEXT else f"{printable[: limits.QUOTED_TEXT]}…"


def clean_photos(sent: Iterable[SentFile], edge: int = MAX_EDGE) -> list[Jpeg]:
    """Each file as `rewrite_picture` makes it, all or none. Raises `Refusals` with a fault for each file that is not
    kept, or `ReadingBusy` if others' files take too long."""
    photos = rewrite_photos(sent, edge)
    refusals: list[Refusal] = [photo for photo in photos if isinstance(photo, PhotoRefused)]
    if refusals:
        raise Refusals(refusals)
    return [photo for photo in photos if isinstance(photo, Jpeg)]


def rewrite_photos(sent: Iterable[SentFile], edge: int) -> list[Jpeg | PhotoRefused]:
    """Each file as `rewrite_picture` makes it, or why it is not kept. Raises `ReadingBusy`."""
    photos: list[Jpeg | PhotoRefused] = []
    with wait_for_turn(), PictureProcess() as process:
        for file in sent:
            try:
                photos.append(process.rewrite(file.file, edge))
            except PictureFault as fault:
                # Kept as a value, never raised here: it holds no traceback, and so no frame with a file in it.
                photos.append(PhotoRefused(file.quoted, fault))
    return photos


def read_codes(sent: Iterable[SentFile]) -> list[str]:
    """What the QR codes in these files say. Raises `Refusals` for files that are no pictures, or `ReadingBusy`."""
    codes: list[str] = []
    refused: list[Refusal] = []
    with wait_for_turn(), PictureProcess() as process:
        for file in sent:
            try:
                codes += process.read_codes(file.file)
            except PictureFault as fault:
                refused.append(PhotoRefused(file.quoted, fault))
    if refused:
        raise Refusals(refused)
    return codes


# The uploads folder: pictures under random names, written whole or not at all, and served only as pictures.

PHOTO_SUFFIX = ".jpg"
UPLOADS_FOLDER = "uploads"
INCOMING_PREFIX = "incoming-"  # of files that are still being written


class PhotoNotStored(Refusal, code="not_kept", field="photos"):
    message = gettext_lazy("The photo could not be written to the data folder (%(fault)s). Nothing was attached.")


def get_uploads_folder() -> Path:
    """Where uploads are kept; made if it is missing."""
    uploads = Path(settings.DATA_DIR) / UPLOADS_FOLDER
    uploads.mkdir(parents=True, exist_ok=True)
    return uploads


def get_upload_path(name: str) -> Path:
    """The path of an upload. Raises ValueError for a name that leads out of the folder."""
    # Names come from rows, and rows from archives and states of mirrors: one with a slash would lead out of the folder.
    if Path(name).name != name or name in ("", ".", ".."):
        raise ValueError(f"not a name that the program draws: {name!r}")
    return get_uploads_folder() / name


def make_file_name() -> str:
    """A file name that nobody can guess."""
    return f"{secrets.token_hex(16)}{PHOTO_SUFFIX}"


def store_picture(picture: Jpeg) -> dict[str, Any]:
    """Keep a picture and return the columns of the row that names its file. Raises `PhotoNotStored`. The file is
    written before its row, so a crash can leave a file without a row, never a row without a file."""
    try:
        name = store_file(picture.content)
    except OSError as fault:
        raise PhotoNotStored(fault=fault.strerror or type(fault).__name__) from fault
    return {
        "name": name,
        "content_type": PHOTO_CONTENT_TYPE,
        "size": len(picture.content),
        "width": picture.width,
        "height": picture.height,
        "sha256": picture.sha256,
    }


def store_foreign_picture(row: Mapping[str, Any], content: bytes) -> str:
    """Keep the picture of a row that was read in. Raises ValueError unless this program made the picture."""
    require_own_picture(content, width=row["width"], height=row["height"])
    return store_file(content)


def store_file(content: bytes) -> str:
    """Keep a file durably and return its name. Raises OSError, on a full disk for example."""
    name = make_file_name()
    handle, written = tempfile.mkstemp(prefix=INCOMING_PREFIX, dir=get_uploads_folder())
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(written).replace(get_upload_path(name))
    except BaseException:
        # Also after Ctrl+C: under its first name the file would lie there until the next start.
        Path(written).unlink(missing_ok=True)
        raise
    # The new name is made durable. Windows does so by itself, and does not let a folder be opened.
    if os.name != "nt":
        handle = os.open(get_uploads_folder(), os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    return name


def remove_upload(name: str) -> None:
    """Remove a file, if it is still there."""
    get_upload_path(name).unlink(missing_ok=True)


def build_picture_response(name: str, shown_name: str) -> FileResponse:
    """The picture, served so that no browser takes it for anything else. Raises Http404 if the file is gone."""
    try:
        file = get_upload_path(name).open("rb")
    except OSError as fault:
        raise Http404(_("The file of this photo is no longer in the data folder.")) from fault
    answer = FileResponse(file, content_type=PHOTO_CONTENT_TYPE, filename=shown_name)
    answer.headers["X-Content-Type-Options"] = "nosniff"
    # Opened by itself a picture is a page of ours: whatever a browser might find in it must not run as one.
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    # Others use the hall's laptop too, and a deleted photo must be gone.
    answer.headers["Cache-Control"] = "private, no-store"
    return answer
