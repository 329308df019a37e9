"""The laptop's way in: a place for every newcomer, and little from strangers; beneath it, the server as it runs."""

import http.client
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import IO, Any

import pytest
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from tests import factories
from tournament.access.codes import make_personal_link
from tournament.laptop import connections
from tournament.laptop.connections import (
    HEAD_BYTES,
    LOOK_UPS_PER_SECOND,
    MOST_BYTES,
    STRANGERS_BYTES,
    Entrance,
    count_allowed_bytes,
    forget_session,
    is_recently_signed_in,
    is_signed_in,
    note_session,
)
from tournament.laptop.serving import create_server

KB, MB = 1024, 1024**2
LARGE = 2 * STRANGERS_BYTES
HALL = "192.0.2.7"
Connect = Callable[..., socket.socket]


@pytest.fixture(autouse=True)
def nobody_seen() -> None:
    connections._SEEN.clear()
    connections._LOOKED_UP.clear()


def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answers with as many bytes as the path says, or with how many were sent to it."""
    path = environ["PATH_INFO"]
    if environ["REQUEST_METHOD"] == "POST":
        body = str(len(environ["wsgi.input"].read())).encode()
    else:
        body = b"x" * int(path[1:]) if path[1:].isdecimal() else path.encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@pytest.fixture
def server() -> Iterator[Any]:
    made = create_server(0, lan=False, application=application)
    running = threading.Thread(target=made.run, daemon=True)
    running.start()
    yield made
    made.task_dispatcher.shutdown(timeout=1)
    made.close()


@pytest.fixture
def connect(server: Any) -> Iterator[Connect]:
    """Makes connections to the server, from any address of this machine."""
    with ExitStack() as held:

        def connected(address: str = "127.0.0.1") -> socket.socket:
            made = socket.create_connection(server.socket.getsockname(), timeout=60, source_address=(address, 0))
            return held.enter_context(made)

        yield connected


def request(path: str, *headers: str, method: str = "GET") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


def posted(path: str, size: int, *headers: str) -> bytes:
    return request(path, f"Content-Length: {size}", *headers, method="POST") + b"x" * size


def answered(connection: socket.socket) -> tuple[int, bytes]:
    """The next answer's status and body."""
    response = http.client.HTTPResponse(connection)
    response.begin()
    return response.status, response.read()


def stored_session(holds: str = SESSION_KEY) -> str:
    store = SessionStore()
    store[holds] = "1"
    store.save()
    assert store.session_key
    return store.session_key


# What strangers may send


def head(path: str, cookies: str = "") -> bytes:
    return request(path, f"Cookie: {cookies}", method="POST")


@pytest.mark.django_db
def test_strangers_may_send_little() -> None:
    for stranger in (
        head("/login/"),
        head("/login/", "sessionid=madeup"),
        head("/me/1-made/photo/1/"),
        b"",
        b"\xff\0\r",
    ):
        assert count_allowed_bytes(stranger, HALL) == STRANGERS_BYTES


@pytest.mark.django_db
def test_somebody_signed_in_may_send_much() -> None:
    assert count_allowed_bytes(head("/", f"a=b; sessionid={stored_session()}"), HALL) == MOST_BYTES


@pytest.mark.django_db
def test_session_in_which_nobody_signed_in_is_a_strangers() -> None:
    key = stored_session("typed_before_sign_in")

    assert count_allowed_bytes(head("/", f"sessionid={key}"), HALL) == STRANGERS_BYTES
    assert not is_recently_signed_in(key)


@pytest.mark.django_db
def test_player_may_send_photos() -> None:
    link = make_personal_link(factories.enter(factories.event(), 1)[0])

    most = count_allowed_bytes(head(f"/me/{link}/photo/1/"), HALL)

    assert most == settings.UPLOAD_LIMIT + HEAD_BYTES


def test_head_that_is_none_is_a_strangers() -> None:
    endless = b"GET / HTTP/1.1\r\n" + b"".join(b"X%d: y\r\n" % number for number in range(1000))

    assert count_allowed_bytes(endless, HALL) == STRANGERS_BYTES


def send_until_refused(connection: socket.socket, pieces: Iterable[bytes]) -> int:
    """How many bytes the other side takes before it hangs up."""
    sent = 0
    for piece in pieces:
        try:
            connection.sendall(piece)
        except (BrokenPipeError, ConnectionResetError):
            return sent
        sent += len(piece)
    raise AssertionError(f"{sent} bytes taken")


HELD_BY_THE_SYSTEM = 20 * MB
"""Bytes that are on their way when the other side hangs up; some systems take them from the sender in advance."""


@pytest.mark.parametrize(
    ("announced", "piece"),
    [("Content-Length: 200000000", b"x" * 4096), ("Transfer-Encoding: chunked", b"1000\r\n" + b"x" * 4096 + b"\r\n")],
    ids=["whole", "in pieces"],
)
def test_large_body_of_a_stranger_is_not_waited_for(announced: str, piece: bytes, connect: Connect) -> None:
    stranger = connect()
    stranger.sendall(request("/login/", announced, method="POST"))

    taken = send_until_refused(stranger, (piece for _piece in range(200_000_000 // len(piece))))

    assert taken < STRANGERS_BYTES + HELD_BY_THE_SYSTEM


def test_large_body_of_somebody_seen_is_taken(connect: Connect) -> None:
    note_session("director")
    director = connect()
    director.sendall(posted("/", LARGE, "Cookie: sessionid=director"))

    assert answered(director) == (200, str(LARGE).encode())


def test_each_request_of_a_connection_counts_for_itself(connect: Connect) -> None:
    stranger = connect()
    for _request in range(8):
        stranger.sendall(posted("/", 60 * KB))
        assert answered(stranger) == (200, str(60 * KB).encode())


@pytest.mark.parametrize("cut", [None, 30, 90])
@pytest.mark.sampled(1)
def test_request_with_two_lengths_is_refused(connect: Connect, cut: int | None) -> None:
    smuggled = request("/x", "Content-Length: 5", "transfer-encoding:chunked", method="POST") + b"0\r\n\r\nGET /y"
    connection = connect()
    connection.sendall(smuggled[:cut])
    if cut is not None:
        time.sleep(0.1)
        connection.sendall(smuggled[cut:])

    response = http.client.HTTPResponse(connection)
    response.begin()
    assert (response.status, response.read()) == (400, b"")
    assert connection.recv(1) == b""


@pytest.mark.parametrize(
    "sent",
    [
        request("/").replace(b"1.1", b"1.10"),
        request("/").replace(b"1.1", b"9"),
        request("/", "X: a\0b"),
        request("/\0"),
        request("http://[::1/"),
        request("/", "X"),
        request("/", " folded"),
        request("/", "X : 1"),
        request("/", "X: a\nY: b"),
        b"GET /\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
    ],
)
@pytest.mark.sampled(3)
def test_head_that_is_none_is_refused_and_not_logged(
    connect: Connect, caplog: pytest.LogCaptureFixture, sent: bytes
) -> None:
    connection = connect()
    connection.sendall(sent)

    response = http.client.HTTPResponse(connection)
    response.begin()
    assert response.status == 400
    assert connection.recv(1) == b""
    assert caplog.records == []


def test_lines_before_the_first_one_are_left_out(connect: Connect) -> None:
    connection = connect()
    connection.sendall(b"\r\n\r\n" + request("/x"))

    assert answered(connection) == (200, b"/x")


@pytest.mark.parametrize("stated", ["Content-Length: 1", "Transfer-Encoding: chunked"])
def test_request_with_one_length_is_answered(connect: Connect, stated: str) -> None:
    connection = connect()
    body = b"x" if "Length" in stated else b"1\r\nx\r\n0\r\n\r\n"
    connection.sendall(request("/x", stated, "X-Content-Length: 3", method="POST") + body)

    assert answered(connection) == (200, b"1")


@pytest.mark.django_db
def test_unknown_cookies_are_looked_up_a_few_times_only(django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(LOOK_UPS_PER_SECOND):
        found = {is_signed_in(f"made-up-{number}", HALL) for number in range(2 * LOOK_UPS_PER_SECOND)}

    assert found == {False}


@pytest.mark.django_db
def test_whoever_makes_up_links_uses_up_nobody_elses_look_ups() -> None:
    link = make_personal_link(factories.enter(factories.event(), 1)[0])
    flood = [head(f"/me/1-{'a' * 15}{'23456789'[number % 8]}/photo/1/") for number in range(3 * LOOK_UPS_PER_SECOND)]
    for number, made_up in enumerate(flood):
        count_allowed_bytes(made_up, f"192.0.2.{number % 3 + 1}")

    assert count_allowed_bytes(head(f"/me/{link}/photo/1/"), HALL) == settings.UPLOAD_LIMIT + HEAD_BYTES


@pytest.mark.django_db
def test_from_the_same_address_made_up_links_keep_no_photo_out(django_assert_num_queries: Any) -> None:
    link = make_personal_link(factories.enter(factories.event(), 1)[0])
    with django_assert_num_queries(0):
        for _time in range(3 * LOOK_UPS_PER_SECOND):
            count_allowed_bytes(head("/me/x/photo/1/"), HALL)

    assert count_allowed_bytes(head(f"/me/{link}/photo/1/"), HALL) == settings.UPLOAD_LIMIT + HEAD_BYTES


def test_seen_sessions_are_forgotten_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_SESSIONS", 2)
    for key in ("a", "b", "c"):
        note_session(key)
    forget_session("c")

    assert [is_recently_signed_in(key) for key in ("a", "b", "c")] == [False, True, False]


# Places


def hangs_up(connection: socket.socket) -> bool:
    """Whether the other side has ended a connection, or does so now."""
    connection.settimeout(0.3)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False


@pytest.fixture
def entrance() -> Iterator[Entrance]:
    """With three places, and nobody who serves."""
    with Entrance(socket.create_server(("127.0.0.1", 0)), 3) as made:
        yield made


@pytest.fixture
def arrive(entrance: Entrance) -> Iterator[Callable[[str], tuple[socket.socket, Any]]]:
    """Somebody comes in from an address: both ends of the connection."""
    with ExitStack() as held:

        def arrived(address: str) -> tuple[socket.socket, Any]:
            theirs = socket.create_connection(entrance.getsockname(), timeout=60, source_address=(address, 0))
            ours, _address = entrance.accept()
            return held.enter_context(theirs), held.enter_context(ours)

        yield arrived


ELSEWHERE = "127.0.0.66"
elsewhere = pytest.mark.skipif(sys.platform == "darwin", reason="only 127.0.0.1 is there")


@elsewhere
def test_newcomer_takes_a_place_of_the_address_that_has_most(arrive: Any) -> None:
    visitor, *crowd = [arrive(address)[0] for address in ("127.0.0.1", ELSEWHERE, ELSEWHERE)]

    newcomer, _ours = arrive("127.0.0.1")

    assert [hangs_up(each) for each in (visitor, *crowd, newcomer)] == [False, True, False, False]


def test_whoever_has_sent_a_whole_request_keeps_the_place(entrance: Entrance, arrive: Any) -> None:
    phones = [arrive("127.0.0.1") for _phone in range(3)]
    address, port = phones[0][1].getpeername()
    noted = entrance.note_requests(lambda _environ, _start_response: [b"answer"])
    answer = noted({"REMOTE_ADDR": address, "REMOTE_PORT": str(port)}, lambda *_said: lambda _data: None)

    arrive("127.0.0.1")

    assert answer == [b"answer"]
    assert [hangs_up(theirs) for theirs, _ours in phones] == [False, True, False]


def test_place_of_a_closed_connection_is_free(entrance: Entrance, arrive: Any) -> None:
    first, second = arrive("127.0.0.1"), arrive("127.0.0.1")
    first[1].close()
    for _newcomer in range(2):
        arrive("127.0.0.1")

    assert not hangs_up(second[0])


def test_visitor_gets_in_beside_connections_that_drip(
    server: Any, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.socket, "places", 10)
    dripping = [connect() for _connection in range(30)]
    for each in dripping[-10:]:
        each.sendall(b"G")

    visitor = connect()
    visitor.sendall(request("/page"))

    assert answered(visitor) == (200, b"/page")
    assert sum(hangs_up(each) for each in dripping[:20]) == 20


# The server


def test_what_rests_too_long_is_closed(server: Any, connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = connect()
    phone.sendall(request("/page"))
    assert answered(phone) == (200, b"/page")

    monkeypatch.setattr(server.adj, "channel_timeout", -10)
    server.next_channel_cleanup = 0

    assert phone.recv(1) == b""


@pytest.mark.parametrize("phones", [10, pytest.param(40, marks=pytest.mark.long)])
def test_nothing_is_lost_among_many(connect: Connect, phones: int) -> None:
    """Answers of all sizes, to those who ask at once, ask again and again, and in pieces."""

    def ask(number: int) -> list[tuple[int, int]]:
        phone, chance = connect(), random.Random(number)
        missing = []
        for _question in range(15):
            size = chance.choice([0, 1, 500, 70_000, 400_000])
            asked = request(f"/{size}")
            cut = chance.randrange(len(asked))
            phone.sendall(asked[:cut])
            phone.sendall(asked[cut:])
            status, body = answered(phone)
            if (status, len(body)) != (200, size):
                missing.append((status, size))
        return missing

    with ThreadPoolExecutor(20) as threads:
        assert list(threads.map(ask, range(phones))) == [[]] * phones


SLOW_PROGRAM = """
import os, signal, sys, time
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
django.setup()
from tournament.laptop.serving import create_server
from tournament.management.commands import start

def slow(environ, start_response):
    print("asked", flush=True)
    time.sleep(1)
    start_response("200 OK", [("Content-Length", "4")])
    return [b"done"]

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, start.stop_program)
made = create_server(0, lan=False, application=slow)
print(made.socket.getsockname()[1], flush=True)
made.run()
print("stopped", flush=True)
"""


def line(file: IO[bytes]) -> str:
    return file.readline().decode().strip()


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C cannot be sent to one process there")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_what_is_being_answered_is_finished_before_the_end(sent: signal.Signals) -> None:
    words = [sys.executable, "-c", SLOW_PROGRAM]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        asking = socket.create_connection(("127.0.0.1", int(line(program.stdout))), timeout=60)
        with asking:
            asking.sendall(request("/slow"))
            assert line(program.stdout) == "asked"
            program.send_signal(sent)

            assert answered(asking) == (200, b"done")
        rest, faults = program.communicate(timeout=60)

    assert (program.returncode, rest.decode().strip(), faults.decode()) == (0, "stopped", "")
