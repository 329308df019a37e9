"""Pictures as phones, scanners and pranksters send them."""

import io
import struct
import zlib
from typing import Any

from PIL import Image
from PIL.ExifTags import GPS, IFD, Base

from tournament.basics.pictures import SentFile


def sent(name: str = "a.jpg", content: bytes | None = None) -> SentFile:
    """A file as a form hands it on."""
    return SentFile(name, io.BytesIO(picture() if content is None else content))


def picture(kind: str = "JPEG", size: tuple[int, int] = (60, 40), mode: str = "RGB", **options: Any) -> bytes:
    """A picture whose left upper quarter is red, the rest white (grey levels where there is no colour)."""
    image = Image.new("RGB", size, "white")
    image.paste("red", (0, 0, size[0] // 2, size[1] // 2))
    written = io.BytesIO()
    image.convert(mode).save(written, kind, **options)
    return written.getvalue()


def from_phone() -> bytes:
    """A JPEG turned by its orientation tag, with the place where it was taken and the camera's name."""
    exif = Image.Exif()
    exif[Base.Orientation] = 6
    exif[Base.Model] = "SecretCamera 9"
    exif.get_ifd(IFD.GPSInfo)[GPS.GPSLatitude] = (50.0, 33.0, 3.0)
    return picture(exif=exif, comment=b"SecretComment")


def scanned() -> bytes:
    """A PNG of 16 bits: half dark, half bright."""
    image = Image.frombytes("I;16", (40, 20), struct.pack("<40H", *[15000] * 20, *[50000] * 20) * 20)
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A tiny PNG that claims to be huge; its pixels compress to nothing."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * 100_000, 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def moving(kind: str) -> bytes:
    """A picture of three frames."""
    frames = [Image.new("RGB", (9, 9), colour) for colour in ("red", "green", "blue")]
    written = io.BytesIO()
    frames[0].save(written, kind, save_all=True, append_images=frames[1:])
    return written.getvalue()


def many_scans() -> bytes:
    """A progressive JPEG that goes over its pixels a hundred times."""
    whole = picture(progressive=True)
    last = whole.rindex(b"\xff\xda")
    return whole[:-2] + whole[last:-2] * 100 + b"\xff\xd9"


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 64
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
TEXT = b"This is no picture, whatever its name says.\n"
