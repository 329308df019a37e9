"""The keeper makes backups by itself, and says when it cannot."""

import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests import factories
from tests.refusals import refuses
from tests.tournament.backup.conftest import Check, say
from tournament.backup import files, keeper, places
from tournament.backup.health import find_last_good_backup, read_mark, read_noted_marks, renew_mark
from tournament.backup.keeper import BackupKeeper
from tournament.backup.making import list_unpacked_copies
from tournament.backup.places import (
    BackupReason,
    Installation,
    SecondPlaceSlow,
    find_last_good_name,
    list_backups,
    load_backup_state,
    prepare_second_place,
    save_second_place,
)
from tournament.basics.precautions import IRREVERSIBLE_VERBS, TAKE_BACK_VERBS, irreversible_step, round_closed
from tournament.basics.refusals import Refusal
from tournament.entries.operations.register import Person, update_register
from tournament.events.operations import delete_tournament
from tournament.journal.undoing import undo_journal_entry
from tournament.models import JournalEntry
from tournament.rounds.operations import close_round


@pytest.fixture
def told() -> list[Refusal]:
    return []


@pytest.fixture
def kept(home: Installation, fine: Check, told: list[Refusal]) -> Iterator[BackupKeeper]:
    """A keeper that looks when the test says so, and watches the database."""
    made = BackupKeeper(home, check=fine, tell=told.append)
    with closing(sqlite3.connect(f"{home.database.as_uri()}?mode=ro", uri=True)) as made._watch:
        made._seen = made._version()
        yield made


def reasons(home: Installation) -> list[BackupReason]:
    return [name.reason for name in reversed(list_backups(home.backups))]


def test_nothing_new_makes_no_backup(kept: BackupKeeper, home: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "EVERY_SECONDS", 0)

    kept.look()

    assert reasons(home) == []


def test_change_is_saved_when_its_time_has_come(
    kept: BackupKeeper, home: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(home, "second")
    kept.look()
    early = reasons(home)
    monkeypatch.setattr(keeper, "EVERY_SECONDS", 0)
    kept.look()
    kept.look()

    assert (early, reasons(home)) == ([], [BackupReason.SCHEDULE])


def test_unsaved_change_grows_old(kept: BackupKeeper, home: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    say(home, "second")
    kept.look()
    young = kept.status().is_old
    monkeypatch.setattr(keeper, "OLD_SECONDS", -1)

    assert (young, kept.status().is_old, bool(kept.status().warnings)) == (False, True, True)


def test_round_closed_is_saved_at_once(kept: BackupKeeper, home: Installation) -> None:
    say(home, "second")
    kept.after_round()
    kept.look()

    assert reasons(home) == [BackupReason.ROUND_CLOSED]


def test_hard_step_is_saved_as_it_was_before(kept: BackupKeeper, home: Installation) -> None:
    kept.before("delete_tournament")
    say(home, "deleted")
    kept.look()

    (name,) = list_backups(home.backups)
    assert name.reason is BackupReason.DELETION
    assert list(list_unpacked_copies(home)) == []


@pytest.mark.parametrize("verb", sorted(IRREVERSIBLE_VERBS | TAKE_BACK_VERBS))
def test_every_hard_step_is_saved_before(verb: str, kept: BackupKeeper, home: Installation) -> None:
    irreversible_step.connect(kept.before)

    heard = irreversible_step.send_robust(sender=None, verb=verb)
    irreversible_step.disconnect(kept.before)

    assert [fault for _listener, fault in heard if fault] == []
    assert len(list(list_unpacked_copies(home))) == 1


def test_full_disk_is_told_once_and_stops_nothing(
    kept: BackupKeeper, home: Installation, told: list[Refusal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "RESERVE", 1 << 60)

    for _time in range(3):
        kept.before("delete_tournament")

    assert [refusal.code for refusal in told] == ["no_room"]
    assert kept.status().warnings
    monkeypatch.setattr(files, "RESERVE", 0)
    kept.save(BackupReason.BY_HAND)
    assert not kept.status().warnings


def test_whatever_goes_wrong_is_told_and_the_next_backup_is_made(
    home: Installation, fine: Check, told: list[Refusal], caplog: pytest.LogCaptureFixture
) -> None:
    checks = iter([ValueError("year is out of range"), None])

    def check(*given: Any, **options: Any) -> Any:
        if fault := next(checks):
            raise fault
        return fine(*given, **options)

    kept = BackupKeeper(home, check=check, tell=told.append)
    kept.save_soon(BackupReason.BY_HAND)
    kept.look_or_tell()
    assert [(refusal.code, str(refusal)) for refusal in told] == [
        ("backup_failed", "Es wurde keine Sicherung gemacht: year is out of range. Das Programm versucht es weiter.")
    ]
    assert "year is out of range" in caplog.text

    say(home, "second")
    kept.save_soon(BackupReason.BY_HAND)
    kept.look_or_tell()

    assert kept.status().fault is None
    assert reasons(home) == [BackupReason.BY_HAND]


def test_faulty_data_are_told(home: Installation, faulty: Check, told: list[Refusal]) -> None:
    kept = BackupKeeper(home, check=faulty, tell=told.append)

    kept.save(BackupReason.SCHEDULE)

    assert [refusal.code for refusal in told] == ["data_faulty"]
    assert kept.status().last is None


def test_second_place_comes_back(kept: BackupKeeper, home: Installation, told: list[Refusal], tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    prepare_second_place(home, stick)
    save_second_place(home, stick)
    stick.rename(tmp_path / "pocket")

    kept.save(BackupReason.BY_HAND)
    kept.look()
    kept.look()
    gone = kept.status().place_fault
    (tmp_path / "pocket").rename(stick)
    kept.look()

    assert gone is not None
    assert gone.code == "place_gone"
    assert [refusal.code for refusal in told] == ["place_gone"]
    assert kept.status().place_fault is None
    assert find_last_good_name(stick) == find_last_good_name(home.backups)


@pytest.fixture
def stuck(home: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A second place where whatever is copied comes to a standstill until the event is set."""
    stick = tmp_path / "share"
    stick.mkdir()
    prepare_second_place(home, stick)
    save_second_place(home, stick)
    answers, copy = threading.Event(), shutil.copyfile

    def hanging(source: Path, target: Path, **options: Any) -> None:
        if target.is_relative_to(stick):
            answers.wait()
        copy(source, target, **options)

    monkeypatch.setattr(shutil, "copyfile", hanging)
    wait_for_second_place(monkeypatch, 0.05)
    yield answers
    answers.set()
    arrived()


def wait_for_second_place(monkeypatch: pytest.MonkeyPatch, seconds: float | None) -> None:
    """Let everybody wait so long for the second place's answer."""
    monkeypatch.setattr(places, "SECOND_PLACE_TIMEOUT_SECONDS", seconds)


def arrived() -> None:
    """Wait for what is under way to the second place."""
    for thread in threading.enumerate():
        if thread.name.startswith("second place"):
            thread.join()


def test_share_that_does_not_answer_keeps_no_backup_waiting(
    stuck: threading.Event,
    kept: BackupKeeper,
    home: Installation,
    told: list[Refusal],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept.save(BackupReason.BY_HAND)
    say(home, "second")
    kept.save(BackupReason.SCHEDULE)
    there = list_backups(tmp_path / "share")
    slow = kept.status()

    wait_for_second_place(monkeypatch, None)
    stuck.set()
    arrived()
    kept.look()

    assert reasons(home) == [BackupReason.BY_HAND, BackupReason.SCHEDULE]
    assert (there, bool(slow.warnings)) == ([], True)
    assert isinstance(slow.place_fault, SecondPlaceSlow)
    assert [type(refusal) for refusal in told] == [SecondPlaceSlow]
    assert kept.status().place_fault is None
    assert find_last_good_name(tmp_path / "share") == find_last_good_name(home.backups)


def test_share_that_does_not_answer_keeps_nobody_from_being_told(
    stuck: threading.Event, kept: BackupKeeper, home: Installation
) -> None:
    kept.save(BackupReason.BY_HAND)

    assert find_last_good_backup(home) == (home.backups / str(kept.status().last), kept.status().last)
    with refuses("place_silent"):
        prepare_second_place(home, Path(load_backup_state(home).second_place))


def test_half_copies_of_a_stick_that_was_taken_out_go(kept: BackupKeeper, home: Installation, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    prepare_second_place(home, stick)
    save_second_place(home, stick)
    first = kept.save(BackupReason.BY_HAND)
    assert first is not None
    old, foreign, others = (
        stick / f"{name}.part" for name in (first.path.name, "tso-other-machine.zip", "holiday.zip")
    )
    for path in (old, foreign, others):
        path.write_bytes(b"half")
        os.utime(path, (0, 0))

    say(home, "second")
    kept.save(BackupReason.SCHEDULE)

    assert [path.exists() for path in (old, foreign, others)] == [False, True, True]


@pytest.mark.parametrize(
    "name", ["copy-", "copy-of-saturday", "copy-nan-start-1", "copy-1e99-start-1", "copy-1.5-what-1"]
)
def test_folder_that_somebody_made_among_the_backups_is_left_alone(
    name: str, kept: BackupKeeper, home: Installation
) -> None:
    (home.backups / name).mkdir(parents=True)
    kept.before("delete_tournament")
    say(home, "deleted")

    waiting = list_unpacked_copies(home)
    kept.look()

    assert [copy.reason for copy in waiting] == [BackupReason.DELETION]
    assert reasons(home) == [BackupReason.DELETION]
    assert (home.backups / name).is_dir()


def test_large_wal_is_moved_into_the_file(
    kept: BackupKeeper, home: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    renew_mark(home)
    before = read_mark(home.database)
    say(home, "second")
    monkeypatch.setattr(keeper, "LARGE_WAL", 0)

    kept.look()

    assert read_mark(home.database) != before
    assert read_noted_marks(home) == [read_mark(home.database)]


@pytest.fixture
def heard() -> Iterator[list[str]]:
    """What listeners hear of before and after the operations."""
    heard: list[str] = []

    def before(verb: str, **_sent: object) -> None:
        heard.append(verb)

    def after(**_sent: object) -> None:
        heard.append("round closed")

    irreversible_step.connect(before)
    round_closed.connect(after)
    yield heard
    irreversible_step.disconnect(before)
    round_closed.disconnect(after)


@pytest.mark.django_db(transaction=True)
def test_operations_say_what_is_hard_to_take_back(heard: list[str]) -> None:
    division = factories.event(players=4)
    cup = division.tournament
    made = factories.played(division)
    close_round(made, actor=factories.director())
    newest, older = JournalEntry.objects.filter(tournament=cup).order_by("-number")[:2]
    cup.refresh_from_db()
    undo_journal_entry(newest, actor=factories.director())
    after_newest = list(heard)
    undo_journal_entry(older, actor=factories.director())
    update_register(people=[Person("Neu, Nora")], actor=factories.director())
    delete_tournament(cup, typed_name=cup.name, actor=factories.director())

    assert after_newest == ["round closed"]
    assert heard == ["round closed", "undo", "update_register", "delete_tournament"]
