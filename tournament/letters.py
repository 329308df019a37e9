"""Letters by e-mail, written and sent beside the answer, which comes as fast whether there is anybody to write to."""

import logging
import threading
from collections.abc import Callable
from functools import partial

from django.db import DatabaseError, connection
from django.utils import translation

log = logging.getLogger(__name__)


def beside(send: Callable[[], object]) -> threading.Thread:
    """Do this in a thread of its own, in the reader's language. A letter that cannot be sent is told in the log only.

    A process that ends waits for it.
    """
    thread = threading.Thread(target=partial(_sent, send, translation.get_language()), name="letter")
    thread.start()
    return thread


def _sent(send: Callable[[], object], language: str | None) -> None:
    try:
        with translation.override(language):
            send()
    except (OSError, DatabaseError) as fault:  # every fault of SMTP is an OSError
        log.warning("A letter could not be sent: %s", fault)
    finally:
        connection.close()
