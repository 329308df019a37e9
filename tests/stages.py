"""Stages: what a test starts from, set once for all tests that start from the same.

Half of the tests' time went into the same few events, entered, drawn and published anew for every test. A function
decorated with `kept` does its work once: the rows that it wrote are remembered, and when it is called again with the
same arguments on the same rows, they are written back as they were, primary keys included, and the objects that it
gave or changed are copies of those that it gave then. So `played(division)` after `event()` is a stage upon a stage.

"On the same rows" is what makes this safe. A test begins with an empty database, which is a stage; a kept function
leads from one stage to the next. Any other statement that writes leads off the stages, and then every function does
its work as if it were not decorated: so does each in a test that sees the database through several connections.
"""

import copy
import dataclasses
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from enum import Enum
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import DJANGO_VERSION_PICKLE_KEY, connection, models
from django.utils import translation

Given = ParamSpec("Given")
Made = TypeVar("Made")
Rows = dict[str, dict[Any, tuple[Any, ...]]]
"""A table's rows by their primary key, which is the first column of every table here."""

PLAIN = (str, int, float, date, timedelta, Enum, type(None))
"""Kinds of values that are the same if they are equal."""

READING = ("SELECT", "BEGIN", "SAVEPOINT", "RELEASE", "PRAGMA", "EXPLAIN", "DECLARE", "FETCH", "CLOSE")
SIGNING_IN = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "django_session"|UPDATE "auth_user" SET "last_login"')
"""Who is signed in is no part of a stage."""
FETCHED = "_prefetched_objects_cache"
"""Where Django keeps what `prefetch_related` found for an object."""
UNTOLD = ("_state", FETCHED, DJANGO_VERSION_PICKLE_KEY)
"""What else an object has in its dictionary; Django writes its version into copies."""
TABLE = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')


@dataclasses.dataclass(eq=False)
class Stage:
    """All rows of the tables that were written since the database was empty, and the stages that follow."""

    rows: Rows
    next: dict[Any, "Step"] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Step:
    """What leads from one stage to another: statements, the objects given with their new values, and the answer."""

    to: Stage
    statements: list[tuple[str, list[tuple[Any, ...]]]]
    rows: list[models.Model]
    answer: Any


class Unknown(Exception):
    """An argument of a kind that is not compared."""


class Watch:
    """Watches the statements of this process's connection: on which stage it stands, and what a step writes."""

    def __init__(self) -> None:
        self.stage: Stage | None = None
        self.building = False
        self.written: set[str] = set()

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        """See one statement (Django's execute wrapper)."""
        if not sql.lstrip().startswith(READING) and not SIGNING_IN.match(sql):
            found = TABLE.match(sql)
            if self.building and found:
                self.written.add(found[1])
            elif not (self.building and sql.startswith("ROLLBACK TO")):
                self.stage = None
        return execute(sql, params, many, context)


EMPTY = Stage({})
_watch = Watch()


def begin(*, alone: bool) -> None:
    """A test begins on an empty database; `alone` if it reads and writes it through this connection only."""
    if _watch not in connection.execute_wrappers:
        connection.execute_wrappers.append(_watch)
    _watch.stage = EMPTY if alone else None
    _watch.building = False


def standing() -> Stage | None:
    """The stage on which the test stands; None if it has left them."""
    return _watch.stage


def kept(function: Callable[Given, Made]) -> Callable[Given, Made]:
    """Let the function do its work once for each stage and arguments from which it starts."""

    @wraps(function)
    def on_stage(*args: Given.args, **kwargs: Given.kwargs) -> Made:
        stage = _watch.stage
        if stage is None or _watch.building or connection.queries_logged:
            return function(*args, **kwargs)
        rows = list(instances((args, kwargs)))
        try:
            start = function, translation.get_language(), told([args, kwargs, *map(held, rows)], rows)
        except Unknown:
            return function(*args, **kwargs)
        if start in stage.next:
            return _write_back(stage.next[start], rows)  # type: ignore[no-any-return]  # what the function gave
        return _build(stage, start, rows, lambda: function(*args, **kwargs))

    return on_stage


def held(row: models.Model) -> dict[str, Any]:
    """What the object holds: its values by name, and the rows fetched with it by the name of the relation."""
    values = {name: value for name, value in row.__dict__.items() if name not in UNTOLD}
    fetched = {name: list(rows) for name, rows in row.__dict__.get(FETCHED, {}).items()}
    return values | row._state.fields_cache | fetched


def instances(value: Any, seen: set[int] | None = None) -> Iterator[models.Model]:
    """The model objects in what was given, each once, with those that they hold."""
    seen = set() if seen is None else seen
    if isinstance(value, models.Model):
        if id(value) not in seen:
            seen.add(id(value))
            yield value
            yield from instances(held(value), seen)
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from instances(part, seen)
    elif dataclasses.is_dataclass(value):
        yield from instances([getattr(value, field.name) for field in dataclasses.fields(value)], seen)


def told(value: Any, rows: list[models.Model]) -> Any:
    """The value in a form that can be compared, a row as its number; raises `Unknown` for what has none."""
    if isinstance(value, models.Model):
        return models.Model, next(number for number, row in enumerate(rows) if row is value)
    if isinstance(value, dict):
        return dict, tuple((told(key, rows), told(part, rows)) for key, part in value.items())
    if isinstance(value, list | tuple):
        return type(value), tuple(told(part, rows) for part in value)
    if dataclasses.is_dataclass(value):
        return type(value), tuple(told(getattr(value, field.name), rows) for field in dataclasses.fields(value))
    if not isinstance(value, PLAIN):
        raise Unknown
    return type(value), value


def _build(stage: Stage, start: Any, rows: list[models.Model], work: Callable[[], Made]) -> Made:
    """Do the work and remember the step."""
    _watch.building, _watch.written = True, set()
    try:
        answer = work()
    except BaseException:
        _watch.stage = None
        raise
    finally:
        _watch.building = False
    if any(FETCHED in row.__dict__ for row in instances(answer)):
        _watch.stage = None  # a copied query would be asked again, when the test expects what it was at first
    if _watch.stage is stage:
        now = {table: _rows(table) for table in _watch.written}
        statements = [made for table in now for made in _difference(table, stage.rows.get(table, {}), now[table])]
        following = Stage({**stage.rows, **now}) if statements else stage
        stage.next[start] = Step(following, statements, *copy.deepcopy((rows, answer)))
        _watch.stage = following
    return answer


def _write_back(step: Step, rows: list[models.Model]) -> Any:
    """Write the step's rows, bring the objects that were given up to date and give the answer."""
    _watch.building = True
    with connection.cursor() as cursor:
        for sql, values in step.statements:
            cursor.executemany(sql, values)
    _watch.building = False
    _watch.stage = step.to
    # What holds one of the objects given when it was made holds the one given now.
    ours = {id(kept): row for kept, row in zip(step.rows, rows, strict=True)}
    for kept, row in zip(step.rows, rows, strict=True):
        fetched = {FETCHED: row.__dict__[FETCHED]} if FETCHED in row.__dict__ else {}
        row.__dict__.update(copy.deepcopy(kept.__dict__, ours) | fetched)
    return copy.deepcopy(step.answer, ours)


def _rows(table: str) -> dict[Any, tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}"')
        return {row[0]: tuple(row) for row in cursor.fetchall()}


def _difference(
    table: str, before: dict[Any, tuple[Any, ...]], after: dict[Any, tuple[Any, ...]]
) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """The statements that make one of the other; rows that changed are deleted and inserted again.

    So no two rows ever collide on the way; references between rows are checked later, when all of them stand.
    """
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}" LIMIT 0')
        names = [f'"{column[0]}"' for column in cursor.description]
    gone = [(key,) for key, row in before.items() if after.get(key) != row]
    new = [row for key, row in after.items() if before.get(key) != row]
    if gone:
        yield f'DELETE FROM "{table}" WHERE {names[0]} = %s', gone
    if new:
        yield f'INSERT INTO "{table}" ({", ".join(names)}) VALUES ({", ".join(["%s"] * len(names))})', new
