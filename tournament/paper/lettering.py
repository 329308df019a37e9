"""Text in boxes: what does not fit on one line shrinks or wraps, but stays in its box."""

import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from tournament.paper.hyphens import SOFT_HYPHEN, mark_hyphens

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

SMALLEST_SIZE = 7.0  # of any letter on paper, in points
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"  # the end of a text whose box is too small for all of it in the smallest letters

MAX_LINES = 3
UNLIMITED = 10_000.0  # the height of a box that is as high as its text
MIN_ONE_LINE_RATIO = 0.8  # a text shrinks to this part of its size before it wraps

BREAKING_RATIO = 0.7  # a word is broken where whole words would shrink the text below this part of its size
HYPHEN_RATIO = 0.9  # the same for a break by the rules of the language


@dataclass(frozen=True, slots=True)
class FittedText:
    """Lines of printable text and the size at which they fit their box."""

    lines: tuple[str, ...]
    size: float
    is_cut: bool = False  # not all of it has room


@lru_cache(maxsize=16384)
def fit_text(text: str, *, bold: bool, width: float, height: float, size: float, language: str = "") -> FittedText:
    """The text at the largest size up to `size` that fits the box, on as few lines as possible, at most three. With a
    language its words are broken by the rules of that language; names have none. What would have to be smaller than the
    smallest letters takes as many lines of these as the box holds."""
    drawable = make_drawable(text)
    # Not by 0: an empty text has no width.
    single = min(size, height / LEADING, width / max(measure_width(drawable, bold=bold), 0.001))
    best = FittedText((drawable,), single)
    if single >= max(size * MIN_ONE_LINE_RATIO, min(size, SMALLEST_SIZE)):
        return best
    drawable = mark_hyphens(drawable, language)
    for count in range(2, MAX_LINES + 1):
        fitted = _fit_on_lines(drawable, bold, width, height, size, count)
        # One more line only for letters that are visibly larger.
        if fitted.size > best.size * 1.02:
            best = fitted
    return best if best.size >= min(size, SMALLEST_SIZE) else _cut_to_box(drawable, bold, width, height)


def _cut_to_box(shown: str, bold: bool, width: float, height: float) -> FittedText:
    """The text in the smallest letters, on one line at least; what the box has no room for is left out."""
    lines = wrap_text(shown, bold=bold, width=width / SMALLEST_SIZE + 0.001, breaks=" -/")
    # A little more than its room, since heights are sums of floats: else the last line is left out by the last bit.
    count = max(1, int((height + 0.1) / (SMALLEST_SIZE * LEADING)))
    if len(lines) <= count:
        return FittedText(lines, SMALLEST_SIZE)
    last = lines[count - 1]
    while last and measure_width(last + ELLIPSIS, bold=bold) * SMALLEST_SIZE > width:
        last = last[:-1]
    return FittedText((*lines[: count - 1], last.rstrip() + ELLIPSIS), SMALLEST_SIZE, is_cut=True)


def fits_on_line(own_width: float, *, width: float, size: float) -> bool:
    """Whether a text that is so wide at size 1 takes one line of this width at this size."""
    # A little more than its room: widths are sums of floats, and a text measured for its own column would not fit by
    # the last bit.
    return own_width <= width / size + 0.001


@lru_cache(maxsize=16384)
def break_text(text: str, *, bold: bool, width: float, size: float) -> tuple[tuple[str, ...], bool]:
    """The text at this size on one line, on two of like length, or on as many as it takes; and whether these are three
    at most, without a broken word."""
    drawable, room = make_drawable(text), width / size + 0.001
    if fits_on_line(measure_width(drawable, bold=bold), width=width, size=size):
        return (drawable,), True
    for breaks in (" ", " -/"):
        pair = split_evenly(drawable, bold=bold, breaks=breaks)
        if pair and max(measure_width(half, bold=bold) for half in pair) <= room:
            return pair, True
    lines = wrap_text(drawable, bold=bold, width=room, breaks=" -/")
    return lines, len(lines) <= MAX_LINES and holds_words(text, bold=bold, width=width, size=size)


def holds_words(text: str, *, bold: bool, width: float, size: float) -> bool:
    """Whether no word of the text has to be broken at this size."""
    pieces = _split_pieces(make_drawable(text), " -/")
    return max((measure_width(piece.strip(), bold=bold) for piece in pieces), default=0.0) <= width / size + 0.001


@lru_cache(maxsize=16384)
def split_evenly(shown: str, *, bold: bool, breaks: str = " ") -> tuple[str, ...]:
    """The text on two lines as even as possible, broken after one of these marks; empty if it has none."""
    places = [place for place, letter in enumerate(shown[:-1], 1) if letter in breaks]
    pairs = [(shown[:place].strip(), shown[place:].strip()) for place in places]
    return min(pairs, key=lambda pair: max(measure_width(half, bold=bold) for half in pair), default=())


def measure_fitted_width(text: str, *, width: float, height: float, size: float, bold: bool = False) -> float:
    """How wide the text is once fitted into such a box."""
    fitted = fit_text(text, bold=bold, width=width, height=height, size=size)
    return max(measure_width(line, bold=bold) for line in fitted.lines) * fitted.size


def measure_fitted_height(text: str, *, bold: bool, width: float, size: float) -> float:
    """How high the text is once broken, or fitted, into a box of this width that is as high as it needs."""
    lines, is_whole = break_text(text, bold=bold, width=width, size=size)
    if not is_whole:
        fitted = fit_text(text, bold=bold, width=width, height=UNLIMITED, size=size)
        lines, size = fitted.lines, fitted.size
    return len(lines) * size * LEADING


def _fit_on_lines(shown: str, bold: bool, width: float, height: float, size: float, count: int) -> FittedText:
    """The text on at most `count` lines, as large as the box allows; broken at hyphens or in words only if that makes
    letters much larger."""
    most = min(size, height / (count * LEADING))
    plain_text = shown.replace(SOFT_HYPHEN, "")
    best = _shrink_to_lines(plain_text, bold, width, most, count, breaks=" ")
    if shown != plain_text and best.size < most * HYPHEN_RATIO:
        hyphened = _shrink_to_lines(shown, bold, width, most, count, breaks=" -/")
        # Broken words are read worse: they have to be clearly larger than whole ones.
        best = hyphened if hyphened.size * HYPHEN_RATIO > best.size else best
    for breaks in (" -/", None):
        if best.size < most * BREAKING_RATIO:
            other = _shrink_to_lines(plain_text, bold, width, most, count, breaks=breaks)
            best = other if other.size * BREAKING_RATIO > best.size else best
    return best


def _shrink_to_lines(
    shown: str, bold: bool, width: float, size: float, count: int, *, breaks: str | None
) -> FittedText:
    """The text at the largest size at which it takes at most `count` lines and is broken as allowed."""
    if breaks is not None:
        pieces = _split_pieces(shown, breaks)
        longest = max((measure_width(_end_line(piece), bold=bold) for piece in pieces), default=0.0)
        size = min(size, width / max(longest, 0.001))
    # Tried, not computed: a little smaller, and a word more goes on each line. It ends, since letters that are small
    # enough have all of the text on one line.
    while True:
        lines = wrap_text(shown, bold=bold, width=width / size + 0.001, breaks=breaks or " -/")
        if len(lines) <= count:
            return FittedText(lines, size)
        size *= 0.96


def wrap_text(shown: str, *, bold: bool, width: float, breaks: str = " ") -> tuple[str, ...]:
    """Printable text in lines no wider than `width` at size 1, broken after one of `breaks` or at a soft hyphen, else
    within a word."""
    lines: list[str] = []
    line = ""
    for piece in _split_pieces(shown, breaks):
        if measure_width(_end_line(line + piece), bold=bold) <= width:
            line += piece
            continue
        if line.strip():
            lines.append(_end_line(line))
        parts = [""]
        for letter in piece:
            if parts[-1] and letter != SOFT_HYPHEN and measure_width((parts[-1] + letter).rstrip(), bold=bold) > width:
                parts.append("")
            parts[-1] += letter
        *full, line = parts
        lines.extend(full)
    return (*lines, _end_line(line))


def _end_line(line: str) -> str:
    """The line as it is drawn if the text is broken after it."""
    ending = "-" if line.endswith(SOFT_HYPHEN) else ""
    return line.replace(SOFT_HYPHEN, "").strip() + ending


def _split_pieces(text: str, breaks: str) -> Iterator[str]:
    """The text cut after each mark at which it may be broken, soft hyphens among them. A number stays with the
    shortened word before it: “no. 3”."""
    begin = 0
    for position, letter in enumerate(text, 1):
        # “Nr.” at the end of a line and its number on the next are read as two things.
        is_numbered = letter == " " and text[: position - 1].endswith(".") and text[position : position + 1].isdigit()
        if (letter in breaks and not is_numbered) or letter == SOFT_HYPHEN:
            yield text[begin:position]
            begin = position
    if begin < len(text):
        yield text[begin:]
