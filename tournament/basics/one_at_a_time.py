"""Reading what somebody sends: one file at a time in this process, so that many at once cost no more than one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import gettext_lazy as _

from tournament.basics.refusals import Refusal

PATIENCE = 10.0  # seconds that a request waits for its turn; each turn takes two at most

MAX_WAITING = 4  # so many may read or wait; the server's other threads stay free for pages

_TURN = threading.Lock()
_LINE = threading.BoundedSemaphore(MAX_WAITING)


class ReadingBusy(Refusal):
    code = "busy"
    message = _("Other files are being read at this moment, so this one was not taken. Send it again in a few seconds.")


@contextmanager
def wait_for_turn() -> Iterator[None]:
    """Wait until nobody else reads a file, then keep others waiting; not reentrant.

    Raises `ReadingBusy` if that takes too long.
    """
    if not _LINE.acquire(blocking=False):
        raise ReadingBusy
    try:
        if not _TURN.acquire(timeout=PATIENCE):
            raise ReadingBusy
        try:
            yield
        finally:
            _TURN.release()
    finally:
        _LINE.release()
