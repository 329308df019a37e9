"""Limits on passwords and access codes that are tried by the thousand, and on letters that anybody may ask for. Wrong
passwords are counted each minute: for an account from one address, from one address, and in all. The machine itself
does not count towards the total, and a browser in which an account was used before has its own count. The counts are in
a cache of their own; nothing about an attempt is stored.

A count never refuses, since an attacker can reach it for others: whoever is over one waits some seconds, and is then
let in by turns. The browser is given a ticket in a cookie, signed and good once; after `PATIENCE_SECONDS` what it sends
is looked at in a slow lane, whatever the counts say. The lane bounds how much is tried in a minute, and nobody waits
for more than one attempt of each other address."""

import hashlib
import os
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.core import signing
from django.core.cache import caches
from django.http import HttpRequest, HttpResponseBase

from tournament.basics.addresses import is_loopback

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
_ticket_signer = signing.Signer(salt="tournament.access.signing_in")


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
        request.META[_NEW_TICKET] = _ticket_signer.sign_object(list(made))


def hand_over_ticket(request: HttpRequest, response: HttpResponseBase) -> None:
    if ticket := request.META.get(_NEW_TICKET):
        set_private_cookie(response, TICKET_COOKIE, ticket, age=TICKET_AGE)


def set_private_cookie(response: HttpResponseBase, name: str, value: str, *, age: int) -> None:
    """Set a cookie for `age` seconds that no script can read."""
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(name, value, max_age=age, httponly=True, samesite="Lax", secure=secure)


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
        ticket = Ticket(*_ticket_signer.unsign_object(request.COOKIES.get(TICKET_COOKIE, "")))
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


MINUTE = 60
FOR_ACCOUNT, FOR_ADDRESS, IN_SUM = 5, 20, 60  # wrong passwords in a minute

HOUR = 3600
TO_RECIPIENT, FROM_ADDRESS, LETTERS = 3, 10, 200
"""Letters that strangers may ask for in an hour: to one recipient, from one address without waiting, and in all before
they are sent more slowly."""

SECONDS_BETWEEN_LETTERS = 10  # of those beyond `LETTERS`
MOST_DELAY = 30 * 60

CODES_FROM_BROWSER, CODES_FROM_ADDRESS, CODES_IN_SUM = 5, 60, 300  # wrong access codes in a minute

HASHES_AT_ONCE = max(1, min(2, (os.cpu_count() or 1) - 1))
"""Passwords checked at once: each keeps a processor busy for a third of a second, and one is left for all else."""

PASSWORDS_PAUSE, CODES_PAUSE, LETTERS_PAUSE = 0.5, 0.25, 5.0
"""Seconds between two passwords, codes or letters of those over a count, in one process: 120, 240 and 12 a minute."""

KNOWN_COOKIE = "known"
KNOWN_COOKIE_AGE = 365 * 24 * 3600

HASHING = FairQueue(HASHES_AT_ONCE)
SLOW_PASSWORDS = FairQueue(1, pause=PASSWORDS_PAUSE)
SLOW_LETTERS = FairQueue(1, pause=LETTERS_PAUSE)
SLOW_CODES = FairQueue(1, pause=CODES_PAUSE)

_browser_signer = signing.TimestampSigner(salt="tournament.access.signing_in")


class LimitedBackend(ModelBackend):
    """Django's accounts and passwords, with the limits of this module for requests."""

    def authenticate(  # type: ignore[override]  # Django's own takes any credentials
        self, request: HttpRequest | None, **credentials: Any
    ) -> User | None:
        """The account with this name and password, or None. Raises `TooManyAttempts`."""
        if request is None:
            return super().authenticate(request, **credentials)
        account = str(credentials.get("username") or "")
        counts, turn = _build_attempt_counts(request, account), _find_turn(request, account)
        with ExitStack() as turns:
            was_over = _are_over(counts)
            if was_over:
                use_ticket(request)
                turns.enter_context(SLOW_PASSWORDS.take_turn(request, *turn))
            turns.enter_context(HASHING.take_turn(request, *turn))
            if not was_over and _are_over(counts):  # others who waited have failed meanwhile
                raise ask_for_patience(request)
            found = super().authenticate(request, **credentials)
        if found is None:
            count_attempt(counts)
        return found


def count_letter(request: HttpRequest, recipient: str) -> None:
    """Count a letter, whether the recipient exists or not. Raises `TooManyAttempts`: an address that asks for many
    waits for each; to one recipient no more are sent in this hour, whoever asks, since they have the others."""
    if not count_named_letter(request, recipient, "letter"):
        raise TooManyAttempts(HOUR - int(time.time()) % HOUR)


def count_named_letter(request: HttpRequest, recipient: str, kind: str) -> bool:
    """Count a letter of this `kind`; False, and nothing is counted, once the recipient has had those of this hour,
    whoever asked for them. Raises `TooManyAttempts`: an address that asks for many waits for each."""
    hour, address = int(time.time() // HOUR), get_client_address(request)
    to = {f"{kind}-to:{hour}:{compute_digest(recipient.casefold())}": TO_RECIPIENT}
    sent = {f"{kind}-from:{hour}:{compute_digest(address)}": FROM_ADDRESS}
    has_room = not _are_over(to)
    if _are_over(sent):
        use_ticket(request)
        with SLOW_LETTERS.take_turn(request, address, OTHERS):
            pass
    count_attempt(to | sent if has_room else sent, HOUR)
    return has_room


def count_letter_delay(kind: str) -> int:
    """Count a letter that goes to whom a stranger has named; the seconds after which it is sent, if there are many."""
    key = f"{kind}s:{int(time.time() // HOUR)}"
    count_attempt([key], HOUR)
    beyond = int(caches["attempts"].get(key, 0)) - LETTERS
    return min(max(0, beyond) * SECONDS_BETWEEN_LETTERS, MOST_DELAY)


def slow_guessing(request: HttpRequest, code: str) -> None:
    """Take this request's turn, if too many wrong codes were sent this minute. Raises `TooManyAttempts`. The total
    limit holds only for addresses that have sent one. Whoever was told that this code is right has no turns."""
    counts = _build_code_counts(request)
    address_key, sum_key, *_browser = counts
    is_clean = not caches["attempts"].get(address_key)
    if is_clean:
        del counts[sum_key]
    ticket = _read_ticket(request)
    guesses_nothing = ticket is not None and ticket.found == compute_digest(code)
    if _are_over(counts) and not guesses_nothing:
        use_ticket(request)
        with SLOW_CODES.take_turn(request, get_client_address(request), CLEAN if is_clean else OTHERS):
            pass


def count_wrong_code(request: HttpRequest) -> None:
    """Count a wrong code against the browser, the address and the total."""
    count_attempt(_build_code_counts(request))


def _build_code_counts(request: HttpRequest) -> dict[str, int]:
    """The counts for the address, the total, and a returning browser, since a hall may share one address."""
    minute = int(time.time() // MINUTE)
    counts = {
        f"code-address:{minute}:{compute_digest(get_client_address(request))}": CODES_FROM_ADDRESS,
        f"codes:{minute}": CODES_IN_SUM,
    }
    if browser := request.COOKIES.get(settings.CSRF_COOKIE_NAME, ""):
        counts[f"code-browser:{minute}:{compute_digest(browser)}"] = CODES_FROM_BROWSER
    return counts


def remember_browser(request: HttpRequest, response: HttpResponseBase) -> None:
    """Mark the browser as known for the account that just signed in."""
    name = request.user.get_username()
    if name and not is_known_browser(request, name):
        set_private_cookie(response, KNOWN_COOKIE, _browser_signer.sign(compute_digest(name)), age=KNOWN_COOKIE_AGE)


def _build_attempt_counts(request: HttpRequest, account: str) -> dict[str, int]:
    """The counts of an attempt, each with its limit."""
    address, minute = get_client_address(request), int(time.time() // MINUTE)
    if is_known_browser(request, account):
        return {f"known:{minute}:{compute_digest(request.COOKIES[KNOWN_COOKIE])}": FOR_ADDRESS}
    counts = {
        f"account:{minute}:{compute_digest(f'{address} {account}')}": FOR_ACCOUNT,
        _get_address_key(address): FOR_ADDRESS,
    }
    return counts if is_loopback(address) else counts | {f"sum:{minute}": IN_SUM}


def _find_turn(request: HttpRequest, account: str) -> tuple[str, int]:
    """The lane in which an attempt waits, and its rank."""
    if is_known_browser(request, account):
        return request.COOKIES[KNOWN_COOKIE], KNOWN
    address = get_client_address(request)
    return address, OTHERS if caches["attempts"].get(_get_address_key(address)) else CLEAN


def _get_address_key(address: str) -> str:
    return f"address:{int(time.time() // MINUTE)}:{compute_digest(address)}"


def _are_over(counts: dict[str, int]) -> bool:
    stored = caches["attempts"].get_many(counts)
    return any(stored.get(key, 0) >= limit for key, limit in counts.items())


def count_attempt(keys: Iterable[str], span: int = MINUTE) -> None:
    """Add one to each of the counts, which hold for `span` seconds."""
    for key in keys:
        if not caches["attempts"].add(key, 1, 2 * span):
            with suppress(ValueError):  # the cache has lost it meanwhile
                caches["attempts"].incr(key)


def is_known_browser(request: HttpRequest, account: str) -> bool:
    """Whether this account was used in this browser before."""
    try:
        known = _browser_signer.unsign(request.COOKIES.get(KNOWN_COOKIE, ""), max_age=KNOWN_COOKIE_AGE)
    except signing.BadSignature:
        return False
    return known == compute_digest(account)
