"""The machine's own clock put back while the clock of a round runs: what is left of the round stays what it was. Stored
is when a round's clock ends, so an hour that the machine is put back would be an hour more to play. While the program
runs it notices at once, since another clock of the machine only ever counts on. At a start it compares with what was
written last: that cannot have been later than now."""

import threading
import time
from datetime import timedelta

from django.db import DatabaseError, connection

from tournament.hall.operations import shift_running_clocks
from tournament.models import JournalEntry

LOOK_SECONDS = 1
LEAST_SECONDS = 3.0  # seconds; less is a clock being set right by the network, or a stick that keeps times roughly


def correct_clocks_at_start(written: float) -> None:
    """At a start: keep what was left of the clocks that run if the machine was put back since the last writing."""
    last = JournalEntry.objects.order_by("-pk").values_list("at", flat=True).first()
    _correct_clocks(max(written, last.timestamp() if last else 0.0) - time.time())


def start_clock_watch() -> None:
    """Look from now on, in the background."""
    threading.Thread(target=_watch_clock, args=(ClockWatch(),), daemon=True, name="clock").start()


def _watch_clock(watch: "ClockWatch") -> None:
    while True:
        time.sleep(LOOK_SECONDS)
        try:
            watch.again()
        except DatabaseError:
            continue  # the disk is full: whoever enters something is told
        finally:
            # This thread has no request at whose end Django would do it.
            connection.close()


class ClockWatch:
    """Compares the machine's clock with the one that only counts on, from when it is made."""

    def __init__(self) -> None:
        self._ahead = _measure_clock_offset()

    def again(self) -> None:
        """Keep what is left of the clocks that run if the machine was put back since the last look."""
        before, self._ahead = self._ahead, _measure_clock_offset()
        _correct_clocks(before - self._ahead)


def _measure_clock_offset() -> float:
    # The second one only counts on: if the difference shrinks, somebody has put the machine's clock back.
    return time.time() - time.monotonic()


def _correct_clocks(seconds: float) -> None:
    if seconds > LEAST_SECONDS:
        shift_running_clocks(back=timedelta(seconds=seconds))
