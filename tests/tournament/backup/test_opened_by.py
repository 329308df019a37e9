"""Data of a newer version are told, with the way back; data of an older one are saved first."""

from pathlib import Path

import pytest
from django.db import OperationalError

from config.sqlite.base import DatabaseWrapper
from tests.tournament.backup.conftest import Check
from tournament.backup.files import write_json
from tournament.backup.health import DataNewer, is_data_older, require_data_not_newer, save_data_version
from tournament.backup.making import make_backup
from tournament.backup.places import BackupReason, Installation, read_data_version
from tournament.backup.restoring import BackupFileRefusal, require_known_version
from tournament.basics.version import get_version, parse_version

OWN = get_version()


def worked_by(home: Installation, noted: str) -> None:
    """Somebody has worked with the data in another version."""
    write_json(home.version, {"version": noted})


@pytest.mark.parametrize(
    ("noted", "figures"), [("1.0", (1, 0)), ("1.10.3", (1, 10)), ("2.0", (2, 0)), ("", (0, 0)), ("soon", (0, 0))]
)
def test_two_figures_of_a_version_count(noted: str, figures: tuple[int, int]) -> None:
    assert parse_version(noted) == figures


@pytest.mark.parametrize("noted", ["", "0.9", OWN, f"{OWN}.7", "no version"])
def test_data_of_this_version_or_an_older_one_are_taken(home: Installation, noted: str) -> None:
    worked_by(home, noted)

    require_data_not_newer(home)


def test_data_of_a_newer_version_are_told_with_the_last_backup_that_can_be_read(
    home: Installation, fine: Check
) -> None:
    worked_by(home, OWN)
    made = make_backup(home, BackupReason.MIGRATION, check=fine)
    worked_by(home, "99.1")
    assert made is not None
    assert make_backup(home, BackupReason.MIGRATION, check=fine) is not None

    with pytest.raises(DataNewer) as refusal:
        require_data_not_newer(home)

    assert "99.1" in str(refusal.value)
    assert f"restore {made.path}" in str(refusal.value)


def test_without_a_backup_that_can_be_read_this_is_said(home: Installation) -> None:
    worked_by(home, "99.1")

    with pytest.raises(DataNewer, match=str(home.backups)):
        require_data_not_newer(home)


def test_no_process_opens_the_database_of_a_newer_version(home: Installation) -> None:
    worked_by(home, "99.1")
    database = DatabaseWrapper({"NAME": home.database, "OPTIONS": {}})

    with pytest.raises(OperationalError, match=r"99\.1"):
        database.get_new_connection({"database": home.database})


def test_backup_of_a_newer_version_is_not_restored(home: Installation, fine: Check) -> None:
    worked_by(home, "99.1")
    made = make_backup(home, BackupReason.MIGRATION, check=fine)

    assert made is not None
    with pytest.raises(BackupFileRefusal, match=r"99\.1"):
        require_known_version(made.path, made.manifest)


def test_what_is_noted_is_found_again(home: Installation) -> None:
    worked_by(home, "0.9")
    assert is_data_older(home)

    save_data_version(home)

    assert read_data_version(home) == OWN
    assert not is_data_older(home)


def test_damaged_note_says_nothing(home: Installation) -> None:
    Path(home.version).write_text("{")

    assert read_data_version(home) == ""
