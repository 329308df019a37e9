"""An event carried to another laptop in an archive is the same event there; an archive that is not whole is refused."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from games.models import Challenge, Incident, Line, Photo, Question, Scoresheet, WordList
from tests import factories
from tests.games import archives, evening
from tests.refusals import refuses
from tests.tournament.exchange.terminal import run
from tournament.archive.carrying import import_archive
from tournament.archive.rebuilding import JournalContradiction
from tournament.archive.replaying import find_journal_differences
from tournament.basics import limits
from tournament.basics.pictures import get_upload_path, get_uploads_folder, remove_upload
from tournament.basics.refusals import Refusal
from tournament.core.change import TERMINAL_ACTOR, change
from tournament.events.operations import delete_tournament
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.faults import FaultCode, FileFaults
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Club, Entry, JournalEntry, Player, Result, Tournament
from tournament.rounds.drafts import DrawWish, draft_round

Change = Callable[[Any], Any]


@pytest.fixture
def uploads(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "uploads"


@pytest.fixture
def cup(db: None, uploads: Path) -> Tournament:
    return evening.cup()


_written: list[bytes] = []


@pytest.fixture
def archive(db: None, uploads: Path) -> io.BytesIO:
    """The cup's archive, and nothing of the cup: it is made once for all tests."""
    if not _written:
        made = transaction.savepoint()
        _written.append(archives.written(evening.cup()).getvalue())
        transaction.savepoint_rollback(made)
    for left in get_uploads_folder().iterdir():
        left.unlink()
    return io.BytesIO(_written[0])


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


def without(at: int) -> Change:
    return lambda lines: [line for line in lines if line["number"] != at]


def before_a_change(**values: Any) -> Change:
    """What a result was before it was corrected gets other values: an undo would bring them back."""

    def change_lines(lines: list[Any]) -> list[Any]:
        row = next(row for line in lines for row in line["rows"] if row[0] == "result" and row[2] is not None)
        row[2].update(values)
        return lines

    return change_lines


def everywhere(table: str, **values: Any) -> Change:
    """All states of a table's rows get other values."""

    def change_lines(lines: list[Any]) -> list[Any]:
        for line in lines:
            for row in line["rows"]:
                if row[0] == table:
                    row[2:] = [None if state is None else {**state, **values} for state in row[2:]]
        return lines

    return change_lines


BROKEN: dict[str, tuple[str, Change]] = {
    "an entry is missing": ("journal.jsonl", without(3)),
    "the last entries are missing": ("journal.jsonl", lambda lines: lines[:-1]),
    "no entry": ("journal.jsonl", lambda lines: []),
    "an entry is no object": ("journal.jsonl", lambda lines: [[], *lines]),
    "an entry without a time zone": ("journal.jsonl", lambda lines: [{**lines[0], "at": "2026-01-01"}, *lines[1:]]),
    "a result other than in the file": ("journal.jsonl", everywhere("result", first_points=500)),
    "a text too long": ("journal.jsonl", everywhere("result", note="x" * 500)),
    "a text too long in a state that is past": ("journal.jsonl", before_a_change(note="x" * 500)),
    "a choice that is none": ("journal.jsonl", everywhere("round", method="magic")),
    "a reason that is none": ("journal.jsonl", everywhere("pairing", why=[{"code": "magic"}])),
    "a reason without its figures": ("journal.jsonl", everywhere("pairing", why=[{"code": "score_group"}])),
    "a flag that is none": ("journal.jsonl", everywhere("pairing", flags=["magic"])),
    "a note that is none": ("journal.jsonl", everywhere("round", notes=[{"code": "magic"}])),
    "groups of nobody": ("journal.jsonl", everywhere("round", groups=[[10**9]])),
    "a plan that is none": ("journal.jsonl", everywhere("division", plan=[{"rounds": "all"}])),
    "a ruleset that is none": ("journal.jsonl", everywhere("tournament", ruleset="magic")),
    "a line nobody can read": ("journal.jsonl", everywhere("line", position="?", word="?")),
    "words of a challenge that are none": ("journal.jsonl", everywhere("challenge", words=[[3, "yes"]])),
    "figures of an incident that are none": ("journal.jsonl", everywhere("incident", figures={"seconds": ["x"]})),
    "another event's player": ("journal.jsonl", everywhere("entry", player_id=10**9)),
    "another event's round": ("journal.jsonl", everywhere("seat", round_id=10**9)),
    "details no page can show": ("journal.jsonl", lambda lines: [{**line, "details": {"names": 3}} for line in lines]),
    "a table that is none": ("journal.jsonl", lambda lines: [{**lines[0], "rows": [["spaceship", 1, None, {}]]}]),
    "a player's name that is none": ("register.json", lambda value: {**value, "players": [{"id": 1, "name": 3}]}),
    "no players": ("register.json", lambda value: {**value, "players": []}),
    "a fault in the tournament file": ("tournament.json", lambda value: {**value, "ruleset": "magic"}),
    "another event's file": ("tournament.json", lambda value: {**value, "place": "anderswo"}),
    "sheets other than in the journal": ("sheets.json", lambda rows: [{**row, "note": "!"} for row in rows]),
    "a log other than in the journal": ("log.json", lambda rows: rows[:1]),
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("what", BROKEN)
def test_archive_that_contradicts_itself_is_refused(archive: io.BytesIO, uploads: Path, what: str) -> None:
    wrong = archives.changed(archive, *BROKEN[what])

    with pytest.raises((Refusal, FileFaults)) as refused:
        import_archive(wrong, actor=TERMINAL_ACTOR)

    assert str(refused.value)
    assert not Tournament.objects.exists()
    assert (JournalEntry.objects.count(), Player.objects.count(), list(uploads.iterdir())) == (0, 0, [])


def rewritten(change_members: Callable[[archives.Members], archives.Members]) -> Callable[[io.BytesIO], io.BytesIO]:
    return lambda archive: archives.packed(change_members(archives.members(archive)))


def other_manifest(**values: Any) -> Callable[[io.BytesIO], io.BytesIO]:
    def change_members(found: archives.Members) -> archives.Members:
        said = {**json.loads(found["manifest.json"]), **values}
        return {**found, "manifest.json": json.dumps(said).encode()}

    return rewritten(change_members)


def cut_off(archive: io.BytesIO) -> io.BytesIO:
    return io.BytesIO(archive.getvalue()[:-200])


def flipped(archive: io.BytesIO) -> io.BytesIO:
    content = bytearray(archive.getvalue())
    content[len(content) // 3] ^= 0xFF
    return io.BytesIO(bytes(content))


def slipped(found: archives.Members) -> archives.Members:
    return archives.stated({**found, "../../evil.jpg": b"x"})


def twice(archive: io.BytesIO) -> io.BytesIO:
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(archive, "a") as parts:
        parts.writestr("log.json", b"[]\n")
    archive.seek(0)
    return archive


NOT_WHOLE: dict[str, tuple[Callable[[io.BytesIO], io.BytesIO], FaultCode]] = {
    "cut off": (cut_off, FaultCode.NO_EVENT_ARCHIVE),
    "no zip": (lambda _archive: io.BytesIO(b"{}"), FaultCode.NO_EVENT_ARCHIVE),
    "another zip": (lambda _archive: archives.packed({"config.tsh": b""}), FaultCode.NO_EVENT_ARCHIVE),
    "a bit flipped": (flipped, FaultCode.ARCHIVE_BROKEN),
    "a checksum off": (rewritten(lambda found: {**found, "log.json": b"[ ]"}), FaultCode.ARCHIVE_BROKEN),
    "a member more": (rewritten(lambda found: {**found, "more.json": b"[]"}), FaultCode.ARCHIVE_BROKEN),
    "a member less": (
        rewritten(lambda found: {name: found[name] for name in found if name != "log.json"}),
        FaultCode.ARCHIVE_BROKEN,
    ),
    "a member twice": (twice, FaultCode.ARCHIVE_BROKEN),
    "a path that leads out": (rewritten(slipped), FaultCode.ARCHIVE_BROKEN),
    "another format": (other_manifest(format="tso-backup"), FaultCode.NO_EVENT_ARCHIVE),
    "a newer version": (other_manifest(version=2), FaultCode.ARCHIVE_VERSION),
    "a manifest without members": (other_manifest(members=[]), FaultCode.ARCHIVE_BROKEN),
    "another number of entries": (other_manifest(entries=1), FaultCode.ARCHIVE_BROKEN),
}


@pytest.mark.parametrize("what", NOT_WHOLE)
def test_archive_that_is_not_whole_is_refused(archive: io.BytesIO, what: str) -> None:
    damage, code = NOT_WHOLE[what]

    with pytest.raises(FileFaults) as refused:
        import_archive(damage(archive), actor=TERMINAL_ACTOR)

    assert refused.value.faults[0].code == code
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("limit", "code"),
    [
        ("ARCHIVE_BYTES", FaultCode.TOO_LARGE),
        ("ARCHIVE_TEXT_BYTES", FaultCode.TOO_LARGE),
        ("ARCHIVE_PHOTO_BYTES", FaultCode.TOO_LARGE),
        ("MANIFEST_BYTES", FaultCode.TOO_LARGE),
        ("ARCHIVE_MEMBERS", FaultCode.TOO_MANY_FILES),
        ("ARCHIVE_LINE_BYTES", FaultCode.ARCHIVE_BROKEN),
    ],
)
def test_more_than_an_event_can_have_is_refused(
    archive: io.BytesIO, monkeypatch: pytest.MonkeyPatch, limit: str, code: FaultCode
) -> None:
    monkeypatch.setattr(limits, limit, 5)

    with pytest.raises(FileFaults) as refused:
        import_archive(archive, slug="dort", actor=TERMINAL_ACTOR)

    assert refused.value.faults[0].code == code


def test_bomb_is_refused_before_it_is_unpacked(archive: io.BytesIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ARCHIVE_TEXT_BYTES", 1_000_000)
    bomb = {"more.json": bytes(1_000_001)}
    archive = archives.packed(archives.stated({**archives.members(archive), **bomb}))

    with pytest.raises(FileFaults) as refused:
        import_archive(archive, slug="dort", actor=TERMINAL_ACTOR)

    assert refused.value.faults[0].code == FaultCode.TOO_LARGE


def test_picture_that_is_none_of_ours_is_refused(cup: Tournament, uploads: Path) -> None:
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
