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

from tests.terminal import Terminal
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
def test_loaded_program_answers_as_one_that_is_started(used_folder: Path) -> None:
    """Most tests of commands are run in a `Terminal`."""
    with Terminal(used_folder) as terminal:
        for words, complaint in (
            (["standings", "cup"], "There is no tournament “cup”. Known: –.\n"),
            (["publish", "cup", "1", "surplus"], "Not understood: surplus.\n"),
        ):
            started, forked = run(used_folder, *words, LC_ALL="en_GB.UTF-8"), terminal.run(*words)

            assert (started.returncode, started.stdout, started.stderr.decode()) == (1, b"", complaint)
            assert (forked.returncode, forked.stdout, forked.stderr) == (1, "", complaint)


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
def test_no_database_is_made_beside_data_that_have_lost_theirs(used_folder: Path) -> None:
    database, photo, notes = (used_folder / name for name in ("tso.sqlite3", "uploads/a.jpg", "entered/00001.jsonl"))
    database.unlink()
    with Terminal(used_folder) as terminal:
        for left in (photo, notes):
            left.parent.mkdir(exist_ok=True)
            left.write_bytes(b"a photo, or what was entered")

            done = terminal.run("standings", "cup")

            assert (done.returncode, database.exists()) == (1, False)
            assert "tso.sqlite3 is missing, although other data are here" in done.stderr
            left.unlink()


@pytest.mark.long
def test_file_that_is_not_there(used_folder: Path, tmp_path: Path) -> None:
    with Terminal(used_folder) as terminal:
        done = terminal.run("import_tournament", str(tmp_path / "nowhere.json"), "--format", "json")

    assert (done.returncode, done.stdout) == (1, "")
    assert "nowhere.json" in done.stderr
    assert "Traceback" not in done.stderr


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
