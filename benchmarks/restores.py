"""Kill a restore at random moments: afterwards the old data or the new ones are there, whole, and nothing is lost.

    python benchmarks/restores.py [--kills 30] [--seed 1]

Every second kill comes within the few milliseconds in which names are moved. Prints the seed and how each ended; the
exit status is 1 if anything was ever broken.
"""

import argparse
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 4.0
"""Seconds that a whole restore takes here, more or less."""
MOVING = 0.02
"""Seconds that moving the names takes."""
MOVE = """
import sys
from pathlib import Path
import django
django.setup()
from tournament.backup.places import get_installation
from tournament.backup.restoring import extract_backup, inspect_backup, replace_data
home, backup = get_installation(), Path(sys.argv[1])
manifest = inspect_backup(backup)
folder = home.data / "restoring-1"
folder.mkdir()
extract_backup(backup, manifest, folder)
print(flush=True)
replace_data(home, folder)
"""
FINISH = """
import django
django.setup()
from tournament.backup.health import check_database
from tournament.backup.places import get_installation
from tournament.backup.restoring import carry_out_restore_plan
carry_out_restore_plan(get_installation())
check_database(get_installation())
"""


def main() -> None:
    """Kill as often as asked, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        model = Path(scratch) / "model"
        backup = prepared(model)
        for number in range(options.kills):
            data = Path(scratch) / str(number)
            shutil.copytree(model, data)
            outcomes[killed(data, backup, chance, moving=bool(number % 2))] += 1
            shutil.rmtree(data)
    print(f"seed {options.seed}: {dict(sorted(outcomes.items()))}")
    sys.exit("broken" in outcomes)


def run(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of the program over a data folder."""
    return subprocess.run([sys.executable, *words], env=environment(data), capture_output=True, text=True, check=False)


def environment(data: Path) -> dict[str, str]:
    """As a director's terminal has it."""
    ours = {"TSO_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT)}
    return {**os.environ, **ours, "DATABASE_URL": "", "CACHE_URL": ""}


def prepared(model: Path) -> Path:
    """A data folder with an event, a backup of it, and one more event that the backup does not have."""
    manage = str(ROOT / "manage.py")
    backup = model.parent / "backup.zip"
    for words in (
        ("demo", "--players", "8", "--rounds", "3", "--played", "1"),
        ("backup", "-o", str(backup)),
        ("demo", "--players", "8", "--rounds", "3", "--played", "1"),
    ):
        done = run(model, manage, *words)
        assert done.returncode == 0, done.stderr
    return backup


def killed(data: Path, backup: Path, chance: random.Random, *, moving: bool) -> str:
    """Restore, kill, start again: whether the old or the new data are there."""
    words = ["-c", MOVE, str(backup)] if moving else [str(ROOT / "manage.py"), "restore", str(backup), "--yes"]
    with subprocess.Popen(
        [sys.executable, *words], env=environment(data), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as program:
        assert program.stdout is not None
        if moving:
            program.stdout.readline()
        time.sleep(chance.uniform(0, MOVING if moving else LONGEST))
        program.send_signal(signal.SIGKILL)
        program.communicate()
    finished = run(data, "-c", FINISH)
    if finished.returncode:
        print(finished.stderr)
        return "broken"
    return judged(data)


def judged(data: Path) -> str:
    """What is there: the one event of the backup with today's two beside it, or today's two."""
    events = count(data / "tso.sqlite3")
    asides = [count(folder / "tso.sqlite3") for folder in data.glob("before-restore-*")]
    if (events, asides) == (2, []):
        return "old"
    return "new" if (events, asides) == (1, [2]) else "broken"


def count(database: Path) -> int:
    """How many events a sound database holds; -1 for any other."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as opened:
        if opened.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            return -1
        return int(opened.execute("SELECT count(*) FROM tournament_tournament").fetchone()[0])


if __name__ == "__main__":
    main()
