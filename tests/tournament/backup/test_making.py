"""A backup is whole, counts only when it has been checked, and never costs an older one."""

import errno
import json
import os
import random
import shutil
import sqlite3
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import time_machine

from tests.refusals import refuses
from tests.tournament.backup.conftest import EVENT, Check, make_installation, said, say
from tournament.backup import files, places
from tournament.backup.files import FolderUnusable
from tournament.backup.making import (
    DataCopy,
    check_and_pack_copy,
    discard_unpacked_copies,
    list_unpacked_copies,
    make_backup,
    read_backup_manifest,
    remove_unfinished_copies,
    take_copy,
)
from tournament.backup.noting import begin_rewriting
from tournament.backup.places import (
    SIGN_FILE,
    BackupReason,
    DataFacts,
    Installation,
    find_last_good_name,
    list_backups,
    load_backup_state,
    parse_manifest,
    prepare_second_place,
    save_second_place,
)
from tournament.backup.restoring import remove_leftovers

NOON = "2026-10-03 12:00 +0200"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_a_crash_left_of_a_backup_is_in_nobodys_way(home: Installation, fine: Check) -> None:
    """The next start packs the same copy, under the same name."""
    copy = take_copy(home, BackupReason.START)
    again = DataCopy(shutil.copytree(copy.folder, copy.folder.with_name(f"{copy.folder.name}x")), copy.at, copy.reason)
    first = check_and_pack_copy(home, copy, check=fine)
    assert first is not None
    first.path.rename(first.path.with_name(f"{first.name}.part"))

    second = check_and_pack_copy(home, again, check=fine)

    assert second is not None
    assert str(second.name) == str(first.name)
    assert second.path.exists()


def test_backup_holds_everything(home: Installation, fine: Check, tmp_path: Path) -> None:
    made = make_backup(home, BackupReason.BY_HAND, check=fine)

    assert made is not None
    with ZipFile(made.path) as packed:
        packed.extractall(tmp_path / "out")
        manifest = parse_manifest(json.loads(packed.read("manifest.json")))
    inside = ["tso.sqlite3", "secret-key.txt", "uploads/photo.jpg", "words/list.txt"]
    assert [member.name for member in manifest.members] == inside
    assert said(tmp_path / "out" / "tso.sqlite3") == ["first"]
    assert (tmp_path / "out" / "words" / "list.txt").read_bytes() == (home.data / "words" / "list.txt").read_bytes()
    assert (manifest.facts.events, manifest.reason, manifest.is_good) == ((EVENT,), BackupReason.BY_HAND, True)
    assert manifest == made.manifest
    assert names(home.backups) == ["state.json", made.path.name]


def test_backup_is_for_its_owner_alone(home: Installation, fine: Check) -> None:
    made = make_backup(home, BackupReason.BY_HAND, check=fine)

    assert made is not None
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.backups.stat().st_mode) == 0o700


def test_results_are_taken_while_a_backup_runs(home: Installation, fine: Check, tmp_path: Path) -> None:
    stop = threading.Event()
    written: list[int] = []

    def write() -> None:
        with closing(sqlite3.connect(home.database, timeout=5)) as database:
            while not stop.is_set():
                number = len(written)
                with database:  # two rows in one transaction: a copy has both or neither
                    database.executemany("INSERT INTO said VALUES (?)", [(f"a{number}",), (f"b{number}",)])
                written.append(number)

    writer = threading.Thread(target=write)
    writer.start()
    copies = [make_backup(home, BackupReason.BY_HAND, check=fine) for _number in range(5)]
    stop.set()
    writer.join()

    assert len(written) > 5
    for made in copies:
        assert made is not None
        with ZipFile(made.path) as packed:
            packed.extract("tso.sqlite3", tmp_path)
        rows = said(tmp_path / "tso.sqlite3")[1:]
        assert rows == [f"{side}{number}" for number in range(len(rows) // 2) for side in "ab"]


def test_the_same_data_are_not_saved_twice_by_the_clock(home: Installation, fine: Check) -> None:
    first = make_backup(home, BackupReason.SCHEDULE, check=fine)
    second = make_backup(home, BackupReason.SCHEDULE, check=fine)
    say(home, "second")
    third = make_backup(home, BackupReason.SCHEDULE, check=fine)

    assert first is not None
    assert second is None
    assert third is not None
    assert third.name.number == first.name.number + 1


def test_copy_that_a_second_program_has_packed_is_no_fault(home: Installation, fine: Check) -> None:
    copy = take_copy(home, BackupReason.START)

    def beaten(copy: DataCopy, **known: Any) -> DataFacts:
        facts = fine(copy, **known)
        assert check_and_pack_copy(home, copy, check=fine) is not None
        return facts

    assert check_and_pack_copy(home, copy, check=beaten) is None
    assert len(list(home.backups.glob("*.zip"))) == 1
    assert not list(home.backups.glob("*.part"))


def test_faulty_data_are_kept_but_do_not_count(home: Installation, fine: Check, faulty: Check) -> None:
    good = make_backup(home, BackupReason.SCHEDULE, check=fine)
    say(home, "second")
    doubtful = make_backup(home, BackupReason.SCHEDULE, check=faulty)

    assert good is not None
    assert doubtful is not None
    assert doubtful.path.name.endswith("-doubtful.zip")
    assert find_last_good_name(home.backups) == good.name


def test_journals_known_to_be_right_are_not_replayed_again(home: Installation, fine: Check) -> None:
    asked = []

    def check(copy: DataCopy, *, known: list[str], journals: bool = True) -> object:
        asked.append(known)
        return fine(copy, known=known)

    for words in ("second", "third"):
        say(home, words)
        make_backup(home, BackupReason.SCHEDULE, check=check)  # type: ignore[arg-type]  # it gives what the other gives

    assert asked == [[], ["herbst-cup:82"]]


def test_no_room_leaves_everything_as_it_was(home: Installation, fine: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_backup(home, BackupReason.BY_HAND, check=fine)
    monkeypatch.setattr(files, "RESERVE", shutil.disk_usage(home.data).total)
    before = names(home.backups)

    with refuses("no_room") as refusal:
        make_backup(home, BackupReason.BY_HAND, check=fine)

    assert made is not None
    assert names(home.backups) == before
    assert str(home.backups) in str(refusal.value)


def test_damaged_database_makes_no_backup(home: Installation, fine: Check) -> None:
    home.database.write_bytes(b"no database " * 1000)

    with pytest.raises(FolderUnusable):
        make_backup(home, BackupReason.BY_HAND, check=fine)

    assert names(home.backups) == []


def test_copy_left_behind_is_packed_later(home: Installation, fine: Check) -> None:
    taken = take_copy(home, BackupReason.DELETION)
    (home.backups / "unfinished-1").mkdir()
    (home.backups / "x.zip.part").touch()
    for left in ("unfinished-1", "x.zip.part"):
        os.utime(home.backups / left, (0, 0))

    remove_unfinished_copies(home)
    (waiting,) = list_unpacked_copies(home)
    made = check_and_pack_copy(home, waiting, check=fine)

    assert (waiting.folder, waiting.reason, waiting.at) == (taken.folder, taken.reason, taken.at)
    assert made is not None
    assert names(home.backups) == ["state.json", made.path.name]


def test_second_place_gets_a_copy(home: Installation, fine: Check, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    prepare_second_place(home, stick)
    save_second_place(home, stick)

    made = make_backup(home, BackupReason.BY_HAND, check=fine)

    assert made is not None
    assert made.not_carried is None
    assert (stick / made.path.name).read_bytes() == made.path.read_bytes()


def test_stick_needs_room_for_the_backup_only(
    home: Installation, fine: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    prepare_second_place(home, stick)
    save_second_place(home, stick)
    usage, free = shutil.disk_usage(stick), {stick: 5 * 1024**2}
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage._replace(free=free.get(folder, usage.free)))

    small = make_backup(home, BackupReason.BY_HAND, check=fine)
    free[stick] = 1024
    full = make_backup(home, BackupReason.BY_HAND, check=fine)

    assert small is not None
    assert small.not_carried is None
    assert full is not None
    assert full.not_carried is not None
    assert full.not_carried.code == "no_room_there"


def test_second_place_that_is_gone_is_told_and_tried_again(home: Installation, fine: Check, tmp_path: Path) -> None:
    stick, unplugged = tmp_path / "stick", tmp_path / "unplugged"
    stick.mkdir()
    prepare_second_place(home, stick)
    save_second_place(home, stick)
    stick.rename(unplugged)
    stick.mkdir()  # where it was mounted there is an empty folder

    first = make_backup(home, BackupReason.BY_HAND, check=fine)
    stick.rmdir()
    unplugged.rename(stick)
    second = make_backup(home, BackupReason.BY_HAND, check=fine)

    assert first is not None
    assert second is not None
    assert first.not_carried is not None
    assert first.not_carried.code == "place_gone"
    assert second.not_carried is None
    assert names(stick) == sorted([SIGN_FILE, second.path.name])


@pytest.mark.parametrize("wrong", ["relative", "/no/such/folder"])
def test_second_place_must_be_a_folder(home: Installation, wrong: str) -> None:
    with refuses("no_folder") as refusal:
        prepare_second_place(home, Path(wrong))

    assert wrong in str(refusal.value)


def test_second_place_inside_the_data_folder_is_refused(home: Installation) -> None:
    with refuses("own_folder"):
        prepare_second_place(home, home.data / "uploads")


def test_two_machines_share_a_stick(home: Installation, fine: Check, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    other = make_installation(tmp_path / "other")
    for machine in (home, other):
        prepare_second_place(machine, stick)
        save_second_place(machine, stick)
        make_backup(machine, BackupReason.BY_HAND, check=fine)

    installations = {name.installation for name in list_backups(stick)}

    assert installations == {load_backup_state(home).installation, load_backup_state(other).installation}
    assert len(installations) == 2


def test_state_that_a_full_disk_does_not_take_is_none_yet(home: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_written: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(places, "write_json", refuse)
        assert load_backup_state(home).place is None
        assert not home.state.exists()

    assert load_backup_state(home) == load_backup_state(home)
    assert home.state.exists()


def test_damaged_state_is_laid_aside(home: Installation, fine: Check) -> None:
    make_backup(home, BackupReason.BY_HAND, check=fine)
    (home.backups / "state.json").write_text("{")

    made = make_backup(home, BackupReason.BY_HAND, check=fine)

    assert made is not None
    assert (home.backups / "state.damaged").read_text() == "{"


@pytest.mark.parametrize("reason", BackupReason)
@pytest.mark.sampled(3)
def test_start_keeps_of_left_copies_those_that_no_later_one_replaces(home: Installation, reason: BackupReason) -> None:
    for _kill in range(3):
        take_copy(home, reason)
    (home.backups / "unfinished-1").mkdir()
    (home.data / "restoring-1").mkdir()
    (home.data / "rehearsal-1").mkdir()
    (home.data / "uploads" / "incoming-1").touch()
    (home.backups / "x.zip.part").touch()
    (home.data / "restore-plan.json.new").touch()
    (home.backups / "state.json.new").touch()

    remove_leftovers(home)

    is_kept = reason in (BackupReason.DELETION, BackupReason.IMPORT, BackupReason.UNDO)
    assert len(list_unpacked_copies(home)) == (3 if is_kept else 0)
    assert [name for name in names(home.backups) if not name.startswith("copy-")] == []
    assert [name for name in names(home.data) if name.startswith("re")] == []
    assert names(home.data / "uploads") == ["photo.jpg"]


@pytest.mark.skipif(os.name == "nt", reason="Windows removes no folder in which a file is open")
@pytest.mark.long
def test_check_that_outlives_its_program_keeps_no_copy(home: Installation) -> None:
    copies = [take_copy(home, BackupReason.BY_HAND).folder for _kill in range(5)]
    stop = threading.Event()

    def check() -> None:
        while not stop.is_set():
            for folder in copies:
                with suppress(OSError):
                    (folder / f"tso.sqlite3-{random.randrange(10**9)}").touch()

    checks = [threading.Thread(target=check) for _check in range(3)]
    for each in checks:
        each.start()
    remove_leftovers(home)
    stop.set()
    for each in checks:
        each.join()

    assert list_unpacked_copies(home) == []


def test_start_beside_a_running_program_leaves_its_work_alone(home: Installation) -> None:
    take_copy(home, BackupReason.SCHEDULE)
    (home.data / "restoring-1").mkdir()

    with closing(sqlite3.connect(home.database)) as running:
        running.execute("SELECT * FROM said").fetchall()
        remove_leftovers(home)

    assert len(list_unpacked_copies(home)) == 1
    assert (home.data / "restoring-1").is_dir()


def test_backup_removes_copies_that_are_old(home: Installation, fine: Check) -> None:
    old, young = take_copy(home, BackupReason.START), take_copy(home, BackupReason.START)
    os.utime(old.folder, (0, 0))

    make_backup(home, BackupReason.BY_HAND, check=fine)

    assert [copy.folder for copy in list_unpacked_copies(home)] == [young.folder]


def test_copy_from_before_somebody_was_forgotten_is_never_packed(home: Installation, fine: Check) -> None:
    before = take_copy(home, BackupReason.DELETION)
    begin_rewriting(home)
    after = take_copy(home, BackupReason.DELETION)

    assert check_and_pack_copy(home, before, check=fine) is None
    assert not before.folder.exists()
    assert check_and_pack_copy(home, after, check=fine) is not None


def test_backup_by_hand_is_made_although_somebody_is_forgotten_meanwhile(home: Installation, fine: Check) -> None:
    checked: list[DataCopy] = []

    def check(copy: DataCopy, *, known: list[str], journals: bool = True) -> DataFacts:
        if not checked:
            begin_rewriting(home)
            discard_unpacked_copies(home)
        else:
            assert copy.database.exists()
        checked.append(copy)
        return DataFacts()

    made = make_backup(home, BackupReason.BY_HAND, check=check)

    assert made is not None
    assert len(checked) == 2
    assert names(home.backups) == sorted([made.path.name, "state.json"])


def test_damaged_number_of_the_notes_stops_no_backup(home: Installation, fine: Check) -> None:
    begin_rewriting(home)
    (home.data / "entered" / "rewritten.json").write_bytes(b"\xff\x00 no number")

    assert make_backup(home, BackupReason.BY_HAND, check=fine) is not None


@pytest.mark.parametrize("moment", ["1970-01-01 12:00 +0100", "2038-01-19 04:14:08 +0100", "2108-01-01 12:00 +0100"])
def test_backup_is_made_at_an_odd_hour(moment: str, home: Installation, fine: Check) -> None:
    with time_machine.travel(moment):
        made = make_backup(home, BackupReason.BY_HAND, check=fine)

    assert made is not None
    assert read_backup_manifest(made.path) == made.manifest


def test_newest_backup_is_the_last_one_made_whatever_the_clock_says(home: Installation, fine: Check) -> None:
    chance = random.Random(1)
    with time_machine.travel(NOON, tick=False) as now:
        for number in range(12):
            now.move_to(NOON)
            now.shift(timedelta(days=chance.choice([-400, -1, 0, 1, 3650])))
            say(home, f"row {number}")
            made = make_backup(home, BackupReason.BY_HAND, check=fine)
            assert made is not None
            assert find_last_good_name(home.backups) == made.name
    assert len(list_backups(home.backups)) == 12
    assert said(home.database)[-1] == "row 11"


def test_what_is_written_is_on_the_disk_before_it_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    sync = os.fsync

    def note_size(handle: int) -> None:
        sizes.append(os.fstat(handle).st_size)
        sync(handle)

    monkeypatch.setattr(os, "fsync", note_size)
    files.write_json(tmp_path / "plan.json", {"step": "aside"})

    assert sizes[0] == (tmp_path / "plan.json").stat().st_size


def test_two_may_write_one_file_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(3) as threads:
        for _written in threads.map(lambda number: files.write_json(tmp_path / "state.json", [number] * 99), range(20)):
            pass

    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]
    assert len(set(json.loads((tmp_path / "state.json").read_text(encoding="utf-8")))) == 1
