"""Photos of players: file and row stay consistent, and both go when somebody asks for it."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests import factories
from tests.games import archives
from tests.games.photos import samples
from tournament import journal
from tournament.exchange import loading, tournament_file
from tournament.exchange.archive import carrying, rebuilding
from tournament.models import Entry, JournalEntry, Portrait, Tournament
from tournament.operations import entries, forgetting, portraits, tournaments
from tournament.operations.change import TERMINAL
from tournament.operations.undo import undo
from tournament.pictures import files
from tournament.refusals import Refusals

DORIS = factories.director


@pytest.fixture(autouse=True)
def uploads(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "uploads"


@pytest.fixture
def cup(db: None) -> Tournament:
    return factories.event(players=3, rounds=0).tournament


def anna(cup: Tournament) -> Entry:
    return Entry.objects.select_related("tournament", "division", "player").filter(tournament=cup).order_by("pk")[0]


def kept(uploads: Path) -> list[str]:
    return sorted(path.name for path in uploads.glob("*"))


def test_photo_is_kept_small_and_without_what_is_hidden(cup: Tournament, uploads: Path) -> None:
    large = samples.picture(size=(2000, 3000))
    made = portraits.give_portrait(anna(cup), sent=samples.sent("anna.jpg", large), actor=DORIS())
    other = Entry.objects.filter(tournament=cup).order_by("pk")[1]
    hidden = portraits.give_portrait(other, sent=samples.sent("ben.jpg", samples.from_phone()), actor=DORIS())

    assert kept(uploads) == sorted([made.name, hidden.name])
    with Image.open(uploads / made.name) as picture:
        assert picture.size == (made.width, made.height) == (800, 1200)
    assert b"Secret" not in (uploads / hidden.name).read_bytes()
    assert journal.replay(cup) == []


def test_copied_event_has_photos_of_its_own(
    cup: Tournament, uploads: Path, django_capture_on_commit_callbacks: Any
) -> None:
    here, gone = list(Entry.objects.select_related("tournament", "player").filter(tournament=cup).order_by("pk")[:2])
    kept_here = portraits.give_portrait(here, sent=samples.sent(), actor=DORIS())
    files.remove(portraits.give_portrait(gone, sent=samples.sent(), actor=DORIS()).name)

    copied = tournaments.copy_tournament(cup, name="Noch einmal", with_entries=True, actor=DORIS())
    with django_capture_on_commit_callbacks(execute=True):
        portraits.remove_portrait(here, actor=DORIS())

    (portrait,) = Portrait.objects.filter(entry__tournament=copied)
    assert (portrait.entry.player_id, portrait.sha256) == (here.player_id, kept_here.sha256)
    assert kept(uploads) == [portrait.name] != [kept_here.name]
    assert journal.replay(copied) == []
    assert not Portrait.objects.filter(
        entry__tournament=tournaments.copy_tournament(cup, name="Ohne", actor=DORIS())
    ).exists()


def test_second_photo_replaces_the_first(
    cup: Tournament, uploads: Path, django_capture_on_commit_callbacks: Any
) -> None:
    portraits.give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())
    with django_capture_on_commit_callbacks(execute=True):
        second = portraits.give_portrait(anna(cup), sent=samples.sent(content=samples.picture("PNG")), actor=DORIS())

    assert list(Portrait.objects.all()) == [second]
    assert kept(uploads) == [second.name]
    assert journal.replay(cup) == []


def test_what_is_no_picture_is_refused_and_leaves_nothing(cup: Tournament, uploads: Path) -> None:
    with pytest.raises(Refusals, match=r"„notiz\.txt“"):
        portraits.give_portrait(anna(cup), sent=samples.sent("notiz.txt", samples.TEXT), actor=DORIS())
    with pytest.raises(portraits.NoPortrait, match="Für Aumann, Klara ist kein Foto gewählt"):
        portraits.give_portrait(anna(cup), sent=None, actor=DORIS())

    assert not Portrait.objects.exists()
    assert kept(uploads) == []


def test_photo_of_somebody_who_is_gone_leaves_no_file(cup: Tournament, uploads: Path) -> None:
    gone = anna(cup)
    entries.remove_entry(anna(cup), actor=DORIS())

    with pytest.raises(Exception, match="gelöscht"):
        portraits.give_portrait(gone, sent=samples.sent(), actor=DORIS())

    assert kept(uploads) == []


def test_removed_photo_is_gone_for_good(
    cup: Tournament, uploads: Path, django_capture_on_commit_callbacks: Any
) -> None:
    portraits.give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())
    with django_capture_on_commit_callbacks(execute=True):
        portraits.remove_portrait(anna(cup), actor=DORIS())
        portraits.remove_portrait(anna(cup), actor=DORIS())

    assert kept(uploads) == []
    assert journal.replay(cup) == []
    assert JournalEntry.objects.filter(tournament=cup, verb="remove_portrait").count() == 1


def test_entry_taken_back_comes_again_with_its_photo(
    cup: Tournament, uploads: Path, django_capture_on_commit_callbacks: Any
) -> None:
    made = portraits.give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())
    with django_capture_on_commit_callbacks(execute=True):
        entries.remove_entry(anna(cup), actor=DORIS())
        undo(JournalEntry.objects.filter(tournament=cup).order_by("-number")[0], actor=DORIS())

    assert Portrait.objects.get().name == made.name
    assert kept(uploads) == [made.name]


def test_photos_go_with_their_tournament(
    cup: Tournament, uploads: Path, django_capture_on_commit_callbacks: Any
) -> None:
    portraits.give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())
    with django_capture_on_commit_callbacks(execute=True):
        tournaments.delete_tournament(cup, typed_name=cup.name, actor=DORIS())

    assert kept(uploads) == []


@pytest.mark.parametrize("is_removed", [False, True], ids=["entered", "entry taken back"])
def test_photo_of_somebody_forgotten_is_deleted(
    cup: Tournament, uploads: Path, django_capture_on_commit_callbacks: Any, is_removed: bool
) -> None:
    player = anna(cup).player
    portraits.give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())
    if is_removed:
        entries.remove_entry(anna(cup), actor=DORIS())
    with django_capture_on_commit_callbacks(execute=True):
        forgetting.forget_player(player, actor=DORIS())

    assert not Portrait.objects.exists()
    assert kept(uploads) == []
    assert journal.replay(cup) == []


def test_photo_travels_in_the_archive_and_not_in_the_tournament_file(cup: Tournament, uploads: Path) -> None:
    made = portraits.give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())
    there = carrying.carry_in(archives.written(cup), slug="dort", actor=DORIS()).tournament

    carried = Portrait.objects.get(entry__tournament=there)
    assert carried.entry.name == "Aumann, Klara"
    assert (uploads / carried.name).read_bytes() == (uploads / made.name).read_bytes()
    assert made.sha256 not in tournament_file.write(loading.load(cup))


def test_photo_is_copied_where_an_event_is_made_anew(cup: Tournament, uploads: Path) -> None:
    portraits.give_portrait(anna(cup), sent=samples.sent(), actor=DORIS())

    done = rebuilding.rebuild(cup.slug, "neu", actor=TERMINAL)

    assert (done.files, done.files_gone, len(kept(uploads))) == (1, 0, 2)
