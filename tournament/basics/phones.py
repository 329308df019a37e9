"""Telephone numbers as people write them: what passes for one, and how a telephone dials it."""

import re

FEWEST_DIGITS, MOST_DIGITS = 5, 20
# In ASCII: otherwise `\d` is any script's digit, which no telephone dials.
SHAPE = re.compile(r"\+?[\d ()/.\N{NO-BREAK SPACE}\N{EN DASH}-]+", re.ASCII)


def is_phone_number(text: str) -> bool:
    """Whether a text is a number that somebody can be called at: digits, perhaps with blanks and strokes among them."""
    digits = len(re.findall(r"[0-9]", text))
    return FEWEST_DIGITS <= digits <= MOST_DIGITS and SHAPE.fullmatch(text) is not None


def looks_like_phone_number(text: str) -> bool:
    """Whether a text can hardly be anything but a telephone number: it begins as numbers that are dialled begin."""
    return text.startswith(("+", "0", "(0")) and is_phone_number(text)


def format_dialled_number(phone: str) -> str:
    """The number as it is dialled: +49 (0)661 12 34-5 → +4966112345; abroad nobody dials the 0 in brackets."""
    dialled = phone.replace("(0)", "") if phone.startswith(("+", "00")) else phone
    return re.sub(r"[^0-9+]", "", dialled)
