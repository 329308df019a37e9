"""A small data folder: a database with one table, a key, a photo and a word list."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tournament.backup.making import DataCopy
from tournament.backup.places import DataFacts, EventFigures, Installation

EVENT = EventFigures("herbst-cup", "Herbst-Cup", revision=82, entries=24, rounds=6, results=69)
Check = Callable[..., DataFacts]


def make_installation(data: Path, words: str = "first") -> Installation:
    """A data folder as the program leaves it, with these words in its database."""
    home = Installation(data)
    (data / "uploads").mkdir(parents=True)
    (data / "words").mkdir()
    (data / "uploads" / "photo.jpg").write_bytes(b"\xff\xd8 a photo")
    (data / "words" / "list.txt").write_bytes(b"AB\nABER\n" * 1000)
    home.key.write_text("k" * 60)
    with closing(sqlite3.connect(home.database)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE said (words TEXT)")
    say(home, words)
    return home


def say(home: Installation, words: str) -> None:
    """Write another row, as a result is written."""
    with closing(sqlite3.connect(home.database)) as database, database:
        database.execute("INSERT INTO said VALUES (?)", [words])


def said(database: Path) -> list[str]:
    """What was written into a database."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as opened:
        return [words for (words,) in opened.execute("SELECT words FROM said ORDER BY rowid")]


@pytest.fixture
def home(tmp_path: Path) -> Installation:
    return make_installation(tmp_path / "data")


@pytest.fixture
def fine() -> Check:
    """A check that finds one event and nothing wrong."""

    def check(copy: DataCopy, *, known: list[str], journals: bool = True) -> DataFacts:
        assert copy.database.exists()
        return DataFacts({"tournament": ["0001_initial"]}, (EVENT,), {"tournament.Result": 69})

    return check


@pytest.fixture
def faulty() -> Check:
    """A check that finds a row which the journal does not know."""

    def check(copy: DataCopy, *, known: list[str], journals: bool = True) -> DataFacts:
        return DataFacts(events=(EVENT,), faults=("herbst-cup: result 12: not in the journal",))

    return check
