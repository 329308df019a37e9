"""Reading the values of `config.tsh`, which are Perl text. They are read as literals and never run.

Understood are numbers, strings in single or double quotes, `q()`, `qq()`, `qw()`, `undef`, and lists and hashes of
these.
"""

import re
import sys
from typing import Any

DEEPEST = 10

_SPACE = re.compile(r"(?:\s++|#[^\n]*+)*+")
_NUMBER = re.compile(r"[-+]?(?:\d[\d_]{0,17}(?:\.\d{0,17})?|\.\d{1,17})(?![\w.])")
_WORD = re.compile(r"[A-Za-z_]\w*")
_QUOTE = re.compile(r"(qq?|qw)\s*([^\w\s])|(['\"])")
_CODE = re.compile(r"x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{1,2}))")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "e": "\x1b", "a": "\x07", "f": "\x0c", "0": "\0"}


class NotUnderstood(Exception):
    """The text is not a literal that we can read."""


def literal(text: str) -> Any:
    """The value that a Perl text writes down: int, float, str, None, list or dict. Raises `NotUnderstood`."""
    value, position = _value(text, _skip(text, 0), 0)
    position = _skip(text, position)
    if text[position : position + 1] == ";":
        position = _skip(text, position + 1)
    if position != len(text):
        raise NotUnderstood
    return value


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _value(text: str, position: int, depth: int) -> tuple[Any, int]:
    """The value that begins at a position, and where it ends."""
    if depth > DEEPEST or position >= len(text):
        raise NotUnderstood
    if text[position] in "[({":
        return _collection(text, position, depth)
    if quote := _QUOTE.match(text, position):
        return _string(text, quote)
    if number := _NUMBER.match(text, position):
        digits = number.group().replace("_", "")
        return (float(digits) if "." in digits else int(digits)), number.end()
    word = _WORD.match(text, position)
    if word and word.group() == "undef":
        return None, word.end()
    raise NotUnderstood


def _string(text: str, quote: re.Match[str]) -> tuple[Any, int]:
    """A quoted string, or the words of `qw()`."""
    kind, opening = quote.group(1) or "", quote.group(2) or quote.group(3)
    closing = _CLOSING.get(opening, opening)
    double = opening == '"' if not kind else kind == "qq"
    letters: list[str] = []
    position = quote.end()
    while position < len(text) and text[position] != closing:
        if text[position] == "\\" and position + 1 < len(text):
            letter, position = _escape(text, position + 1, closing, double)
            letters.append(letter)
        else:
            letters.append(text[position])
            position += 1
    if position >= len(text):
        raise NotUnderstood
    found = "".join(letters)
    return (found.split() if kind == "qw" else found), position + 1


def _escape(text: str, position: int, closing: str, double: bool) -> tuple[str, int]:
    """The character that an escape stands for, and where the text goes on."""
    letter = text[position]
    if not double:
        return (letter if letter in ("\\", closing) else "\\" + letter), position + 1
    if letter == "x":
        code = _CODE.match(text, position)
        number = int(code.group(1) or code.group(2), 16) if code else -1
        if code is None or number > sys.maxunicode:
            raise NotUnderstood
        return chr(number), code.end()
    return _ESCAPES.get(letter, letter), position + 1


def _collection(text: str, position: int, depth: int) -> tuple[Any, int]:
    """A list `[…]` or `(…)`, or a hash `{…}`; a comma and an arrow are the same."""
    closing = _CLOSING[text[position]]
    found: list[Any] = []
    position = _skip(text, position + 1)
    while position < len(text) and text[position] != closing:
        word = _WORD.match(text, position)
        if closing == "}" and word and text[_skip(text, word.end()) :].startswith("=>"):
            value, position = word.group(), word.end()
        else:
            value, position = _value(text, position, depth + 1)
        found.append(value)
        position = _skip(text, position)
        arrow = "=>" if text.startswith("=>", position) else ","
        if text.startswith(arrow, position):
            position = _skip(text, position + len(arrow))
        elif text[position : position + 1] != closing:
            raise NotUnderstood
    if position >= len(text):
        raise NotUnderstood
    return (_hash(found) if closing == "}" else found), position + 1


def _hash(found: list[Any]) -> dict[str, Any]:
    if len(found) % 2 or not all(isinstance(key, str | int) for key in found[::2]):
        raise NotUnderstood
    return {str(key): value for key, value in zip(found[::2], found[1::2], strict=True)}
