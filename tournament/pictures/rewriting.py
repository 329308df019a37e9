"""Pictures as they come from phones: what they really are, and the same picture without its hidden data."""

import hashlib
import io
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO

from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageOps, UnidentifiedImageError

from tournament import limits, one_at_a_time
from tournament.refusals import Refusal, Refusals

EDGE = 3200
"""Pixels of the longer edge as kept: enough to read every figure on an A4 sheet."""

QUALITY = 85
CONTENT_TYPE = "image/jpeg"
ALLOWED = ("JPEG", "PNG", "WEBP")

APPLE_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
BROKEN = (OSError, SyntaxError, ValueError, struct.error, EOFError, IndexError, KeyError, TypeError, MemoryError)
"""What the library raises on pictures that are cut off or malicious."""

SCAN = b"\xff\xda"
"""Where a JPEG's pixels begin, and each further scan of them."""

Image.MAX_IMAGE_PIXELS = None  # the limits here are lower, and say what is allowed


class PhotoRefused(Refusal):
    """A file that is not kept. `name` is what the sender called it, cut short."""

    field = "photos"


class EmptyPhoto(PhotoRefused):
    code = "photo_empty"
    message = _("“%(name)s” is empty. Take or choose the photo again.")


class PhotoTooLarge(PhotoRefused):
    code = "photo_too_large"
    message = _("“%(name)s” has %(size)s MB; at most %(limit)s MB are allowed. Choose a smaller size or crop it.")


class PhotoFromApple(PhotoRefused):
    code = "photo_heic"
    message = _(
        "“%(name)s” is a HEIC picture, which browsers do not show. Send it as JPEG: on an iPhone choose "
        "Settings, Camera, Formats, “Most Compatible”, or share the photo and take the size “Large”."
    )


class NoPicture(PhotoRefused):
    code = "photo_unknown"
    message = _("“%(name)s” is not a picture that can be kept. Allowed are JPEG, PNG and WebP.")


class BrokenPicture(PhotoRefused):
    code = "photo_broken"
    message = _("“%(name)s” cannot be read: the picture is damaged or incomplete. Take or send it again.")


class TooManyPixels(PhotoRefused):
    code = "photo_pixels"
    message = _(
        "“%(name)s” has %(width)s × %(height)s pixels. A %(kind)s picture may have %(limit)s million at most, and "
        "neither side more than %(side)s. Choose a smaller size."
    )


class SeveralPictures(PhotoRefused):
    code = "photo_frames"
    message = _("“%(name)s” holds %(count)s pictures, one after another; a photo is one. Send the pictures singly.")


class TooManyScans(PhotoRefused):
    code = "photo_scans"
    message = _(
        "“%(name)s” is a JPEG in %(count)s scans; at most %(limit)s are read. Save it as an ordinary JPEG and send "
        "that."
    )


@dataclass(frozen=True, slots=True)
class Jpeg:
    """A picture as it is kept: a JPEG of our own making."""

    content: bytes
    width: int
    height: int

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as the browser sent it, read only when its turn comes. Its name is shown and never used as one."""

    name: str
    file: IO[bytes]

    def read(self) -> bytes:
        """The file, or as much of it as shows that it is too large."""
        self.file.seek(0)
        return self.file.read(limits.PHOTO_BYTES + 1)

    @property
    def quoted(self) -> str:
        """The sender's name for it, printable and cut short."""
        shown = "".join(letter if letter.isprintable() else "�" for letter in self.name)
        return shown if len(shown) <= limits.QUOTED else f"{shown[: limits.QUOTED]}…"


def clean_all(sent: Iterable[SentFile], edge: int = EDGE) -> list[Jpeg]:
    """Each of these as `clean` makes it, all or none, while nobody else's are read.

    Raises `Refusals` with a fault for each file that is not kept, or `Busy` where others send files at the same moment.
    """
    cleaned: list[Jpeg] = []
    faults: list[Refusal] = []
    with one_at_a_time.wait_for_turn():
        for each in sent:
            try:
                cleaned.append(clean(each.quoted, each.read(), edge))
            except Refusal as fault:
                faults.append(fault)
    if faults:
        raise Refusals(faults)
    return cleaned


def clean(name: str, data: bytes, edge: int = EDGE) -> Jpeg:
    """The picture in `data`, upright, without place, time, camera or anything else hidden; `edge`: its longer side.

    Its first bytes say what it is; `name` is only for the messages. Raises a `PhotoRefused`; what the picture would
    cost to decode is looked at first.
    """
    if not data:
        raise EmptyPhoto(name=name)
    if len(data) > limits.PHOTO_BYTES:
        raise PhotoTooLarge(name=name, size=-(-len(data) // 1024**2), limit=limits.PHOTO_BYTES // 1024**2)
    if data[4:8] == b"ftyp" and data[8:12] in APPLE_BRANDS:
        raise PhotoFromApple(name=name)
    opened = _opened(name, data)
    _check_cost(name, opened, data)
    try:
        return _rewritten(opened, edge)
    except BROKEN as fault:
        raise BrokenPicture(name=name) from fault


def require_own(data: bytes, *, width: int, height: int) -> None:
    """Raise ValueError unless `data` begins as a picture that `clean` has made, of this size. Nothing is decoded."""
    try:
        opened = Image.open(io.BytesIO(data), formats=(ALLOWED[0],))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, *BROKEN) as fault:
        raise ValueError("no picture") from fault
    if opened.size != (width, height) or max(opened.size) > EDGE or opened.info.get("exif"):
        raise ValueError("another picture")


def _opened(name: str, data: bytes) -> Image.Image:
    """The picture, its size known but nothing decoded yet."""
    try:
        return Image.open(io.BytesIO(data), formats=ALLOWED)
    except UnidentifiedImageError as fault:
        raise NoPicture(name=name) from fault
    except BROKEN as fault:
        raise BrokenPicture(name=name) from fault


def _check_cost(name: str, opened: Image.Image, data: bytes) -> None:
    """Refuse what takes much memory or time to decode, by what the file's header says."""
    kind = "JPEG" if _is_jpeg(opened) else str(opened.format)
    frames = getattr(opened, "n_frames", 1)
    if frames > 1 and kind != "JPEG":  # a phone's JPEG may have a small copy behind it, which is not read
        raise SeveralPictures(name=name, count=frames)
    scans = data.count(SCAN) if kind == "JPEG" else 1
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
    """Whether a JPEG has all its colours in one scan. Any other is held in memory whole while it is decoded."""
    if not _is_jpeg(opened) or "progressive" in opened.info:
        return False
    colours = len(opened.getbands())
    segment = SCAN + struct.pack(">HB", 6 + 2 * colours, colours)
    return segment in data


def _rewritten(opened: Image.Image, edge: int) -> Jpeg:
    """The pixels alone, written anew: reduced first, since each copy of a whole photo takes much memory."""
    large = opened.width * opened.height > limits.PHOTO_DECODED
    fraction = min(1 / 2 if large else 1, edge / max(opened.size))
    smaller = (max(1, int(opened.width * fraction)), max(1, int(opened.height * fraction)))
    opened.draft("RGB", smaller)  # a JPEG is decoded smaller
    small = _smooth(opened)
    del opened
    small.thumbnail((edge, edge))
    ImageOps.exif_transpose(small, in_place=True)
    paper = _on_paper(small)
    written = io.BytesIO()
    paper.save(written, "JPEG", quality=QUALITY)
    return Jpeg(written.getvalue(), *paper.size)


def _smooth(image: Image.Image) -> Image.Image:
    """The picture with pixels that can be scaled: no palette, no single bits, no scanner's sixteen bits."""
    if image.mode.startswith("I"):
        return image.point(lambda value: value / 256).convert("L")
    return image.convert({"P": "RGBA", "PA": "RGBA", "1": "L"}[image.mode]) if image.mode in ("P", "PA", "1") else image


def _on_paper(image: Image.Image) -> Image.Image:
    """The picture without transparency and without anything that is not a pixel."""
    if not image.has_transparency_data:
        bare = image.convert("RGB")
        bare.info.clear()
        return bare
    seen = image.convert("RGBA")
    paper = Image.new("RGB", seen.size, "white")
    paper.paste(seen, mask=seen.getchannel("A"))
    return paper
