"""QR codes as modules (dark or light squares), as a picture, and as text for a terminal."""

from typing import Any

import numpy as np

QUIET_MODULES = 2  # the margin of light modules that scanners want

_HALF_BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}


def make_qr_modules(text: str) -> list[list[bool]]:
    """The rows of modules without the margin; True is dark. A seventh of them may be unreadable (level M)."""
    import zxingcpp  # noqa: PLC0415  # seldom needed

    code = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level="M")
    picture: Any = code.to_image(scale=1, add_quiet_zones=False)
    dark: list[list[bool]] = (np.asarray(picture) == 0).tolist()
    return dark


def make_qr_picture(text: str) -> dict[str, Any]:
    """A code to draw: the modules along one `side`, margin included, and the dark ones as an SVG `path`."""
    rows = _add_margin(make_qr_modules(text))
    dark = ((row, column) for row, row_bits in enumerate(rows) for column, is_dark in enumerate(row_bits) if is_dark)
    return {"side": len(rows), "path": "".join(f"M{column} {row}h1v1h-1z" for row, column in dark)}


def format_qr_for_terminal(text: str) -> str:
    """The code in half blocks that draw the light modules, for light writing on a dark background."""
    rows = _add_margin(make_qr_modules(text))
    # A code has an odd number of rows: below the last one stands a light half, which `zip` would leave out with it.
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
