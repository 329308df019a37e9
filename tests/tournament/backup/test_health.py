"""What is wrong with a database is told before it is opened, with the way out; an old `-wal` is never played."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import OperationalError
from django.db.utils import ConnectionHandler
from django.utils import translation

from config import services
from tests.tournament.backup.conftest import Check, make_installation, said, say
from tournament.backup.health import (
    DatabaseDamaged,
    DatabaseEmpty,
    DatabaseForeign,
    DatabaseMissing,
    DatabaseUnusable,
    WalMismatch,
    _write_marks,
    check_database,
    describe_way_back,
    has_wal_content,
    has_wal_mismatch,
    keep_wal,
    move_wal_aside,
    read_mark,
    read_noted_marks,
    renew_mark,
    require_safe_to_open,
)
from tournament.backup.making import make_backup, take_copy
from tournament.backup.noting import note_journal_entry
from tournament.backup.places import BackupReason, DataFacts, Installation


@pytest.fixture
def ours(home: Installation) -> Installation:
    """A data folder with our own table of migrations, under a mark."""
    with closing(sqlite3.connect(home.database)) as database:
        database.execute("CREATE TABLE django_migrations (name TEXT)")
    renew_mark(home, patient=True)
    return home


def crash(home: Installation, *words: str, after: Callable[[], object] = lambda: None) -> Installation:
    """The folder as a machine leaves it that goes down after these words were written; `after` happens before."""
    target = home.data.with_name(f"crashed-{len(list(home.data.parent.iterdir()))}")
    with closing(sqlite3.connect(home.database)) as database:
        database.execute("PRAGMA wal_autocheckpoint = 0")
        for each in words:
            with database:
                database.execute("INSERT INTO said VALUES (?)", [each])
            after()
        shutil.copytree(home.data, target)
    return Installation(target)


def test_crash_is_mended_by_the_database_itself(ours: Installation) -> None:
    crashed = crash(ours, "second", "third")

    check_database(crashed)

    assert has_wal_content(crashed.wal)
    assert said(crashed.database) == ["first", "second", "third"]


def test_crash_in_the_middle_of_a_new_mark(ours: Installation) -> None:
    crashed = crash(ours, "second")
    mark = read_mark(crashed.database)
    _write_marks(crashed, *[number for number in (mark, 12345) if number is not None])

    check_database(crashed)

    assert said(crashed.database) == ["first", "second"]


def test_mark_of_a_try_cut_short_stays_noted(ours: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.backup.health.DATABASE_TIMEOUT_SECONDS", 0)
    with closing(sqlite3.connect(ours.database, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM said").fetchall()
        assert not renew_mark(ours)  # for somebody still reads
        other.execute("ROLLBACK")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            renew_mark(ours)
        other.execute("ROLLBACK")
        other.execute("PRAGMA wal_checkpoint(PASSIVE)")
        say(ours, "second")

        assert not has_wal_mismatch(ours)
        assert renew_mark(ours, patient=True)
    assert read_noted_marks(ours) == [read_mark(ours.database)]


def test_marks_renewed_at_once(ours: Installation) -> None:
    with closing(sqlite3.connect(ours.database)) as reader, ThreadPoolExecutor(3) as threads:
        reader.execute("SELECT * FROM said").fetchall()
        for _moved in threads.map(lambda _number: renew_mark(ours), range(12)):
            say(ours, "more")

            assert not has_wal_mismatch(ours)
        assert renew_mark(ours)
        assert read_noted_marks(ours) == [read_mark(ours.database)]


@pytest.mark.parametrize("saved_by", ["backup", "copy", "sqlite"])
def test_database_copied_over_a_crashed_one_is_told(ours: Installation, saved_by: str) -> None:
    saved = ours.data.with_name("saved.sqlite3")
    if saved_by == "copy":
        shutil.copyfile(ours.database, saved)
    else:
        with closing(sqlite3.connect(ours.database)) as live, closing(sqlite3.connect(saved)) as target:
            live.backup(target)
            if saved_by == "backup":
                target.execute("PRAGMA user_version = 0")
    say(ours, "second")
    renew_mark(ours, patient=True)  # the program did so meanwhile
    crashed = crash(ours, "third")
    wal = crashed.wal.read_bytes()
    shutil.copyfile(saved, crashed.database)

    with pytest.raises(WalMismatch) as refusal:
        check_database(crashed)

    assert "start --wal aside" in str(refusal.value)
    assert crashed.wal.read_bytes() == wal
    assert crashed.database.read_bytes() == saved.read_bytes()


def test_no_connection_is_opened_beside_a_strange_wal(ours: Installation) -> None:
    crashed = crash(ours, "second")
    shutil.copyfile(make_installation(ours.data.with_name("other"), "elsewhere").database, crashed.database)
    before = crashed.database.read_bytes()
    connections = ConnectionHandler({"default": services._build_sqlite_settings(crashed.data)})

    with pytest.raises(OperationalError, match="start --wal aside"):
        connections["default"].connect()

    assert crashed.database.read_bytes() == before


def test_wal_laid_aside_is_kept(ours: Installation) -> None:
    crashed = crash(ours, "second")
    shutil.copyfile(make_installation(ours.data.with_name("other"), "elsewhere").database, crashed.database)
    wal = crashed.wal.read_bytes()

    folder = move_wal_aside(crashed)

    assert (folder / crashed.wal.name).read_bytes() == wal
    assert said(crashed.database) == ["elsewhere"]


def test_whole_folder_copied_from_elsewhere_is_fine(ours: Installation) -> None:
    crashed = crash(ours, "second")
    crashed.mark.unlink()  # an older version wrote none

    check_database(crashed)


def test_wal_kept_on_the_directors_word(ours: Installation) -> None:
    crashed = crash(ours, "second")
    _write_marks(crashed, 12345)
    with pytest.raises(WalMismatch):
        check_database(crashed)

    keep_wal(crashed)

    check_database(crashed)
    assert said(crashed.database) == ["first", "second"]


def test_new_folder_is_fine(tmp_path: Path) -> None:
    check_database(Installation(tmp_path))


def test_first_start_that_was_broken_off_is_fine(tmp_path: Path) -> None:
    (tmp_path / "tso.sqlite3").touch()

    check_database(Installation(tmp_path))


def emptied(home: Installation) -> None:
    home.database.write_bytes(b"")


def overwritten(home: Installation) -> None:
    home.database.write_bytes(b"not a database at all " * 500)


def cut(home: Installation) -> None:
    home.database.write_bytes(home.database.read_bytes()[:5000])


def scratched(home: Installation) -> None:
    content = bytearray(home.database.read_bytes())
    content[4096:6000] = bytes(1904)
    home.database.write_bytes(content)


def removed(home: Installation) -> None:
    home.database.unlink()


def without_tables(home: Installation) -> None:
    home.database.unlink()
    with closing(sqlite3.connect(home.database)) as database:
        database.execute("VACUUM")
        database.execute("CREATE TABLE x (y)")
        database.execute("DROP TABLE x")


def foreign(home: Installation) -> None:
    home.database.unlink()
    with closing(sqlite3.connect(home.database)) as database:
        database.execute("CREATE TABLE recipes (title TEXT)")


DAMAGE: dict[Callable[[Installation], None], type[DatabaseUnusable]] = {
    emptied: DatabaseEmpty,
    overwritten: DatabaseDamaged,
    cut: DatabaseDamaged,
    scratched: DatabaseDamaged,
    removed: DatabaseMissing,
    without_tables: DatabaseEmpty,
    foreign: DatabaseForeign,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_told_with_the_way_to_the_last_good_backup(
    damage: Callable[[Installation], None], ours: Installation, fine: Check, faulty: Check
) -> None:
    made = make_backup(ours, BackupReason.BY_HAND, check=fine)
    make_backup(ours, BackupReason.BY_HAND, check=faulty)
    assert made is not None
    for left in (ours.wal, ours.shared_memory):
        left.unlink(missing_ok=True)
    damage(ours)
    before = ours.database.read_bytes() if ours.database.exists() else None

    with pytest.raises(DAMAGE[damage]) as refusal:
        check_database(ours)

    assert f"tso.py restore {made.path}" in str(refusal.value)
    assert f"{made.name.at:%H:%M}" in str(refusal.value)
    assert (ours.database.read_bytes() if ours.database.exists() else None) == before


JOURNAL = "tournament.JournalEntry"


def noting(entries: int, *faults: str) -> Check:
    """A check that finds so many entries in the journals, and these faults."""
    return lambda copy, *, known, journals=True: DataFacts(counts={JOURNAL: entries}, faults=faults)


def test_a_doubtful_backup_is_named_before_the_good_one(ours: Installation) -> None:
    good = make_backup(ours, BackupReason.BY_HAND, check=noting(12))
    say(ours, "more")
    newest = make_backup(ours, BackupReason.BY_HAND, check=noting(46, "hall 1.depth: 3 ≠ 4", "player 2: gone"))
    assert good is not None
    assert newest is not None
    overwritten(ours)

    with pytest.raises(DatabaseDamaged) as refusal, translation.override("en"):
        check_database(ours)
    with translation.override("en"):
        told = describe_way_back(ours)

    assert told in str(refusal.value)
    assert "Doubtful in it: hall 1.depth: 3 ≠ 4, and 1 more. This restores it as it is:" in told
    assert told.index(f"restore {newest.path}") < told.index(f"restore {good.path}")
    assert told.endswith("Up to 34 journal entries of the 1 min after it may be lost.")


def test_a_doubtful_backup_is_better_than_none(ours: Installation) -> None:
    newest = make_backup(ours, BackupReason.BY_HAND, check=noting(46, "hall 1.depth: 3 ≠ 4"))
    assert newest is not None

    with translation.override("en"):
        told = describe_way_back(ours)

    assert "Doubtful in it: hall 1.depth: 3 ≠ 4. This restores it as it is:" in told
    assert told.endswith(f"restore {newest.path}")


def test_what_was_noted_after_a_backup_is_counted(ours: Installation) -> None:
    made = make_backup(ours, BackupReason.BY_HAND, check=noting(12))
    assert made is not None
    at = made.manifest.made_at + timedelta(minutes=125)
    for key in (13, 14):
        note_journal_entry(ours, {"id": key, "at": at.isoformat()})

    with translation.override("en"):
        assert describe_way_back(ours).endswith("Up to 2 journal entries of the 125 min after it may be lost.")


@pytest.mark.parametrize("at", ["2026-1O-03T12:00:00+00:00", "2026-10-03T12:00:00", 12, None])
def test_a_damaged_moment_among_the_notes_keeps_nobody_from_the_way_back(ours: Installation, at: object) -> None:
    made = make_backup(ours, BackupReason.BY_HAND, check=noting(12))
    assert made is not None
    later = (made.manifest.made_at + timedelta(minutes=5)).isoformat()
    for key, moment in ((13, at), (14, later)):
        note_journal_entry(ours, {"id": key, "at": moment})

    with translation.override("en"):
        assert describe_way_back(ours).endswith("Up to 1 journal entry of the 5 min after it may be lost.")


def test_without_a_backup_that_is_said(ours: Installation) -> None:
    overwritten(ours)

    with pytest.raises(DatabaseDamaged) as refusal:
        check_database(ours)

    assert str(ours.backups) in str(refusal.value)


CLOSES = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("INSERT INTO said VALUES ('elsewhere')")
database.commit()
database.close()
"""


def test_looking_takes_nobody_his_locks(ours: Installation) -> None:
    with closing(sqlite3.connect(ours.database)) as reader:
        reader.execute("SELECT * FROM said").fetchall()
        say(ours, "second")
        require_safe_to_open(ours)
        renew_mark(ours)
        read_mark(ours.database)
        shutil.rmtree(take_copy(ours, BackupReason.BY_HAND).folder)
        subprocess.run([sys.executable, "-c", CLOSES, str(ours.database)], check=True)

        assert ours.wal.exists(), "the other process believed itself alone"
        assert ours.shared_memory.exists()
    assert said(ours.database) == ["first", "second", "elsewhere"]
