"""The laptop's way in: there is always a place for a newcomer, and strangers send little.
A server asks a listening socket for connections, and each of them for bytes. The sockets here are such ones; they only
hang up where a server, which takes whatever comes, would not. `Entrance.note_requests` tells them of each request.

Who has signed in is asked before a large body is taken or a turn given. A cookie alone proves nothing, everybody can
send one: a session counts once it has been seen signed in, or is found among the stored ones. Nothing is ever stored
for those who have not signed in. A player may send photos of their sheet to the address of their personal link."""

import http.client
import io
import re
import socket
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.db.models import QuerySet
from django.utils import timezone

from tournament.access.codes import LINK_PATTERN, find_entry_by_link
from tournament.access.rules import is_at_work
from tournament.models import HandInLink, MirrorLink

SEEN_SECONDS = 300  # seconds for which a session that was seen counts without being looked up again
MOST_SESSIONS = 2000
LOOK_UPS_PER_SECOND, LOOK_UPS_OF_ONE = 100, 2
"""Unknown cookies and personal links that are looked up in one second while bodies come in, by the one thread that
reads and sends all bytes. Addresses share them equally, and each has at least so many: nobody uses up another's. The
rest of a flood counts as strangers."""

PHOTO_PATH_PATTERN = re.compile(rf"/me/(?P<link>{LINK_PATTERN.pattern})/photo/")
EVENT_PATH_PATTERN = re.compile(r"/(?P<what>mirror|hand-in)/(?P<key>[0-9a-f]{32})/")

_LOCK = threading.Lock()
_SEEN: dict[str, float] = {}
_LOOKED_UP: list[tuple[float, str]] = []


def note_session(key: str) -> None:
    with _LOCK:
        _SEEN.pop(key, None)
        # Taken out before: a dict keeps a key's place, and the first one goes when there are too many.
        _SEEN[key] = time.monotonic()
        while len(_SEEN) > MOST_SESSIONS:
            del _SEEN[next(iter(_SEEN))]


def forget_session(key: str) -> None:
    """Somebody has signed out."""
    with _LOCK:
        _SEEN.pop(key, None)


def get_session_key(cookies: str) -> str:
    """The session's key in a request's cookies, or ""."""
    if settings.SESSION_COOKIE_NAME not in cookies:
        return ""
    try:
        morsel = SimpleCookie(cookies).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def is_recently_signed_in(key: str) -> bool:
    """Whether a session was signed in a moment ago, from memory. No query."""
    return bool(key) and time.monotonic() - _SEEN.get(key, -SEEN_SECONDS) < SEEN_SECONDS


def is_signed_in(key: str, address: str) -> bool:
    """Whether a session is signed in, looked up where that is not known and the client's address may ask."""
    if is_recently_signed_in(key):
        return True
    if not key or not _may_look_up(address):
        return False
    try:
        stored = Session.objects.filter(session_key=key, expire_date__gt=timezone.now()).first()
    except DatabaseError:
        return False
    # That one is stored is not enough: some pages keep one for those who are only about to sign in.
    if stored is None or not is_at_work(stored.get_decoded()):
        return False
    note_session(key)
    return True


def is_upload_link(path: str) -> bool:
    """Whether something large may be sent to an address by whoever has its link: photos by a player's, an event by that
    of a mirror or of a club. One query where it looks like one."""
    photo, event = PHOTO_PATH_PATTERN.match(path), EVENT_PATH_PATTERN.fullmatch(path)
    try:
        if event is not None:
            links: QuerySet[MirrorLink] | QuerySet[HandInLink] = (
                MirrorLink.objects.all() if event["what"] == "mirror" else HandInLink.objects.all()
            )
            return links.filter(nonce=event["key"], revoked_at=None).exists()
        return photo is not None and find_entry_by_link(photo["link"]) is not None
    except DatabaseError:
        return False


def _may_look_up(address: str) -> bool:
    now = time.monotonic()
    with _LOCK:
        _LOOKED_UP[:] = [(at, who) for at, who in _LOOKED_UP if now - at < 1]
        look_ups = Counter(who for _at, who in _LOOKED_UP)
        # Each look-up may cost the database. When twenty a second were shared by all, one machine with made-up links
        # made everybody's photos “too large”.
        share = LOOK_UPS_PER_SECOND // len(look_ups.keys() | {address})
        if look_ups[address] >= max(LOOK_UPS_OF_ONE, share):
            return False
        _LOOKED_UP.append((now, address))
        return True


HEAD_BYTES = 32 * 1024  # the most bytes that the head of a request may have

STRANGERS_BYTES = 4 * settings.ANONYMOUS_UPLOAD_LIMIT
"""The most bytes that a stranger's request may have, few enough to be kept in memory; what is beyond
`ANONYMOUS_UPLOAD_LIMIT` the program refuses with a page."""

MOST_BYTES = 300 * 1024**2
"""The most bytes that any request may have; what is beyond its own limits the program refuses with a page."""

HEAD_END = b"\r\n\r\n"
BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

Peer = tuple[str, int]


def count_allowed_bytes(head: bytes, address: str) -> int:
    """How many bytes a request that begins so, from this address, may have: many from whoever has signed in, or has a
    link."""
    lines = io.BytesIO(head)
    first = lines.readline().decode("latin-1").split()
    try:
        cookies = http.client.parse_headers(lines).get_all("Cookie", [])
    except http.client.HTTPException:
        return STRANGERS_BYTES
    if is_signed_in(get_session_key("; ".join(cookies)), address):
        return MOST_BYTES
    looks_like_one = len(first) > 1 and (PHOTO_PATH_PATTERN.match(first[1]) or EVENT_PATH_PATTERN.fullmatch(first[1]))
    has_link = looks_like_one and _may_look_up(address) and is_upload_link(first[1])
    return HEAD_BYTES + settings.UPLOAD_LIMIT if has_link else STRANGERS_BYTES


REQUEST_LINE = re.compile(rb"[!-~]+ (?P<target>[!-~\x80-\xff]+) HTTP/1\.[01]")
HEADER_LINE = re.compile(rb"(?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t -~\x80-\xff]*")


def makes_sense(head: bytes) -> bool:
    """Whether a whole head is one (RFC 9112): waitress throws at some that are none. It may say its length in one way
    only, or two readers may see two requests."""
    first, *lines = head.partition(HEAD_END)[0].split(b"\r\n")
    request, headers = REQUEST_LINE.fullmatch(first), [HEADER_LINE.fullmatch(line) for line in lines]
    if request is None or not all(headers):
        return False
    try:
        urlsplit(request["target"])
    except ValueError:
        return False
    # A proxy that believes the one and a server that believes the other see two requests where there is one, and the
    # second is answered in somebody else's name.
    return not {b"content-length", b"transfer-encoding"} <= {header["name"].lower() for header in headers if header}


class ClientConnection(socket.socket):
    """A connection on which strangers may send little."""

    def __init__(self, accepted: socket.socket, peer: Peer, entrance: "Entrance") -> None:
        # Detached: the socket that was accepted would close the connection when Python collects it.
        super().__init__(accepted.family, accepted.type, accepted.proto, fileno=accepted.detach())
        self.peer, self.entrance = peer, entrance
        self.expect_request()

    def expect_request(self) -> None:
        """What comes from now on is another request."""
        self._head, self._received, self._most, self._is_read = b"", 0, STRANGERS_BYTES, False

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """As any socket does; ends the connection where more is sent than may be, or a head that is none."""
        data = super().recv(size, flags)
        self._received += len(data)
        if self._received <= HEAD_BYTES:
            self._head = (self._head + data).lstrip(b"\r\n")  # as a server leaves out lines before the first
        if not self._is_read and HEAD_END in self._head:
            self._is_read = True
            if not makes_sense(self._head):
                with suppress(OSError):
                    self.sendall(BAD_REQUEST)
                self.hang_up()
                return b""
        # Asked only when a stranger's share is used up: most requests are small, and each question may cost the
        # database a look-up, in the one thread that reads and sends everything.
        if self._received > self._most:
            self._most = count_allowed_bytes(self._head, self.peer[0])
            if self._received > self._most:
                self.hang_up()
                return b""  # as if the other side had
        return data

    def hang_up(self) -> None:
        """End the connection, whatever another thread does with it; the server then closes it."""
        with suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        super().close()
        self.entrance.forget(self)


class Entrance(socket.socket):
    """A listening socket with places for so many connections, and always one for a newcomer. When all are taken, the
    address that has most gives up the one that has been of no use for longest: it was opened, or has sent a whole
    request, before the others. So neither silence nor a byte now and then holds a place for long."""

    def __init__(self, listening: socket.socket, places: int) -> None:
        super().__init__(listening.family, listening.type, listening.proto, fileno=listening.detach())
        self.places = places
        self._lock = threading.Lock()
        self._held: OrderedDict[Peer, ClientConnection] = OrderedDict()

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection and where it comes from, as any listening socket says it."""
        accepted, address = super().accept()
        connection = ClientConnection(accepted, address[:2], self)
        with self._lock:
            if len(self._held) >= self.places:
                # By addresses: one that opens hundreds loses its own, however many others hold a single one.
                crowded = Counter(host for host, _port in self._held).most_common(1)[0][0]
                self._held.pop(next(peer for peer in self._held if peer[0] == crowded)).hang_up()
            self._held[connection.peer] = connection
        return connection, address

    def forget(self, connection: ClientConnection) -> None:
        """A connection is closed."""
        with self._lock:
            # The same address and port may have come again since: the newer connection keeps its place.
            if self._held.get(connection.peer) is connection:
                del self._held[connection.peer]

    def note_requests(self, application: WSGIApplication) -> WSGIApplication:
        """The application; whenever it is asked, a whole request has come over that connection."""

        def noted(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            peer = (environ["REMOTE_ADDR"], int(environ["REMOTE_PORT"]))
            with self._lock:
                if peer in self._held:
                    self._held[peer].expect_request()
                    self._held.move_to_end(peer)
            return application(environ, start_response)

        return noted
