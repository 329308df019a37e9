"""`backup` and `check_data`, run as a director runs them."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.terminal import Terminal

ROOT = Path(__file__).resolve().parents[4]


def run(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": "", "CACHE_URL": ""}
    environment |= {"TSO_DATA": str(data), "LC_ALL": "en_GB.UTF-8", "LANGUAGE": ""}
    command = [sys.executable, str(ROOT / "manage.py"), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_backup_is_checked_says_what_it_holds_and_goes_to_no_place_that_is_none(
    used_folder: Path, tmp_path: Path
) -> None:
    with Terminal(used_folder) as terminal:
        refused = terminal.run("backup", "--second-place", "/no/such/stick")
        made_of_refused = list(used_folder.glob("backups/*.zip"))
        done = terminal.run("backup", "-o", str(tmp_path / "all.zip"), "--format", "json")

    assert refused.returncode == 1
    assert refused.stderr.startswith("“/no/such/stick” is not a folder on the machine where the program runs.")
    assert made_of_refused == []
    said = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert said["file"] == str(tmp_path / "all.zip")
    assert said["facts"]["counts"]["tournament.Tournament"] == 0
    assert said["facts"]["migrations"]["tournament"]
    assert said["facts"]["faults"] == []
    with ZipFile(tmp_path / "all.zip") as packed:
        assert json.loads(packed.read("manifest.json"))["members"] == said["members"]


@pytest.mark.long
def test_backup_of_data_of_another_version_counts_no_tournaments(used_folder: Path) -> None:
    with closing(sqlite3.connect(used_folder / "tso.sqlite3")) as data, data:
        data.execute("ALTER TABLE tournament_tournament RENAME COLUMN place TO town")

    done = run(used_folder, "backup")

    assert re.fullmatch(r"Saved: \S+\.zip \(\d\.\d MB\)\n", done.stdout), done.stdout + done.stderr


@pytest.mark.long
def test_players_read_over_the_register_are_preceded_by_a_backup(used_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "players.csv").write_text("name,club\nAumann,SC Fulda\n", encoding="utf-8")

    done = run(used_folder, "import_players", str(tmp_path / "players.csv"))

    assert (done.returncode, done.stderr) == (0, "")
    assert [file.name.split("-")[-1] for file in (used_folder / "backups").glob("*.zip")] == ["import.zip"]


@pytest.mark.long
def test_command_of_a_newer_version_saves_the_data_before_it_changes_them(used_folder: Path) -> None:
    with closing(sqlite3.connect(used_folder / "tso.sqlite3")) as data, data:
        data.execute("DROP TABLE django_session")
        data.execute("DELETE FROM django_migrations WHERE app = 'sessions'")

    with Terminal(used_folder) as terminal:
        terminal.run("journal", "--help")
        assert not (used_folder / "backups").exists()
        done = terminal.run("demo", "--players", "6", "--played", "0")

    assert (done.returncode, done.stderr) == (0, "")
    assert [file.name.split("-")[-1] for file in (used_folder / "backups").glob("*.zip")] == ["migration.zip"]
