"""The database is made, or brought to this version, whole or not at all, at whatever point that is killed."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.tournament.management.conftest import ROOT

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


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": "", "CACHE_URL": ""}
    environment |= {"TSO_DATA": str(folder), "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, check=False)


def read_schema(folder: Path) -> tuple[list[object], ...]:
    """The tables, the migrations that made them, and the permissions that follow the last of these."""
    questions = ("name, sql FROM sqlite_master", "app, name FROM django_migrations", "codename FROM auth_permission")
    with closing(sqlite3.connect(folder / "tso.sqlite3")) as file:
        return tuple(sorted(file.execute(f"SELECT {question}"), key=str) for question in questions)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
@pytest.mark.parametrize("point", ["2", pytest.param("40", marks=pytest.mark.long), "permissions"])
def test_killed_first_start_begins_anew(point: str, made_once: Path, tmp_path: Path) -> None:
    killed = run(tmp_path, "-c", MAKE_AND_DIE, point)
    done = run(tmp_path, str(ROOT / "manage.py"), "standings", "cup", "--language", "en")

    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert "no tournament" in done.stderr.lower(), done.stderr
    assert read_schema(tmp_path) == read_schema(made_once)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_killed_migration_leaves_older_data_as_they_were(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(OLDER_DATA, folder)
    before = read_schema(folder)
    killed = run(folder, "-c", MAKE_AND_DIE, "9")

    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert read_schema(folder) == before
    assert run(folder, str(ROOT / "manage.py"), "check_data", "--language", "en").returncode == 0
