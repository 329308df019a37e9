"""Photos that people send: checked, stripped of hidden data, and kept in the uploads folder."""

import hashlib
import io
import os
import secrets
import struct
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.http import FileResponse, Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from PIL import Image, ImageOps, UnidentifiedImageError

from tournament.basics import limits
from tournament.basics.one_at_a_time import wait_for_turn
from tournament.basics.refusals import Refusal, Refusals

MAX_EDGE = 3200  # pixels of the longer edge of a kept picture: enough to read every figure on an A4 sheet

JPEG_QUALITY = 85
PHOTO_CONTENT_TYPE = "image/jpeg"
ALLOWED_FORMATS = ("JPEG", "PNG", "WEBP")

APPLE_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
BROKEN_PICTURE_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    struct.error,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    MemoryError,
)
"""What Pillow raises on truncated or malicious pictures."""

SCAN_MARKER = b"\xff\xda"  # begins each scan of a JPEG's pixels

Image.MAX_IMAGE_PIXELS = None  # our own limits are lower, and their refusals say what is allowed


class PhotoRefused(Refusal):
    """A file that is not kept. `name` is the sender's name for it, cut short."""

    field = "photos"


class EmptyPhoto(PhotoRefused):
    code = "photo_empty"
    message = gettext_lazy("“%(name)s” is empty. Take or choose the photo again.")


class PhotoTooLarge(PhotoRefused):
    code = "photo_too_large"
    message = gettext_lazy(
        "“%(name)s” has %(size)s MB; at most %(limit)s MB are allowed. Choose a smaller size or crop it."
    )


class PhotoFromApple(PhotoRefused):
    code = "photo_heic"
    message = gettext_lazy(
        "“%(name)s” is a HEIC picture, which browsers do not show. Send it as JPEG: on an iPhone choose "
        "Settings, Camera, Formats, “Most Compatible”, or share the photo and take the size “Large”."
    )


class NoPicture(PhotoRefused):
    code = "photo_unknown"
    message = gettext_lazy("“%(name)s” is not a picture that can be kept. Allowed are JPEG, PNG and WebP.")


class BrokenPicture(PhotoRefused):
    code = "photo_broken"
    message = gettext_lazy("“%(name)s” cannot be read: the picture is damaged or incomplete. Take or send it again.")


class TooManyPixels(PhotoRefused):
    code = "photo_pixels"
    message = gettext_lazy(
        "“%(name)s” has %(width)s × %(height)s pixels. A %(kind)s picture may have %(limit)s million at most, and "
        "neither side more than %(side)s. Choose a smaller size."
    )


class SeveralPictures(PhotoRefused):
    code = "photo_frames"
    message = gettext_lazy(
        "“%(name)s” holds %(count)s pictures, one after another; a photo is one. Send the pictures singly."
    )


class TooManyScans(PhotoRefused):
    code = "photo_scans"
    message = gettext_lazy(
        "“%(name)s” is a JPEG in %(count)s scans; at most %(limit)s are read. Save it as an ordinary JPEG and send "
        "that."
    )


@dataclass(frozen=True, slots=True)
class Jpeg:
    """A picture as it is kept: a JPEG that this module wrote."""

    content: bytes
    width: int
    height: int

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file that the browser sent, read only when its turn comes. Its name is shown, never used as a path."""

    name: str
    file: IO[bytes]

    def read(self) -> bytes:
        """The content, or enough of it to see that it is too large."""
        self.file.seek(0)
        return self.file.read(limits.PHOTO_BYTES + 1)

    @property
    def quoted(self) -> str:
        """The sender's name for it, printable and cut short."""
        shown = "".join(letter if letter.isprintable() else "�" for letter in self.name)
        return shown if len(shown) <= limits.QUOTED_TEXT else f"{shown[: limits.QUOTED_TEXT]}…"


def clean_photos(sent: Iterable[SentFile], edge: int = MAX_EDGE) -> list[Jpeg]:
    """Each file as `clean_photo` makes it, all or none.

    Raises `Refusals` with a fault for each file that is not kept, or `ReadingBusy` if others' files take too long.
    """
    cleaned: list[Jpeg] = []
    faults: list[Refusal] = []
    with wait_for_turn():
        for each in sent:
            try:
                cleaned.append(clean_photo(each.quoted, each.read(), edge))
            except Refusal as fault:
                faults.append(fault)
    if faults:
        raise Refusals(faults)
    return cleaned


def clean_photo(name: str, data: bytes, edge: int = MAX_EDGE) -> Jpeg:
    """The picture in `data`, upright, its longer side at most `edge` pixels, without place, time or other hidden data.

    Its first bytes say what it is; `name` is only for messages. Raises a `PhotoRefused`, before anything is decoded if
    that would cost too much.
    """
    if not data:
        raise EmptyPhoto(name=name)
    if len(data) > limits.PHOTO_BYTES:
        raise PhotoTooLarge(name=name, size=-(-len(data) // 1024**2), limit=limits.PHOTO_BYTES // 1024**2)
    if data[4:8] == b"ftyp" and data[8:12] in APPLE_BRANDS:
        raise PhotoFromApple(name=name)
    opened = _open_photo(name, data)
    _check_cost(name, opened, data)
    try:
        return _rewrite_pixels(opened, edge)
    except BROKEN_PICTURE_ERRORS as fault:
        raise BrokenPicture(name=name) from fault


def require_own_picture(data: bytes, *, width: int, height: int) -> None:
    """Raise ValueError unless `data` begins like a picture that `clean_photo` made, of this size. Decodes nothing."""
    try:
        opened = Image.open(io.BytesIO(data), formats=(ALLOWED_FORMATS[0],))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, *BROKEN_PICTURE_ERRORS) as fault:
        raise ValueError("no picture") from fault
    if opened.size != (width, height) or max(opened.size) > MAX_EDGE or opened.info.get("exif"):
        raise ValueError("another picture")


def _open_photo(name: str, data: bytes) -> Image.Image:
    """The picture with its size known but nothing decoded."""
    try:
        return Image.open(io.BytesIO(data), formats=ALLOWED_FORMATS)
    except UnidentifiedImageError as fault:
        raise NoPicture(name=name) from fault
    except BROKEN_PICTURE_ERRORS as fault:
        raise BrokenPicture(name=name) from fault


def _check_cost(name: str, opened: Image.Image, data: bytes) -> None:
    """Refuse a picture whose header says that it takes too much memory or time to decode."""
    kind = "JPEG" if _is_jpeg(opened) else str(opened.format)
    frames = getattr(opened, "n_frames", 1)
    if frames > 1 and kind != "JPEG":  # a phone's JPEG may hold a small copy too, which is not read
        raise SeveralPictures(name=name, count=frames)
    scans = data.count(SCAN_MARKER) if kind == "JPEG" else 1
    if scans > limits.PHOTO_SCANS:
        raise TooManyScans(name=name, count=scans, limit=limits.PHOTO_SCANS)
    limit = limits.PHOTO_PIXELS[kind if _is_decoded_by_rows(opened, data) or kind != "JPEG" else "progressive JPEG"]
    side = limits.PHOTO_SIDE
    if opened.width * opened.height > limit or max(opened.size) > side:
        figures = {"width": opened.width, "height": opened.height, "limit": limit // 10**6, "side": side}
        raise TooManyPixels(name=name, kind=kind, **figures)


def _is_jpeg(opened: Image.Image) -> bool:
    return opened.format in {"JPEG", "MPO"}


def _is_decoded_by_rows(opened: Image.Image, data: bytes) -> bool:
    """Whether a JPEG has all its colours in one scan; any other is held in memory whole while it is decoded."""
    if not _is_jpeg(opened) or "progressive" in opened.info:
        return False
    colours = len(opened.getbands())
    segment = SCAN_MARKER + struct.pack(">HB", 6 + 2 * colours, colours)
    return segment in data


def _rewrite_pixels(opened: Image.Image, edge: int) -> Jpeg:
    """The pixels alone, written again; made smaller first, since each copy of a whole photo takes much memory."""
    large = opened.width * opened.height > limits.PHOTO_DECODED
    fraction = min(1 / 2 if large else 1, edge / max(opened.size))
    smaller = (max(1, int(opened.width * fraction)), max(1, int(opened.height * fraction)))
    opened.draft("RGB", smaller)  # decodes a JPEG at a smaller size
    small = _make_scalable(opened)
    del opened
    small.thumbnail((edge, edge))
    ImageOps.exif_transpose(small, in_place=True)
    paper = _remove_transparency(small)
    written = io.BytesIO()
    paper.save(written, "JPEG", quality=JPEG_QUALITY)
    return Jpeg(written.getvalue(), *paper.size)


def _make_scalable(image: Image.Image) -> Image.Image:
    """The picture in a mode that can be scaled: no palette, no single bits, no sixteen bits of a scanner."""
    if image.mode.startswith("I"):
        return image.point(lambda value: value / 256).convert("L")
    return image.convert({"P": "RGBA", "PA": "RGBA", "1": "L"}[image.mode]) if image.mode in ("P", "PA", "1") else image


def _remove_transparency(image: Image.Image) -> Image.Image:
    """The picture on white, without metadata."""
    if not image.has_transparency_data:
        bare = image.convert("RGB")
        bare.info.clear()
        return bare
    seen = image.convert("RGBA")
    paper = Image.new("RGB", seen.size, "white")
    paper.paste(seen, mask=seen.getchannel("A"))
    return paper


# The uploads folder: pictures under random names, written whole or not at all, and served only as pictures.

PHOTO_SUFFIX = ".jpg"


class PhotoNotStored(Refusal):
    code = "not_kept"
    message = gettext_lazy("The photo could not be written to the data folder (%(fault)s). Nothing was attached.")
    field = "photos"


def get_uploads_folder() -> Path:
    """Where uploads are kept; made if it is missing."""
    uploads = Path(settings.DATA_DIR) / "uploads"
    uploads.mkdir(parents=True, exist_ok=True)
    return uploads


def get_upload_path(name: str) -> Path:
    """The path of an upload. Raises ValueError for a name that leads out of the folder."""
    if Path(name).name != name or name in ("", ".", ".."):
        raise ValueError(f"not a name that the program draws: {name!r}")
    return get_uploads_folder() / name


def make_file_name() -> str:
    """A file name that nobody can guess."""
    return f"{secrets.token_hex(16)}{PHOTO_SUFFIX}"


def store_picture(picture: Jpeg) -> dict[str, Any]:
    """Keep a picture and return the columns of the row that names its file. Raises `PhotoNotStored`.

    The file is written before its row, so a crash can leave a file without a row, never a row without a file.
    """
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
    handle, written = tempfile.mkstemp(prefix="incoming-", dir=get_uploads_folder())
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(written).replace(get_upload_path(name))
    except BaseException:
        Path(written).unlink(missing_ok=True)
        raise
    _sync_folder()
    return name


def remove_upload(name: str) -> None:
    """Remove a file, if it is still there."""
    get_upload_path(name).unlink(missing_ok=True)


def _sync_folder() -> None:
    """Make the new name durable. Windows does so by itself, and does not let a folder be opened."""
    if os.name == "nt":
        return
    handle = os.open(get_uploads_folder(), os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def build_picture_response(name: str, shown_name: str) -> FileResponse:
    """The picture, served so that no browser takes it for anything else. Raises Http404 if the file is gone."""
    try:
        file = get_upload_path(name).open("rb")
    except OSError as fault:
        raise Http404(_("The file of this photo is not in the data folder any more.")) from fault
    answer = FileResponse(file, content_type=PHOTO_CONTENT_TYPE, filename=shown_name)
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    # Others use the hall's laptop too, and a deleted photo must be gone.
    answer.headers["Cache-Control"] = "private, no-store"
    return answer
