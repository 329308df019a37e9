"""Text in boxes: what does not fit on one line shrinks or wraps, but stays in its box."""

import threading
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

REGULAR, BOLD = "DejaVuSans", "DejaVuSans-Bold"  # embedded in every document; they hold any European name
CAP_HEIGHT = 0.73  # height of a capital in parts of the size

FALLBACK_LETTER = "\N{WHITE SQUARE}"  # what stands for a letter that the fonts do not hold

FONT_LOCK = threading.Lock()  # held while a document is written: reportlab keeps state in its shared fonts meanwhile

_FOLDER = Path(__file__).parent / "fonts"


@cache
def _load_glyphs() -> frozenset[int]:
    """Register both fonts once, even with several threads; return the code points in both."""
    with FONT_LOCK:
        for name in (REGULAR, BOLD):
            if name not in pdfmetrics.getRegisteredFontNames():
                pdfmetrics.registerFont(TTFont(name, str(_FOLDER / f"{name}.ttf")))
    fonts = [pdfmetrics.getFont(name) for name in (REGULAR, BOLD)]
    return frozenset.intersection(*(frozenset(font.face.charToGlyph) for font in fonts))


def get_font_name(*, bold: bool) -> str:
    """The name of a font, registered if necessary."""
    _load_glyphs()
    return BOLD if bold else REGULAR


@lru_cache(maxsize=8192)
def make_drawable(text: str) -> str:
    """The text as it can be drawn: in NFC, on one line, with squares for unknown letters. Invisible marks are left out,
    since they could disguise a name."""
    glyphs = _load_glyphs()
    line = " ".join(unicodedata.normalize("NFC", text).split())
    visible = (letter for letter in line if unicodedata.category(letter) not in ("Cf", "Cc"))
    return "".join(letter if ord(letter) in glyphs else FALLBACK_LETTER for letter in visible)


def has_unknown_letter(text: str) -> bool:
    """Whether the fonts lack a letter of the text."""
    return make_drawable(text).count(FALLBACK_LETTER) > text.count(FALLBACK_LETTER)


@lru_cache(maxsize=16384)
def measure_width(text: str, *, bold: bool) -> float:
    """The width of printable text at size 1."""
    return float(pdfmetrics.stringWidth(text, get_font_name(bold=bold), 1))


LEADING = 1.18  # from one baseline to the next, in parts of the size

MAX_LINES = 3
MIN_ONE_LINE_RATIO = 0.8  # a text shrinks to this part of its size before it wraps

BREAKING_RATIO = 0.7  # a word is broken where whole words would shrink the text below this part of its size


@dataclass(frozen=True, slots=True)
class FittedText:
    """Lines of printable text and the size at which they fit their box."""

    lines: tuple[str, ...]
    size: float


@lru_cache(maxsize=16384)
def fit_text(text: str, *, bold: bool, width: float, height: float, size: float) -> FittedText:
    """The text at the largest size up to `size` that fits the box, on as few lines as possible, at most three."""
    shown = make_drawable(text)
    single = min(size, height / LEADING, width / max(measure_width(shown, bold=bold), 0.001))
    best = FittedText((shown,), single)
    if single >= size * MIN_ONE_LINE_RATIO:
        return best
    for count in range(2, MAX_LINES + 1):
        fitted = _fit_on_lines(shown, bold, width, height, size, count)
        if fitted.size > best.size * 1.02:
            best = fitted
    return best


ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"

MIN_SIZE = 6.5  # text that is to look like others never gets smaller than this; what is too long then is cut

APART, FEW = 0.1, 4  # one text in ten, and one of four or more, may be so long that it is set smaller than all others …
LARGER_RATIO = 1.15  # … if that makes theirs so much larger

SMALLER_RATIO = 0.62  # a text that is set smaller has at least this part of the others' size …
LARGE_ENOUGH = 11  # … or this one, at which a whole name is read better than the beginning of a large one


def find_common_size(texts: Iterable[tuple[str, bool, float]], *, height: float, size: float) -> float:
    """The largest size up to `size` at which all texts (text, bold, width of box) fit on one line or two. A few that
    would make all others small do not count; `fit_text_at_size` sets them smaller or cuts them."""
    sizes = sorted(
        min(size, _find_largest_size(make_drawable(text), bold, width, height)) for text, bold, width in texts
    )
    if not sizes:
        return size
    apart = max(int(len(sizes) * APART), int(len(sizes) >= FEW))
    return max(sizes[apart] if sizes[apart] >= LARGER_RATIO * sizes[0] else sizes[0], min(MIN_SIZE, size))


@lru_cache(maxsize=16384)
def _find_largest_size(shown: str, bold: bool, width: float, height: float) -> float:
    """The largest size at which a text fits a box on one line, or on two if that is much larger."""
    single = min(height / LEADING, width / max(measure_width(shown, bold=bold), 0.001))
    pair = _split_evenly(shown, bold)
    if not pair:
        return single
    widest = max(measure_width(half, bold=bold) for half in pair)
    double = min(height / (2 * LEADING), width / max(widest, 0.001))
    return double if single < MIN_ONE_LINE_RATIO * double else single


@lru_cache(maxsize=16384)
def _split_evenly(shown: str, bold: bool) -> tuple[str, ...]:
    """The text on two lines as even as possible, broken at a blank or after a hyphen; empty if it has none."""
    places = [place for place, letter in enumerate(shown[:-1], 1) if letter in " -/"]
    pairs = [(shown[:place].strip(), shown[place:].strip()) for place in places]
    return min(pairs, key=lambda pair: max(measure_width(half, bold=bold) for half in pair), default=())


@lru_cache(maxsize=16384)
def fit_text_at_size(text: str, *, bold: bool, width: float, height: float, size: float) -> FittedText:
    """The text at this size on one line, else on two or smaller, else cut at a word (or within it) with an ellipsis."""
    shown = make_drawable(text)
    if measure_width(shown, bold=bold) * size <= width + 0.001:
        return FittedText((shown,), size)
    least = min(max(min(SMALLER_RATIO * size, LARGE_ENOUGH), MIN_SIZE), size)
    largest = _find_largest_size(shown, bold, width, height)
    if largest < least:
        return _cut_to_box(shown, bold, width, height, least)
    largest = min(largest, size)
    if measure_width(shown, bold=bold) * largest <= width + 0.001:
        return FittedText((shown,), largest)
    lines = wrap_text(shown, bold=bold, width=width / largest + 0.001)
    has_broken_at_blank = len(lines) == 2 and " ".join(lines) == shown
    return FittedText(lines if has_broken_at_blank else _split_evenly(shown, bold), largest)


def _cut_to_box(shown: str, bold: bool, width: float, height: float, size: float) -> FittedText:
    """The beginning of a text at this size, on two lines if the box has room for them."""
    room = width / size + 0.001
    if 2 * size * LEADING > height + 0.001:
        return FittedText((_cut_to_width(shown, bold, room),), size)
    first = wrap_text(shown, bold=bold, width=room, breaks=" -/")[0]
    return FittedText((first, _cut_to_width(shown[len(first) :].strip(), bold, room)), size)


def _cut_to_width(text: str, bold: bool, width: float) -> str:
    """As many words as fit the width before an ellipsis; of a single word, as many letters."""
    if measure_width(text, bold=bold) <= width:
        return text
    words = list(_split_pieces(text, " -/"))
    while len(words) > 1 and measure_width("".join(words).rstrip(" -/,") + ELLIPSIS, bold=bold) > width:
        words.pop()
    kept = "".join(words).rstrip(" -/,")
    while len(kept) > 1 and measure_width(kept + ELLIPSIS, bold=bold) > width:
        kept = kept[:-1]
    return kept + ELLIPSIS


def measure_fitted_width(text: str, *, width: float, height: float, size: float, bold: bool = False) -> float:
    """How wide the text is once fitted into such a box."""
    fitted = fit_text(text, bold=bold, width=width, height=height, size=size)
    return max(measure_width(line, bold=bold) for line in fitted.lines) * fitted.size


def _fit_on_lines(shown: str, bold: bool, width: float, height: float, size: float, count: int) -> FittedText:
    """The text on at most `count` lines, as large as the box allows; broken at hyphens or in words only if that makes
    letters much larger."""
    most = min(size, height / (count * LEADING))
    best = _shrink_to_lines(shown, bold, width, most, count, breaks=" ")
    for breaks in (" -/", None):
        if best.size < most * BREAKING_RATIO:
            other = _shrink_to_lines(shown, bold, width, most, count, breaks=breaks)
            best = other if other.size * BREAKING_RATIO > best.size else best
    return best


def _shrink_to_lines(
    shown: str, bold: bool, width: float, size: float, count: int, *, breaks: str | None
) -> FittedText:
    """The text at the largest size at which it takes at most `count` lines and is broken as allowed."""
    if breaks is not None:
        longest = max((measure_width(piece.strip(), bold=bold) for piece in _split_pieces(shown, breaks)), default=0.0)
        size = min(size, width / max(longest, 0.001))
    while True:
        lines = wrap_text(shown, bold=bold, width=width / size + 0.001, breaks=breaks or " -/")
        if len(lines) <= count:
            return FittedText(lines, size)
        size *= 0.96


def wrap_text(shown: str, *, bold: bool, width: float, breaks: str = " ") -> tuple[str, ...]:
    """Printable text in lines no wider than `width` at size 1, broken after one of `breaks`, else within a word."""
    lines: list[str] = []
    line = ""
    for piece in _split_pieces(shown, breaks):
        if measure_width((line + piece).rstrip(), bold=bold) <= width:
            line += piece
            continue
        if line.strip():
            lines.append(line.strip())
        *full, line = _break_piece(piece, bold, width)
        lines.extend(full)
    return (*lines, line.strip())


def _split_pieces(text: str, breaks: str) -> Iterator[str]:
    """The text cut after each mark at which it may be broken."""
    begin = 0
    for position, letter in enumerate(text, 1):
        if letter in breaks:
            yield text[begin:position]
            begin = position
    if begin < len(text):
        yield text[begin:]


def _break_piece(piece: str, bold: bool, width: float) -> list[str]:
    """A piece cut into parts that fit the width, of at least one letter each."""
    parts = [""]
    for letter in piece:
        if parts[-1] and measure_width((parts[-1] + letter).rstrip(), bold=bold) > width:
            parts.append("")
        parts[-1] += letter
    return parts
