"""The laptop's server as it looks at its connections: every answer arrives whole and in order, and every one that ends
is let go, whoever is slow and whoever hangs up."""

import http.client
import itertools
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any, BinaryIO

import pytest

from tournament.basics import latest
from tournament.basics.latest import (
    _ADDRESSES,
    _ASKED,
    _REVISIONS,
    _STATES,
    SENT_ON_KEY,
    NewsSubject,
    note_revision,
    note_states,
)
from tournament.laptop.connections import READ, WRITE, ClientConnection, SocketWatch
from tournament.laptop.serving import create_server

SLOW = threading.Event()
"""What the application waits for before it answers at `/slow`."""

NEWS = "/t/cup/news/"


def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answers with as many bytes as the path says, or with what was sent to it."""
    path = environ["PATH_INFO"]
    if path == "/slow":
        SLOW.wait(60)
    if environ["REQUEST_METHOD"] == "POST":
        body = environ["wsgi.input"].read()
    elif path == NEWS:
        body = f"asked {environ[SENT_ON_KEY]}".encode()
    else:
        body = b"x" * int(path[1:]) if path[1:].isdecimal() else path.encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    SLOW.clear()
    monkeypatch.setattr(latest, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    for memory in (_STATES, _ADDRESSES, _REVISIONS, _ASKED):
        memory.clear()
    made = create_server(0, lan=False)
    made.application = application
    threading.Thread(target=made.run, daemon=True).start()
    yield made
    SLOW.set()
    made.task_dispatcher.shutdown(timeout=1)
    made.socket.close()


Connect = Callable[[], socket.socket]


@pytest.fixture
def connect(server: Any) -> Iterator[Connect]:
    """Makes connections to the server."""
    with ExitStack() as held:
        yield lambda: held.enter_context(socket.create_connection(server.socket.getsockname(), timeout=60))


def request(path: str, *headers: str, method: str = "GET", version: str = "1.1") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/{version}", "Host: localhost", *headers, "", ""]).encode()


def answered(connection: socket.socket) -> tuple[int, bytes]:
    """The next answer's status and body."""
    response = http.client.HTTPResponse(connection)
    response.begin()
    return response.status, response.read()


def next_answer(file: BinaryIO) -> tuple[list[str], bytes]:
    """The lines of the next answer's head, and its body, where several come one behind the other."""
    head: list[bytes] = []
    while (line := file.readline()) != b"\r\n":
        assert line, f"the server hung up after {head}"
        head.append(line)
    length = sum(int(line.split()[1]) for line in head if line.lower().startswith(b"content-length"))
    return [line.decode().strip() for line in head], file.read(length)


def is_soon(condition: Callable[[], bool]) -> bool:
    """Whether something comes true before long."""
    until = time.monotonic() + 60
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return condition()


def open_connections(server: Any) -> list[ClientConnection]:
    return list(server.active_channels.values())


def test_large_answer_reaches_who_reads_slowly(server: Any, connect: Connect) -> None:
    reader = connect()
    reader.sendall(request("/20000000"))
    time.sleep(0.2)
    response = http.client.HTTPResponse(reader)
    response.begin()

    length = 0
    while part := response.read(300_000):
        length += len(part)
    reader.sendall(request("/after"))

    assert length == 20_000_000
    assert answered(reader) == (200, b"/after")


def test_requests_sent_at_once_are_answered_in_order(connect: Connect) -> None:
    sender = connect()
    sender.sendall(b"".join(request(path) for path in ("/300000", "/two", "/three")))
    file = sender.makefile("rb")

    assert [next_answer(file)[1] for _answer in range(3)] == [b"x" * 300_000, b"/two", b"/three"]


@pytest.mark.parametrize(
    "before", [[], ["/first"], [NEWS], ["/first", NEWS]], ids=["alone", "behind a page", "behind news", "behind both"]
)
def test_body_is_waited_for_after_saying_continue(before: list[str], connect: Connect) -> None:
    note_states(NEWS, "", NewsSubject(1, "public"), 7, {"": "7"})
    sender = connect()
    head = request("/", "Content-Length: 5", "Expect: 100-continue", method="POST")
    sender.sendall(b"".join(request(f"{path}?seen=7") for path in before) + head)
    file = sender.makefile("rb")
    told = [next_answer(file)[1] for _path in before]
    go_on = next_answer(file)
    sender.sendall(b"hello")

    assert told == [b"" if path == NEWS else path.encode() for path in before]
    assert go_on == (["HTTP/1.1 100 Continue"], b"")
    assert next_answer(file)[1] == b"hello"


def test_nobody_is_asked_for_a_body_that_does_not_come(connect: Connect) -> None:
    asking = connect()
    asking.sendall(request("/page", "Expect: 100-continue"))

    assert asking.recv(12) == b"HTTP/1.1 200"


def test_what_one_thread_sends_no_other_sends_again(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = socket.socket.send

    def send(self: socket.socket, *data: Any) -> int:
        """Send, and take so long to say how much that the thread that reads comes by meanwhile."""
        count = plain(self, *data)
        time.sleep(0.1)
        return count

    monkeypatch.setattr(socket.socket, "send", send)
    sender = connect()
    sender.sendall(request("/first") + request("/", "Content-Length: 5", "Expect: 100-continue", method="POST"))
    file = sender.makefile("rb")
    heads = [next_answer(file)[0][0] for _answer in range(2)]
    sender.sendall(b"hello")

    assert heads == ["HTTP/1.1 200 OK", "HTTP/1.1 100 Continue"]
    assert next_answer(file)[1] == b"hello"


def test_connections_that_end_are_let_go(server: Any, connect: Connect) -> None:
    silent, in_the_middle, waiting, reading = (connect() for _connection in range(4))
    in_the_middle.sendall(b"GET / HT")
    reading.sendall(request("/15000000"))  # less than the server keeps before its thread waits: the turn is over
    assert reading.recv(4) == b"HTTP"
    waiting.sendall(request("/slow"))
    assert is_soon(lambda: len(open_connections(server)) == 4)

    for each in (silent, in_the_middle, waiting, reading):
        each.close()
    SLOW.set()

    assert is_soon(lambda: not open_connections(server))
    assert is_soon(lambda: len(server._map) == 2)  # the trigger and the server itself


def test_server_hangs_up_where_it_was_asked_to(server: Any, connect: Connect) -> None:
    last, old = connect(), connect()
    last.sendall(request("/last", "Connection: close"))
    old.sendall(request("/old", version="1.0"))

    assert [answered(each) for each in (last, old)] == [(200, b"/last"), (200, b"/old")]
    assert [each.recv(1) for each in (last, old)] == [b"", b""]


def test_connection_that_rests_too_long_is_closed(
    server: Any, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = connect()
    phone.sendall(request("/page"))
    assert answered(phone) == (200, b"/page")

    monkeypatch.setattr(server.adj, "channel_timeout", -10)
    server.next_channel_cleanup = 0

    assert phone.recv(1) == b""


def test_nothing_is_lost_among_many(server: Any, connect: Connect) -> None:
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

    with ThreadPoolExecutor(20) as phones:
        assert list(phones.map(ask, range(40))) == [[]] * 40


def chunks(body: bytes, chance: random.Random) -> bytes:
    """A body of unknown length, as it goes over the wire."""
    cuts = sorted(chance.randrange(len(body)) for _cut in range(3))
    pieces = filter(None, (body[begin:end] for begin, end in itertools.pairwise([0, *cuts, len(body)])))
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def one_of_many(chance: random.Random) -> tuple[bytes, bytes]:
    """A request of any kind, and the body of its answer."""
    body = chance.randbytes(chance.choice([1, 100, 30_000]))
    size = chance.choice([0, 1, 5_000, 400_000])
    posted = request("/", f"Content-Length: {len(body)}", method="POST")
    in_pieces = request("/", "Transfer-Encoding: chunked", method="POST")
    return chance.choice(
        [
            (request(f"/{size}"), b"x" * size),
            (request(f"{NEWS}?seen=7"), b""),
            (posted + body, body),
            (in_pieces + chunks(body, chance), body),
        ]
    )


def test_requests_of_all_kinds_behind_each_other_are_answered_in_order(connect: Connect) -> None:
    note_states(NEWS, "", NewsSubject(1, "public"), 7, {"": "7"})

    def ask(number: int) -> list[str]:
        """Sends some requests at once and, last, the announcement of a body; says which answers were wrong."""
        phone, chance = connect(), random.Random(number)
        wrong = []
        for _batch in range(4):
            asked = [one_of_many(chance) for _request in range(chance.randrange(1, 6))]
            head = request("/", "Content-Length: 5", "Expect: 100-continue", method="POST")
            sent = threading.Thread(target=phone.sendall, args=(b"".join(data for data, _body in asked) + head,))
            sent.start()
            file = phone.makefile("rb")
            wrong += [str(data[:40]) for data, body in asked if next_answer(file)[1] != body]
            wrong += [str(line) for line in next_answer(file)[0] if line != "HTTP/1.1 100 Continue"]
            sent.join()
            phone.sendall(b"hello")
            wrong += ["hello"] if next_answer(file)[1] != b"hello" else []
        return wrong

    with ThreadPoolExecutor(20) as phones:
        assert list(phones.map(ask, range(60))) == [[]] * 60


def test_known_news_are_told_without_the_application(connect: Connect) -> None:
    note_states(NEWS, "", NewsSubject(1, "public"), 7, {"": "7"})
    phone = connect()
    phone.sendall(request("/page") + request(f"{NEWS}?seen=7") * 3 + request("/end"))
    file = phone.makefile("rb")
    answers = [next_answer(file) for _answer in range(5)]

    assert [head[0].split()[1] for head, _body in answers] == ["200", "204", "204", "204", "200"]
    assert [answers[0][1], answers[4][1]] == [b"/page", b"/end"]
    assert sorted(line.split(":")[0] for line in answers[1][0][1:]) == ["Cache-Control", "Date", "Server", "Vary"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (request(f"{NEWS}?seen=6"), b"asked False"),
        (request(f"{NEWS}?seen=7", version="1.0"), b"asked False"),
        (request(f"{NEWS}?seen=7", "Connection: close"), b"asked False"),
    ],
    ids=["old", "old protocol", "last"],
)
def test_other_questions_go_to_the_application(asked: bytes, told: bytes, connect: Connect) -> None:
    note_states(NEWS, "", NewsSubject(1, "public"), 7, {"": "7"})
    phone = connect()
    phone.sendall(asked)

    assert answered(phone) == (200, told)


def test_one_question_is_sent_on_when_there_may_be_news(connect: Connect) -> None:
    note_states(NEWS, "", NewsSubject(1, "public"), 7, {"": "7"})
    note_revision(1, 8)
    phones = [connect() for _phone in range(3)]
    answers = []
    for phone in phones:
        phone.sendall(request(f"{NEWS}?seen=7"))
        answers.append(answered(phone))

    assert answers == [(200, b"asked True"), (204, b""), (204, b"")]


class Socket:
    """A socket as the library has it: what it waits for is set from outside, and how often it was asked is counted."""

    accepting = False
    is_resting = False

    def __init__(self, ours: socket.socket) -> None:
        self.ours = ours
        self.wanted = READ
        self.asked = self.reads = self.writes = 0

    def readable(self) -> bool:
        self.asked += 1
        return bool(self.wanted & READ)

    def writable(self) -> bool:
        return bool(self.wanted & WRITE)

    def handle_read_event(self) -> None:
        self.reads += 1
        self.ours.recv(100)

    def handle_write_event(self) -> None:
        self.writes += 1


@pytest.fixture
def pair() -> Iterator[tuple[Socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Socket(ours), theirs


def test_socket_that_rests_is_asked_again_only_when_something_comes(pair: tuple[Socket, socket.socket]) -> None:
    ours, theirs = pair
    watch = SocketWatch({ours.ours.fileno(): ours})
    ours.is_resting = True
    for _round in range(5):
        watch.round(0)
    asked = ours.asked
    theirs.send(b"x")
    watch.round(0)

    assert (asked, ours.reads) == (1, 1)


def test_socket_at_work_is_asked_in_every_round(pair: tuple[Socket, socket.socket]) -> None:
    ours, theirs = pair
    watch = SocketWatch({ours.ours.fileno(): ours})
    ours.wanted = 0
    theirs.send(b"x")
    for _round in range(3):
        watch.round(0)
    before = ours.asked, ours.reads, ours.writes
    ours.wanted = READ | WRITE  # by another thread
    watch.round(0)

    assert before == (3, 0, 0)
    assert (ours.reads, ours.writes) == (1, 1)


def test_what_comes_unwanted_is_kept_for_later_and_wakes_nobody(pair: tuple[Socket, socket.socket]) -> None:
    ours, theirs = pair
    watch = SocketWatch({ours.ours.fileno(): ours})
    watch.round(0)
    ours.wanted = 0
    theirs.send(b"x")
    watch.round(0)
    begun = time.monotonic()
    watch.round(0.2)
    waited = time.monotonic() - begun
    ours.wanted = READ
    watch.round(0)

    assert waited > 0.1
    assert ours.reads == 1


def test_number_that_comes_again_is_a_new_socket(pair: tuple[Socket, socket.socket]) -> None:
    ours, theirs = pair
    sockets = {ours.ours.fileno(): ours}
    watch = SocketWatch(sockets)
    number = ours.ours.fileno()
    watch.round(0)
    watch.forget(number)
    del sockets[number]
    watch.round(0)
    sockets[number] = again = Socket(ours.ours)
    watch.touch(number)
    theirs.send(b"x")
    watch.round(0)

    assert (ours.reads, again.reads) == (0, 1)
