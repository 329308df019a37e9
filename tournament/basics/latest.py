"""The latest states of tournaments that this process knows, so that it can answer “nothing new” from memory: a hall
full of phones that ask every few seconds costs no more than one phone. A view that works out the states of a
tournament, for the public or for each player, notes them here with their revision. Once they may be out of date, one
request goes through to the view, which notes them afresh; the others are answered from memory meanwhile, for at most
`STALE_NEWS_SECONDS`."""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

FRESH_SECONDS = 1.0
"""Seconds for which states count as the latest, unless this process knows of a newer revision: another may."""

CHANGED_SECONDS = 0.3  # seconds between two requests sent to the view while this process knows of a newer revision

STALE_NEWS_SECONDS = 3.0  # states older than this answer nobody

NEWS_ENDING = "/news/"  # the end of every address where pages ask for news

NEWS_HEADERS = (("Cache-Control", "private, no-store"), ("Vary", "Cookie"))
"""The headers of an answer from memory, the same as the view's."""

MAX_ADDRESSES = 5000  # each phone in a large hall asks at an address of its own


@dataclass(frozen=True, slots=True)
class NewsSubject:
    """A tournament as everybody sees it (`kind` "public"), or as its players do ("players")."""

    tournament: int
    kind: str


_LOCK = threading.Lock()
_REVISIONS: dict[int, tuple[int, float]] = {}
_STATES: dict[NewsSubject, tuple[int, Mapping[str, str], float]] = {}
"""The revision of a subject, its states by the key of whose they are, and when they were noted (monotonic)."""
_ASKED: dict[NewsSubject, float] = {}
_ADDRESSES: OrderedDict[str, tuple[NewsSubject, str]] = OrderedDict()


def note_revision(tournament: int, revision: int) -> None:
    """Remember the revision of a tournament, just read or stored. A revision below the known one is ignored, since it
    was read before that was stored; but if the known one is older than `FRESH_SECONDS`, a backup has been restored."""
    now = time.monotonic()
    with _LOCK:
        known_revision, at = _REVISIONS.get(tournament, (-1, 0.0))
        if revision >= known_revision or now - at > FRESH_SECONDS:
            _REVISIONS[tournament] = (revision, now)


def note_states(address: str, key: str, subject: NewsSubject, revision: int, by_key: Mapping[str, str]) -> None:
    """Remember the states of a subject at this revision, and that the question at this address is about `key`. States
    of a revision below the known one are ignored: a slower thread worked them out."""
    note_revision(subject.tournament, revision)
    now = time.monotonic()
    with _LOCK:
        known_revision, _known_states, at = _STATES.get(subject, (-1, {}, 0.0))
        if revision >= known_revision or now - at > FRESH_SECONDS:
            _STATES[subject] = (revision, by_key, now)
        _ADDRESSES[address] = (subject, key)
        # The one asked longest ago goes: a phone that is still open keeps its place however many come.
        _ADDRESSES.move_to_end(address)
        while len(_ADDRESSES) > MAX_ADDRESSES:
            _ADDRESSES.popitem(last=False)


def is_nothing_new(address: str, query: str) -> bool:
    """Whether the answer to this question (`…/news/`, `seen=STATE`) is “nothing new”, as far as is known. Call
    `should_ask_view` before answering from memory."""
    if not address.endswith(NEWS_ENDING):
        return False
    seen = parse_qs(query).get("seen", [""])[-1]
    subject_and_key = _ADDRESSES.get(address)
    # Read without the lock: each look into a dict is whole in Python, and a hall of phones would wait for each other
    # here.
    if not seen or subject_and_key is None:
        return False
    subject, key = subject_and_key
    states = _STATES.get(subject)
    if states is None:
        return False
    _revision, state_by_key, at = states
    return state_by_key.get(key) == seen and time.monotonic() - at < STALE_NEWS_SECONDS


def should_ask_view(address: str) -> bool:
    """Whether to send a question to the view although the answer is known: one now and then, once states may be old. A
    caller that gets True must ask the view."""
    subject_and_key = _ADDRESSES.get(address)
    states = _STATES.get(subject_and_key[0]) if subject_and_key is not None else None
    if subject_and_key is None or states is None:
        return True
    subject, now = subject_and_key[0], time.monotonic()
    revision, _state_by_key, at = states
    is_latest = _REVISIONS.get(subject.tournament, (-1, 0.0))[0] == revision
    if is_latest and now - at < FRESH_SECONDS:
        return False
    with _LOCK:
        # Under the lock: one request in a while goes to the view, however many phones ask in the same moment.
        if now - _ASKED.get(subject, -STALE_NEWS_SECONDS) < (FRESH_SECONDS if is_latest else CHANGED_SECONDS):
            return False
        _ASKED[subject] = now
        return True


def answer_news_from_memory(application: WSGIApplication) -> WSGIApplication:
    """Wrap a WSGI application: it is called only for what cannot be answered from memory."""

    def answered(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        is_known = environ.get("REQUEST_METHOD") == "GET" and is_nothing_new(path, environ.get("QUERY_STRING", ""))
        if is_known and not should_ask_view(path):
            start_response("204 No Content", list(NEWS_HEADERS))
            return []
        return application(environ, start_response)

    return answered
