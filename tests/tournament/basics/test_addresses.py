"""The machine's own addresses, found without asking anybody."""

import socket
from ipaddress import ip_address
from typing import Any

import pytest

from tournament.basics import addresses
from tournament.basics.addresses import (
    NetworkReach,
    build_full_address,
    find_network_addresses,
    find_own_hosts,
    get_service_address,
    note_reach,
)


def test_network_addresses_are_this_machines() -> None:
    for address in find_network_addresses():
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as server:
            server.bind((address, 0))  # refused for anybody else's address

            assert not ip_address(address).is_loopback


def test_network_addresses_named_once() -> None:
    found = find_network_addresses()

    assert len(found) == len(set(found))


def test_own_hosts_hold_loopback_name_and_addresses() -> None:
    found = find_own_hosts()

    assert found[:3] == ["localhost", "127.0.0.1", "[::1]"]
    assert socket.gethostname().lower() in found
    assert set(find_network_addresses()) < set(found)


def test_network_addresses_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_route(*_target: object) -> None:
        raise OSError("Network is unreachable")

    class Socket(socket.socket):
        connect = no_route

    monkeypatch.setattr(socket, "socket", Socket)
    monkeypatch.setattr(addresses, "fcntl", None)

    assert find_network_addresses() == []


@pytest.mark.parametrize(
    ("service", "named", "https", "mail", "port", "address"),
    [
        ("https://tso.example.org:8443", ["other.example.org"], True, True, 8431, "https://tso.example.org:8443"),
        ("", ["tso.example.org"], True, False, None, "https://tso.example.org"),
        ("", ["127.0.0.1"], False, True, 8431, "http://127.0.0.1:8431"),
        ("", ["127.0.0.1"], False, True, 80, "http://127.0.0.1"),
        ("", ["127.0.0.1"], False, False, 8431, ""),
        ("", [], False, False, 8431, ""),
    ],
)
def test_service_stands_where_the_settings_say_and_keeps_its_port(
    settings: Any, service: str, named: list[str], https: bool, mail: bool, port: int | None, address: str
) -> None:
    settings.SERVICE_ADDRESS, settings.NAMED_HOSTS = service, named
    settings.BEHIND_HTTPS, settings.MAIL = https, mail
    note_reach(NetworkReach.UNKNOWN, port)

    try:
        assert get_service_address() == address
        assert build_full_address("/t/x/") == (address or f"http://localhost:{port}") + "/t/x/"
    finally:
        note_reach(NetworkReach.UNKNOWN)
