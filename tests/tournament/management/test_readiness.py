"""What `start` sees to before anybody is served."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tests import factories
from tests.refusals import refuses
from tests.terminal import Terminal
from tests.tournament.backup.conftest import make_installation
from tournament.backup import files
from tournament.backup.database import count_lost_photos
from tournament.backup.files import FolderUnusable, require_writable_folder
from tournament.backup.health import DatabaseMissing, DataNewer, require_database
from tournament.backup.making import list_unpacked_copies
from tournament.backup.places import Installation
from tournament.backup.words import describe_lost_photos
from tournament.basics.pictures import get_uploads_folder
from tournament.management.base import is_database_outdated, protect_data_folder
from tournament.management.commands.start import back_up_before_start
from tournament.models import Portrait


def test_data_folder_is_its_owners_alone(tmp_path: Path) -> None:
    home, told = make_installation(tmp_path / "data"), list[str]()
    home.data.chmod(0o755)

    protect_data_folder(home, told.append)
    protect_data_folder(home, told.append)

    assert stat.S_IMODE(home.data.stat().st_mode) == 0o700
    assert len(told) == 1
    assert str(home.data) in told[0]


def test_new_data_folder_is_closed_without_a_word(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    protect_data_folder(Installation(tmp_path), pytest.fail)

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give a folder away")
def test_folder_of_somebody_else_is_left_to_its_owner(tmp_path: Path) -> None:
    home, told = make_installation(tmp_path / "data"), list[str]()
    home.data.chmod(0o755)
    os.chown(home.data, 65534, 65534)

    protect_data_folder(home, told.append)

    assert stat.S_IMODE(home.data.stat().st_mode) == 0o755
    assert f"chmod 700 {home.data}" in told[0]


@pytest.mark.long
def test_command_closes_the_data_folder_too(used_folder: Path) -> None:
    used_folder.chmod(0o755)

    with Terminal(used_folder) as terminal:
        done = terminal.run("check_data")

    assert done.returncode == 0
    assert "was open to other users" in done.stderr
    assert stat.S_IMODE(used_folder.stat().st_mode) == 0o700


def test_folder_that_everybody_shares_is_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)

    protect_data_folder(Installation(tmp_path), pytest.fail)

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777


@pytest.mark.django_db
def test_full_disk_stops_no_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, told = make_installation(tmp_path / "data"), list[str]()
    monkeypatch.setattr(files, "RESERVE", 1 << 60)

    back_up_before_start(home, told.append)

    assert len(told) == 1
    assert str(home.backups) in told[0]


@pytest.mark.django_db
def test_full_disk_stops_a_new_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_installation(tmp_path / "data")
    monkeypatch.setattr(files, "RESERVE", 1 << 60)
    MigrationRecorder.Migration.objects.filter(app="games").delete()

    with refuses("no_room"):
        back_up_before_start(home, print)

    assert list_unpacked_copies(home) == []


def test_nothing_is_saved_of_a_new_folder(tmp_path: Path) -> None:
    home = Installation(tmp_path)

    back_up_before_start(home, print)

    assert list(tmp_path.iterdir()) == []


def test_folder_that_takes_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(FolderUnusable) as refusal:
        require_writable_folder(tmp_path / "missing")

    assert str(tmp_path / "missing") in str(refusal.value)


@pytest.mark.django_db
def test_newer_database_is_refused() -> None:
    MigrationRecorder(connection).record_applied("tournament", "0099_later")

    with pytest.raises(DataNewer) as refusal:
        is_database_outdated()

    assert "tournament.0099_later" in str(refusal.value)


@pytest.mark.django_db
def test_photos_whose_files_are_gone_are_counted(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    folder = get_uploads_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "there.jpg").write_bytes(b"a photo")
    picture = {"content_type": "image/jpeg", "size": 7, "width": 1, "height": 1, "sha256": "0" * 64}
    for name, entry in zip(("there.jpg", "gone.jpg"), factories.event().entries.all(), strict=False):
        Portrait.objects.create(entry=entry, name=name, **picture)

    assert count_lost_photos() == 1
    assert count_lost_photos(thoroughly=True) == 2  # the other one is not what was saved
    assert str(tmp_path / "uploads") in describe_lost_photos(1, tmp_path)


def test_no_new_database_is_made_beside_data_that_have_lost_theirs(tmp_path: Path) -> None:
    home = make_installation(tmp_path / "data")
    home.database.unlink()

    with pytest.raises(DatabaseMissing):
        require_database(home)

    require_database(Installation(tmp_path / "new"))
