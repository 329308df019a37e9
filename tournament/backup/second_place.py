"""The second place for backups (a stick, another disk, a folder on another machine), and which backups are kept. A file
of ours lies there. Where it is missing the stick is not plugged in, or another one is: then nothing is written, and
each new backup tries again. A place that does not answer in time is left alone until it has answered."""

import hashlib
import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.backup.files import FileDamaged, make_file_refusal, require_room_in_second_place, sync_file, sync_folder
from tournament.backup.places import BackupName, BackupReason, Installation, list_backups
from tournament.basics.refusals import Refusal

SECOND_PLACE_TIMEOUT_SECONDS = 15.0  # seconds to wait for an answer

Answer = TypeVar("Answer")
_late: dict[Path, Future[Any]] = {}  # answers that have not come in time, by folder


class SecondPlaceSlow(Refusal, code="place_slow"):
    message = gettext_lazy(
        "The second place %(folder)s is slow, or does not answer: the newest backup may not be there yet. The program "
        "keeps trying; backups on this machine continue."
    )


def call_with_timeout(folder: Path, ask: Callable[[], Answer], *, seconds: float | None) -> Answer:
    """What `ask` returns or raises about this folder, called in a thread of its own; None: wait as long as it takes. So
    neither backups nor pages wait for a slow stick or a share that is gone. Raises `SecondPlaceSlow` if it takes
    longer, and at once while an earlier call has no answer. A late call goes on, even when the program ends."""
    if folder in _late and not _late[folder].done():
        raise SecondPlaceSlow(folder=folder)
    caller = ThreadPoolExecutor(1, "second place")
    answer = caller.submit(ask)
    caller.shutdown(wait=False)
    try:
        return answer.result(seconds)
    except TimeoutError as fault:
        if answer.done():  # a share raises `TimeoutError`, too
            raise
        _late[folder] = answer
        raise SecondPlaceSlow(folder=folder) from fault


# Which backups are kept: all of today, then the last of each day, then the last of each month.
# Only days with backups count, and the order is that of their numbers: a clock that is wrong for an hour costs nothing.

NEWEST_KEPT = 20  # how many of the newest are kept whatever their time says
DAYS_KEPT = 30
MOST_BYTES = 4 * 1024**3  # beyond this the oldest that the clock made go, before the disk is full
ORDINARY_REASONS = frozenset(
    {BackupReason.SCHEDULE, BackupReason.START, BackupReason.STOP, BackupReason.ROUND_CLOSED, BackupReason.UNDO}
)
"""One of these a day is enough once the day is over; those made before a step are kept for `DAYS_KEPT`."""


def find_superfluous_backups(
    backups: Iterable[BackupName], sizes: Mapping[BackupName, int] | None = None
) -> list[BackupName]:
    """The backups that may go. Doubtful ones never take the place of good ones; the last good one always stays."""
    found = sorted(backups, reverse=True)
    good = [each for each in found if each.is_good]
    kept = _choose_kept_backups(good) | _choose_kept_backups([each for each in found if not each.is_good])
    kept -= _choose_over_limit([each for each in found if each in kept], sizes or {})
    return [each for each in found if each not in kept]


def _choose_kept_backups(newest_first: Sequence[BackupName]) -> set[BackupName]:
    days: dict[object, list[BackupName]] = {}
    months: dict[object, BackupName] = {}
    for each in newest_first:
        days.setdefault(each.at.date(), []).append(each)
        months.setdefault((each.at.year, each.at.month), each)
    kept = {*newest_first[:NEWEST_KEPT], *months.values()}
    for number, of_day in enumerate(list(days.values())[:DAYS_KEPT]):
        kept.add(of_day[0])
        kept.update(each for each in of_day if number == 0 or each.reason not in ORDINARY_REASONS)
    return kept


def _choose_over_limit(newest_first: Sequence[BackupName], sizes: Mapping[BackupName, int]) -> set[BackupName]:
    """Backups made by the clock, the oldest first, that must go for the rest to fit into `MOST_BYTES`."""
    total = sum(sizes.get(each, 0) for each in newest_first)
    going: set[BackupName] = set()
    for each in reversed(newest_first[NEWEST_KEPT:]):
        if total <= MOST_BYTES:
            break
        if each.reason is BackupReason.SCHEDULE:
            going.add(each)
            total -= sizes.get(each, 0)
    return going


SIGN_FILE = "tso-backups.txt"
STALE_PART_SECONDS = 24 * 3600  # seconds after which a half-copied file is given up


class NotAFolder(Refusal, code="no_folder", field="folder"):
    message = gettext_lazy(
        "“%(folder)s” is not a folder on the machine where the program runs. Enter its full path, such as %(example)s."
    )


class FolderInsideData(Refusal, code="own_folder", field="folder"):
    message = gettext_lazy("“%(folder)s” is inside the data folder, so it would not be a second place.")


class SecondPlaceSilent(Refusal, code="place_silent", field="folder"):
    message = gettext_lazy("“%(folder)s” does not answer. Name another folder, or try again when it does.")


class SecondPlaceMissing(Refusal, code="place_gone"):
    message = gettext_lazy(
        "The second place %(folder)s is not there: is the stick plugged in? The program keeps trying."
    )


def prepare_second_place(home: Installation, folder: Path) -> None:
    """Make a folder the second place. Raises `NotAFolder`, `FolderInsideData`, `SecondPlaceSilent`, or as
    `make_file_refusal` if it cannot be written."""
    text = _("TSO keeps backups in this folder. Please leave this file here: the program recognises the folder by it.")
    try:
        call_with_timeout(folder, lambda: _prepare_folder(home, folder, text), seconds=SECOND_PLACE_TIMEOUT_SECONDS)
    except SecondPlaceSlow as late:
        raise SecondPlaceSilent(folder=folder) from late


def _prepare_folder(home: Installation, folder: Path, text: str) -> None:
    if not (folder.is_absolute() and folder.is_dir()):
        raise NotAFolder(folder=folder, example=home.data.anchor + str(Path("media", "stick")))
    if folder.resolve().is_relative_to(home.data.resolve()):
        raise FolderInsideData(folder=folder)
    try:
        (folder / SIGN_FILE).write_text(f"{text}\n", encoding="utf-8")
    except OSError as fault:
        raise make_file_refusal(fault, folder) from fault


def list_second_place_backups(folder: Path) -> list[BackupName]:
    """The backups in the second place, the newest first; none where it is not there, or does not answer."""
    return find_in_second_place(folder, list_backups)


def find_in_second_place(folder: Path, look: Callable[[Path], list[Answer]]) -> list[Answer]:
    """What `look` finds in the second place; nothing where it is not there, or does not answer."""
    try:
        return call_with_timeout(
            folder, lambda: look(folder) if _has_sign(folder) else [], seconds=SECOND_PLACE_TIMEOUT_SECONDS
        )
    except SecondPlaceSlow:
        return []


def _has_sign(folder: Path) -> bool:
    try:
        return (folder / SIGN_FILE).is_file()
    except OSError:
        return False


def copy_to_second_place(home: Installation, folder: Path, name: BackupName, *, seconds: float | None) -> None:
    """Copy a backup there unless it is there already, then delete what the rule lets go. Raises `SecondPlaceMissing`,
    `SecondPlaceSlow` after so many seconds (None: never; the copying goes on then), or as `make_file_refusal`."""
    call_with_timeout(folder, lambda: _copy_backup(home, folder, name), seconds=seconds)


def _copy_backup(home: Installation, folder: Path, name: BackupName) -> None:
    if not _has_sign(folder):
        raise SecondPlaceMissing(folder=folder)
    try:
        if not (folder / str(name)).exists():
            for left in folder.glob(f"tso-{name.installation}-*.zip.part"):  # the stick was pulled out
                if abs(time.time() - left.stat().st_mtime) > STALE_PART_SECONDS:
                    left.unlink(missing_ok=True)
            _copy_and_verify(home.backups / str(name), folder / str(name))
            thin_out_backups(folder, name.installation)
    except OSError as fault:
        raise make_file_refusal(fault, folder) from fault


def _copy_and_verify(source: Path, target: Path) -> None:
    """Copy to a file beside the target, read it back, and only then give it its name."""
    part = target.with_name(f"{target.name}.part")
    require_room_in_second_place(target.parent, source.stat().st_size)
    try:
        shutil.copyfile(source, part)
        sync_file(part)
        with source.open("rb") as original, part.open("rb") as copy:
            if hashlib.file_digest(original, "sha256").digest() != hashlib.file_digest(copy, "sha256").digest():
                raise FileDamaged(0, f"{target.name} ≠")
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(target.parent)


def thin_out_backups(folder: Path, installation: str) -> None:
    """Delete the superfluous backups of an installation in a folder. Raises `OSError`."""
    own = [name for name in list_backups(folder) if name.installation == installation]
    for name in find_superfluous_backups(own, {name: (folder / str(name)).stat().st_size for name in own}):
        (folder / str(name)).unlink(missing_ok=True)
