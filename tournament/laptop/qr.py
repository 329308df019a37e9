"""QR codes as dark and light modules, as a picture, and as text for a terminal."""

from dataclasses import dataclass
from typing import Any

QUIET = 2
"""Light modules around the code; scanners want a margin."""

_HALF_BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}


def modules(text: str) -> list[list[bool]]:
    """The rows of the code without its margin; True is dark."""
    from reportlab.graphics.barcode import qrencoder  # noqa: PLC0415  # takes a tenth of a second and is seldom needed

    code: Any = qrencoder.QRCode(None, qrencoder.QRErrorCorrectLevel.M)
    code.addData(text)
    code.make()
    size = code.getModuleCount()
    return [[bool(code.isDark(row, column)) for column in range(size)] for row in range(size)]


@dataclass(frozen=True, slots=True)
class Picture:
    """A code to be drawn: the side of its square with the margin, and the dark modules as a path of SVG."""

    side: int
    path: str


def picture(text: str) -> Picture:
    """The code as a picture."""
    rows = _with_margin(modules(text))
    dark = ((row, column) for row, found in enumerate(rows) for column, is_dark in enumerate(found) if is_dark)
    return Picture(len(rows), "".join(f"M{column} {row}h1v1h-1z" for row, column in dark))


def terminal_text(text: str) -> str:
    """The code in half blocks, light modules drawn: for the usual light writing on a dark ground."""
    rows = _with_margin(modules(text))
    pairs = zip(rows[::2], [*rows[1::2], [False] * len(rows[0])], strict=False)
    lines = (
        "".join(_HALF_BLOCKS[upper, lower] for upper, lower in zip(above, below, strict=True)) for above, below in pairs
    )
    return "\n".join(lines)


def _with_margin(rows: list[list[bool]]) -> list[list[bool]]:
    width = len(rows[0]) + 2 * QUIET
    empty = [[False] * width for _row in range(QUIET)]
    side = [False] * QUIET
    return [*empty, *([*side, *row, *side] for row in rows), *empty]
