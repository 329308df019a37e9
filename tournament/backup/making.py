"""A backup made: the data copied, checked, packed, carried to the second place, older ones thinned out by the rule."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.backup.copying import DataCopy, check_copy, delete_copy, fingerprint_copy, pack_copy, take_copy
from tournament.backup.files import FolderUnusable, make_file_refusal, sync_file
from tournament.backup.noting import start_new_note_file
from tournament.backup.places import (
    MANIFEST_FILE,
    BackupName,
    Installation,
    find_last_good_name,
    list_backups,
    load_backup_state,
    read_data_version,
)
from tournament.backup.second_place import (
    SECOND_PLACE_TIMEOUT_SECONDS,
    copy_to_second_place,
    list_second_place_backups,
    thin_out_backups,
)
from tournament.backup.values import BackupManifest, BackupReason, DataFacts, NotAManifest, parse_manifest
from tournament.basics.refusals import Refusal
from tournament.basics.version import get_version

# A backup's file copied to where somebody wants it.


def export_backup(backup: Path, target: Path) -> Path:
    """Copy a backup by way of another file beside the target. Raises a `Refusal`; a file that was there stays then."""
    if target.is_dir():
        target /= backup.name
    part = target.with_name(f"{target.name}.part")
    try:
        shutil.copyfile(backup, part)
        part.chmod(0o600)
        sync_file(part)
        part.replace(target)
    except OSError as fault:
        raise make_file_refusal(fault, target.parent) from fault
    finally:
        part.unlink(missing_ok=True)
    return target


CopyCheck = Callable[..., DataFacts]
"""As `checking.check`."""

REASONS_ALWAYS_MADE = frozenset({BackupReason.BY_HAND, BackupReason.MIGRATION})
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


def make_backup(
    home: Installation, reason: BackupReason, *, check: CopyCheck = check_copy, awaits_place: bool = False
) -> MadeBackup | None:
    """Make a backup now; None if the last one holds the same. Raises a `Refusal` that says why there is none.

    With `awaits_place` the second place has as long as it takes, else as long as `patience` says.
    """
    return check_and_pack_copy(home, copy_installation_data(home, reason), check=check, awaits_place=awaits_place)


def copy_installation_data(home: Installation, reason: BackupReason) -> DataCopy:
    """The data as they are now, still to be finished. Takes milliseconds. Raises a `Refusal`."""
    try:
        return take_copy(home, reason)
    except OSError as fault:
        raise make_file_refusal(fault, home.backups) from fault
    except sqlite3.Error as fault:
        raise FolderUnusable(folder=home.database, reason=fault) from fault


def check_and_pack_copy(
    home: Installation, copy: DataCopy, *, check: CopyCheck = check_copy, awaits_place: bool = False
) -> MadeBackup | None:
    """Check and pack a copy. Nothing older goes before the new one is there. Raises a `Refusal`.

    None, too, where a second program that runs on the same folder has packed the copy meanwhile.
    """
    try:
        return _finish_backup(home, copy, check, awaits_place)
    except (OSError, sqlite3.Error) as fault:
        if not copy.folder.exists():
            return None
        if isinstance(fault, OSError):
            raise make_file_refusal(fault, home.backups) from fault
        raise FolderUnusable(folder=copy.database, reason=fault) from fault
    finally:
        delete_copy(copy)


def _finish_backup(home: Installation, copy: DataCopy, check: CopyCheck, awaits_place: bool) -> MadeBackup | None:
    content = fingerprint_copy(copy)
    last = read_last_manifest(home)
    if last is not None and last.content == content and copy.reason not in REASONS_ALWAYS_MADE:
        return None
    facts = check(copy, known=_list_checked_events(last, copy), journals=copy.reason is not BackupReason.MIGRATION)
    manifest = BackupManifest(
        timezone.localtime(copy.at), copy.reason, _get_program_version(home, copy.reason), copy.engine, content, facts
    )
    name = _make_next_name(home, manifest)
    path = home.backups / str(name)
    whole = pack_copy(copy, manifest, path)
    start_new_note_file(home)
    remembered = load_backup_state(home)
    thin_out_backups(home.backups, remembered.installation)
    return MadeBackup(name, path, whole, _copy_to_second_place(home, remembered.place, name, awaits_place))


def _get_program_version(home: Installation, reason: BackupReason) -> str:
    """The version that has worked with the data: before a migration that is the one before."""
    return (read_data_version(home) if reason is BackupReason.MIGRATION else "") or get_version()


def _list_checked_events(last: BackupManifest | None, copy: DataCopy) -> list[str]:
    """The events whose journals were replayed for the last backup of the same day and have not changed since."""
    if last is None or timezone.localtime(last.made_at).date() != timezone.localtime(copy.at).date():
        return []
    return [f"{event.slug}:{event.revision}" for event in last.facts.events]


def _make_next_name(home: Installation, manifest: BackupManifest) -> BackupName:
    """A number above all that are there, in the second place, too: it may have come from this machine's last disk."""
    remembered = load_backup_state(home)
    elsewhere = list_second_place_backups(remembered.place) if remembered.place else []
    known = [name.number for name in [*list_backups(home.backups), *elsewhere]]
    at = timezone.localtime(manifest.made_at).replace(tzinfo=None, microsecond=0)
    return BackupName(max(known, default=0) + 1, at, manifest.reason, remembered.installation, is_good=manifest.is_good)


def _copy_to_second_place(
    home: Installation, place: Path | None, name: BackupName, awaits_place: bool
) -> Refusal | None:
    """Why a backup is not in the second place; None if it is, or if none is named."""
    if place is None or not name.is_good:
        return None
    try:
        copy_to_second_place(home, place, name, seconds=None if awaits_place else SECOND_PLACE_TIMEOUT_SECONDS)
    except Refusal as refusal:
        return refusal
    return None


def read_last_manifest(home: Installation) -> BackupManifest | None:
    """What the last good backup says about itself; None if there is none, or if it cannot be read any more."""
    name = find_last_good_name(home.backups)
    return read_backup_manifest(home.backups / str(name)) if name else None


def read_backup_manifest(path: Path) -> BackupManifest | None:
    """What a backup says about itself; None if it cannot be read."""
    try:
        with ZipFile(path) as packed:
            return parse_manifest(json.loads(packed.read(MANIFEST_FILE)))
    except (OSError, BadZipFile, KeyError, ValueError, NotAManifest):
        return None
