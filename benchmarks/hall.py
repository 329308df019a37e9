"""A hall full of phones against the server as a director starts it: `python -m benchmarks.hall [--phones 500] …`.

On a data folder of its own with the example event (as many players as phones, a round published): the phones open their
players' own pages during the first quarter of the time (`--opening` minutes), and ask for news every three seconds from
then on. After that fifty players report within thirty seconds, each sending everything twice, while two helpers type
results into the grid; both have had it open before. A whole hour has several such bursts: `--minutes 60 --opening 5
--bursts 2`. Printed are the median and the 95th percentile of every kind of answer, how many failed, whether every
report is stored once and every pair that agreed has its result, what a grid and a result typed cost the server's
processor before all that, its memory (over a long time every ten
minutes) and computing time, and how much of the machine others had meanwhile, which makes every figure worse. Every
phone has its own address.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Iterator

PORT = 8897
EVERY = 3.0
REPORTING, REPORTED_IN = 50, 30.0
"""So many players report within so many seconds."""
TYPING_EVERY = 1.5
"""Seconds from a helper's result to the next, unless there are too few for the whole time."""
ALONE = 40
"""Grids loaded, and results typed, before anybody else is there: the system counts processor time in hundredths."""
MEMORY_EVERY = 600.0
LEAST = 2
"""Figures that a percentile needs."""


@dataclass
class Told:
    """What was measured: seconds by kind of answer, and what failed."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failed: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    statuses: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))


class Phone:
    """One browser: keeps its connection, comes from an address of its own."""

    def __init__(self, number: int, told: Told, cookie: str = "") -> None:
        self.address = f"127.0.{1 + number // 250}.{1 + number % 250}"
        self.told, self.cookie = told, cookie
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, kind: str, path: str, form: dict[str, str] | None = None, **headers: str) -> tuple[int, bytes]:
        """The status and the body of the answer; (0, b"") if there was none."""
        begun = time.perf_counter()
        for attempt in range(2):  # a connection that the server has closed meanwhile is opened again
            try:
                status, body = await asyncio.wait_for(self._exchange(path, form, headers), 30)
                break
            except (OSError, asyncio.IncompleteReadError, TimeoutError, IndexError, ValueError):
                self._close()
                if attempt:
                    self.told.failed[kind] += 1
                    return 0, b""
        self.told.seconds[kind].append(time.perf_counter() - begun)
        self.told.statuses[kind][status] += 1
        return status, body

    async def _exchange(self, path: str, form: dict[str, str] | None, headers: dict[str, str]) -> tuple[int, bytes]:
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", PORT, local_addr=(self.address, 0))
        assert self.reader is not None
        body = urlencode(form).encode() if form is not None else b""
        lines = [f"{'POST' if form is not None else 'GET'} {path} HTTP/1.1", f"Host: 127.0.0.1:{PORT}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if self.cookie:
            lines.append(f"Cookie: {self.cookie}")
        if form is not None:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        found = {name.lower(): value for name, _colon, value in (line.partition(": ") for line in head[1:])}
        answer = b""
        if "content-length" in found:
            answer = await self.reader.readexactly(int(found["content-length"]))
        elif found.get("transfer-encoding") == "chunked":
            answer = await self._chunks()
        if found.get("connection") == "close":
            self._close()
        return status, answer

    async def _chunks(self) -> bytes:
        assert self.reader is not None
        parts = []
        while size := int(await self.reader.readline(), 16):
            parts.append(await self.reader.readexactly(size))
            await self.reader.readline()
        await self.reader.readline()
        return b"".join(parts)

    def _close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


@dataclass(frozen=True)
class Game:
    """A game to be reported: its key and the personal links of both players, the starter's first."""

    pairing: int
    links: tuple[str, str]


@dataclass(frozen=True)
class Plan:
    """How long the evening is, in seconds, until when all phones are there, and how often fifty players report."""

    seconds: float
    opening: float
    bursts: int

    def moments(self) -> list[float]:
        """When the bursts begin."""
        between = (self.seconds - self.opening) / self.bursts
        return [self.opening + number * between for number in range(self.bursts)]


@dataclass(frozen=True)
class Stage:
    """What the benchmark plays with."""

    slug: str
    links: list[str]
    games: list[Game]
    session: str


def prepare(folder: str, players: int) -> Stage:
    """The example event with this many players, a round published and nothing played in it."""
    from benchmarks.requests import set_up

    set_up(folder)

    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client

    from tournament.access.codes import make_personal_link
    from tournament.accounts.operations import add_member
    from tournament.core.change import TERMINAL_ACTOR
    from tournament.models import Entry, Organiser, Pairing, Role, Round, Tournament

    with Path(os.devnull).open("w") as nothing:
        call_command("demo", "--players", str(players), "--played", "1", stdout=nothing)
    cup = Tournament.objects.get()
    client = Client()
    user = get_user_model().objects.create_user("helper", password="right")
    add_member(Organiser.objects.get(), user=user, role=Role.HELPER, actor=TERMINAL_ACTOR)
    client.force_login(user)
    entries = list(Entry.objects.filter(tournament=cup).select_related("tournament").order_by("pk"))
    links = {entry.pk: make_personal_link(entry) for entry in entries}
    round = Round.objects.filter(division__tournament=cup, state="published").order_by("-number").first()
    open_games = Pairing.objects.filter(round=round, kind="game").exclude(results__official=True).with_players()
    games = []
    for pairing in open_games.by_table():
        assert pairing.second is not None
        games.append(Game(pairing.pk, (links[pairing.first.pk], links[pairing.second.pk])))
    return Stage(cup.slug, list(links.values()), games, client.cookies["sessionid"].value)


@contextmanager
def server(folder: str) -> Iterator[subprocess.Popen[bytes]]:
    """The program as a director starts it."""
    environment = {**os.environ, "TSO_DATA": folder, "TSO_HOSTS": "127.0.0.1,localhost"}
    command = [sys.executable, "manage.py", "start", "--lan", "--no-browser", "--port", str(PORT)]
    running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _try in range(300):
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", PORT), timeout=1).close()
                break
            time.sleep(0.2)
        yield running
    finally:
        running.terminate()
        running.wait()


def memory(pid: int) -> int:
    """Megabytes that a process holds; 0 where the system does not say."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) // 1024
    return 0


def computed(pid: int) -> float:
    """Seconds for which a process has computed; 0 where the system does not say."""
    with suppress(OSError):
        user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return 0.0


def taken_away() -> tuple[int, int]:
    """The machine's time as the system counts it: what it had all in all, and what other machines took of it."""
    with suppress(OSError):
        figures = [int(each) for each in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
        return sum(figures), figures[7]
    return 0, 0


async def poll(phone: Phone, link: str, within: float, until: float) -> None:
    """A player's page, left open: it asks for news, and loads itself when there are some."""
    await asyncio.sleep(random.random() * within)
    _status, page = await phone.ask("opening", f"/me/{link}/")
    shown = re.search(rb'data-seen="([^"]+)"', page)
    seen = shown[1].decode() if shown else ""
    while time.monotonic() < until:
        status, body = await phone.ask("news", f"/me/{link}/news/" + (f"?seen={seen}" if seen else ""))
        if status == 200:
            fresh = json.loads(body)["state"]
            await phone.ask("page", f"/me/{link}/")
            seen = fresh
        await asyncio.sleep(EVERY * (0.9 + 0.2 * random.random()))


async def report(phone: Phone, game: Game, side: int, after: float) -> None:
    """One player reports; the phone sends it twice, as after a lost answer."""
    await asyncio.sleep(after)
    own, other = (431, 402) if side == 0 else (402, 431)
    form = {"own_points": str(own), "other_points": str(other), "key": f"bench-{game.pairing}-{side}"}
    path = f"/me/{game.links[side]}/report/{game.pairing}/"
    for _twice in range(2):
        await phone.ask("report", path, form, X_Requested_With="outbox")


async def help_out(phone: Phone, stage: Stage, games: list[Game], until: float, *, pause: float | None = None) -> None:
    """A helper types one result after the other into the grid, each as its script sends it, over the whole time unless
    a `pause` is given."""
    if pause is None:
        pause = max(TYPING_EVERY, (until - time.monotonic()) / max(len(games), 1))
    grid = f"/director/{stage.slug}/results/2/"
    status, page = await phone.ask("grid", grid)
    text = page.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', text)
    assert token is not None, (status, page[:300])
    for game in games:
        seen = re.search(rf'name="p{game.pairing}-seen" value="([^"]+)"', text)
        if seen is None or time.monotonic() > until:
            continue
        typed = {"first_points": "400", "second_points": "390", "seen": seen[1]}
        form = {f"p{game.pairing}-{name}": value for name, value in typed.items()}
        form["csrfmiddlewaretoken"] = token[1]
        await phone.ask(
            "typing", grid, form, HX_Request="true", X_CSRFToken=token[1], Origin=f"http://127.0.0.1:{PORT}"
        )
        await asyncio.sleep(pause)


def helpers(stage: Stage, told: Told) -> tuple[Phone, Phone]:
    """Two helpers' browsers."""
    cookie = f"sessionid={stage.session}; csrftoken={'x' * 32}"
    return Phone(900, told, cookie), Phone(901, told, cookie)


async def beforehand(stage: Stage) -> None:
    """What has happened in any hall before its phones come: the director and the helpers have opened their pages."""
    for helper in helpers(stage, Told()):
        await helper.ask("grid", f"/director/{stage.slug}/results/2/")
    await Phone(0, Told()).ask("opening", f"/me/{stage.links[0]}/")


async def type_alone(stage: Stage, pid: int) -> str:
    """What a helper costs the server's processor while nobody else is there: the grid, and a result typed into it."""
    helper, path = helpers(stage, Told())[0], f"/director/{stage.slug}/results/2/"
    began = computed(pid)
    for _try in range(ALONE):
        await helper.ask("grid", path)
    loaded = computed(pid)
    typed = stage.games[-ALONE:]
    await help_out(helper, stage, typed, time.monotonic() + 60, pause=0.0)
    of_one_load = (loaded - began) / ALONE
    of_one_result = (computed(pid) - loaded - of_one_load) / ALONE
    tables = len(stage.games)
    return (
        f"of the processor: a grid of {tables} tables {1000 * of_one_load:.0f} ms, a result {1000 * of_one_result:.0f}"
    )


async def evening(stage: Stage, told: Told, plan: Plan, pid: int) -> tuple[list[Game], list[int]]:
    """Everybody at once; the games that both players have reported, and the server's memory meanwhile."""
    until = time.monotonic() + plan.seconds
    phones = [Phone(number, told) for number in range(len(stage.links))]
    count = REPORTING // 2 * plan.bursts
    reported, typed = stage.games[:count], stage.games[count:]
    tasks = [poll(phone, link, plan.opening, until) for phone, link in zip(phones, stage.links, strict=True)]
    for number, game in enumerate(reported):
        moment = plan.moments()[number % plan.bursts]
        for side, link in enumerate(game.links):
            phone = Phone(stage.links.index(link), told)
            tasks.append(report(phone, game, side, moment + random.random() * REPORTED_IN))
    for helper, share in zip(helpers(stage, told), (typed[::2], typed[1::2]), strict=True):
        tasks.append(help_out(helper, stage, share, until))
    held: list[int] = []
    await asyncio.gather(*tasks, remember(pid, held, until))
    return reported, [*held, memory(pid)]


async def remember(pid: int, found: list[int], until: float) -> None:
    """Note the server's memory now and every ten minutes."""
    while time.monotonic() < until:
        found.append(memory(pid))
        await asyncio.sleep(min(MEMORY_EVERY, max(until - time.monotonic(), 0)))


def checked(folder: str, reported: list[Game]) -> str:
    """Whether every report is stored once, and every pair that agreed has its result."""
    from django.db import connection

    connection.close()
    from games.models import GameReport
    from tournament.models import Result

    stored = GameReport.objects.filter(pairing__in=[game.pairing for game in reported]).count()
    official = Result.objects.filter(
        pairing__in=[game.pairing for game in reported], official=True, first_points=431, second_points=402
    ).count()
    return f"{stored} of {2 * len(reported)} reports stored, {official} of {len(reported)} agreed results official"


def figures(told: Told) -> Iterator[str]:
    """A line for every kind of answer."""
    yield f"{'':10}{'answers':>9}{'median ms':>11}{'95 % ms':>9}{'slowest':>9}{'failed':>8}  statuses"
    for kind in ("opening", "news", "page", "report", "grid", "typing"):
        found = [1000 * each for each in sorted(told.seconds[kind])]
        if len(found) < LEAST:
            continue
        at_95 = quantiles(found, n=20)[-1]
        row = f"{kind:10}{len(found):9}{found[len(found) // 2]:11.1f}{at_95:9.0f}{found[-1]:9.0f}{told.failed[kind]:8}"
        yield f"{row}  {dict(told.statuses[kind])}"


def main() -> None:
    """Play the evening and print what was measured."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--phones", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--opening", type=float, help="minutes; a quarter of the time, unless given")
    parser.add_argument("--bursts", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random.seed(given.seed)
    opening = given.minutes / 4 if given.opening is None else given.opening
    plan = Plan(60 * given.minutes, 60 * opening, given.bursts)
    with tempfile.TemporaryDirectory() as folder:
        stage, told = prepare(folder, given.phones), Told()
        with server(folder) as running:
            asyncio.run(beforehand(stage))
            alone = asyncio.run(type_alone(stage, running.pid))
            machine, own, began = taken_away(), time.process_time(), computed(running.pid)
            reported, held = asyncio.run(evening(stage, told, plan, running.pid))
            worked, played = computed(running.pid) - began, time.process_time() - own
            time_had, stolen = (later - earlier for later, earlier in zip(taken_away(), machine, strict=True))
        print(f"{len(stage.links)} phones, {given.minutes:g} minutes, seed {given.seed}")
        print("\n".join(figures(told)))
        print(checked(folder, reported))
        print(alone)
        print(f"memory of the server: {' → '.join(str(each) for each in held)} MB")
        print(f"computed: the server {worked:.0f} s, the phones {played:.0f} s, within {plan.seconds:.0f} s")
        print(f"taken by other machines: {100 * stolen / max(time_had, 1):.0f} % of this one's time")


if __name__ == "__main__":
    main()
