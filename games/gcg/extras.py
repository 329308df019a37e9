"""What a score sheet says beyond GCG, in a note that other programs pass over: `#note tso {"points": null}`.

Only what a reader would otherwise get wrong is noted, so that a plain game has no such lines.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from games.limits import LINE_NOTE
from games.models import Line
from games.sheets.written import ENDING, WrittenEnding, WrittenLine

MARK = "tso "

"""Characters of a line's note."""

_TEXTS = ("position", "word", "rack", "tiles", "note")
T = TypeVar("T", WrittenLine, WrittenEnding)


def noted(true: T, read: T) -> str:
    """The note that turns what is read into what is true; "" where they are the same."""
    differing = {
        name: getattr(true, name)
        for name in true.__slots__
        if name != "side" and getattr(true, name) != getattr(read, name)
    }
    return MARK + json.dumps(differing, ensure_ascii=False) if differing else ""


def of_line(line: WrittenLine, note: str) -> WrittenLine:
    """The line, with the values that its note gives in our way. What is not written in our way stays a note."""
    rest, found = _split(note)
    values = {name: value for name, value in found.items() if _fits_line(name, value)}
    if "kind" in values:
        values["kind"] = Line.Kind(values["kind"])
    return replace(line, **{"note": tidy(rest, LINE_NOTE), **({} if len(values) < len(found) else values)})


def of_ending(ending: WrittenEnding, note: str) -> tuple[WrittenEnding, str]:
    """The end of the sheet, with the values that the file's first note gives in our way, and the rest of that note."""
    rest, found = _split(note)
    values: dict[str, Any] = {}
    for name, value in found.items():
        if not _fits_ending(name, value):
            return ending, rest
        values[name] = tuple(value) if isinstance(value, list) else value
    return replace(ending, **values), rest


def _split(note: str) -> tuple[str, Mapping[str, Any]]:
    """The lines of a note that people wrote, and the values in ours."""
    kept, found = [], {}
    for line in note.split("\n"):
        value = _value(line.removeprefix(MARK)) if line.startswith(MARK) else None
        if value is None:
            kept.append(line)
        else:
            found.update(value)
    return "\n".join(kept), found


def _value(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1_000_000


def _fits_line(name: str, value: object) -> bool:
    if name in _TEXTS:
        return isinstance(value, str)
    if name == "kind":
        return value in Line.Kind.values
    if name == "jury":
        return isinstance(value, bool)
    return (name == "points" and value is None) or (name in ("points", "words") and _is_number(value))


def _fits_ending(name: str, value: object) -> bool:
    if name == "note":
        return isinstance(value, str)
    if name == "is_finished":
        return isinstance(value, bool)
    if name not in ENDING or not isinstance(value, list) or len(value) != 2:
        return False
    return all(each is None or (isinstance(each, str) if name == "left" else _is_number(each)) for each in value)


def tidy(note: str, limit: int) -> str:
    """A note on one line that can be stored; one that is too long is cut and says so."""
    text = "".join(mark for mark in " ".join(note.split()) if mark.isprintable())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
