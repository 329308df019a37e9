"""Limits on passwords and access codes that are tried by the thousand, and on letters that anybody may ask for. Wrong
passwords are counted each minute: for an account from one address, from one address, and in all. Whoever is over a
count waits some seconds (`patience`); nobody is refused because others have reached it. The machine itself does not
count towards the total, and a browser in which an account was used before has its own count. The counts are in a cache
of their own; nothing about an attempt is stored."""

import os
import time
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.core import signing
from django.core.cache import caches
from django.http import HttpRequest, HttpResponseBase

from tournament.access.patience import (
    CLEAN,
    KNOWN,
    OTHERS,
    FairQueue,
    TooManyAttempts,
    ask_for_patience,
    compute_digest,
    get_client_address,
    has_found,
    set_private_cookie,
    use_ticket,
)

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

_signer = signing.TimestampSigner(salt="tournament.access.signing_in")


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


def count_letter(request: HttpRequest, recipient: str, *, kind: str = "letter") -> None:
    """Count a letter of this `kind`, whether the recipient exists or not. Raises `TooManyAttempts`: an address that
    asks for many waits for each; to one recipient no more are sent in this hour, whoever asks."""
    hour, address = int(time.time() // HOUR), get_client_address(request)
    to = {f"{kind}-to:{hour}:{compute_digest(recipient.casefold())}": TO_RECIPIENT}
    sent = {f"{kind}-from:{hour}:{compute_digest(address)}": FROM_ADDRESS}
    if _are_over(to):
        raise TooManyAttempts(HOUR - int(time.time()) % HOUR)
    if _are_over(sent):
        use_ticket(request)
        with SLOW_LETTERS.take_turn(request, address, OTHERS):
            pass
    count_attempt(to | sent, HOUR)


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
    if _are_over(counts) and not has_found(request, code):
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
        set_private_cookie(response, KNOWN_COOKIE, _signer.sign(compute_digest(name)), age=KNOWN_COOKIE_AGE)


def _build_attempt_counts(request: HttpRequest, account: str) -> dict[str, int]:
    """The counts of an attempt, each with its limit."""
    address, minute = get_client_address(request), int(time.time() // MINUTE)
    if is_known_browser(request, account):
        return {f"known:{minute}:{compute_digest(request.COOKIES[KNOWN_COOKIE])}": FOR_ADDRESS}
    counts = {
        f"account:{minute}:{compute_digest(f'{address} {account}')}": FOR_ACCOUNT,
        _get_address_key(address): FOR_ADDRESS,
    }
    is_this_machine = bool(address) and "/" not in address and ip_address(address).is_loopback
    return counts if is_this_machine else counts | {f"sum:{minute}": IN_SUM}


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
        known = _signer.unsign(request.COOKIES.get(KNOWN_COOKIE, ""), max_age=KNOWN_COOKIE_AGE)
    except signing.BadSignature:
        return False
    return known == compute_digest(account)
