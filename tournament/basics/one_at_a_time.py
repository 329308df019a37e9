"""Files that people send are read one at a time in this process, so that many at once cost no more than one."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from tournament.basics.refusals import Refusal

PATIENCE = 10.0  # seconds a request waits for its turn; each turn takes two at most

MAX_WAITING = 4  # requests that read or wait; the server's other threads stay free for pages

SENDER: ContextVar[str] = ContextVar("sender", default="")
"""Whose files this thread reads: a personal link, a session, an address. Each request names it."""


class ReadingBusy(Refusal, code="busy"):
    message = _(
        "Other files are being imported at the moment, so this one was not accepted. Send it again in a few seconds."
    )


@dataclass(eq=False)  # by identity: `in` and `remove` must not find another place of the same sender
class _Place:
    sender: str
    is_refused: bool = False


_CHANGED = threading.Condition()
_LINE: list[_Place] = []  # the first one reads, the others wait


@contextmanager
def wait_for_turn() -> Iterator[None]:
    """Wait for this request's turn to read a file and hold it; not reentrant. Raises `ReadingBusy`. Somebody who sends
    many at once waits behind everybody else, and gives up a place of theirs where all are taken."""
    place = _Place(SENDER.get())
    try:
        with _CHANGED:
            _join_line(place)
            until = time.monotonic() + PATIENCE
            while _LINE[0] is not place:
                seconds_left = until - time.monotonic()
                if seconds_left <= 0 or not _CHANGED.wait(seconds_left) or place.is_refused:
                    raise ReadingBusy
        yield
    finally:
        with _CHANGED:
            # It may have been given up to somebody else, who has taken it out already.
            if place in _LINE:
                _LINE.remove(place)
                _CHANGED.notify_all()


def _join_line(place: _Place) -> None:
    """Take a place in the line: behind everybody whose sender has no more places than ours, before the others. Raises
    `ReadingBusy`."""
    counts = Counter(other.sender for other in _LINE)
    if len(_LINE) >= MAX_WAITING:
        # Never the first, which is reading already; of the sender with most places the last one.
        given_up = max(reversed(_LINE[1:]), key=lambda other: counts[other.sender])
        # Only from somebody who keeps at least as many as we have then: with one fewer, two senders would push each
        # other out by turns.
        if counts[given_up.sender] < counts[place.sender] + 2:
            raise ReadingBusy
        given_up.is_refused = True
        _LINE.remove(given_up)
        counts[given_up.sender] -= 1
        _CHANGED.notify_all()
    behind = Counter[str]()
    for number, other in enumerate(_LINE):
        behind[other.sender] += 1
        if number and behind[other.sender] > counts[place.sender] + 1:
            _LINE.insert(number, place)
            return
    _LINE.append(place)
