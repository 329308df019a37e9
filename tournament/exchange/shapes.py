"""Reading JSON objects, key by key or as a value class says (`objects`): each value has its kind and limits, and faults
are noted, not raised."""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import date
from enum import Enum
from functools import cache
from typing import Any, TypeVar, get_args, get_origin

from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.limits import Range
from tournament.basics.names import clean_text, clean_text_lines, normalise_text
from tournament.exchange.faults import FaultCode, FileFault, FileFaults, FilePlace, make_single_fault, quote_value
from tournament.exchange.json_text import JsonObject, JsonPath, UnusableNumber, find_json_places, read_json
from tournament.exchange.objects import Longest, Most, ObjectField, list_object_fields

Choice = TypeVar("Choice", bound=Enum)
Value = TypeVar("Value")
Number = TypeVar("Number", int, float)

DECIMAL = re.compile(r"-?[0-9]{1,9}\.[0-9]{1,9}")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

PAIR_LENGTH = 2
PAIR_KIND = _("a list of two")
KIND_NAMES = {
    str: _("a text"),
    int: _("a whole number"),
    bool: _("true or false"),
    list: _("a list"),
    JsonObject: _("an object"),
}
"""The kinds of values, as messages call them."""

MAX_UNTIDY_FACTOR = 4
"""How many times as long a text may be before it is tidied: with letters and marks apart, and blanks."""

MAX_CHOICES = 100  # more than any enumeration has members

MAX_GUESSES = 20  # how many unknown keys of an object are compared with those that may have been meant; that takes time


def read_date(text: str) -> date:
    """A date written YYYY-MM-DD. Raises ValueError."""
    # Python reads 20261003 and 2026-W40-6 as well; the format promises YYYY-MM-DD to whoever else reads our files.
    if not DAY.fullmatch(text):
        raise ValueError(text)
    return date.fromisoformat(text)


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
        fault_paths = {path for path, _code, _figures in self.found}
        above = {path[:length] for path in fault_paths for length in range(len(path))}
        for path, code, figures in more:
            if path not in above and not any(path[:length] in fault_paths for length in range(len(path) + 1)):
                self.add(code, path, **figures)

    def faults(self, text: str) -> list[FileFault]:
        """The faults with their lines, from top to bottom."""
        where = find_json_places(text, {path for path, _code, _figures in self.found})
        listed = [FileFault(code, where[path], figures) for path, code, figures in self.found]
        # Faults of one line stay in the order in which they were found: the sort is stable.
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
            # A key of a megabyte is compared with each of ours, letter by letter.
            is_short = len(key) <= limits.QUOTED_TEXT
            # Each guess compares with all known keys: a file of thousands of made-up keys would keep the program busy
            # for minutes with being helpful.
            meant = difflib.get_close_matches(key, self.asked, 1) if place < MAX_GUESSES and is_short else []
            figures = {"key": quote_value(key)[1:-1]}  # the message has quotation marks of its own
            if meant:
                self.note(FaultCode.UNKNOWN_KEY_MEANT, key, **figures, meant=meant[0])
            else:
                self.note(FaultCode.UNKNOWN_KEY, key, **figures)

    def pass_over(self, key: str) -> None:
        """Accept a key that files of earlier versions have and that is no longer read."""
        self.asked.append(key)

    def has(self, key: str) -> bool:
        """Whether the key is there with a value."""
        return self.value.get(key) is not None

    def note(self, code: FaultCode, key: str, /, **figures: Any) -> None:
        self.log.add(code, (*self.path, key), **figures)

    def _get(self, key: str, kind: type[Value], *, required: bool = False) -> Value | None:
        """The value of a key; None, with a note where that is a fault, if it is missing, null or of another kind."""
        self.asked.append(key)
        value = self.value.get(key)
        if value is not None:
            return self._check_kind(value, (*self.path, key), kind)
        # The key is there with `null`: told that it is missing, somebody would look for it in vain.
        if required and key in self.value:
            self.note(FaultCode.EMPTY, key)
        elif required:
            self.log.add(FaultCode.MISSING_KEY, self.path, key=key)
        return None

    def _check_kind(self, value: Any, path: JsonPath, kind: type[Value]) -> Value | None:
        """The value; None, with a note, if it is of another kind."""
        # True is an int to Python: `"round": true` would be round 1.
        if isinstance(value, kind) and (kind is not int or not isinstance(value, bool)):
            return value
        self.log.add(FaultCode.WRONG_KIND, path, value=describe_json_value(value), kind=KIND_NAMES[kind])
        return None

    def text(self, key: str, *, longest: int, required: bool = False, lines: bool = False) -> str:
        """A text that can be shown, in composed form; "" where it is missing. `lines` keeps line breaks."""
        value = self._get(key, str, required=required)
        if value is None:
            return ""
        # By its length alone, before it is tidied: to compose the letters of megabytes takes longer than all the rest.
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
        value = self._get(key, int, required=required)
        return None if value is None else self._check_range(value, (*self.path, key), allowed)

    def decimal(self, key: str, allowed: Range, *, required: bool = False) -> float | None:
        """A number within its limits, with or without a fraction; None where it is missing."""
        value = self._get(key, object, required=required)
        if isinstance(value, UnusableNumber) and DECIMAL.fullmatch(value.text):
            return self._check_range(float(value.text), (*self.path, key), allowed)
        # Not `required` once more: what is missing has been noted above.
        return self.whole(key, allowed)

    def _check_range(self, value: Number, path: JsonPath, allowed: Range) -> Number | None:
        if allowed.low <= value <= allowed.high:
            return value
        self.log.add(FaultCode.OUT_OF_RANGE, path, value=value, **allowed.ends)
        return None

    def flag(self, key: str, *, default: bool = False) -> bool:
        """True or false; the default where it is missing."""
        value = self._get(key, bool)
        return default if value is None else value

    def choice(self, key: str, kinds: type[Choice] | tuple[Choice, ...], *, required: bool = False) -> Choice | None:
        """One of these members of an enumeration; None where it is missing."""
        value = self._get(key, str, required=required)
        return None if value is None else self._choose(value, (*self.path, key), kinds)

    def _choose(self, value: str, path: JsonPath, kinds: type[Choice] | tuple[Choice, ...]) -> Choice | None:
        kinds_by_value: Mapping[str, Choice] = _map_by_value(kinds)
        if value not in kinds_by_value:
            self.log.add(FaultCode.NOT_ALLOWED, path, value=quote_value(value), allowed=", ".join(kinds_by_value))
        return kinds_by_value.get(value)

    def day(self, key: str, *, required: bool = False) -> date | None:
        """A date written YYYY-MM-DD; None where it is missing."""
        value = self._get(key, object, required=required)
        if value is None:
            return None
        if isinstance(value, str):
            with suppress(ValueError):
                return read_date(value)
        self.note(FaultCode.BAD_DATE, key, value=describe_json_value(value))
        return None

    def items(self, key: str, *, required: bool = False, most: int = limits.ELEMENTS) -> list[tuple[Any, JsonPath]]:
        """The elements of a list with their paths; none where it is missing. More than `most` are noted."""
        value: list[Any] = self._get(key, list, required=required) or []
        if len(value) > most:
            self.note(FaultCode.TOO_MANY, key, value=len(value), limit=most)
            return []
        return [(element, (*self.path, key, position)) for position, element in enumerate(value)]

    def _items_of_kind(
        self, key: str, kind: type[Value], *, required: bool = False, most: int = limits.ELEMENTS
    ) -> list[tuple[Value, JsonPath]]:
        """The same without the elements of another kind, which are noted."""
        checked = (
            (self._check_kind(element, path, kind), path)
            for element, path in self.items(key, required=required, most=most)
        )
        return [(value, path) for value, path in checked if value is not None]

    def choices(self, key: str, kinds: type[Choice] | tuple[Choice, ...]) -> tuple[Choice, ...]:
        """A list of these members of an enumeration, none of them twice."""
        chosen_kinds: list[Choice] = []
        for element, path in self._items_of_kind(key, str, most=MAX_CHOICES):
            choice = self._choose(element, path, kinds)
            if choice in chosen_kinds:
                self.log.add(FaultCode.TWICE, path, value=quote_value(element))
            elif choice is not None:
                chosen_kinds.append(choice)
        return tuple(chosen_kinds)

    def wholes(self, key: str, allowed: Range, *, most: int, required: bool = False) -> tuple[int, ...]:
        """A list of at most `most` whole numbers, within their limits."""
        elements = self._items_of_kind(key, int, required=required, most=most)
        numbers = [self._check_range(element, path, allowed) for element, path in elements]
        return tuple(value for value in numbers if value is not None)

    def ranges(self, key: str, allowed: Range, *, most: int) -> tuple[tuple[int, int], ...]:
        """A list of at most `most` pairs of whole numbers within their limits."""
        ranges = []
        for element, path in self._items_of_kind(key, list, most=most):
            if len(element) != PAIR_LENGTH:
                self.log.add(FaultCode.WRONG_KIND, path, value="[…]", kind=PAIR_KIND)
                continue
            numbers = [self._check_kind(value, (*path, place), int) for place, value in enumerate(element)]
            ends = [
                number
                for place, number in enumerate(numbers)
                if number is not None and self._check_range(number, (*path, place), allowed) is not None
            ]
            if len(ends) == PAIR_LENGTH:
                ranges.append((ends[0], ends[1]))
        return tuple(ranges)

    def texts(self, key: str, *, longest: int, required: bool = False) -> tuple[str, ...]:
        return self._check_texts(self.items(key, required=required), longest)

    def text_lists(self, key: str, *, longest: int) -> list[tuple[tuple[str, ...], JsonPath]]:
        """A list of lists of texts, each with its path."""
        return [
            (self._check_texts([(value, (*path, place)) for place, value in enumerate(element)], longest), path)
            for element, path in self._items_of_kind(key, list)
        ]

    def _check_texts(self, elements: list[tuple[Any, JsonPath]], longest: int) -> tuple[str, ...]:
        """The elements that are texts; what is not, or is too long or cannot be shown, is noted."""
        texts = []
        for value, path in elements:
            is_text = isinstance(value, str)
            # A longer one is not tidied to be compared, which takes long for megabytes: it is refused for its length
            # below.
            is_short = is_text and len(value) <= MAX_UNTIDY_FACTOR * longest
            if not is_text or (is_short and clean_text(value) != normalise_text(value)):
                self.log.add(FaultCode.WRONG_KIND, path, value=describe_json_value(value), kind=KIND_NAMES[str])
            elif len(value) > longest:
                self.log.add(FaultCode.TOO_LONG, path, value=quote_value(value), limit=longest)
            else:
                texts.append(normalise_text(value))
        return tuple(texts)

    def shapes(self, key: str, *, most: int = limits.ELEMENTS) -> list["Shape"]:
        """A list of at most `most` objects; anything else in it is noted and left out."""
        return [Shape(element, path, self.log) for element, path in self._items_of_kind(key, JsonObject, most=most)]

    def shape(self, key: str) -> "Shape | None":
        """An object; None where it is missing."""
        value = self._get(key, JsonObject)
        return None if value is None else Shape(value, (*self.path, key), self.log)


OBJECT_READERS: dict[Any, Callable[[Shape], Any]] = {}
"""How the objects of a class are read that its fields alone do not describe."""


def reads(kind: Any) -> Callable[[Callable[[Shape], Value]], Callable[[Shape], Value]]:
    """Have a function read the objects of a value class, wherever they stand in others."""

    def register(reader: Callable[[Shape], Value]) -> Callable[[Shape], Value]:
        OBJECT_READERS[kind] = reader
        return reader

    return register


def read_object(shape: Shape, kind: Callable[..., Value], /, **given: Any) -> Value:
    """The value of a JSON object; fields that were read in another way are `given`. Faults go into the shape's log."""
    read = {field.key: _read_field(shape, field) for field in list_object_fields(kind) if field.key not in given}
    shape.close()
    return kind(**read, **given)


def _read_field(shape: Shape, field: ObjectField) -> Any:
    key, kind, is_required = field.key, field.kind, field.is_required
    if field.is_list:
        return _read_list(shape, field)
    if kind is bool:
        return shape.flag(key, default=field.default)
    if kind is str:
        longest = field.beside[Longest]
        text = shape.text(key, longest=longest.characters, lines=longest.lines, required=is_required)
        return text or field.default
    if kind is int:
        value: Any = shape.whole(key, field.beside[Range], required=is_required)
    elif kind is date:
        value = shape.day(key, required=is_required)
    elif issubclass(kind, Enum):
        value = shape.choice(key, kind, required=is_required)
    else:
        inner = shape.shape(key)
        value = inner and _read_inner_object(inner, kind)
    return field.default if value is None else value


def _read_list(shape: Shape, field: ObjectField) -> tuple[Any, ...]:
    key, kind = field.key, field.kind
    most = field.beside.get(Most, Most()).elements
    if kind is int:
        return shape.wholes(key, field.beside[Range], most=most, required=field.is_required)
    if kind is str:
        return shape.texts(key, longest=field.beside[Longest].characters, required=field.is_required)
    if get_origin(kind) is tuple and get_args(kind)[0] is int:
        return shape.ranges(key, field.beside[Range], most=most)
    if get_origin(kind) is tuple:
        return tuple(texts for texts, _path in shape.text_lists(key, longest=field.beside[Longest].characters))
    if issubclass(kind, Enum):
        return shape.choices(key, kind)
    return tuple(_read_inner_object(element, kind) for element in shape.shapes(key, most=most))


def _read_inner_object(shape: Shape, kind: Any) -> Any:
    reader = OBJECT_READERS.get(kind)
    return reader(shape) if reader else read_object(shape, kind)


def open_shape(content: str | bytes, *, limit: int) -> tuple[Shape, str]:
    """The object that a file is, and the file's text. Raises `FileFaults` for what is not JSON or no object."""
    value, text = read_json(content, limit=limit)
    if isinstance(value, JsonObject):
        return Shape(value, (), FaultLog()), text
    description = describe_json_value(value)
    raise make_single_fault(FaultCode.WRONG_KIND, FilePlace(line=1), value=description, kind=KIND_NAMES[JsonObject])


def open_file_shape(
    content: str | bytes, *, limit: int, file_format: str, version: int, other: FaultCode
) -> tuple[Shape, str]:
    """As `open_shape`, for a file that states its format. Raises `FileFaults` for another one (as `other`) as well, and
    for an unknown version: nothing else is checked then."""
    shape, text = open_shape(content, limit=limit)
    shape.asked += ["format", "version"]
    stated = {name: shape.value.get(name) for name in ("format", "version")}
    if stated["format"] != file_format:
        shape.note(other, "format", value=describe_json_value(stated["format"]))
    # By its type as well: to Python true is 1, so that `"version": true` would be version 1.
    elif type(stated["version"]) is not int or stated["version"] != version:
        shape.note(FaultCode.VERSION, "version", value=describe_json_value(stated["version"]))
    else:
        return shape, text
    raise FileFaults(shape.log.faults(text))


def describe_json_value(value: Any) -> str:
    """A JSON value as a message shows it: scalars as written, containers by their marks."""
    if isinstance(value, JsonObject):
        return "{…}" if value else "{}"
    if isinstance(value, list):
        return "[…]" if value else "[]"
    return quote_value(value)
