"""A mirror behind a bad line: `python -m benchmarks.mirror [--visitors 300] [--rate 50000] [--drops 0.5]`.

A hall with 80 players in the last of 13 rounds sends its public state to a mirror, a hosted service as the tests start
it (PostgreSQL, Redis, two processes that the visitors share), over a line of so many bytes a second that fails in so
many of all connections, each in another way: closed at once, closed in the middle, answered by somebody else, the
answer lost. Visitors of the mirror ask for news every three seconds and read the table when there is any. Every two
seconds a result comes in. Printed are how long after each the mirror's table was the hall's, and what visitors waited
for; the table that comes in the end has to be the hall's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from statistics import median

from tests.hosting.service import Service

EVERY = 3.0  # seconds between two questions of a visitor
RESULT_EVERY = 2.0
PATIENCE = 120.0
MAKE_LINK = """
import json, sys
from tournament.accounts.operations import add_organiser
from tournament.core.change import TERMINAL_ACTOR
from tournament.mirror.messages import make_secret
from tournament.mirror.receiving import create_mirror_link
link = create_mirror_link(add_organiser(name="Club", actor=TERMINAL_ACTOR), name="x")
sys.stdout.write(json.dumps(f"/mirror/{link.nonce}/#{make_secret(link)}"))
"""


class Visitors:
    """People who look at the mirror's table."""

    def __init__(self, ports: list[int], path: str) -> None:
        self.ports, self.path = ports, path
        self.seconds: list[float] = []
        self.wrong: dict[int, int] = {}
        self.ended = False

    async def visit(self, number: int) -> None:
        seen = ""
        await asyncio.sleep(EVERY * random.Random(number).random())
        while not self.ended:
            status, body = await self._ask(number, f"{self.path}news/?seen={seen}")
            if status == 200:
                seen = json.loads(body)["state"]
                await self._ask(number, f"{self.path}table/")
            await asyncio.sleep(EVERY)

    async def _ask(self, number: int, path: str) -> tuple[int, bytes]:
        begun, status, body = time.perf_counter(), 0, b""
        with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, ValueError, IndexError):
            status, body = await asyncio.wait_for(self._exchange(number, path), 30)
        self.seconds.append(time.perf_counter() - begun)
        if status not in (200, 204, 304):
            self.wrong[status] = self.wrong.get(status, 0) + 1
        return status, body

    async def _exchange(self, number: int, path: str) -> tuple[int, bytes]:
        own, port = (f"127.0.{1 + number // 250}.{1 + number % 250}", 0), self.ports[number % len(self.ports)]
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=own)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
            answer = await reader.read()
        finally:
            writer.close()
        head, _end, body = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), body

    def run(self, count: int) -> None:
        async def everybody() -> None:
            await asyncio.gather(*(self.visit(number) for number in range(count)))

        asyncio.run(everybody())


class Mirror(Service):
    """The hosted service, asked without its proxy: the line that fails stands in its place."""

    @property
    def settings(self) -> dict[str, str]:
        return super().settings | {"TSO_HOSTS": "127.0.0.1", "TSO_HTTPS": "0"}


def read_table(port: int, path: str) -> object:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}{path}table.json", timeout=30) as answer:
        return json.loads(answer.read())
    return None


def run_hall(options: argparse.Namespace, folder: Path, link: str, ports: list[int]) -> bool:
    """Play the last round while it is mirrored; whether what came is right."""
    import django  # its settings name the data folder
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from django.test import Client

    from tests import factories
    from tests.tournament.mirror.bad_line import BadLine, choose_failures
    from tournament.mirror.operations import set_mirror_target
    from tournament.mirror.sending import MirrorSender

    division = factories.event(players=options.players, rounds=13)
    factories.season(division, 12)
    last = factories.published(division)
    line = BadLine(ports[0], choose_failures(options.seed, options.drops), options.rate)
    target = set_mirror_target(division.tournament, link=line.address + link)
    sender = MirrorSender(folder)
    sender.begin()
    while not sender.progress.get(target.pk) or not sender.progress[target.pk].path:
        time.sleep(0.2)
    path = sender.progress[target.pk].path
    visitors = Visitors(ports, path)
    crowd = threading.Thread(target=visitors.run, args=(options.visitors,))
    crowd.start()
    behind: list[float] = []
    for table in range(1, options.players // 2 + 1):
        factories.result(last, table, 400 + table, 380)
        entered = time.monotonic()
        expected = Client().get(f"/t/{division.tournament.slug}/table.json").json()
        while not (is_right := read_table(ports[0], path) == expected) and time.monotonic() - entered < PATIENCE:
            time.sleep(0.1)
        behind.append(time.monotonic() - entered)
        time.sleep(max(0.0, RESULT_EVERY - behind[-1]))
    visitors.ended = True
    crowd.join()
    sender.end()
    print_figures(behind, visitors, sum(map(len, line.passed)))
    print("right" if is_right else "WRONG")
    return is_right and not visitors.wrong


def print_figures(behind: list[float], visitors: Visitors, sent: int) -> None:
    waits = sorted(visitors.seconds)
    print(f"behind: median {median(behind):.1f} s, worst {max(behind):.1f} s, of {len(behind)} results")
    print(f"more than 5 s behind: {sum(each > 5 for each in behind)}")
    print(f"line: {sent} bytes")
    print(f"visitors: {len(waits)} answers, p95 {1000 * waits[int(len(waits) * 0.95)]:.0f} ms, wrong: {visitors.wrong}")
    print(f"machine: load {os.getloadavg()[0]:.1f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=300)
    parser.add_argument("--players", type=int, default=80)
    parser.add_argument("--rate", type=float, default=50_000)
    parser.add_argument("--drops", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tso-mirror-") as made:
        hall, hosted = Path(made, "hall"), Path(made, "hosted")
        hall.mkdir()
        hosted.mkdir()
        Path(made).chmod(0o711)
        mirror = Mirror(hosted)
        try:
            mirror.start()
            link = str(mirror.python("manage.py", "shell", "-v", "0", "-c", MAKE_LINK))
            os.environ |= {"TSO_DATA": str(hall), "DJANGO_SETTINGS_MODULE": "config.settings"}
            os.environ["TSO_HOSTS"] = "testserver,127.0.0.1,localhost"
            return 0 if run_hall(options, hall, link, list(mirror.processes)) else 1
        finally:
            mirror.stop()


if __name__ == "__main__":
    sys.exit(main())
