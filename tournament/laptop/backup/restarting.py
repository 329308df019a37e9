"""The running program lets go of its data and begins anew, so that a backup can take their place.

From the moment the doors are closed every page answers 503 and asks to come back in some seconds. Those that are being
answered finish first; then the plan is written and the process replaces itself, as if it had been stopped and started:
no thread of it can write into data that are moved away.
"""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tournament.laptop.backup import keeper, restoring
from tournament.laptop.backup.places import Installation
from tournament.laptop.backup.values import BackupManifest, BackupReason

PATIENCE = 15
"""Seconds for pages that are being answered."""
FAREWELL = 1.5
"""Seconds in which the last page reaches its reader."""


class Doors:
    """Who is inside, and whether somebody may still come in."""

    def __init__(self) -> None:
        self.are_closed = False
        self._inside = 0
        self._changed = threading.Condition()

    @contextmanager
    def passing(self) -> Iterator[bool]:
        """One request comes and goes; False if the doors are closed and it has to be sent away."""
        with self._changed:
            let_in = not self.are_closed
            self._inside += let_in
        try:
            yield let_in
        finally:
            with self._changed:
                self._inside -= let_in
                self._changed.notify_all()

    def close(self, *, staying: int = 1) -> None:
        """Let nobody in any more, and wait until all but those `staying` have left, or until they had their time."""
        until = time.monotonic() + PATIENCE
        with self._changed:
            self.are_closed = True
            self._changed.wait_for(lambda: self._inside <= staying, timeout=until - time.monotonic())

    def open(self) -> None:
        """Let everybody in again."""
        with self._changed:
            self.are_closed = False


DOORS = Doors()
_allowed = threading.Event()


def allow() -> None:
    """This process may replace itself: it is the program that a director started."""
    _allowed.set()


def is_allowed() -> bool:
    """Whether this process may replace itself."""
    return _allowed.is_set()


def restore(home: Installation, path: Path, manifest: BackupManifest) -> None:
    """Check a backup, save today's data, close the doors, decide, and begin anew once the page is on its way.

    Raises a `Refusal` if the backup is not in order or the decision cannot be written down; then everything goes on as
    before.
    """
    prepared = restoring.prepare(home, path, manifest)
    kept = keeper.running()
    if kept is not None:
        kept.save(BackupReason.RESTORE)
    DOORS.close()
    try:
        restoring.plan_for(home, prepared)
    except BaseException:
        DOORS.open()
        raise
    threading.Timer(FAREWELL, begin_anew).start()


def comes_back() -> bool:
    """Whether the process begins anew by itself: Windows hands the window back to whoever typed the command."""
    return os.name != "nt"


def begin_anew() -> None:
    """Replace this process by a new one with the same words; on Windows end it, for somebody to start it again."""
    if not comes_back():
        os._exit(0)
    words = [word for word in sys.orig_argv[1:] if word != "--no-browser"]
    os.execv(sys.executable, [sys.executable, *words, "--no-browser"])  # noqa: S606  # our own program, started as it was
