"""A backup brought back: today's data moved aside, the backup's put in their place, whole or not at all.

First everything is unpacked into a folder of its own, checked, and brought to this version. Then a plan is written;
from that moment on the new data count. Carrying the plan out only moves names, and can be done again from any point:
when the machine goes down in the middle the next start finishes it, and until then nobody can open the database.
"""

import json
import shutil
import sqlite3
import uuid
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.laptop.backup import checking, copying, files, marking, noting, opened_by, postgres, reading
from tournament.laptop.backup.copying import Copy
from tournament.laptop.backup.places import DATABASE, DUMP, ENTERED, FOLDERS, KEY, VERSION, Installation
from tournament.laptop.backup.values import BackupManifest, DataFacts, Engine
from tournament.refusals import Refusal

ASIDE, IN = "aside", "in"
"""The two steps of a plan: today's data are moved aside; the new ones are moved in."""
PREFIX = "restoring-"
FULL = "disk is full"
"""SQLite says so, whoever asks it."""
MOVED = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", f"{DATABASE}-mark", VERSION, ENTERED, *FOLDERS)
"""What is moved aside. The key is copied and replaced: were it missing for a moment, the program would make another."""


class InUse(Refusal):
    code = "in_use"
    message = _(
        "The program is running with these data. Stop it first (Ctrl+C in its window), or restore the backup on its "
        "page “Backups”."
    )


class OtherEngine(Refusal):
    code = "other_engine"
    message = _("“%(file)s” is a backup of %(of)s, and this installation uses %(own)s.")


class BackupFaulty(Refusal):
    code = "data_faulty"
    message = _("“%(file)s” cannot be restored: %(fault)s. Nothing was changed. Please take another backup.")


@dataclass(frozen=True, slots=True)
class RestorePlan:
    """What is still to be done: the folder with the new data, the folder for today's, and the step."""

    new: str
    aside: str
    step: str = ASIDE


@dataclass(frozen=True, slots=True)
class PreparedRestore:
    """A backup unpacked, checked and brought to this version, still beside today's data."""

    folder: Path
    manifest: BackupManifest
    facts: DataFacts


def prepare(home: Installation, path: Path, manifest: BackupManifest, *, is_lost: bool = False) -> PreparedRestore:
    """Unpack and check a backup beside today's data. Raises a `Refusal`; then nothing of it is left.

    `is_lost`: today's database cannot be used; so what was noted beside it since the backup is done again, and the
    photos that came since come along.
    """
    own = Engine.POSTGRESQL if postgres.in_use() else Engine.SQLITE
    if manifest.engine is not own:
        raise OtherEngine(file=path.name, of=manifest.engine, own=own)
    reading.require_known(path, manifest)
    sweep(home)
    folder = home.data / f"{PREFIX}{uuid.uuid4().hex}"
    try:
        folder.mkdir(mode=0o700)
        reading.extract(path, manifest, folder)
        entered = home.data / ENTERED if is_lost and (home.data / ENTERED).is_dir() else None
        if entered is not None:
            _bring_files(home, folder)
        return PreparedRestore(folder, manifest, _checked(path, folder, manifest, entered))
    except OSError as fault:
        shutil.rmtree(folder, ignore_errors=True)
        raise files.refusal(fault, home.data) from fault
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _bring_files(home: Installation, folder: Path) -> None:
    """Give the unpacked data the photos and word lists of today that the backup does not have."""
    for name in FOLDERS:
        for path in (home.data / name).glob("*"):
            if path.is_file() and not (folder / name / path.name).exists():
                (folder / name).mkdir(mode=0o700, exist_ok=True)
                files.link_or_copy(path, folder / name / path.name)


def _checked(path: Path, folder: Path, manifest: BackupManifest, entered: Path | None) -> DataFacts:
    """What is in the unpacked data, once they are of this version. Raises `BackupFaulty` for new faults."""
    if manifest.engine is Engine.POSTGRESQL:
        return manifest.facts
    copy = Copy(folder, manifest.made_at, manifest.reason)
    try:
        facts = checking.run_check(folder, "--update", *(["--entered", str(entered)] if entered else []))
        copying.close(copy)
    except (checking.CheckFailed, sqlite3.Error) as fault:
        raise _faulty(path, folder, str(fault)) from fault
    if facts.faults and not manifest.facts.faults:
        raise _faulty(path, folder, facts.faults[0])
    for left in folder.iterdir():
        if left.name not in (DATABASE, KEY, *FOLDERS):  # what the check's process wrote: its log
            shutil.rmtree(left) if left.is_dir() else left.unlink()
    if entered is not None:
        noting.copy(entered, folder / ENTERED)  # an older backup may be restored once more
    opened_by.note(Installation(folder))
    files.sync_file(copy.database)
    return facts


def _faulty(path: Path, folder: Path, fault: str) -> Refusal:
    """Why a backup is not restored; a full disk is no fault of it."""
    if FULL in fault:
        return files.DiskFull(folder=folder.parent)
    return BackupFaulty(file=path.name, fault=fault)


def put_in_place(home: Installation, prepared: PreparedRestore) -> Path:
    """Move today's data aside and the prepared ones in; the folder where today's are now.

    Nobody may have the database open. Raises `InUse`, or a `Refusal` if the disk does not let us.
    """
    if marking.is_open(home):
        raise InUse
    plan_for(home, prepared)
    aside = carry_out_plan(home)
    assert aside is not None
    return aside


def plan_for(home: Installation, prepared: PreparedRestore) -> None:
    """Decide that the prepared data are to replace today's: nobody opens the database now before `carry_out_plan`."""
    name = f"before-restore-{timezone.localtime():%Y%m%d-%H%M%S}"
    number = 1
    while (home.data / (aside := name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    try:
        files.sync_folder(home.data)
        files.write_json(home.plan, asdict(RestorePlan(prepared.folder.name, aside)))
    except OSError as fault:
        raise files.refusal(fault, home.data) from fault


def carry_out_plan(home: Installation) -> Path | None:
    """Carry a plan out from where it stands; the folder with the data that were moved aside, None without a plan.

    Raises `InUse` where the system does not let open files be moved; then nothing was.
    """
    plan = _plan(home)
    if plan is None:
        return None
    aside, new = home.data / plan.aside, home.data / plan.new
    if plan.step == ASIDE:
        _move_aside(home, aside)
        plan = replace(plan, step=IN)
        files.write_json(home.plan, asdict(plan))
    for path in sorted(new.iterdir()) if new.exists() else ():
        path.replace(home.data / path.name)
    files.sync_folder(home.data)
    home.plan.unlink()
    if new.exists():
        new.rmdir()
    return aside


def _move_aside(home: Installation, aside: Path) -> None:
    aside.mkdir(mode=0o700, exist_ok=True)
    if home.key.exists():
        shutil.copy2(home.key, aside / KEY)
    for name in MOVED:
        try:
            if (home.data / name).exists():
                (home.data / name).rename(aside / name)
        except PermissionError as fault:
            if name != DATABASE:
                raise
            home.plan.unlink()
            raise InUse from fault
    files.sync_folder(aside)
    files.sync_folder(home.data)


def _plan(home: Installation) -> RestorePlan | None:
    try:
        return RestorePlan(**json.loads(home.plan.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None


def sweep(home: Installation) -> None:
    """Remove what was unpacked for a restore that never began."""
    plan = _plan(home)
    for folder in home.data.glob(f"{PREFIX}*"):
        if plan is None or folder.name != plan.new:
            shutil.rmtree(folder, ignore_errors=True)


def replace_postgresql(home: Installation, path: Path, manifest: BackupManifest) -> str:
    """Restore a backup of PostgreSQL; the schema that holds today's data from now on, and the folder for the files.

    Raises a `Refusal`; then everything is as it was.
    """
    prepared = prepare(home, path, manifest)
    schema = f"before_restore_{timezone.localtime():%Y%m%d_%H%M%S}"
    postgres.replace(prepared.folder / DUMP, schema)
    (prepared.folder / DUMP).unlink()
    plan_for(home, prepared)
    return f"{schema}, {carry_out_plan(home)}"
