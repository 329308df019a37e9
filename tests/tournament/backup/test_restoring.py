"""A backup comes back whole or not at all, and nothing that was there is lost."""

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest

from tests.tournament.backup.conftest import Check, make_installation, said, say
from tournament.backup.health import is_database_open
from tournament.backup.making import make_backup
from tournament.backup.places import BackupReason, Installation
from tournament.backup.restoring import (
    SMALL,
    BackupFileRefusal,
    BackupFileUnreadable,
    DataInUse,
    _make_restore_refusal,
    carry_out_restore_plan,
    extract_backup,
    inspect_backup,
    prepare_restore,
    remove_unfinished_restores,
    replace_data,
)


@pytest.fixture
def backup(home: Installation, fine: Check) -> Path:
    """A backup of the first words; the database has said more since."""
    made = make_backup(home, BackupReason.BY_HAND, check=fine)
    assert made is not None
    say(home, "second")
    (home.data / "uploads" / "later.jpg").write_bytes(b"later")
    return made.path


def unpacked(home: Installation, backup: Path) -> Path:
    """The backup beside today's data; what the program says to it is tested with the command."""
    manifest = inspect_backup(backup)
    folder = home.data / "restoring-1"
    folder.mkdir()
    extract_backup(backup, manifest, folder)
    return folder


def whole(data: Path) -> tuple[list[str], list[str], bool]:
    """What a data folder says, its photos, and whether it has its key."""
    photos = sorted(path.name for path in (data / "uploads").iterdir())
    return said(data / "tso.sqlite3"), photos, (data / "secret-key.txt").read_text() == "k" * 60


OLD = (["first"], ["photo.jpg"], True)
TODAY = (["first", "second"], ["later.jpg", "photo.jpg"], True)


def test_todays_data_are_moved_aside(home: Installation, backup: Path) -> None:
    aside = replace_data(home, unpacked(home, backup))

    assert (whole(home.data), whole(aside)) == (OLD, TODAY)
    assert aside.parent == home.data
    assert aside.name.startswith("before-restore-")
    assert sorted(path.name for path in home.data.iterdir()) == sorted(
        [aside.name, "backups", "secret-key.txt", "tso.sqlite3", "uploads", "words"]
    )


def test_a_crashed_machines_wal_goes_with_its_database(home: Installation, backup: Path) -> None:
    with closing(sqlite3.connect(home.database)) as crashed:
        crashed.execute("PRAGMA wal_autocheckpoint = 0")
        with crashed:
            crashed.execute("INSERT INTO said VALUES ('third')")
        shutil.copytree(home.data, home.data.with_name("crashed"))
    home = Installation(home.data.with_name("crashed"))

    aside = replace_data(home, unpacked(home, backup))

    assert not home.wal.exists()
    assert said(home.database) == ["first"]
    assert said(aside / "tso.sqlite3") == ["first", "second", "third"]


class Killed(BaseException):
    """The machine goes down."""


def steps(monkeypatch: pytest.MonkeyPatch, last: int) -> Callable[[], int]:
    """Let the machine go down at that step of moving files; how many steps there were."""
    count = 0

    def counted(original: Callable[..., object]) -> Callable[..., object]:
        def step(*args: object, **kwargs: object) -> object:
            nonlocal count
            count += 1
            if count == last:
                raise Killed
            return original(*args, **kwargs)

        return step

    for name in ("rename", "replace", "unlink", "mkdir", "rmdir"):
        monkeypatch.setattr(Path, name, counted(getattr(Path, name)))
    monkeypatch.setattr(shutil, "copy2", counted(shutil.copy2))
    return lambda: count


def every_step() -> Iterator[int]:
    yield from range(1, 40)


def test_killed_at_any_step_leaves_old_or_new_whole(tmp_path: Path, fine: Check) -> None:
    outcomes = set()
    for last in every_step():
        home = make_installation(tmp_path / str(last))
        made = make_backup(home, BackupReason.BY_HAND, check=fine)
        assert made is not None
        say(home, "second")
        (home.data / "uploads" / "later.jpg").write_bytes(b"later")
        prepared = unpacked(home, made.path)
        with pytest.MonkeyPatch.context() as patch:
            steps(patch, last)
            try:
                replace_data(home, prepared)
                outcomes.add("done")
            except Killed:
                outcomes.add("killed")
        carry_out_restore_plan(home)
        remove_unfinished_restores(home)
        asides = list(home.data.glob("before-restore-*"))
        if asides and (home.data / "tso.sqlite3").exists() and said(home.database) == ["first"]:
            assert (whole(home.data), [whole(aside) for aside in asides]) == (OLD, [TODAY])
            outcomes.add("new")
        else:
            assert whole(home.data) == TODAY
            outcomes.add("old")

    assert outcomes == {"done", "killed", "new", "old"}


def test_two_restores_in_one_second_keep_both_days(home: Installation, backup: Path) -> None:
    first = replace_data(home, unpacked(home, backup))
    second = replace_data(home, unpacked(home, backup))

    assert (whole(first), whole(second)) == (TODAY, OLD)


READER = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("SELECT * FROM said")
print(flush=True)
sys.stdin.read()
"""


def test_database_that_is_open_is_not_replaced(home: Installation, backup: Path) -> None:
    prepared = unpacked(home, backup)
    with subprocess.Popen(
        [sys.executable, "-c", READER, str(home.database)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as reader:
        assert reader.stdout is not None
        reader.stdout.readline()
        assert is_database_open(home)
        with pytest.raises(DataInUse):
            replace_data(home, prepared)
        reader.communicate()

    assert not is_database_open(home)
    assert whole(home.data) == TODAY


def rewritten(backup: Path, **changed: object) -> Path:
    """The same backup with another manifest."""
    target = backup.with_name("changed.zip")
    with ZipFile(backup) as source, ZipFile(target, "w", ZIP_DEFLATED) as sink:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == "manifest.json":
                content = json.dumps(json.loads(content) | changed).encode()
            sink.writestr(entry.filename, content)
    return target


def cut(backup: Path, size: int) -> Path:
    target = backup.with_name("cut.zip")
    target.write_bytes(backup.read_bytes()[:size])
    return target


def flipped(backup: Path) -> Path:
    """One bit of the database is another one."""
    content = bytearray(backup.read_bytes())
    content[100] ^= 1
    target = backup.with_name("flipped.zip")
    target.write_bytes(content)
    return target


def foreign(backup: Path) -> Path:
    target = backup.with_name("foreign.zip")
    with ZipFile(target, "w") as sink:
        sink.writestr("holiday.txt", "sun")
    return target


def write_text_file(backup: Path) -> Path:
    target = backup.with_name("text.zip")
    target.write_text("no zip at all")
    return target


def with_member(backup: Path, name: str, content: bytes, *, stated: bool, packing: int = ZIP_DEFLATED) -> Path:
    """The backup with one more member."""
    target = rewritten(backup)
    with ZipFile(backup) as source:
        manifest = json.loads(source.read("manifest.json"))
    if stated:
        sha = hashlib.sha256(content).hexdigest()
        manifest["members"].append({"name": name, "size": len(content), "sha256": sha})
        target = rewritten(backup, members=manifest["members"])
    with ZipFile(target, "a") as sink:
        sink.writestr(name, content, packing)
    return target


def lying(backup: Path) -> Path:
    """The manifest says another fingerprint."""
    with ZipFile(backup) as source:
        members = json.loads(source.read("manifest.json"))["members"]
    return rewritten(backup, members=[{**member, "sha256": "0" * 64} for member in members])


WRONG: dict[str, tuple[Callable[[Path], Path], str]] = {
    "no zip": (write_text_file, "no_backup"),
    "another program's zip": (foreign, "no_backup"),
    "cut in the middle": (lambda backup: cut(backup, backup.stat().st_size // 2), "cut_off"),
    "cut at the end": (lambda backup: cut(backup, backup.stat().st_size - 10), "cut_off"),
    "empty": (lambda backup: cut(backup, 0), "no_backup"),
    "one bit": (flipped, "cut_off"),
    "wrong fingerprints": (lying, "member_wrong"),
    "a later format": (lambda backup: rewritten(backup, version=2), "no_backup"),
    "manifest without members": (lambda backup: rewritten(backup, members=[]), "strange_content"),
    "out of the folder": (
        lambda backup: with_member(backup, "uploads/../../evil.txt", b"x", stated=True),
        "strange_content",
    ),
    "from the root": (lambda backup: with_member(backup, "/etc/evil", b"x", stated=True), "strange_content"),
    "with a drive": (lambda backup: with_member(backup, "C:\\evil", b"x", stated=True), "strange_content"),
    "a hidden file": (lambda backup: with_member(backup, "uploads/.evil", b"x", stated=True), "strange_content"),
    "not in the manifest": (
        lambda backup: with_member(backup, "uploads/x.jpg", b"x", stated=False),
        "strange_content",
    ),
    "a bomb": (
        lambda backup: with_member(backup, "words/bomb.txt", bytes(SMALL + 1), stated=True),
        "unfolds_too_far",
    ),
    "packed otherwise": (
        lambda backup: with_member(backup, "uploads/x.jpg", b"x", stated=True, packing=ZIP_BZIP2),
        "strange_content",
    ),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.sampled(5)
def test_wrong_file_is_refused_by_name(case: str, home: Installation, backup: Path, tmp_path: Path) -> None:
    make, code = WRONG[case]
    wrong = make(backup)
    before = whole(home.data)
    folder = tmp_path / "out"
    folder.mkdir()

    with pytest.raises(BackupFileRefusal) as refused:
        extract_backup(wrong, inspect_backup(wrong), folder)

    assert refused.value.code == code
    assert wrong.name in str(refused.value)
    assert whole(home.data) == before
    assert not (tmp_path / "evil.txt").exists()


def test_file_that_is_not_there() -> None:
    with pytest.raises(BackupFileUnreadable) as refusal:
        inspect_backup(Path("/no/such/file.zip"))

    assert "/no/such/file.zip" in str(refusal.value)


def test_backup_of_a_newer_program_is_refused(home: Installation, backup: Path) -> None:
    facts = {"migrations": {"tournament": ["0001_initial", "0099_later"]}, "events": [], "counts": {}}
    newer = rewritten(backup, program="9.0", facts={**facts, "replayed": [], "faults": []})

    with pytest.raises(BackupFileRefusal, match="neuere Version") as refusal:
        prepare_restore(home, newer, inspect_backup(newer))

    assert "9.0" in str(refusal.value)
    assert whole(home.data) == TODAY


@pytest.mark.parametrize(("fault", "code"), [("database or disk is full", "disk_full"), ("result 12", "data_faulty")])
def test_full_disk_is_no_fault_of_the_backup(tmp_path: Path, fault: str, code: str) -> None:
    refused = _make_restore_refusal(tmp_path / "all.zip", tmp_path / "restoring-1", fault)

    assert refused.code == code
