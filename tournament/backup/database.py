"""What is in the whole database: its tournaments in figures, its schema, and whether it is whole."""

import hashlib
from collections.abc import Iterable, Mapping
from functools import cache

from django.apps import apps
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count, Model, OuterRef, Subquery
from django.db.models.functions import Coalesce

from tournament.backup.places import EventFigures
from tournament.basics.pictures import get_upload_path
from tournament.core.records import PICTURE_TABLES
from tournament.models import ClubPicture, Result, Round, Tournament

SQUASHED_MARK = "_squashed_"  # in the name of a migration that stands for others (`tests/releases/squash.py`)


def list_tournament_summaries() -> list[EventFigures]:
    """Every tournament, by address. One query."""
    results = Result.objects.filter(official=True, pairing__round__division__tournament=OuterRef("pk")).order_by()
    result_counts = results.values("pairing__round__division__tournament").annotate(n=Count("pk")).values("n")
    rounds = Round.objects.league().public().filter(division__tournament=OuterRef("pk")).order_by()
    round_counts = rounds.values("division__tournament").annotate(n=Count("number", distinct=True)).values("n")
    # Rounds and results by subqueries: joined to the entries, each would multiply the counts of the others.
    events = Tournament.objects.order_by("slug").values_list(
        "slug",
        "name",
        "revision",
        Count("entries"),
        # Nothing to count makes no group, so an event without rounds or results would have NULL and not 0.
        Coalesce(Subquery(round_counts), 0),
        Coalesce(Subquery(result_counts), 0),
    )
    return [EventFigures(*row) for row in events]


def count_rows_by_model() -> dict[str, int]:
    """How many rows each table of the two apps has, by the model's name. One query a table."""
    models = [model for label in ("tournament", "games") for model in apps.get_app_config(label).get_models()]
    return {model._meta.label: model._default_manager.count() for model in models}


def list_applied_migrations() -> dict[str, list[str]]:
    """The migrations that have made this database, by app."""
    migrations: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        migrations.setdefault(app, []).append(name)
    return migrations


@cache
def list_own_migrations() -> frozenset[tuple[str, str]]:
    """The migrations of this program by app and name, read once: a start asks for them several times."""
    return frozenset(MigrationLoader(None).disk_migrations)


def find_unknown_migrations(migrations: Mapping[str, Iterable[str]]) -> list[str]:
    """Those of a database's migrations that this program does not have: it was made by a newer one. A squashed
    migration tells nothing: Django notes those that it replaces beside it, and each release squashes anew."""
    own_migrations = list_own_migrations()
    ours = {app for app, _name in own_migrations}
    return sorted(
        f"{app}.{name}"
        for app, names in migrations.items()
        for name in names
        if app in ours and (app, name) not in own_migrations and SQUASHED_MARK not in name
    )


def find_schema_faults() -> list[str]:
    """Tables and columns that the program needs and this database lacks. One query a table."""
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        return [
            fault
            for model in apps.get_models(include_auto_created=True)
            if model._meta.managed and not model._meta.proxy
            for fault in _find_model_faults(model, there, cursor)
        ]


def _find_model_faults(model: type[Model], there: set[str], cursor: CursorWrapper) -> list[str]:
    table = model._meta.db_table
    if table not in there:
        return [table]
    cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} LIMIT 0")  # noqa: S608  # our own table's name
    columns = {column[0] for column in cursor.description or ()}
    return [f"{table}.{field.column}" for field in model._meta.concrete_fields if field.column not in columns]


def find_broken_references() -> list[str]:
    """Rows that refer to rows that are not there; SQLite only, as PostgreSQL cannot hold any."""
    if connection.vendor != "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA foreign_key_check")
        return [f"{table} {row} → {parent}" for table, row, parent, _number in cursor.fetchall()]


def find_database_damage() -> list[str]:
    """What SQLite's own check finds wrong with the database's file; PostgreSQL looks after its own."""
    if connection.vendor != "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check(20)")
        return [line for (line,) in cursor.fetchall() if line != "ok"]


def count_lost_photos(*, thoroughly: bool = False) -> int:
    """How many photos lack their files, or have another size; `thoroughly`, another content. One query a table."""
    tables: tuple[type[Model], ...] = (*PICTURE_TABLES, ClubPicture)
    return sum(
        not _is_photo_whole(name, size, sha256 if thoroughly else "")
        for model in tables
        for name, size, sha256 in model._default_manager.values_list("name", "size", "sha256")
    )


def _is_photo_whole(name: str, size: int, sha256: str) -> bool:
    try:
        path = get_upload_path(name)
        return path.stat().st_size == size and (not sha256 or hashlib.sha256(path.read_bytes()).hexdigest() == sha256)
    except (OSError, ValueError):
        return False
