"""Reading a JavaScript literal, which tsh writes into `tourney.js`. It is read as data and never run.

More is allowed than in JSON: `undefined`, trailing commas, keys without quotation marks, single quotes, comments.
"""

import re
import sys
from typing import Any

from tournament.basics import limits
from tournament.exchange.faults import FaultCode, FilePlace, make_single_fault, quote_value
from tournament.exchange.json_text import make_syntax_fault
from tournament.exchange.shapes import clean_text
from tournament.tsh.cards import (
    UNDEFINED_SCORE,
    DivisionFile,
    ImportRemarks,
    PlayerLine,
    TshFolder,
    TshSetting,
    TshSettings,
    parse_leading_number,
    strip_undefined,
    tidy_name,
)

MAX_SCRIPT_DEPTH = 40
MAX_STRING_LENGTH = 20_000
"""Characters, as they are written."""

_SPACE = re.compile(r"(?:\s++|//[^\n]*+|/\*.*?\*/)*+", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:Infinity|(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][-+]?\d{1,4})?)(?![\w.])")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_PLAIN = re.compile(r"[^\\\"'\n]+")
_CODE = re.compile(r"u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None, "NaN": None}


class ScriptNotUnderstood(Exception):
    """The text is not a literal that we can read; `position` says where."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


class ScriptObject(dict[str, Any]):
    """An object that remembers where it began."""

    position = 0


def parse_script_literal(text: str, position: int = 0) -> Any:
    """The value that begins at a position: dict, list, str, int, float, bool or None. Raises `NotUnderstood`.

    Anything after the value is ignored.
    """
    try:
        return _parse_value(text, _skip_space(text, position), 0)[0]
    except ScriptNotUnderstood as error:
        raise ScriptNotUnderstood(min(error.position, len(text))) from None


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _parse_value(text: str, position: int, depth: int) -> tuple[Any, int]:
    if depth > MAX_SCRIPT_DEPTH or position >= len(text):
        raise ScriptNotUnderstood(position)
    letter = text[position]
    if letter == "{":
        return _parse_object(text, position, depth)
    if letter == "[":
        return _parse_list(text, position, depth)
    if letter in "\"'":
        return _parse_string(text, position)
    if number := _NUMBER.match(text, position):
        digits = number.group()
        return (int(digits) if digits.lstrip("+-").isdigit() else float(digits)), number.end()  # Infinity as well
    word = _WORD.match(text, position)
    if word and word.group() in _CONSTANTS:
        return _CONSTANTS[word.group()], word.end()
    raise ScriptNotUnderstood(position)


def _parse_string(text: str, position: int) -> tuple[str, int]:
    quote = text[position]
    parts: list[str] = []
    position += 1
    end = min(len(text), position + MAX_STRING_LENGTH)
    while position < end and text[position] != quote:
        if text[position] == "\\":
            part, position = _parse_escape(text, position + 1)
            parts.append(part)
        elif plain := _PLAIN.match(text, position):
            parts.append(plain.group())
            position = plain.end()
        elif text[position] == "\n":
            raise ScriptNotUnderstood(position)
        else:
            parts.append(text[position])
            position += 1
    if position >= end:
        raise ScriptNotUnderstood(position)
    return _join_parts(parts), position + 1


def _parse_escape(text: str, position: int) -> tuple[str, int]:
    """The character that an escape stands for, and where the text goes on."""
    if code := _CODE.match(text, position):
        number = int(next(filter(None, code.groups())), 16)
        if number > sys.maxunicode:
            raise ScriptNotUnderstood(position)
        return chr(number), code.end()
    letter = text[position : position + 1]
    return _ESCAPES.get(letter, letter), position + 1


def _join_parts(parts: list[str]) -> str:
    """The parts as one text; two halves of a character beyond the first 65,536 become one."""
    return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _parse_list(text: str, position: int, depth: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    position = _skip_space(text, position + 1)
    while text[position : position + 1] != "]":
        if text[position : position + 1] == ",":  # [,1] has a hole at the start
            found.append(None)
        else:
            value, position = _parse_value(text, position, depth + 1)
            found.append(value)
            position = _skip_space(text, position)
        position = _skip_separator(text, position, "]")
    return found, position + 1


def _parse_object(text: str, position: int, depth: int) -> tuple[ScriptObject, int]:
    found = ScriptObject()
    found.position = position
    position = _skip_space(text, position + 1)
    while text[position : position + 1] != "}":
        key, position = _parse_key(text, position)
        position = _skip_space(text, position)
        if text[position : position + 1] != ":":
            raise ScriptNotUnderstood(position)
        found[key], position = _parse_value(text, _skip_space(text, position + 1), depth + 1)
        position = _skip_separator(text, _skip_space(text, position), "}")
    return found, position + 1


def _parse_key(text: str, position: int) -> tuple[str, int]:
    if text[position : position + 1] in ("'", '"'):
        return _parse_string(text, position)
    word = _WORD.match(text, position) or re.compile(r"\d{1,18}").match(text, position)
    if word is None:
        raise ScriptNotUnderstood(position)
    return word.group(), word.end()


def _skip_separator(text: str, position: int, closing: str) -> int:
    """The position after the comma, or at the closing mark."""
    if text[position : position + 1] == ",":
        return _skip_space(text, position + 1)
    if text[position : position + 1] != closing:
        raise ScriptNotUnderstood(position)
    return position


# Reading `tourney.js`, which tsh publishes for its web pages: `newt={…};`.


_START = re.compile(r"\bnewt\s*=\s*(?=\{)")


def read_tourney_js(text: str, file: str, title: str, remarks: ImportRemarks) -> TshFolder:
    """The event that the file holds. Raises `Faults` if it cannot be understood at all."""
    found = _find_event_object(text, file)
    listed = found.get("divisions")
    fields = []
    for position, division in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(division, ScriptObject):
            name = division.get("name")
            name = clean_text(str(name)) if isinstance(name, str | int) else ""
            name = name or chr(ord("A") + position % 26)
            fields.append(DivisionFile(name, _read_cards(text, division, file, remarks)))
    if not fields:
        raise make_single_fault(FaultCode.TSH_NO_DIVISION, FilePlace(file=file))
    return TshFolder(title, FilePlace(file=file), _read_settings(found, file), tuple(fields))


def _find_event_object(text: str, file: str) -> ScriptObject:
    """The object after `newt=`, or the whole file if it is one object."""
    values = text.count(",")
    if values > limits.SCRIPT_VALUES:
        raise make_single_fault(FaultCode.TOO_MANY, FilePlace(file=file), value=values, limit=limits.SCRIPT_VALUES)
    start = _START.search(text)
    position = start.end() if start else 0
    try:
        value = parse_script_literal(text, position)
    except ScriptNotUnderstood as error:
        raise make_syntax_fault(text, error.position, _make_file_place(text, error.position, file)) from error
    if not isinstance(value, ScriptObject):
        raise make_single_fault(FaultCode.TSH_NO_DIVISION, FilePlace(file=file))
    return value


def _make_file_place(text: str, position: int, file: str) -> FilePlace:
    return FilePlace(file=file, line=text.count("\n", 0, position) + 1)


def _read_settings(found: ScriptObject, file: str) -> TshSettings:
    """The configuration; an object under a key holds its values by part."""
    settings = TshSettings()
    config = found.get("config")
    for key, value in config.items() if isinstance(config, dict) else ():
        parts = value.items() if isinstance(value, dict) else (("", value),)
        settings.all += [
            TshSetting(FilePlace(file=file), key, str(part), each) for part, each in parts if each is not None
        ]
    return settings


def _read_cards(text: str, division: ScriptObject, file: str, remarks: ImportRemarks) -> tuple[PlayerLine, ...]:
    """The players of a division. The list's first element is empty, since players are numbered from 1."""
    players = division.get("players")
    listed = list(players) if isinstance(players, list) else []
    if listed and not isinstance(listed[0], ScriptObject):
        listed = listed[1:]
    return tuple(_read_card(text, player, number, file, remarks) for number, player in enumerate(listed, 1))


def _read_card(text: str, player: Any, number: int, file: str, remarks: ImportRemarks) -> PlayerLine:
    if not isinstance(player, ScriptObject) or not isinstance(player.get("name"), str):
        place = _make_file_place(text, getattr(player, "position", 0), file)
        remarks.fault(FaultCode.TSH_LINE, place, value=quote_value(f"players[{number}]"))
        return PlayerLine(place=place, number=number, name="")
    place = _make_file_place(text, player.position, file)
    etc = player.get("etc")
    scores = _read_numbers(player.get("scores"), place, remarks)
    return PlayerLine(
        place=place,
        number=number,
        name=tidy_name(player["name"], place, remarks),
        rating=_read_word(player.get("rating")),
        opponents=strip_undefined(_read_numbers(player.get("pairings"), place, remarks)),
        scores=strip_undefined(None if score == UNDEFINED_SCORE else score for score in scores),
        fields={key: _read_words(value) for key, value in etc.items() if value is not None}
        if isinstance(etc, dict)
        else {},
    )


def _read_numbers(value: Any, place: FilePlace, remarks: ImportRemarks) -> list[int | None]:
    """A list of whole numbers, None where nothing is defined."""
    found: list[int | None] = []
    for each in value if isinstance(value, list) else []:
        if each is None or each == "00":
            found.append(None)
        elif type(each) is int and abs(each) < 10**6:
            found.append(each)
        elif isinstance(each, str) and re.fullmatch(r"-?\d{1,6}", each.strip(), re.ASCII):
            found.append(parse_leading_number(each.strip()))
        else:
            remarks.fault(FaultCode.TSH_LINE, place, value=quote_value(each))
            found.append(None)
    return found


def _read_words(value: Any) -> tuple[str, ...]:
    return tuple(_read_word(each) for each in value) if isinstance(value, list) else (_read_word(value),)


def _read_word(value: Any) -> str:
    return "00" if value is None else str(value)
