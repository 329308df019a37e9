"""Text in boxes: what does not fit on one line shrinks or wraps, and never leaves its box."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tournament.layout import typeface

LEADING = 1.18
"""From one baseline to the next, in parts of the size."""

MOST_LINES = 3
ONE_LINE_DOWN_TO = 0.8
"""A text shrinks to this part of its size before it wraps."""

WORTH_BREAKING = 0.7
"""A word is broken where whole words would shrink the text below this part of its size."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Lines of printable text and the size at which they fit their box."""

    lines: tuple[str, ...]
    size: float


@lru_cache(maxsize=16384)
def fit(text: str, *, bold: bool, width: float, height: float, size: float) -> Fitted:
    """The text at the largest size up to `size` that fits the box, on up to three lines; the fewer lines the better."""
    shown = typeface.printable(text)
    single = min(size, height / LEADING, width / max(typeface.width(shown, bold=bold), 0.001))
    best = Fitted((shown,), single)
    if single >= size * ONE_LINE_DOWN_TO:
        return best
    for count in range(2, MOST_LINES + 1):
        fitted = _on_lines(shown, bold, width, height, size, count)
        if fitted.size > best.size * 1.02:
            best = fitted
    return best


def taken(text: str, *, width: float, height: float, size: float, bold: bool = False) -> float:
    """How wide the text is once fitted into such a box."""
    fitted = fit(text, bold=bold, width=width, height=height, size=size)
    return max(typeface.width(line, bold=bold) for line in fitted.lines) * fitted.size


def _on_lines(shown: str, bold: bool, width: float, height: float, size: float, count: int) -> Fitted:
    """The text on at most `count` lines, as large as the box allows.

    Lines are broken at blanks; at hyphens and within words only where that gives much larger letters.
    """
    most = min(size, height / (count * LEADING))
    best = _shrunk(shown, bold, width, most, count, breaks=" ")
    for breaks in (" -/", None):
        if best.size < most * WORTH_BREAKING:
            other = _shrunk(shown, bold, width, most, count, breaks=breaks)
            best = other if other.size * WORTH_BREAKING > best.size else best
    return best


def _shrunk(shown: str, bold: bool, width: float, size: float, count: int, *, breaks: str | None) -> Fitted:
    """The text at the largest size at which it takes at most `count` lines and is broken as allowed."""
    if breaks is not None:
        longest = max((typeface.width(piece.strip(), bold=bold) for piece in _pieces(shown, breaks)), default=0.0)
        size = min(size, width / max(longest, 0.001))
    while True:
        lines = wrap(shown, bold=bold, width=width / size + 0.001, breaks=breaks or " -/")
        if len(lines) <= count:
            return Fitted(lines, size)
        size *= 0.96


def wrap(shown: str, *, bold: bool, width: float, breaks: str = " ") -> tuple[str, ...]:
    """Printable text in lines no wider than `width` at size 1, broken after one of `breaks`, else within a word."""
    lines: list[str] = []
    line = ""
    for piece in _pieces(shown, breaks):
        if typeface.width((line + piece).rstrip(), bold=bold) <= width:
            line += piece
            continue
        if line.strip():
            lines.append(line.strip())
        *full, line = _broken(piece, bold, width)
        lines.extend(full)
    return (*lines, line.strip())


def _pieces(text: str, breaks: str) -> Iterator[str]:
    """The text cut after each mark at which it may be broken."""
    begin = 0
    for position, letter in enumerate(text, 1):
        if letter in breaks:
            yield text[begin:position]
            begin = position
    if begin < len(text):
        yield text[begin:]


def _broken(piece: str, bold: bool, width: float) -> list[str]:
    """A piece cut into parts that fit the width, of at least one letter each."""
    parts = [""]
    for letter in piece:
        if parts[-1] and typeface.width((parts[-1] + letter).rstrip(), bold=bold) > width:
            parts.append("")
        parts[-1] += letter
    return parts
