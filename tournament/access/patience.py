"""Patience in place of refusal: whoever is over a count waits some seconds, and is then let in by turns. A count
never refuses, since an attacker can reach it for others. The browser is given a ticket in a cookie, signed and good
once; after `PATIENCE_SECONDS` what it sends is looked at in a slow lane, whatever the counts say. The lane bounds how
much is tried in a minute, and nobody waits for more than one attempt of each other address."""

import hashlib
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import NamedTuple

from django.conf import settings
from django.core import signing
from django.core.cache import caches
from django.http import HttpRequest, HttpResponseBase

PATIENCE_SECONDS = 5
TICKET_AGE = 5 * 60

WAITING_PLACES = 3
"""Requests that wait in one queue of a process: a hosted one has eight threads, and others need them too."""

WAITING_OF_ONE = 2
WAITING_SECONDS = 20.0  # no turn takes as long

KNOWN, CLEAN, OTHERS = range(3)
"""Who goes first: browsers in which the account was used, then addresses that sent nothing wrong in this minute."""

TICKET_COOKIE = "patience"
_NEW_TICKET = "tournament.new_ticket"  # where a request keeps the ticket for its answer
_signer = signing.Signer(salt="tournament.access.patience")


class Ticket(NamedTuple):
    at: float
    nonce: str
    found: str  # the digest of what the browser knows already to be right, or ""

    @property
    def used_key(self) -> str:
        return f"ticket:{self.nonce}"

    @property
    def is_usable(self) -> bool:
        """Whether it stands for patience, and was not used yet."""
        return not self.found and not caches["attempts"].get(self.used_key)


class TooManyAttempts(Exception):
    """Nothing was looked at; try again after `seconds`."""

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, ceil(seconds))
        super().__init__(self.seconds)


def give_ticket(request: HttpRequest, *, found: str = "") -> None:
    """Give the browser a ticket with the answer, unless it has one; for what was `found`, it is good at once."""
    kept = _read_ticket(request)
    if found or kept is None or not kept.is_usable:
        made = Ticket(time.time(), secrets.token_urlsafe(9), compute_digest(found) if found else "")
        request.META[_NEW_TICKET] = _signer.sign_object(list(made))


def hand_over_ticket(request: HttpRequest, response: HttpResponseBase) -> None:
    if ticket := request.META.get(_NEW_TICKET):
        set_private_cookie(response, TICKET_COOKIE, ticket, age=TICKET_AGE)


def set_private_cookie(response: HttpResponseBase, name: str, value: str, *, age: int) -> None:
    """Set a cookie for `age` seconds that no script can read."""
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(name, value, max_age=age, httponly=True, samesite="Lax", secure=secure)


def has_found(request: HttpRequest, text: str) -> bool:
    """Whether this browser has been told already that this is right, so that it guesses nothing."""
    ticket = _read_ticket(request)
    return ticket is not None and ticket.found == compute_digest(text)


def use_ticket(request: HttpRequest) -> None:
    """Use the browser's ticket up. Without one that is old enough, give one and raise `TooManyAttempts`."""
    ticket = _read_ticket(request)
    if ticket is None or not ticket.is_usable:
        raise ask_for_patience(request)
    wait = ticket.at + PATIENCE_SECONDS - time.time()
    if wait > 0:
        raise TooManyAttempts(wait)
    if not caches["attempts"].add(ticket.used_key, 1, TICKET_AGE):  # another request was quicker
        raise ask_for_patience(request)


def ask_for_patience(request: HttpRequest) -> TooManyAttempts:
    """Give the browser a ticket, and return what to raise."""
    give_ticket(request)
    return TooManyAttempts(PATIENCE_SECONDS)


def _read_ticket(request: HttpRequest) -> Ticket | None:
    with suppress(signing.BadSignature):
        ticket = Ticket(*_signer.unsign_object(request.COOKIES.get(TICKET_COOKIE, "")))
        if 0 <= time.time() - ticket.at < TICKET_AGE:
            return ticket
    return None


class FairQueue:
    """Lets so many in at once, with a pause between two beginnings; the others wait, each in a lane of their own. The
    best rank goes first, and among equals the lane that was served longest ago. Where all places are taken, the lane of
    the worst rank with most waiting gives one up, so that the crowd of one address turns nobody else away."""

    def __init__(self, at_once: int, *, pause: float = 0.0) -> None:
        self._changed = threading.Condition()
        self._lanes: OrderedDict[tuple[int, str], deque[object]] = OrderedDict()
        self._free, self._pause, self._next_at = at_once, pause, 0.0

    @contextmanager
    def take_turn(self, request: HttpRequest, who: str, rank: int) -> Iterator[None]:
        """Wait in the lane of `who`. Raises `TooManyAttempts` for a surplus."""
        lane, place = (rank, who), object()
        with self._changed:
            begun = self._enter(lane, place) and self._wait(lane, place)
        if not begun:
            raise ask_for_patience(request)
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()

    def _enter(self, lane: tuple[int, str], place: object) -> bool:
        """Take a place, where there is or will be one."""
        waiting = self._lanes.setdefault(lane, deque())
        waiting.append(place)
        is_surplus = len(waiting) > WAITING_OF_ONE
        if is_surplus or sum(map(len, self._lanes.values())) > WAITING_PLACES + self._free:
            newest_first = reversed(self._lanes)
            worst = lane if is_surplus else max(newest_first, key=lambda each: (each[0], len(self._lanes[each])))
            self._leave(worst, self._lanes[worst][-1])
            self._changed.notify_all()
        return self._is_waiting(lane, place)

    def _wait(self, lane: tuple[int, str], place: object) -> bool:
        """Whether the turn has come, and not the end of patience or a better one for the place."""
        end = time.monotonic() + WAITING_SECONDS
        while self._is_waiting(lane, place):
            now = time.monotonic()
            first = min(self._lanes, key=lambda each: each[0])  # the first one of the best rank
            is_next = self._free > 0 and first == lane and self._lanes[lane][0] is place
            if is_next and now >= self._next_at:
                self._leave(lane, place)
                if lane in self._lanes:
                    self._lanes.move_to_end(lane)
                self._free -= 1
                self._next_at = now + self._pause
                self._changed.notify_all()
                return True
            if now >= end:
                self._leave(lane, place)
                self._changed.notify_all()
                return False
            self._changed.wait(min(end, self._next_at if is_next else end) - now)
        return False

    def _is_waiting(self, lane: tuple[int, str], place: object) -> bool:
        return place in self._lanes.get(lane, ())

    def _leave(self, lane: tuple[int, str], place: object) -> None:
        self._lanes[lane].remove(place)
        if not self._lanes[lane]:
            del self._lanes[lane]


def get_client_address(request: HttpRequest) -> str:
    """The client's address, or its network for IPv6, where everybody has billions of addresses."""
    text = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_HTTPS:  # our proxy's own entry comes last
        text = request.META.get("HTTP_X_FORWARDED_FOR", text).rpartition(",")[2].strip()
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    return str(ip_network((address, 64), strict=False)) if isinstance(address, IPv6Address) else text


def compute_digest(text: str) -> str:
    """A key for caches and cookies that says nothing of the text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
