"""Pictures as they come from phones: what they really are, and the same picture without its hidden data."""

import io
import struct
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageOps, UnidentifiedImageError

from games import limits
from tournament.refusals import Refusal

EDGE = 3200
"""Pixels of the longer edge as kept: enough to read every figure on an A4 sheet."""

QUALITY = 85
CONTENT_TYPE = "image/jpeg"
ALLOWED = ("JPEG", "PNG", "WEBP")

APPLE_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
BROKEN = (OSError, SyntaxError, ValueError, struct.error, EOFError, IndexError, KeyError, TypeError, MemoryError)
"""What the library raises on pictures that are cut off or malicious."""


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
    message = _("“%(name)s” has more pixels than allowed: at most %(limit)s million. Choose a smaller size.")


@dataclass(frozen=True, slots=True)
class Jpeg:
    """A picture as it is kept: a JPEG of our own making."""

    content: bytes
    width: int
    height: int


def clean(name: str, data: bytes) -> Jpeg:
    """The picture in `data`, upright, no larger than needed and without place, time, camera or anything else hidden.

    Its first bytes say what it is; `name` is only for the messages. Raises a `PhotoRefused`.
    """
    if not data:
        raise EmptyPhoto(name=name)
    if len(data) > limits.PHOTO_BYTES:
        raise PhotoTooLarge(name=name, size=-(-len(data) // 1024**2), limit=limits.PHOTO_BYTES // 1024**2)
    if data[4:8] == b"ftyp" and data[8:12] in APPLE_BRANDS:
        raise PhotoFromApple(name=name)
    opened = _opened(name, data)
    if opened.width * opened.height > limits.PHOTO_PIXELS:
        raise TooManyPixels(name=name, limit=limits.PHOTO_PIXELS // 10**6)
    try:
        return _rewritten(opened)
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
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as fault:
        raise TooManyPixels(name=name, limit=limits.PHOTO_PIXELS // 10**6) from fault
    except UnidentifiedImageError as fault:
        raise NoPicture(name=name) from fault
    except BROKEN as fault:
        raise BrokenPicture(name=name) from fault


def _rewritten(opened: Image.Image) -> Jpeg:
    """The pixels alone, written anew: reduced first, since each copy of a whole photo takes much memory."""
    opened.draft("RGB", (EDGE, EDGE))  # a large JPEG is decoded at a fraction of its size
    small = _smooth(opened)
    small.thumbnail((EDGE, EDGE))
    seen = ImageOps.exif_transpose(small).convert("RGBA")
    paper = Image.new("RGB", seen.size, "white")
    paper.paste(seen, mask=seen.getchannel("A"))
    written = io.BytesIO()
    paper.save(written, "JPEG", quality=QUALITY, optimize=True)
    return Jpeg(written.getvalue(), *paper.size)


def _smooth(image: Image.Image) -> Image.Image:
    """The picture with pixels that can be scaled: no palette, no single bits, no scanner's sixteen bits."""
    if image.mode.startswith("I"):
        return image.point(lambda value: value / 256).convert("L")
    return image.convert({"P": "RGBA", "PA": "RGBA", "1": "L"}[image.mode]) if image.mode in ("P", "PA", "1") else image
