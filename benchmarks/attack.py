"""One machine in the hall against the server: `python -m benchmarks.attack [name of an attack …]`.

For each attack the server runs on a data folder of its own with the example event. While the attacker works from one
address, a helper saves results from another and new visitors come from a third. Printed are the median and the 95th
percentile of the helper's saves, of the visitors' first pages, and how many of either failed; first without an attack.
"""

from __future__ import annotations

import http.client
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from html import unescape
from pathlib import Path
from statistics import quantiles
from urllib.parse import urlencode

PORT = 8899
SECONDS = 40
PAUSE = 0.5  # between two saves: 80 at most, of the 120 tables or so of the example event that have no result yet
ATTACKER, HELPER, VISITOR = "127.0.0.66", "127.0.0.7", "127.0.0.8"
"""Every system has them all; where only 127.0.0.1 may be used (macOS), add them to the loopback first."""

_FIELD = re.compile(r"<input\b[^>]*>")
_PART = re.compile(r'\b(name|value|type)="([^"]*)"')


def connection(address: str, seconds: float = 30) -> http.client.HTTPConnection:
    """A connection to the server from this address."""
    return http.client.HTTPConnection("127.0.0.1", PORT, timeout=seconds, source_address=(address, 0))


@contextmanager
def server(folder: str) -> Iterator[None]:
    """The program on this data folder, answering."""
    environment = {**os.environ, "TSO_DATA": folder, "TSO_HOSTS": "127.0.0.1,localhost"}
    command = [sys.executable, "manage.py", "start", "--no-browser", "--port", str(PORT)]
    running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait()
        yield
    finally:
        running.kill()
        running.wait()


def _wait() -> None:
    for _try in range(300):
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", PORT), timeout=1).close()
            return
        time.sleep(0.2)
    raise RuntimeError("the server does not answer")


def prepare(folder: str) -> tuple[str, str]:
    """The example event and a helper's session: the address of the grid that is being filled, and the session."""
    from benchmarks.requests import set_up

    set_up(folder)

    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client

    from tournament.accounts.operations import add_member
    from tournament.core.change import TERMINAL_ACTOR
    from tournament.models import Organiser, Role, Round

    with Path(os.devnull).open("w") as nothing:
        call_command("demo", "--players", "500", "--played", "3", stdout=nothing)
    client = Client()
    user = get_user_model().objects.create_user("helper", password="right")
    add_member(Organiser.objects.get(), user=user, role=Role.OWNER, actor=TERMINAL_ACTOR)
    client.force_login(user)
    found = Round.objects.select_related("division__tournament").filter(state="published").order_by("-number")[0]
    return f"/director/{found.division.tournament.slug}/results/{found.number}/", client.cookies["sessionid"].value


def helper(grid: str, session: str) -> bool | None:
    """Load the grid and save one result in it, as a form does; whether that was done, None where every result is there
    (`PAUSE` sees to it that tables last for the time of an attack)."""
    asked = connection(HELPER)
    asked.request("GET", grid, headers={"Cookie": f"sessionid={session}"})
    answer = asked.getresponse()
    page, cookie = answer.read().decode(), (answer.getheader("Set-Cookie") or "").split(";")[0]
    fields = _filled(page)
    points = [name for name in fields if name.endswith("first_points")]
    if not points:
        asked.close()
        return None
    chosen = points[int(time.time() * 1000) % len(points)]
    fields[chosen], fields[chosen.replace("first", "second")] = str(300 + int(time.time()) % 200), "377"
    headers = {"Cookie": f"sessionid={session}; {cookie}", "Content-Type": "application/x-www-form-urlencoded"}
    started = time.perf_counter()
    asked.request("POST", grid, urlencode(fields), headers)
    answer = asked.getresponse()
    answer.read()
    _TIMES["save"].append(time.perf_counter() - started)
    asked.close()
    return answer.status in {200, 302}


def _filled(page: str) -> dict[str, str]:
    """The fields of a page's forms with their values."""
    parts = (dict(_PART.findall(tag)) for tag in _FIELD.findall(page))
    kept = (each for each in parts if each.get("type") not in {"checkbox", "radio", "submit"} and "name" in each)
    return {unescape(each["name"]): unescape(each.get("value", "")) for each in kept}


def visitor(_grid: str, _session: str) -> bool:
    """Somebody who opens the list of tournaments on a new connection."""
    started = time.perf_counter()
    asked = connection(VISITOR)
    asked.request("GET", "/")
    status = asked.getresponse().status
    _TIMES["visit"].append(time.perf_counter() - started)
    asked.close()
    return status == 200


_TIMES: dict[str, list[float]] = {"save": [], "visit": []}
_FAILED = {"save": 0, "visit": 0}


def measure(grid: str, session: str, until: float) -> None:
    """Save and visit by turns until then."""
    while time.time() < until:
        for name, act in (("save", helper), ("visit", visitor)):
            try:
                _FAILED[name] += act(grid, session) is False
            except (OSError, http.client.HTTPException):
                _FAILED[name] += 1
        time.sleep(PAUSE)


# The attacks: each works until it is told to stop.


def nobody(_stop: threading.Event) -> None:
    """No attack, to compare with."""


def sign_in_flood(stop: threading.Event) -> None:
    """Sixty-four wrong passwords at once, again and again."""
    asked = connection(ATTACKER)
    asked.request("GET", "/login/")
    answer = asked.getresponse()
    token = _filled(answer.read().decode())["csrfmiddlewaretoken"]
    cookie = (answer.getheader("Set-Cookie") or "").split(";")[0]
    body = urlencode({"csrfmiddlewaretoken": token, "username": "helper", "password": "wrong"})
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}

    def attempt() -> None:
        each = connection(ATTACKER)
        each.request("POST", "/login/", body, headers)
        each.getresponse().read()
        each.close()

    _at_once(64, attempt, stop)


def dripping(stop: threading.Event) -> None:
    """A thousand connections that send a letter every two seconds."""
    held: list[socket.socket] = []
    while not stop.is_set():
        while len(held) < 1000 and not stop.is_set():
            with suppress(OSError):
                held.append(socket.create_connection(("127.0.0.1", PORT), 2, source_address=(ATTACKER, 0)))
        for each in list(held):
            try:
                each.sendall(b"G")
            except OSError:
                held.remove(each)
                each.close()
        stop.wait(2)


def large_bodies(stop: threading.Event) -> None:
    """Eight bodies of 200 MB."""

    def send() -> None:
        with socket.create_connection(("127.0.0.1", PORT), 5, source_address=(ATTACKER, 0)) as each:
            each.sendall(b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000000\r\n\r\n")
            for _piece in range(200):
                each.sendall(b"x" * 1_000_000)

    _at_once(8, send, stop)


def endless_pages(stop: threading.Event) -> None:
    """Fifty connections that ask for pages which no cache holds, without a pause."""

    def ask() -> None:
        each = connection(ATTACKER)
        while not stop.is_set():
            each.request("GET", f"/?x={time.time()}")
            each.getresponse().read()

    _at_once(50, ask, stop)


ATTACKS: dict[str, Callable[[threading.Event], None]] = {
    "nobody": nobody,
    "sign-in flood": sign_in_flood,
    "1,000 dripping connections": dripping,
    "8 large bodies": large_bodies,
    "endless pages": endless_pages,
}


def _at_once(count: int, act: Callable[[], None], stop: threading.Event) -> None:
    """Do this on so many threads, over and over until stopped."""

    def work() -> None:
        while not stop.is_set():
            with suppress(OSError, http.client.HTTPException):
                act()

    threads = [threading.Thread(target=work, daemon=True) for _thread in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def attacked(name: str, grid: str, session: str) -> str:
    """What the helper and the visitors notice of an attack, in a line."""
    for times in _TIMES.values():
        times.clear()
    _FAILED.update(save=0, visit=0)
    # In a hall the attacker has a machine of their own; here they get what the server and the helper leave.
    attacker = subprocess.Popen(["nice", "-n", "19", sys.executable, "-m", "benchmarks.attack", "--", name])
    try:
        time.sleep(2)
        measure(grid, session, time.time() + SECONDS)
    finally:
        attacker.kill()
        attacker.wait()
    return f"{name:<28}" + "".join(
        f"{kind}: {len(times):3} times, median {_part(times, 50):6.0f} ms, 95 % {_part(times, 95):6.0f} ms, "
        f"{_FAILED[kind]} failed   "
        for kind, times in _TIMES.items()
    )


def _part(times: list[float], percent: int) -> float:
    """A percentile in milliseconds."""
    return quantiles(times, n=100, method="inclusive")[percent - 1] * 1000 if len(times) > 1 else float("nan")


def main(chosen: list[str]) -> None:
    """Attack a server, each time a new one, and print what was noticed."""
    if unknown := [name for name in chosen if name not in ATTACKS]:
        sys.exit(f"no such attack: {', '.join(unknown)}; there are: {', '.join(ATTACKS)}")
    for name in chosen or ATTACKS:
        with tempfile.TemporaryDirectory() as folder:
            prepared = subprocess.run(
                [sys.executable, "-m", "benchmarks.attack", "--", "prepare", folder],
                capture_output=True,
                text=True,
                check=True,
            )
            grid, session = prepared.stdout.split()
            with server(folder):
                print(attacked(name, grid, session), f"load {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:3] == ["--", "prepare"]:
        print(*prepare(sys.argv[3]))
    elif sys.argv[1:2] == ["--"]:
        ATTACKS[sys.argv[2]](threading.Event())
    else:
        main(sys.argv[1:])
