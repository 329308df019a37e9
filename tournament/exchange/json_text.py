"""JSON, strictly: no key twice, whole numbers alone, and the place of every value. A file is read fast; only when
something is wrong with it does a second pass look for the lines."""

import codecs
import json
from collections import Counter
from collections.abc import Collection, Generator
from json.decoder import WHITESPACE, scanstring  # type: ignore[attr-defined]  # not in the stubs
from typing import Any

from tournament.basics import limits
from tournament.exchange.faults import FaultCode, FileFaults, FilePlace, make_single_fault, quote_value

JsonPath = tuple[str | int, ...]  # how to get to a value from the top: keys and positions

MAX_NUMBER_LENGTH = 20
"""Characters, enough for 64 bits; longer numbers cannot be a figure of a tournament and are slow to convert."""


class TooManyKeys(Exception):
    """An object has more keys than anything of ours."""


class JsonObject(dict[str, Any]):
    """A JSON object that remembers which keys it had twice. Raises `TooManyKeys`."""

    __slots__ = ("twice",)

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        if len(pairs) > limits.KEYS:
            raise TooManyKeys(len(pairs))
        super().__init__(pairs)
        self.twice: tuple[str, ...] = ()
        if len(self) < len(pairs):
            counts = Counter(key for key, _value in pairs)
            self.twice = tuple(key for key, count in counts.items() if count > 1)


class UnusableNumber:
    """A number that is not whole or far too long (1.5, 1e999, NaN), kept as it was written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


def read_json(content: str | bytes, *, limit: int) -> tuple[Any, str]:
    """The value that a JSON file holds, and its text. Raises `FileFaults` if it is not JSON in UTF-8, or too large."""
    # By its size, then by counting, then by reading: each step is dearer than the one before.
    if len(content) > limit:
        raise make_size_fault(len(content), limit)
    text = content if isinstance(content, str) else decode_utf8(content)
    text = text.removeprefix("\ufeff")
    _check_value_counts(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=JsonObject,
            # Python refuses to make an int of more than 4,300 digits, with an error that names no line.
            parse_int=lambda digits: int(digits) if len(digits) <= MAX_NUMBER_LENGTH else UnusableNumber(digits),
            parse_float=UnusableNumber,
            parse_constant=UnusableNumber,
        )
    except json.JSONDecodeError as error:
        raise make_syntax_fault(text, error.pos, FilePlace(line=error.lineno, column=error.colno)) from error
    except RecursionError as error:
        raise make_single_fault(FaultCode.TOO_DEEP) from error
    except TooManyKeys as error:
        raise make_single_fault(FaultCode.TOO_MANY_KEYS, value=error.args[0], limit=limits.KEYS) from error
    return value, text


def _check_value_counts(text: str) -> None:
    """Refuse a text with so many values that they would fill the memory, before it is read."""
    # Counted as text: read as JSON first, a file of brackets or commas fills the memory before anybody can say what it
    # is.
    containers, values = text.count("{") + text.count("["), text.count(",")
    for count, limit in ((containers, limits.CONTAINERS), (values, limits.VALUES)):
        if count > limit:
            raise make_single_fault(FaultCode.TOO_MANY, FilePlace(line=1), value=count, limit=limit)


def make_size_fault(size: int, limit: int, code: FaultCode = FaultCode.TOO_LARGE) -> FileFaults:
    """The exception for a file over the limit, as it is or unpacked."""
    # Rounded up: a file just over the limit would be told that it has 20 MB, of which 20 are read.
    return make_single_fault(code, size=-(-size // 1_000_000), limit=limit // 1_000_000)


def make_syntax_fault(text: str, position: int, place: FilePlace) -> FileFaults:
    """The exception for a text that makes no sense from a position on; quotes what is there."""
    rest = text[position : position + 20].split("\n", maxsplit=1)[0].strip()
    if not text[position:].strip():
        return make_single_fault(FaultCode.CUT_OFF, place)
    return make_single_fault(FaultCode.SYNTAX, place, value=quote_value(rest))


def decode_utf8(content: bytes) -> str:
    """The text of a file in UTF-8, with or without a byte order mark. Raises `FileFaults` with the line."""
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        place = FilePlace(line=content.count(b"\n", 0, error.start) + 1)
        raise make_single_fault(
            FaultCode.NOT_TEXT, place, encoding="UTF-8", value=f"{content[error.start]:#04x}"
        ) from error


def format_json(value: Any, margin: str = "") -> str:
    """JSON that people can read: a value that holds no list of objects is on one line."""
    if (margin and _is_flat(value)) or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    inner = margin + " "
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"{inner}{format_json(element, inner)}" for element in value) + f"\n{margin}]"
    lines = [
        f"{inner}{json.dumps(key, ensure_ascii=False)}: {format_json(element, inner)}" for key, element in value.items()
    ]
    return "{\n" + ",\n".join(lines) + f"\n{margin}}}"


def _is_flat(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_flat(element) for element in value.values())
    return not isinstance(value, list) or all(not isinstance(element, dict) and _is_flat(element) for element in value)


def format_json_path(path: JsonPath) -> str:
    """A path as people write it: `divisions[0].rounds[2].number`."""
    text = ""
    for step in path:
        shown_step = f"[{step}]" if isinstance(step, int) else step[: limits.QUOTED_TEXT]
        text += f".{shown_step}" if text and isinstance(step, str) else shown_step
    return text


def find_json_places(text: str, wanted: Collection[JsonPath]) -> dict[JsonPath, FilePlace]:
    """Where the wanted values are in a text that is valid JSON. A path that is missing gets the place above it."""
    needed = {path[:length] for path in wanted for length in range(len(path) + 1)}
    # In one pass for all of them: a file with many faults would else be read once for each.
    offsets = dict(_PathFinder(text, needed).value(_skip_whitespace(text, 0), ()))
    line, before, lines = 1, 0, {}
    for offset in sorted(set(offsets.values())):
        line += text.count("\n", before, offset)
        lines[offset], before = line, offset
    places = {}
    for path in wanted:
        nearest = next(path[:length] for length in range(len(path), -1, -1) if path[:length] in offsets)
        places[path] = FilePlace(line=lines[offsets[nearest]], path=format_json_path(path))
    return places


def _skip_whitespace(text: str, position: int) -> int:
    match = WHITESPACE.match(text, position)
    return match.end() if match else position


class _PathFinder:
    """Looks for the needed values of a valid JSON text; what is not needed is passed over at the reader's speed."""

    def __init__(self, text: str, needed: Collection[JsonPath]) -> None:
        self.text = text
        self.needed = needed
        self.containers = {path[:-1] for path in needed if path}
        # Numbers stay text: nobody wants their values, and Python refuses to make an int of more than 4,300 digits.
        self.pass_over = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str).raw_decode

    def value(self, position: int, path: JsonPath) -> Generator[tuple[JsonPath, int], None, int]:
        """The needed paths at and below a value with their offsets; returns where the value ends."""
        yield path, position
        if self.text[position] not in "{[" or path not in self.containers:
            return int(self.pass_over(self.text, position)[1])
        return (yield from self.inside(position, path))

    def inside(self, position: int, path: JsonPath) -> Generator[tuple[JsonPath, int], None, int]:
        """The same for what is in an object or a list."""
        text, is_object, count = self.text, self.text[position] == "{", 0
        position = _skip_whitespace(text, position + 1)
        while text[position] not in "]}":
            step: str | int = count
            if is_object:
                step, position = scanstring(text, position + 1)
                position = _skip_whitespace(text, _skip_whitespace(text, position) + 1)  # the colon
            if (*path, step) in self.needed:
                position = yield from self.value(position, (*path, step))
            else:
                position = self.pass_over(text, position)[1]
            position, count = _skip_whitespace(text, position), count + 1
            if text[position] == ",":
                position = _skip_whitespace(text, position + 1)
        return position + 1
