"""Reading a JavaScript literal, which tsh writes into `tourney.js`. It is read as data and never run.

More is allowed than in JSON: `undefined`, trailing commas, keys without quotation marks, single quotes, comments.
"""

import re
import sys
from typing import Any

DEEPEST = 40
LONGEST_STRING = 20_000
"""Characters, as they are written."""

_SPACE = re.compile(r"(?:\s++|//[^\n]*+|/\*.*?\*/)*+", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:Infinity|(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][-+]?\d{1,4})?)(?![\w.])")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_PLAIN = re.compile(r"[^\\\"'\n]+")
_CODE = re.compile(r"u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None, "NaN": None}


class NotUnderstood(Exception):
    """The text is not a literal that we can read; `position` says where."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


class Object(dict[str, Any]):
    """An object that remembers where it began."""

    position = 0


def literal(text: str, position: int = 0) -> Any:
    """The value that begins at a position: dict, list, str, int, float, bool or None. Raises `NotUnderstood`.

    Anything after the value is ignored.
    """
    try:
        return _value(text, _skip(text, position), 0)[0]
    except NotUnderstood as error:
        raise NotUnderstood(min(error.position, len(text))) from None


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _value(text: str, position: int, depth: int) -> tuple[Any, int]:
    if depth > DEEPEST or position >= len(text):
        raise NotUnderstood(position)
    letter = text[position]
    if letter == "{":
        return _object(text, position, depth)
    if letter == "[":
        return _list(text, position, depth)
    if letter in "\"'":
        return _string(text, position)
    if number := _NUMBER.match(text, position):
        digits = number.group()
        return (int(digits) if digits.lstrip("+-").isdigit() else float(digits)), number.end()  # Infinity as well
    word = _WORD.match(text, position)
    if word and word.group() in _CONSTANTS:
        return _CONSTANTS[word.group()], word.end()
    raise NotUnderstood(position)


def _string(text: str, position: int) -> tuple[str, int]:
    quote = text[position]
    parts: list[str] = []
    position += 1
    end = min(len(text), position + LONGEST_STRING)
    while position < end and text[position] != quote:
        if text[position] == "\\":
            part, position = _escape(text, position + 1)
            parts.append(part)
        elif plain := _PLAIN.match(text, position):
            parts.append(plain.group())
            position = plain.end()
        elif text[position] == "\n":
            raise NotUnderstood(position)
        else:
            parts.append(text[position])
            position += 1
    if position >= end:
        raise NotUnderstood(position)
    return _joined(parts), position + 1


def _escape(text: str, position: int) -> tuple[str, int]:
    """The character that an escape stands for, and where the text goes on."""
    if code := _CODE.match(text, position):
        number = int(next(filter(None, code.groups())), 16)
        if number > sys.maxunicode:
            raise NotUnderstood(position)
        return chr(number), code.end()
    letter = text[position : position + 1]
    return _ESCAPES.get(letter, letter), position + 1


def _joined(parts: list[str]) -> str:
    """The parts as one text; two halves of a character beyond the first 65,536 become one."""
    return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _list(text: str, position: int, depth: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    position = _skip(text, position + 1)
    while text[position : position + 1] != "]":
        if text[position : position + 1] == ",":  # [,1] has a hole at the start
            found.append(None)
        else:
            value, position = _value(text, position, depth + 1)
            found.append(value)
            position = _skip(text, position)
        position = _separator(text, position, "]")
    return found, position + 1


def _object(text: str, position: int, depth: int) -> tuple[Object, int]:
    found = Object()
    found.position = position
    position = _skip(text, position + 1)
    while text[position : position + 1] != "}":
        key, position = _key(text, position)
        position = _skip(text, position)
        if text[position : position + 1] != ":":
            raise NotUnderstood(position)
        found[key], position = _value(text, _skip(text, position + 1), depth + 1)
        position = _separator(text, _skip(text, position), "}")
    return found, position + 1


def _key(text: str, position: int) -> tuple[str, int]:
    if text[position : position + 1] in ("'", '"'):
        return _string(text, position)
    word = _WORD.match(text, position) or re.compile(r"\d{1,18}").match(text, position)
    if word is None:
        raise NotUnderstood(position)
    return word.group(), word.end()


def _separator(text: str, position: int, closing: str) -> int:
    """The position after the comma, or at the closing mark."""
    if text[position : position + 1] == ",":
        return _skip(text, position + 1)
    if text[position : position + 1] != closing:
        raise NotUnderstood(position)
    return position
