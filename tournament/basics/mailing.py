"""Letters by e-mail, written and sent beside the answer, which comes as fast whether there is anybody to write to."""

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
    """Do this in a thread of its own, in the reader's language; a process that ends waits for it.

    A letter that cannot be sent is only logged.
    """
    thread = threading.Thread(target=partial(_send_or_log, send, translation.get_language()), name="letter")
    thread.start()
    return thread


def notify_account_owner(name: str, email: str, host: str, what: str) -> None:
    """Tell whoever an account belongs to what has been changed in it, in case it was not them.

    `name` of the account, `email` that it had until then ("": nobody can be told), `host` of this service, `what` as a
    sentence. Nothing happens where no letters are sent.
    """
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
        connection.close()
