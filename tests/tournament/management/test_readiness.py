"""What `start` sees to before anybody is served."""

import stat
from pathlib import Path
from typing import Any

import pytest

from tests import factories
from tests.tournament.laptop.backup.conftest import make_installation
from tournament.laptop.backup import copying, files, health, opened_by
from tournament.laptop.backup.places import Installation
from tournament.management import base, readiness
from tournament.models import Portrait
from tournament.pictures import files as pictures
from tournament.queries import installation
from tournament.words import backups as words


def test_data_folder_is_its_owners_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    readiness.make_private(tmp_path)

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


def test_folder_that_everybody_shares_is_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)

    readiness.make_private(tmp_path)

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777


@pytest.mark.django_db
def test_full_disk_stops_no_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, told = make_installation(tmp_path / "data"), list[str]()
    monkeypatch.setattr(files, "RESERVE", 1 << 60)

    readiness.save_first(home, told.append)

    assert len(told) == 1
    assert str(home.backups) in told[0]


@pytest.mark.django_db
def test_full_disk_stops_a_new_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_installation(tmp_path / "data")
    monkeypatch.setattr(files, "RESERVE", 1 << 60)
    monkeypatch.setattr(base, "is_outdated", lambda: True)

    with pytest.raises(files.NoRoom):
        readiness.save_first(home, print)

    assert copying.waiting(home) == []


def test_nothing_is_saved_of_a_new_folder(tmp_path: Path) -> None:
    home = Installation(tmp_path)

    readiness.save_first(home, print)

    assert list(tmp_path.iterdir()) == []


def test_folder_that_takes_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(files.NotKept) as refusal:
        files.require_writable(tmp_path / "missing")

    assert str(tmp_path / "missing") in str(refusal.value)


@pytest.mark.django_db
def test_newer_database_is_refused() -> None:
    with pytest.raises(opened_by.DataNewer) as refusal:
        base.require_known([("tournament", "0001_initial"), ("tournament", "0099_later")])

    assert "tournament.0099_later" in str(refusal.value)


@pytest.mark.django_db
def test_photos_whose_files_are_gone_are_counted(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    folder = pictures.folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "there.jpg").write_bytes(b"a photo")
    picture = {"content_type": "image/jpeg", "size": 7, "width": 1, "height": 1, "sha256": "0" * 64}
    for name, entry in zip(("there.jpg", "gone.jpg"), factories.event().entries.all(), strict=False):
        Portrait.objects.create(entry=entry, name=name, **picture)

    assert installation.files_gone() == 1
    assert str(tmp_path / "uploads") in words.files_gone(1, tmp_path)


def test_no_new_database_is_made_beside_data_that_have_lost_theirs(tmp_path: Path) -> None:
    home = make_installation(tmp_path / "data")
    home.database.unlink()

    with pytest.raises(health.DatabaseMissing):
        health.require_there(home)

    health.require_there(Installation(tmp_path / "new"))
