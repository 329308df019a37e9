"""QR codes as modules (dark or light squares), as a picture, and as text for a terminal."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

QUIET_MODULES = 2  # the margin of light modules that scanners want

MASKS = range(8)
FINDER = np.array([True, False, True, True, True, False, True, False, False, False, False])

_HALF_BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}


def make_qr_modules(text: str) -> list[list[bool]]:
    """The rows of modules without the margin; True is dark."""
    from reportlab.graphics.barcode import qrencoder  # noqa: PLC0415  # takes a tenth of a second and is seldom needed

    code: Any = qrencoder.QRCode(None, qrencoder.QRErrorCorrectLevel.M)
    code.addData(text)
    code.version = code.calculate_version()
    code.makeImpl(False, _choose_mask(code, qrencoder.QRUtil.getMask))
    return [[bool(module) for module in row] for row in code.modules]


def _choose_mask(code: Any, get_mask: Callable[[int], Callable[[Any, Any], Any]]) -> int:
    """The mask that scanners read best. The encoder can choose one itself, but draws the code anew for each of them and
    takes most of its time for that."""
    code.makeImpl(True, 0)
    plain = np.array(code.modules, bool)
    columns, rows = np.array(code.dataPosIterator()).T
    plain[rows, columns] ^= get_mask(0)(rows, columns)
    masked = []
    for mask in MASKS:
        tried = plain.copy()
        tried[rows, columns] ^= get_mask(mask)(rows, columns)
        masked.append(_count_penalties(tried))
    return masked.index(min(masked))


def _count_penalties(modules: NDArray[np.bool_]) -> int:
    """What ISO 18004 counts against a code: runs of five and more, squares of one colour, what looks like a finder, and
    too much of one colour."""
    found = 0
    for lines in (modules, modules.T):
        alike = lines[:, 1:] == lines[:, :-1]
        fives: NDArray[np.bool_] = np.all(sliding_window_view(alike, 4, axis=1), axis=2)
        begun = fives[:, 1:] & ~fives[:, :-1]
        found += int(fives.sum()) + 2 * int(begun.sum() + fives[:, 0].sum())
        elevens = sliding_window_view(lines, len(FINDER), axis=1)[:, :-1]
        found += 40 * int((elevens == FINDER).all(axis=2).sum())
    upright, level = modules[1:] == modules[:-1], modules[:, 1:] == modules[:, :-1]
    found += 3 * int((upright[:, 1:] & upright[:, :-1] & level[1:]).sum())
    return found + 10 * (abs(100 * int(modules.sum()) // modules.size - 50) // 5)


@dataclass(frozen=True, slots=True)
class QrPicture:
    """A code to draw: the modules along one side, margin included, and the dark ones as an SVG path."""

    side: int
    path: str


def make_qr_picture(text: str) -> QrPicture:
    rows = _add_margin(make_qr_modules(text))
    dark = ((row, column) for row, found in enumerate(rows) for column, is_dark in enumerate(found) if is_dark)
    return QrPicture(len(rows), "".join(f"M{column} {row}h1v1h-1z" for row, column in dark))


def format_qr_for_terminal(text: str) -> str:
    """The code in half blocks that draw the light modules, for light writing on a dark background."""
    rows = _add_margin(make_qr_modules(text))
    pairs = zip(rows[::2], [*rows[1::2], [False] * len(rows[0])], strict=False)
    lines = (
        "".join(_HALF_BLOCKS[upper, lower] for upper, lower in zip(above, below, strict=True)) for above, below in pairs
    )
    return "\n".join(lines)


def _add_margin(rows: list[list[bool]]) -> list[list[bool]]:
    width = len(rows[0]) + 2 * QUIET_MODULES
    empty = [[False] * width for _row in range(QUIET_MODULES)]
    side = [False] * QUIET_MODULES
    return [*empty, *([*side, *row, *side] for row in rows), *empty]
