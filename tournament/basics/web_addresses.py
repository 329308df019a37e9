"""Addresses that others name. There is one reader for them and one sender, which goes where the reader says and nowhere
else. Whatever the program requests on behalf of somebody outside (a browser's push service, an event's mirror) passes
through both."""

import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any

STANDARD_PORTS = {"http": 80, "https": 443}
MOST_LETTERS_OF_HOST = 253
CONNECT_SECONDS = 5.0
NAME_SECONDS = 5.0

# Two programs that read one address differently are the hole: of `https://127.0.0.1\.push.apple.com/` one reads
# push.apple.com, another sends to 127.0.0.1. What stands here is read alike by all; everything else is refused.
_PATH_LETTER = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})"
_ADDRESS = re.compile(
    r"(?P<scheme>(?i:https?))://"
    r"(?P<host>[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]{2,45}\])"
    r"(?::(?P<port>[1-9][0-9]{0,4}))?"
    rf"(?P<path>/{_PATH_LETTER}*(?:\?(?:{_PATH_LETTER}|\?)*)?)?"
    rf"(?:\#(?P<fragment>(?:{_PATH_LETTER}|\?)*))?",
    re.ASCII,  # else “ſ” is a small s: “httpſ” passes, and is no scheme
)
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")  # a host that ends so is an IPv4 address to some: 2130706433, 0x7f.1
_DOTS = re.compile(r"(?i:\.|%2e){1,2}", re.ASCII)

# What Python 3.11 takes for public and is not, and ways that carry an IPv4 address inside.
_NOT_PUBLIC_4 = [*map(IPv4Network, ("192.0.0.0/24", "192.88.99.0/24"))]
_PUBLIC_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = [*map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))]
_NAT64 = IPv6Network("64:ff9b::/96")


_Place = tuple[socket.AddressFamily, socket.SocketKind, int, str, tuple[Any, ...]]


class BadAddress(ValueError):
    """A text that is no address to which the program sends anything."""


@dataclass(frozen=True, slots=True)
class WebAddress:
    """An address that was read: `host` in lower case, an IPv6 address without brackets; `path` with the query
    string."""

    scheme: str
    host: str
    port: int
    path: str = "/"
    fragment: str = ""

    @property
    def origin(self) -> str:
        """The address without a path, in one spelling."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port == STANDARD_PORTS[self.scheme] else f":{self.port}")


def read_web_address(text: str) -> WebAddress:
    """Read an address that names any host. Raises `BadAddress`."""
    parts = _ADDRESS.fullmatch(text)
    if parts is None:
        raise BadAddress("letters that no address has, or in another order")
    scheme, path = parts["scheme"].lower(), parts["path"] or "/"
    port = int(parts["port"] or STANDARD_PORTS[scheme])
    if port >= 1 << 16:
        raise BadAddress("port")
    # Also as %2e: a proxy in front of the host may resolve it, and another page would be asked than the one that was
    # read.
    if any(_DOTS.fullmatch(step) for step in path.partition("?")[0].split("/")):
        raise BadAddress("a step up in the path")
    return WebAddress(scheme, _read_host(parts["host"].lower()), port, path, parts["fragment"] or "")


def _read_host(host: str) -> str:
    """A name, or an IP address in its one spelling. Raises `BadAddress`."""
    try:
        if host.startswith("["):
            return str(IPv6Address(host[1:-1]))
        labels = host.split(".")
        if _NUMBER.fullmatch(labels[-1]):
            return str(IPv4Address(host))
    except ValueError as fault:
        raise BadAddress("an IP address spelt oddly") from fault
    if len(host) > MOST_LETTERS_OF_HOST or not all(map(_LABEL.fullmatch, labels)):
        raise BadAddress("host")
    return host


def read_service_address(text: str, hosts: Sequence[str]) -> WebAddress:
    """Read an address at one of these hosts, by https at its port; `.example.org` stands for every host below. Raises
    `BadAddress`."""
    address = read_web_address(text)
    if (address.scheme, address.port) != ("https", STANDARD_PORTS["https"]):
        raise BadAddress("not by https")
    if not any(address.host.endswith(host) if host.startswith(".") else address.host == host for host in hosts):
        raise BadAddress("another host")
    return address


def is_public(host: str) -> bool:
    """Whether an IP address is of the public internet: not of this machine, its network, or its provider's inside."""
    address = ip_address(host)
    if isinstance(address, IPv6Address):
        if address in _NAT64:
            address = IPv4Address(int(address) & 0xFFFFFFFF)
        else:
            is_inside = any(address in network for network in _NOT_PUBLIC_6)
            return address in _PUBLIC_6 and address.is_global and not is_inside
    is_inside = address.is_multicast or any(address in network for network in _NOT_PUBLIC_4)
    return address.is_global and not is_inside


@dataclass(frozen=True, slots=True)
class WebReply:
    """What came back: status, headers by their names in small letters, content."""

    status: int
    headers: Mapping[str, str]
    content: bytes


def post(
    address: WebAddress,
    content: bytes,
    headers: Mapping[str, str],
    *,
    seconds: float,
    most_bytes: int,
    step_seconds: float = 10.0,
    only_public: bool = True,
) -> WebReply:
    """Post `content` and return the answer. It may have `most_bytes` and take `seconds` in all, however slowly it
    drips, and `step_seconds` for a single step. No redirection is followed. Raises `OSError`; also where `only_public`
    hosts may be asked and this one is not."""
    deadline = time.monotonic() + seconds
    line = _connect(address, deadline, only_public=only_public)
    line.settimeout(step_seconds)
    # A socket under TLS cannot be closed from another thread; its twin can, and ends whatever waits.
    with line.dup() as twin:
        cut = threading.Timer(max(0.0, deadline - time.monotonic()), _shut_socket, [twin])
        cut.daemon = True
        cut.start()
        # Only to speak: it gets the socket from above. Left to connect by itself it would look the name up again, which
        # may lead to another machine by now.
        connection = HTTPConnection(address.host, address.port)
        try:
            if address.scheme == "https":  # whoever answers must prove to be the host that was named
                context = ssl.create_default_context()
                connection = HTTPSConnection(address.host, address.port, context=context)
                connection.sock = context.wrap_socket(line, server_hostname=address.host)
            else:
                connection.sock = line
            connection.request("POST", address.path, content, {**headers, "Connection": "close"})
            response = connection.getresponse()
            read = response.read(most_bytes + 1)
        except (HTTPException, ValueError, AttributeError) as fault:  # AttributeError: cut off
            raise OSError("no answer of the web") from fault
        finally:
            cut.cancel()
            connection.close()
            line.close()
    # Cut off by the timer, an answer without a stated length looks like one that has just ended.
    if time.monotonic() >= deadline:
        raise TimeoutError("too slow")
    if len(read) > most_bytes:
        raise OSError("answer too long")
    return WebReply(response.status, {name.lower(): value for name, value in response.getheaders()}, read)


def _shut_socket(twin: socket.socket) -> None:
    try:
        twin.shutdown(socket.SHUT_RDWR)
    except OSError:  # closed meanwhile
        return


def _find_places(address: WebAddress, seconds: float) -> Sequence[_Place]:
    """Where the host is, if the system says so in time. Raises `OSError`."""
    answers: queue.SimpleQueue[Sequence[_Place] | OSError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM))
        except OSError as fault:
            answers.put(fault)
        except ValueError:  # UnicodeError, of a label that is none
            answers.put(OSError("the host has no address"))

    # The system's question has no deadline and cannot be called off: its thread is left to end by itself.
    threading.Thread(target=ask, daemon=True, name="name of a host").start()
    try:
        answer = answers.get(timeout=max(0.001, seconds))
    except queue.Empty as fault:
        raise TimeoutError("nobody says in time where the host is") from fault
    if isinstance(answer, OSError):
        raise answer
    return answer


def _connect(address: WebAddress, deadline: float, *, only_public: bool) -> socket.socket:
    """A connection to the host, whose name is asked for once: what was checked is what is reached, even if the name
    leads elsewhere the next moment. Raises `OSError`."""
    fault = OSError("the host has no public address" if only_public else "the host has no address")
    for family, kind, protocol, _name, place in _find_places(address, min(NAME_SECONDS, deadline - time.monotonic())):
        if only_public and not is_public(str(place[0])):
            continue
        line = socket.socket(family, kind, protocol)
        line.settimeout(max(0.001, min(CONNECT_SECONDS, deadline - time.monotonic())))
        try:
            line.connect(place)
        except OSError as refused:
            line.close()
            fault = refused
        else:
            return line
    raise fault
