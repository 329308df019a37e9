"""Whether a right password gets in while wrong ones come from many addresses: `python -m benchmarks.patience`.

From each of `--addresses` three connections send wrong passwords without a pause, each again as soon as it is answered,
and obey what the program asks for if `--patient`. Meanwhile a newcomer in a fresh browser, from an address of their
own, sends the right password once, again and again. Printed are how many got in at the first try, and after how many
seconds. `--hosted` does so with PostgreSQL, Redis, two processes and nginx.

`--network 127.0.1.` is the beginning of the addresses. The program trusts its own machine; to be a stranger there, give
the loopback a network of its own (`unshare -n`, `ip link set lo up`, `ip route add local 10.9.0.0/16 dev lo`) and say
`--network 10.9.1.`.
"""

from __future__ import annotations

import argparse
import http.client
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.cookies import SimpleCookie
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from benchmarks.attack import PORT, _filled, server

NAME = "tso.example.org"  # of the hosted service
CONNECTIONS_OF_ONE = 3
PAUSE = 5.0
LIMIT = 30.0

ACCOUNT = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
from django.contrib.auth.models import User
User.objects.create_user("helper", password="right")
print("{}")
"""


class Stranger:
    """A browser at an address, with the page for signing in open."""

    def __init__(self, address: str, port: int) -> None:
        self.address, self.port, self.cookies = address, port, SimpleCookie()
        self.token = _filled(self.send("GET")[1])["csrfmiddlewaretoken"]

    def send(self, method: str, **typed: str) -> tuple[int, str, int]:
        """Ask for `/login/`: the status, the page, and for how many seconds to wait."""
        source = (self.address, 0)
        if self.port == PORT:
            asked = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=source)
        else:
            asked = http.client.HTTPSConnection(
                "127.0.0.1", self.port, timeout=60, source_address=source, context=ssl._create_unverified_context()
            )
        headers = {"Cookie": "; ".join(f"{name}={found.value}" for name, found in self.cookies.items())}
        headers |= {} if self.port == PORT else {"Host": NAME, "Referer": f"https://{NAME}/login/"}
        body = None
        if typed:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode({"csrfmiddlewaretoken": self.token, **typed})
        try:
            asked.request(method, "/login/", body, headers)
            answer = asked.getresponse()
            page = answer.read().decode()
        finally:
            asked.close()
        for line in answer.headers.get_all("Set-Cookie", []):
            self.cookies.load(line)
        return answer.status, page, int(answer.getheader("Retry-After") or 0)

    def attack(self, *, is_patient: bool) -> None:
        """Try wrong passwords until the program ends."""
        while True:
            with suppress(OSError, http.client.HTTPException):
                _status, _page, wait = self.send("POST", username="helper", password="wrong")
                if is_patient:
                    time.sleep(wait)


def attack(network: str, addresses: int, port: int, *, is_patient: bool) -> None:
    """Three connections from each address, until stopped."""
    threads = []
    for number in range(addresses * CONNECTIONS_OF_ONE):
        with suppress(OSError, http.client.HTTPException, KeyError):
            stranger = Stranger(f"{network}{number % addresses + 1}", port)
            threads.append(threading.Thread(target=stranger.attack, kwargs={"is_patient": is_patient}, daemon=True))
            threads[-1].start()
    for thread in threads:
        thread.join()


def sign_in(network: str, port: int, seconds: float) -> None:
    """Newcomers, one after the other; print what became of them."""
    got_in: list[float] = []
    others: list[str] = []
    began = time.time()
    until = time.time() + seconds
    number = 0
    while time.time() < until:
        number += 1
        address = f"{network}{200 + number % 50}"
        try:
            newcomer = Stranger(address, port)
            begun = time.perf_counter()
            status = newcomer.send("POST", username="helper", password="right")[0]
        except (OSError, http.client.HTTPException, KeyError) as fault:
            others.append(f"{type(fault).__name__} after {time.time() - began:.0f} s")
        else:
            if status == http.HTTPStatus.FOUND:
                got_in.append(time.perf_counter() - begun)
            else:
                others.append(f"{status} after {time.time() - began:.0f} s")
        time.sleep(PAUSE)
    times = f"median {median(got_in):.1f} s, slowest {max(got_in):.1f} s" if got_in else "-"
    sys.stdout.write(
        f"{len(got_in)} of {number} got in at the first try: {times}; others: {', '.join(others) or '-'}\n"
    )


@contextmanager
def hosted_service() -> Iterator[int]:
    """A service with the account of the helper; its port."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from tests.hosting.service import Service

    with tempfile.TemporaryDirectory(prefix="tso-hosted-") as folder:
        service = Service(Path(folder))
        try:
            service.start()
            service.python("-c", ACCOUNT)
            yield service.port
        finally:
            service.stop()


@contextmanager
def laptop() -> Iterator[int]:
    """A laptop's server with the account of the helper; its port."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.attack", "--", "prepare", folder]
        subprocess.run(command, capture_output=True, check=True)
        with server(folder):
            yield PORT


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosted", action="store_true")
    parser.add_argument("--patient", action="store_true")
    parser.add_argument("--addresses", type=int, default=30)
    parser.add_argument("--network", default="127.0.1.")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--attack", type=int, default=0, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.attack:
        attack(asked.network, asked.addresses, asked.attack, is_patient=asked.patient)
        return
    with hosted_service() if asked.hosted else laptop() as port:
        attacker = subprocess.Popen(
            ["nice", "-n", "19", sys.executable, "-m", "benchmarks.patience", *sys.argv[1:], "--attack", str(port)]
        )
        try:
            time.sleep(PAUSE)
            sign_in(asked.network, port, asked.seconds)
        finally:
            attacker.kill()
            attacker.wait()


if __name__ == "__main__":
    main()
