"""What this process knows of the latest news, so that “nothing new” is answered without asking anybody.

Hundreds of phones ask every few seconds, and nearly always nothing has happened for them. A view that has worked out
the states of a tournament, for the public or for each player, notes them here with the revision for which they hold.
From then on whoever has seen their state is answered from memory. When the states may be older, one question is sent to
the view, which notes them anew; the others are still answered meanwhile, for `STALE_NEWS_SECONDS` at most. So a hall
full of phones costs no more than one of them.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

FRESH_SECONDS = 1.0
"""Seconds for which states count as the latest while this process knows of no newer revision: another may."""

CHANGED_SECONDS = 0.3  # seconds between two questions that are sent to the view when this process does know of one

STALE_NEWS_SECONDS = 3.0  # seconds after which nobody is answered from memory any more

NEWS_ENDING = "/news/"  # how the addresses end at which pages ask

NEWS_HEADERS = (("Cache-Control", "private, no-store"), ("Vary", "Cookie"))
"""What goes with an answer from memory, as with the view's own."""

MAX_ADDRESSES = 5000  # every phone of a large hall asks at an address of its own


@dataclass(frozen=True, slots=True)
class NewsSubject:
    """What states are about: a tournament as everybody sees it (`kind` "public"), or as its players do ("players")."""

    tournament: int
    kind: str


@dataclass(frozen=True, slots=True)
class NewsStates:
    """The states of a subject by whose they are, the revision for which they hold, and when they were worked out."""

    revision: int
    by_key: Mapping[str, str]
    at: float


_LOCK = threading.Lock()
_REVISIONS: dict[int, tuple[int, float]] = {}
_STATES: dict[NewsSubject, NewsStates] = {}
_ASKED: dict[NewsSubject, float] = {}
_ADDRESSES: OrderedDict[str, tuple[NewsSubject, str]] = OrderedDict()


def note_revision(tournament: int, revision: int) -> None:
    """Remember the revision of a tournament, read or stored this moment.

    An older one than is known was read before that was stored, and changes nothing; later on it is a restored backup's.
    """
    now = time.monotonic()
    with _LOCK:
        known, at = _REVISIONS.get(tournament, (-1, 0.0))
        if revision >= known or now - at > FRESH_SECONDS:
            _REVISIONS[tournament] = (revision, now)


def note_states(address: str, key: str, subject: NewsSubject, revision: int, by_key: Mapping[str, str]) -> None:
    """Remember the states of a subject as they are at this revision, and whose the question at this address is about.

    States of an older revision than are known are left aside: whoever worked them out was slower than another.
    """
    note_revision(subject.tournament, revision)
    now = time.monotonic()
    with _LOCK:
        kept = _STATES.get(subject)
        if kept is None or revision >= kept.revision or now - kept.at > FRESH_SECONDS:
            _STATES[subject] = NewsStates(revision, by_key, now)
        _ADDRESSES[address] = (subject, key)
        _ADDRESSES.move_to_end(address)
        while len(_ADDRESSES) > MAX_ADDRESSES:
            _ADDRESSES.popitem(last=False)


def is_nothing_new(address: str, query: str) -> bool:
    """Whether the answer to this question (`…/news/`, `seen=STATE`) is “nothing new”, as far as is known.

    Whoever answers from memory asks `should_ask_view` first.
    """
    if not address.endswith(NEWS_ENDING):
        return False
    seen = parse_qs(query).get("seen", [""])[-1]
    asked = _ADDRESSES.get(address)
    if not seen or asked is None:
        return False
    subject, key = asked
    kept = _STATES.get(subject)
    return kept is not None and kept.by_key.get(key) == seen and time.monotonic() - kept.at < STALE_NEWS_SECONDS


def should_ask_view(address: str) -> bool:
    """Whether a question to which the answer is known is sent to the view all the same: one now and then, once the
    states may be old. Whoever is told so does ask."""
    asked = _ADDRESSES.get(address)
    kept = _STATES.get(asked[0]) if asked is not None else None
    if asked is None or kept is None:
        return True
    subject, now = asked[0], time.monotonic()
    is_latest = _REVISIONS.get(subject.tournament, (-1, 0.0))[0] == kept.revision
    if is_latest and now - kept.at < FRESH_SECONDS:
        return False
    with _LOCK:
        if now - _ASKED.get(subject, -STALE_NEWS_SECONDS) < (FRESH_SECONDS if is_latest else CHANGED_SECONDS):
            return False
        _ASKED[subject] = now
        return True


def answer_news_from_memory(application: WSGIApplication) -> WSGIApplication:
    """The application, asked only where the memory does not know the answer; for any server, in front of Django."""

    def answered(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if _is_nothing_new(environ):
            start_response("204 No Content", list(NEWS_HEADERS))
            return []
        return application(environ, start_response)

    return answered


def _is_nothing_new(environ: WSGIEnvironment) -> bool:
    if environ.get("REQUEST_METHOD") != "GET":
        return False
    path = environ.get("PATH_INFO", "")
    return is_nothing_new(path, environ.get("QUERY_STRING", "")) and not should_ask_view(path)
