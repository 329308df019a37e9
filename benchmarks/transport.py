"""How phones hear of a change: asking every three seconds, or held on a line of server-sent events.

`python -m benchmarks.transport [--phones 500] [--minutes 1]`. The first half asks the program as a director starts it,
at the one address that all phones of an event ask; the second half holds a line to each phone from a second, light
server that does nothing else. In both something changes every ten seconds. Printed are the time until a phone knew
of a change, the computing time of a minute, and the memory that came with the phones.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import TYPE_CHECKING

from benchmarks import hall

if TYPE_CHECKING:
    from collections.abc import Callable

PORT = 8896
CHANGES_EVERY = 10.0
EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\n"


@dataclass
class Heard:
    """When each change was made, and the seconds until each phone knew of it."""

    made: dict[str, float] = field(default_factory=dict)
    delays: list[float] = field(default_factory=list)

    def hears(self, state: str) -> None:
        """A phone knows of a state."""
        if state in self.made:
            self.delays.append(time.monotonic() - self.made[state])


async def serve_events() -> None:
    """The light server: a line of its standard input goes to everybody who holds a connection."""
    lines: set[asyncio.StreamWriter] = set()

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(EVENTS)
        lines.add(writer)
        await reader.read()
        lines.discard(writer)

    server = await asyncio.start_server(hold, "127.0.0.1", PORT, backlog=1000)
    told = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(told), sys.stdin)
    async with server:
        while line := await told.readline():
            for writer in lines:
                writer.write(b"data: " + line + b"\n")


async def listen(phone: int, heard: Heard, until: float) -> None:
    """A phone that holds a line."""
    address = hall.Phone(phone, hall.Told()).address
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT, local_addr=(address, 0))
    writer.write(b"GET /events/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
    with suppress(TimeoutError):
        async with asyncio.timeout_at(asyncio.get_running_loop().time() + until - time.monotonic()):
            async for line in reader:
                if line.startswith(b"data: "):
                    heard.hears(line[6:].decode().strip())
    writer.close()


async def ask(phone: hall.Phone, address: str, heard: Heard, until: float) -> None:
    """A phone that asks every three seconds."""
    await asyncio.sleep(random.random() * hall.EVERY)
    seen = ""
    while time.monotonic() < until:
        status, body = await phone.ask("news", f"{address}?seen={seen}")
        if status == 200:
            seen = json.loads(body)["state"]
            heard.hears(seen)
        await asyncio.sleep(hall.EVERY * (0.9 + 0.2 * random.random()))


async def change(heard: Heard, make: Callable[[], str], until: float) -> None:
    """Something happens now and then."""
    await asyncio.sleep(CHANGES_EVERY / 2)
    while time.monotonic() < until:
        begun = time.monotonic()
        heard.made.setdefault(await asyncio.to_thread(make), begun)
        await asyncio.sleep(CHANGES_EVERY)


def told(name: str, heard: Heard, pid: int, before: tuple[float, int], seconds: float) -> None:
    """Print one way's figures."""
    worked, held = hall.computed(pid) - before[0], hall.memory(pid) - before[1]
    at_95 = quantiles(heard.delays, n=20)[-1]
    print(
        f"{name:20} {len(heard.made)} changes, {len(heard.delays)} times heard: after {median(heard.delays):.2f} s, "
        f"95 % within {at_95:.2f} s; computed {60 * worked / seconds:.1f} s a minute, {held:+} MB"
    )


def by_asking(phones: int, seconds: float) -> None:
    """Phones ask the program itself."""
    with tempfile.TemporaryDirectory() as folder:
        stage = hall.prepare(folder, 16)

        from tournament.core.change import TERMINAL_ACTOR
        from tournament.events.operations import update_settings
        from tournament.models import Tournament

        def make() -> str:
            tournament = Tournament.objects.get(slug=stage.slug)
            update_settings(tournament, name=f"Cup {time.monotonic_ns()}", actor=TERMINAL_ACTOR)
            return str(tournament.revision)

        with hall.server(folder) as running:
            asyncio.run(hall.beforehand(stage))
            heard, until = Heard(), time.monotonic() + seconds
            before = hall.computed(running.pid), hall.memory(running.pid)

            async def play() -> None:
                asked = [
                    ask(hall.Phone(number, hall.Told()), f"/t/{stage.slug}/news/", heard, until)
                    for number in range(phones)
                ]
                await asyncio.gather(change(heard, make, until - 2 * hall.EVERY), *asked)

            asyncio.run(play())
            told("asking every 3 s", heard, running.pid, before, seconds)


def by_events(phones: int, seconds: float) -> None:
    """Phones hold a line to a server of its own."""
    command = [sys.executable, "-m", "benchmarks.transport", "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as running:
        time.sleep(2)
        heard, until = Heard(), time.monotonic() + seconds
        before = hall.computed(running.pid), hall.memory(running.pid)

        def make() -> str:
            assert running.stdin is not None
            state = str(time.monotonic_ns())
            heard.made[state] = time.monotonic()
            running.stdin.write(f"{state}\n".encode())
            running.stdin.flush()
            return state

        async def play() -> None:
            held = [listen(number, heard, until) for number in range(phones)]
            await asyncio.gather(change(heard, make, until - 2), *held)

        asyncio.run(play())
        told("server-sent events", heard, running.pid, before, seconds)
        running.terminate()


def main() -> None:
    """Compare both ways."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--phones", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        asyncio.run(serve_events())
        return
    by_events(given.phones, 60 * given.minutes)
    by_asking(given.phones, 60 * given.minutes)


if __name__ == "__main__":
    main()
