"""The second place for backups: a stick, another disk, a folder on another machine.

A file of ours lies there. Where it is missing the stick is not plugged in, or another one is: then nothing is written,
and each new backup tries again. A place that does not answer in time is left alone until it has.
"""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.laptop.backup import files, patience, places, thinning
from tournament.laptop.backup.packing import Damaged
from tournament.laptop.backup.patience import patiently
from tournament.laptop.backup.places import BackupName, Installation
from tournament.refusals import Refusal

Found = TypeVar("Found")

SIGN = "tso-backups.txt"
STALE_SECONDS = 24 * 3600
"""After which nobody goes on with what was begun to be copied."""


class NoFolder(Refusal):
    code = "no_folder"
    message = gettext_lazy(
        "“%(folder)s” is not a folder on the machine where the program runs. Write its whole path, such as %(example)s."
    )
    field = "folder"


class OwnFolder(Refusal):
    code = "own_folder"
    message = gettext_lazy("“%(folder)s” lies in the data folder itself: that would be no second place.")
    field = "folder"


class PlaceSilent(Refusal):
    code = "place_silent"
    message = gettext_lazy("“%(folder)s” does not answer. Name another folder, or try again when it does.")
    field = "folder"


class PlaceGone(Refusal):
    code = "place_gone"
    message = gettext_lazy(
        "The second place %(folder)s is not there: is the stick plugged in? The program keeps trying."
    )


def prepare(home: Installation, folder: Path) -> None:
    """Make a folder the second place.

    Raises `NoFolder`, `OwnFolder`, `PlaceSilent`, or what `files` says if it cannot be written.
    """
    text = _("TSO keeps backups in this folder. Please leave this file here: by it the program knows the folder again.")
    try:
        patiently(folder, lambda: _prepare(home, folder, text), seconds=patience.SECONDS)
    except patience.PlaceSlow as late:
        raise PlaceSilent(folder=folder) from late


def _prepare(home: Installation, folder: Path, text: str) -> None:
    if not (folder.is_absolute() and folder.is_dir()):
        raise NoFolder(folder=folder, example=home.data.anchor + str(Path("media", "stick")))
    if folder.resolve().is_relative_to(home.data.resolve()):
        raise OwnFolder(folder=folder)
    try:
        (folder / SIGN).write_text(f"{text}\n", encoding="utf-8")
    except OSError as fault:
        raise files.refusal(fault, folder) from fault


def listed(folder: Path) -> list[BackupName]:
    """The backups in the second place, the newest first; none where it is not there, or does not answer."""
    return found(folder, places.listed)


def found(folder: Path, look: Callable[[Path], list[Found]]) -> list[Found]:
    """What `look` finds in the second place; nothing where it is not there, or does not answer."""
    try:
        return patiently(folder, lambda: look(folder) if _is_there(folder) else [], seconds=patience.SECONDS)
    except patience.PlaceSlow:
        return []


def _is_there(folder: Path) -> bool:
    try:
        return (folder / SIGN).is_file()
    except OSError:
        return False


def carry(home: Installation, folder: Path, name: BackupName, *, seconds: float | None) -> None:
    """Copy a backup there, unless it is there already, and let go what the rule lets go.

    Raises `PlaceGone`, `PlaceSlow` after so many seconds (None: never; what is being copied then goes on), or what
    `files` says.
    """
    patiently(folder, lambda: _carry(home, folder, name), seconds=seconds)


def _carry(home: Installation, folder: Path, name: BackupName) -> None:
    if not _is_there(folder):
        raise PlaceGone(folder=folder)
    try:
        if not (folder / str(name)).exists():
            _sweep(folder, name.installation)
            _copy(home.backups / str(name), folder / str(name))
            thin_out(folder, name.installation)
    except OSError as fault:
        raise files.refusal(fault, folder) from fault


def _sweep(folder: Path, installation: str) -> None:
    """Remove what is left of copies in whose middle the stick was taken out: each takes the room of a backup."""
    for left in folder.glob(f"tso-{installation}-*.zip.part"):
        if abs(time.time() - left.stat().st_mtime) > STALE_SECONDS:
            left.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    """Copy aside, read it again, and only then give it its name."""
    part = target.with_name(f"{target.name}.part")
    files.require_room_there(target.parent, source.stat().st_size)
    try:
        shutil.copyfile(source, part)
        files.sync_file(part)
        with source.open("rb") as original, part.open("rb") as copy:
            if files.sha256_of(original) != files.sha256_of(copy):
                raise Damaged(0, f"{target.name} ≠")
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    files.sync_folder(target.parent)


def thin_out(folder: Path, installation: str) -> None:
    """Let go what the rule lets go of an installation's backups in a folder. Raises `OSError`."""
    own = [name for name in places.listed(folder) if name.installation == installation]
    sizes = {name: (folder / str(name)).stat().st_size for name in own}
    for name in thinning.superfluous(own, sizes):
        (folder / str(name)).unlink(missing_ok=True)
