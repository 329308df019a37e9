"""Which version of the program has worked with the data last: an older one must not go on with them.

Migrations tell that only where a version has brought some. A version may also write into rows what an older one cannot
read; so the first two figures count. A third one only mends, and may be taken back.
"""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.laptop.backup import files, health, making, places
from tournament.laptop.backup.places import BackupName, Installation
from tournament.laptop.version import figures, is_newer, version
from tournament.refusals import Refusal
from tournament.words import backups as words


class DataNewer(Refusal):
    """A newer version has worked with the data; `names` says what of it was found."""

    code = "data_newer"
    message = gettext_lazy(
        "A newer version of the program has worked with these data (%(names)s); this is version %(own)s. Please start "
        "the newer one. Nothing was changed. %(way)s"
    )

    def __init__(self, home: Installation, *, names: str) -> None:
        super().__init__(names=names, own=version(), way=way_back(home))


def require_not_newer(home: Installation) -> None:
    """Raise `DataNewer` if a newer version has worked with the data."""
    if is_newer(noted := places.last_version(home)):
        raise DataNewer(home, names=noted)


def is_older(home: Installation) -> bool:
    """Whether an older version is known to have worked with the data last: they are saved before this one does."""
    noted = places.last_version(home)
    return bool(noted) and figures(noted) < figures(version())


def note(home: Installation) -> None:
    """From now on this version works with the data. Raises `OSError`."""
    if places.last_version(home) != version():
        files.write_json(home.version, {"version": version()})


def way_back(home: Installation) -> str:
    """Which backup this version can read, and the command that restores it; that there is none."""
    name = last_readable(home)
    if name is None:
        return _("There is no backup in %(folder)s that this version can read.") % {"folder": home.backups}
    command = health.command("restore", home.backups / str(name))
    said = _("If the older one is meant to go on: the backup from %(at)s is the last that it can read: %(command)s")
    return said % {"at": words.clock(name.at), "command": command}


def last_readable(home: Installation) -> BackupName | None:
    """The newest good backup that no newer version has made."""
    good = (name for name in places.listed(home.backups) if name.is_good)
    return next((name for name in good if _is_readable(home, name)), None)


def _is_readable(home: Installation, name: BackupName) -> bool:
    manifest = making.read_manifest(home.backups / str(name))
    return manifest is not None and not is_newer(manifest.program)
