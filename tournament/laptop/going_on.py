"""What is gone on with while the program runs: errands left undone, letters to be sent again, reminders of games."""

import logging
import threading
import time

from django.conf import settings
from django.db import DatabaseError, connection

from tournament.core.errands import do_errands
from tournament.letters.outbox import deliver_letters
from tournament.registration.reminders import send_reminders_of_all

EVERY_SECONDS = 30

logger = logging.getLogger(__name__)


def start_going_on() -> None:
    """Go on now and every half minute, in the background."""
    threading.Thread(target=_go_on, daemon=True, name="errands").start()


def _go_on() -> None:
    while True:
        go_on_once()
        time.sleep(EVERY_SECONDS)


def go_on_once() -> None:
    """Do the errands that are left, remind of games, and send the letters that are due. Never raises."""
    try:
        do_errands()
        # Reminders as well: that a game was reminded of is noted with the letter, and here none would go out.
        if settings.MAIL:
            send_reminders_of_all()
            deliver_letters()
    except (OSError, DatabaseError) as fault:
        logger.warning("Something is left for later: %s", type(fault).__name__)
    except Exception:
        # One letter that cannot be made must not end the thread: no later one would be sent until the next start.
        logger.exception("An errand or a letter could not be done")
    finally:
        # This thread has no request at whose end Django would do it.
        connection.close()
