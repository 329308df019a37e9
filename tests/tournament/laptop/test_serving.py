"""Who answers at a port, and what hosts are let in."""

import gc
import http.server
import io
import platform
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import override_settings

from tournament.basics.addresses import find_network_addresses
from tournament.laptop.serving import (
    SERVER_IDENT,
    YOUNG_OBJECTS,
    PortOccupant,
    admit_new_addresses,
    create_server,
    find_port_occupant,
    format_host_address,
    freeze_memory,
    get_local_host,
    has_display,
    list_network_hosts,
    return_freed_memory,
)


class OtherServer(http.server.BaseHTTPRequestHandler):
    """Some other program."""

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_words: object) -> None:
        """Silent."""


class SecondTSO(OtherServer):
    """A program that calls itself as ours does."""

    def version_string(self) -> str:
        return SERVER_IDENT


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(params=[OtherServer, SecondTSO])
def running(request: pytest.FixtureRequest) -> Iterator[http.server.HTTPServer]:
    with http.server.HTTPServer(("127.0.0.1", 0), request.param) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_occupant_of_a_free_port(free_port: int) -> None:
    assert find_port_occupant(free_port) is PortOccupant.NOBODY


def test_occupant_by_name(running: http.server.HTTPServer) -> None:
    expected = PortOccupant.OURSELVES if running.RequestHandlerClass is SecondTSO else PortOccupant.SOMEBODY

    assert find_port_occupant(running.server_port) is expected


def test_occupant_that_does_not_speak_http() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        guest = threading.Thread(target=_hang_up, args=(server,))
        guest.start()

        assert find_port_occupant(server.getsockname()[1]) is PortOccupant.SOMEBODY

        guest.join()


def _hang_up(server: socket.socket) -> None:
    server.accept()[0].close()


def test_server_on_a_taken_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="in use"):
        create_server(taken.getsockname()[1], lan=False)


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        (["localhost", "127.0.0.1"], "127.0.0.1"),
        (["localhost"], "localhost"),
        ([".example.org"], "example.org"),
        (["*"], "127.0.0.1"),
    ],
)
def test_local_host(allowed: list[str], expected: str) -> None:
    with override_settings(ALLOWED_HOSTS=allowed):
        assert get_local_host() == expected


@pytest.mark.parametrize(("port", "expected"), [(80, "http://192.168.1.7/"), (8000, "http://192.168.1.7:8000/")])
def test_address_as_one_types_it(port: int, expected: str) -> None:
    assert format_host_address("192.168.1.7", port) == expected


def test_network_hosts_that_are_not_allowed() -> None:
    with override_settings(ALLOWED_HOSTS=["tso.example.org"]):
        assert list_network_hosts() == []


def test_admit_new_address(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    told: list[str] = []

    admit_new_addresses(told.append)
    admit_new_addresses(told.append)

    assert told == find_network_addresses()
    assert ["localhost", *told] == settings.ALLOWED_HOSTS


def test_networks_are_admitted_after_the_terminal_is_closed(settings: Any) -> None:
    settings.ALLOWED_HOSTS = []
    closed = io.StringIO()
    closed.close()

    admit_new_addresses(lambda address: print(address, file=closed))

    assert find_network_addresses() == settings.ALLOWED_HOSTS


@pytest.mark.parametrize("variable", ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"])
def test_screen(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    without = has_display()
    monkeypatch.setenv(variable, ":0")

    assert (without, has_display()) == (False, True)


@pytest.mark.long
def test_the_program_itself_is_never_looked_through_for_cycles() -> None:
    before = gc.get_threshold()
    try:
        freeze_memory()

        assert gc.get_freeze_count() > 0
        assert gc.get_threshold() == (YOUNG_OBJECTS, *before[1:])
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other systems give memory back by themselves")
def test_freed_memory_goes_back_to_the_system() -> None:
    assert return_freed_memory()
