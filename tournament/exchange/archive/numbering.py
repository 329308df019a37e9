"""New primary keys for the rows of a journal, wherever a row, a list or a reason names one."""

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any

from django.db import connection, models

from tournament import records
from tournament.exchange.archive.checking import require_shown
from tournament.exchange.archive.history import Written
from tournament.exchange.archive.survey import rows_of
from tournament.models import Entry, Lot, Pairing, Round, Tournament
from tournament.operations.change import JournalRow, snapshot
from tournament.operations.undo import restored
from tournament.pairing import codes

Keys = Mapping[int, int]
"""New primary keys by the old ones."""

INSIDE: Mapping[type[models.Model], Mapping[str, Callable[[Any, Keys], Any]]] = {
    Lot: {"order": lambda order, keys: [keys[pk] for pk in order]},
    Round: {
        "groups": lambda groups, keys: [[keys[pk] for pk in group] for group in groups],
        "notes": lambda notes, keys: [{**note, "keys": [keys[pk] for pk in note["keys"]]} for note in notes],
    },
    Pairing: {"why": lambda reasons, keys: [codes.renamed(reason, keys) for reason in reasons]},
}
"""The columns that name entries inside of a list."""


def reserved(model: type[models.Model], count: int) -> list[int]:
    """So many primary keys, ascending, that no row of the table has, had or will get by itself.

    Rows that are gone need theirs as well: an undo restores a row under its old key.
    """
    table, column = model._meta.db_table, model._meta.pk.column if model._meta.pk else "id"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            sequence = "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)"
            cursor.execute(sequence, [table, column, count])
            return sorted(number for (number,) in cursor.fetchall())
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        found = cursor.fetchone()
        last = found[0] if found else 0
        if found is None:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, 0)", [table])
        cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [last + count, table])
        return list(range(last + 1, last + count + 1))


class Renumbering:
    """A journal's rows under new primary keys, which keep the order of the old ones: lots and lists follow it.

    `outside` gives the rows that stand for those of other tables, by table; what it does not know is left empty.
    `files` are the new names of files. Every state of the tournament gets `slug`, so that an undo finds it unchanged.
    `is_checked`: the rows come from elsewhere, and each has to be one that pages can show.
    """

    def __init__(
        self,
        keys: Mapping[type[models.Model], Collection[int]],
        *,
        outside: dict[type[models.Model], Keys],
        files: Mapping[type[models.Model], Mapping[str, str]],
        slug: str,
        is_checked: bool = False,
    ) -> None:
        self.keys: dict[type[models.Model], Keys] = {
            model: dict(zip(sorted(old), reserved(model, len(old)), strict=True)) for model, old in keys.items()
        }
        self.outside, self._files, self._slug, self._is_checked = outside, files, slug, is_checked

    def rows(self, written: Written) -> list[JournalRow]:
        """An entry's rows under their new keys, without those of the register: that is not the event's to change."""
        return [
            (table, self.keys[model][pk], self.state(model, before), self.state(model, after))
            for model, (table, pk, before, after) in rows_of(written)
            if model not in records.REGISTER
        ]

    def details(self, written: Written) -> dict[str, Any]:
        """An entry's details; a row that they name gets its new key."""
        renamed = {
            name: self.keys.get(model, {}).get(written.details[name])
            for name, model in records.DETAILS.items()
            if name in written.details
        }
        return {**written.details, **renamed}

    def state(self, model: type[models.Model], state: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """A row's state with new keys, in the columns that its table has today."""
        if state is None:
            return None
        renamed = {name: self._value(model, name, value) for name, value in state.items()}
        row = restored(model, renamed)
        if self._is_checked:
            require_shown(row)
        return snapshot(row)

    def _value(self, model: type[models.Model], name: str, value: Any) -> Any:
        if model is Tournament and name == "slug":
            return self._slug
        if value is None:
            return None
        if name in INSIDE.get(model, {}):
            return INSIDE[model][name](value, self.keys.get(Entry, {}))
        if model in self._files and name == records.FILES[model].column:
            return self._files[model][value]
        return self._key(model, name, value)

    def _key(self, model: type[models.Model], name: str, value: Any) -> Any:
        """A value as it is, or the new key where the column holds one."""
        target = _targets(model).get(name)
        if target is None:
            return value
        if target in records.OWNED:
            return self.keys[target][value]
        return self.outside.get(target, {}).get(value)


@cache
def _targets(model: type[models.Model]) -> Mapping[str, type[models.Model]]:
    """The columns of a table that hold keys, each with the table that they are keys of."""
    found = {}
    for field in model._meta.concrete_fields:
        if field.primary_key:
            found[field.attname] = model
        elif isinstance(field.related_model, type):
            found[field.attname] = field.related_model
    return found
