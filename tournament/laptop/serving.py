"""The server on a director's laptop: who has the port, how many connections it may take, when the browser opens."""

import ctypes
import gc
import http.client
import os
import platform
import select
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import Any
from wsgiref.types import WSGIApplication

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http.request import validate_host
from waitress import wasyncore
from waitress.server import create_server as create_waitress_server

from tournament.basics.addresses import NetworkReach, find_network_addresses, note_reach
from tournament.basics.latest import answer_news_from_memory
from tournament.laptop.answering_order import Turns
from tournament.laptop.connections import HEAD_BYTES, MOST_BYTES, Entrance

SERVER_IDENT = "TSO"  # what the server calls itself, so that a second start knows the first one
THREADS = 200
"""Most of them only wait: for all strangers' turns, and some of those who have signed in; the others tell news."""
SWITCH_SECONDS = 0.001
"""Seconds that a thread computes on while another one waits. Python's usual five milliseconds are what each byte from a
hall full of phones would have to wait for, since the one thread that reads and sends them has to wait its turn."""
YOUNG_OBJECTS = 10_000
"""How many new objects there are before Python looks for cycles among them, instead of 700: a large page makes more."""
CONNECTIONS = 400  # `select` takes some 500 sockets on Windows; phones that ask for news hold none meanwhile
OTHER_FILES = 200  # open files beside the connections: each thread's database, pages' files, the log
IDLE_SECONDS = 30  # a phone that only waits gives up its place
CLEANUP_SECONDS = 2
HTTP_PORT = 80
ANSWER_SECONDS = 60  # a start of ours has its port before it has prepared the data, and answers when it has
BACKLOG = 256  # connections that wait to be taken
WATCH_SECONDS = 10
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # options of glibc's `mallopt`


class PortOccupant(Enum):
    NOBODY = "nobody"
    OURSELVES = "ourselves"
    SOMEBODY = "somebody"


def find_port_occupant(port: int) -> PortOccupant:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)
    try:
        connection.connect()
    except OSError:
        return PortOccupant.NOBODY
    try:
        connection.request("HEAD", "/")
        # By what it calls itself: another program at this port must not be taken for ours, and a second start shows the
        # first one's pages.
        name = connection.getresponse().getheader("Server")
    except (OSError, http.client.HTTPException):
        return PortOccupant.SOMEBODY
    finally:
        connection.close()
    return PortOccupant.OURSELVES if name == SERVER_IDENT else PortOccupant.SOMEBODY


def create_server(port: int, *, lan: bool, application: WSGIApplication | None = None) -> Any:
    """A server of an application, ours by default, that listens already. Raises `OSError` if the port is taken."""
    host = "0.0.0.0" if lan else "127.0.0.1"  # noqa: S104  # the director asked for the whole network
    listening = socket.create_server((host, port), backlog=BACKLOG)  # waitress itself would share a port on Windows
    note_reach(NetworkReach.NETWORK if lan else NetworkReach.THIS_MACHINE, listening.getsockname()[1])
    places = _count_places()
    entrance = Entrance(listening, places)
    sys.setswitchinterval(SWITCH_SECONDS)
    return create_waitress_server(
        entrance.note_requests(answer_news_from_memory(Turns(application or get_wsgi_application()))),
        sockets=[entrance],
        ident=SERVER_IDENT,
        threads=THREADS,
        backlog=BACKLOG,
        connection_limit=places + OTHER_FILES // 2,  # never reached: the entrance has always room
        channel_timeout=IDLE_SECONDS,
        log_socket_errors=False,  # somebody went away
        cleanup_interval=CLEANUP_SECONDS,
        max_request_header_size=HEAD_BYTES,
        max_request_body_size=MOST_BYTES,
        asyncore_use_poll=hasattr(select, "poll"),
        clear_untrusted_proxy_headers=not settings.BEHIND_HTTPS,
    )


def stop_server(server: Any) -> None:
    """From another thread, have `server.run()` return as after Ctrl+C: what is being answered is finished first."""

    def end() -> None:
        server.task_dispatcher.shutdown()
        wasyncore.close_all(server._map)  # without a connection its loop ends

    server.trigger.pull_trigger(end)


def return_freed_memory() -> bool:
    """Have glibc give freed memory back to the system; whether it does. Left alone, it keeps many heaps for as many
    threads, and large pieces in them: after two hundred photos 70 MB stay with the server, with this six."""
    if platform.libc_ver()[0] != "glibc":
        return False
    libc = ctypes.CDLL(None)
    options = {M_ARENA_MAX: 2, M_MMAP_THRESHOLD: 128 * 1024, M_TRIM_THRESHOLD: 128 * 1024}
    return all(libc.mallopt(option, value) for option, value in options.items())


def freeze_memory() -> None:
    """Spare what is there now, our own code, the search for cycles: each time all stands still a fifth of a second."""
    # Collected first: garbage that is frozen with the rest stays to the end.
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])


def _count_places() -> int:
    """How many connections this process can hold, after asking the system for more open files than it starts with."""
    if sys.platform == "win32":
        return CONNECTIONS
    import resource  # noqa: PLC0415  # not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < (files_needed := CONNECTIONS + OTHER_FILES):
        soft = files_needed if hard == resource.RLIM_INFINITY else min(files_needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    # Fewer places rather than too few files: without one left the database cannot be opened, and every page is an
    # error.
    return min(CONNECTIONS, soft - OTHER_FILES)


def get_local_host() -> str:
    """What this machine's own browser calls it."""
    loopback = (host for host in ("127.0.0.1", "localhost") if validate_host(host, settings.ALLOWED_HOSTS))
    return next(loopback, "") or settings.ALLOWED_HOSTS[0].lstrip(".")


def format_host_address(host: str, port: int) -> str:
    """The address of the front page, as one types it: without the port that browsers take anyway."""
    return f"http://{host}/" if port == HTTP_PORT else f"http://{host}:{port}/"


def list_network_hosts() -> list[str]:
    """What others in the network may call it."""
    return [host for host in find_network_addresses() if validate_host(host, settings.ALLOWED_HOSTS)]


def watch_network(tell: Callable[[str], None]) -> None:
    """In the background, admit and tell each address that this machine gets later in the hall's network."""
    if not settings.NAMED_HOSTS:
        threading.Thread(target=_watch_addresses, args=(tell,), daemon=True).start()


def _watch_addresses(tell: Callable[[str], None]) -> None:
    while True:
        time.sleep(WATCH_SECONDS)
        admit_new_addresses(tell)


def admit_new_addresses(tell: Callable[[str], None]) -> None:
    """Add the addresses that are not known yet to the allowed hosts, and tell them."""
    for address in find_network_addresses():
        # Added to the list itself, which Django looks at with each request: a laptop that joins the hall's network
        # after the start answers there without another one.
        if address not in settings.ALLOWED_HOSTS:
            settings.ALLOWED_HOSTS.append(address)
            # Whoever closed the terminal reads nothing any more; phones of the next network come in all the same.
            with suppress(OSError, ValueError):
                tell(address)


def open_browser(url: str, port: int) -> None:
    """In the background, show the page as soon as the server answers, if there is a screen."""
    if has_display():
        threading.Thread(target=_open_browser_when_up, args=(url, port), daemon=True).start()


def has_display() -> bool:
    """Whether a browser can show itself; without a screen a text browser would take the terminal over."""
    if sys.platform in {"win32", "darwin"}:
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _open_browser_when_up(url: str, port: int) -> None:
    while find_port_occupant(port) is not PortOccupant.OURSELVES:
        time.sleep(0.1)
    webbrowser.open(url)
