"""The name `tso.local` beside the addresses in numbers, for phones and machines that know such names (multicast DNS).
It comes on top: announced in the background, told only once somebody who asks the network is led here, taken back when
another machine has it, and whatever goes wrong with it disturbs neither the start nor the event."""

import logging
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from django.conf import settings

from tournament.basics.addresses import find_network_addresses, note_local_name

if TYPE_CHECKING:
    from zeroconf import Zeroconf

LOCAL_NAME = "tso.local"
LOOK_SECONDS = 10  # between two looks at the networks
CHECK_LOOKS = 30  # so many of them between two questions whether the name still leads here
ANSWER_MILLISECONDS = 1500

logger = logging.getLogger(__name__)


def keep_local_name(port: int, tell: Callable[[str], None]) -> None:
    """In the background, have the name lead to this port in every network, and `tell` it whenever it begins to. A
    service with a name of its own needs none."""
    if not settings.NAMED_HOSTS:
        threading.Thread(target=_keep_name, args=(port, tell), daemon=True).start()


def _keep_name(port: int, tell: Callable[[str], None]) -> None:
    announced, looks = AnnouncedName(port), 0
    while True:
        addresses = find_network_addresses()
        if addresses != announced.addresses or looks % CHECK_LOOKS == 0:
            if announced.renew(addresses) and note_local_name(LOCAL_NAME):
                if LOCAL_NAME not in settings.ALLOWED_HOSTS:
                    settings.ALLOWED_HOSTS.append(LOCAL_NAME)
                tell(LOCAL_NAME)
            elif not announced.leads_here:
                note_local_name("")
        looks += 1
        time.sleep(LOOK_SECONDS)


class AnnouncedName:
    """The name as this machine announces it. `addresses` are those of its networks, `leads_here` says whether the last
    question was answered with nothing but them."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.addresses: list[str] = []
        self.leads_here = False
        self._announcing: Zeroconf | None = None

    def renew(self, addresses: Sequence[str]) -> bool:
        """Announce the name at these addresses unless another machine answers to it, and ask for it as others would;
        whether it leads here. Nothing is raised."""
        try:
            self.leads_here = self._announce(list(addresses)) and self._is_ours()
        except Exception as fault:  # noqa: BLE001  # the library, the system, the network: the name is only an extra
            logger.info("No name in this network: %s", str(fault))
            self.leads_here = False
        if not self.leads_here:
            self.withdraw()
        return self.leads_here

    def withdraw(self) -> None:
        """No longer answer to the name."""
        announcing, self._announcing = self._announcing, None
        if announcing is None:
            return
        try:
            _close(announcing)
        except Exception as fault:  # noqa: BLE001  # as above: the network may be gone
            logger.info("The name was not taken back: %s", str(fault))

    def _announce(self, addresses: list[str]) -> bool:
        """Answer to the name from now on; not without a network, nor where another machine does."""
        if addresses == self.addresses and self._announcing is not None:
            return True
        self.withdraw()
        self.addresses = addresses
        # Asked before it is announced: with two laptops of the program in one hall, the second would take the first
        # one's phones away.
        if not addresses or not set(ask_for_name(addresses)) <= set(addresses):
            return False
        from zeroconf import IPVersion, ServiceInfo, Zeroconf  # noqa: PLC0415  # takes a moment, which is not the start's

        self._announcing = Zeroconf(interfaces=addresses, ip_version=IPVersion.V4Only)
        service = ServiceInfo(
            "_http._tcp.local.",
            "TSO._http._tcp.local.",
            port=self.port,
            addresses=[socket.inet_aton(address) for address in addresses],
            server=f"{LOCAL_NAME}.",
        )
        self._announcing.register_service(service, allow_name_change=True)
        return True

    def _is_ours(self) -> bool:
        """Whether whoever asks is led here, and nowhere else."""
        addresses_found = set(ask_for_name(self.addresses))
        # No answer is not ours either: some networks let no such question through, and nobody is to be told a name that
        # leads nowhere.
        return bool(addresses_found) and addresses_found <= set(self.addresses)


def ask_for_name(addresses: Sequence[str]) -> list[str]:
    """Ask the networks of these addresses who answers to the name, as any machine in them would; the answers."""
    from zeroconf import AddressResolverIPv4, IPVersion, Zeroconf  # type: ignore[attr-defined]  # noqa: PLC0415  # as above

    asking = Zeroconf(interfaces=list(addresses), ip_version=IPVersion.V4Only)
    try:
        resolver = AddressResolverIPv4(f"{LOCAL_NAME}.")
        resolver.request(asking, ANSWER_MILLISECONDS)
        return resolver.parsed_addresses()
    finally:
        _close(asking)


def _close(opened: "Zeroconf") -> None:
    """Close it with its loop, which the library leaves open: each holds files, and of these there are few."""
    loop = opened.loop
    opened.close()
    if loop is not None and not loop.is_running():
        loop.close()
