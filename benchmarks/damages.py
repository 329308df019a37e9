"""Damage the data in a thousand ways: each is told in words with the way back, or does no harm.

    python -m benchmarks.damages [--damages 1000] [--seed 1] [--only database]

A data folder with an event, photos, two backups, and what was entered since (in the `-wal` and in the notes beside the
database) is copied, and one file of the copy is damaged: bits turned, letters exchanged, blocks overwritten, the end
cut off, another file's content put in its place, the file removed. Then the program is started over it, pages are
asked for, `check_data` and `backup` run, and the backup is restored that the program names, or else the older one.
Whatever any of them says is collected. A damage is a fault here if something ends in a traceback, if the data differ
and nobody says so, if no way back is named, or if what is restored lacks something and nobody says so.
Prints the seed and how many damages ended how; the exit status is 1 if there was any fault.
"""

import argparse
import contextlib
import http.client
import io
import json
import multiprocessing
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[1]
TARGETS = ("database", "wal", "notes", "backup", "photo", "mark", "version", "state", "rewritten", "shm", "key")
WEIGHTS = (44, 10, 10, 12, 12, 2, 2, 2, 2, 2, 2)
DATABASE = "tso.sqlite3"
TRACE = "Traceback (most recent call last)"
LOOKS = ("check_data", "backup")  # both are to tell of every damage, as the start is
JOURNAL_TABLES = (
    "tournament_journalentry",
    "tournament_player",
    "tournament_result",
    "tournament_round",
    "tournament_seat",
)
"""Some of those that `journal --verify` looks at."""
UNCOMPARED = ("django_session", "sqlite_sequence", "auth_permission", "django_content_type", "django_migrations")
"""Tables that change by themselves (sessions that are over are removed at each start), and Django's own, which nobody
gets to see: what is missing there is noticed at the start."""
PAGES = (
    *("/", "/t/EVENT/", "/t/EVENT/table/", "/director/", "/director/EVENT/", "/director/EVENT/entries/"),
    *("/director/EVENT/results/2/", "/director/EVENT/journal/", "/director/EVENT/rounds/"),
    "/director/tournaments/backups/",
)
PREPARE = """
import io, os
import django
django.setup()
from PIL import Image
from django.test import Client
from django.utils import timezone
from tournament.backup.health import renew_mark
from tournament.backup.keeper import take_journal_notes
from tournament.backup.making import make_backup
from tournament.backup.noting import begin_rewriting
from tournament.backup.places import BackupReason, get_installation
from tournament.basics.pictures import SentFile
from tournament.core.change import TERMINAL_ACTOR
from tournament.entries.operations.entries import give_portrait
from tournament.entries.operations.register import Person, add_player, edit_player
from tournament.events.demo import DemoSize, make_demo_tournament
from tournament.laptop.first_start import create_first_director
from tournament.management.commands.start import prepare_installation
from tournament.models import Entry, Player
prepare_installation(wal=None, tell=print)
home = get_installation()
with take_journal_notes(home, tell=print):
    user, _password = create_first_director()
    browser = Client()
    browser.force_login(user)
    made = make_demo_tournament(
        actor=TERMINAL_ACTOR, today=timezone.localdate(), size=DemoSize(players=10, rounds=5, played=2)
    )
    make_backup(home, BackupReason.BY_HAND)
    for number, entry in enumerate(Entry.objects.order_by("pk")[:4]):
        content = io.BytesIO()
        Image.effect_noise((320, 400), 60 + number).convert("RGB").save(content, "JPEG")
        content.seek(0)
        give_portrait(entry, sent=SentFile("photo.jpg", content), actor=TERMINAL_ACTOR)
    make_backup(home, BackupReason.BY_HAND)
    renew_mark(home, patient=True)
    for number, player in enumerate(Player.objects.order_by("pk")[:6]):
        edit_player(player, person=Person(f"Neumann, Nora {number}", club="SC Neu"), actor=TERMINAL_ACTOR)
    add_player(person=Person("Spät, Sigrid"), actor=TERMINAL_ACTOR)
begin_rewriting(home)  # as after somebody was forgotten
print(made.slug, browser.cookies["sessionid"].value, flush=True)
os._exit(0)  # as a crash leaves the data: what was entered last stands in the -wal alone
"""


@dataclass(frozen=True, slots=True)
class Damage:
    """What is done to which file, in words, and by what."""

    target: str
    words: str
    do: Callable[[Path], None]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a damage ended: in one word for the count; what was said; what was wrong with that."""

    word: str
    said: str = ""
    fault: str = ""


def main() -> None:
    """Damage as often as asked, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--damages", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=TARGETS)
    options = parser.parse_args()
    chance, endings, faults = random.Random(options.seed), Counter[str](), []
    with tempfile.TemporaryDirectory() as scratch:
        trial = Trial(Path(scratch))
        for number in range(options.damages):
            damage = trial.draw(chance, options.only)
            ending = trial.run(damage)
            endings[f"{damage.target}: {ending.word}"] += 1
            if ending.fault:
                faults.append(f"damage {number + 1}, {damage.target}, {damage.words}: {ending.fault}\n{ending.said}")
                print(faults[-1], flush=True)
    for word, count in sorted(endings.items()):
        print(f"{count:5} {word}")
    print(f"seed {options.seed}: {options.damages} damages, {len(faults)} faults")
    sys.exit(bool(faults))


class Trial:
    """The model of a data folder and the copy that is damaged; the program is loaded once and forked for each act."""

    def __init__(self, scratch: Path) -> None:
        self.model, self.data = scratch / "model", scratch / "data"
        environment = {"TSO_DATA": str(self.model), "DJANGO_SETTINGS_MODULE": "config.settings", "LANG": "en"}
        words = [sys.executable, "-c", PREPARE]
        paths = {"PYTHONPATH": str(ROOT), "DATABASE_URL": "", "CACHE_URL": "", "TSO_HOSTS": "127.0.0.1,testserver"}
        done = subprocess.run(
            words, env={**os.environ, **environment, **paths}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        slug, self.session = done.stdout.split()[-2:]
        self.slug = slug
        self.pages = [page.replace("EVENT", slug) for page in PAGES]
        os.environ |= {**environment, **paths, "TSO_DATA": str(self.data)}
        shutil.copytree(self.model, self.data)  # before the settings are read, which take the key from there
        self.whole, self.photos = dump(self.data / DATABASE), read_photos(self.model)
        self.backups = sorted((self.model / "backups").glob("*.zip"))
        self._load_program()

    def _load_program(self) -> None:
        """Do everything once over whole data: what was imported and compiled then, each forked process has."""
        import django
        from django.core.cache import caches
        from django.db import connections

        django.setup()
        from tournament.backup import making, restoring

        for module in (making, restoring):
            setattr(module, "run_data_check", check_in_fork)  # noqa: B010  # a name that one of them only imports
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
            for deed in (
                start(self.session, self.pages),
                *map(command, LOOKS),
                command("restore", str(self.backups[-1]), "--yes"),
            ):
                deed()
        connections.close_all()
        for cache in caches.all():
            cache.clear()

    def draw(self, chance: random.Random, only: str | None) -> Damage:
        """Any damage to any file."""
        target = only or chance.choices(TARGETS, WEIGHTS)[0]
        path = {
            "database": lambda: Path(DATABASE),
            "wal": lambda: Path(f"{DATABASE}-wal"),
            "notes": lambda: self._choose(chance, "entered/*.jsonl"),
            "backup": lambda: self.backups[-1].relative_to(self.model),
            "photo": lambda: self._choose(chance, "uploads/*.jpg"),
            "mark": lambda: Path(f"{DATABASE}-mark"),
            "version": lambda: Path("version.json"),
            "state": lambda: Path("backups/state.json"),
            "rewritten": lambda: Path("entered/rewritten.json"),
            "shm": lambda: Path(f"{DATABASE}-shm"),
            "key": lambda: Path("secret-key.txt"),
        }[target]()
        words, content = damage_content(chance, (self.model / path).read_bytes(), self._read_others(path))

        def do(data: Path) -> None:
            (data / path).write_bytes(content) if content is not None else (data / path).unlink()
            if target in ("notes", "backup"):  # nobody needs these before the database is lost
                (data / DATABASE).unlink()
                (data / f"{DATABASE}-wal").unlink()

        return Damage(target, f"{path.name}, {words}", do)

    def _choose(self, chance: random.Random, pattern: str) -> Path:
        found = (path for path in sorted(self.model.glob(pattern)) if path.stat().st_size)
        return chance.choice(list(found)).relative_to(self.model)

    def _read_others(self, path: Path) -> list[bytes]:
        """What else may land in a file: nothing, text, every other kind of file, a backup's database."""
        with closing(sqlite3.connect(":memory:")) as foreign:
            foreign.execute("CREATE TABLE notes (text)")
            others = [b"", b"Einkaufen: Brot, Milch\n" * 400, foreign.serialize()]
        names = [f"{DATABASE}-wal", DATABASE, *(str(each.relative_to(self.model)) for each in self.backups[:1])]
        names += [str(self._choose(random.Random(1), "uploads/*.jpg"))]
        return others + [(self.model / name).read_bytes() for name in names if Path(name) != path]

    def run(self, damage: Damage) -> Ending:
        """Damage a copy; how that ended."""
        shutil.rmtree(self.data, ignore_errors=True)
        shutil.copytree(self.model, self.data)
        damage.do(self.data)
        damaged = self.data.with_name("damaged")
        shutil.rmtree(damaged, ignore_errors=True)
        shutil.copytree(self.data, damaged)
        answers = {"start": act(self.data, start(self.session, self.pages))}
        same = self.holds_all()
        if (self.data / DATABASE).exists():
            answers |= {name: act(self.data, command(name)) for name in LOOKS}
            if self.has_other_rows():
                answers["journal"] = act(self.data, command("journal", self.slug, "--verify"))
        said = "\n".join(f"[{name}] {text.strip()}" for name, text in answers.items() if text.strip())
        if TRACE in said:
            return Ending("traceback", said, "a traceback")
        told = bool(said)
        # A lost session alone: the director signs in again.
        if same and (not told or re.fullmatch(r"\[start\]( ?/director/\S* answers 302\s*)+", said)):
            return Ending("harmless")
        if not same and (silent := [name for name, text in answers.items() if not text.strip()]):
            fault = f"the data differ, and {', '.join(silent)} say nothing: {self.find_difference()}"
            return Ending("silent", said, fault)
        if told and not re.search(r"backup|tso\.py restore", said):
            return Ending("no way back", said, "no way back is named")
        shutil.rmtree(self.data)
        damaged.rename(self.data)
        if damage.target == "photo":  # it is taken out of a backup: the rest of today's data is sound
            return Ending("told, and all restored") if self.has_photos_saved() else Ending("lost", said, "no backup")
        return self.restore(said)

    def has_photos_saved(self) -> bool:
        """Whether the newest backup has all photos as they were."""
        with ZipFile(self.data / self.backups[-1].relative_to(self.model)) as packed:
            return all(packed.read(f"uploads/{name}") == content for name, content in self.photos.items())

    def restore(self, said: str) -> Ending:
        """Go the way back: the newest backup, or the older one."""
        for backup in reversed(self.backups):
            here = self.data / backup.relative_to(self.model)
            if not here.exists():
                continue
            answer = act(self.data, command("restore", str(here), "--yes", quietly=False))
            if TRACE in answer:
                return Ending("traceback", said + answer, "a traceback when a backup is restored")
            if "Restored." in answer:
                break
            said += answer
        else:
            return Ending("no way back", said, "no backup can be restored")
        if not self.holds_all() and not re.search("look through|is from|is missing|are missing|damaged", said + answer):
            fault = f"what is restored lacks something, and nobody says so: {self.find_difference()}"
            return Ending("restored less", said + answer, fault)
        return Ending("told, and all restored" if self.holds_all() else "told, and restored with a word on the rest")

    def holds_all(self) -> bool:
        """Whether the data folder has everything that was entered."""
        with contextlib.suppress(sqlite3.Error, UnicodeDecodeError, OSError):
            return dump(self.data / DATABASE) == self.whole and read_photos(self.data) == self.photos
        return False

    def has_other_rows(self) -> bool:
        """Whether the database can be read and its journals, or what they tell of, are not what they were."""
        with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
            now = dump(self.data / DATABASE)
            return any(now.get(name) != rows for name, rows in self.whole.items() if name in JOURNAL_TABLES)
        return False

    def find_difference(self) -> str:
        """The first rows that are not what they were."""
        try:
            now = dump(self.data / DATABASE)
        except sqlite3.Error as fault:
            return str(fault)
        differing = [(name, row) for name in self.whole for row in set(now.get(name, [])) ^ set(self.whole[name])]
        return repr(differing[:2])[:1500] if differing else "photos"


def damage_content(chance: random.Random, content: bytes, others: list[bytes]) -> tuple[str, bytes | None]:
    """Something that disks, sticks and people do to a file: in words, and its content afterwards."""
    changed, place = bytearray(content), chance.randrange(len(content))
    kind = chance.choice(["bit", "bit", "bits", "letter", "letter", "zeros", "noise", "cut", "other", "gone"])
    if kind == "bit":
        changed[place] ^= 1 << chance.randrange(8)
    elif kind == "bits":
        for _number in range(5):
            changed[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    elif kind == "letter":
        letters = [found.start() for found in re.finditer(rb"(?<=[A-Za-z])[a-z](?=[a-z])", content)] or [place]
        place = chance.choice(letters)
        changed[place] = ord(chance.choice("abcdefghijklmnopqrstuvwxyz"))
    elif kind in ("zeros", "noise"):
        place, size = place // 512 * 512, chance.choice([512, 1024, 4096])
        block = bytes(size) if kind == "zeros" else chance.randbytes(size)
        changed[place : place + size] = block[: len(content) - place]
    elif kind == "cut":
        del changed[place:]
    elif kind == "other":
        place = chance.randrange(len(others))
        changed = bytearray(others[place])
    return f"{kind} {place}", None if kind == "gone" else bytes(changed)


def act(data: Path, deed: Callable[[], None]) -> str:
    """Do something in a process of its own; what it said, a traceback included."""
    told = data.with_name(f"{data.name}-told")
    worker = multiprocessing.get_context("fork").Process(target=speak_into, args=(told, deed))
    worker.start()
    worker.join()
    said = told.read_text(encoding="utf-8", errors="replace")
    told.unlink()
    return said


def speak_into(told: Path, deed: Callable[[], None]) -> None:
    """Run a deed with everything that it says in a file."""
    with told.open("w", encoding="utf-8", errors="backslashreplace") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        with contextlib.redirect_stdout(file), contextlib.redirect_stderr(file):
            try:
                deed()
            except SystemExit:
                pass
            except BaseException:  # noqa: BLE001  # whatever it is, it is a fault of the program
                traceback.print_exc()
        file.flush()
        os._exit(0)


def command(name: str, *words: str, quietly: bool = True) -> Callable[[], None]:
    """A command of the terminal; `quietly`, only what it complains of counts."""

    def deed() -> None:
        from django.core.management import load_command_class

        shown: AbstractContextManager[object] = contextlib.nullcontext()
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:  # noqa: SIM117  # too long for one
            with contextlib.redirect_stdout(nowhere) if quietly else shown:
                made = load_command_class("tournament", name)
                made.run_from_argv(["manage.py", name, *words, "--language", "en"])

    return deed


def check_in_fork(data: Path, *options: str) -> Any:
    """As `run_data_check`, in a process that need not load the program first: that takes a second less."""
    from django.conf import settings
    from django.core.management import load_command_class
    from django.db import connection

    from tournament.backup.making import DataCheckFailed
    from tournament.backup.places import parse_data_facts

    connection.close()

    def deed() -> None:
        settings.DATA_DIR = data
        connection.settings_dict["NAME"] = data / DATABASE
        words = ["manage.py", "check_data", "--format", "json", *options]
        load_command_class("tournament", "check_data").run_from_argv(words)

    said = act(data, deed)
    try:
        return parse_data_facts(json.loads(said))
    except ValueError as fault:
        raise DataCheckFailed(0, said.strip().splitlines()[-1]) from fault


def start(session: str, pages: list[str]) -> Callable[[], None]:
    """Start the program, and ask for pages as the director."""

    def deed() -> None:
        from django.test import Client

        from tournament.backup.keeper import BackupKeeper
        from tournament.backup.making import check_copy
        from tournament.backup.places import get_installation
        from tournament.management.commands import start as starting

        class Starting(starting.Command):
            def run(self, **options: object) -> None:
                starting.prepare_installation(wal=None, tell=self.write)
                browser = Client(raise_request_exception=False)
                browser.cookies["sessionid"] = session
                for page in pages:
                    status = browser.get(page).status_code
                    if status >= http.client.FOUND:  # no sign-in either: pages of directors are to be looked at
                        self.stdout.write(f"{page} answers {status}")
                keeper = BackupKeeper(get_installation(), check=check_copy, tell=lambda fault: self.write(str(fault)))
                keeper.end()  # without its thread: processes are forked here

        Starting().run_from_argv(["manage.py", "start", "--language", "en"])

    return deed


def dump(database: Path) -> dict[str, list[str]]:
    """All rows of a database with what its `-wal` holds, by table. Raises `sqlite3.Error`; UnicodeDecodeError where the
    schema is no text."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as opened:
        opened.text_factory = bytes
        named = opened.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        names = [name.decode() for (name,) in named if name.decode() not in UNCOMPARED]
        return {name: sorted(map(repr, opened.execute(f'SELECT * FROM "{name}"'))) for name in names}


def read_photos(data: Path) -> dict[str, bytes]:
    """All photos by their names."""
    return {path.name: path.read_bytes() for path in (data / "uploads").glob("*.jpg")}


if __name__ == "__main__":
    main()
