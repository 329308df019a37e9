"""Under which address others reach the program: what codes on walls and cards lead to."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from tournament.laptop import addresses, qr
from tournament.laptop.addresses import Reach
from tournament.models import Entry
from tournament.operations import access_codes

CHOSEN = "address_for_others"
"""Where a director's session keeps the address chosen."""

HTTP = "80"


@dataclass(frozen=True, slots=True)
class WaysIn:
    """The addresses at which others may reach the program, the one chosen first; none while there is no network.

    `is_closed`: the program was started for this machine alone.
    """

    found: tuple[str, ...]
    is_closed: bool

    @property
    def chosen(self) -> str:
        """The address for codes and cards; "" while there is none."""
        return self.found[0] if self.found else ""


def of(request: HttpRequest) -> WaysIn:
    """The addresses, as numbers where this is a laptop: names as `tso.local` fail on many phones."""
    if settings.HOSTED or settings.NAMED_HOSTS:
        return WaysIn((request.build_absolute_uri("/"),), is_closed=False)
    port = request.get_port()
    behind = "" if port == HTTP else f":{port}"
    found = [f"http://{address}{behind}/" for address in addresses.network_addresses()]
    chosen = request.session.get(CHOSEN)
    found.sort(key=lambda address: address != chosen)
    return WaysIn(tuple(found), is_closed=addresses.reach() == Reach.THIS_MACHINE)


def choose(request: HttpRequest, address: str) -> None:
    """Put one of the addresses before the others, for as long as this director is signed in."""
    if address in of(request).found:
        request.session[CHOSEN] = address


def whole(request: HttpRequest, path: str) -> str:
    """The address for others of a page of ours."""
    base = of(request).chosen or request.build_absolute_uri("/")
    return base.rstrip("/") + path


def opened_at(request: HttpRequest, path: str) -> str:
    """The address of a page of ours for another machine; the reader's own while the program is for this one alone."""
    return request.build_absolute_uri(path) if of(request).is_closed else whole(request, path)


def picture(request: HttpRequest, path: str) -> qr.Picture:
    """The same as a code to scan."""
    return qr.picture(whole(request, path))


@dataclass(frozen=True, slots=True)
class PersonalWay:
    """A player's own page: its path here, its address for phones, and that as a picture."""

    path: str
    address: str
    picture: qr.Picture


def personal(request: HttpRequest, entry: Entry) -> PersonalWay:
    """Where a player's personal link leads (`tournament` fetched)."""
    path = reverse("games:me", args=[access_codes.link(entry)])
    return PersonalWay(path, whole(request, path), picture(request, path))
