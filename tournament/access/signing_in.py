"""Limits on passwords and access codes that are tried by the thousand, and on letters that anybody may ask for.

Wrong passwords are counted each minute: for an account from one address, from one address, and in all. Whoever is over
a limit waits for the next minute, never longer. The machine itself does not count towards the total, and a browser in
which an account was used before has its own count, so that nobody keeps the rightful director out, not even from the
same address. The counts are in a cache of their own; nothing about an attempt is stored.
"""

import hashlib
import os
import threading
import time
from collections.abc import Iterable, Iterator
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
FOR_ACCOUNT, FOR_ADDRESS, IN_SUM = 5, 20, 60  # wrong passwords in a minute

HOUR = 3600
TO_RECIPIENT, FROM_ADDRESS, LETTERS = 3, 10, 200
"""Letters that strangers may ask for in an hour: to one recipient, from one address, and in all."""

CODES_FROM_BROWSER, CODES_FROM_ADDRESS, CODES_IN_SUM = 5, 60, 300  # wrong access codes in a minute

HASHES_AT_ONCE = max(1, min(2, (os.cpu_count() or 1) - 1))
"""Passwords checked at once: each keeps a processor busy for a third of a second, and one is left for all else."""

HASHING_TIMEOUT_SECONDS = 5.0  # that a request waits for its turn

KNOWN_COOKIE = "known"
KNOWN_COOKIE_AGE = 365 * 24 * 3600

_HASHING = threading.BoundedSemaphore(HASHES_AT_ONCE)
_signer = signing.TimestampSigner(salt="tournament.access.signing_in")


class TooManyAttempts(Exception):
    """Nothing was checked; try again after `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class LimitedBackend(ModelBackend):
    """Django's accounts and passwords, with the limits of this module for requests."""

    def authenticate(  # type: ignore[override]  # Django's own takes any credentials
        self, request: HttpRequest | None, **credentials: Any
    ) -> User | None:
        """The account with this name and password, or None. Raises `TooManyAttempts`."""
        if request is None:
            return super().authenticate(request, **credentials)
        counts = _build_attempt_counts(request, str(credentials.get("username") or ""))
        _check_counts(counts)
        with _wait_for_hashing():
            _check_counts(counts)  # others who waited may have failed meanwhile
            found = super().authenticate(request, **credentials)
        if found is None:
            _count_attempt(counts)
        return found


def count_letter(request: HttpRequest, recipient: str, *, kind: str = "letter") -> None:
    """Count a letter that this request asks for, whether the recipient exists or not. Raises `TooManyAttempts`.

    Each `kind` is counted by itself, so that a flood of one does not stop the others.
    """
    hour, address = int(time.time() // HOUR), get_client_address(request)
    counts = {
        f"{kind}-to:{hour}:{_compute_digest(recipient.casefold())}": TO_RECIPIENT,
        f"{kind}-from:{hour}:{_compute_digest(address)}": FROM_ADDRESS,
        f"{kind}s:{hour}": LETTERS,
    }
    _check_counts(counts, HOUR)
    _count_attempt(counts, HOUR)


def refuse_guessing(request: HttpRequest) -> None:
    """Raise `TooManyAttempts` for whoever has sent too many wrong codes this minute.

    The total limit holds only for addresses that have sent one, so guessers do not keep others out.
    """
    counts = _build_code_counts(request)
    address_key, sum_key, *_browser = counts
    if not caches["attempts"].get(address_key):
        del counts[sum_key]
    _check_counts(counts)


def count_wrong_code(request: HttpRequest) -> None:
    """Count a wrong code against the browser, the address and the total."""
    _count_attempt(_build_code_counts(request))


def _build_code_counts(request: HttpRequest) -> dict[str, int]:
    """The counts for the address, the total, and a returning browser, since a hall may share one address."""
    minute = int(time.time() // MINUTE)
    counts = {
        f"code-address:{minute}:{_compute_digest(get_client_address(request))}": CODES_FROM_ADDRESS,
        f"codes:{minute}": CODES_IN_SUM,
    }
    if browser := request.COOKIES.get(settings.CSRF_COOKIE_NAME, ""):
        counts[f"code-browser:{minute}:{_compute_digest(browser)}"] = CODES_FROM_BROWSER
    return counts


def remember_browser(request: HttpRequest, response: HttpResponseBase) -> None:
    """Mark the browser as known for the account that just signed in."""
    name = request.user.get_username()
    if name and not _is_known_browser(request, name):
        response.set_cookie(
            KNOWN_COOKIE,
            _signer.sign(_compute_digest(name)),
            max_age=KNOWN_COOKIE_AGE,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )


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


@contextmanager
def _wait_for_hashing() -> Iterator[None]:
    if not _HASHING.acquire(timeout=HASHING_TIMEOUT_SECONDS):
        raise TooManyAttempts(int(HASHING_TIMEOUT_SECONDS))
    try:
        yield
    finally:
        _HASHING.release()


def _build_attempt_counts(request: HttpRequest, account: str) -> dict[str, int]:
    """The counts of an attempt, each with its limit."""
    address, minute = get_client_address(request), int(time.time() // MINUTE)
    if _is_known_browser(request, account):
        return {f"known:{minute}:{_compute_digest(request.COOKIES[KNOWN_COOKIE])}": FOR_ADDRESS}
    counts = {
        f"account:{minute}:{_compute_digest(f'{address} {account}')}": FOR_ACCOUNT,
        f"address:{minute}:{_compute_digest(address)}": FOR_ADDRESS,
    }
    is_this_machine = bool(address) and "/" not in address and ip_address(address).is_loopback
    return counts if is_this_machine else counts | {f"sum:{minute}": IN_SUM}


def _check_counts(counts: dict[str, int], span: int = MINUTE) -> None:
    stored = caches["attempts"].get_many(counts)
    if any(stored.get(key, 0) >= limit for key, limit in counts.items()):
        raise TooManyAttempts(span - int(time.time()) % span)


def _count_attempt(keys: Iterable[str], span: int = MINUTE) -> None:
    for key in keys:
        if not caches["attempts"].add(key, 1, 2 * span):
            with suppress(ValueError):  # the cache has lost it meanwhile
                caches["attempts"].incr(key)


def _is_known_browser(request: HttpRequest, account: str) -> bool:
    try:
        known = _signer.unsign(request.COOKIES.get(KNOWN_COOKIE, ""), max_age=KNOWN_COOKIE_AGE)
    except signing.BadSignature:
        return False
    return known == _compute_digest(account)


def _compute_digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
