"""The thread that looks, each second, whether a step of a day that runs by itself is due. Each process has one."""

import logging
import threading
import time
from datetime import datetime

from django.db import DatabaseError, connection
from django.utils import timezone

from tournament.by_itself.operations import take_due_step
from tournament.by_itself.queries import list_divisions_by_themselves
from tournament.models import Division

LOOK_SECONDS = 1

logger = logging.getLogger(__name__)


def start_ticking() -> None:
    """Look from now on, in the background."""
    threading.Thread(target=_tick, daemon=True, name="day by itself").start()


def _tick() -> None:
    while True:
        time.sleep(LOOK_SECONDS)
        tick_once()


def tick_once() -> None:
    """Do what is due. Never raises: the thread would end, and the day would stand."""
    try:
        take_due_steps(now=timezone.now())
    except (OSError, DatabaseError) as fault:
        logger.warning("A step of the day is left for later: %s", type(fault).__name__)
    finally:
        # This thread has no request at whose end Django would do it.
        connection.close()


def take_due_steps(*, now: datetime) -> int:
    """Do what is due in all events that run by themselves, one step of each division at most; how many steps. One query
    while there are no such events."""
    return sum(_take_step_or_note_fault(division, now) for division in list_divisions_by_themselves())


def _take_step_or_note_fault(division: Division, now: datetime) -> bool:
    try:
        return take_due_step(division, now=now)
    except (OSError, DatabaseError):
        raise
    except Exception:
        # A fault in one event must not stop the days of all others on a hosted service.
        logger.exception("A step of the day could not be done in tournament %s", division.tournament_id)
        return False
