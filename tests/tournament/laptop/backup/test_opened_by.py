"""Data of a newer version are told, with the way back; data of an older one are saved first."""

from pathlib import Path

import pytest
from django.db import OperationalError

from config.sqlite.base import DatabaseWrapper
from tests.tournament.laptop.backup.conftest import Check
from tournament.laptop import version
from tournament.laptop.backup import files, making, opened_by, places, reading
from tournament.laptop.backup.places import Installation
from tournament.laptop.backup.values import BackupReason

OWN = version.version()


def worked_by(home: Installation, noted: str) -> None:
    """Somebody has worked with the data in another version."""
    files.write_json(home.version, {"version": noted})


@pytest.mark.parametrize(
    ("noted", "figures"), [("1.0", (1, 0)), ("1.10.3", (1, 10)), ("2.0", (2, 0)), ("", (0, 0)), ("soon", (0, 0))]
)
def test_two_figures_of_a_version_count(noted: str, figures: tuple[int, int]) -> None:
    assert version.figures(noted) == figures


@pytest.mark.parametrize("noted", ["", "0.9", OWN, f"{OWN}.7", "no version"])
def test_data_of_this_version_or_an_older_one_are_taken(home: Installation, noted: str) -> None:
    worked_by(home, noted)

    opened_by.require_not_newer(home)


def test_data_of_a_newer_version_are_told_with_the_last_backup_that_can_be_read(
    home: Installation, fine: Check
) -> None:
    worked_by(home, OWN)
    made = making.make(home, BackupReason.MIGRATION, check=fine)
    worked_by(home, "99.1")
    assert made is not None
    assert making.make(home, BackupReason.MIGRATION, check=fine) is not None

    with pytest.raises(opened_by.DataNewer) as refusal:
        opened_by.require_not_newer(home)

    assert "99.1" in str(refusal.value)
    assert f"restore {made.path}" in str(refusal.value)


def test_without_a_backup_that_can_be_read_this_is_said(home: Installation) -> None:
    worked_by(home, "99.1")

    with pytest.raises(opened_by.DataNewer, match=str(home.backups)):
        opened_by.require_not_newer(home)


def test_no_process_opens_the_database_of_a_newer_version(home: Installation) -> None:
    worked_by(home, "99.1")
    database = DatabaseWrapper({"NAME": home.database, "OPTIONS": {}})

    with pytest.raises(OperationalError, match=r"99\.1"):
        database.get_new_connection({"database": home.database})


def test_backup_of_a_newer_version_is_not_restored(home: Installation, fine: Check) -> None:
    worked_by(home, "99.1")
    made = making.make(home, BackupReason.MIGRATION, check=fine)

    assert made is not None
    with pytest.raises(reading.MadeByNewer, match=r"99\.1"):
        reading.require_known(made.path, made.manifest)


def test_what_is_noted_is_found_again(home: Installation) -> None:
    worked_by(home, "0.9")
    assert opened_by.is_older(home)

    opened_by.note(home)

    assert places.last_version(home) == OWN
    assert not opened_by.is_older(home)


def test_damaged_note_says_nothing(home: Installation) -> None:
    Path(home.version).write_text("{")

    assert places.last_version(home) == ""
