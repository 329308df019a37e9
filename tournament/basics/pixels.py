"""A picture from a phone, decoded and written anew in a process of its own. A decoded photo takes up to 200 MB,
which the server would keep; a process gives all of it back when it ends, and a decoder that crashes takes nothing else
along. It imports no Django and none of the rules, so that it starts in a tenth of a second. What QR codes say is read
there, too."""

import hashlib
import io
import json
import os
import shutil
import struct
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import IO, Any, Self

from PIL import Image, ImageOps, UnidentifiedImageError

from tournament.basics import limits
from tournament.basics.program import PROGRAM_FOLDER

MAX_EDGE = 3200  # pixels of the longer edge as kept: enough to read every figure on an A4 sheet

JPEG_QUALITY = 85
ALLOWED_FORMATS = ("JPEG", "PNG", "WEBP")
JPEG_FORMATS = ("JPEG", "MPO")  # a phone's JPEG with a small copy behind it is an MPO to Pillow

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
"""What the library raises on pictures that are cut off or malicious."""

SCAN_MARKER = b"\xff\xda"  # where a JPEG's pixels begin, and each further scan of them

SECONDS_FOR_ONE = 60  # A picture that takes longer is not read; the limits here allow some two seconds

QUESTION = struct.Struct(">II")
"""Before each file that the process is sent: its bytes, and the longer edge wanted in pixels, or `READ_CODES`."""

READ_CODES = 0  # instead of an edge: the texts of the QR codes in the picture are wanted, and no picture

MOST_CODES, LONGEST_CODE = 8, 1_000  # of one picture; letters of each

ANSWER = struct.Struct(">II")  # before each answer: the bytes of its figures as JSON, and of the picture

Image.MAX_IMAGE_PIXELS = None  # the limits here are lower, and say what is allowed


@dataclass(frozen=True, slots=True)
class Jpeg:
    """A picture as it is kept: a JPEG of our own making."""

    content: bytes
    width: int
    height: int

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


class PictureFault(Exception):
    """A file that is not kept: a code of `pictures.FAULT_MESSAGES`, and the figures of its message."""

    def __init__(self, code: str, **figures: Any) -> None:
        super().__init__(code, figures)
        self.code, self.figures = code, figures


class PictureProcess:
    """Rewrites pictures, one after another, in a process that ends with the `with` block."""

    def __enter__(self) -> Self:
        self._process = self._start()
        return self

    def __exit__(self, *_raised: object) -> None:
        self._end()

    def rewrite(self, file: IO[bytes], edge: int = MAX_EDGE) -> Jpeg:
        """`rewrite_picture`, done there; the file goes over in pieces, so that it is never held here. A picture on
        which the process crashes or stands still is a broken one."""
        figures, content = self._answer(file, edge)
        return Jpeg(content, **figures)

    def read_codes(self, file: IO[bytes]) -> list[str]:
        """`find_codes`, done there."""
        figures, _none = self._answer(file, READ_CODES)
        return list(figures["codes"])

    def _answer(self, file: IO[bytes], edge: int) -> tuple[dict[str, Any], bytes]:
        """The process's answer about a file: its figures and its picture. Raises `PictureFault`."""
        size = file.seek(0, os.SEEK_END)
        if size > limits.PHOTO_BYTES:
            raise PictureFault("photo_too_large", size=-(-size // 1024**2), limit=limits.PHOTO_BYTES // 1024**2)
        # The decoder is C code fed by strangers: it cannot be interrupted from Python, so it has a process of its own
        # that can be ended.
        watch = threading.Timer(SECONDS_FOR_ONE, self._process.kill)
        watch.start()
        try:
            figures, content = self._ask(file, size, edge)
        except (OSError, EOFError):
            self._end()
            self._process = self._start()  # the pictures behind this one are not to blame
            raise PictureFault("photo_broken") from None
        finally:
            watch.cancel()
        if "code" in figures:
            raise PictureFault(**figures)
        return figures, content

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "tournament.basics.pixels"]
        return subprocess.Popen(  # noqa: S603  # our own module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=PROGRAM_FOLDER
        )

    def _end(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _ask(self, file: IO[bytes], size: int, edge: int) -> tuple[dict[str, Any], bytes]:
        """Send a file to the process; return the figures and the picture of the answer. Raises `OSError` or `EOFError`
        if the process ends."""
        questions, answers = self._process.stdin, self._process.stdout
        assert questions is not None
        assert answers is not None
        file.seek(0)
        questions.write(QUESTION.pack(size, edge))
        shutil.copyfileobj(file, questions)
        questions.flush()
        figures_size, picture_size = ANSWER.unpack(_read_exactly(answers, ANSWER.size))
        figures: dict[str, Any] = json.loads(_read_exactly(answers, figures_size))
        return figures, _read_exactly(answers, picture_size)


def answer_questions(asked: IO[bytes], answers: IO[bytes]) -> None:
    """The work of the process: rewrite each file that comes in, until none comes any more."""
    while head := asked.read(QUESTION.size):
        size, edge = QUESTION.unpack(head)
        data = _read_exactly(asked, size)
        figures: dict[str, Any]
        try:
            if edge == READ_CODES:
                figures, content = {"codes": find_codes(data)}, b""
            else:
                picture = rewrite_picture(data, edge)
                figures, content = {"width": picture.width, "height": picture.height}, picture.content
        except PictureFault as fault:
            figures, content = {"code": fault.code, **fault.figures}, b""
        written = json.dumps(figures).encode()
        answers.write(ANSWER.pack(len(written), len(content)) + written + content)
        answers.flush()


def _read_exactly(file: IO[bytes], size: int) -> bytes:
    """Read exactly `size` bytes. Raises EOFError if the other side ends before."""
    data = file.read(size)
    if len(data) < size:
        raise EOFError
    return data


def rewrite_picture(data: bytes, edge: int = MAX_EDGE) -> Jpeg:
    """The picture in `data`, upright, without place, time, camera or anything else hidden. `edge`: the longer side at
    most, in pixels. Its first bytes say what it is. Raises `PictureFault`; what the picture would cost to decode is
    looked at first."""
    opened = _open_affordable(data)
    try:
        return _rewrite_pixels(opened, edge)
    except BROKEN_PICTURE_ERRORS:
        raise PictureFault("photo_broken") from None


def find_codes(data: bytes) -> list[str]:
    """What the QR codes in the picture say, each once. Raises `PictureFault`, as `rewrite_picture` does."""
    import zxingcpp  # noqa: PLC0415  # seldom needed

    opened = _open_affordable(data)
    try:
        grey = _remove_transparency(_scale_pixels(opened, MAX_EDGE)).convert("L")
    except BROKEN_PICTURE_ERRORS:
        raise PictureFault("photo_broken") from None
    codes = zxingcpp.read_barcodes(grey, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode))
    return list(dict.fromkeys(code.text[:LONGEST_CODE] for code in codes[:MOST_CODES]))


def _open_affordable(data: bytes) -> Image.Image:
    """The picture, its size known but nothing decoded yet. Raises `PictureFault` for what is none, or costs too
    much."""
    if not data:
        raise PictureFault("photo_empty")
    if data[4:8] == b"ftyp" and data[8:12] in APPLE_BRANDS:
        # Told apart from other unknown files: it is what every iPhone takes, and there is a way to send it otherwise.
        raise PictureFault("photo_heic")
    opened = _open_photo(data)
    # What takes much memory or time to decode is refused by what the file's header says.
    kind = "JPEG" if opened.format in JPEG_FORMATS else str(opened.format)
    frames = getattr(opened, "n_frames", 1)
    if frames > 1 and kind != "JPEG":  # a phone's JPEG may have a small copy behind it, which is not read
        raise PictureFault("photo_frames", count=frames)
    scans = data.count(SCAN_MARKER) if kind == "JPEG" else 1
    # A JPEG of 5,000 scans took minutes to decode, a PNG of 64 million pixels cost 400 MB, and
    # twenty-four phones at once thirteen gigabytes.
    if scans > limits.PHOTO_SCANS:
        raise PictureFault("photo_scans", count=scans, limit=limits.PHOTO_SCANS)
    limit = limits.PHOTO_PIXELS[kind if _is_decoded_by_rows(opened, data) or kind != "JPEG" else "progressive JPEG"]
    side = limits.PHOTO_SIDE
    if opened.width * opened.height > limit or max(opened.size) > side:
        figures = {"width": opened.width, "height": opened.height, "limit": limit // 10**6, "side": side}
        raise PictureFault("photo_pixels", kind=kind, **figures)
    return opened


def require_own_picture(data: bytes, *, width: int, height: int) -> None:
    """Raise ValueError unless `data` begins as a picture made here, of this size. Nothing is decoded."""
    try:
        opened = Image.open(io.BytesIO(data), formats=(ALLOWED_FORMATS[0],))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, *BROKEN_PICTURE_ERRORS) as fault:
        raise ValueError("no picture") from fault
    if opened.size != (width, height) or max(opened.size) > MAX_EDGE or opened.info.get("exif"):
        raise ValueError("another picture")


def _open_photo(data: bytes) -> Image.Image:
    """The picture, its size known but nothing decoded yet."""
    try:
        # Only these formats: each further one is a decoder in C to which strangers could send what they like.
        return Image.open(io.BytesIO(data), formats=ALLOWED_FORMATS)
    except UnidentifiedImageError:
        raise PictureFault("photo_unknown") from None
    except BROKEN_PICTURE_ERRORS:
        raise PictureFault("photo_broken") from None


def _is_decoded_by_rows(opened: Image.Image, data: bytes) -> bool:
    """Whether a JPEG has all its colours in one scan. Any other is held in memory whole while it is decoded."""
    if opened.format not in JPEG_FORMATS or "progressive" in opened.info:
        return False
    colours = len(opened.getbands())
    segment = SCAN_MARKER + struct.pack(">HB", 6 + 2 * colours, colours)
    return segment in data


def _rewrite_pixels(opened: Image.Image, edge: int) -> Jpeg:
    """The pixels alone, upright, written anew."""
    small = _scale_pixels(opened, edge)
    del opened
    # After it is made small: turned at its full size, a photo would be held twice.
    ImageOps.exif_transpose(small, in_place=True)
    paper = _remove_transparency(small)
    written = io.BytesIO()
    paper.save(written, "JPEG", quality=JPEG_QUALITY)
    return Jpeg(written.getvalue(), *paper.size)


def _scale_pixels(opened: Image.Image, edge: int) -> Image.Image:
    """The picture decoded, reduced as early as possible, since each copy of a whole photo takes much memory."""
    # A reduction to half at least: the decoder then makes a quarter of the pixels at most.
    large = opened.width * opened.height > limits.PHOTO_DECODED
    fraction = min(1 / 2 if large else 1, edge / max(opened.size))
    smaller = (max(1, int(opened.width * fraction)), max(1, int(opened.height * fraction)))
    opened.draft("RGB", smaller)  # a JPEG is decoded smaller
    small = _make_scalable(opened)
    del opened
    small.thumbnail((edge, edge))
    return small


def _make_scalable(image: Image.Image) -> Image.Image:
    """The picture with pixels that can be scaled: no palette, no single bits, no scanner's sixteen bits."""
    if image.mode.startswith("I"):
        return image.point(lambda value: value / 256).convert("L")
    return image.convert({"P": "RGBA", "PA": "RGBA", "1": "L"}[image.mode]) if image.mode in ("P", "PA", "1") else image


def _remove_transparency(image: Image.Image) -> Image.Image:
    """The picture without transparency and without anything that is not a pixel."""
    if not image.has_transparency_data:
        bare = image.convert("RGB")
        bare.info.clear()
        return bare
    seen = image.convert("RGBA")
    paper = Image.new("RGB", seen.size, "white")
    paper.paste(seen, mask=seen.getchannel("A"))
    return paper


if __name__ == "__main__":
    answer_questions(sys.stdin.buffer, sys.stdout.buffer)
