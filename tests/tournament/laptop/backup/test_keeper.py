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
from tests.tournament.laptop.backup.conftest import Check, say
from tournament import precautions
from tournament.laptop.backup import copying, files, health, keeper, marking, patience, places, second_place, state
from tournament.laptop.backup.keeper import Keeper
from tournament.laptop.backup.places import Installation
from tournament.laptop.backup.values import BackupReason
from tournament.models import JournalEntry
from tournament.operations import rounds, tournaments, undo
from tournament.refusals import Refusal


@pytest.fixture
def told() -> list[Refusal]:
    return []


@pytest.fixture
def kept(home: Installation, fine: Check, told: list[Refusal]) -> Iterator[Keeper]:
    """A keeper that looks when the test says so, and watches the database."""
    made = Keeper(home, check=fine, tell=told.append)
    with closing(sqlite3.connect(f"{home.database.as_uri()}?mode=ro", uri=True)) as made._watch:
        made._seen = made._version()
        yield made


def reasons(home: Installation) -> list[BackupReason]:
    return [name.reason for name in reversed(places.listed(home.backups))]


def test_nothing_new_makes_no_backup(kept: Keeper, home: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "EVERY_SECONDS", 0)

    kept.look()

    assert reasons(home) == []


def test_change_is_saved_when_its_time_has_come(
    kept: Keeper, home: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(home, "second")
    kept.look()
    early = reasons(home)
    monkeypatch.setattr(keeper, "EVERY_SECONDS", 0)
    kept.look()
    kept.look()

    assert (early, reasons(home)) == ([], [BackupReason.SCHEDULE])


def test_unsaved_change_grows_old(kept: Keeper, home: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    say(home, "second")
    kept.look()
    young = kept.status().is_old
    monkeypatch.setattr(keeper, "OLD_SECONDS", -1)

    assert (young, kept.status().is_old, kept.status().warns) == (False, True, True)


def test_round_closed_is_saved_at_once(kept: Keeper, home: Installation) -> None:
    say(home, "second")
    kept.after_round()
    kept.look()

    assert reasons(home) == [BackupReason.ROUND_CLOSED]


def test_hard_step_is_saved_as_it_was_before(kept: Keeper, home: Installation) -> None:
    kept.before("delete_tournament")
    say(home, "deleted")
    kept.look()

    (name,) = places.listed(home.backups)
    assert name.reason is BackupReason.DELETION
    assert list(copying.waiting(home)) == []


@pytest.mark.parametrize("verb", sorted(precautions.HARD_STEPS | precautions.TAKEN_BACK))
def test_every_hard_step_is_saved_before(verb: str, kept: Keeper, home: Installation) -> None:
    precautions.hard_step.connect(kept.before)

    heard = precautions.hard_step.send_robust(sender=None, verb=verb)
    precautions.hard_step.disconnect(kept.before)

    assert [fault for _listener, fault in heard if fault] == []
    assert len(list(copying.waiting(home))) == 1


def test_full_disk_is_told_once_and_stops_nothing(
    kept: Keeper, home: Installation, told: list[Refusal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "RESERVE", 1 << 60)

    for _time in range(3):
        kept.before("delete_tournament")

    assert [type(refusal) for refusal in told] == [files.NoRoom]
    assert kept.status().warns
    monkeypatch.setattr(files, "RESERVE", 0)
    kept.save(BackupReason.BY_HAND)
    assert not kept.status().warns


def test_faulty_data_are_told(home: Installation, faulty: Check, told: list[Refusal]) -> None:
    kept = Keeper(home, check=faulty, tell=told.append)

    kept.save(BackupReason.SCHEDULE)

    assert [refusal.code for refusal in told] == ["data_faulty"]
    assert kept.status().last is None


def test_second_place_comes_back(kept: Keeper, home: Installation, told: list[Refusal], tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    second_place.prepare(home, stick)
    state.name_second_place(home, stick)
    stick.rename(tmp_path / "pocket")

    kept.save(BackupReason.BY_HAND)
    kept.look()
    kept.look()
    gone = kept.status().place_fault
    (tmp_path / "pocket").rename(stick)
    kept.look()

    assert isinstance(gone, second_place.PlaceGone)
    assert [type(refusal) for refusal in told] == [second_place.PlaceGone]
    assert kept.status().place_fault is None
    assert places.last_good(stick) == places.last_good(home.backups)


@pytest.fixture
def stuck(home: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A second place where whatever is copied comes to a standstill until the event is set."""
    stick = tmp_path / "share"
    stick.mkdir()
    second_place.prepare(home, stick)
    state.name_second_place(home, stick)
    answers, copy = threading.Event(), shutil.copyfile

    def hanging(source: Path, target: Path, **options: Any) -> None:
        if target.is_relative_to(stick):
            answers.wait()
        copy(source, target, **options)

    monkeypatch.setattr(shutil, "copyfile", hanging)
    monkeypatch.setattr(patience, "SECONDS", 0.05)
    yield answers
    answers.set()
    arrived()


def arrived() -> None:
    """Wait for what is under way to the second place."""
    for thread in threading.enumerate():
        if thread.name == "second place":
            thread.join()


def test_share_that_does_not_answer_keeps_no_backup_waiting(
    stuck: threading.Event,
    kept: Keeper,
    home: Installation,
    told: list[Refusal],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept.save(BackupReason.BY_HAND)
    say(home, "second")
    kept.save(BackupReason.SCHEDULE)
    there = places.listed(tmp_path / "share")
    slow = kept.status()

    monkeypatch.setattr(patience, "SECONDS", None)
    stuck.set()
    arrived()
    kept.look()

    assert reasons(home) == [BackupReason.BY_HAND, BackupReason.SCHEDULE]
    assert (there, slow.warns) == ([], True)
    assert isinstance(slow.place_fault, patience.PlaceSlow)
    assert [type(refusal) for refusal in told] == [patience.PlaceSlow]
    assert kept.status().place_fault is None
    assert places.last_good(tmp_path / "share") == places.last_good(home.backups)


def test_share_that_does_not_answer_keeps_nobody_from_being_told(
    stuck: threading.Event, kept: Keeper, home: Installation
) -> None:
    kept.save(BackupReason.BY_HAND)

    assert health.last_good(home) == (home.backups / str(kept.status().last), kept.status().last)
    with pytest.raises(second_place.PlaceSilent):
        second_place.prepare(home, Path(state.load(home).second_place))


def test_half_copies_of_a_stick_that_was_taken_out_go(kept: Keeper, home: Installation, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    second_place.prepare(home, stick)
    state.name_second_place(home, stick)
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
def test_folder_that_somebody_made_among_the_backups_is_left_alone(name: str, kept: Keeper, home: Installation) -> None:
    (home.backups / name).mkdir(parents=True)
    kept.before("delete_tournament")
    say(home, "deleted")

    waiting = copying.waiting(home)
    kept.look()

    assert [copy.reason for copy in waiting] == [BackupReason.DELETION]
    assert reasons(home) == [BackupReason.DELETION]
    assert (home.backups / name).is_dir()


def test_large_wal_is_moved_into_the_file(kept: Keeper, home: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    marking.renew(home)
    before = marking.mark_of(home.database)
    say(home, "second")
    monkeypatch.setattr(marking, "LARGE_WAL", 0)

    kept.look()

    assert marking.mark_of(home.database) != before
    assert marking.noted_marks(home) == [marking.mark_of(home.database)]


@pytest.fixture
def heard() -> Iterator[list[str]]:
    """What listeners hear of before and after the operations."""
    heard: list[str] = []

    def before(verb: str, **_sent: object) -> None:
        heard.append(verb)

    def after(**_sent: object) -> None:
        heard.append("round closed")

    precautions.hard_step.connect(before)
    precautions.round_closed.connect(after)
    yield heard
    precautions.hard_step.disconnect(before)
    precautions.round_closed.disconnect(after)


@pytest.mark.django_db(transaction=True)
def test_operations_say_what_is_hard_to_take_back(heard: list[str]) -> None:
    division = factories.event(players=4)
    cup = division.tournament
    made = factories.played(division)
    rounds.close_round(made, actor=factories.director())
    newest, older = JournalEntry.objects.filter(tournament=cup).order_by("-number")[:2]
    cup.refresh_from_db()
    undo.undo(newest, actor=factories.director())
    after_newest = list(heard)
    undo.undo(older, actor=factories.director())
    tournaments.delete_tournament(cup, typed_name=cup.name, actor=factories.director())

    assert after_newest == ["round closed"]
    assert heard == ["round closed", "undo", "delete_tournament"]
