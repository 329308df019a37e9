"""Limits on passwords and access codes that are tried by the thousand, and on letters that anybody may ask for. Wrong
passwords are counted each minute: for an account from one address, from one address, and in all. The machine itself
does not count towards the total, and a browser in which an account was used before has its own count. The counts are in
a cache of their own; nothing about an attempt is stored.

A count never refuses, since an attacker can reach it for others: whoever is over one is let in by turns, in a slow lane
that bounds how much is tried in a minute. Who is over a count of their own waits some seconds before that: the browser
is given a ticket in a cookie, signed and good once, and after `PATIENCE_SECONDS` what it sends is looked at, whatever
the counts say. Turns go by what an address has sent in this hour, the least first: whoever types a right password once
waits in their one request for those who were there before, and for nobody who comes again and again."""

import hashlib
import os
import secrets
import threading
import time
from collections import Counter, OrderedDict
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

WAITING_PLACES, FEW_PLACES = 4, 1
"""Requests that wait in one queue of a process for passwords; for anything else. A hosted process has sixteen threads,
all queues together hold at most thirteen, and others need them too."""

WAITING_OF_ONE = 2
WAITING_SECONDS = 20.0  # no turn takes as long
MOST_SERVED = 1000  # lanes of whose last turns a queue knows

KNOWN, CLEAN, OTHERS = range(3)
"""Who goes first: browsers in which the account was used, then addresses that sent nothing wrong in this hour, then the
others, from `OTHERS` on one rank for each time that what they have sent doubles."""

STEP_ASIDE = "tournament.step_aside"
"""Where a server with turns of its own (`laptop.answering_order`) leaves a context manager, for a request that only
waits, or computes outside of Python, and keeps no other from its turn meanwhile."""

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


def give_ticket(request: HttpRequest, *, found: str = "", since: float | None = None) -> None:
    """Give the browser a ticket with the answer, unless it has one; for what was `found`, it is good at once. Who has
    waited before keeps the moment `since` when they do."""
    ticket = _read_ticket(request)
    # A new ticket would begin the waiting anew: whoever reloads the page would never have waited long enough.
    if found or ticket is None or not ticket.is_usable:
        new_ticket = Ticket(
            time.time() if since is None else since, secrets.token_urlsafe(9), compute_digest(found) if found else ""
        )
        request.META[_NEW_TICKET] = _ticket_signer.sign_object(list(new_ticket))


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
    # Too early uses nothing up: who comes again has only the rest to wait.
    wait = ticket.at + PATIENCE_SECONDS - time.time()
    if wait > 0:
        raise TooManyAttempts(wait)
    if not caches["attempts"].add(ticket.used_key, 1, TICKET_AGE):  # another request was quicker
        raise ask_for_patience(request)


def ask_for_patience(request: HttpRequest, since: float | None = None) -> TooManyAttempts:
    """Give the browser a ticket, and return what to raise."""
    give_ticket(request, since=since)
    return TooManyAttempts(PATIENCE_SECONDS)


def _read_ticket(request: HttpRequest) -> Ticket | None:
    with suppress(signing.BadSignature):
        ticket = Ticket(*_ticket_signer.unsign_object(request.COOKIES.get(TICKET_COOKIE, "")))
        # Not from the future either: after the machine's clock was put back, a ticket would wait for hours.
        if 0 <= time.time() - ticket.at < TICKET_AGE:
            return ticket
    return None


class Turn(NamedTuple):
    """Whose turn it is to be: in one lane with others of the same client, by rank, waiting since a moment (of the wall
    clock, since a ticket may say it). `came_back`: they were sent away before, and have waited as asked."""

    who: str
    rank: int
    since: float
    came_back: bool = False

    @property
    def network(self) -> str:
        """The addresses that one machine may well have, or the client itself."""
        return self.who.rpartition(".")[0] or self.who


class FairQueue:
    """Lets so many in at once, with a pause between two beginnings; the others wait. The best rank goes first; of one
    rank those who are new and those who came back by turns, so that neither keep the other out; of these who has waited
    longest, since the last turn of their network and of their lane. Where all places are taken, the worst rank gives
    one up, of it the most crowded kind, network and lane: the crowd of one turns nobody else away."""

    def __init__(self, at_once: int, *, pause: float = 0.0, places: int = WAITING_PLACES) -> None:
        self._changed = threading.Condition()
        self._waiting: list[Turn] = []  # in the order in which they came
        self._served: OrderedDict[str, float] = OrderedDict()
        self._last_came_back = False
        self._free, self._pause, self._next_at, self._places = at_once, pause, 0.0, places

    @contextmanager
    def take_turn(self, request: HttpRequest, turn: Turn) -> Iterator[None]:
        """Wait for this turn. Raises `TooManyAttempts` for a surplus."""
        with _step_aside(request):
            with self._changed:
                begun = self._enter(turn) and self._wait(turn)
            if not begun:
                raise ask_for_patience(request, turn.since)
            try:
                yield
            finally:
                with self._changed:
                    self._free += 1
                    self._changed.notify_all()

    def _enter(self, turn: Turn) -> bool:
        """Take a place, where there is or will be one."""
        self._waiting.append(turn)
        own = [other for other in self._waiting if other.who == turn.who]
        is_surplus = len(own) > WAITING_OF_ONE
        # Whoever can begin at once takes no place from those who wait.
        if is_surplus or len(self._waiting) > self._places + self._free:
            kinds = Counter(other.came_back for other in self._waiting)
            lanes = Counter(other.who for other in self._waiting)
            networks = Counter(other.network for other in self._waiting)
            # From the newest on: of those who are equal in all the rest, the one who came last goes.
            rivals = reversed(own if is_surplus else self._waiting)
            last = max(
                rivals,
                key=lambda rival: (
                    rival.rank,
                    kinds[rival.came_back],
                    networks[rival.network],
                    lanes[rival.who],
                    self._get_order(rival),
                ),
            )
            self._leave(last)
            self._changed.notify_all()
        return self._is_waiting(turn)

    def _wait(self, turn: Turn) -> bool:
        """Whether the turn has come, and not the end of patience or a better one for the place."""
        # By the clock that nobody can put back: with the wall clock a turn could wait for an hour, or for no time at
        # all.
        end = time.monotonic() + WAITING_SECONDS
        while self._is_waiting(turn):
            now = time.monotonic()
            is_next = self._free > 0 and min(self._waiting, key=self._get_order) is turn
            pause_until = self._next_at if turn.rank > CLEAN else 0.0  # of those who guess
            if is_next and now >= pause_until:
                self._leave(turn)
                self._last_came_back = turn.came_back
                for who in {turn.who, turn.network}:
                    self._served[who] = time.time()
                    self._served.move_to_end(who)
                # By when they were served: whoever comes first here is the one who has been quiet for longest.
                while len(self._served) > MOST_SERVED:
                    self._served.popitem(last=False)
                self._free -= 1
                self._next_at = now + self._pause
                self._changed.notify_all()
                return True
            if now >= end:
                self._leave(turn)
                self._changed.notify_all()
                return False
            self._changed.wait(min(end, pause_until if is_next and self._free > 0 else end) - now)
        return False

    def _get_order(self, turn: Turn) -> tuple[int, bool, float, float]:
        is_their_turn = turn.came_back != self._last_came_back
        by_network, by_lane = (max(turn.since, self._served.get(who, 0.0)) for who in (turn.network, turn.who))
        # Newcomers and those who came back alternate: when new ones came first, thirty addresses with wrong passwords
        # kept the right one out for minutes.
        return turn.rank, not is_their_turn, by_network, by_lane

    def _is_waiting(self, turn: Turn) -> bool:
        return any(waiting_turn is turn for waiting_turn in self._waiting)

    def _leave(self, turn: Turn) -> None:
        self._waiting = [waiting_turn for waiting_turn in self._waiting if waiting_turn is not turn]


@contextmanager
def _step_aside(request: HttpRequest) -> Iterator[None]:
    """Keep no other request from its turn meanwhile; within another one, nothing."""
    aside = request.META.pop(STEP_ASIDE, None)
    if aside is None:
        yield
        return
    try:
        with aside():
            yield
    finally:
        request.META[STEP_ASIDE] = aside


def get_client_address(request: HttpRequest) -> str:
    """The client's address, or its network for IPv6, where everybody has billions of addresses."""
    text = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_HTTPS:  # our proxy's own entry comes last
        text = request.META.get("HTTP_X_FORWARDED_FOR", text).rpartition(",")[2].strip()
    try:
        address = ip_address(text)
    # A proxy that names nobody: all who come by it count as one.
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
_BY_CODE = "code"  # what stands in the cookie of a browser in which a code alone was opened: no account's digest

HASHING = FairQueue(HASHES_AT_ONCE)
SLOW_PASSWORDS = FairQueue(1, pause=PASSWORDS_PAUSE)
SLOW_LETTERS = FairQueue(1, pause=LETTERS_PAUSE, places=FEW_PLACES)
SLOW_CODES = FairQueue(1, pause=CODES_PAUSE, places=FEW_PLACES)

_browser_signer = signing.TimestampSigner(salt="tournament.access.signing_in")


class LimitedBackend(ModelBackend):
    """Django's accounts and passwords, with the limits of this module for requests."""

    def authenticate(  # type: ignore[override]  # Django's own takes any credentials
        self, request: HttpRequest | None, **credentials: Any
    ) -> User | None:
        """The account with this name and password, or None. Raises `TooManyAttempts`."""
        # By code, not by a page: nobody guesses there.
        if request is None:
            return super().authenticate(request, **credentials)
        account = str(credentials.get("username") or "")
        own, turn = _build_attempt_counts(request, account), _find_turn(request, account)
        was_over = _are_over(own)
        try:
            with ExitStack() as turns:
                if was_over or turn.came_back:
                    use_ticket(request)
                # The slow lane before the place to hash in: whoever held that one while they waited for their turn
                # would leave a processor idle and everybody else before the door.
                if was_over or _are_over(_build_sum(request, account)):
                    turns.enter_context(SLOW_PASSWORDS.take_turn(request, turn))
                turns.enter_context(HASHING.take_turn(request, turn))
                # Many requests can have come in before the first of them was hashed. Counted at the door only, every
                # one of them would have its guess.
                if not was_over and _are_over(own):  # others who waited have failed meanwhile
                    raise ask_for_patience(request, turn.since)
                user = super().authenticate(request, **credentials)
        except TooManyAttempts:
            # Sent away: that counts for the next rank. Not of those who came back as asked, who would fall behind by
            # being patient.
            if not turn.came_back:
                count_attempt([_build_crowding_key(request)], HOUR // 2)
            raise
        if user is None:
            count_attempt([*own, *_build_sum(request, account)])
            # Half an hour, since a count is kept for twice as long: it holds for an hour in all.
            count_attempt([_build_failures_key(request)], HOUR // 2)
        return user


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
    limits_by_key = {f"{kind}-from:{hour}:{compute_digest(address)}": FROM_ADDRESS}
    has_room = not _are_over(to)
    if _are_over(limits_by_key):
        use_ticket(request)
        # Nothing but the waiting: what makes the letter dear is that somebody has to wait for it.
        with SLOW_LETTERS.take_turn(request, Turn(address, OTHERS, time.time())):
            pass
    count_attempt(to | limits_by_key if has_room else limits_by_key, HOUR)
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
    # The limit in sum is for those who have guessed wrong. When it held for all, five machines kept every helper with a
    # right code out, minute after minute.
    is_clean = not caches["attempts"].get(address_key)
    if is_clean:
        del counts[sum_key]
    ticket = _read_ticket(request)
    guesses_nothing = ticket is not None and ticket.found == compute_digest(code)
    if _are_over(counts) and not guesses_nothing:
        use_ticket(request)
        address, rank = get_client_address(request), CLEAN if is_clean else OTHERS
        with SLOW_CODES.take_turn(request, Turn(address, rank, time.time())):
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
    # By the cookie that every browser has got with the form. Whoever throws it away still counts by the address.
    if browser := request.COOKIES.get(settings.CSRF_COOKIE_NAME, ""):
        counts[f"code-browser:{minute}:{compute_digest(browser)}"] = CODES_FROM_BROWSER
    return counts


def remember_browser(request: HttpRequest, response: HttpResponseBase) -> None:
    """Mark the browser as known for the account that just signed in; for none, if only a code was opened."""
    name, known_for = request.user.get_username(), _read_known_cookie(request)
    # A code opened in a director's browser leaves the account's mark: with it gone, the next password typed here would
    # stand in line with strangers.
    mark = compute_digest(name) if name else known_for or _BY_CODE
    if known_for != mark:
        set_private_cookie(response, KNOWN_COOKIE, _browser_signer.sign(mark), age=KNOWN_COOKIE_AGE)


def _build_attempt_counts(request: HttpRequest, account: str) -> dict[str, int]:
    """The counts of an attempt that are the client's own, each with its limit."""
    address, minute = get_client_address(request), int(time.time() // MINUTE)
    if is_known_browser(request, account):
        return {f"known:{minute}:{compute_digest(request.COOKIES[KNOWN_COOKIE])}": FOR_ADDRESS}
    return {
        f"account:{minute}:{compute_digest(f'{address} {account}')}": FOR_ACCOUNT,
        f"address:{minute}:{compute_digest(address)}": FOR_ADDRESS,
    }


def _build_sum(request: HttpRequest, account: str) -> dict[str, int]:
    """The count that all share who are neither this machine nor known browsers."""
    if is_known_browser(request, account) or is_loopback(get_client_address(request)):
        return {}
    return {f"sum:{int(time.time() // MINUTE)}": IN_SUM}


def _find_turn(request: HttpRequest, account: str) -> Turn:
    """The turn of an attempt, by all that its address has sent in vain. Who comes back with a ticket as asked has
    waited since then, and having been sent away that time does not count against them."""
    if is_known_browser(request, account):
        return Turn(request.COOKIES[KNOWN_COOKIE], KNOWN, time.time())
    ticket, keys = _read_ticket(request), [_build_failures_key(request), _build_crowding_key(request)]
    attempts = sum(caches["attempts"].get_many(keys).values())
    if ticket is not None and ticket.is_usable and ticket.at + PATIENCE_SECONDS <= time.time():
        rank = CLEAN + max(0, attempts - 1).bit_length()
        return Turn(get_client_address(request), rank, ticket.at, came_back=True)
    return Turn(get_client_address(request), CLEAN + attempts.bit_length(), time.time())


def _build_failures_key(request: HttpRequest) -> str:
    """The count of wrong passwords from an address, for its rank. It does not begin anew with the minute: otherwise
    each address of an attacker went first once a minute."""
    return f"failures:{compute_digest(get_client_address(request))}"


def _build_crowding_key(request: HttpRequest) -> str:
    """The count of what came from an address and was not looked at."""
    return f"crowding:{compute_digest(get_client_address(request))}"


def _are_over(counts: dict[str, int]) -> bool:
    stored = caches["attempts"].get_many(counts)
    return any(stored.get(key, 0) >= limit for key, limit in counts.items())


def count_attempt(keys: Iterable[str], span: int = MINUTE) -> None:
    """Add one to each of the counts, which hold for `span` seconds."""
    for key in keys:
        # `add` first: `incr` alone fails where there is no count yet, and `set` would lose what others count at this
        # moment.
        if not caches["attempts"].add(key, 1, 2 * span):
            with suppress(ValueError):  # the cache has lost it meanwhile
                caches["attempts"].incr(key)


def is_known_browser(request: HttpRequest, account: str) -> bool:
    """Whether this account was used in this browser before."""
    return _read_known_cookie(request) == compute_digest(account)


def was_somebody_here(request: HttpRequest) -> bool:
    """Whether anybody signed in or opened a code in this browser before."""
    return bool(_read_known_cookie(request))


def _read_known_cookie(request: HttpRequest) -> str:
    """The digest of the account for which this browser is known, or `_BY_CODE`; "" for a stranger's."""
    try:
        return _browser_signer.unsign(request.COOKIES.get(KNOWN_COOKIE, ""), max_age=KNOWN_COOKIE_AGE)
    except signing.BadSignature:
        return ""
