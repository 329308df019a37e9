"""Notes of every journal entry in a plain file beside the database, written the moment that it is stored.

When a disk loses the database the last backup is minutes old: what was entered since stands here, one entry a line.
Each backup begins a new file; the oldest go. Only a restore over a lost database reads them, see
`tournament.archive.replaying`.
"""

import json
import re
import shutil
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from tournament.backup.files import make_private_folder
from tournament.backup.places import NOTES_FOLDER, Installation

NOTE_FILE_PATTERN = re.compile(r"(\d{5,9})\.jsonl")
LINE_START_PATTERN = re.compile(rb'\{"id":([1-9]\d{0,17}),')
OWNER_COLUMNS = ("tournament_id", "organiser_id")
KEY_LIMIT = 2**63
NOTE_FILES_KEPT = 30
"""How many files are kept: a restore can catch up from that many backups back."""

_WRITING = threading.Lock()
"""Held while writing, so that of two long entries neither lands in the middle of the other."""


def note_journal_entry(home: Installation, entry: Mapping[str, Any]) -> None:
    """Append an entry's row. Raises `OSError` if the disk does not take it."""
    # The line break comes first, so a line that was cut off does not spoil the next one.
    line = f"\n{json.dumps(entry, cls=DjangoJSONEncoder, separators=(',', ':'))}".encode("ascii")
    folder = make_private_folder(home.data / NOTES_FOLDER)
    with _WRITING:
        numbers = _list_file_numbers(folder)
        with _get_note_path(folder, numbers[-1] if numbers else 1).open("ab", buffering=0) as file:
            file.write(line)


def start_new_note_file(home: Installation) -> None:
    """After a backup: write into a new file from now on, and delete the oldest."""
    folder = home.data / NOTES_FOLDER
    numbers = _list_file_numbers(folder)
    try:
        if not numbers or not _get_note_path(folder, numbers[-1]).stat().st_size:
            return
        _get_note_path(folder, numbers[-1] + 1).touch(mode=0o600)
        for number in numbers[: 1 - NOTE_FILES_KEPT]:
            _get_note_path(folder, number).unlink(missing_ok=True)
    except OSError:
        return


def copy_notes(folder: Path, target: Path) -> None:
    """Copy a folder's notes to another one, where they are continued. Raises `OSError`."""
    make_private_folder(target)
    for number in _list_file_numbers(folder):
        shutil.copyfile(_get_note_path(folder, number), _get_note_path(target, number))


def read_notes(folder: Path) -> list[dict[str, Any]]:
    """The rows noted in a folder, in the order of their keys; none if there is no such folder.

    Of a line that a crash has cut off only the key is known. Of two rows stored at once the later may come first. Where
    a key comes again with another entry, the database went on from an earlier state: what was noted after that state
    no longer counts.
    """
    found: dict[int, dict[str, Any]] = {}
    for row in _read_rows(folder):
        if found.get(row["id"], row) != row:
            found = {key: kept for key, kept in found.items() if key < row["id"]}
        found[row["id"]] = row
    return [found[key] for key in sorted(found)]


def _read_rows(folder: Path) -> Iterator[dict[str, Any]]:
    for number in _list_file_numbers(folder):
        try:
            lines = _get_note_path(folder, number).read_bytes().split(b"\n")
        except OSError:
            continue
        yield from filter(None, map(_parse_row, lines))


def _parse_row(line: bytes) -> dict[str, Any] | None:
    """A line's row; its key alone if the line is damaged, None if it is no line of ours."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        row = None
    if isinstance(row, dict) and _is_key(row.get("id")) and all(_is_key(row.get(name) or 1) for name in OWNER_COLUMNS):
        return row
    damaged = LINE_START_PATTERN.match(line)
    return {"id": int(damaged[1])} if damaged else None


def _is_key(value: Any) -> bool:
    return type(value) is int and 0 < value < KEY_LIMIT


def _list_file_numbers(folder: Path) -> list[int]:
    try:
        found = [(NOTE_FILE_PATTERN.fullmatch(path.name), path) for path in folder.iterdir()]
        return sorted(int(name[1]) for name, path in found if name and path.is_file())  # no pipe, no device
    except OSError:
        return []


def _get_note_path(folder: Path, number: int) -> Path:
    return folder / f"{number:05}.jsonl"
