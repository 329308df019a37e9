"""What this process knows of each tournament's revision, so that “nothing new” is answered without asking anybody.

Hundreds of phones ask every few seconds, and nearly always nothing has happened. A view that has answered such a
question notes here for which revision its answer holds; as long as the revision is known to be that, the next question
at the same address gets the same answer from memory. A change by this process is known the moment it is stored; one by
another process (a command, a second worker) within `FRESH` seconds: then somebody's question goes to the view again.
"""

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from urllib.parse import parse_qs

FRESH = 1.0
"""Seconds for which a revision that was read counts as the latest."""

ENDING = "/news/"
"""How the addresses end at which pages ask."""

MOST = 5000
"""Addresses that are remembered: every phone of a large hall has one of its own."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an address was answered: the state, and the revision of the tournament for which it holds."""

    tournament: int
    revision: int
    state: str


_LOCK = threading.Lock()
_REVISIONS: dict[int, tuple[int, float]] = {}
_ANSWERS: OrderedDict[str, Answer] = OrderedDict()


def note_revision(tournament: int, revision: int) -> None:
    """Remember the revision of a tournament, read or stored this moment.

    An older one than is known was read before that was stored, and changes nothing; later on it is a restored backup's.
    """
    now = time.monotonic()
    with _LOCK:
        known, at = _REVISIONS.get(tournament, (-1, 0.0))
        if revision >= known or now - at > FRESH:
            _REVISIONS[tournament] = (revision, now)


def note_answer(address: str, tournament: int, revision: int, state: str) -> None:
    """Remember what a view has answered at an address, and the revision it has read for that."""
    note_revision(tournament, revision)
    with _LOCK:
        _ANSWERS[address] = Answer(tournament, revision, state)
        _ANSWERS.move_to_end(address)
        while len(_ANSWERS) > MOST:
            _ANSWERS.popitem(last=False)


def is_known(address: str, query: str) -> bool:
    """Whether the answer to this question (`…/news/`, `seen=STATE`) is “nothing new”, for sure."""
    if not address.endswith(ENDING):
        return False
    seen = parse_qs(query).get("seen", [""])[-1]
    return bool(seen) and is_nothing_new(address, seen)


def is_nothing_new(address: str, seen: str) -> bool:
    """Whether whoever has seen this state at this address has seen the latest, as far as is known for sure."""
    answer = _ANSWERS.get(address)
    if answer is None or answer.state != seen:
        return False
    revision, at = _REVISIONS.get(answer.tournament, (-1, 0.0))
    return revision == answer.revision and time.monotonic() - at < FRESH
