"""The website of an event kept up to date in a folder: each file is written whole or not at all, and only if it has
changed. A folder that is full or gone is told and tried again. The program may be cut off at any moment: each file is
noted before it is written, and what is noted is looked at again next time."""

import hashlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

from tournament.backup.files import make_file_refusal, sync_folder, write_json
from tournament.basics.refusals import Refusal
from tournament.core.public_view import get_public_view
from tournament.files.website import make_website_files
from tournament.mirror.operations import MANIFEST_NAME, FolderMissing, require_own_folder
from tournament.models import Tournament, WebsiteFolder

EVERY_SECONDS = 10.0  # between two looks that write, at least
SHARE = 5  # writing takes at most one second in this many: a large event has thousands of pages
FIRST_PAUSE, LONGEST_PAUSE = 10.0, 60.0

WRITING_NAME = ".tso-website-writing.txt"
"""The files that are being written, one a line, until the list of all is written again. It is there only if the program
was cut off: then nobody knows what these files hold."""


@dataclass(frozen=True, slots=True)
class WrittenWebsite:
    """What was done in a folder: how many files the website has, how many were written, how many removed."""

    files: int
    written: int
    removed: int

    @property
    def has_changed(self) -> bool:
        return bool(self.written or self.removed)


def write_website_folder(tournament: Tournament, folder: Path) -> WrittenWebsite:
    """Make the folder hold the website of an event; nothing but a list of our own files if it is hidden. Raises
    `FolderMissing`, `folder_filled`, or another `Refusal` if the system will not write."""
    if not folder.is_dir():
        raise FolderMissing(path=folder)
    require_own_folder(folder)
    try:
        return _write_files(tournament, folder)
    except OSError as fault:
        raise make_file_refusal(fault, folder) from fault


def _write_files(tournament: Tournament, folder: Path) -> WrittenWebsite:
    manifest = folder / MANIFEST_NAME
    # The unfinished ones last: whatever the list says of them, nobody knows what they hold, so each is written again.
    before = _read_manifest(manifest) | _list_unfinished(folder)
    if not manifest.exists():
        write_json(manifest, {})
    now: dict[str, str] = {}
    written = 0
    for name, content in make_website_files(tournament) if tournament.is_public else ():
        now[name] = hashlib.sha256(content).hexdigest()
        path = folder / name
        if before.get(name) != now[name] or not path.exists():
            # On the disk before the file itself is touched: a name that was not noted would be taken for what the list
            # says of it.
            with (folder / WRITING_NAME).open("a", encoding="utf-8") as file:
                file.write(f"{name}\n")
                file.flush()
                os.fsync(file.fileno())
            replace_file(path, content)
            written += 1
    gone = before.keys() - now.keys()
    for name in gone:
        (folder / name).unlink(missing_ok=True)
    if before != now:
        write_json(manifest, now)
    (folder / WRITING_NAME).unlink(missing_ok=True)
    return WrittenWebsite(len(now), written, len(gone))


def _read_manifest(manifest: Path) -> dict[str, str]:
    """The digests of the files that we wrote, by name; without the names that lead elsewhere."""
    try:
        value = json.loads(manifest.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    named = value.items() if isinstance(value, dict) else ()
    return {name: str(digest) for name, digest in named if _is_inside(name)}


# The list lies in a folder that others may write to: by a name with `..` the program would delete or overwrite files
# elsewhere.
def _is_inside(name: str) -> bool:
    return ".." not in Path(name).parts and not Path(name).is_absolute()


def _list_unfinished(folder: Path) -> dict[str, str]:
    """The files that were being written when the program was cut off, as files of unknown content; what was written of
    them beside their places is removed."""
    try:
        noted = (folder / WRITING_NAME).read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return {}
    names = [name for name in noted if name and _is_inside(name)]
    for name in names:
        _find_beside(folder / name).unlink(missing_ok=True)
    return dict.fromkeys(names, "")


def _find_beside(path: Path) -> Path:
    """Where a file is written before it is put in its place."""
    return path.with_name(f"{path.name}.new")


def replace_file(path: Path, content: bytes) -> None:
    """Write a file beside its place, see it on the disk, and put it there in one step."""
    path.parent.mkdir(exist_ok=True)
    beside = _find_beside(path)
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    sync_folder(path.parent)


@dataclass(slots=True)
class FolderFollower:
    """Keeps one folder up to date, and says how things stand. Times are monotonic but `written_at`."""

    seen: str = ""
    written_at: float | None = None
    files: int = 0
    next_at: float = 0.0
    failures: int = 0
    fault: Refusal | None = None

    def look(self, row: WebsiteFolder) -> WrittenWebsite | None:
        """Write what has changed, if anything has and its time has come. Never raises a `Refusal`: see `fault`."""
        if time.monotonic() < self.next_at:
            return None
        tournament, folder = row.tournament, Path(row.path)
        state = get_public_view(tournament).state if tournament.is_public else "hidden"
        # Although nothing is new: a stick that was exchanged, or a folder that was emptied, gets all of it again.
        if state == self.seen and self.fault is None and (folder / MANIFEST_NAME).exists():
            return None
        begun = time.monotonic()
        try:
            written = write_website_folder(tournament, folder)
        except Refusal as refusal:
            self.failures += 1
            self.fault = refusal
            # The exponent is bounded: after a day without the stick the power would be too large for a float.
            self.next_at = time.monotonic() + min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(self.failures - 1, 10))
            return None
        self.seen, self.written_at, self.files = state, time.time(), written.files
        self.failures, self.fault = 0, None
        self.next_at = time.monotonic() + max(EVERY_SECONDS, SHARE * (time.monotonic() - begun))
        return written

    @property
    def waits(self) -> int:
        """Seconds until the next try."""
        return max(0, round(self.next_at - time.monotonic()))
