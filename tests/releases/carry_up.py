"""Carry the data of a release up to this version, and compare what the commands say with what they said then.

    python -m tests.releases.carry_up                     # of every release that is kept
    python -m tests.releases.carry_up 1.0 --pages 500     # of one, and look at more pages

Each is started on a copy of its data folder, its journal replayed, its pages looked at, its tournament file and archive
read in. The newest one's backup is restored; in the others there has to be the data folder, whose migrations were run
by the start. Prints each difference; then the exit status is 1.
"""

import argparse
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from tests.releases import answers

ROOT = Path(__file__).resolve().parents[2]
PAGES = 60


def main() -> None:
    """Carry up the releases that the arguments name; each in a process of its own, as each has its data folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("releases", nargs="*")
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        sys.exit(report(options.releases[0], options.pages, options.seed))
    names = options.releases or sorted(path.parent.name for path in answers.FIXTURES.glob(f"*/{answers.EXPECTED}"))
    sys.exit(max(in_own_process(name, options.pages, options.seed) for name in names))


def in_own_process(name: str, pages: int, seed: int) -> int:
    """Carry one up on a copy of its data folder; the exit status."""
    with tempfile.TemporaryDirectory() as scratch:
        data = Path(scratch) / answers.DATA
        shutil.copytree(answers.FIXTURES / name / answers.DATA, data)
        words = ["-m", "tests.releases.carry_up", name, "--pages", str(pages), "--seed", str(seed), "--here"]
        return subprocess.run([sys.executable, *words], cwd=ROOT, env=environment(data), check=False).returncode


def environment(data: Path) -> dict[str, str]:
    """As a director's terminal has it."""
    ours = {"TSO_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONUTF8": "1"}
    return {**os.environ, **ours, "DATABASE_URL": "", "CACHE_URL": ""}


def report(name: str, pages: int, seed: int) -> int:
    """Print what differs; how many things do, at most 1."""
    import django

    django.setup()
    folder = answers.FIXTURES / name
    found = [*differences(folder), *broken_pages(folder, pages, seed), *from_backup(folder)]
    print("\n".join([f"{name}: {fault}" for fault in found] or [f"{name}: the same answers as then (seed {seed})"]))
    return min(len(found), 1)


def expected(folder: Path) -> tuple[str, answers.Answers]:
    """The event's address, and what was said about it then."""
    read = json.loads((folder / answers.EXPECTED).read_text(encoding="utf-8"))
    return read["slug"], read["answers"]


def differences(folder: Path) -> Iterator[str]:
    """What the data folder, the tournament file and the archive say otherwise than then."""
    from tournament.archive.replaying import find_journal_differences
    from tournament.management.commands.start import prepare_installation
    from tournament.models import Tournament

    prepare_installation(wal=None, tell=print)
    slug, then = expected(folder)
    answers.said("import_tournament", str(folder / answers.TOURNAMENT), "--slug", "from-file")
    answers.said("import_event", str(folder / answers.ARCHIVE), "--slug", "from-archive")
    for each in (slug, "from-file", "from-archive"):
        now = answers.answers(each)
        yield from (
            f"{each}: {question} differs" for question in then if not answers.holds(now[question], then[question])
        )
        yield from (f"{each}: {fault}" for fault in find_journal_differences(Tournament.objects.get(slug=each)))


def broken_pages(folder: Path, most: int, seed: int) -> Iterator[str]:
    """The pages that the director cannot look at."""
    from django.contrib.auth.models import User
    from django.test import Client, override_settings

    from tests.flows import walking
    from tournament.models import Member, Role, Tournament

    client = Client(raise_request_exception=False)
    owner = Member.objects.filter(role=Role.OWNER).order_by("pk").first()
    assert owner is not None
    client.force_login(User.objects.get(pk=owner.user_id))
    event = Tournament.objects.get(slug=expected(folder)[0])
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        walked = walking.walk(client, event, random.Random(seed), most=most)
    yield from (f"{address}: {status}" for address, status in walked.statuses.items() if status >= 400)
    if not walked.shown:
        yield "no page was shown"


def from_backup(folder: Path) -> Iterator[str]:
    """What the backup says otherwise than then: restored, or compared with the data folder, which is carried up."""
    releases = sorted(path.parent for path in answers.FIXTURES.glob(f"*/{answers.EXPECTED}"))
    if max(releases, key=lambda release: [int(number) for number in release.name.split(".")]) != folder:
        yield from differences_of_packed_data(folder)
        return
    slug, then = expected(folder)
    with tempfile.TemporaryDirectory() as scratch:
        for words in (["restore", str(folder / answers.BACKUP), "--yes"], ["standings", slug, "--format", "json"]):
            done = subprocess.run(
                [sys.executable, "manage.py", *words],
                cwd=ROOT,
                env=environment(Path(scratch)),
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            if done.returncode:
                yield f"{words[0]}: {done.stderr.strip()}"
                return
        if not answers.holds(json.loads(done.stdout), then["standings"]):
            yield "the restored backup's table differs"


def differences_of_packed_data(folder: Path) -> Iterator[str]:
    """What is in the backup otherwise than in the data folder."""
    from tournament.backup.restoring import extract_backup, inspect_backup

    with tempfile.TemporaryDirectory() as scratch:
        unpacked = Path(scratch)
        extract_backup(folder / answers.BACKUP, inspect_backup(folder / answers.BACKUP), unpacked)
        data = folder / answers.DATA
        names = {str(path.relative_to(data)) for path in data.rglob("*") if path.is_file()} - {"version.json"}
        for name in sorted(names | {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}):
            if not (unpacked / name).exists() or not (data / name).exists():
                yield f"{name} is missing in the backup or in the data folder"
            elif read_content(unpacked / name) != read_content(data / name):
                yield f"{name} is another one in the backup"


def read_content(path: Path) -> object:
    """The bytes of a file; of a database its rows."""
    if path.suffix != ".sqlite3":
        return path.read_bytes()
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        return list(database.iterdump())


if __name__ == "__main__":
    main()
