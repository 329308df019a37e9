"""The second place for backups: a stick, another disk, a folder on another machine.

A file of ours lies there. Where it is missing the stick is not plugged in, or another one is: then nothing is written,
and each new backup tries again.
"""

import shutil
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.laptop.backup import files, keeping, places
from tournament.laptop.backup.packing import Damaged
from tournament.laptop.backup.places import BackupName, Installation
from tournament.refusals import Refusal

SIGN = "tso-backups.txt"


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


class PlaceGone(Refusal):
    code = "place_gone"
    message = gettext_lazy(
        "The second place %(folder)s is not there: is the stick plugged in? The program keeps trying."
    )


def prepare(home: Installation, folder: Path) -> None:
    """Make a folder the second place. Raises `NoFolder`, `OwnFolder`, or what `files` says if it cannot be written."""
    if not (folder.is_absolute() and folder.is_dir()):
        raise NoFolder(folder=folder, example=home.data.anchor + str(Path("media", "stick")))
    if folder.resolve().is_relative_to(home.data.resolve()):
        raise OwnFolder(folder=folder)
    text = _("TSO keeps backups in this folder. Please leave this file here: by it the program knows the folder again.")
    try:
        (folder / SIGN).write_text(f"{text}\n", encoding="utf-8")
    except OSError as fault:
        raise files.refusal(fault, folder) from fault


def is_there(folder: Path) -> bool:
    """Whether the second place can be used now."""
    try:
        return (folder / SIGN).is_file()
    except OSError:
        return False


def carry(home: Installation, folder: Path, name: BackupName) -> None:
    """Copy a backup there, unless it is there already, and let go what the rule lets go.

    Raises `PlaceGone`, or what `files` says.
    """
    if not is_there(folder):
        raise PlaceGone(folder=folder)
    try:
        if not (folder / str(name)).exists():
            _copy(home.backups / str(name), folder / str(name))
            thin_out(folder, name.installation)
    except OSError as fault:
        raise files.refusal(fault, folder) from fault


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
    for name in keeping.superfluous(own, sizes):
        (folder / str(name)).unlink(missing_ok=True)
