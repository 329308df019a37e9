"""Where the program stands: the service's address for every link, or else this machine's own addresses, found without
sending anything, for the allowed hosts and for what `start` prints."""

import socket
import struct
import sys
from enum import Enum
from ipaddress import IPv4Address, ip_address

from django.conf import settings
from django.http import HttpRequest

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
    addresses = map(IPv4Address, dict.fromkeys([*_find_by_route(), *_find_by_interface(), *_find_by_host_name()]))
    return [
        str(address)
        for address in addresses
        if not (address.is_loopback or address.is_link_local or address.is_unspecified)
    ]


def is_loopback(host: str) -> bool:
    """Whether a host is the machine itself; not for an empty text, or a name other than `localhost`."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def find_own_hosts() -> list[str]:
    """Every host by which a browser may reach this machine: loopback, its name, its addresses."""
    name = socket.gethostname().lower()
    # With `.local` machines call each other in a network without a name server; a Host header with it is this machine,
    # too.
    names = [name, f"{name}.local"] if name and "." not in name else [name]
    return list(dict.fromkeys([*LOOPBACK_HOSTS, *filter(None, names), *find_network_addresses()]))


def _find_by_route() -> list[str]:
    addresses = []
    for target in _FAR_AWAY:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
            except OSError:  # no route there
                continue
            addresses.append(probe.getsockname()[0])
    return addresses


def _find_by_interface() -> list[str]:
    if fcntl is None:
        return []
    addresses = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _index, name in socket.if_nameindex():
            # The kernel takes names of fifteen letters and a zero; a longer one would run into what follows it.
            request = struct.pack("256s", name.encode()[:15])
            try:
                answer = fcntl.ioctl(probe.fileno(), _GET_INTERFACE_ADDRESS, request)
            except OSError:  # an interface without an IPv4 address
                continue
            # Behind the name's sixteen bytes, and four of family and port.
            addresses.append(socket.inet_ntoa(answer[20:24]))
    return addresses


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
_port: int | None = None  # where the laptop's server listens


def note_reach(found: NetworkReach, port: int | None = None) -> None:
    """Note who can open the program, and at which port; the server calls this once it listens."""
    global _reach, _port  # one process serves one program
    _reach, _port = found, port


def get_reach() -> NetworkReach:
    return _reach


_local_name = ""


def note_local_name(name: str) -> bool:
    """Note the name that leads here in this network, "" for none; whether that is new."""
    global _local_name  # one process serves one program
    is_new, _local_name = name != _local_name, name
    return is_new


def get_local_name() -> str:
    """The name that leads here in this network, as far as was found by asking; "" without one."""
    return _local_name


def is_laptop() -> bool:
    """Whether this is the program on a director's own machine: there alone an event is sent to a mirror, or written
    into a folder. Of a hosted service nobody learns which folders it has."""
    return not settings.HOSTED


def get_service_address() -> str:
    """Where the service stands, as `https://tso.example.org`; "" if it is a laptop that was given no name. It is
    `TSO_ADDRESS`, or else the first name in `TSO_HOSTS` of a service that has a proxy or sends letters."""
    if settings.SERVICE_ADDRESS or not settings.NAMED_HOSTS or not (settings.BEHIND_HTTPS or settings.MAIL):
        return settings.SERVICE_ADDRESS
    # The first one named: letters need one address, and a Host header may name any of the others.
    name = settings.NAMED_HOSTS[0]
    if settings.BEHIND_HTTPS:
        return f"https://{name}"
    return f"http://{name}" if _port in (None, 80) else f"http://{name}:{_port}"


def build_full_address(path: str, request: HttpRequest | None = None) -> str:
    """The full address of a path at the service; without one, at the host that the request names, or here. A request's
    host, and its port, are what the browser says: no letter is written by them."""
    if address := get_service_address():
        return address + path
    return request.build_absolute_uri(path) if request else f"http://localhost:{_port or 80}{path}"
