"""JSON, strictly: no key twice, no odd numbers, and the place of every value.

A file is read fast; only when something is wrong with it does a second pass look for the lines.
"""

import bisect
import codecs
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from tournament.exchange import faults
from tournament.exchange.faults import Code, Place

Path = tuple[str | int, ...]
"""How to get to a value from the top: keys and positions."""

LONGEST_NUMBER = 20
"""Characters, enough for 64 bits; longer numbers cannot be a figure of a tournament and are slow to convert."""

MOST_CONTAINERS = 500_000
"""Objects and lists of one file. A tournament of 3,000 players and 20 rounds has 40,000; millions fill the memory."""

_TOKEN = re.compile(r'[\[\]{}:,]|"(?:[^"\\]|\\.)*"|[^\s\[\]{}:,"]+')


class Object(dict[str, Any]):
    """A JSON object that remembers which keys it had twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.twice: tuple[str, ...] = ()
        if len(self) < len(pairs):
            counts = Counter(key for key, _value in pairs)
            self.twice = tuple(key for key, count in counts.items() if count > 1)


class OddNumber:
    """A number that is not whole or far too long (1.5, 1e999, NaN), kept as it was written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


def load(content: str | bytes, *, limit: int) -> tuple[Any, str]:
    """The value that a JSON file holds, and its text. Raises `Faults` if it is not JSON in UTF-8, or too large."""
    if len(content) > limit:
        raise too_large(len(content), limit)
    text = content if isinstance(content, str) else decoded(content)
    text = text.removeprefix("\ufeff")
    if (containers := text.count("{") + text.count("[")) > MOST_CONTAINERS:
        raise faults.one(Code.TOO_MANY, Place(line=1), value=containers, limit=MOST_CONTAINERS)
    try:
        value = json.loads(
            text,
            object_pairs_hook=Object,
            parse_int=lambda digits: int(digits) if len(digits) <= LONGEST_NUMBER else OddNumber(digits),
            parse_float=OddNumber,
            parse_constant=OddNumber,
        )
    except json.JSONDecodeError as error:
        raise not_understood(text, error.pos, Place(line=error.lineno, column=error.colno)) from error
    except RecursionError as error:
        raise faults.one(Code.TOO_DEEP) from error
    return value, text


def too_large(size: int, limit: int) -> faults.Faults:
    """The exception for a file over the limit."""
    return faults.one(Code.TOO_LARGE, size=-(-size // 1_000_000), limit=limit // 1_000_000)


def not_understood(text: str, position: int, place: Place) -> faults.Faults:
    """The exception for a text that makes no sense from a position on; quotes what is there."""
    rest = text[position : position + 20].split("\n", maxsplit=1)[0].strip()
    if not text[position:].strip():
        return faults.one(Code.CUT_OFF, place)
    return faults.one(Code.SYNTAX, place, value=faults.quoted(rest))


def decoded(content: bytes) -> str:
    """The text of a file in UTF-8, with or without a byte order mark. Raises `Faults` with the line."""
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        place = Place(line=content.count(b"\n", 0, error.start) + 1)
        raise faults.one(Code.NOT_TEXT, place, encoding="UTF-8", value=f"{content[error.start]:#04x}") from error


def shown(path: Path) -> str:
    """A path as people write it: `divisions[0].rounds[2].number`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def places(text: str, wanted: Collection[Path]) -> dict[Path, Place]:
    """Where the wanted values are in a text that is valid JSON. A path that is missing gets the place above it."""
    needed = {path[:length] for path in wanted for length in range(len(path) + 1)}
    offsets = {path: offset for path, offset in _values(text) if path in needed}
    breaks = [match.start() for match in re.finditer("\n", text)]
    found = {}
    for path in wanted:
        nearest = next(path[:length] for length in range(len(path), -1, -1) if path[:length] in offsets)
        line = bisect.bisect_left(breaks, offsets[nearest])
        found[path] = Place(line=line + 1, path=shown(path))
    return found


def _values(text: str) -> Iterator[tuple[Path, int]]:
    """Every value of a valid JSON text: its path and where it begins."""
    above: list[list[str | int | None]] = []  # for each container we are in, the key or position of its current value
    expects_key = False
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in ("}", "]"):
            above.pop()
            expects_key = False
        elif token == ",":
            step = above[-1][0]
            expects_key = not isinstance(step, int)
            above[-1][0] = step + 1 if isinstance(step, int) else step
        elif token == ":":
            expects_key = False
        elif expects_key:
            above[-1][0] = json.loads(token)
        else:
            yield tuple(level[0] for level in above if level[0] is not None), match.start()
            if token in ("{", "["):
                above.append([0 if token == "[" else None])
                expects_key = token == "{"
