"""A bad setting stops every command with one line that quotes it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONUTF8": "1", **variables}
    return subprocess.run(
        [sys.executable, ROOT / "manage.py", *words],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TSO_DATA", str(ROOT / "manage.py")),
        ("DATABASE_URL", "oracle://db/tso"),
        ("CACHE_URL", "memcached://cache"),
        ("TSO_HOSTS", "https://tso.example.org"),
        ("TSO_DEBUG", "perhaps"),
        ("TSO_HTTPS", "perhaps"),
    ],
)
def test_bad_setting(name: str, value: str) -> None:
    result = run("start", "--no-browser", **{name: value})

    assert result.returncode == 1
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert name in result.stderr
    assert repr(value) in result.stderr


@pytest.mark.long
def test_settings_default(tmp_path: Path) -> None:
    result = run("check", TSO_DATA=str(tmp_path / "new"), DATABASE_URL="", CACHE_URL="")

    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "new" / "secret-key.txt").exists()


@pytest.mark.long
def test_reader_that_has_read_enough_is_no_fault(tmp_path: Path) -> None:
    """As of `… | head`: nobody reads any more when the command writes."""
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "TSO_DATA": str(tmp_path / "new")}
    words = [sys.executable, str(ROOT / "manage.py"), "help", "--commands"]

    done = subprocess.run(words, env=environment, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)

    assert (done.returncode, done.stderr) == (1, "")
