"""Signing in while somebody tries passwords by the thousand: how often, from where, and how many at the same time.
Letters that anybody may ask for are counted as well.

Counted are wrong passwords in each minute: for an account from an address, from an address, and in sum. Whoever is
over a limit waits until the minute is over, never longer. The machine itself is not counted in sum, and a browser in
which an account was used before has a count of its own: so nobody keeps the rightful director out, not even from the
same address. The counts are in a cache of their own; nothing about an attempt is stored.
"""

import hashlib
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.core import signing
from django.core.cache import caches
from django.http import HttpRequest, HttpResponseBase

MINUTE = 60
FOR_ACCOUNT, FOR_ADDRESS, IN_SUM = 5, 20, 60
"""Wrong passwords in a minute."""

HOUR = 3600
TO_RECIPIENT, FROM_ADDRESS, LETTERS = 3, 10, 200
"""Letters that strangers may ask for in an hour: to one recipient, from one address, and in sum."""

CODES_FROM_BROWSER, CODES_FROM_ADDRESS, CODES_IN_SUM = 5, 60, 300
"""Wrong access codes in a minute."""

HASHES = max(1, min(2, (os.cpu_count() or 1) - 1))
"""Passwords that are checked at the same time: each keeps a processor busy for a third of a second, and one is left for
everything else."""
PATIENCE = 5.0
"""Seconds that a request waits for that."""

COOKIE = "known"
COOKIE_AGE = 365 * 24 * 3600

_HASHING = threading.BoundedSemaphore(HASHES)
_signer = signing.TimestampSigner(salt="tournament.signing_in")


class TooManyAttempts(Exception):
    """What was sent was not looked at. After `seconds` it may be tried again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class LimitedBackend(ModelBackend):
    """Django's accounts and passwords, with the limits of this module wherever a request asks."""

    def authenticate(  # type: ignore[override]  # Django's own takes any credentials
        self, request: HttpRequest | None, **credentials: Any
    ) -> User | None:
        """The account with this name and password, or None. Raises `TooManyAttempts`."""
        if request is None:
            return super().authenticate(request, **credentials)
        counts = _counts(request, str(credentials.get("username") or ""))
        _check(counts)
        with _turn():
            _check(counts)  # those who waited with this one have failed meanwhile
            found = super().authenticate(request, **credentials)
        if found is None:
            for key in counts:
                _count(key)
        return found


def count_letter(request: HttpRequest, recipient: str, *, kind: str = "letter") -> None:
    """Count a letter that this request asks for, whether there is such a recipient or not. Raises `TooManyAttempts`.

    Each `kind` has counts of its own: a flood of one leaves the others their letters.
    """
    hour, address = int(time.time() // HOUR), address_of(request)
    counts = {
        f"{kind}-to:{hour}:{_digest(recipient.casefold())}": TO_RECIPIENT,
        f"{kind}-from:{hour}:{_digest(address)}": FROM_ADDRESS,
        f"{kind}s:{hour}": LETTERS,
    }
    _check(counts, HOUR)
    for key in counts:
        _count(key, HOUR)


def refuse_guessing(request: HttpRequest) -> None:
    """Refuse who has sent too many wrong codes in this minute. Raises `TooManyAttempts`.

    The limit in sum is for addresses that have sent one: a crowd that guesses keeps nobody out who types a right code.
    """
    counts, here = _code_counts(request), _address_count(request)
    if not caches["attempts"].get(here):
        counts = {key: limit for key, limit in counts.items() if key != _sum_of_codes()}
    _check(counts)


def count_wrong_code(request: HttpRequest) -> None:
    """Count a wrong code against the browser, the address, and in sum."""
    for key in _code_counts(request):
        _count(key)


def _code_counts(request: HttpRequest) -> dict[str, int]:
    """A hall may share one address, so a browser that has come back has a count of its own besides."""
    minute = int(time.time() // MINUTE)
    counts = {_address_count(request): CODES_FROM_ADDRESS, _sum_of_codes(): CODES_IN_SUM}
    browser = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    return counts | ({f"code-browser:{minute}:{_digest(browser)}": CODES_FROM_BROWSER} if browser else {})


def _address_count(request: HttpRequest) -> str:
    return f"code-address:{int(time.time() // MINUTE)}:{_digest(address_of(request))}"


def _sum_of_codes() -> str:
    return f"codes:{int(time.time() // MINUTE)}"


def remember(request: HttpRequest, response: HttpResponseBase) -> None:
    """Let a browser in which somebody has just signed in be known for that account from now on."""
    name = request.user.get_username()
    if name and not _is_known(request, name):
        response.set_cookie(
            COOKIE,
            _signer.sign(_digest(name)),
            max_age=COOKIE_AGE,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )


def address_of(request: HttpRequest) -> str:
    """Where a request comes from: the address, or the network of an IPv6 one, of which anybody has billions."""
    text = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_HTTPS:  # the proxy's own word stands last
        text = request.META.get("HTTP_X_FORWARDED_FOR", text).rpartition(",")[2].strip()
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    return str(ip_network((address, 64), strict=False)) if isinstance(address, IPv6Address) else text


@contextmanager
def _turn() -> Iterator[None]:
    if not _HASHING.acquire(timeout=PATIENCE):
        raise TooManyAttempts(int(PATIENCE))
    try:
        yield
    finally:
        _HASHING.release()


def _counts(request: HttpRequest, account: str) -> dict[str, int]:
    """The counts that an attempt belongs to, with their limits."""
    address, minute = address_of(request), int(time.time() // MINUTE)
    if _is_known(request, account):
        return {f"known:{minute}:{_digest(request.COOKIES[COOKIE])}": FOR_ADDRESS}
    counts = {
        f"account:{minute}:{_digest(f'{address} {account}')}": FOR_ACCOUNT,
        f"address:{minute}:{_digest(address)}": FOR_ADDRESS,
    }
    return counts if _is_this_machine(address) else counts | {f"sum:{minute}": IN_SUM}


def _check(counts: dict[str, int], span: int = MINUTE) -> None:
    stored = caches["attempts"].get_many(counts)
    if any(stored.get(key, 0) >= limit for key, limit in counts.items()):
        raise TooManyAttempts(span - int(time.time()) % span)


def _count(key: str, span: int = MINUTE) -> None:
    if not caches["attempts"].add(key, 1, 2 * span):
        with suppress(ValueError):  # the cache has lost it meanwhile
            caches["attempts"].incr(key)


def _is_known(request: HttpRequest, account: str) -> bool:
    try:
        known = _signer.unsign(request.COOKIES.get(COOKIE, ""), max_age=COOKIE_AGE)
    except signing.BadSignature:
        return False
    return known == _digest(account)


def _is_this_machine(address: str) -> bool:
    return bool(address) and "/" not in address and ip_address(address).is_loopback


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
