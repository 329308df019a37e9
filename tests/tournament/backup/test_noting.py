"""What is entered is noted beside the database, and read again in the order in which it counts."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tournament.backup.noting import NOTE_FILES_KEPT, note_journal_entry, read_notes, start_new_note_file
from tournament.backup.places import NOTES_FOLDER, Installation


def entry(key: int, verb: str = "record_result") -> dict[str, object]:
    return {"id": key, "verb": verb}


def test_each_backup_begins_a_new_file_and_the_oldest_go(tmp_path: Path) -> None:
    home = Installation(tmp_path)

    for key in range(1, 40):
        note_journal_entry(home, entry(key))
        start_new_note_file(home)
        start_new_note_file(home)  # nothing was entered since: no file for that

    assert len(list((tmp_path / NOTES_FOLDER).iterdir())) == NOTE_FILES_KEPT
    assert [row["id"] for row in read_notes(tmp_path / NOTES_FOLDER)] == list(range(12 - 1, 40))


def test_of_each_line_that_was_cut_off_the_key_is_kept(tmp_path: Path) -> None:
    home = Installation(tmp_path)
    note_journal_entry(home, entry(1))
    with (tmp_path / NOTES_FOLDER / "00001.jsonl").open("a") as file:
        file.write('\n{"id": 2, "ve')
    note_journal_entry(home, entry(3))
    (tmp_path / NOTES_FOLDER / "00002.jsonl").write_bytes(b"\n[4]\n7\n\xff")
    note_journal_entry(home, entry(5))
    (tmp_path / NOTES_FOLDER / "notes.txt").write_text("somebody's own")

    assert [row["id"] for row in read_notes(tmp_path / NOTES_FOLDER)] == [1, 2, 3, 4, 5]
    assert read_notes(tmp_path / NOTES_FOLDER)[1::2] == [{"id": 2}, {"id": 4}]


def test_any_letter_may_stand_in_an_entry(tmp_path: Path) -> None:
    row = entry(1, "Zeile\u2028für\x85Zeile\n\x0b王 \ud83d")
    note_journal_entry(Installation(tmp_path), row)

    assert read_notes(tmp_path / NOTES_FOLDER) == [row]


def test_what_is_stored_at_once_is_noted_whole_and_in_order(tmp_path: Path) -> None:
    home = Installation(tmp_path)

    def helper(first: int) -> None:
        for key in range(first, 61, 3):
            note_journal_entry(home, entry(key, "result" * 20_000))

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(helper, (3, 1, 2)))

    assert [row["id"] for row in read_notes(tmp_path / NOTES_FOLDER)] == list(range(1, 61))


def test_database_that_went_on_from_an_earlier_state_counts(tmp_path: Path) -> None:
    home = Installation(tmp_path)
    for row in (entry(1), entry(2), entry(3), entry(2, "withdraw_player")):
        note_journal_entry(home, row)

    assert read_notes(tmp_path / NOTES_FOLDER) == [entry(1), entry(2, "withdraw_player")]


def test_entry_that_was_noted_twice_takes_none_away(tmp_path: Path) -> None:
    home = Installation(tmp_path)
    for key in (1, 2, 3, 2, 1):  # as two who note at once write it
        note_journal_entry(home, entry(key))

    assert read_notes(tmp_path / NOTES_FOLDER) == [entry(1), entry(2), entry(3)]


def test_folder_that_takes_nothing_is_told_to_who_notes(tmp_path: Path) -> None:
    (tmp_path / NOTES_FOLDER).write_text("a file where the folder should be")
    home = Installation(tmp_path)

    with pytest.raises(OSError, match=NOTES_FOLDER):
        note_journal_entry(home, entry(1))
    start_new_note_file(home)

    assert read_notes(tmp_path / NOTES_FOLDER) == []


HOSTILE = (
    b"[" * 200_000,
    b'{"id": ' + b"9" * 5000 + b"}",
    b'{"id":true,"rows":[]}',
    b'{"id":2.0,"rows":[]}',
    b'{"id":"2","rows":[]}',
    b'{"id":-2,"rows":[]}',
    b'{"id":null}',
    b'{"id":9223372036854775808}',
    b"\xef\xbb\xbf",
    b"\x00" * 1000,
    b"rubbish" * 1000,
)


def test_rubbish_between_the_lines_hides_none_of_them(tmp_path: Path) -> None:
    home = Installation(tmp_path)
    note_journal_entry(home, entry(1))
    with (tmp_path / NOTES_FOLDER / "00001.jsonl").open("ab") as file:
        for line in HOSTILE:
            file.write(b"\n" + line)
    note_journal_entry(home, entry(2))

    assert read_notes(tmp_path / NOTES_FOLDER) == [entry(1), entry(2)]


def test_of_a_damaged_line_the_key_is_known(tmp_path: Path) -> None:
    home = Installation(tmp_path)
    for key in (1, 2, 3):
        note_journal_entry(home, {**entry(key), "tournament_id": None})
    path = tmp_path / NOTES_FOLDER / "00001.jsonl"
    lines = path.read_bytes().split(b"\n")
    strange = b'{"id":4,"tournament_id":[4]}\n{"id":5,"tournament_id":9223372036854775808}'
    path.write_bytes(b"\n".join([*lines[:2], lines[2][:20], lines[3], strange]))

    assert [row["id"] for row in read_notes(tmp_path / NOTES_FOLDER)] == [1, 2, 3, 4, 5]
    assert read_notes(tmp_path / NOTES_FOLDER)[1::2] == [{"id": 2}, {"id": 4}]


@pytest.mark.parametrize("key", [1, 2, 3])
def test_no_turned_bit_passes_for_what_was_entered(tmp_path: Path, key: int) -> None:
    home, path = Installation(tmp_path), tmp_path / NOTES_FOLDER / "00001.jsonl"
    for each in (1, 2, 3):
        note_journal_entry(home, {**entry(each), "details": {"name": "Berg, Anna"}})
    whole, lines = read_notes(path.parent), path.read_bytes().split(b"\n")

    for place in range(len(lines[key])):
        damaged = bytearray(lines[key])
        damaged[place] ^= 1
        path.write_bytes(b"\n".join([*lines[:key], bytes(damaged), *lines[key + 1 :]]))

        found = read_notes(path.parent)

        assert [row for row in found if row in whole] == [row for row in whole if row["id"] != key], place
        assert [row["id"] for row in found] == [1, 2, 3]


def test_two_lines_joined_by_a_lost_break_count_as_two(tmp_path: Path) -> None:
    home, path = Installation(tmp_path), tmp_path / NOTES_FOLDER / "00001.jsonl"
    for each in (1, 2, 3, 4):
        note_journal_entry(home, entry(each))
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:2], lines[2] + b"\x0b" + lines[3], lines[4]]))

    assert read_notes(path.parent) == [entry(1), {"id": 2}, {"id": 3}, entry(4)]


def test_lines_of_version_1_0_have_no_checksum(tmp_path: Path) -> None:
    (tmp_path / NOTES_FOLDER).mkdir()
    (tmp_path / NOTES_FOLDER / "00001.jsonl").write_bytes(b'\n{"id":1,"verb":"record_result"}')

    assert read_notes(tmp_path / NOTES_FOLDER) == [entry(1)]
