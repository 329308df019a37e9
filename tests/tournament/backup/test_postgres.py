"""PostgreSQL, saved and brought back by its own tools."""

from pathlib import Path

import pytest
from django.db import connection

from tests import factories
from tests.refusals import refuses
from tournament.backup.making import (
    dump_database,
    replace_schema,
    run_postgres_tool,
)
from tournament.models import Tournament

only_there = pytest.mark.skipif(connection.vendor != "postgresql", reason="these are PostgreSQL's own")


def schemas() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT nspname FROM pg_namespace")
        return {name for (name,) in cursor.fetchall()}


def drop(schema: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f'DROP SCHEMA "{schema}" CASCADE')


@only_there
@pytest.mark.django_db(transaction=True)
def test_dump_comes_back_and_todays_rows_are_kept(tmp_path: Path) -> None:
    factories.event("Herbst-Cup", players=2)
    dump_database(tmp_path / "saved.pgdump")
    factories.event("Anderer Cup", players=2)

    replace_schema(tmp_path / "saved.pgdump", "before_restore_1")

    names = list(Tournament.objects.values_list("name", flat=True))
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM before_restore_1.tournament_tournament")
        kept = cursor.fetchone()
    drop("before_restore_1")
    assert (names, kept) == (["Herbst-Cup"], (2,))


@only_there
@pytest.mark.django_db(transaction=True)
def test_damaged_dump_changes_nothing(tmp_path: Path) -> None:
    factories.event("Herbst-Cup", players=2)
    dump_database(tmp_path / "saved.pgdump")
    content = bytearray((tmp_path / "saved.pgdump").read_bytes())
    content[-2000:-1500] = bytes(500)
    (tmp_path / "saved.pgdump").write_bytes(content)

    with refuses("tool_failed", match="pg_restore"):
        replace_schema(tmp_path / "saved.pgdump", "before_restore_2")

    assert "before_restore_2" not in schemas()
    assert list(Tournament.objects.values_list("name", flat=True)) == ["Herbst-Cup"]


def test_missing_tool_is_told_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")

    with refuses("tool_missing") as refusal:
        run_postgres_tool("pg_dump")

    assert "pg_dump" in str(refusal.value)
    assert "postgresql-client" in str(refusal.value)
