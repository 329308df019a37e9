"""The two fonts of every document: DejaVu Sans, embedded, which holds any European name."""

import threading
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

REGULAR, BOLD = "DejaVuSans", "DejaVuSans-Bold"
CAP_HEIGHT = 0.73
"""Height of a capital in parts of the size."""

FALLBACK = "\N{WHITE SQUARE}"
"""What stands for a letter that the fonts do not hold."""

LOCK = threading.Lock()
"""Held while a document is written out: reportlab's fonts keep their place in the file while they are cut to size."""

_FOLDER = Path(__file__).parent / "fonts"


@cache
def _glyphs() -> frozenset[int]:
    """Register both fonts, once even if two threads ask at the same time; return the code points that both have."""
    with LOCK:
        for name in (REGULAR, BOLD):
            if name not in pdfmetrics.getRegisteredFontNames():
                pdfmetrics.registerFont(TTFont(name, str(_FOLDER / f"{name}.ttf")))
    fonts = [pdfmetrics.getFont(name) for name in (REGULAR, BOLD)]
    return frozenset.intersection(*(frozenset(font.face.charToGlyph) for font in fonts))


def name(*, bold: bool) -> str:
    """The name of the regular or the bold font, which is registered by then."""
    _glyphs()
    return BOLD if bold else REGULAR


@lru_cache(maxsize=8192)
def printable(text: str) -> str:
    """The text as it can be drawn: composed, on one line, unknown letters as a visible square.

    Marks that control the direction of writing or do not show at all are left out: they could disguise a name.
    """
    glyphs = _glyphs()
    return "".join(_letter(letter, glyphs) for letter in " ".join(unicodedata.normalize("NFC", text).split()))


def has_unknown(text: str) -> bool:
    """Whether the fonts lack a letter of the text, so that a square stands for it."""
    return printable(text).count(FALLBACK) > text.count(FALLBACK)


def _letter(letter: str, glyphs: frozenset[int]) -> str:
    kind = unicodedata.category(letter)
    if kind in ("Cf", "Cc"):
        return ""
    return letter if ord(letter) in glyphs else FALLBACK


@lru_cache(maxsize=16384)
def width(text: str, *, bold: bool) -> float:
    """The width of printable text at size 1."""
    return float(pdfmetrics.stringWidth(text, name(bold=bold), 1))
