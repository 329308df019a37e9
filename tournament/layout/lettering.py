"""Text in boxes: what does not fit on one line shrinks or wraps, and never leaves its box."""

from collections.abc import Iterable, Iterator
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


ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

LEAST = 6.5
"""Text that is to look like others never gets smaller than this; what is too long then is cut."""

APART, FEW = 0.1, 4
"""One text in ten, and one of four or more, may be so long that it is set smaller than all others …"""
WORTH = 1.15
"""… if that makes theirs so much larger."""

SMALLER = 0.62
"""A text that is set smaller has at least this part of the others' size …"""
LARGE_ENOUGH = 11
"""… or this one, at which a whole name is read better than the beginning of a large one."""


def one_size(texts: Iterable[tuple[str, bool, float]], *, height: float, size: float) -> float:
    """The size, up to `size`, that all of these texts have: each fits its box whole, on one line or on two.

    A text is given with whether it is bold and with the width of its box; all boxes have the same height. A few that
    would make all the others small do not count; `set_at` sets these smaller, and cuts them at last.
    """
    sizes = sorted(min(size, _largest(typeface.printable(text), bold, width, height)) for text, bold, width in texts)
    if not sizes:
        return size
    apart = max(int(len(sizes) * APART), int(len(sizes) >= FEW))
    return max(sizes[apart] if sizes[apart] >= WORTH * sizes[0] else sizes[0], min(LEAST, size))


@lru_cache(maxsize=16384)
def _largest(shown: str, bold: bool, width: float, height: float) -> float:
    """The largest size at which a text fits a box whole, on one line, or on two if that makes it much larger."""
    single = min(height / LEADING, width / max(typeface.width(shown, bold=bold), 0.001))
    pair = _halves(shown, bold)
    if not pair:
        return single
    widest = max(typeface.width(half, bold=bold) for half in pair)
    double = min(height / (2 * LEADING), width / max(widest, 0.001))
    return double if single < ONE_LINE_DOWN_TO * double else single


@lru_cache(maxsize=16384)
def _halves(shown: str, bold: bool) -> tuple[str, ...]:
    """The text on two lines as even as can be, divided at a blank or after a hyphen; nothing where there is none."""
    places = [place for place, letter in enumerate(shown[:-1], 1) if letter in " -/"]
    pairs = [(shown[:place].strip(), shown[place:].strip()) for place in places]
    return min(pairs, key=lambda pair: max(typeface.width(half, bold=bold) for half in pair), default=())


@lru_cache(maxsize=16384)
def set_at(text: str, *, bold: bool, width: float, height: float, size: float) -> Fitted:
    """The text at this size on one line; else on two, smaller if it must be.

    What is still too long is cut at a word, or within the only one, and ends in an ellipsis.
    """
    shown = typeface.printable(text)
    if typeface.width(shown, bold=bold) * size <= width + 0.001:
        return Fitted((shown,), size)
    least = min(max(min(SMALLER * size, LARGE_ENOUGH), LEAST), size)
    largest = _largest(shown, bold, width, height)
    if largest < least:
        return _cut_at(shown, bold, width, height, least)
    largest = min(largest, size)
    if typeface.width(shown, bold=bold) * largest <= width + 0.001:
        return Fitted((shown,), largest)
    return Fitted(_divided(shown, bold, width / largest) or _halves(shown, bold), largest)


def _divided(shown: str, bold: bool, room: float) -> tuple[str, ...]:
    """The text on two lines divided at a blank, the first as long as can be; nothing if that needs more."""
    lines = wrap(shown, bold=bold, width=room + 0.001, breaks=" ")
    return lines if len(lines) == 2 and " ".join(lines) == shown else ()


def _cut_at(shown: str, bold: bool, width: float, height: float, size: float) -> Fitted:
    """The beginning of a text at this size, on two lines if the box has room for them."""
    room = width / size + 0.001
    if 2 * size * LEADING > height + 0.001:
        return Fitted((_cut(shown, bold, room),), size)
    first = wrap(shown, bold=bold, width=room, breaks=" -/")[0]
    return Fitted((first, _cut(shown[len(first) :].strip(), bold, room)), size)


def _cut(text: str, bold: bool, width: float) -> str:
    """As many words of the text as fit the width with an ellipsis behind; of a single word as many letters."""
    if typeface.width(text, bold=bold) <= width:
        return text
    words = list(_pieces(text, " -/"))
    while len(words) > 1 and typeface.width("".join(words).rstrip(" -/,") + ELLIPSIS, bold=bold) > width:
        words.pop()
    kept = "".join(words).rstrip(" -/,")
    while len(kept) > 1 and typeface.width(kept + ELLIPSIS, bold=bold) > width:
        kept = kept[:-1]
    return kept + ELLIPSIS


def width_taken(text: str, *, width: float, height: float, size: float, bold: bool = False) -> float:
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
