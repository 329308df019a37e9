"""The process that checks a copy of the data."""

import os
import shlex
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from django.conf import settings

from tournament.backup.making import CHECK_WITH_PARENT, DataCheckFailed, run_data_check


@pytest.mark.skipif(os.name == "nt", reason="Windows has no process groups to ask for")
def test_ctrl_c_in_the_window_does_not_reach_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, told = tmp_path / "python", tmp_path / "group"
    code = f"import os; open({str(told)!r}, 'w').write(str(os.getpgrp()))"
    # Through a shell, as no `#!` can name a Python in a path with blanks.
    program.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(code)}\n", encoding="utf-8")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))

    with pytest.raises(DataCheckFailed):
        run_data_check(None)

    assert int(told.read_text()) != os.getpgrp()


@pytest.mark.long
def test_another_version_in_the_terminals_folder_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "__init__.py").write_text("raise RuntimeError('of another version')\n")
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)

    assert not run_data_check(tmp_path / "data").faults


STARTING = """
import django
django.setup()
from django.conf import settings
from tournament.backup.making import CHECK_WITH_PARENT, run_data_check
print("checking", flush=True)
run_data_check(settings.DATA_DIR)
"""


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found in /proc")
def test_check_ends_with_the_program_that_asked_for_it(tmp_path: Path) -> None:
    ours = {
        "TSO_DATA": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": str(settings.BASE_DIR),
    }
    with closing(sqlite3.connect(tmp_path / "tso.sqlite3")) as locked:
        locked.execute("CREATE TABLE django_migrations (id, app, name, applied)")
        locked.execute("PRAGMA journal_mode = WAL")
        locked.execute("PRAGMA locking_mode = EXCLUSIVE")  # the check waits
        locked.execute("BEGIN EXCLUSIVE")
        with subprocess.Popen(
            [sys.executable, "-c", STARTING], env={**os.environ, **ours, "DATABASE_URL": ""}, stdout=subprocess.PIPE
        ) as program:
            assert program.stdout is not None
            program.stdout.readline()
            assert wait_until(lambda: len(find_checks(tmp_path)) == 1)
            program.kill()
            program.communicate()
        assert wait_until(lambda: find_checks(tmp_path) == [])


def test_check_whose_program_is_gone_makes_no_folder(tmp_path: Path) -> None:
    """While it loads the program it is asked already: the next start had thrown its copy away, and it came back."""
    gone = {**os.environ, "TSO_DATA": str(tmp_path / "copy-1"), "DJANGO_SETTINGS_MODULE": "config.settings"}
    words = [sys.executable, "-c", CHECK_WITH_PARENT, "check_data"]

    done = subprocess.run(
        words, env=gone, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )

    assert done.returncode == 1
    assert done.stderr == b""
    assert list(tmp_path.iterdir()) == []


def find_checks(data: Path) -> list[str]:
    """The processes that check this data folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_ours = f"TSO_DATA={data}".encode() in (process / "environ").read_bytes().split(b"\0")
            if is_ours and b"check_data" in (process / "cmdline").read_bytes().split(b"\0"):
                found.append(process.name)
    return found


def wait_until(is_so: Callable[[], bool], seconds: float = 20) -> bool:
    """Whether something becomes so in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if is_so():
            return True
        time.sleep(0.05)
    return False


def test_folder_in_which_no_check_can_run_is_told_in_its_own_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(DataCheckFailed) as refusal:
        run_data_check(tmp_path / "file")

    assert str(refusal.value.strerror).startswith("TSO_DATA=")
