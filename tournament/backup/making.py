"""Making a backup: copy the data, check, pack, thin out the older ones, carry it to the second place; and reading one's
manifest again."""

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


def export_backup(backup: Path, target: Path) -> Path:
    """Copy a backup to where somebody wants it; the file there. Raises a `Refusal`; then an older file stays."""
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
"""As `check_copy`."""

REASONS_ALWAYS_MADE = frozenset({BackupReason.BY_HAND, BackupReason.MIGRATION})
"""Made even if nothing has changed since the last one."""


class DataFaulty(Refusal):
    code = "data_faulty"
    message = _("There is a fault in the data, so the last backup does not count: %(fault)s")


@dataclass(frozen=True, slots=True)
class MadeBackup:
    """A finished backup; `not_carried` says why it is not in the second place."""

    name: BackupName
    path: Path
    manifest: BackupManifest
    not_carried: Refusal | None = None


def make_backup(
    home: Installation, reason: BackupReason, *, check: CopyCheck = check_copy, awaits_place: bool = False
) -> MadeBackup | None:
    """Make a backup now; None if nothing has changed since the last one. Raises a `Refusal` with the reason.

    With `awaits_place` the second place has as long as it takes, else `SECOND_PLACE_TIMEOUT_SECONDS`.
    """
    return check_and_pack_copy(home, copy_installation_data(home, reason), check=check, awaits_place=awaits_place)


def copy_installation_data(home: Installation, reason: BackupReason) -> DataCopy:
    """Copy the data as they are now, still to be checked and packed. Takes milliseconds. Raises a `Refusal`."""
    try:
        return take_copy(home, reason)
    except OSError as fault:
        raise make_file_refusal(fault, home.backups) from fault
    except sqlite3.Error as fault:
        raise FolderUnusable(folder=home.database, reason=fault) from fault


def check_and_pack_copy(
    home: Installation, copy: DataCopy, *, check: CopyCheck = check_copy, awaits_place: bool = False
) -> MadeBackup | None:
    """Finish a backup; older ones are deleted only when it is there. Raises a `Refusal`.

    None if nothing has changed, or if a second program on the same folder has packed the copy meanwhile.
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
    # The version that has worked with the data: before a migration that is the previous one.
    program = (read_data_version(home) if copy.reason is BackupReason.MIGRATION else "") or get_version()
    manifest = BackupManifest(timezone.localtime(copy.at), copy.reason, program, copy.engine, content, facts)
    name = _make_next_name(home, manifest)
    path = home.backups / str(name)
    whole = pack_copy(copy, manifest, path)
    start_new_note_file(home)
    state = load_backup_state(home)
    thin_out_backups(home.backups, state.installation)
    refusal = None
    if state.place is not None and name.is_good:
        try:
            seconds = None if awaits_place else SECOND_PLACE_TIMEOUT_SECONDS
            copy_to_second_place(home, state.place, name, seconds=seconds)
        except Refusal as fault:
            refusal = fault
    return MadeBackup(name, path, whole, refusal)


def _list_checked_events(last: BackupManifest | None, copy: DataCopy) -> list[str]:
    """The last backup's events if it is of the same day: a journal that has not grown since need not be replayed."""
    if last is None or timezone.localtime(last.made_at).date() != timezone.localtime(copy.at).date():
        return []
    return [f"{event.slug}:{event.revision}" for event in last.facts.events]


def _make_next_name(home: Installation, manifest: BackupManifest) -> BackupName:
    """A name with a number above all others; those in the second place may be from this machine's previous disk."""
    state = load_backup_state(home)
    elsewhere = list_second_place_backups(state.place) if state.place else []
    known = [name.number for name in [*list_backups(home.backups), *elsewhere]]
    at = timezone.localtime(manifest.made_at).replace(tzinfo=None, microsecond=0)
    return BackupName(max(known, default=0) + 1, at, manifest.reason, state.installation, is_good=manifest.is_good)


def read_last_manifest(home: Installation) -> BackupManifest | None:
    """The last good backup's manifest; None if there is none or it cannot be read."""
    name = find_last_good_name(home.backups)
    return read_backup_manifest(home.backups / str(name)) if name else None


def read_backup_manifest(path: Path) -> BackupManifest | None:
    """A backup's manifest; None if it cannot be read."""
    try:
        with ZipFile(path) as packed:
            return parse_manifest(json.loads(packed.read(MANIFEST_FILE)))
    except (OSError, BadZipFile, KeyError, ValueError, NotAManifest):
        return None
