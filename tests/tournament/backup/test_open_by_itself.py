"""A process that asks whether its database is open, or is called to work with it, keeps the locks that it has."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.tournament.backup.conftest import make_installation
from tournament.backup.health import is_database_open
from tournament.backup.places import Installation

ROOT = Path(__file__).resolve().parents[3]
SESSION = """
import os, subprocess, sys
from pathlib import Path

data = Path(os.environ["TSO_DATA"])
opened = []

def watch(event, words):
    if event == "open" and isinstance(words[0], (str, Path)) and Path(words[0]).parent == data:
        if Path(words[0]).name in ("tso.sqlite3", "tso.sqlite3-wal", "tso.sqlite3-shm"):
            opened.append(str(words[0]))

sys.addaudithook(watch)
import django
django.setup()
from django.core.management import call_command
from tournament.models import Player, Tournament

call_command("demo", "--players", "8", "--rounds", "3", "--played", "1")
slug = Tournament.objects.get().slug
call_command("export_tournament", slug, "-o", str(data / "event.json"))
call_command("import_tournament", str(data / "event.json"), "--slug", "again")
call_command("check_data")
words = [sys.executable, "manage.py", "import_players", str(data / "players.csv")]
done = subprocess.run(words, capture_output=True, text=True)
print(done.returncode, done.stderr)
call_command("import_tournament", str(data / "event.json"), "--slug", "once-more")
print(Player.objects.filter(name__startswith="Neu").count(), Tournament.objects.count(), opened)
call_command("check_data")
"""


def test_asking_takes_no_lock_away(tmp_path: Path) -> None:
    home = make_installation(tmp_path / "data")
    assert not is_database_open(home)
    with closing(sqlite3.connect(home.database)) as ours:
        ours.execute("BEGIN IMMEDIATE")
        assert is_database_open(home)
        assert is_database_open(home)
        with closing(sqlite3.connect(home.database, timeout=0)) as other:
            assert _writes_elsewhere(home) == "locked"
            other.execute("SELECT * FROM said")
    assert not is_database_open(home)


def _writes_elsewhere(home: Installation) -> str:
    """What another process is told that wants to write."""
    words = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
    done = subprocess.run(
        [sys.executable, "-c", words, str(home.database)], capture_output=True, text=True, check=False
    )
    return "locked" if "database is locked" in done.stderr else f"{done.returncode} {done.stderr}"


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="there no process loses locks by closing a file")
def test_commands_called_within_one_process_leave_its_database_whole(tmp_path: Path) -> None:
    """The first command finds no database and makes one, the next finds it open in its own process: both looked into
    the files of SQLite by hand, and so let the third, in another process, believe itself alone."""
    (tmp_path / "players.csv").write_text("Name;Verein\nNeumann, Nora;SC Neu\nNeubert, Nils;SC Neu\n", encoding="utf-8")
    ours = {"TSO_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT)}
    environment = {**os.environ, **ours, "DATABASE_URL": "", "CACHE_URL": ""}

    done = subprocess.run(
        [sys.executable, "-c", SESSION], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert "malformed" not in done.stdout + done.stderr
    assert "2 3 []" in done.stdout
