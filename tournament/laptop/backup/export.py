"""A backup's file copied to where somebody wants it."""

import shutil
from pathlib import Path

from tournament.laptop.backup import files


def save(backup: Path, target: Path) -> Path:
    """Copy a backup by way of another file beside the target. Raises a `Refusal`; a file that was there stays then."""
    if target.is_dir():
        target /= backup.name
    part = target.with_name(f"{target.name}.part")
    try:
        shutil.copyfile(backup, part)
        part.chmod(0o600)
        files.sync_file(part)
        part.replace(target)
    except OSError as fault:
        raise files.refusal(fault, target.parent) from fault
    finally:
        part.unlink(missing_ok=True)
    return target
