"""What the laptop's server does with strangers: large bodies, slow ones, many connections; and with everybody's 304."""

import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore

from tests import factories
from tournament.access.codes import make_personal_link
from tournament.basics.latest import NewsSubject, note_states
from tournament.laptop import answering_order, connections, signed_in
from tournament.laptop.answering_order import STRANGERS_AT_ONCE, FairQueue, RequestTurn
from tournament.laptop.connections import GRACE_SECONDS, HEAD_SECONDS, BodyTooLargeForStrangers, RequestParser
from tournament.laptop.serving import create_server
from tournament.laptop.signed_in import (
    LOOK_UPS_PER_SECOND,
    forget_session,
    is_recently_signed_in,
    is_signed_in,
    note_session,
)

POST = "POST /login/ HTTP/1.1\r\nHost: localhost\r\n"
KB = 1024


@pytest.fixture(autouse=True)
def nobody_seen() -> None:
    signed_in._SEEN.clear()
    signed_in._LOOKED_UP.clear()


@pytest.fixture
def server() -> Iterator[Any]:
    """A server that answers nothing but 304, with the body's size in a header."""
    made = create_server(0, lan=False)
    made.application = answer
    running = threading.Thread(target=made.run, daemon=True)
    running.start()
    yield made
    made.task_dispatcher.shutdown(timeout=1)
    made.socket.close()


def answer(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    start_response("304 Not Modified", [("X-Sent", environ.get("CONTENT_LENGTH", "0"))])
    return []


def port(server: Any) -> int:
    return int(server.socket.getsockname()[1])


@pytest.fixture
def connect(server: Any) -> Iterator[Callable[[], socket.socket]]:
    """Makes connections to the server."""
    with ExitStack() as held:
        yield lambda: held.enter_context(socket.create_connection(("127.0.0.1", port(server)), timeout=60))


def parsed(text: str) -> RequestParser:
    """A request after its head came in."""
    request = RequestParser(
        SimpleNamespace(
            max_request_header_size=9999, max_request_body_size=10**9, inbuf_overflow=9999, url_scheme="http"
        )
    )
    request.received(f"{text}\r\n".encode())
    return request


def signed_in_cookie() -> str:
    store = SessionStore()
    store["_auth_user_id"] = "1"
    store.save()
    return f"Cookie: a=b; sessionid={store.session_key}\r\n"


@pytest.mark.django_db
def test_large_body_of_a_stranger_is_refused_before_it_is_read() -> None:
    for cookie in ("", "Cookie: sessionid=madeup\r\n"):
        request = parsed(f"{POST}{cookie}Expect: 100-continue\r\nContent-Length: {65 * KB}\r\n")

        assert request.completed
        assert request.error.to_response()[0] == "413 Request Entity Too Large"
        assert not request.expect_continue


@pytest.mark.django_db
def test_large_body_of_somebody_signed_in_is_taken() -> None:
    request = parsed(f"{POST}{signed_in_cookie()}Content-Length: {9000 * KB}\r\n")

    assert (request.completed, request.error) == (False, None)


@pytest.mark.django_db
def test_photo_of_a_player_is_taken_up_to_a_limit() -> None:
    entry = factories.enter(factories.event(), 1)[0]
    path = f"/me/{make_personal_link(entry)}/photo/1/"

    taken = parsed(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {9000 * KB}\r\n")
    refused = parsed(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {90_000 * KB}\r\n")
    made_up = parsed(f"POST /me/1-{'2' * 16}/photo/1/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: {9000 * KB}\r\n")

    assert (taken.completed, taken.error) == (False, None)
    assert refused.completed
    assert made_up.error.to_response()[0] == "413 Request Entity Too Large"


def test_small_body_of_a_stranger_is_taken() -> None:
    assert parsed(f"{POST}Content-Length: {60 * KB}\r\n").error is None


@pytest.mark.django_db
def test_body_in_pieces_ends_where_a_stranger_has_sent_enough() -> None:
    request = parsed(f"{POST}Transfer-Encoding: chunked\r\n")
    piece = b"1000\r\n" + b"x" * 4096 + b"\r\n"

    sent = sum(1 for _piece in range(40) if not request.completed and request.received(piece))

    request.close()
    assert sent <= 17
    assert isinstance(request.error, BodyTooLargeForStrangers)


@pytest.mark.django_db
def test_unknown_cookies_are_looked_up_a_few_times_only(django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(LOOK_UPS_PER_SECOND):
        found = {is_signed_in(f"made-up-{number}") for number in range(100)}

    assert found == {False}


def test_seen_sessions_are_forgotten_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signed_in, "MOST_SESSIONS", 2)
    for key in ("a", "b", "c"):
        note_session(key)
    forget_session("c")

    assert [is_recently_signed_in(key) for key in ("a", "b", "c")] == [False, True, False]


@pytest.mark.parametrize(
    ("head", "body", "elapsed", "late"),
    [
        ("GET / HTTP/1.1\r\n", 0, HEAD_SECONDS + 1, False),
        (f"{POST}Content-Length: 60000\r\n", 0, GRACE_SECONDS - 1, False),
        (f"{POST}Content-Length: 60000\r\n", 100, GRACE_SECONDS + 1, True),
        (f"{POST}Content-Length: 60000\r\n", 20_000, GRACE_SECONDS + 1, False),
    ],
    ids=["whole", "grace", "dripping", "flowing"],
)
def test_body_that_drips_is_not_waited_for(head: str, body: int, elapsed: float, late: bool) -> None:
    request = parsed(head)
    request.received(b"x" * body)
    request.close()

    assert request.is_late(request.began + elapsed) is late


def test_head_that_drips_is_not_waited_for() -> None:
    request = RequestParser(SimpleNamespace(max_request_header_size=9999))
    request.received(b"GET / HT")

    assert not request.is_late(request.began + HEAD_SECONDS - 1)
    assert request.is_late(request.began + HEAD_SECONDS + 1)


def test_connection_stays_open_after_an_answer_without_a_body(server: Any) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port(server), timeout=60)
    for _time in range(3):
        connection.request("GET", "/")
        response = connection.getresponse()
        assert (response.status, response.read(), response.getheader("Connection")) == (304, b"", None)
    connection.request("GET", "/", headers={"Connection": "close"})
    assert connection.getresponse().getheader("Connection") == "close"


def test_those_who_dawdle_are_dropped(
    server: Any, connect: Callable[[], socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    monkeypatch.setattr(server.adj, "cleanup_interval", 0.1)
    silent, dripping = connect(), connect()
    dripping.sendall(b"GET / HT")
    time.sleep(0.3)
    server.next_channel_cleanup = 0
    server.pull_trigger()

    assert [each.recv(10) for each in (silent, dripping)] == [b"", b""]


def test_address_loses_its_oldest_connection_when_it_has_its_share(
    server: Any, connect: Callable[[], socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "share", 2 / server.adj.connection_limit)
    held = [connect() for _number in range(4)]

    assert [each.recv(10) for each in held[:2]] == [b"", b""]
    held[3].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert held[3].recv(12) == b"HTTP/1.1 304"


def channel(address: str, name: str, cookie: str = "", path: str = "/", query: str = "") -> Any:
    asked = SimpleNamespace(command="GET", path=path, query=query, headers={"COOKIE": cookie})
    return SimpleNamespace(address=address, name=name, requests=[asked])


def queue_of(*channels: Any) -> FairQueue:
    queue = FairQueue(threading.Condition(threading.Lock()))
    for each in channels:
        queue.append(each)
    return queue


def names(queue: FairQueue) -> list[str]:
    """Those who are answered now."""
    return [turn.channel.name for turn in taken_from(queue)]


def taken_from(queue: FairQueue) -> list[RequestTurn]:
    """The turns that may be taken now."""
    taken = []
    while queue:
        taken.append(queue.popleft())
    return taken


def test_everybody_in_turn_and_nobody_more_than_their_share() -> None:
    queue = queue_of(*(channel("1", f"flood{number}") for number in range(5)), channel("2", "visitor"))

    taken = taken_from(queue)

    assert [turn.channel.name for turn in taken] == ["flood0", "visitor"]
    assert not queue
    for turn in taken:
        assert turn.lane is not None
        queue.done(turn.lane)
    assert names(queue) == ["flood1"]


def test_a_helper_at_the_address_of_a_flood_is_answered_first_and_alone() -> None:
    note_session("s1")
    queue = queue_of(channel("1", "flood"), channel("2", "visitor"), channel("1", "helper", "sessionid=s1"))

    first = queue.popleft()

    assert first.channel.name == "helper"
    assert not queue
    assert first.lane is not None
    queue.done(first.lane)
    assert names(queue) == ["flood", "visitor"]


def test_beside_long_work_of_a_helper_strangers_are_answered_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering_order, "HEAD_START", 0.05)
    note_session("s1")
    queue = queue_of(channel("2", "visitor"), channel("1", "helper", "sessionid=s1"), channel("3", "other"))
    queue.popleft()
    assert not queue

    with queue.changed:
        assert queue.changed.wait_for(lambda: bool(queue), timeout=60)  # reminded: nothing else happens here

    visitor = queue.popleft()
    assert visitor.channel.name == "visitor"
    assert not queue
    assert visitor.lane is not None
    queue.done(visitor.lane)
    assert names(queue) == ["other"]


def test_only_some_of_a_hall_full_of_strangers_are_answered_at_once() -> None:
    queue = queue_of(*(channel(f"{number}", f"phone{number}") for number in range(9)))

    taken = taken_from(queue)

    assert [turn.channel.name for turn in taken] == [f"phone{number}" for number in range(STRANGERS_AT_ONCE)]
    for turn in taken[:2]:
        assert turn.lane is not None
        queue.done(turn.lane)
    assert names(queue) == ["phone2", "phone3"]


def test_what_is_known_goes_before_everybody_and_takes_nobodys_turn() -> None:
    note_session("s1")
    note_states("/t/cup/news/", "", NewsSubject(1, "public"), 7, {"": "7"})
    known = [channel("1", f"phone{number}", path="/t/cup/news/", query="seen=7") for number in range(3)]
    queue = queue_of(
        channel("1", "helper", "sessionid=s1"), channel("2", "old", path="/t/cup/news/", query="seen=6"), *known
    )

    taken = [queue.popleft() for _turn in range(4)]

    assert [turn.channel.name for turn in taken] == ["phone0", "phone1", "phone2", "helper"]
    assert [turn.lane for turn in taken[:3]] == [None, None, None]
