"""E-mail sent in the background, so that the answer takes the same time whether a letter goes out or not."""

import logging
import threading
from collections.abc import Callable
from functools import partial

from django.conf import settings
from django.core.mail import send_mail
from django.db import DatabaseError, connection
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext

log = logging.getLogger(__name__)


def send_in_background(send: Callable[[], object]) -> threading.Thread:
    """Run `send` in a thread of its own, in the active language. If it fails, that is only logged. The process waits
    for the thread before it ends."""
    # The language goes along: it is the request's, and the new thread would write in the program's own.
    thread = threading.Thread(target=partial(_send_or_log, send, translation.get_language()), name="letter")
    thread.start()
    return thread


def notify_account_owner(name: str, email: str, host: str, what: str) -> None:
    """Tell the owner of the account `name` what was changed (`what`, a sentence), in case somebody else did it. The
    letter goes to the address that the account had before. Does nothing without one, or where no mail is set up."""
    if not settings.MAIL or not email:
        return
    subject = gettext("Your account on %(host)s") % {"host": host}
    text = render_to_string("tournament/basics/changed_letter.txt", {"name": name, "host": host, "what": what})
    send_in_background(partial(send_mail, subject, text, None, [email]))


def _send_or_log(send: Callable[[], object], language: str | None) -> None:
    try:
        with translation.override(language):
            send()
    except (OSError, DatabaseError) as fault:  # every fault of SMTP is an OSError
        log.warning("A letter could not be sent: %s", fault)
    finally:
        # This thread has no request at whose end Django would do it.
        connection.close()
