"""Notes of every journal entry in a plain file beside the database, written the moment that it is stored: what was
entered since the last backup, one entry a line, should a disk lose the database. Each line ends with a checksum, so
that a damaged one is never taken for what was entered. Each backup begins a new file; the oldest go. A start looks
whether the database has what stands here last; a restore brings it back, see `tournament.archive.replaying`."""

import json
import re
import secrets
import shutil
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from django.core.files import locks
from django.core.serializers.json import DjangoJSONEncoder

from tournament.backup.files import make_private_folder, sync_file, write_json
from tournament.backup.places import NOTES_FOLDER, Installation

NOTE_FILE_PATTERN = re.compile(r"(\d{5,9})\.jsonl")
OWNER_COLUMNS = ("tournament_id", "organiser_id")
# The first number that no key column can hold. One damaged line with a larger key made a restore leave out everything
# that was noted.
KEY_LIMIT = 2**63
CHECK_MARK = b"\t"  # stands before a line's checksum, and never in JSON. Lines without it are of version 1.0.
NOTE_FILES_KEPT = 30  # how many files are kept: a restore can catch up from that many backups back

REWRITTEN_FILE = "rewritten.json"  # beside the notes: a number that is another one each time they are rewritten
LOCK_FILE = "entered.lock"  # beside their folder

_WRITING = threading.Lock()


@contextmanager
def _hold_notes(home: Installation) -> Iterator[None]:
    """Nobody else writes notes meanwhile, in this process or another: of two long entries neither lands in the middle
    of the other, and none in a file that is being replaced. Raises `OSError`."""
    # Two entries stored at the same moment stood in each other's line, which a restore took for a database gone back.
    with _WRITING, (home.data / LOCK_FILE).open("ab") as lock:
        with suppress(OSError):  # a file system without locks: then this process's own threads at least
            locks.lock(lock, locks.LOCK_EX)
        yield


def note_journal_entry(home: Installation, entry: Mapping[str, Any]) -> None:
    """Append an entry's row. Raises `OSError` if the disk does not take it."""
    line = _format_line(entry)
    folder = make_private_folder(home.data / NOTES_FOLDER)
    with _hold_notes(home):
        numbers = _list_file_numbers(folder)
        # Unbuffered, the whole line by one write: what a killed program had begun is a line cut off, which readers tell
        # from a whole one.
        with _get_note_path(folder, numbers[-1] if numbers else 1).open("ab", buffering=0) as file:
            file.write(line)


def start_new_note_file(home: Installation) -> None:
    """After a backup: write into a new file from now on, and delete the oldest."""
    folder = home.data / NOTES_FOLDER
    numbers = _list_file_numbers(folder)
    try:
        # Nothing was entered since the last backup. A new file each time would push out those that a restore goes back
        # by.
        if not numbers or not _get_note_path(folder, numbers[-1]).stat().st_size:
            return
        _get_note_path(folder, numbers[-1] + 1).touch(mode=0o600)
        # The new file is not in the list, so one fewer of those listed stays.
        for number in numbers[: 1 - NOTE_FILES_KEPT]:
            _get_note_path(folder, number).unlink(missing_ok=True)
    except OSError:  # entries go on in the file before, and a restore reads all of them
        return


def copy_notes(folder: Path, target: Path) -> None:
    """Copy a folder's notes to another one, where they are continued. Raises `OSError`."""
    make_private_folder(target)
    for number in _list_file_numbers(folder):
        shutil.copyfile(_get_note_path(folder, number), _get_note_path(target, number))


def rewrite_notes(home: Installation, rewrite: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Put into each row what `rewrite` makes of it; a damaged line keeps nothing of what it said. Raises `OSError`."""
    folder = home.data / NOTES_FOLDER
    with _hold_notes(home):
        for number in _list_file_numbers(folder):
            path = _get_note_path(folder, number)
            rows = map(_parse_row, filter(None, path.read_bytes().split(b"\n")))
            beside = path.with_suffix(".new")
            # A damaged line keeps its place: the keys of damaged lines are counted from their neighbours'.
            beside.write_bytes(b"".join(_format_line(rewrite(row)) if row else b"\n?" for row in rows))
            sync_file(beside)
            beside.replace(path)


def begin_rewriting(home: Installation) -> None:
    """Note that the notes are no longer those of copies taken before. Raises `OSError`."""
    make_private_folder(home.data / NOTES_FOLDER)
    write_json(home.data / NOTES_FOLDER / REWRITTEN_FILE, {"number": secrets.randbelow(KEY_LIMIT)})


def read_rewriting(folder: Path) -> bytes:
    """What stands in a folder of when its notes were last rewritten, damaged or not; nothing if they never were."""
    try:
        return (folder / REWRITTEN_FILE).read_bytes()
    except FileNotFoundError:
        return b""


def _format_line(entry: Mapping[str, Any]) -> bytes:
    """A row's line. The line break comes first, so a line that was cut off does not spoil the next one."""
    text = json.dumps(entry, cls=DjangoJSONEncoder, separators=(",", ":")).encode("ascii")
    # In ASCII: a player's name with U+2028 in it was a line break to the reader, and hid every entry after it.
    return b"\n" + text + CHECK_MARK + _sum_up(text)


def read_notes(folder: Path, *, only_sure: bool = False) -> list[dict[str, Any]]:
    """The rows noted in a folder, in the order of their keys; none if there is no such folder. Of a line that is
    damaged or cut off only the key is known, from its neighbours. Of two rows stored at once the later may come first.
    Where a key comes again with another entry, the database went on from an earlier state: what was noted after that
    state no longer counts. With `only_sure` lines without a checksum are as good as damaged."""
    rows_by_id: dict[int, dict[str, Any]] = {}
    for row in _number_damaged_rows(_read_rows(folder, only_sure)):
        # The same key with another entry: somebody went back to a backup and played on. What was noted beyond that
        # point belongs to an evening that did not happen.
        if rows_by_id.get(row["id"], row) != row:
            rows_by_id = {key: row_kept for key, row_kept in rows_by_id.items() if key < row["id"]}
        rows_by_id[row["id"]] = row
    return [rows_by_id[key] for key in sorted(rows_by_id)]


def _read_rows(folder: Path, only_sure: bool) -> Iterator[dict[str, Any] | None]:
    """The rows in the order in which they were written; None for each that is damaged."""
    for number in _list_file_numbers(folder):
        try:
            lines = _get_note_path(folder, number).read_bytes().split(b"\n")
        except OSError:
            continue
        for line in filter(None, lines):
            row = None if only_sure and CHECK_MARK not in line else _parse_row(line)
            yield from [row] if row else [None] * max(line.count(CHECK_MARK), 1)  # a lost line break joins two


def _number_damaged_rows(rows: Iterator[dict[str, Any] | None]) -> Iterator[dict[str, Any]]:
    """The rows, with a key for those that are damaged: the ones just before the next row's, else after the last one."""
    last, damaged = 0, 0
    for row in rows:
        if row is None:
            damaged += 1
            continue
        first = max(row["id"] - damaged, last + 1 if row["id"] > last else 1)
        yield from ({"id": key} for key in range(first, row["id"]))
        yield row
        last, damaged = row["id"], 0
    yield from ({"id": last + number} for number in range(1, damaged + 1))


def _parse_row(line: bytes) -> dict[str, Any] | None:
    """A line's row; None if the line is damaged."""
    text, mark, check = line.partition(CHECK_MARK)
    if mark and check != _sum_up(text):
        return None
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_row = isinstance(row, dict) and _is_key(row.get("id"))
    return row if is_row and all(_is_key(row.get(name) or 1) for name in OWNER_COLUMNS) else None


def _sum_up(text: bytes) -> bytes:
    return f"{zlib.crc32(text):08x}".encode("ascii")


def _is_key(value: Any) -> bool:
    # By type: to Python True is an int, and a line that says `"id": true` is no row.
    return type(value) is int and 0 < value < KEY_LIMIT


def _list_file_numbers(folder: Path) -> list[int]:
    try:
        matches = [(NOTE_FILE_PATTERN.fullmatch(path.name), path) for path in folder.iterdir()]
        return sorted(int(name[1]) for name, path in matches if name and path.is_file())  # no pipe, no device
    except OSError:
        return []


def _get_note_path(folder: Path, number: int) -> Path:
    return folder / f"{number:05}.jsonl"
