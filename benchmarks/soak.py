"""An evening's load for as long as one likes, and the memory of every process of the program: `python -m
benchmarks.soak [--load photos] [--minutes 10]`.

The program is started as its users do (`tso.py start --lan`). `photos`: four players send pictures that are refused
(cut off, bombs, no pictures, too many scans), without a pause. `mixed` (the usual one): a few of these, forty phones
that stay open and ask for news, two helpers who type and correct results, whoever reads every public page, document and
file, a director who looks through theirs and makes backups, and a stranger who tries passwords, addresses that are not
there and forms that are none. Printed each minute, and at the end for the beginning, the middle and the end (means of
half a minute): megabytes of the server, of the processes that it has started, of all, and how often each kind was
answered. The beginning is half a minute after the load begins, when every thread has answered something.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import fmean
from urllib.parse import urlencode

from benchmarks.browser import Browser, Form
from benchmarks.hall import PORT, Stage, memory, prepare
from benchmarks.photos import BORDER, make_photo, open_pages
from benchmarks.requests import ROOT

WARMING, MEAN_OF, EVERY = 30.0, 30.0, 1.0
PUBLIC = (
    *("/", "/news/", "/t/{slug}/", "/t/{slug}/table/", "/t/{slug}/crosstable/", "/t/{slug}/entries/?q={word}"),
    *(
        "/t/{slug}/rounds/2/",
        "/t/{slug}/statistics/",
        "/t/{slug}/chances/",
        "/t/{slug}/table.pdf",
        "/t/{slug}/card.png",
    ),
    *("/t/{slug}/table.xlsx", "/t/{slug}/table.csv?x={word}", "/t/{slug}/feed.atom", "/t/{slug}/event.ics"),
    *("/api/v1/events", "/api/v1/events/{slug}/table", "/api/v1/events/{slug}/results?x={word}", "/t/{slug}/?x={word}"),
)
DIRECTORS = (
    *("/director/", "/director/{slug}/", "/director/{slug}/entries/", "/director/{slug}/results/2/"),
    *("/director/{slug}/journal/", "/director/{slug}/journal/journal.csv", "/director/{slug}/rounds/outlook/"),
    *("/director/{slug}/print/pairings.pdf", "/director/{slug}/print/scoresheets.pdf", "/director/{slug}/chances/"),
    *(
        "/director/{slug}/export/tournament/",
        "/director/{slug}/export/event.zip",
        "/director/{slug}/export/website.zip",
    ),
)


def make_refused_pictures() -> list[bytes]:
    """Pictures that are refused, each for another reason."""
    from tests.games.photos import samples

    cut = [make_photo("JPEG", 20), make_photo("PNG", 5000), make_photo("JPEG", 200_000)]
    made = [samples.bomb(30_000, 30_000), samples.bomb(4000, 4000), samples.many_scans(), samples.HEIC, samples.SVG]
    made += [samples.TEXT * 40_000, samples.moving("PNG"), b"\xff\xd8\xff" + random.randbytes(3_000_000)]
    return cut + made


def type_points(form: Form, first: str, second: str) -> list[tuple[str, str]]:
    """A form's fields with points in two of them; about nothing odd anybody is asked."""
    winner = random.randint(380, 550)
    points = {first: str(winner), second: str(winner - random.randint(1, 120))}
    return [(name, points.get(name, value)) for name, value in form.fields]


class Load:
    """Everybody who asks something until the time is over, and what the answers were."""

    def __init__(self, stage: Stage, director: str, until: float) -> None:
        self.stage, self.director, self.until = stage, director, until
        self.answers: Counter[str] = Counter()
        self.pictures = make_refused_pictures()

    def ask(
        self, kind: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Send a request and read its answer."""
        line = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
        status, content = 0, b""
        with suppress(OSError, http.client.HTTPException):
            line.request("GET" if body is None else "POST", path, body, headers or {})
            answer = line.getresponse()
            status, content = answer.status, answer.read()
        line.close()
        self.answers[f"{kind} {status}"] += 1
        return status, content

    def send_pictures(self, number: int, pause: float) -> None:
        """One refused picture after another, for a player's own game."""
        game = self.stage.games[number % len(self.stage.games)]
        head = f'--{BORDER}\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n'.encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={BORDER}"}
        while time.monotonic() < self.until:
            body = head + random.choice(self.pictures) + f"\r\n--{BORDER}--\r\n".encode()
            self.ask("picture", f"/me/{game.links[number % 2]}/photo/{game.pairing}/", body, headers)
            time.sleep(pause)

    def keep_open(self, number: int) -> None:
        """A player's page that asks for news and loads itself anew."""
        link = self.stage.links[number % len(self.stage.links)]
        while time.monotonic() < self.until:
            _status, page = self.ask("phone", f"/me/{link}/")
            seen = re.search(rb'data-seen="([^"]+)"', page)
            for _time in range(10):
                self.ask("news", f"/me/{link}/news/?seen={seen[1].decode() if seen else ''}")
                time.sleep(3 * random.uniform(0.9, 1.1))

    def type_results(self, half: int) -> None:
        """A helper who types the results of every second game, and corrects them over and over, each time others."""
        browser, grid = Browser(PORT, self.stage.session), f"/director/{self.stage.slug}/results/2/"
        while time.monotonic() < self.until:
            with suppress(OSError, http.client.HTTPException):
                page = browser.get(grid)
                self.answers[f"grid {page.status}"] += 1
                open_rows = page.fields(rf"^{grid}", "-first_points")
                if mine := open_rows[half::2]:
                    form, first = mine[0]
                    answer = browser.post(form, type_points(form, first, first.replace("first_", "second_")))
                    self.answers[f"typing {answer.status}"] += 1
                elif not open_rows and (links := page.links(r"/result/\d+/$")[half::2]):
                    self.correct_result(browser, random.choice(links))
            self.wait(1.0)

    def correct_result(self, browser: Browser, address: str) -> None:
        """Type other points, look at what changes by them, and save them."""
        form = browser.get(address).forms(rf"^{address}")[0]
        shown = browser.post(form, type_points(form, "first_points", "second_points"))
        self.answers[f"correction shown {shown.status}"] += 1
        for again in shown.forms(rf"^{address}")[:1]:
            self.answers[f"correction {browser.post(again, again.fields).status}"] += 1

    def read(self, addresses: tuple[str, ...], session: str, pause: float) -> None:
        """Somebody who opens every page and file, in any order."""
        headers = {"Cookie": f"sessionid={session}"} if session else {}
        while time.monotonic() < self.until:
            path = random.choice(addresses).format(slug=self.stage.slug, word=random.randrange(10**6))
            self.ask("director" if session else "public", path, headers=headers)
            time.sleep(pause)

    def make_backups(self) -> None:
        """A director who makes a backup every two minutes."""
        address, cookie = "/director/tournaments/backups/", f"sessionid={self.director}; csrftoken={'x' * 32}"
        while time.monotonic() < self.until:
            _status, page = self.ask("backups", address, headers={"Cookie": cookie})
            token = re.search(rb'name="csrfmiddlewaretoken" value="([^"]+)"', page)
            form = re.search(rb'action="([^"]*(?:make|now)[^"]*)"', page)
            if token and form:
                headers = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{PORT}"}
                headers |= {"Content-Type": "application/x-www-form-urlencoded"}
                self.ask(
                    "backup", form[1].decode(), urlencode({"csrfmiddlewaretoken": token[1].decode()}).encode(), headers
                )
            self.wait(120)

    def disturb(self) -> None:
        """A stranger: passwords, codes, addresses and bodies that are none."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        while time.monotonic() < self.until:
            word = random.randbytes(6).hex()
            self.ask("stranger", f"/t/{word}/")
            self.ask("stranger", f"/me/{word}/")
            self.ask("stranger", f"/t/{self.stage.slug}/table/?after={word}&sort={word}")
            self.ask("stranger", "/login/", urlencode({"username": word, "password": word}).encode(), kind)
            self.ask("stranger", "/code/", b"\xff" * random.randrange(100_000), kind)
            self.ask("stranger", f"/api/v1/events/{word}?{'x' * random.randrange(3000)}")
            time.sleep(0.5)

    def wait(self, seconds: float) -> None:
        time.sleep(max(0.0, min(seconds, self.until - time.monotonic())))

    def list_tasks(self, load: str) -> list[Callable[[], None]]:
        """What is done at the same time."""
        if load == "photos":
            return [lambda number=number: self.send_pictures(number, 0) for number in range(4)]  # type: ignore[misc]
        tasks: list[Callable[[], None]] = [lambda: self.send_pictures(0, 2.0), self.make_backups, self.disturb]
        tasks += [lambda number=number: self.keep_open(number) for number in range(40)]  # type: ignore[misc]
        tasks += [lambda half=half: self.type_results(half) for half in range(2)]  # type: ignore[misc]
        tasks += [lambda: self.read(PUBLIC, "", 0.3), lambda: self.read(DIRECTORS, self.director, 1.0)]
        return tasks


def list_descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    listed, added = [], [pid]
    while added:
        added = [child for child, parent in parents.items() if parent in added]
        listed += added
    return listed


def make_director(stage: Stage) -> str:
    """The session of somebody who directs, and looks after the installation."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    from tournament.accounts.operations import add_member
    from tournament.core.change import TERMINAL_ACTOR
    from tournament.models import Organiser, Role, Tournament

    Tournament.objects.filter(slug=stage.slug).update(is_public=True)
    user = get_user_model().objects.create_superuser("soaking", password="right")
    add_member(Organiser.objects.get(), user=user, role=Role.DIRECTOR, actor=TERMINAL_ACTOR)
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


def start_program(folder: str) -> subprocess.Popen[bytes]:
    """The program as its users start it, once it answers."""
    environment = {**os.environ, "TSO_DATA": folder, "TSO_HOSTS": "127.0.0.1,localhost"}
    command = [sys.executable, str(ROOT / "tso.py"), "start", "--lan", "--no-browser", "--port", str(PORT)]
    running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _try in range(300):
        with suppress(OSError):
            http.client.HTTPConnection("127.0.0.1", PORT, timeout=1).connect()
            return running
        time.sleep(0.2)
    raise SystemExit("the program does not start")


def main() -> None:
    """Load the program, and print its memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--load", choices=["mixed", "photos"], default="mixed")
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random.seed(given.seed)
    os.environ.setdefault("TSO_DEBUG", "0")
    with tempfile.TemporaryDirectory() as folder:
        stage = prepare(folder, 48)
        director = make_director(stage)
        running = start_program(folder)
        try:
            print(f"at rest: {memory(running.pid)} MB", flush=True)
            open_pages(stage.links[:8])
            load = Load(stage, director, time.monotonic() + WARMING + 60 * given.minutes)
            measure(running.pid, load, given.load, 60 * given.minutes)
            if (log := Path(folder) / "tso.log").exists():
                print(f"what the program has logged:\n{log.read_text(encoding='utf-8')[-20_000:]}")
        finally:
            running.terminate()
            running.wait()


def measure(pid: int, load: Load, kind: str, seconds: float) -> None:
    """Begin the load, and print the memory until it is over."""
    threads = [threading.Thread(target=task, daemon=True) for task in load.list_tasks(kind)]
    for thread in threads:
        thread.start()
    time.sleep(WARMING)
    began, figures = time.monotonic(), list[tuple[float, int, int, int]]()
    while (passed := time.monotonic() - began) < seconds:
        started = [memory(child) for child in list_descendants(pid)]
        figures.append((passed, memory(pid), sum(started), len(started)))
        if int(passed // 60) != int((passed - EVERY) // 60):
            print(f"{passed / 60:4.0f} min: {format_figures(figures[-5:])}", flush=True)
        time.sleep(EVERY)
    for word, middle in (("beginning", MEAN_OF / 2), ("middle", seconds / 2), ("end", seconds - MEAN_OF / 2)):
        near = [each for each in figures if abs(each[0] - middle) <= MEAN_OF / 2]
        print(f"{word}: {format_figures(near)}")
    print(f"at most: server {max(each[1] for each in figures)} MB, all {max(each[1] + each[2] for each in figures)} MB")
    print(", ".join(f"{name}: {count}" for name, count in sorted(load.answers.items())))


def format_figures(figures: list[tuple[float, int, int, int]]) -> str:
    """The means of these figures."""
    server, started, processes = (fmean(each[place] for each in figures) for place in (1, 2, 3))
    return f"server {server:.0f} MB, its processes {started:.0f} MB ({processes:.1f}), all {server + started:.0f} MB"


if __name__ == "__main__":
    main()
