"""Kill long acts at random moments: afterwards all is as before the act or as after it, and nothing lies about.

    python -m benchmarks.killed_acts [--kills 120] [--seed 1] [--only restore]

The acts: a backup is restored, the names of its files are moved (the milliseconds of a restore that count), a backup
is made, the program is started for the first time, data of version 1.0 are brought to this version, a person is
forgotten, two are merged, an event is read from an archive. Each is first done whole, to know how long it takes and
what comes of it. Then it is killed (-9) on copies of the same data folder, and the program is started on what is left.
A fault is: it does not start; events, players or accounts are neither those of before nor those of after; a journal
does not give its rows; a backup cannot be read; half a copy stays; what a restore moved aside is not there; some file
still has a name that was forgotten. Prints the seed and how the acts ended; the exit status is 1 after a fault.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import BadZipFile, ZipFile

ROOT = Path(__file__).resolve().parents[1]
OLDER_DATA = ROOT / "tests" / "releases" / "1.0" / "data"
KEY = "secret-key.txt"
NAME = "Vergissmein, Oezge"
TRACES = (b"Vergissmein", b"vergissmein", b"4711 0815")
SETUP = """
import sys
from pathlib import Path
import django
django.setup()
from tournament.backup.keeper import take_journal_notes
from tournament.backup.making import make_backup
from tournament.backup.places import BackupReason, get_installation
from tournament.core.change import TERMINAL_ACTOR
from tournament.laptop.first_start import create_first_director
from tournament.management.commands.start import prepare_installation
from tournament.models import Player, Tournament
home = get_installation()
"""
PREPARE = f"""{SETUP}
import io
from PIL import Image
from django.utils import timezone
from tournament.archive.carrying import write_archive
from tournament.basics.pictures import SentFile
from tournament.entries.operations.entries import enter_player, give_portrait
from tournament.entries.operations.register import Person, add_player
from tournament.events.demo import DemoSize, make_demo_tournament
prepare_installation(wal=None, tell=print)
with take_journal_notes(home, tell=print):
    create_first_director()
    size = DemoSize(players=24, rounds=6, played=4)
    made = make_demo_tournament(actor=TERMINAL_ACTOR, today=timezone.localdate(), size=size)
    make_backup(home, BackupReason.BY_HAND)
    for path in home.backups.glob("*.zip"):
        path.rename(home.data.parent / "backup.zip")
    with (home.data.parent / "event.zip").open("wb") as out:
        write_archive(made, out)
    person = Person("{NAME}", club="SC Fulda", email="v@example.org", phone="4711 0815")
    entry = enter_player(made.divisions.first(), person=person, actor=TERMINAL_ACTOR)
    add_player(person=Person("Vergisnicht, Oezge"), actor=TERMINAL_ACTOR)
    content = io.BytesIO()
    Image.effect_noise((320, 400), 60).convert("RGB").save(content, "JPEG")
    content.seek(0)
    give_portrait(entry, sent=SentFile("photo.jpg", content), actor=TERMINAL_ACTOR)
"""
WITH_NOTES = """
print("begun", flush=True)
with take_journal_notes(home, tell=print):
    """
ACTS = {
    "restore": f"""{SETUP}
from django.core.management import call_command
print("begun", flush=True)
call_command("restore", sys.argv[1], "--yes")
""",
    "moving": f"""{SETUP}
from tournament.backup.restoring import extract_backup, inspect_backup, replace_data
folder = home.data / "restoring-1"
folder.mkdir(mode=0o700)
extract_backup(Path(sys.argv[1]), inspect_backup(Path(sys.argv[1])), folder)
print("begun", flush=True)
replace_data(home, folder)
""",
    "backup": f"""{SETUP}
print("begun", flush=True)
make_backup(home, BackupReason.BY_HAND)
""",
    "first start": f"""print("begun", flush=True)
{SETUP}
prepare_installation(wal=None, tell=print)
with take_journal_notes(home, tell=print):
    create_first_director()
""",
    "migration": f"""{SETUP}
print("begun", flush=True)
prepare_installation(wal=None, tell=print)
""",
    "forgetting": f"""{SETUP}
from tournament.registration.forgetting import forget_player{WITH_NOTES}forget_player(
        Player.objects.get(name="{NAME}"), actor=TERMINAL_ACTOR
    )
""",
    "merging": f"""{SETUP}
from tournament.people.merging import merge_players{WITH_NOTES}merge_players(
        Player.objects.get(name="{NAME}"), other=Player.objects.get(name="Vergisnicht, Oezge"), actor=TERMINAL_ACTOR
    )
""",
    "archive": f"""{SETUP}
from tournament.archive.carrying import import_archive{WITH_NOTES}with Path(sys.argv[1]).open("rb") as archive:
        import_archive(archive, slug="carried", actor=TERMINAL_ACTOR)
""",
}
RESTORES = ("restore", "moving")
CHECK = f"""{SETUP}
import json
from django.contrib.auth.models import User
from tournament.backup.database import count_rows_by_model
from tournament.core.records import list_divisions
from tournament.management.commands.check_data import collect_data_facts
from tournament.table.files import build_standings_json
from tournament.table.league import load_table
told = []
prepare_installation(wal=None, tell=told.append)
left = sorted(path.name for path in (*home.data.iterdir(), *home.backups.glob("*")))
with take_journal_notes(home, tell=told.append):
    create_first_director()
options = {{"update": False, "no_journals": False, "entered": None, "noted": None, "leave_out": []}}
faults = collect_data_facts(options).faults
tables = {{
    event.slug: [build_standings_json(load_table(division)) for division in list_divisions(event)]
    for event in Tournament.objects.order_by("slug")
}}
people = [[each.name, each.merged_into_id] for each in Player.objects.order_by("pk")]
counts = {{name: count for name, count in count_rows_by_model().items() if not name.endswith("JournalEntry")}}
state = {{"tables": tables, "people": people, "counts": counts, "accounts": User.objects.count()}}
print(json.dumps({{"state": state, "faults": faults, "told": told, "left": left}}, default=str))
"""


@dataclass
class Trial:
    """The data folders that acts begin with, how long each act takes, and what is there before and after."""

    scratch: Path
    seconds: dict[str, float] = field(default_factory=dict)
    states: dict[str, tuple[str, str]] = field(default_factory=dict)

    def begin(self, act: str) -> Path:
        """A data folder as it is before the act."""
        data = self.scratch / "data"
        shutil.rmtree(data, ignore_errors=True)
        if act == "first start":
            data.mkdir(mode=0o700)
            shutil.copyfile(self.scratch / "model" / KEY, data / KEY)  # the settings are loaded already
        else:
            shutil.copytree(OLDER_DATA if act == "migration" else self.scratch / "model", data)
            data.chmod(0o700)
        return data

    def start(self, act: str, data: Path) -> "Program":
        """The act, begun."""
        program = Program(data, ACTS[act], str(self.scratch / ("backup.zip" if act in RESTORES else "event.zip")))
        program.wait_for_word()
        return program

    def measure(self, act: str) -> None:
        """Do the act whole, and note how long that takes and what comes of it."""
        before, faults = self.look(act, self.begin(act))
        data = self.begin(act)
        program, begun = self.start(act, data), time.monotonic()
        program.end()
        assert program.status == 0, program.said
        self.seconds[act] = time.monotonic() - begun
        after, more = self.look(act, data)
        assert not faults + more, faults + more
        self.states[act] = (after, after) if act in ("first start", "migration") else (before, after)

    def kill(self, act: str, chance: random.Random) -> tuple[str, list[str]]:
        """Kill the act once: whether that was before its effect or after it, and what is wrong."""
        data = self.begin(act)
        program = self.start(act, data)
        time.sleep(chance.uniform(0, self.seconds[act]))
        is_over = program.kill()
        state, faults = self.look(act, data)
        before, after = self.states[act]
        if state not in (before, after) and not faults:
            faults = [f"neither as before nor as after: {find_difference(state, before)}"]
        ending = "over" if is_over else "after" if state == after else "before"
        return ending, [f"{act}, {fault}" for fault in faults]

    def look(self, act: str, data: Path) -> tuple[str, list[str]]:
        """Start the program on what is there: the state of the data, and what is wrong."""
        program = Program(data, CHECK)
        program.end()
        if program.status or program.said:
            return "", [f"it does not start: {(program.said.splitlines() or ['no word'])[-1]}"]
        found = json.loads(program.printed.splitlines()[-1])
        faults = [*found["faults"], *find_unreadable_zips(data)]
        copies = [name for name in found["left"] if name.startswith("copy-")]
        strays = [
            name for name in found["left"] if re.match(r"unfinished-|restoring-|rehearsal-|.*\.part|.*\.new", name)
        ]
        if strays or len(copies) > 1:
            faults.append(f"left lying about: {strays + copies}")
        state = re.sub(r"(Spieler|Player) \d{5}", r"\1 N", json.dumps(found["state"], ensure_ascii=False))
        if act in RESTORES:
            faults += find_lost_data(data, is_restored=NAME not in state)
        if act == "forgetting" and NAME not in state and (files := find_traces(data)):
            faults.append(f"the name is still in {files}")
        return state, faults


class Program:
    """A piece of the program over a data folder, in a process that need not load it first: that takes seconds less."""

    def __init__(self, data: Path, text: str, *words: str) -> None:
        self.paths = [data.with_name("printed"), data.with_name("said")]
        for path in self.paths:
            path.write_bytes(b"")
        self.status: int | None = None
        self.key = os.fork()
        if self.key == 0:
            os.setpgid(0, 0)
            for number, path in enumerate(self.paths, 1):
                os.dup2(os.open(path, os.O_WRONLY | os.O_APPEND), number)
            sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
            sys.argv = ["-c", *words]
            os._exit(run_text(text))

    @property
    def printed(self) -> str:
        return self.paths[0].read_text(encoding="utf-8")

    @property
    def said(self) -> str:
        return self.paths[1].read_text(encoding="utf-8").strip()

    def wait_for_word(self) -> None:
        """Until it has printed something or is over."""
        while not self.printed and not self.is_over():
            time.sleep(0.002)

    def is_over(self) -> bool:
        if self.status is None and os.waitpid(self.key, os.WNOHANG) != (0, 0):
            self.status = 0 if not self.said else 1
        return self.status is not None

    def end(self) -> None:
        """Until it is over."""
        while not self.is_over():
            time.sleep(0.01)

    def kill(self) -> bool:
        """Kill it, with all that it has started but a check in a group of its own; whether it was over before."""
        if self.is_over():
            return True
        os.killpg(self.key, signal.SIGKILL)
        self.end()
        return False


def run_text(text: str) -> int:
    """Run a piece of the program; its exit status."""
    try:
        exec(text, {"__name__": "__main__"})
    except BaseException:  # noqa: BLE001  # whatever it is, it is a fault of the program
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def environment(data: Path) -> dict[str, str]:
    """As a director's terminal has it."""
    ours = {"TSO_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT)}
    return {**os.environ, **ours, "DATABASE_URL": "", "CACHE_URL": "", "TSO_HOSTS": "127.0.0.1"}


def find_unreadable_zips(data: Path) -> list[str]:
    """The backups that cannot be read."""
    faults = []
    for path in (data / "backups").glob("*.zip"):
        try:
            with ZipFile(path) as packed:
                damaged = packed.testzip()
        except BadZipFile as fault:
            damaged = str(fault)
        faults += [f"{path.name}: {damaged}"] if damaged else []
    return faults


def find_lost_data(data: Path, *, is_restored: bool) -> list[str]:
    """What a restore has lost: once it is done, the data of before lie aside, sound and with whom the backup lacks."""
    counts = []
    for folder in data.glob("before-restore-*"):
        with closing(sqlite3.connect(f"{(folder / 'tso.sqlite3').as_uri()}?mode=ro", uri=True)) as opened:
            is_sound = opened.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            (count,) = opened.execute("SELECT count(*) FROM tournament_player WHERE name = ?", [NAME]).fetchone()
        counts.append(count if is_sound else -1)
    return [] if counts == [1] * is_restored else [f"aside lie data with {counts} of whom the backup lacks"]


def find_traces(data: Path) -> list[str]:
    """The files that hold something of the person who was forgotten."""
    files = [path for path in data.rglob("*") if path.is_file() and path.suffix != ".zip"]
    return [path.name for path in files if any(trace in path.read_bytes() for trace in TRACES)]


def find_difference(state: str, other: str) -> str:
    """Where two states begin to differ."""
    place = next((place for place, (one, two) in enumerate(zip(state, other, strict=False)) if one != two), 0)
    return f"{state[max(0, place - 60) : place + 60]} / {other[max(0, place - 60) : place + 60]}"


def main() -> None:
    """Kill as often as asked, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=ACTS)
    options = parser.parse_args()
    chance, endings, faults = random.Random(options.seed), Counter[str](), []
    acts = [options.only] if options.only else list(ACTS)
    with tempfile.TemporaryDirectory() as scratch:
        trial = Trial(Path(scratch))
        done = subprocess.run(
            [sys.executable, "-c", PREPARE],
            env=environment(trial.scratch / "model"),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        trial.begin("backup")  # the settings take the key from there
        os.environ |= environment(trial.scratch / "data") | {"LANG": "en"}
        run_text(SETUP)
        for act in acts:
            trial.measure(act)
            print(f"{act}: {trial.seconds[act]:.1f} s", flush=True)
        for number in range(options.kills):
            act = acts[number % len(acts)]
            ending, found = trial.kill(act, chance)
            endings[f"{act}: {ending}"] += 1
            faults += found
            print(*(f"kill {number + 1}: {fault}" for fault in found), sep="\n", end="\n" if found else "", flush=True)
    for ending, count in sorted(endings.items()):
        print(f"{count:5} {ending}")
    print(f"seed {options.seed}: {options.kills} kills, {len(faults)} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
