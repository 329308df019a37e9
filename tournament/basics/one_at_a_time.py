"""Files that people send are read one at a time in this process, so that many at once cost no more than one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import gettext_lazy as _

from tournament.basics.refusals import Refusal

PATIENCE = 10.0  # seconds a request waits for its turn; each turn takes two at most

MAX_WAITING = 4  # requests that read or wait; the server's other threads stay free for pages

_TURN = threading.Lock()
_LINE = threading.BoundedSemaphore(MAX_WAITING)


class ReadingBusy(Refusal, code="busy"):
    message = _(
        "Other files are being imported at the moment, so this one was not accepted. Send it again in a few seconds."
    )


@contextmanager
def wait_for_turn() -> Iterator[None]:
    """Wait for this request's turn to read a file and hold it; not reentrant. Raises `ReadingBusy`."""
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
