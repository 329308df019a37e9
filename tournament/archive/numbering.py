"""A journal's rows under new primary keys, the files they name, and what stands for rows outside of the event."""

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from django.db import connection, models

from tournament.archive.additions import check_archive_row
from tournament.archive.history import JournalEntryData, JournalSurvey, list_journal_rows
from tournament.basics.pictures import get_upload_path, make_file_name, remove_upload, store_foreign_picture
from tournament.core.change import Change, JournalRow, take_snapshot
from tournament.core.records import DETAIL_TABLES, OWNED_TABLES, REGISTER_TABLES
from tournament.exchange.storing import get_or_create_clubs, get_or_create_players
from tournament.exchange.values import PlayerData
from tournament.journal.operations import rebuild_row
from tournament.models import Club, Entry, JournalEntry, Lot, Pairing, Player, Round, Tournament
from tournament.pairing.values import rename_figure_players

FileReader = Callable[[str], bytes | None]
"""The content of the file that a table's row names; None where it is not to be had."""


class KeptFiles:
    """The files of a journal, each kept under a new name; `gone` are the new names of those that are not to be had.

    Files are written before the rows that name them, as uploads are: a crash in between leaves a file that nothing
    refers to, never a row without its picture.
    """

    def __init__(self, survey: JournalSurvey, read: FileReader) -> None:
        self.names: dict[type[models.Model], dict[str, str]] = {}
        self.gone: dict[type[models.Model], set[str]] = {}
        self._written: list[str] = []
        try:
            for model, found in survey.files.items():
                self._keep(model, found, read)
        except BaseException:
            self.remove()
            raise

    def _keep(self, model: type[models.Model], found: Mapping[str, Mapping[str, Any]], read: FileReader) -> None:
        names, gone = self.names.setdefault(model, {}), self.gone.setdefault(model, set())
        for name, state in found.items():
            content = read(name)
            if content is None or hashlib.sha256(content).hexdigest() != state["sha256"]:
                names[name] = make_file_name()
                gone.add(names[name])
                continue
            names[name] = store_foreign_picture(state, content)
            self._written.append(names[name])

    @property
    def count(self) -> int:
        """How many files were kept."""
        return len(self._written)

    @property
    def count_gone(self) -> int:
        """How many files are not to be had."""
        return sum(len(names) for names in self.gone.values())

    def remove(self) -> None:
        """Take away what was written: nothing came of the rows."""
        for name in self._written:
            remove_upload(name)
        self._written.clear()


@contextmanager
def keep_files(survey: JournalSurvey, read: FileReader) -> Iterator[KeptFiles]:
    """Keep a journal's files; if what is done with them fails, they are removed."""
    kept = KeptFiles(survey, read)
    try:
        yield kept
    except BaseException:
        kept.remove()
        raise


def read_stored_file(name: str) -> bytes | None:
    """A file of this program's own data folder."""
    try:
        return get_upload_path(name).read_bytes()
    except (OSError, ValueError):
        return None


NewKeys = Mapping[int, int]
"""New primary keys by the old ones."""

OutsideKeys = dict[type[models.Model], NewKeys]
"""The rows here that stand for those outside of the event that its own refer to: the register, accounts, word lists."""

KEY_LIST_COLUMNS: Mapping[type[models.Model], Mapping[str, Callable[[Any, NewKeys], Any]]] = {
    Lot: {"order": lambda order, keys: [keys[pk] for pk in order]},
    Round: {
        "groups": lambda groups, keys: [[keys[pk] for pk in group] for group in groups],
        "notes": lambda notes, keys: [{**note, "keys": [keys[pk] for pk in note["keys"]]} for note in notes],
    },
    Pairing: {"why": lambda reasons, keys: [rename_figure_players(reason, keys) for reason in reasons]},
}
"""The columns that name entries inside of a list."""


def reserve_keys(model: type[models.Model], count: int) -> list[int]:
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
        outside: OutsideKeys,
        files: Mapping[type[models.Model], Mapping[str, str]],
        slug: str,
        is_checked: bool = False,
    ) -> None:
        self.keys: dict[type[models.Model], NewKeys] = {
            model: dict(zip(sorted(old), reserve_keys(model, len(old)), strict=True)) for model, old in keys.items()
        }
        self.outside, self._files, self._slug, self._is_checked = outside, files, slug, is_checked

    def rows(self, written: JournalEntryData) -> list[JournalRow]:
        """An entry's rows under their new keys, without those of the register: that is not the event's to change."""
        return [
            (table, self.keys[model][pk], self.state(model, before), self.state(model, after))
            for model, (table, pk, before, after) in list_journal_rows(written)
            if model not in REGISTER_TABLES
        ]

    def details(self, written: JournalEntryData) -> dict[str, Any]:
        """An entry's details; a row that they name gets its new key."""
        renamed = {
            name: self.keys.get(model, {}).get(written.details[name])
            for name, model in DETAIL_TABLES.items()
            if name in written.details
        }
        return {**written.details, **renamed}

    def state(self, model: type[models.Model], state: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """A row's state with new keys, in the columns that its table has today."""
        if state is None:
            return None
        renamed = {name: self._value(model, name, value) for name, value in state.items()}
        row = rebuild_row(model, renamed)
        if self._is_checked:
            check_archive_row(row)
        return take_snapshot(row)

    def _value(self, model: type[models.Model], name: str, value: Any) -> Any:
        if model is Tournament and name == "slug":
            return self._slug
        if value is None:
            return None
        if name in KEY_LIST_COLUMNS.get(model, {}):
            return KEY_LIST_COLUMNS[model][name](value, self.keys.get(Entry, {}))
        if model in self._files and name == "name":
            return self._files[model][value]
        target = _find_key_targets(model).get(name)
        if target is None:
            return value
        return self.keys[target][value] if target in OWNED_TABLES else self.outside.get(target, {}).get(value)


@cache
def _find_key_targets(model: type[models.Model]) -> Mapping[str, type[models.Model]]:
    """The columns of a table that hold keys, each with the table that they are keys of."""
    found = {}
    for field in model._meta.concrete_fields:
        if field.primary_key:
            found[field.attname] = model
        elif isinstance(field.related_model, type):
            found[field.attname] = field.related_model
    return found


def find_existing_rows(survey: JournalSurvey) -> OutsideKeys:
    """Those that this database still has, each standing for itself."""
    return {
        model: {pk: pk for pk in model._default_manager.filter(pk__in=found).values_list("pk", flat=True)}
        for model, found in survey.outside.items()
    }


def find_lost_players(survey: JournalSurvey, here: OutsideKeys) -> dict[int, PlayerData]:
    """Players that the register no longer has, as any journal last saw them."""
    missing = survey.outside[Player] - here.get(Player, {}).keys()
    if not missing:
        return {}
    clubs: dict[int, str] = {}
    found: dict[int, Mapping[str, Any]] = {}
    for rows in JournalEntry.objects.order_by("pk").values_list("rows", flat=True).iterator():
        for table, pk, before, after in rows:
            if table == "club":
                clubs[pk] = (after or before)["name"]
            if table == "player" and pk in missing:
                found[pk] = after or before
    clubs |= dict(Club.objects.values_list("pk", "name"))
    return {
        pk: PlayerData(
            id=str(pk), name=row["name"], club=clubs.get(row["club_id"]), rating=row["rating"], games=row["games"]
        )
        for pk, row in found.items()
    }


def get_or_create_register_rows(log: Change, wanted: Mapping[int, PlayerData], clubs: Mapping[int, str]) -> OutsideKeys:
    """Players and clubs of this register under the names given, made where there are none; by their keys elsewhere."""
    named = get_or_create_clubs(log, {*clubs.values(), *(each.club for each in wanted.values() if each.club)})
    players = get_or_create_players(log, list(wanted.values()), named)
    return {
        Player: {pk: players[each.id].pk for pk, each in wanted.items()},
        Club: {pk: club.pk for pk, name in clubs.items() if (club := named[name]) is not None},
    }
