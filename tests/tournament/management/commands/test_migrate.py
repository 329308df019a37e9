"""The database is made, or brought to this version, whole or not at all, at whatever point that is killed."""

import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from tests.terminal import ROOT, Terminal
from tests.tournament.management.conftest import FirstCommand

OLDER_DATA = ROOT / "tests" / "releases" / "1.0" / "data"
MAKE_AND_DIE = """
import os, signal, sys
from django.core.management import execute_from_command_line
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.signals import post_migrate
point, notes, note = sys.argv.pop(), [], MigrationRecorder.record_applied

def die(*_told, **_given):
    os.kill(os.getpid(), signal.SIGKILL)

def note_or_die(recorder, app, name):
    notes.append(name)
    if len(notes) == int(point):
        die()
    note(recorder, app, name)

if point == "permissions":
    post_migrate.connect(die)
else:
    MigrationRecorder.record_applied = note_or_die
execute_from_command_line(["manage.py", "standings", "cup"])
"""

ENGLISH = ["--language", "en"]
RUN_OLDER = """
import sys
from django.core.management import execute_from_command_line
from django.db.migrations.loader import MigrationLoader
load_disk = MigrationLoader.load_disk

def load_fewer(loader):
    load_disk(loader)
    del loader.disk_migrations[max(key for key in loader.disk_migrations if key[0] == "tournament")]

MigrationLoader.load_disk = load_fewer
execute_from_command_line(["manage.py", *sys.argv[1:]])
"""
"""The program without its newest migration."""


def read_schema(folder: Path) -> tuple[list[object], ...]:
    """The tables, the migrations that made them, and the permissions that follow the last of these."""
    questions = ("name, sql FROM sqlite_master", "app, name FROM django_migrations", "codename FROM auth_permission")
    with closing(sqlite3.connect(folder / "tso.sqlite3")) as file:
        return tuple(sorted(file.execute(f"SELECT {question}"), key=str) for question in questions)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
@pytest.mark.parametrize("point", ["40", "permissions"])
def test_killed_first_start_leaves_no_database_and_begins_anew(
    point: str, first_command: FirstCommand, tmp_path: Path
) -> None:
    with Terminal(tmp_path) as terminal:
        killed = terminal.run_code(MAKE_AND_DIE, point)
        with closing(sqlite3.connect(tmp_path / "tso.sqlite3")) as file:
            tables = file.execute("SELECT name FROM sqlite_master").fetchall()
        done = terminal.run("standings", "cup")

    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert tables == []
    assert "no tournament" in done.stderr.lower(), done.stderr
    assert read_schema(tmp_path) == read_schema(first_command.folder)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_killed_migration_leaves_older_data_as_they_were(tmp_path: Path) -> None:
    folder = shutil.copytree(OLDER_DATA, tmp_path / "data")
    before = read_schema(folder)
    with Terminal(folder) as terminal:
        killed = terminal.run_code(MAKE_AND_DIE, "9")

        assert killed.returncode == -signal.SIGKILL, killed.stderr
        assert read_schema(folder) == before
        assert terminal.run("check_data").returncode == 0


def read_hashes(folder: Path) -> dict[str, str]:
    """What every file of a folder holds."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


GERMAN_WORDS = "Mit diesen Daten hat eine neuere Version des Programms gearbeitet (tournament.0"
ENGLISH_WORDS = "A newer version of the program has used these data (tournament.0"


@pytest.mark.long
def test_program_with_fewer_migrations_leaves_the_data_alone(used_folder: Path) -> None:
    """It names the last backup that it can read, and none where there is none."""
    before = read_hashes(used_folder)

    with Terminal(used_folder) as terminal:
        for words, told in (
            (["migrate"], GERMAN_WORDS),
            (["standings", "cup", *ENGLISH], ENGLISH_WORDS),
            (["start", "--no-browser", "--port", "1", *ENGLISH], ENGLISH_WORDS),
            (["check_data", "--update", *ENGLISH], ENGLISH_WORDS),
        ):
            done = terminal.run_code(RUN_OLDER, *words)

            printed = done.stdout + done.stderr
            assert done.returncode == 1
            assert told in printed
            assert "Traceback" not in printed
            assert read_hashes(used_folder) == before

        assert terminal.run("backup").returncode == 0
        refused = terminal.run_code(RUN_OLDER, "standings", "cup", *ENGLISH)

    assert f"There is no backup in {used_folder / 'backups'} that this version can read." in refused.stderr


MIGRATE = """
import sys, django
django.setup()
from django.core.management import call_command
from django.core.management.commands.migrate import Command
call_command("migrate" if sys.argv[1] == "ours" else Command(), verbosity=0)
"""
QUESTIONS = (
    """SELECT table_name, column_name, data_type, is_nullable, column_default, is_identity
    FROM information_schema.columns WHERE table_schema = 'public'""",
    """SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace""",
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "SELECT app, name FROM django_migrations",
    """SELECT app_label, model, codename FROM auth_permission
    JOIN django_content_type AS kind ON kind.id = content_type_id""",
)


@pytest.mark.database
@pytest.mark.commits
@pytest.mark.long
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite's is tested above")
def test_postgresql_is_migrated_as_django_does() -> None:
    psycopg = pytest.importorskip("psycopg")
    made: dict[str, list[list[object]]] = {}
    address, _slash, _name = os.environ["DATABASE_URL"].rpartition("/")
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT)}
    for kind in ("ours", "django_s"):
        name = f"migrated_{os.getpid()}_{kind}"
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name}")
        try:
            words = [sys.executable, "-c", MIGRATE, kind]
            own_environment = {**environment, "DATABASE_URL": f"{address}/{name}"}
            done = subprocess.run(words, env=own_environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            with psycopg.connect(f"{address}/{name}") as opened:
                made[kind] = [sorted(opened.execute(question), key=str) for question in QUESTIONS]
        finally:
            with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
                server.execute(f"DROP DATABASE {name} WITH (FORCE)")

    assert all(len(rows) > 50 for rows in made["ours"])
    assert made["ours"] == made["django_s"]
