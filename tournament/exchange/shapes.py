"""Reading a JSON object key by key: each value has its kind and limits, and faults are noted, not raised."""

import difflib
from collections.abc import Iterable, Mapping
from datetime import date
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.limits import Range
from tournament.basics.names import compose_marks, normalise_text
from tournament.exchange.faults import FaultCode, FileFault, quote_value
from tournament.exchange.json_text import JsonObject, JsonPath, find_json_places

Choice = TypeVar("Choice", bound=Enum)

TEXT_KIND, WHOLE_NUMBER_KIND, FLAG_KIND = _("a text"), _("a whole number"), _("true or false")
LIST_KIND, PAIR_KIND, OBJECT_KIND = _("a list"), _("a list of two"), _("an object")
"""The kinds of values, as messages call them."""


MAX_UNTIDY_FACTOR = 4
"""So many times as long a text may be as it stands in the file: with letters and marks apart, and blanks."""

MAX_CHOICES = 100
"""More than any enumeration has members."""

MAX_GUESSES = 20
"""For so many unknown keys of an object we look what may have been meant; that takes time."""


def clean_text(text: str) -> str:
    """A text on one line, in composed form, without characters that cannot be shown."""
    tidy = normalise_text(text)
    return tidy if tidy.isprintable() else normalise_text("".join(filter(str.isprintable, tidy)))


def clean_text_lines(text: str) -> str:
    """A text of several lines, each cleaned of what cannot be shown; empty lines at the ends are removed."""
    composed = compose_marks(text).replace("\t", " ")
    lines = ("".join(letter for letter in line if letter.isprintable()).rstrip() for line in composed.splitlines())
    return "\n".join(lines).strip()


class FaultLog:
    """What is wrong so far, each with its path."""

    def __init__(self) -> None:
        self.found: list[tuple[JsonPath, FaultCode, dict[str, Any]]] = []

    def add(self, code: FaultCode, path: JsonPath, **figures: Any) -> None:
        """Note a fault, unless there are already more than anybody reads."""
        if len(self.found) < limits.FAULTS:
            self.found.append((path, code, figures))

    def add_unrelated(self, more: Iterable[tuple[JsonPath, FaultCode, dict[str, Any]]]) -> None:
        """Add faults of consistency, except in objects that are faulty already: they may only follow from that."""
        known = {path for path, _code, _figures in self.found}
        above = {path[:length] for path in known for length in range(len(path))}
        for path, code, figures in more:
            if path not in above and not any(path[:length] in known for length in range(len(path) + 1)):
                self.found.append((path, code, figures))

    def faults(self, text: str) -> list[FileFault]:
        """The faults with their lines, from top to bottom."""
        where = find_json_places(text, {path for path, _code, _figures in self.found})
        listed = [FileFault(code, where[path], figures) for path, code, figures in self.found]
        return sorted(listed, key=lambda fault: fault.place.line or 0)


@cache
def _map_by_value(kinds: Iterable[Any]) -> Mapping[str, Any]:
    return {kind.value: kind for kind in kinds}


class Shape:
    """A JSON object being read. Keys that nobody asked for are noted by `close`."""

    def __init__(self, value: JsonObject, path: JsonPath, log: FaultLog) -> None:
        self.value = value
        self.path = path
        self.log = log
        self.asked: list[str] = []
        for key in value.twice:
            log.add(FaultCode.KEY_TWICE, (*path, key), key=key)

    def close(self) -> None:
        """Note every key that was not asked for, with the key that may have been meant."""
        unknown = [key for key in self.value if key not in self.asked]
        for place, key in enumerate(unknown):
            is_short = len(key) <= limits.QUOTED_TEXT
            meant = difflib.get_close_matches(key, self.asked, 1) if place < MAX_GUESSES and is_short else []
            if meant:
                self.log.add(FaultCode.UNKNOWN_KEY_MEANT, (*self.path, key), key=_quote_key_text(key), meant=meant[0])
            else:
                self.log.add(FaultCode.UNKNOWN_KEY, (*self.path, key), key=_quote_key_text(key))

    def pass_over(self, key: str) -> None:
        """A key that files of earlier versions have and nobody reads any more."""
        self.asked.append(key)

    def has(self, key: str) -> bool:
        """Whether the key is there with a value."""
        return self.value.get(key) is not None

    def note(self, code: FaultCode, key: str, **figures: Any) -> None:
        self.log.add(code, (*self.path, key), **figures)

    def _get(self, key: str, *, required: bool) -> Any:
        """The value of a key; None, with a note if it is required, where it is missing or null."""
        self.asked.append(key)
        value = self.value.get(key)
        if value is None and required:
            if key in self.value:
                self.note(FaultCode.EMPTY, key)
            else:
                self.log.add(FaultCode.MISSING_KEY, self.path, key=key)
        return value

    def _wrong(self, key: str, value: Any, kind: Any) -> None:
        self.note(FaultCode.WRONG_KIND, key, value=describe_json_value(value), kind=kind)

    def text(self, key: str, *, longest: int, required: bool = False, lines: bool = False) -> str:
        """A text that can be shown, in composed form; "" where it is missing. `lines` keeps line breaks."""
        value = self._get(key, required=required)
        if value is None:
            return ""
        if not isinstance(value, str):
            self._wrong(key, value, TEXT_KIND)
            return ""
        if len(value) > MAX_UNTIDY_FACTOR * longest:
            self.note(FaultCode.TOO_LONG, key, value=quote_value(value), limit=longest)
            return ""
        tidy = clean_text_lines(value) if lines else clean_text(value)
        if not lines and tidy != normalise_text(value):
            self.note(FaultCode.CONTROL_CHARACTER, key, value=quote_value(value))
            return ""
        if required and not tidy:
            self.note(FaultCode.EMPTY, key)
        if len(tidy) > longest:
            self.note(FaultCode.TOO_LONG, key, value=quote_value(tidy), limit=longest)
        return tidy

    def whole(self, key: str, allowed: Range, *, required: bool = False) -> int | None:
        """A whole number within its limits; None where it is missing."""
        value = self._get(key, required=required)
        return None if value is None else self._whole(value, (*self.path, key), allowed)

    def _whole(self, value: Any, path: JsonPath, allowed: Range) -> int | None:
        if isinstance(value, bool) or not isinstance(value, int):
            self.log.add(FaultCode.WRONG_KIND, path, value=describe_json_value(value), kind=WHOLE_NUMBER_KIND)
            return None
        if not allowed.holds(value):
            self.log.add(FaultCode.OUT_OF_RANGE, path, value=value, **allowed.ends)
            return None
        return value

    def number(self, key: str, allowed: Range, *, default: int) -> int:
        """A whole number within its limits; the default where it is missing."""
        value = self.whole(key, allowed)
        return default if value is None else value

    def flag(self, key: str, *, default: bool = False) -> bool:
        """True or false; the default where it is missing."""
        value = self._get(key, required=False)
        if value is None:
            return default
        if not isinstance(value, bool):
            self._wrong(key, value, FLAG_KIND)
            return default
        return value

    def choice(self, key: str, kinds: type[Choice] | tuple[Choice, ...], *, required: bool = False) -> Choice | None:
        """One of these members of an enumeration; None where it is missing."""
        value = self._get(key, required=required)
        return None if value is None else self._choice(value, (*self.path, key), kinds)

    def _choice(self, value: Any, path: JsonPath, kinds: type[Choice] | tuple[Choice, ...]) -> Choice | None:
        if not isinstance(value, str):
            self.log.add(FaultCode.WRONG_KIND, path, value=describe_json_value(value), kind=TEXT_KIND)
            return None
        known: Mapping[str, Choice] = _map_by_value(kinds)
        if value not in known:
            self.log.add(FaultCode.NOT_ALLOWED, path, value=quote_value(value), allowed=", ".join(known))
        return known.get(value)

    def day(self, key: str, *, required: bool = False) -> date | None:
        """A date written YYYY-MM-DD; None where it is missing."""
        value = self._get(key, required=required)
        if value is None:
            return None
        try:
            if isinstance(value, str) and len(value) == len("2026-10-03"):
                return date.fromisoformat(value)
        except ValueError:
            pass
        self.note(FaultCode.BAD_DATE, key, value=describe_json_value(value))
        return None

    def items(self, key: str, *, required: bool = False, most: int = limits.ELEMENTS) -> list[tuple[Any, JsonPath]]:
        """The elements of a list with their paths; none where it is missing. More than `most` are noted."""
        value = self._get(key, required=required)
        if isinstance(value, list) and len(value) > most:
            self.note(FaultCode.TOO_MANY, key, value=len(value), limit=most)
            return []
        if value is None:
            return []
        if not isinstance(value, list):
            self._wrong(key, value, LIST_KIND)
            return []
        return [(element, (*self.path, key, position)) for position, element in enumerate(value)]

    def choices(self, key: str, kinds: type[Choice] | tuple[Choice, ...]) -> tuple[Choice, ...]:
        """A list of these members of an enumeration, none of them twice."""
        found: list[Choice] = []
        for element, path in self.items(key, most=MAX_CHOICES):
            choice = self._choice(element, path, kinds)
            if choice in found:
                self.log.add(FaultCode.TWICE, path, value=quote_value(element))
            elif choice is not None:
                found.append(choice)
        return tuple(found)

    def wholes(self, key: str, allowed: Range, *, most: int, required: bool = False) -> tuple[int, ...]:
        """A list of at most `most` whole numbers, within their limits."""
        elements = self.items(key, required=required, most=most)
        found = [self._whole(element, path, allowed) for element, path in elements]
        return tuple(value for value in found if value is not None)

    def texts(self, key: str, *, longest: int, required: bool = False) -> tuple[str, ...]:
        """A list of texts."""
        found = [self._text(element, path, longest) for element, path in self.items(key, required=required)]
        return tuple(text for text in found if text is not None)

    def _text(self, value: Any, path: JsonPath, longest: int) -> str | None:
        if isinstance(value, str) and len(value) > MAX_UNTIDY_FACTOR * longest:
            self.log.add(FaultCode.TOO_LONG, path, value=quote_value(value), limit=longest)
        elif not isinstance(value, str) or clean_text(value) != normalise_text(value):
            self.log.add(FaultCode.WRONG_KIND, path, value=describe_json_value(value), kind=TEXT_KIND)
        elif len(value) > longest:
            self.log.add(FaultCode.TOO_LONG, path, value=quote_value(value), limit=longest)
        else:
            return normalise_text(value)
        return None

    def text_lists(self, key: str, *, longest: int) -> list[tuple[tuple[str, ...], JsonPath]]:
        """A list of lists of texts, each with its path."""
        found = []
        for element, path in self.items(key):
            if isinstance(element, list):
                texts = [self._text(value, (*path, place), longest) for place, value in enumerate(element)]
                found.append((tuple(text for text in texts if text is not None), path))
            else:
                self.log.add(FaultCode.WRONG_KIND, path, value=describe_json_value(element), kind=LIST_KIND)
        return found

    def shapes(self, key: str, *, most: int = limits.ELEMENTS) -> list["Shape"]:
        """A list of at most `most` objects; anything else in it is noted and left out."""
        found = []
        for element, path in self.items(key, most=most):
            if isinstance(element, JsonObject):
                found.append(Shape(element, path, self.log))
            else:
                self.log.add(FaultCode.WRONG_KIND, path, value=describe_json_value(element), kind=OBJECT_KIND)
        return found

    def shape(self, key: str) -> "Shape | None":
        """An object; None where it is missing."""
        value = self._get(key, required=False)
        if value is None:
            return None
        if not isinstance(value, JsonObject):
            self._wrong(key, value, OBJECT_KIND)
            return None
        return Shape(value, (*self.path, key), self.log)


def describe_json_value(value: Any) -> str:
    """A JSON value as a message shows it: scalars as written, containers by their marks."""
    if isinstance(value, JsonObject):
        return "{…}" if value else "{}"
    if isinstance(value, list):
        return "[…]" if value else "[]"
    return quote_value(value)


def _quote_key_text(key: str) -> str:
    """A key for a message that has its own quotation marks."""
    return quote_value(key)[1:-1]
