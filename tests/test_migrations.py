"""The migrations make of an empty database what the models say: on SQLite a new one is made from the models."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connections

Tables = dict[str, set[str]]
"""What each table consists of: its columns, constraints and indexes, in SQL."""


@contextmanager
def database(file: Path) -> Iterator[Any]:
    """A connection to a SQLite database of its own, under the name that the file has."""
    connections.databases[file.stem] = {
        **connections.databases["default"],
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(file),
        "OPTIONS": {},
    }
    try:
        yield connections[file.stem]
    finally:
        connections[file.stem].close()
        del connections[file.stem], connections.databases[file.stem]


def read_new_database(file: Path, *, by_migrations: bool) -> tuple[Tables, dict[str, int]]:
    """The tables that `migrate` makes in a new database, and how many rows each has then."""
    found: Tables = {}
    with database(file) as connection, connection.cursor() as cursor:
        call_command("migrate", database=file.stem, verbosity=0, run_syncdb=by_migrations)
        cursor.execute("SELECT type, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        for kind, table, sql in cursor.fetchall():
            parts = top_level(sql[sql.index("(") + 1 : sql.rindex(")")]) if kind == "table" else [sql]
            found.setdefault(table, set()).update(part.strip() for part in parts)
        counts = {
            table: cursor.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
            for table in found
            if table != "sqlite_sequence"
        }
    return found, counts


def top_level(definition: str) -> list[str]:
    """The parts of a table's definition between the commas that stand in no brackets."""
    parts, depth = [""], 0
    for sign in definition:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


@pytest.mark.django_db
def test_no_change_of_a_model_lacks_its_migration() -> None:
    call_command("makemigrations", check_changes=True, dry_run=True, verbosity=0)


@pytest.mark.long
def test_migrations_make_what_the_models_say(tmp_path: Path, django_db_blocker: Any) -> None:
    """A migration that writes rows writes them in a new database too: let `migrate` do it where it makes the tables."""
    with django_db_blocker.unblock():
        migrated = read_new_database(tmp_path / "migrated.sqlite3", by_migrations=True)
        modelled = read_new_database(tmp_path / "modelled.sqlite3", by_migrations=False)

    assert modelled == migrated
    assert {model._meta.db_table for model in apps.get_models(include_auto_created=True)} <= set(modelled[0])


@pytest.mark.parametrize(
    ("definition", "parts"),
    [("a integer, b text CHECK (b IN (1, 2)), UNIQUE (a, b)", 3), ("a varchar(20)", 1), ("a decimal(5, 2), b real", 2)],
)
def test_parts_of_a_definition_are_those_outside_brackets(definition: str, parts: int) -> None:
    assert len(top_level(definition)) == parts
