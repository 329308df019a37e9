"""An event carried to another laptop in an archive is the same event there."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from games.models import Challenge, Incident, Line, Photo, Question, Scoresheet, WordList
from tests import factories
from tests.games import archives, evening
from tests.refusals import refuses
from tests.tournament.exchange.terminal import run
from tournament.archive.carrying import import_archive
from tournament.archive.rebuilding import JournalContradiction
from tournament.archive.replaying import find_journal_differences
from tournament.basics.pictures import get_upload_path, get_uploads_folder, remove_upload
from tournament.core.change import TERMINAL_ACTOR, change
from tournament.events.operations import delete_tournament
from tournament.exchange.event_rows import load_event_data
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Club, Entry, JournalEntry, Player, Result, Tournament
from tournament.rounds.drafts import DrawWish, draft_round


@pytest.fixture
def cup(evening_cup: Tournament) -> Tournament:
    return evening_cup


def value(tournament: Tournament) -> Any:
    return replace(load_event_data(tournament), slug="")


def drawn(tournament: Tournament) -> Any:
    """The event with round 2 drawn by the same lots."""
    division = tournament.divisions.select_related("tournament").get()
    draft_round(division, actor=TERMINAL_ACTOR, wish=DrawWish(seed=7, accept_missing=True))
    return value(tournament)


def test_archive_has_a_member_for_each_part(cup: Tournament) -> None:
    found = archives.members(archives.written(cup))

    photos = [f"photos/{name}" for name in evening.files_of(cup)]
    texts = ["journal.jsonl", "log.json", "manifest.json", "register.json", "sheets.json", "tournament.json"]
    assert sorted(found) == sorted([*texts, *photos])
    assert [row["row"] for row in json.loads(found["sheets.json"])] == ["scoresheet", "line", "line"]
    assert [row["row"] for row in json.loads(found["log.json"])] == ["challenge", "incident"]


def test_no_account_no_e_mail_and_no_phone_number_travels(cup: Tournament) -> None:
    Player.objects.update(email="anna@example.org", phone="0221 4711 0815")
    rows = JournalEntry.objects.get(verb="enter_all").rows
    assert any(row[0] == "player" for row in rows)

    found = archives.members(archives.written(cup))
    journal_text = found["journal.jsonl"].decode()

    assert [name for name, content in found.items() if b"example.org" in content or b"4711 0815" in content] == []
    assert '["player"' not in journal_text
    assert '"by_id": 1' not in journal_text


def test_carried_event_is_the_same(cup: Tournament) -> None:
    done = import_archive(archives.written(cup), slug="dort", actor=factories.director("otto"))

    there = done.tournament
    assert value(there) == value(cup)
    assert (done.entries, done.files, done.files_gone, there.revision) == (cup.revision, 2, 0, cup.revision + 1)
    assert there.organiser == cup.organiser
    assert find_journal_differences(there) == []
    assert drawn(there) == drawn(cup)


def test_event_carried_to_another_organiser_leaves_the_first_ones_register_alone(cup: Tournament) -> None:
    otto = factories.director("otto", factories.organiser("SC Dort"))
    before = list(cup.organiser.players.values())

    there = import_archive(archives.written(cup), slug="dort", actor=otto).tournament

    assert there.organiser == otto.organiser
    assert {entry.player.organiser for entry in there.entries.all()} == {otto.organiser}
    assert {entry.club.organiser for entry in there.entries.all() if entry.club} <= {otto.organiser}
    assert list(cup.organiser.players.values()) == before
    assert find_journal_differences(there) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("model", [Scoresheet, Line, Challenge, Incident, Photo])
def test_what_happened_at_the_tables_comes_along(cup: Tournament, model: Any) -> None:
    there = model.objects.count()

    import_archive(archives.written(cup), slug="dort", actor=TERMINAL_ACTOR)

    assert model.objects.count() == 2 * there > 0


def test_versions_of_results_keep_who_and_when(cup: Tournament) -> None:
    import_archive(archives.written(cup), slug="dort", actor=TERMINAL_ACTOR)

    rows = Result.objects.order_by("pk").values_list("version", "official", "by_name", "at", "first_points")
    ours, theirs = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    assert list(ours) == list(theirs)
    assert not Result.objects.filter(pairing__round__division__tournament__slug="dort").exclude(by=None).exists()


def test_earlier_steps_can_be_taken_back_there(cup: Tournament) -> None:
    there = import_archive(archives.written(cup), slug="dort", actor=TERMINAL_ACTOR).tournament

    undo_journal_entry(there.journal.filter(verb="record_result").latest("number"), actor=TERMINAL_ACTOR)
    undo_journal_entry(there.journal.get(verb="delete_line"), actor=TERMINAL_ACTOR)

    official = Result.objects.get(pairing__round__division__tournament=there, official=True)
    assert (official.version, official.first_points) == (1, 401)
    assert Line.objects.filter(scoresheet__pairing__round__division__tournament=there).count() == 3


def test_players_of_the_other_register_are_found_by_name(cup: Tournament) -> None:
    archive = archives.written(cup)
    names = set(Player.objects.values_list("name", flat=True))
    delete_tournament(cup, typed_name="Herbst-Cup", actor=TERMINAL_ACTOR)
    Player.objects.all().delete()
    Club.objects.all().delete()
    known = Player.objects.create(organiser=factories.organiser(), name="Aumann, Klara")

    there = import_archive(archive, actor=TERMINAL_ACTOR).tournament

    assert there.slug == "herbst-cup"
    assert set(Player.objects.values_list("name", flat=True)) == names
    assert Entry.objects.get(player=known).rating == 1712


def test_photo_whose_file_is_gone_is_told(cup: Tournament) -> None:
    remove_upload(evening.files_of(cup)[0])

    done = import_archive(archives.written(cup), slug="dort", actor=TERMINAL_ACTOR)

    assert (done.files, done.files_gone, len(evening.files_of(done.tournament))) == (1, 1, 1)


def test_missing_word_list_is_told(cup: Tournament) -> None:
    lists = {"letters": "de", "encoding": "utf-8", "count": 2, "name": "x", "in_use": True, "at": cup.created_at}
    there = WordList.objects.create(organiser=cup.organiser, title="Liste 2026", sha256="a" * 64, **lists)
    with change(cup, actor=TERMINAL_ACTOR, verb="ask_judge") as log:
        asked = Question(word_list=there, words=["AB"], verdicts=[True], stands=True, tournament=cup, at=cup.created_at)
        asked.list_title = there.title
        log.create(asked)
    archive = archives.written(cup)

    here = import_archive(archive, slug="dort", actor=TERMINAL_ACTOR)
    there.delete()
    elsewhere = import_archive(archive, slug="anderswo", actor=TERMINAL_ACTOR)

    assert here.lists_missing == ()
    assert ["Liste 2026" in said for said in elsewhere.lists_missing] == [True]


def test_event_whose_rows_are_damaged_is_not_written(cup: Tournament) -> None:
    Result.objects.update(first_points=1)

    with refuses("not_carried", match="--rebuild herbst-cup"):
        archives.written(cup)


def test_picture_that_is_none_of_ours_is_refused(cup: Tournament) -> None:
    uploads = get_uploads_folder()
    name = evening.files_of(cup)[0]
    with change(cup, actor=TERMINAL_ACTOR, verb="attach_photos") as log:
        photo = Photo.objects.get(name=name)
        get_upload_path(name).write_bytes(b"<script>")
        log.save(photo, sha256=hashlib.sha256(b"<script>").hexdigest())
    before = sorted(uploads.iterdir())

    with pytest.raises(JournalContradiction):
        import_archive(archives.written(cup), slug="dort", actor=TERMINAL_ACTOR)

    assert sorted(uploads.iterdir()) == before


def test_commands_carry_an_event(cup: Tournament, tmp_path: Path) -> None:
    file = tmp_path / "cup.zip"

    assert run("export_event", "herbst-cup", "-o", str(file))[0] == 0
    taken = run("import_event", str(file))
    status, out, _err = run("import_event", str(file), "--slug", "dort", "--format", "json")

    assert (taken[0], "--slug" in taken[2]) == (1, True)
    assert (status, json.loads(out)) == (0, {"slug": "dort", "entries": cup.revision, "photos": 2})
    assert [path.name for path in tmp_path.glob("cup*")] == ["cup.zip"]


@pytest.mark.parametrize("words", [("export_event", "sommer-cup"), ("import_event", "nowhere.zip")])
def test_commands_refuse_what_is_not_there(db: None, words: tuple[str, str]) -> None:
    status, out, err = run(*words)

    assert (status, out, len(err.splitlines())) == (1, "", 1)
