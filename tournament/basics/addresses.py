"""This machine's own addresses, found without sending anything: for the allowed hosts and for what `start` prints."""

import socket
import struct
import sys
from enum import Enum
from ipaddress import IPv4Address

try:
    import fcntl
except ImportError:  # on Windows; there the host name resolves to every address
    fcntl = None  # type: ignore[assignment]  # absent on one platform

LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")

# Connecting a datagram socket only asks the system for a route. The last three find a network without a gateway.
_FAR_AWAY = ("192.0.2.1", "10.255.255.254", "172.31.255.254", "192.168.255.254")
_GET_INTERFACE_ADDRESS = 0xC0206921 if sys.platform == "darwin" else 0x8915  # SIOCGIFADDR


def find_network_addresses() -> list[str]:
    """The IPv4 addresses at which others in the same network reach this machine, the likeliest first."""
    found = map(IPv4Address, dict.fromkeys([*_find_by_route(), *_find_by_interface(), *_find_by_host_name()]))
    return [str(each) for each in found if not (each.is_loopback or each.is_link_local or each.is_unspecified)]


def find_own_hosts() -> list[str]:
    """Every host by which a browser may reach this machine: loopback, its name, its addresses."""
    name = socket.gethostname().lower()
    names = [name, f"{name}.local"] if name and "." not in name else [name]
    return list(dict.fromkeys([*LOOPBACK_HOSTS, *filter(None, names), *find_network_addresses()]))


def _find_by_route() -> list[str]:
    found = []
    for target in _FAR_AWAY:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
            except OSError:  # no route there
                continue
            found.append(probe.getsockname()[0])
    return found


def _find_by_interface() -> list[str]:
    if fcntl is None:
        return []
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _index, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(probe.fileno(), _GET_INTERFACE_ADDRESS, request)
            except OSError:  # an interface without an IPv4 address
                continue
            found.append(socket.inet_ntoa(answer[20:24]))
    return found


def _find_by_host_name() -> list[str]:
    if sys.platform != "win32":  # elsewhere this may ask a name server
        return []
    try:
        return socket.gethostbyname_ex(socket.gethostname())[2]
    except OSError:
        return []


class NetworkReach(Enum):
    """Who can open the program where it is served."""

    UNKNOWN = "unknown"  # a hosted service, or a server for developers
    THIS_MACHINE = "this machine"
    NETWORK = "network"


_reach = NetworkReach.UNKNOWN


def note_reach(found: NetworkReach) -> None:
    """Note who can open the program; the server calls this once it listens."""
    global _reach  # noqa: PLW0603  # one process serves one program
    _reach = found


def get_reach() -> NetworkReach:
    return _reach
