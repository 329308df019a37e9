"""Photos attached and deleted: row and file stay consistent."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from games.models import Photo
from games.photos import attach_photos, delete_photo
from tests import factories
from tests.games.photos import samples
from tests.refusals import refuses
from tournament.archive.replaying import find_journal_differences
from tournament.basics.pictures import PhotoNotStored, SentFile, get_upload_path, store_file
from tournament.basics.refusals import Refusals
from tournament.core.change import RowDeleted
from tournament.events.operations import delete_tournament
from tournament.models import Division, JournalEntry, Pairing, Tournament
from tournament.results.operations import RoundNotPublished


def sent(name: str = "IMG_1.jpg", **options: Any) -> SentFile:
    return samples.sent(name, samples.picture(**options))


def files(uploads: Path) -> list[str]:
    return sorted(path.name for path in uploads.glob("*"))


def test_photo_is_a_file_of_a_name_of_ours_and_a_row(tables: list[Pairing], cup: Tournament, uploads: Path) -> None:
    [made] = attach_photos(tables[0], sent=[sent("../../etc/passwd")], actor=factories.director())

    content = (uploads / made.name).read_bytes()
    assert files(uploads) == [made.name]
    assert made.name.endswith(".jpg")
    assert "passwd" not in made.name
    assert (made.size, made.sha256) == (len(content), hashlib.sha256(content).hexdigest())
    assert (made.by_name, made.content_type, made.width, made.height) == ("doris", "image/jpeg", 60, 40)
    assert JournalEntry.objects.filter(tournament=cup).latest("number").details["count"] == 1


def test_same_picture_is_attached_once(tables: list[Pairing], uploads: Path) -> None:
    attach_photos(tables[0], sent=[sent()], actor=factories.director())

    again = attach_photos(tables[0], sent=[sent("other name.jpg"), sent()], actor=factories.director())

    assert again == []
    assert len(files(uploads)) == 1


def test_one_bad_file_keeps_all_out(tables: list[Pairing], uploads: Path) -> None:
    with pytest.raises(Refusals) as refused:
        attach_photos(
            tables[0],
            sent=[sent(), samples.sent("a.jpg", samples.TEXT), samples.sent("b.jpg", b"")],
            actor=factories.director(),
        )

    assert [each.code for each in refused.value.refusals] == ["photo_unknown", "photo_empty"]
    assert not Photo.objects.exists()
    assert files(uploads) == []


def test_ten_photos_are_the_most(tables: list[Pairing], uploads: Path) -> None:
    ten = [sent(size=(60 + number, 40)) for number in range(10)]
    attach_photos(tables[0], sent=ten, actor=factories.director())

    with refuses("too_many_photos"):
        attach_photos(tables[0], sent=[sent(size=(99, 99))], actor=factories.director())

    assert len(files(uploads)) == 10


def test_nothing_sent(tables: list[Pairing]) -> None:
    with refuses("no_photo"):
        attach_photos(tables[0], sent=[], actor=factories.director())


def test_full_disk_is_said_and_leaves_no_row(tables: list[Pairing], settings: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    settings.DATA_DIR = tmp_path / "file"

    with pytest.raises(PhotoNotStored):
        attach_photos(tables[0], sent=[sent()], actor=factories.director())

    assert not Photo.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_deleted_photo_goes_from_disk_when_that_is_certain(
    tables: list[Pairing], cup: Tournament, uploads: Path
) -> None:
    [made] = attach_photos(tables[0], sent=[sent()], actor=factories.director())

    with transaction.atomic():
        delete_photo(made, actor=factories.director())
        assert files(uploads) == [made.name]

    assert files(uploads) == []
    assert JournalEntry.objects.filter(tournament=cup).latest("number").verb == "delete_photo"
    assert [fault for fault in find_journal_differences(cup) if fault.startswith("photo")] == []
    with pytest.raises(RowDeleted):
        delete_photo(Photo(pk=made.pk, pairing=tables[0]), actor=factories.director())


@pytest.mark.django_db(transaction=True)
def test_photo_stays_if_deleting_fails(tables: list[Pairing], uploads: Path) -> None:
    [made] = attach_photos(tables[0], sent=[sent()], actor=factories.director())

    def fail() -> None:
        with transaction.atomic():
            delete_photo(made, actor=factories.director())
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()

    assert Photo.objects.exists()
    assert files(uploads) == [made.name]


@pytest.mark.django_db(transaction=True)
def test_photos_go_with_their_tournament(tables: list[Pairing], cup: Tournament, uploads: Path) -> None:
    attach_photos(tables[0], sent=[sent()], actor=factories.director())

    delete_tournament(cup, typed_name=cup.name, actor=factories.director())

    assert files(uploads) == []


def test_name_that_leads_out_of_the_folder_is_none() -> None:
    with pytest.raises(ValueError, match="not a name"):
        get_upload_path("../tso.sqlite3")


def test_file_that_cannot_be_finished_leaves_nothing(uploads: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", broken)

    with pytest.raises(OSError, match="No space"):
        store_file(b"picture")

    assert files(uploads) == []


def test_draft_has_no_photos(division: Division, uploads: Path) -> None:
    pairing = factories.draft(division).pairings.select_related("round__division__tournament").first()
    assert pairing is not None

    with pytest.raises(RoundNotPublished):
        attach_photos(pairing, sent=[sent()], actor=factories.director())

    assert files(uploads) == []
