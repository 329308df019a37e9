"""Keep what this version leaves behind, so that every later one is tested on it.

    python -m tests.releases.keep

writes `tests/releases/<version>/`: a data folder with a small event of made-up names, a backup, a tournament file, an
archive, what the commands say about the event, and the checksums of the migrations. From then on the folder and these
migrations are never changed again.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Make the event in a data folder of its own, and keep it in the place of what was kept of this version."""
    with tempfile.TemporaryDirectory() as scratch:
        os.environ |= {"TSO_DATA": scratch, "DJANGO_SETTINGS_MODULE": "config.settings"}
        os.environ |= {"DATABASE_URL": "", "CACHE_URL": ""}
        import django

        django.setup()
        keep(Path(scratch))
    sys.exit()


def keep(data: Path) -> None:
    """Fill the folder and copy what is kept of it."""
    from tests.releases import answers, example
    from tournament.basics.version import get_version
    from tournament.management.commands.start import prepare_installation

    prepare_installation(wal=None, tell=print)
    slug = example.load().slug
    folder = answers.FIXTURES / get_version()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    answers.said("backup", "-o", str(folder / answers.BACKUP))
    answers.said("export_tournament", slug, "-o", str(folder / answers.TOURNAMENT))
    answers.said("export_event", slug, "-o", str(folder / answers.ARCHIVE))
    write(folder / answers.EXPECTED, {"slug": slug, "answers": answers.answers(slug)})
    write(folder / answers.MIGRATIONS, migrations())
    copy(data, folder / answers.DATA)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{folder.relative_to(ROOT)}: {slug}, {size / 1000:.0f} kB")


def write(path: Path, value: object) -> None:
    """A value as JSON that can be read and compared line by line."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def migrations() -> dict[str, str]:
    """The checksum of each migration that this version has; the squashed ones are made anew."""
    found = sorted(path for app in ("games", "tournament") for path in (ROOT / app / "migrations").glob("0*.py"))
    found = [path for path in found if "_squashed_" not in path.name]
    return {path.relative_to(ROOT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def copy(data: Path, target: Path) -> None:
    """The data folder as a stopped program leaves it, without backups and log."""
    kept = shutil.ignore_patterns("backups", "*.log", "*-wal", "*-shm", "*-mark")
    from django.db import connections

    connections.close_all()
    with closing(sqlite3.connect(data / "tso.sqlite3")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute("PRAGMA user_version = 0")
        database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copytree(data, target, ignore=kept)


if __name__ == "__main__":
    main()
