"""A backup made: the data copied, checked, packed, carried to the second place, older ones thinned out by the rule."""

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.laptop.backup import checking, copying, files, noting, packing, patience, places, second_place, state
from tournament.laptop.backup.copying import Copy
from tournament.laptop.backup.places import MANIFEST, BackupName, Installation
from tournament.laptop.backup.values import BackupManifest, BackupReason, DataFacts, NotAManifest, manifest_from
from tournament.laptop.version import version
from tournament.refusals import Refusal

Check = Callable[..., DataFacts]
"""As `checking.check`."""

ASKED = frozenset({BackupReason.BY_HAND, BackupReason.MIGRATION})
"""These are made although the last one holds the same."""


class DataFaulty(Refusal):
    code = "data_faulty"
    message = _("There is a fault in the data, so the last backup does not count: %(fault)s")


@dataclass(frozen=True, slots=True)
class MadeBackup:
    """A backup that counts; `not_carried` says why it is not in the second place."""

    name: BackupName
    path: Path
    manifest: BackupManifest
    not_carried: Refusal | None = None


def make(
    home: Installation, reason: BackupReason, *, check: Check = checking.check, awaits_place: bool = False
) -> MadeBackup | None:
    """Make a backup now; None if the last one holds the same. Raises a `Refusal` that says why there is none.

    With `awaits_place` the second place has as long as it takes, else as long as `patience` says.
    """
    return check_and_pack(home, copy_data(home, reason), check=check, awaits_place=awaits_place)


def copy_data(home: Installation, reason: BackupReason) -> Copy:
    """The data as they are now, still to be finished. Takes milliseconds. Raises a `Refusal`."""
    try:
        return copying.take(home, reason)
    except OSError as fault:
        raise files.refusal(fault, home.backups) from fault
    except sqlite3.Error as fault:
        raise files.NotKept(folder=home.database, reason=fault) from fault


def check_and_pack(
    home: Installation, copy: Copy, *, check: Check = checking.check, awaits_place: bool = False
) -> MadeBackup | None:
    """Check and pack a copy. Nothing older goes before the new one is there. Raises a `Refusal`.

    None, too, where a second program that runs on the same folder has packed the copy meanwhile.
    """
    try:
        return _finish(home, copy, check, awaits_place)
    except (OSError, sqlite3.Error) as fault:
        if not copy.folder.exists():
            return None
        if isinstance(fault, OSError):
            raise files.refusal(fault, home.backups) from fault
        raise files.NotKept(folder=copy.database, reason=fault) from fault
    finally:
        copying.drop(copy)


def _finish(home: Installation, copy: Copy, check: Check, awaits_place: bool) -> MadeBackup | None:
    content = copying.content_of(copy)
    last = last_manifest(home)
    if last is not None and last.content == content and copy.reason not in ASKED:
        return None
    facts = check(copy, known=_checked(last, copy), journals=copy.reason is not BackupReason.MIGRATION)
    manifest = BackupManifest(
        timezone.localtime(copy.at), copy.reason, _program(home, copy.reason), copy.engine, content, facts
    )
    name = _next_name(home, manifest)
    path = home.backups / str(name)
    whole = packing.pack(copy, manifest, path)
    noting.begin_new(home)
    remembered = state.load(home)
    second_place.thin_out(home.backups, remembered.installation)
    return MadeBackup(name, path, whole, _carried(home, remembered.place, name, awaits_place))


def _program(home: Installation, reason: BackupReason) -> str:
    """The version that has worked with the data: before a migration that is the one before."""
    return (places.last_version(home) if reason is BackupReason.MIGRATION else "") or version()


def _checked(last: BackupManifest | None, copy: Copy) -> list[str]:
    """The events whose journals were replayed for the last backup of the same day and have not changed since."""
    if last is None or timezone.localtime(last.made_at).date() != timezone.localtime(copy.at).date():
        return []
    return [f"{event.slug}:{event.revision}" for event in last.facts.events]


def _next_name(home: Installation, manifest: BackupManifest) -> BackupName:
    """A number above all that are there, in the second place, too: it may have come from this machine's last disk."""
    remembered = state.load(home)
    elsewhere = second_place.listed(remembered.place) if remembered.place else []
    known = [name.number for name in [*places.listed(home.backups), *elsewhere]]
    at = timezone.localtime(manifest.made_at).replace(tzinfo=None, microsecond=0)
    return BackupName(max(known, default=0) + 1, at, manifest.reason, remembered.installation, is_good=manifest.is_good)


def _carried(home: Installation, place: Path | None, name: BackupName, awaits_place: bool) -> Refusal | None:
    """Why a backup is not in the second place; None if it is, or if none is named."""
    if place is None or not name.is_good:
        return None
    try:
        second_place.carry(home, place, name, seconds=None if awaits_place else patience.SECONDS)
    except Refusal as refusal:
        return refusal
    return None


def last_manifest(home: Installation) -> BackupManifest | None:
    """What the last good backup says about itself; None if there is none, or if it cannot be read any more."""
    name = places.last_good(home.backups)
    return read_manifest(home.backups / str(name)) if name else None


def read_manifest(path: Path) -> BackupManifest | None:
    """What a backup says about itself; None if it cannot be read."""
    try:
        with ZipFile(path) as packed:
            return manifest_from(json.loads(packed.read(MANIFEST)))
    except (OSError, BadZipFile, KeyError, ValueError, NotAManifest):
        return None
