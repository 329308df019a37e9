"""An archive that is not whole, contradicts itself or is too large is refused, and nothing of it is kept."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from tests.games import archives, evening
from tournament.archive.carrying import import_archive
from tournament.basics import limits
from tournament.basics.pictures import get_uploads_folder
from tournament.basics.refusals import Refusal
from tournament.core.change import TERMINAL_ACTOR
from tournament.exchange.faults import FaultCode, FileFaults
from tournament.models import JournalEntry, Player, Tournament

Change = Callable[[Any], Any]


@pytest.fixture
def uploads(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "uploads"


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


@pytest.mark.sampled(7)
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
