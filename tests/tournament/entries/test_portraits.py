"""Photos of players: file and row stay consistent, and both go when somebody asks for it."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests import factories
from tests.games import archives
from tests.games.photos import samples
from tests.refusals import refuses
from tournament.archive.carrying import import_archive
from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import find_journal_differences
from tournament.basics.pictures import remove_upload
from tournament.basics.refusals import Refusals
from tournament.core.change import TERMINAL_ACTOR
from tournament.entries.operations.entries import give_portrait, remove_entry, remove_portrait
from tournament.events.operations import copy_tournament, delete_tournament
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.tournament_file import format_tournament_file
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Entry, JournalEntry, Portrait, Tournament
from tournament.registration.forgetting import forget_player

DORIS = factories.director


@pytest.fixture(autouse=True)
def uploads(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "uploads"


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Tournament:
    return factories.event(players=3, rounds=0).tournament


def anna(cup: Tournament) -> Entry:
    return Entry.objects.select_related("tournament", "division", "player").filter(tournament=cup).order_by("pk")[0]


def kept(uploads: Path) -> list[str]:
    return sorted(path.name for path in uploads.glob("*"))


def test_photo_is_kept_small_and_without_what_is_hidden(cup: Tournament, uploads: Path) -> None:
    large = samples.picture(size=(2000, 3000))
    made = give_portrait(anna(cup), sent=samples.sent("anna.jpg", large), actor=DORIS())
    other = Entry.objects.filter(tournament=cup).order_by("pk")[1]
    hidden = give_portrait(other, sent=samples.sent("ben.jpg", samples.from_phone()), actor=DORIS())

    assert kept(uploads) == sorted([made.name, hidden.name])
    with Image.open(uploads / made.name) as picture:
        assert picture.size == (made.width, made.height) == (800, 1200)
    assert b"Secret" not in (uploads / hidden.name).read_bytes()
    assert find_journal_differences(cup) == []


def test_copied_event_has_photos_of_its_own(
    cup: Tournament, uploads: Path, django_capture_on_commit_callbacks: Any
) -> None:
    here, gone = list(Entry.objects.select_related("tournament", "player").filter(tournament=cup).order_by("pk")[:2])
    kept_here = give_portrait(here, sent=samples.sent(), actor=DORIS())
    remove_upload(give_portrait(gone, sent=samples.sent(), actor=DORIS()).name)

    copied = copy_tournament(cup, name="Noch einmal", with_entries=True, actor=DORIS())
    with django_capture_on_commit_callbacks(execute=True):
        remove_portrait(here, actor=DORIS())

    (portrait,) = Portrait.objects.filter(entry__tournament=copied)
    assert (portrait.entry.player_id, portrait.sha256) == (here.player_id, kept_here.sha256)
    assert kept(uploads) == [portrait.name] != [kept_here.name]
    assert find_journal_differences(copied) == []
    assert not Portrait.objects.filter(entry__tournament=copy_tournament(cup, name="Ohne", actor=DORIS())).exists()


def test_second_photo_replaces_the_first(
    cup: Tournament, uploads: Path, django_capture_on_commit_callbacks: Any
) -> None:
    give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())
    with django_capture_on_commit_callbacks(execute=True):
        second = give_portrait(anna(cup), sent=samples.sent(content=samples.picture("PNG")), actor=DORIS())

    assert list(Portrait.objects.all()) == [second]
    assert kept(uploads) == [second.name]
    assert find_journal_differences(cup) == []


def test_what_is_no_picture_is_refused_and_leaves_nothing(cup: Tournament, uploads: Path) -> None:
    with pytest.raises(Refusals, match=r"„notiz\.txt“"):
        give_portrait(anna(cup), sent=samples.sent("notiz.txt", samples.TEXT), actor=DORIS())
    with refuses("no_portrait", match="Für Aumann, Klara ist kein Foto gewählt"):
        give_portrait(anna(cup), sent=None, actor=DORIS())

    assert not Portrait.objects.exists()
    assert kept(uploads) == []


def test_photo_of_somebody_who_is_gone_leaves_no_file(cup: Tournament, uploads: Path) -> None:
    gone = anna(cup)
    remove_entry(anna(cup), actor=DORIS())

    with pytest.raises(Exception, match="gelöscht"):
        give_portrait(gone, sent=samples.sent(), actor=DORIS())

    assert kept(uploads) == []


def test_removed_photo_is_gone_for_good(
    cup: Tournament, uploads: Path, django_capture_on_commit_callbacks: Any
) -> None:
    give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())
    with django_capture_on_commit_callbacks(execute=True):
        remove_portrait(anna(cup), actor=DORIS())
        remove_portrait(anna(cup), actor=DORIS())

    assert kept(uploads) == []
    assert find_journal_differences(cup) == []
    assert JournalEntry.objects.filter(tournament=cup, verb="remove_portrait").count() == 1


def test_entry_taken_back_comes_again_with_its_photo(
    cup: Tournament, uploads: Path, django_capture_on_commit_callbacks: Any
) -> None:
    made = give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())
    with django_capture_on_commit_callbacks(execute=True):
        remove_entry(anna(cup), actor=DORIS())
        undo_journal_entry(JournalEntry.objects.filter(tournament=cup).order_by("-number")[0], actor=DORIS())

    assert Portrait.objects.get().name == made.name
    assert kept(uploads) == [made.name]


def test_photos_go_with_their_tournament(
    cup: Tournament, uploads: Path, django_capture_on_commit_callbacks: Any
) -> None:
    give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())
    with django_capture_on_commit_callbacks(execute=True):
        delete_tournament(cup, typed_name=cup.name, actor=DORIS())

    assert kept(uploads) == []


@pytest.mark.parametrize("is_removed", [False, True], ids=["entered", "entry taken back"])
def test_photo_of_somebody_forgotten_is_deleted(
    cup: Tournament, uploads: Path, django_capture_on_commit_callbacks: Any, is_removed: bool
) -> None:
    player = anna(cup).player
    give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())
    if is_removed:
        remove_entry(anna(cup), actor=DORIS())
    with django_capture_on_commit_callbacks(execute=True):
        forget_player(player, actor=DORIS())

    assert not Portrait.objects.exists()
    assert kept(uploads) == []
    assert find_journal_differences(cup) == []


def test_photo_travels_in_the_archive_and_not_in_the_tournament_file(cup: Tournament, uploads: Path) -> None:
    made = give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())
    there = import_archive(archives.written(cup), slug="dort", actor=DORIS()).tournament

    carried = Portrait.objects.get(entry__tournament=there)
    assert carried.entry.name == "Aumann, Klara"
    assert (uploads / carried.name).read_bytes() == (uploads / made.name).read_bytes()
    assert made.sha256 not in format_tournament_file(load_event_data(cup))


def test_photo_is_copied_where_an_event_is_made_anew(cup: Tournament, uploads: Path) -> None:
    give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())

    done = rebuild_event(cup.slug, "neu", actor=TERMINAL_ACTOR)

    assert (done.files, done.files_gone, len(kept(uploads))) == (1, 0, 2)
