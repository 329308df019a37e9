"""Letters that wait: stored with the change that they tell of, sent beside the answer, kept until they have gone.

A mail server that is away loses nothing: each letter is tried again, less and less often, whenever another one is
sent and whenever `manage.py send_letters` runs. After a week or so it is given up, and the director sees it.
"""

import logging
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from smtplib import (
    SMTPAuthenticationError,
    SMTPConnectError,
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPServerDisconnected,
)

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone, translation

from tournament import languages, limits, mailing
from tournament.languages import PageLanguage
from tournament.models import Contact, Letter, Tournament
from tournament.operations import contact_links
from tournament.words.registrations import LetterFault, Written

log = logging.getLogger(__name__)

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (2, 10, 60, 4 * 60, 12 * 60, 24 * 60, 48 * 60, 72 * 60))
"""After each failure so long until the next attempt; then nobody tries any more."""

PUT_OFF, REFUSED_FOR_GOOD = 400, 500
"""Answers of a server from the one on ask to come again, from the other on they do not change (RFC 5321, 4.2.1)."""

AT_ONCE = 500
"""Letters of one delivery; the next one goes on."""

_DELIVERING = threading.Lock()
"""One process writes to the server one letter after the other."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """How many letters went, will be tried again, and were given up."""

    sent: int = 0
    later: int = 0
    given_up: int = 0


def full_address(path: str) -> str:
    """The whole address of a page of this installation, as letters have it: no request is there to ask."""
    scheme = "https" if settings.BEHIND_HTTPS else "http"
    return f"{scheme}://{next(iter(settings.NAMED_HOSTS), 'localhost')}{path}"


def own_page(contact: Contact) -> str:
    """The personal address of a registration (reads `tournament`)."""
    return full_address(reverse("public:registration", args=[contact.tournament.slug, contact_links.link(contact)]))


def language_for(contact: Contact) -> str:
    """The code of the language of letters: the event's own, or where it has none that of the page they typed into."""
    own = contact.tournament.language
    return contact.language if own == PageLanguage.BROWSER else languages.on_paper(own)


def post(contact: Contact, written: Written) -> Letter:
    """Store a letter within the transaction that is open; it is sent once that is kept.

    `written` makes subject and text in the language that is then active.
    """
    return _posted(contact.tournament, contact.email, written, language_for(contact), contact)


def post_to(tournament: Tournament, email: str, written: Written) -> Letter:
    """Store a letter to somebody who has not registered, in the language of the event."""
    return _posted(tournament, email, written, languages.on_paper(tournament.language), None)


def _posted(tournament: Tournament, email: str, written: Written, language: str, contact: Contact | None) -> Letter:
    with translation.override(language):
        subject, text = written()
    now = timezone.now()
    made = Letter(tournament=tournament, contact=contact, to=email, made_at=now, due_at=now)
    made.subject, made.text = " ".join(subject.split())[: limits.SUBJECT], text
    made.save(force_insert=True)
    _send_once_kept()
    return made


def _send_once_kept() -> None:
    """Send what waits when the transaction is kept: once, however many letters it posts."""
    waiting = transaction.get_connection().run_on_commit
    if not any(function is deliver_beside for _ids, function, _robust in waiting):
        transaction.on_commit(deliver_beside)


def deliver_beside() -> None:
    """Send what is due in a thread of its own."""
    mailing.send_beside(deliver)


def deliver(now: datetime | None = None) -> Delivered:
    """Send every letter that is due, each at most once, whoever else is sending."""
    now = now or timezone.now()
    with _DELIVERING:
        due = Letter.objects.filter(due_at__lte=now).order_by("due_at", "pk")[:AT_ONCE]
        found = [_sent(letter) for letter in due if _is_ours(letter, now)]
    return Delivered(found.count("sent"), found.count("later"), found.count("given_up"))


def _is_ours(letter: Letter, now: datetime) -> bool:
    """Whether this process is the one that sends: it has put the next attempt off, so that no other finds it due."""
    pause = PAUSES[min(letter.tries, len(PAUSES) - 1)]
    due = Letter.objects.filter(pk=letter.pk, due_at=letter.due_at)
    return due.update(due_at=now + pause, tries=F("tries") + 1) == 1


def _sent(letter: Letter) -> str:
    """What became of a letter: “sent”, “later” or “given_up”."""
    try:
        EmailMessage(letter.subject, letter.text, to=[letter.to]).send()
    except (OSError, SMTPException, ValueError) as fault:  # ValueError: an address that no server takes
        return _not_sent(letter, fault)
    Letter.objects.filter(pk=letter.pk).delete()
    return "sent"


def _not_sent(letter: Letter, fault: Exception) -> str:
    """Note why. Nobody is named in the log."""
    log.warning("Letter %s could not be sent: %s", letter.pk, type(fault).__name__)
    is_last = letter.tries + 1 >= len(PAUSES) or _never_goes(fault)
    values = {"fault": f"{_kind(fault)} {_answer(fault)}"[: limits.FAULT], **({"due_at": None} if is_last else {})}
    Letter.objects.filter(pk=letter.pk).update(**values)
    return "given_up" if is_last else "later"


def _kind(fault: Exception) -> LetterFault:
    """What `words.registrations.not_sent` says it by."""
    if _is_put_off(fault):
        return LetterFault.PUT_OFF
    if isinstance(fault, ValueError | SMTPRecipientsRefused):
        return LetterFault.ADDRESS
    if isinstance(fault, SMTPAuthenticationError):
        return LetterFault.SIGN_IN
    is_away = isinstance(fault, SMTPConnectError | SMTPServerDisconnected) or not isinstance(fault, SMTPException)
    return LetterFault.AWAY if is_away else LetterFault.OTHER


def _never_goes(fault: Exception) -> bool:
    """Whether the address is refused for good."""
    return isinstance(fault, ValueError | SMTPRecipientsRefused) and not _is_put_off(fault)


def _is_put_off(fault: Exception) -> bool:
    """Whether the server asks to come again: an answer 4xx, at whatever it was given."""
    if isinstance(fault, SMTPRecipientsRefused):
        return any(code < REFUSED_FOR_GOOD for code, _said in fault.recipients.values())
    return isinstance(fault, SMTPResponseException) and PUT_OFF <= fault.smtp_code < REFUSED_FOR_GOOD


def _answer(fault: Exception) -> str:
    """What the server said, in one line: “451 Greylisted”."""
    code: int
    said: bytes | str
    if isinstance(fault, SMTPRecipientsRefused):
        code, said = next(iter(fault.recipients.values()))
    elif isinstance(fault, SMTPResponseException):
        code, said = fault.smtp_code, fault.smtp_error
    else:
        return " ".join(str(fault).split()) or type(fault).__name__
    text = said.decode(errors="replace") if isinstance(said, bytes) else said
    return " ".join(f"{code} {text}".split())


def try_again(letter: Letter) -> None:
    """Make a letter that could not be sent due now, and send it."""
    Letter.objects.filter(pk=letter.pk).update(due_at=timezone.now(), tries=0, fault="")
    transaction.on_commit(deliver_beside)


def discard(letter: Letter) -> None:
    """Throw a letter away that could not be sent."""
    Letter.objects.filter(pk=letter.pk).delete()
