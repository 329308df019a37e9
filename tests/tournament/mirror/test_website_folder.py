"""The website in a folder: whole or not at all, only what changed, and never somebody else's files."""

import errno
import json
import os
import shutil
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.refusals import refuses
from tournament.basics.refusals import Refusal
from tournament.mirror import website_folder
from tournament.mirror.operations import MANIFEST_NAME, FolderMissing, set_website_folder
from tournament.mirror.website_folder import WRITING_NAME, FolderFollower, write_website_folder
from tournament.models import Division, Pairing, Round, Tournament, WebsiteFolder
from tournament.results.operations import withdraw_result

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    division = factories.event(players=4)
    factories.played(division)
    factories.published(division)
    return division


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "web"
    made.mkdir()
    return made


@pytest.fixture(scope="module")
def folder_of_module(division_of_module: Division, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The website written once, to be copied, not used."""
    folder = tmp_path_factory.mktemp("written") / "web"
    folder.mkdir()
    cache.clear()  # else a page of an event before, whose rows had the same numbers
    write_website_folder(now(division_of_module), folder)
    return folder


@pytest.fixture
def written_folder(folder_of_module: Path, tmp_path: Path) -> Path:
    return shutil.copytree(folder_of_module, tmp_path / "web")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def now(division: Division) -> Tournament:
    return Tournament.objects.select_related("organiser").get(pk=division.tournament_id)


@pytest.mark.long
def test_only_what_changed_is_written_and_nothing_stays_of_a_hidden_event(division: Division, folder: Path) -> None:
    first = write_website_folder(now(division), folder)
    before = contents(folder)
    again = write_website_folder(now(division), folder)
    factories.result(Round.objects.get(division=division, number=2), 1, 444, 333)
    later = write_website_folder(now(division), folder)
    after = contents(folder)
    Tournament.objects.update(is_public=False)
    write_website_folder(now(division), folder)
    left_of_hidden_event = contents(folder)

    assert first.written == first.files == len(before) - 1
    assert (again.written, again.removed) == (0, 0)
    assert 0 < later.written < later.files
    assert b"444" in b"".join(after.values())
    assert [name for name in after if name.endswith(".new")] == []
    assert after.keys() >= {"index.html", MANIFEST_NAME}
    assert left_of_hidden_event.keys() == {MANIFEST_NAME}


def test_folder_with_other_files_is_left_alone(division: Division, folder: Path) -> None:
    (folder / "brief.txt").write_text("Liebe Oma")

    with refuses("folder_filled"):
        write_website_folder(now(division), folder)
    assert contents(folder) == {"brief.txt": b"Liebe Oma"}


@pytest.mark.long
def test_list_of_files_that_leads_elsewhere_removes_nothing_there(division: Division, folder: Path) -> None:
    outside = folder.parent / "outside.txt"
    outside.write_text("x")
    (folder / MANIFEST_NAME).write_text(json.dumps({"../outside.txt": "x", str(outside): "x"}))

    write_website_folder(now(division), folder)

    assert outside.exists()


@pytest.mark.parametrize("path", ["", "web", "/no/such/folder"])
def test_folder_that_is_none_is_refused(path: str, division: Division) -> None:
    with pytest.raises(FolderMissing):
        set_website_folder(division.tournament, path=path)


@pytest.mark.long
def test_vanished_folder_is_told_and_tried_again(division: Division, folder: Path) -> None:
    row = WebsiteFolder.objects.create(tournament=now(division), path=str(folder))
    follower = FolderFollower()
    follower.look(row)
    for each in sorted(folder.rglob("*"), reverse=True):
        each.rmdir() if each.is_dir() else each.unlink()
    folder.rmdir()
    follower.next_at = 0
    follower.look(row)
    told, waits = follower.fault, follower.waits
    folder.mkdir()
    follower.next_at = 0
    follower.look(row)

    assert isinstance(told, FolderMissing)
    assert waits > 0
    assert follower.fault is None
    assert (folder / "index.html").exists()


@pytest.mark.long
def test_full_folder_is_told_and_the_old_page_stays(
    division: Division, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_website_folder(now(division), folder)
    before = contents(folder)
    factories.result(Round.objects.get(division=division, number=2), 1, 444, 333)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("tournament.mirror.website_folder.os.fsync", full)

    with pytest.raises(Refusal) as refused:
        write_website_folder(now(division), folder)
    kept = {name: content for name, content in contents(folder).items() if not name.endswith((".new", WRITING_NAME))}
    assert refused.value.code == "disk_full"
    assert kept == before


@pytest.mark.long
@pytest.mark.parametrize("files", [0, 1, 5])
def test_program_that_is_cut_off_leaves_nothing_wrong(
    files: int, division: Division, written_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result comes, the program is cut off after some files, and the result is taken back."""
    folder = written_folder
    before = contents(folder)
    factories.result(Round.objects.get(division=division, number=2), 1, 444, 333)
    with monkeypatch.context() as patched:
        cut_off_after(2 * files + 1, patched)
        with pytest.raises(SystemExit):
            write_website_folder(now(division), folder)
    cut = contents(folder)
    withdraw_result(Pairing.objects.get(round__division=division, round__number=2, table=1), actor=factories.director())

    write_website_folder(now(division), folder)
    after = contents(folder)

    assert cut.keys() != before.keys()
    assert [name for name, file in after.items() if name.endswith(".html") and b"444" in file] == []
    assert after.keys() == before.keys()


def cut_off_after(syncs: int, patched: pytest.MonkeyPatch) -> None:
    """End the program when it has asked so often that something is on the disk: twice for each file."""
    left, real = iter(range(syncs)), os.fsync

    def sync(handle: int) -> None:
        if next(left, None) is None:
            raise SystemExit
        real(handle)

    patched.setattr("tournament.mirror.website_folder.os.fsync", sync)


def test_file_that_was_being_made_goes_if_it_is_wanted_no_more(
    division: Division, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        cut_off_after(7, patched)
        with pytest.raises(SystemExit):
            write_website_folder(now(division), folder)
    begun = contents(folder)
    Tournament.objects.update(is_public=False)

    write_website_folder(now(division), folder)

    assert len(begun) > 2
    assert contents(folder).keys() == {MANIFEST_NAME}


@pytest.mark.long
def test_command_writes_the_folder(division: Division, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("website", division.tournament.slug, str(folder))

    assert "0 " in capsys.readouterr().out
    assert (folder / "index.html").exists()


def test_director_chooses_pauses_and_ends(division: Division, folder: Path, client: Client) -> None:
    factories.sign_in(client)
    slug = division.tournament.slug
    act = reverse("director:mirror_act", args=[slug])

    client.post(reverse("director:website_folder", args=[slug]), {"path": str(folder)})
    chosen = WebsiteFolder.objects.get()
    client.post(act, {"act": "folder_pause"})
    paused = WebsiteFolder.objects.get().is_paused
    client.post(act, {"act": "folder_resume"})
    resumed = not WebsiteFolder.objects.get().is_paused
    page = client.get(reverse("director:mirror", args=[slug])).content.decode()
    client.post(act, {"act": "folder_end"})

    assert (chosen.path, paused, resumed) == (str(folder), True, True)
    assert str(folder) in page
    assert not WebsiteFolder.objects.exists()


@pytest.mark.long
def test_command_follows_until_it_is_stopped(
    division: Division, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter(range(3))

    def enter_a_result_then_stop(_seconds: float) -> None:
        if next(looks) == 1:
            raise KeyboardInterrupt
        factories.result(Round.objects.get(division=division, number=2), 1, 444, 333)

    monkeypatch.setattr(website_folder, "EVERY_SECONDS", 0.0)
    monkeypatch.setattr(website_folder, "SHARE", 0)
    monkeypatch.setattr("tournament.management.commands.website.sleep", enter_a_result_then_stop)

    call_command("website", division.tournament.slug, str(folder), follow=True)

    assert b"444" in b"".join(contents(folder).values())
    assert len(capsys.readouterr().out.splitlines()) == 3
