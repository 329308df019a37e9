"""Kill the server at random moments of an evening's work: nothing that was acknowledged is lost, and it starts again.

    python -m benchmarks.kills [--kills 100] [--seed 1]

Two helpers type results while a director draws, changes, publishes, closes, and takes back whatever the journal offers;
somebody reads. In the middle of that the server is killed (-9), with everything that it has started, and started anew
on the same folder. Then every result that a helper was told is saved has to be in the journal, the event has to be as
far as any page has shown, the journal replayed has to give the rows that are stored, the event made anew from it the
same table, and the window may say nothing that it did not say at the first start. Prints the seed; the exit status is
1 if anything was lost or broken.
"""

import argparse
import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.browser import Browser, Form, Page

ROOT = Path(__file__).resolve().parents[1]
MOST_ACTS, MOMENT = 150, 0.3
"""A kill comes after so many answers at most, and so many seconds: in the middle of something, on any machine."""
LONGEST = 60
"""Seconds of work before a kill, whatever was answered."""
REBUILT_EVERY = 10
"""So many kills lie between two times that the event is made anew."""
DIRECTORS_FORMS = r"/(publish|unpublish|discard|close|reopen|anew|pairing/\d+|withdraw|bring-back|tick)/"
PREPARE = """
import django
django.setup()
from django.test import Client
from django.utils import timezone
from tournament.core.change import TERMINAL_ACTOR
from tournament.events.demo import DemoSize, make_demo_tournament
from tournament.laptop.first_start import create_first_director
from tournament.management.commands.start import prepare_installation
prepare_installation(wal=None, tell=print)
user, _password = create_first_director()
size = DemoSize(players=40, rounds=30, played=1)
made = make_demo_tournament(actor=TERMINAL_ACTOR, today=timezone.localdate(), size=size)
client = Client()
client.force_login(user)
print(made.slug, client.cookies["sessionid"].value)
"""
CHECK = """
import json, sys
import django
django.setup()
from django.db import transaction
from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import find_journal_differences
from tournament.core.change import TERMINAL_ACTOR
from tournament.core.records import list_divisions
from tournament.models import JournalEntry, Tournament
from tournament.table.files import build_standings_json
from tournament.table.league import load_table
def table(slug):
    event = Tournament.objects.get(slug=slug)
    return [build_standings_json(load_table(division)) for division in list_divisions(event)]
event = Tournament.objects.get(slug=sys.argv[1])
with transaction.atomic():
    faults, now = find_journal_differences(event), table(event.slug)
    if sys.argv[2] == "rebuild":
        rebuild_event(event.slug, "anew", actor=TERMINAL_ACTOR)
        if table("anew") != now:
            faults.append("made anew from its journal the event has another table")
    transaction.set_rollback(True)
pairs = [
    [after["first_points"], after["second_points"]]
    for entry in JournalEntry.objects.filter(tournament=event)
    for name, _pk, _before, after in entry.rows
    if name == "result" and after
]
print(json.dumps({"revision": event.revision, "pairs": pairs, "faults": faults}))
"""


@dataclass
class Witness:
    """What the people in the hall have seen: results that were saved, the newest state that a page has shown."""

    saved: set[tuple[int, int]] = field(default_factory=set)
    revision: int = 0
    answers: int = 0
    acts: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def saw(self, page: Page) -> None:
        """Somebody has read a page."""
        with self.lock:
            self.revision = max(self.revision, page.revision)
            self.answers += 1
            if page.status >= http.client.INTERNAL_SERVER_ERROR:
                self.acts[f"answered {page.status}"] += 1

    def did(self, act: str) -> None:
        """Something was acknowledged."""
        with self.lock:
            self.acts[act] += 1


@dataclass
class Hall:
    """The data folder, the event in it, who works on it, and what they have been told."""

    data: Path
    port: int
    slug: str
    session: str
    chance: random.Random
    witness: Witness = field(default_factory=Witness)
    first_words: set[str] = field(default_factory=set)

    def pair(self) -> tuple[int, int]:
        """Two scores that nobody has typed yet, and nothing odd about them."""
        while (pair := (self.chance.randint(250, 560), self.chance.randint(250, 560))) in self.witness.saved or abs(
            pair[0] - pair[1]
        ) > 300:
            pass
        return pair


def main() -> None:
    """Kill as often as asked, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        hall = prepared(Path(scratch), options.seed)
        faults = [fault for number in range(options.kills) for fault in killed(hall, number)]
        faults += killed(hall, REBUILT_EVERY - 1, kill=False)
    told = dict(sorted(hall.witness.acts.items()))
    print(f"seed {options.seed}: {options.kills} kills, {len(hall.witness.saved)} results acknowledged, {told}")
    print("\n".join(faults) or "nothing lost, nothing broken")
    sys.exit(bool(faults))


def environment(data: Path) -> dict[str, str]:
    """As a director's terminal has it."""
    ours = {"TSO_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(ROOT)}
    return {**os.environ, **ours, "DATABASE_URL": "", "CACHE_URL": "", "TSO_HOSTS": "127.0.0.1,testserver"}


def run(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A piece of the program over a data folder."""
    return subprocess.run([sys.executable, *words], env=environment(data), capture_output=True, text=True, check=False)


def prepared(data: Path, seed: int) -> Hall:
    """A data folder with an event, and its director's session."""
    done = run(data, "-c", PREPARE)
    assert done.returncode == 0, done.stderr
    slug, session = done.stdout.split()[-2:]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    return Hall(data, port, slug, session, random.Random(seed))


def killed(hall: Hall, number: int, *, kill: bool = True) -> list[str]:
    """Start the server, look whether all is there, work, and kill it; what was wrong."""
    window = hall.data.parent / f"{hall.data.name}-window.txt"
    with window.open("w", encoding="utf-8") as shown:
        words = [sys.executable, str(ROOT / "manage.py"), "start", "--no-browser", "--port", str(hall.port)]
        server = subprocess.Popen(words, env=environment(hall.data), stdout=shown, stderr=shown, process_group=0)
        try:
            wait(hall.port, server)
            faults = checked(hall, rebuild=number % REBUILT_EVERY == REBUILT_EVERY - 1)
            threads = work(hall) if kill else []
        finally:
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()
    for thread in threads:
        thread.join()
    faults += strange_words(hall, window)  # only now it has surely said all that it says at a start
    window.unlink()
    return [f"around kill {number + 1}: {fault}" for fault in faults]


def wait(port: int, server: subprocess.Popen[bytes]) -> None:
    """Until the server answers. Raises `RuntimeError` if it ends."""
    while server.poll() is None:
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        time.sleep(0.05)
    raise RuntimeError("the server does not start")


def strange_words(hall: Hall, window: Path) -> list[str]:
    """What the window says that it did not say at the first start."""
    words = {line.strip() for line in window.read_text(encoding="utf-8").splitlines()}
    hall.first_words = hall.first_words or words
    return [f"the window says: {line}" for line in sorted(words - hall.first_words)]


def checked(hall: Hall, *, rebuild: bool) -> list[str]:
    """What of all that was acknowledged is not there, and what of what is there does not fit."""
    done = run(hall.data, "-c", CHECK, hall.slug, "rebuild" if rebuild else "replay")
    if done.returncode:
        return [done.stderr.strip().splitlines()[-1]]
    found = json.loads(done.stdout)
    there = {tuple(pair) for pair in found["pairs"]}
    faults = [f"result {pair} is lost" for pair in sorted(hall.witness.saved - there)]
    if found["revision"] < hall.witness.revision:
        faults.append(f"a page has shown state {hall.witness.revision}, stored is {found['revision']}")
    return [*faults, *found["faults"]]


def work(hall: Hall) -> list[threading.Thread]:
    """Let all work for a while; they go on until the server is gone."""
    acts: list[Callable[[Hall, Browser], None]] = [type_result, type_result, direct, read]
    threads = [threading.Thread(target=keep_at_it, args=(hall, act)) for act in acts]
    for thread in threads:
        thread.start()
    enough, until = hall.witness.answers + hall.chance.randint(1, MOST_ACTS), time.monotonic() + LONGEST
    while hall.witness.answers < enough and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(hall.chance.uniform(0, MOMENT))
    return threads


def keep_at_it(hall: Hall, act: Callable[[Hall, Browser], None]) -> None:
    """Do one thing after the other until the server is gone."""
    browser = Browser(hall.port, hall.session)
    with suppress(OSError, http.client.HTTPException):
        while True:
            act(hall, browser)


def type_result(hall: Hall, browser: Browser) -> None:
    """Type two scores into an open row of the grid."""
    page = browser.get(f"/director/{hall.slug}/results/")
    hall.witness.saw(page)
    rows = page.fields(r"/results/", "-first_points")
    if not rows:
        time.sleep(0.1)
        return
    (form, chosen), pair = hall.chance.choice(rows), hall.pair()
    typed = {chosen: str(pair[0]), chosen.replace("-first_", "-second_"): str(pair[1])}
    answer = browser.post(form, [(name, typed.get(name, value)) for name, value in form.fields])
    if answer.status == http.client.FOUND and "after=" in answer.location:
        with hall.witness.lock:
            hall.witness.saved.add(pair)


def direct(hall: Hall, browser: Browser) -> None:
    """Draw, change, publish, close, take back: whatever the pages offer."""
    where = hall.chance.choice(["draw", "newest", "newest", "newest", "round", "journal", "entries"])
    if where == "draw":
        page = browser.get(f"/director/{hall.slug}/rounds/draw/")
        forms = page.forms(r"/rounds/draw/")
    else:
        page = browser.get(somewhere(hall, browser, where))
        forms = page.forms(r"/undo/" if where == "journal" else DIRECTORS_FORMS)
    hall.witness.saw(page)
    if not forms:
        return
    kinds = {kind(form): form for form in hall.chance.sample(forms, len(forms))}
    form = hall.chance.choice(list(kinds.values()))
    agreed = [box for box in form.boxes if box[0].startswith("accept")]
    before = hall.witness.revision
    browser.post(form, [*form.fields, *agreed])
    hall.witness.saw(page := browser.get(f"/director/{hall.slug}/entries/"))
    if page.revision > before:
        hall.witness.did(kind(form))


def kind(form: Form) -> str:
    """What a form does: the last word of its address."""
    parts = form.action.partition("?")[0].split("/")
    return next(part for part in reversed(parts) if part and not part.isdecimal())


def somewhere(hall: Hall, browser: Browser, where: str) -> str:
    """The address of the newest round or of any, of one of the last steps to take back, or of a player."""
    start, wanted, most = {
        "newest": ("rounds/", r"/rounds/\d+/$", 1),
        "round": ("rounds/", r"/rounds/\d+/$", 40),
        "journal": ("journal/", r"/journal/\d+/undo/$", 4),
        "entries": ("entries/", r"/entries/\d+/$", 40),
    }[where]
    page = browser.get(f"/director/{hall.slug}/{start}")
    hall.witness.saw(page)
    found = sorted(page.links(wanted), key=lambda link: int(re.findall(r"\d+", link)[-1]), reverse=True)
    return hall.chance.choice(found[:most] or [page.address])


def read(hall: Hall, browser: Browser) -> None:
    """What spectators look at."""
    for address in (f"/t/{hall.slug}/", f"/t/{hall.slug}/table/", f"/director/{hall.slug}/"):
        hall.witness.saw(browser.get(address))


if __name__ == "__main__":
    main()
