"""The machine's own addresses, found without asking anybody."""

import socket
from ipaddress import ip_address

import pytest

from tournament.basics import addresses
from tournament.basics.addresses import find_network_addresses, find_own_hosts


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
