"""A newer version's folder, unpacked beside the older one's."""

import json
import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tournament.basics.program import PLACE_FILE, START_FILE
from tournament.basics.version import get_version
from tournament.laptop.taking_over import copy_data, take_over_older_data

RUNNING = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("PRAGMA journal_mode=WAL")
database.execute("SELECT * FROM event").fetchall()
print("open", flush=True)
sys.stdin.read()
"""


def make_folder(place: Path, event: str = "", *, version: str = "1.0", at: int = 1000) -> Path:
    """A folder with a start file; with data that hold an event, written at that time."""
    place.mkdir(parents=True)
    (place / "TSO starten.sh").touch()
    if event:
        (place / "data/uploads").mkdir(parents=True)
        (place / "data/uploads/photo.jpg").write_text(event)
        (place / "data/secret-key.txt").write_text(f"key of {event}")
        (place / "data/version.json").write_text(json.dumps({"version": version}))
        with sqlite3.connect(place / "data/tso.sqlite3") as database:
            database.execute("CREATE TABLE event (name TEXT)")
            database.execute("INSERT INTO event VALUES (?)", [event])
        database.close()
        os.utime(place / "data/tso.sqlite3", (at, at))
    return place


def read_event(place: Path) -> str:
    with sqlite3.connect(place / "data/tso.sqlite3") as database:
        found = str(database.execute("SELECT name FROM event").fetchone()[0])
    database.close()
    return found


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    return tmp_path / "Größe & Co"


@pytest.fixture
def new(stick: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The new version's folder, which has been clicked on."""
    monkeypatch.setenv(START_FILE, str(stick / "tso-new/TSO starten.sh"))
    monkeypatch.delenv("TSO_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(stick / "home"))
    return make_folder(stick / "tso-new")


def test_data_used_last_taken_over_and_left_as_they_are(
    stick: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = make_folder(stick / "tso-1.0", "Herbst-Cup", at=3000)
    make_folder(stick / "tso-0.9", "Frühjahr", at=2000)
    before = {path: path.read_bytes() for path in old.rglob("*") if path.is_file()}

    take_over_older_data()

    said = capsys.readouterr().out
    assert read_event(new) == "Herbst-Cup"
    assert (new / "data/secret-key.txt").read_text() == "key of Herbst-Cup"
    assert (new / "data/uploads/photo.jpg").exists()
    assert {path: path.read_bytes() for path in old.rglob("*") if path.is_file()} == before
    assert said.startswith(f"Die Daten aus {old} sind übernommen.")
    assert said.count("\n") == 3


def test_nothing_taken_over_twice(stick: Path, new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_folder(stick / "tso-1.0", "Herbst-Cup")
    take_over_older_data()
    make_folder(stick / "tso-0.9", "Frühjahr", at=9_000_000_000)
    capsys.readouterr()

    take_over_older_data()

    assert read_event(new) == "Herbst-Cup"
    assert capsys.readouterr().out == ""


def test_two_starts_at_once_take_the_data_over_once(stick: Path, new: Path) -> None:
    old = make_folder(stick / "tso-1.0", "Herbst-Cup") / "data"
    for number in range(200):
        (old / f"uploads/{number}.jpg").write_bytes(bytes(1000))
    (new / "data").mkdir()
    (new / "data.part-cut-short").mkdir()

    with ThreadPoolExecutor() as starts:
        list(starts.map(copy_data, [old, old], [new / "data"] * 2))

    assert read_event(new) == "Herbst-Cup"
    assert {path.name for path in (new / "data/uploads").iterdir()} == {
        path.name for path in (old / "uploads").iterdir()
    }
    assert {path.name for path in new.iterdir()} == {"TSO starten.sh", "data"}


def test_folder_of_tso_py_counts_and_others_do_not(stick: Path, new: Path) -> None:
    by_python = make_folder(stick / "tso", "Vereinsabend")
    (by_python / "TSO starten.sh").rename(by_python / "tso.py")
    other = make_folder(stick / "copy", "Kopie", at=9000)
    (other / "TSO starten.sh").unlink()
    (stick / "a file").touch()

    take_over_older_data()

    assert read_event(new) == "Vereinsabend"


def test_data_of_a_newer_version_left_alone(stick: Path, new: Path) -> None:
    major, minor = map(int, get_version().split(".")[:2])
    make_folder(stick / "tso-next", "Zukunft", version=f"{major}.{minor + 1}")

    take_over_older_data()

    assert not list((new / "data").iterdir())


@pytest.mark.parametrize("choice", ["TSO_DATA", "home", "none beside", "not clicked"])
def test_nothing_taken_over_where_it_is_not_wanted(
    stick: Path, new: Path, monkeypatch: pytest.MonkeyPatch, choice: str
) -> None:
    if choice != "none beside":
        make_folder(stick / "tso-1.0", "Herbst-Cup")
    if choice == "TSO_DATA":
        monkeypatch.setenv("TSO_DATA", str(stick / "elsewhere"))
    elif choice == "home":
        (new / PLACE_FILE).write_text("home")
    elif choice == "not clicked":
        monkeypatch.delenv(START_FILE)

    take_over_older_data()

    assert not (new / "data/tso.sqlite3").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows does not say who has a file open")
def test_nothing_copied_while_the_older_version_runs(stick: Path, new: Path) -> None:
    old = make_folder(stick / "tso-1.0", "Herbst-Cup")
    with subprocess.Popen(
        [sys.executable, "-c", RUNNING, old / "data/tso.sqlite3"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as running:
        assert running.stdout.readline() == b"open\n"
        with pytest.raises(SystemExit, match="is still running"):
            take_over_older_data()
        running.stdin.close()

    assert not list((new / "data").iterdir())


def test_copy_that_was_cut_short_is_made_anew(stick: Path, new: Path) -> None:
    make_folder(stick / "tso-1.0", "Herbst-Cup")
    (new / "data.part").mkdir()
    (new / "data.part/tso.sqlite3").write_text("half")

    take_over_older_data()

    assert read_event(new) == "Herbst-Cup"
    assert not (new / "data.part").exists()


def test_data_that_cannot_be_copied_end_the_start(stick: Path, new: Path) -> None:
    make_folder(stick / "tso-1.0", "Herbst-Cup")
    (stick / "tso-1.0/data/uploads/gone.jpg").symlink_to("nowhere")

    with pytest.raises(SystemExit, match="cannot be taken over"):
        take_over_older_data()

    assert not list((new / "data").iterdir())
