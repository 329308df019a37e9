"""Value classes as JSON objects and as rows: what a field holds follows from its type and what is annotated beside it.
`Annotated[int, Range(1, 9)]` is a whole number within these limits, `Annotated[str, Longest(80)]` a text, and
`Annotated[tuple[LotData, ...], Most(5)]` a list of objects. Flags, dates, enumerations and other value classes need
nothing beside their type. A field without a default has to be in the file. Keys are written in the order of the fields;
one that holds its default is left out unless it is `ALWAYS` written."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import date
from enum import Enum
from functools import cache, singledispatch
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from django.db.models import Model

from tournament.basics import limits
from tournament.basics.names import clean_text, clean_text_lines

Row = TypeVar("Row", bound=Model)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Longest:
    """The most characters of a text, or of each in a list; `lines`: it may have several lines."""

    characters: int
    lines: bool = False


@dataclass(frozen=True, slots=True)
class Most:
    """The most elements of a list."""

    elements: int = limits.ELEMENTS


ALWAYS = "always"  # A key that is written even if it holds its default


@dataclass(frozen=True, slots=True)
class ObjectField:
    """A field of a value class: `kind` is its type, or that of its elements, without `| None`. `default` also stands in
    for a wrong value, so that other faults can still be looked for; `beside` is what is annotated, by its class."""

    key: str
    kind: Any
    is_list: bool
    is_required: bool
    is_always_written: bool
    default: Any
    beside: Mapping[type, Any]


LIMITS_BESIDE: dict[type, Mapping[str, Any]] = {}
"""What would be annotated in classes of other rooms that know nothing of files: by class, then by field."""


@cache
def list_object_fields(kind: Any) -> tuple[ObjectField, ...]:
    hints, beside = get_type_hints(kind, include_extras=True), LIMITS_BESIDE.get(kind, {})
    return tuple(
        _describe_field(field.name, hints[field.name], field.default, beside.get(field.name)) for field in fields(kind)
    )


def _describe_field(key: str, hint: Any, default: Any, limit: Any) -> ObjectField:
    kind, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint, limit)
    is_list, is_required = get_origin(kind) is tuple, default is MISSING
    # `tuple[X, ...]` and `X | None` both have X as their first argument; `None | X` would not, so nobody writes it.
    if get_args(kind):
        kind = get_args(kind)[0]
    if is_required and not is_list:
        # What a required field holds that is missing or wrong, so that other faults can still be looked for.
        if kind in (str, int, bool):
            default = kind()
        else:
            default = date.min if kind is date else next(iter(kind), None) if issubclass(kind, Enum) else None
    beside = {type(extra): extra for extra in extras}
    return ObjectField(key, kind, is_list, is_required, is_required or ALWAYS in extras, default, beside)


@singledispatch
def make_json_value(value: Any) -> Any:
    """A field's value as JSON knows it. A class that is written in its own way is registered."""
    return make_object_json(value) if is_dataclass(value) else value


@make_json_value.register
def _(value: Enum) -> Any:
    return value.value


@make_json_value.register
def _(value: date) -> str:
    return value.isoformat()


@make_json_value.register
def _(value: tuple) -> list[Any]:  # type: ignore[type-arg]  # what a function is registered for is a class
    return [make_json_value(element) for element in value]


def make_object_json(value: Any, **given: Any) -> dict[str, Any]:
    """A value as a JSON object; what is `given` is written in place of a field's own value."""
    return {
        field.key: given[field.key] if field.key in given else make_json_value(getattr(value, field.key))
        for field in list_object_fields(value.__class__)
        if field.is_always_written or getattr(value, field.key) != field.default
    }


@cache
def _list_columns(model: type[Model], kind: Any) -> tuple[ObjectField, ...]:
    """The fields of a value class that the rows of a model hold under the same names."""
    # Keys of other rows never go into a file: there a player's id or a club's name stands for them, which whoever calls
    # passes as `given`.
    columns = {column.name for column in model._meta.concrete_fields if not (column.is_relation or column.primary_key)}
    return tuple(field for field in list_object_fields(kind) if field.key in columns)


def make_row(model: type[Row], value: Any, /, **given: Any) -> Row:
    """A row, not yet stored, with the value's fields of the same names, except for those `given`."""
    fields = [field for field in _list_columns(model, value.__class__) if field.key not in given]
    return model(**{field.key: _make_column(getattr(value, field.key)) for field in fields}, **given)


def _make_column(value: Any) -> Any:
    if isinstance(value, tuple):
        # As a JSON column gives it back: compared with what is stored, a tuple would always be another value.
        return [_make_column(element) for element in value]
    return value.value if isinstance(value, Enum) else value


def read_row(row: Model, kind: Callable[..., Value], /, **given: Any) -> Value:
    """The value of a row: the columns of the same names, texts tidied, and what is `given`."""
    fields = [field for field in _list_columns(row.__class__, kind) if field.key not in given]
    return kind(**{field.key: _read_column(getattr(row, field.key), field) for field in fields}, **given)


def _read_column(stored: Any, field: ObjectField) -> Any:
    if stored is None:
        return None
    if field.is_list:
        return tuple(field.kind(element) for element in stored)
    if field.kind is str:
        return clean_text_lines(stored) if field.beside[Longest].lines else clean_text(stored)
    # The database holds texts: compared with a member they are equal, but `is` and a match of kinds would fail.
    return field.kind(stored) if issubclass(field.kind, Enum) else stored


def list_stated_fields(value: Any, *names: str) -> list[str]:
    """The named fields that hold something other than their default."""
    defaults = {field.key: field.default for field in list_object_fields(value.__class__)}
    return [name for name in names if getattr(value, name) != defaults[name]]
