"""Connections of the laptop's server: what a stranger may send, how slowly, and how many connections one may hold.

Waitress limits bodies and idle connections for everybody alike, counts a connection that sends a byte now and then as
busy for ever, and hangs up after each answer without a body (304). All that is otherwise here.
"""

import copy
import selectors
import threading
import time
from collections.abc import Mapping
from typing import Any, ClassVar

from django.conf import settings
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask
from waitress.utilities import RequestEntityTooLarge, build_http_date

from tournament.basics.latest import NEWS_HEADERS, SENT_ON_KEY, is_nothing_new, should_ask_view
from tournament.laptop.signed_in import get_session_key, is_photo_link, is_signed_in

# “Nothing new”, said by the thread that reads: no other one is woken for what hundreds of phones ask all the time.


def answer_known_questions(channel: Any) -> None:
    """Answer a connection's next requests as long as memory knows the answer; what it does not know stays.

    Whoever calls it holds the connection's lock of requests, and nobody is answering any of them.
    """
    while channel.connected and channel.requests and _is_answered_from_memory(channel.requests[0]):
        channel.write_soon(_build_nothing_new_answer(channel.server.adj.ident))
        channel.requests.pop(0).close()


def _is_answered_from_memory(request: Any) -> bool:
    """Whether a request is a question to which the answer is “nothing new”, and is not sent on to the view."""
    is_plain = request.error is None and request.version == "1.1" and not request.connection_close
    if not is_plain or request.command != "GET" or not is_nothing_new(request.path, request.query):
        return False
    request.is_sent_on = should_ask_view(request.path)
    return not request.is_sent_on


def _build_nothing_new_answer(ident: str) -> bytes:
    """The answer as it goes over the wire."""
    headers = [*NEWS_HEADERS, ("Date", build_http_date(time.time())), ("Server", ident)]
    lines = ["HTTP/1.1 204 No Content", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


# Which sockets the server looks at in each round: those that something has happened to, however many there are.
# Waitress asks every connection in every round whether it is to be read or written. With five hundred phones that
# only hold theirs, this is most of what a question costs. Here a connection that rests, to which nothing happens
# before the other side says something, is left to the system, which says when that comes. All others are asked in
# every round, since a thread that answers changes what they wait for, and wakes the server by the library's own
# trigger.


READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class SocketWatch:
    """The sockets of a server by their numbers, as the library keeps them. Only the thread that serves calls it."""

    def __init__(self, sockets: Mapping[int, Any]) -> None:
        self._sockets = sockets
        self._selector = selectors.DefaultSelector()
        self._watched: dict[int, int] = {}
        """What the system is asked for at each socket: all that it waits for, and perhaps more."""
        self._restless = set(sockets)

    def touch(self, number: int) -> None:
        """Ask a socket in the next round: it is new, or has been told something."""
        self._restless.add(number)

    def forget(self, number: int) -> None:
        """A socket is about to be closed; its number may come again at once."""
        self._restless.discard(number)
        self._ask_for(number, 0)

    def round(self, seconds: float) -> None:
        """Wait until something comes in or can be sent, at most for so long, and do it."""
        for number in list(self._restless):
            self._look_at(number)
        for key, events in self._selector.select(seconds):
            self._tell(key.fd, events)

    def _look_at(self, number: int) -> None:
        """Ask a socket what it waits for; it need not be asked again once it rests."""
        found = self._sockets.get(number)
        if found is None:
            self._restless.discard(number)
            return
        rests = getattr(found, "is_resting", False)  # first: once it rests, no other thread changes what it waits for
        self._ask_for(number, _get_wanted_events(found) | self._watched.get(number, 0))
        if rests:
            self._restless.discard(number)

    def _tell(self, number: int, events: int) -> None:
        """Have a socket do what it can do now, and ask the system no more for what it does not wait for."""
        found = self._sockets.get(number)
        if found is None:  # another one has closed it in this round
            return
        self._restless.add(number)
        wanted = _get_wanted_events(found)
        if events & ~wanted:
            self._ask_for(number, wanted)
        if events & wanted & READ:
            wasyncore.read(found)
        if events & wanted & WRITE and self._sockets.get(number) is found:
            wasyncore.write(found)

    def _ask_for(self, number: int, events: int) -> None:
        """Have the system watch a socket for these events from now on."""
        before = self._watched.get(number, 0)
        if events == before:
            return
        if not events:
            self._selector.unregister(number)
            del self._watched[number]
            return
        change = self._selector.modify if before else self._selector.register
        change(number, events)
        self._watched[number] = events


def _get_wanted_events(found: Any) -> int:
    """What a socket waits for, as the library says it."""
    return (READ if found.readable() else 0) | (WRITE if found.writable() and not found.accepting else 0)


HEAD_SECONDS = 10
"""By then the first byte has to be there, and from then on the whole head of a request."""

GRACE_SECONDS = 15
BYTES_PER_SECOND = 4_000
"""After the grace a body, or whoever reads an answer, has to keep up with this: a tenth of a hall's worst radio."""

TOO_LARGE_TEXT = (
    "Ohne Anmeldung werden höchstens {limit} KB angenommen; gesendet werden sollten mehr. Nichts wurde geändert. "
    "Bitte neu anmelden und noch einmal senden.\n\n"
    "Without signing in at most {limit} KB are taken, and this would be more. Nothing was changed. "
    "Please sign in again and send it once more.\n\n"
    "Zonder in te loggen wordt hoogstens {limit} KB aangenomen, en dit zou meer zijn. Er is niets gewijzigd. "
    "Log opnieuw in en verzend het nog eens.\n"
)


class BodyTooLargeForStrangers(RequestEntityTooLarge):  # type: ignore[misc]  # waitress has no types
    """A body that only those who have signed in may send."""

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """The answer, in every language: nothing of the request but its size has been looked at."""
        body = TOO_LARGE_TEXT.format(limit=settings.ANONYMOUS_UPLOAD_LIMIT // 1024).encode()
        return "413 Request Entity Too Large", [("Content-Type", "text/plain; charset=utf-8")], body


class RequestParser(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """A request as it comes in; a large body is taken only from those who have signed in, or as a player's photos."""

    adj: Any
    error: Any
    path: str

    def __init__(self, adj: Any) -> None:
        super().__init__(adj)
        self.began = time.monotonic()
        self.is_limited = False
        self.is_sent_on = False
        """Whether this question goes to the view, though memory knows an answer."""

    def parse_header(self, header_plus: bytes) -> None:
        """As the library does; then the sender is known, and with that how large the body may be."""
        super().parse_header(header_plus)
        large = self.chunked or self.content_length > settings.ANONYMOUS_UPLOAD_LIMIT
        if large and not is_signed_in(get_session_key(self.headers)):
            self.is_limited = not is_photo_link(self.path)
            self.adj = copy.copy(self.adj)
            limit = settings.ANONYMOUS_UPLOAD_LIMIT if self.is_limited else settings.UPLOAD_LIMIT
            self.adj.max_request_body_size = limit

    def received(self, data: bytes) -> int:
        """Take some bytes, and return how many belong to this request."""
        consumed = int(super().received(data))
        if self.completed:
            self.expect_continue = False  # nobody is to go on sending
        if self.is_limited and isinstance(self.error, RequestEntityTooLarge):
            self.error = BodyTooLargeForStrangers(self.error.body)
        return consumed

    def is_late(self, now: float) -> bool:
        """Whether it comes in too slowly to be waited for."""
        elapsed = now - self.began
        if not self.headers_finished:
            return elapsed > HEAD_SECONDS
        return bool(self.body_bytes_received < (elapsed - GRACE_SECONDS) * BYTES_PER_SECOND)


class AnswerTask(WSGITask):  # type: ignore[misc]  # waitress has no types
    """An answer after which the connection stays open, also where it has no body (304)."""

    def get_environment(self) -> dict[str, Any]:
        """As the library does; says if memory has been asked already."""
        return {**super().get_environment(), SENT_ON_KEY: self.request.is_sent_on}

    def set_close_on_finish(self) -> None:
        """Hang up afterwards, unless there is no body whose end has to be shown by that."""
        asked = self.request.headers.get("CONNECTION", "").lower()
        if self.has_body or self.version != "1.1" or asked == "close":
            super().set_close_on_finish()


class ClientConnection(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection that is dropped when whoever holds it dawdles."""

    parser_class = RequestParser
    task_class = AnswerTask

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        self.address = addr[0]
        self.opened = self.reading_since = time.monotonic()
        self.sent_bytes = 0
        self.served_by: set[int] = set()
        super().__init__(server, sock, addr, adj, map=map)

    @property
    def is_resting(self) -> bool:
        """Whether nothing happens here before the other side says something, whatever other threads do.

        A thread that answers takes the request away before it is through, and may still have something to send.
        """
        if self.requests or self.served_by:
            return False
        return not (self.total_outbufs_len or self.will_close or self.close_when_flushed)

    def service(self) -> None:
        """Answer one request, in a thread of its own. The next one may begin before this is through."""
        thread = threading.get_ident()
        self.served_by.add(thread)
        try:
            super().service()
        finally:
            self.served_by.discard(thread)

    def handle_close(self) -> None:
        """Close, or have the thread that reads and sends do it: nobody else knows what is being watched."""
        if threading.get_ident() == self.server.serving_thread:
            super().handle_close()
        else:
            self.will_close = True

    @property
    def is_answered(self) -> bool:
        """Whether a request is complete and its answer not yet sent."""
        return bool(self.requests or self.total_outbufs_len)

    def ask_for_body(self) -> None:
        """Have the other side go on if it waits for that, now that all before it is answered.

        Whoever calls it holds the lock of requests.
        """
        coming = self.request
        if coming is not None and coming.headers_finished and coming.expect_continue and not self.sent_continue:
            self.send_continue()

    def send_continue(self) -> None:
        """Ask for the body that was announced, unless the other side has gone meanwhile."""
        with self.outbuf_lock:
            if self.connected:
                super().send_continue()

    def _flush_some(self, do_close: bool = True) -> bool:
        """Send what can be sent now, one thread after the other.

        The library takes a connection without requests for one at which no thread is sending, and sends without the
        lock then; but the thread that has just taken the last one away may still be sending “100 Continue”, and the
        same bytes would go out twice.
        """
        with self.outbuf_lock:
            return bool(super()._flush_some(do_close=do_close))

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send some of an answer, and count it."""
        count = int(super().send(data, do_close=do_close))
        self.sent_bytes += count
        return count

    def is_dawdling(self, now: float) -> bool:
        """Whether the other side sends a request, or reads an answer, too slowly; or has not said a word."""
        if not self.total_outbufs_len:
            self.reading_since, self.sent_bytes = now, 0
        elif not self.requests:
            return self.sent_bytes < (now - self.reading_since - GRACE_SECONDS) * BYTES_PER_SECOND
        if self.requests:
            return False
        if self.request is not None:
            return bool(self.request.is_late(now))
        return bool(self.last_activity == self.creation_time and now - self.opened > HEAD_SECONDS)

    def add_channel(self, map: Any = None) -> None:
        super().add_channel(map)
        self.server.watch.touch(self._fileno)
        self.server.by_address.setdefault(self.address, {})[self] = None

    def del_channel(self, map: Any = None) -> None:
        if self._fileno is not None:
            self.server.watch.forget(self._fileno)
        super().del_channel(map)
        theirs = self.server.by_address.get(self.address, {})
        theirs.pop(self, None)
        if not theirs:
            self.server.by_address.pop(self.address, None)


class InstallationServer(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """The laptop's server: half of its connections at most for one address, and none for those who dawdle."""

    channel_class = ClientConnection
    share: ClassVar[float] = 0.5
    """Of all connections, what one address may hold: a hall behind one router shares one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.by_address: dict[str, dict[ClientConnection, None]] = {}
        super().__init__(*args, **kwargs)
        self.watch = SocketWatch(self._map)
        self.serving_thread = threading.get_ident()

    def run(self) -> None:
        """Serve until interrupted."""
        self.serving_thread = threading.get_ident()
        try:
            while self._map:
                self.watch.round(self.adj.asyncore_loop_timeout)
        except (SystemExit, KeyboardInterrupt):
            self.task_dispatcher.shutdown()

    def add_task(self, connection: ClientConnection) -> None:
        """Have a connection's next request answered: at once, or when its turn comes."""
        answer_known_questions(connection)
        if connection.requests:
            super().add_task(connection)
        else:
            connection.ask_for_body()

    def handle_accept(self) -> None:
        """Take a connection; an address that has its share loses the oldest one that waits."""
        super().handle_accept()
        limit = int(self.adj.connection_limit * self.share)
        for theirs in [held for held in self.by_address.values() if len(held) > limit]:
            oldest = next((channel for channel in theirs if not channel.is_answered), None)
            (oldest or next(iter(theirs))).handle_close()

    def maintenance(self, now: float) -> None:
        """Every few seconds: drop the idle ones, as the library does, and those who dawdle."""
        super().maintenance(now)
        here = time.monotonic()
        for number, channel in self.active_channels.items():
            if channel.is_dawdling(here):
                channel.will_close = True
            if channel.will_close:
                self.watch.touch(number)
