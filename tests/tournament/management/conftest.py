"""A data folder in which commands have run before: making the database takes most of a first command's time."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.db import connection

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True)
class FirstCommand:
    """The first command on a machine: the data folder as it left it, to be copied, not used; and what it said."""

    folder: Path
    done: subprocess.CompletedProcess[str]


@pytest.fixture(scope="session")
def first_command(tmp_path_factory: pytest.TempPathFactory) -> FirstCommand:
    return run_first_command(tmp_path_factory.mktemp("used") / "data")


def run_first_command(folder: Path) -> FirstCommand:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": "", "CACHE_URL": ""}
    environment |= {"TSO_DATA": str(folder), "PYTHONUTF8": "1"}
    words = [sys.executable, str(ROOT / "manage.py"), "standings", "cup"]
    return FirstCommand(
        folder, subprocess.run(words, env=environment, capture_output=True, encoding="utf-8", check=False)
    )


@pytest.fixture(scope="session")
def made_once(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Path:
    """Such a folder, to be copied, not used. On SQLite its database is the tests' own, if there is one, made from the
    models: `tests/test_migrations.py` holds it against what the first command makes otherwise, in a hundred steps."""
    tests_own = Path(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or tests_own.name == "tso.sqlite3":  # no test of this run asks for a database
        first: FirstCommand = request.getfixturevalue("first_command")
        return first.folder
    folder = tmp_path_factory.mktemp("made") / "data"
    folder.mkdir(mode=0o700)
    with closing(sqlite3.connect(tests_own)) as own, closing(sqlite3.connect(folder / "tso.sqlite3")) as copy:
        own.backup(copy)
        copy.execute("DELETE FROM django_migrations WHERE app LIKE 'otp%'")  # no part of a program on a laptop
        copy.execute("DELETE FROM sqlite_sequence")  # keys begin with 1 again, whatever tests have made before
        copy.commit()
    return run_first_command(folder).folder


@pytest.fixture
def used_folder(made_once: Path, tmp_path: Path) -> Path:
    """A data folder of one's own with an empty database."""
    folder = tmp_path / "data"
    shutil.copytree(made_once, folder)
    return folder
