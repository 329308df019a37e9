"""A newer version in a folder of its own takes over the data of the one beside it. They are copied, before anything of
the new folder is made: the old folder stays as it is and is the way back. Needs no settings, as these make a key."""

import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

from tournament.backup.health import is_database_open
from tournament.backup.places import Installation, find_last_write_time, read_data_version
from tournament.basics.program import START_FILE, find_data_folder, find_folder_beside
from tournament.basics.version import is_newer_version

START_FILES = ("TSO starten.*", "tso.py")
"""By one of these a folder shows that it is ours."""


def take_over_older_data() -> None:
    """Copy the data that were used last of the folders beside ours, if ours has none yet, and say so. Ends the program
    if they cannot be copied whole: an empty new version would look as if they were lost."""
    beside = find_folder_beside()
    if START_FILE not in os.environ or os.environ.get("TSO_DATA") or beside is None:
        return
    # Only into an empty folder, and only where the data would lie: a second start must not bring the old state back
    # over the new one.
    if find_data_folder() != beside or any(beside.iterdir()):
        return
    if (data := find_older_data(beside.parent)) is None:
        return
    if is_database_open(data):
        end(
            f"Die ältere Version in {data.data.parent} läuft noch. Bitte erst dort beenden, dann hier starten.",
            f"The older version in {data.data.parent} is still running. Please stop it there first, then start here.",
            f"De oudere versie in {data.data.parent} draait nog. Stop die eerst, start daarna hier.",
        )
    try:
        copy_data(data.data, beside)
    except OSError as fault:
        end(
            f"Die Daten in {data.data} lassen sich nicht übernehmen ({fault}).",
            f"The data in {data.data} cannot be taken over ({fault}).",
            f"De gegevens in {data.data} kunnen niet worden overgenomen ({fault}).",
        )
    print_sentences(
        f"Die Daten aus {data.data.parent} sind übernommen. Dort bleibt alles, wie es ist: Es ist der Weg zurück.",
        f"The data of {data.data.parent} have been taken over. All stays there as it is: it is the way back.",
        f"De gegevens van {data.data.parent} zijn overgenomen. Daar blijft alles zoals het is: het is de weg terug.",
    )


def find_older_data(folder: Path) -> Installation | None:
    """The data of a folder beside this one that were written last, and not by a version that is newer than this."""
    homes = [
        Installation(place / "data")
        for place in folder.parent.iterdir()
        if place != folder and any(next(place.glob(pattern), None) for pattern in START_FILES)
    ]
    usable = [home for home in homes if home.database.is_file() and not is_newer_version(read_data_version(home))]
    return max(usable, key=find_last_write_time, default=None)


def copy_data(source: Path, target: Path) -> None:
    """Copy a data folder, all of it or nothing, unless another start does so meanwhile. Raises `OSError`."""
    part = Path(tempfile.mkdtemp(prefix=f"{target.name}.part-", dir=target.parent))
    try:
        # The "-shm" is left out: SQLite makes it anew.
        shutil.copytree(source, part, ignore=shutil.ignore_patterns("*-shm"), dirs_exist_ok=True)
        # Of two starts at once the slower one found the folder gone for a moment and gave up, or cleared the winner's
        # copy away. So each copies under a name of its own, and the renaming decides.
        with contextlib.suppress(OSError):  # Windows moves nothing onto a folder; where data are, they stay
            target.rmdir()
        part.rename(target)
    except OSError:
        shutil.rmtree(part, ignore_errors=True)
        if not Installation(target).database.is_file():
            raise
        return
    for leftover in target.parent.glob(f"{target.name}.part*"):  # of starts that were cut short, or come too late
        shutil.rmtree(leftover, ignore_errors=True)


def print_sentences(*sentences: str) -> None:
    """Print in every language, as nobody has chosen one yet."""
    sys.stdout.write("".join(f"{sentence}\n" for sentence in sentences))
    sys.stdout.flush()


def end(*sentences: str) -> NoReturn:
    sys.exit("\n".join(sentences))
