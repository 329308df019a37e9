"""The name `tso.local`: told only where it leads here, never in the way. Asked and answered on this machine alone."""

import gc
import socket
from collections.abc import Iterator

import pytest
from zeroconf import IPVersion, ServiceInfo, Zeroconf

from tournament.basics.addresses import get_local_name, note_local_name
from tournament.laptop import hall_name
from tournament.laptop.hall_name import LOCAL_NAME, AnnouncedName, ask_for_name

HERE = ["127.0.0.1"]


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnnouncedName]:
    """A name of this test alone, so that nobody else in the network answers to it."""
    monkeypatch.setattr(hall_name, "LOCAL_NAME", f"tso-{id(monkeypatch):x}.local")
    made = AnnouncedName(8000)
    yield made
    made.withdraw()


@pytest.fixture
def multicast() -> None:
    """Skips where the system lets nobody speak to several, such as in some containers."""
    try:
        hall_name._close(Zeroconf(interfaces=HERE, ip_version=IPVersion.V4Only))
    except OSError as fault:
        pytest.skip(f"no multicast here: {fault}")


@pytest.mark.long
def test_name_leads_here_and_nowhere_once_taken_back(announced: AnnouncedName, multicast: None) -> None:
    assert announced.renew(HERE)
    assert ask_for_name(HERE) == HERE
    announced.withdraw()

    assert ask_for_name(HERE) == []


@pytest.mark.long
def test_name_that_another_machine_has_stays_its_own(announced: AnnouncedName, multicast: None) -> None:
    other = Zeroconf(interfaces=HERE, ip_version=IPVersion.V4Only)
    address = [socket.inet_aton("192.0.2.7")]
    kind = "_http._tcp.local."
    service = ServiceInfo(kind, f"Another.{kind}", port=80, addresses=address, server=f"{hall_name.LOCAL_NAME}.")
    other.register_service(service)
    try:
        assert not announced.renew(HERE)
        assert ask_for_name(HERE) == ["192.0.2.7"]
    finally:
        hall_name._close(other)


def test_without_a_network_there_is_no_name(announced: AnnouncedName) -> None:
    assert not announced.renew([])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # what the library cannot open it leaves
def test_whatever_goes_wrong_is_no_more_than_no_name(announced: AnnouncedName) -> None:
    assert not announced.renew(["192.0.2.1"])  # an address that is not this machine's
    assert not announced.renew(["no address"])
    gc.collect()


def test_name_is_told_once_until_it_is_gone() -> None:
    try:
        assert [note_local_name(name) for name in (LOCAL_NAME, LOCAL_NAME, "", LOCAL_NAME)] == [True, False, True, True]
        assert get_local_name() == LOCAL_NAME
    finally:
        note_local_name("")
