"""What all commands do alike: wrong words on the command line, a database that is not there yet."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command, execute_from_command_line
from django.db import OperationalError

from tests.tournament.management.conftest import FirstCommand
from tournament.management.base import TournamentCommand

ROOT = Path(__file__).resolve().parents[3]


def run(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": "", **variables}
    environment["TSO_DATA"] = str(folder)
    return subprocess.run(
        [sys.executable, ROOT / "manage.py", *words], env=environment, capture_output=True, check=False
    )


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["standings"], "slug"),
        (["standings", "cup", "--format", "xml"], "--format"),
        (["standings", "cup", "--after", "two"], "--after"),
        (["publish", "cup", "1", "surplus"], "surplus"),
        (["export_tou", "cup"], "--output"),
        (["demo", "--player\ns"], "--player"),
    ],
)
def test_words_wrong(capfd: pytest.CaptureFixture[str], words: list[str], named: str) -> None:
    with pytest.raises(SystemExit) as left:
        execute_from_command_line(["manage.py", *words])

    said, complained = capfd.readouterr()
    assert (left.value.code, said) == (1, "")
    (line,) = complained.splitlines()
    assert named in line


@pytest.mark.long
def test_words_wrong_in_a_terminal(tmp_path: Path) -> None:
    done = run(tmp_path, "publish", "cup", "1", "surplus")

    assert (done.returncode, done.stdout, done.stderr.decode()) == (1, b"", "Nicht verstanden: surplus.\n")


def test_words_wrong_in_a_call() -> None:
    with pytest.raises(CommandError, match="slug"):
        call_command("standings", stdout=io.StringIO())


@pytest.mark.long
def test_database_made_by_the_first_command(first_command: FirstCommand) -> None:
    done = first_command.done

    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert (first_command.folder / "tso.sqlite3").exists()


@pytest.mark.long
@pytest.mark.parametrize("left", ["uploads/sheet.jpg", "entered/00001.jsonl"])
def test_no_database_is_made_beside_data_that_have_lost_theirs(used_folder: Path, left: str) -> None:
    (used_folder / left).parent.mkdir(exist_ok=True)
    (used_folder / left).write_bytes(b"a photo, or what was entered")
    (used_folder / "tso.sqlite3").unlink()

    done = run(used_folder, "standings", "cup", "--language", "en")

    assert (done.returncode, (used_folder / "tso.sqlite3").exists()) == (1, False)
    assert "tso.sqlite3 is missing, although other data are here" in done.stderr.decode()


@pytest.mark.long
def test_file_that_is_not_there(used_folder: Path, tmp_path: Path) -> None:
    done = run(used_folder, "import_tournament", str(tmp_path / "nowhere.json"), "--format", "json")

    assert (done.returncode, done.stdout) == (1, b"")
    assert "nowhere.json" in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


@pytest.mark.long
def test_output_with_a_terminal_that_knows_ascii_only(used_folder: Path) -> None:
    done = run(used_folder, "standings", "Jörg", "--language", "en", PYTHONIOENCODING="ascii", PYTHONUTF8="1")

    assert done.returncode == 1
    assert "“Jörg”" in done.stderr.decode("utf-8")


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Windows gives every word as text")
def test_words_that_are_no_text(tmp_path: Path) -> None:
    done = run(tmp_path, "standings", os.fsdecode(b"J\xf6rg"), "--language", "en", PYTHONUTF8="1")

    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == "'J\\udcf6rg' is not written in the terminal's encoding\n"


def test_full_disk_is_told_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    class Writes(TournamentCommand):
        updates_database = False

        def run(self, **options: Any) -> None:
            raise OperationalError("database or disk is full")

    with pytest.raises(SystemExit) as ended:
        call_command(Writes(), language="en")

    told = capsys.readouterr().err.splitlines()
    assert (ended.value.code, len(told)) == (1, 1)
    assert "The disk is full" in told[0]
