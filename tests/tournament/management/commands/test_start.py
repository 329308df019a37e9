"""`manage.py start`, run as a director runs it."""

import http.client
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread, main_thread
from typing import Any, TypeVar

import pytest
from django.utils import translation

from tests.terminal import Terminal
from tournament.backup.places import BackupReason, list_backups
from tournament.basics.precautions import entry_stored, irreversible_step
from tournament.laptop.serving import create_server
from tournament.management.base import BadInput
from tournament.management.commands.start import (
    Command,
    open_first_server,
    open_server,
    parse_ports,
    stop_program,
)

ROOT = Path(__file__).resolve().parents[4]
Found = TypeVar("Found")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Ctrl+C cannot be sent to one process there")


PATIENCE = 300
"""Seconds; what takes longer hangs. A machine on which much else runs stops the program in a minute."""


def free() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def free_port() -> int:
    return free()


def hear_ctrl_c() -> None:
    """Let Ctrl+C end the program, even if whoever runs the tests has turned that off for what they started."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Director:
    """Somebody who starts the program in a terminal and reads what it prints."""

    def __init__(self, data: Path, port: int) -> None:
        self.data = data
        self.port = port

    @contextmanager
    def start(self, *options: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
        """The program as it runs; whatever a test finds, it is stopped afterwards."""
        words = [sys.executable, str(ROOT / "manage.py"), "start", "--port", str(self.port), *options]
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONUTF8": "1", "LANG": "en_GB"}
        environment |= {
            "TSO_DATA": str(self.data),
            "DATABASE_URL": "",
            "CACHE_URL": "",
            "LC_ALL": "",
            "LANGUAGE": "",
            **variables,
        }
        with subprocess.Popen(
            words,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=hear_ctrl_c,  # noqa: PLW1509  # nothing else runs in this process then
        ) as program:
            try:
                yield program
            finally:
                program.kill()

    def read_until(self, program: subprocess.Popen[str], last: str) -> str:
        """What the program prints up to the line with `last`."""
        read = ""
        for line in program.stdout or ():
            read += line
            if last in line:
                return read
        raise AssertionError(read)

    def ask(self, path: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        connection.close()
        return response


def wait_until(found: Callable[[], Found]) -> Found:
    """What is found as soon as there is something."""
    for _attempt in range(10 * PATIENCE):
        if something := found():
            return something
        time.sleep(0.1)
    raise AssertionError("nothing came")


@pytest.fixture
def at_laptop(tmp_path: Path, free_port: int) -> Director:
    """In front of a machine on which the program has never run."""
    return Director(tmp_path / "data", free_port)


@pytest.fixture(scope="session")
def started_once(made_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder, to be copied, not used, of a program that has run once, made its director and was stopped."""
    folder = tmp_path_factory.mktemp("started") / "data"
    shutil.copytree(made_once, folder)
    director = Director(folder, free())
    with director.start("--no-browser") as program:
        director.read_until(program, "Ctrl+C")
        director.ask("/")
        program.send_signal(signal.SIGTERM)
        program.communicate(timeout=PATIENCE)
    return folder


@pytest.fixture
def back_at_laptop(at_laptop: Director, started_once: Path) -> Director:
    """In front of a machine on which somebody directs already."""
    shutil.copytree(started_once, at_laptop.data)
    return at_laptop


@pytest.fixture
def running(back_at_laptop: Director) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The program, running again, and what it has printed."""
    with back_at_laptop.start("--no-browser") as program:
        yield program, back_at_laptop.read_until(program, "Ctrl+C")


STOPPED = "Stopped. Everything that was entered is saved."


@pytest.mark.long
def test_first_start_shows_account_and_serves(at_laptop: Director) -> None:
    with at_laptop.start("--no-browser") as program:
        printed = at_laptop.read_until(program, "Ctrl+C")
        page = at_laptop.ask("/")
        backups = wait_until(lambda: list_backups(at_laptop.data / "backups"))

    assert re.search(r"Name: +turnierleitung\n +Password: +[a-z]{6}-[a-z]{6}-[a-z]{6}\n", printed)
    assert f"http://127.0.0.1:{at_laptop.port}/" in printed
    assert page.status == 200
    assert page.getheader("Server") == "TSO"
    assert [name.reason for name in backups] == [
        BackupReason.START
    ]  # what is entered from now on can be brought into it


def test_only_the_keeper_notes_what_is_entered() -> None:
    with Command().saving_before_hard_steps():
        assert not entry_stored.has_listeners()
        assert not irreversible_step.has_listeners()


@pytest.mark.long
def test_later_starts(back_at_laptop: Director, running: tuple[subprocess.Popen[str], str]) -> None:
    """One makes no account; another while it runs says where; then a signal stops it."""
    program, printed = running
    with back_at_laptop.start("--no-browser") as second:
        of_second, _errors = second.communicate(timeout=PATIENCE)
    back_at_laptop.ask("/")
    program.send_signal(signal.SIGTERM)
    rest, _errors = program.communicate(timeout=PATIENCE)

    assert "Password" not in printed
    assert second.returncode == 0
    assert of_second == f"The program is running already: http://127.0.0.1:{back_at_laptop.port}/\n"
    assert (program.returncode, rest.strip()) == (0, STOPPED)


@pytest.mark.long
def test_window_where_there_is_a_screen(back_at_laptop: Director, screen: str) -> None:
    with back_at_laptop.start("--window", "--no-browser", DISPLAY=screen) as program:
        back_at_laptop.read_until(program, "Ctrl+C")
        answer = wait_until(lambda: back_at_laptop.ask("/"))
        program.send_signal(signal.SIGTERM)
        rest, _errors = program.communicate(timeout=PATIENCE)

    assert answer.status == 200
    assert (program.returncode, rest.strip()) == (0, STOPPED)


@pytest.mark.long
def test_started_by_a_file_beside_data_that_are_not_used(back_at_laptop: Director, tmp_path: Path) -> None:
    beside = tmp_path / "stick" / "data"
    beside.mkdir(parents=True)
    (beside / "tso.sqlite3").touch()

    with back_at_laptop.start("--window", TSO_START_FILE=str(beside.parent / "TSO starten.sh"), DISPLAY="") as program:
        printed = back_at_laptop.read_until(program, "Ctrl+C")

    assert printed.splitlines()[:2] == [
        f"The data are kept in this folder: {back_at_laptop.data}",
        f"The data in this folder are not used: {beside}",
    ]
    assert "start it by: TSO starten mit Telefonen.sh" in printed


@pytest.mark.parametrize(
    ("number", "handler"), [(signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, stop_program)]
)
def test_ctrl_c_and_the_signal_end_the_serving(number: signal.Signals, handler: Any, free_port: int) -> None:
    """Sent while a request is answered."""

    def stop_and_answer(_environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        signal.pthread_kill(main_thread().ident or 0, number)
        start_response("200 OK", [("Content-Length", "4")])
        return [b"last"]

    server = create_server(free_port, lan=False, application=stop_and_answer)
    answers: list[bytes] = []
    asking = Thread(target=lambda: answers.append(first_line(free_port, b"GET / HTTP/1.1\r\n" + HOST + b"\r\n")))
    before = signal.signal(number, handler)
    try:
        asking.start()
        server.run()
    finally:
        signal.signal(number, before)
        server.close()
    asking.join(timeout=PATIENCE)

    assert len(answers) == 1


HOST = b"Host: localhost\r\n"
ODD = [
    b"GET / HTTP/1.10\r\n" + HOST + b"\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"X: a\0b\r\n\r\n",
    b"GET http://[ HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET / HTTP/1.1\r\n" + HOST + b"Cookie: \xff=;;sessionid=\xff\r\nHost: \xff\r\n\r\n",
    b"GET /%ff%00\xff?seen=\xff HTTP/1.1\r\n" + HOST + b"\r\n",
    b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
    b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 400000\r\n\r\n" + b"x" * 400_000,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
]


def first_line(port: int, raw: bytes) -> bytes:
    """How an answer to these bytes begins; empty where the server hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as stranger:
        try:
            stranger.sendall(raw)
            stranger.shutdown(socket.SHUT_WR)
            return stranger.makefile("rb").readline()
        except TimeoutError:
            raise
        except OSError:  # reset, a broken pipe, or (ENOTCONN) nobody there any more to shut down with
            return b""


def hang_up(port: int, raw: bytes) -> None:
    """Send these bytes and go away while they are read."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        stranger.sendall(raw)


def odd_requests(chance: random.Random) -> Iterator[bytes]:
    """The odd ones, and others made of them: some bytes changed, or the end missing."""
    yield from ODD
    for _request in range(300):
        raw = bytearray(chance.choice(ODD)[:400])
        for _byte in range(chance.randrange(1, 4)):
            raw[chance.randrange(len(raw))] = chance.randrange(256)
        yield bytes(raw[: chance.randrange(1, 2 * len(raw))])


@pytest.mark.long
def test_odd_requests_leave_the_window_quiet_and_ctrl_c_stops(
    back_at_laptop: Director, running: tuple[subprocess.Popen[str], str]
) -> None:
    program, _printed = running
    begun = [first_line(back_at_laptop.port, raw) for raw in odd_requests(random.Random(1))]
    for number in range(500):
        hang_up(back_at_laptop.port, ODD[number % len(ODD)][:5000])
    after = back_at_laptop.ask("/")
    program.send_signal(signal.SIGINT)
    rest, _errors = program.communicate(timeout=PATIENCE)

    assert [line for line in begun[:3] if not line.endswith(b" 400 Bad Request\r\n")] == []
    assert [line for line in begun if line and not re.match(rb"HTTP/1\.[01] [1245]\d\d ", line)] == []
    assert [line for line in begun if line.split()[1:2] == [b"500"]] == []
    assert after.status == 200
    assert (program.returncode, rest.strip()) == (0, STOPPED)


@pytest.mark.long
def test_first_start_opens_the_browser_signed_in(at_laptop: Director, made_once: Path, tmp_path: Path) -> None:
    shutil.copytree(made_once, at_laptop.data)
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{seen}.part" && mv "{seen}.part" "{seen}"\n')
    browser.chmod(0o700)

    with at_laptop.start(BROWSER=f"{browser} %s") as program:
        at_laptop.read_until(program, "Ctrl+C")
        address = wait_until(lambda: seen.exists() and seen.read_text()).strip()
        response = at_laptop.ask(address.partition(str(at_laptop.port))[2])

    assert address.startswith(f"http://127.0.0.1:{at_laptop.port}/first-start/")
    assert response.status == 302
    assert "sessionid=" in (response.getheader("Set-Cookie") or "")


@pytest.mark.long
def test_of_two_starts_at_once_one_serves_and_the_other_says_so(at_laptop: Director) -> None:
    with at_laptop.start("--no-browser") as one, at_laptop.start("--no-browser") as other:
        both = [one, other]
        wait_until(lambda: any(each.poll() is not None for each in both))
        (second,) = [each for each in both if each.poll() is not None]
        (first,) = [each for each in both if each is not second]
        said, _errors = second.communicate(timeout=PATIENCE)
        served = at_laptop.read_until(first, "Ctrl+C")

    assert (second.returncode, said) == (0, f"The program is running already: http://127.0.0.1:{at_laptop.port}/\n")
    assert "Password: " in served


@pytest.mark.long
def test_what_stops_a_start_is_told_in_a_line(back_at_laptop: Director) -> None:
    """A port that another program has, data of a newer version, a database that is none."""
    data, port = back_at_laptop.data, back_at_laptop.port
    database, backups = data / "tso.sqlite3", data / "backups"
    words = ("start", "--no-browser", "--port", str(port))
    whole = database.read_bytes()
    with Terminal(data) as terminal:
        with ThreadingHTTPServer(("127.0.0.1", port), BaseHTTPRequestHandler) as other:
            Thread(target=other.serve_forever).start()
            taken = terminal.run(*words)
            other.shutdown()
        (data / "version.json").write_text('{"version": "99.1"}')
        newer, left_by_newer = terminal.run(*words), database.read_bytes()
        (data / "version.json").unlink()
        database.write_bytes(b"this is no database " * 100)
        shutil.rmtree(backups)
        damaged = terminal.run(*words)

    assert [done.returncode for done in (taken, newer, damaged)] == [1, 1, 1]
    assert taken.stdout + taken.stderr == f"Port {port} is in use. Choose another one, for example: --port {port + 1}\n"
    (line,) = (newer.stdout + newer.stderr).splitlines()
    assert line.startswith("A newer version of the program has used these data (99.1); this is version 1")
    assert str(backups) in line  # whether or not the last run got to finish one
    assert left_by_newer == whole
    assert damaged.stdout + damaged.stderr == (
        f"The database {database} is damaged (this is no database). Nothing was changed in it. "
        f"There is no backup of it in {backups}.\n"
    )


@pytest.mark.parametrize("text", ["0", "65536", "-1", "http", "80 ", "8000.0", ""])
def test_port_impossible(text: str) -> None:
    with pytest.raises(BadInput) as refusal:
        parse_ports(text)

    assert text in refusal.value.lines[0]


def test_port_that_the_system_keeps_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_words: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("socket.create_server", refuse)

    with translation.override("en"), pytest.raises(BadInput) as refusal:
        open_server(80, lan=True)

    assert refusal.value.lines == [
        "The system does not give port 80 to this program. Choose another one, for example: --port 8000"
    ]


@pytest.mark.parametrize(("text", "expected"), [("1", 1), ("8000", 8000), ("65535", 65535)])
def test_port_possible(text: str, expected: int) -> None:
    assert parse_ports(text) == (expected,)


def test_automatic_port_is_that_of_addresses_without_one_or_the_usual() -> None:
    assert (parse_ports("auto"), parse_ports("8080")) == ((80, 8000), (8080,))


@pytest.mark.parametrize("fault", [PermissionError(13, "Permission denied"), OSError(98, "Address in use")])
def test_first_port_that_is_to_be_had_is_taken(monkeypatch: pytest.MonkeyPatch, fault: OSError, free_port: int) -> None:
    listen = socket.create_server

    def refuse_low_ports(address: tuple[str, int], **options: Any) -> socket.socket:
        if address[1] == 80:
            raise fault
        return listen(address, **options)

    monkeypatch.setattr("socket.create_server", refuse_low_ports)
    server, number = open_first_server((80, free_port), lan=False)
    server.close()

    assert number == free_port


def test_last_port_is_refused_as_ever(free_port: int) -> None:
    with socket.create_server(("127.0.0.1", free_port)), pytest.raises(BadInput):
        open_first_server((free_port, free_port), lan=False)
