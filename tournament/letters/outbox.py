"""Letters: stored with the change that they report, sent in the background, kept until they are sent. While the mail
server is away, each letter is tried again, less and less often, whenever another is sent and whenever `manage.py
send_letters` runs. After about a week it is given up, and the director sees it."""

import hmac
import logging
import threading
from collections.abc import Sequence
from datetime import datetime, timedelta
from smtplib import (
    SMTPAuthenticationError,
    SMTPConnectError,
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPServerDisconnected,
)

from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone, translation

from tournament.access.codes import LINK_PATTERN, make_proof
from tournament.basics import limits
from tournament.basics.addresses import build_full_address
from tournament.basics.languages import PageLanguage, choose_paper_language
from tournament.basics.mailing import send_in_background
from tournament.basics.names import fold_text
from tournament.letters.calendar import write_calendar_file
from tournament.letters.words import LetterFault, LetterWriter
from tournament.models import Contact, Entry, Letter, Tournament

logger = logging.getLogger(__name__)

# The personal link of somebody who registers, computed from the installation's key and not stored.


def make_contact_link(contact: Contact) -> str:
    """The last part of the personal address. Fetch `tournament`."""
    return f"{contact.pk}-{_make_contact_proof(contact)}"


def find_contact(slug: str, text: str) -> Contact | None:
    """The contact of a link, with registration and tournament; None if it is void. One query."""
    match = LINK_PATTERN.fullmatch(text)
    if match is None:
        return None
    contacts = Contact.objects.select_related(
        "tournament__organiser", "registration__division", "registration__entry__player", "division"
    )
    contact = contacts.filter(pk=match["pk"], tournament__slug=slug).first()
    if contact is None or not hmac.compare_digest(match["proof"], _make_contact_proof(contact)):
        return None
    if contact.registration is not None:
        contact.registration.tournament = contact.tournament
    return contact


def _make_contact_proof(contact: Contact) -> str:
    """What only this installation can compute; it covers the person, since a restored backup gives ids again. Links of
    versions 1.0 and 1.1 have the name folded."""
    created_at = contact.tournament.created_at.isoformat()
    return make_proof("contact", f"{contact.pk} {contact.email_key} {fold_text(contact.name)} {created_at}")


def make_personal_address(contact: Contact) -> str:
    """The personal address of a registration. Fetch `tournament`."""
    return build_full_address(
        reverse("public:registration", args=[contact.tournament.slug, make_contact_link(contact)])
    )


# Writing and sending.

RETRY_PAUSES = tuple(timedelta(minutes=minutes) for minutes in (2, 10, 60, 4 * 60, 12 * 60, 24 * 60, 48 * 60, 72 * 60))
"""The pause after each failure; after the last, the letter is given up."""

PUT_OFF, REFUSED_FOR_GOOD = 400, 500
"""A server's answers: try again later from 400 on, never from 500 on (RFC 5321, 4.2.1)."""

MAX_LETTERS_PER_DELIVERY = 500  # the next delivery goes on with the rest

_DELIVERING = threading.Lock()  # a process sends one letter at a time


def get_letter_language(contact: Contact) -> str:
    """The language code of letters: the event's own, or else that of the page where they registered."""
    own = contact.tournament.language
    return contact.language if own == PageLanguage.BROWSER else choose_paper_language(own)


def post_letter(contact: Contact, written: LetterWriter, *, delay: timedelta = timedelta(0)) -> Letter:
    """Store a letter within the open transaction; it is sent after the commit, or when the delay is over."""
    return _store_letter(contact.tournament, contact.email, written, get_letter_language(contact), contact, delay)


def post_letters_as_one(letters: Sequence[tuple[Contact, LetterWriter]]) -> Letter:
    """Store what several people at one address are told as one letter, to the first of them."""

    def write() -> tuple[str, str]:
        parts = [written() for _contact, written in letters]
        return parts[0][0], GATHERED_RULE.join(text for _subject, text in parts)

    return post_letter(letters[0][0], write)


def post_letter_to_address(tournament: Tournament, email: str, written: LetterWriter) -> Letter:
    """Store a letter to somebody who has not registered, in the language of the event."""
    return _store_letter(tournament, email, written, choose_paper_language(tournament.language), None, timedelta(0))


def post_letter_to_player(
    entry: Entry, email: str, contact: Contact | None, written: LetterWriter, attachment: tuple[str, bytes] = ("", b"")
) -> Letter:
    """Store a letter to a player, at the address of the online entry (`contact`) or another; `attachment`: the name and
    the bytes of a PDF that goes with it. Fetch `tournament`."""
    if contact is None:
        letter = post_letter_to_address(entry.tournament, email, written)
    else:
        letter = post_letter(contact, written)
    letter.entry = entry
    letter.attachment_name, letter.attachment = attachment
    letter.save(update_fields=["entry", "attachment_name", "attachment"])
    return letter


GATHER_PAUSE = timedelta(minutes=5)
GATHERED_CHARACTERS = 100_000  # of one letter: more than a hundred requests
STILL_OPEN = timedelta(seconds=30)  # a letter that is due sooner may just be being sent
GATHERED_RULE = "\n\n----------\n\n"


def gather_letter(contact: Contact, written: LetterWriter) -> None:
    """Store a letter within the open transaction so that it goes out in one with others to the same address about the
    same tournament, one every `GATHER_PAUSE`: whoever names somebody's address by the dozen sends them few letters, and
    keeps none of the others from them."""
    language, now = get_letter_language(contact), timezone.now()
    # Locked: of two requests at once each would add its text to what it has read, and the second would write over the
    # first.
    gathered = Letter.objects.select_for_update().filter(tournament=contact.tournament, to__iexact=contact.email)
    last = gathered.filter(contact=None, tries=0, due_at__gt=now + STILL_OPEN).order_by("-due_at", "-pk").first()
    with translation.override(language):
        _subject, text = written()
    # Asked for twice within the pause: the letter has this link already.
    if last is not None and make_personal_address(contact) in last.text:
        return
    if last is not None and len(last.text) + len(text) < GATHERED_CHARACTERS:
        last.text += GATHERED_RULE + text
        last.save(update_fields=["text"])
        return
    # Behind a letter that is full the next one waits a pause more, so that there is one in every pause, however many
    # ask.
    due_after = (last.due_at - now if last is not None and last.due_at else timedelta(0)) + GATHER_PAUSE
    _store_letter(contact.tournament, contact.email, written, language, None, due_after)


def _store_letter(
    tournament: Tournament, email: str, written: LetterWriter, language: str, contact: Contact | None, delay: timedelta
) -> Letter:
    # Written in here, in the language of whoever reads it: that of the page on which somebody acts may be another.
    with translation.override(language):
        subject, text = written()
    now = timezone.now()
    letter = Letter(tournament=tournament, contact=contact, to=email, made_at=now, due_at=now + delay)
    # In one line: Django sends no header with a line break in it, and the letter would be given up.
    letter.subject, letter.text = " ".join(subject.split())[: limits.SUBJECT], text
    letter.save(force_insert=True)
    # One delivery after the commit, however many letters the transaction posts.
    waiting = transaction.get_connection().run_on_commit
    if not any(function is deliver_letters_in_thread for _ids, function, _robust in waiting):
        transaction.on_commit(deliver_letters_in_thread)
    return letter


def deliver_letters_in_thread() -> None:
    send_in_background(deliver_letters)


def deliver_letters(now: datetime | None = None) -> dict[str, int]:
    """Send every letter that is due, each at most once even if others send too. Return how many were sent, are to be
    tried again `later`, and were given up."""
    now = now or timezone.now()
    with _DELIVERING:
        due = Letter.objects.filter(due_at__lte=now).select_related("tournament", "contact__registration")
        chosen = due.order_by("due_at", "pk")[:MAX_LETTERS_PER_DELIVERY]
        states = [_send_letter(letter) for letter in chosen if _claim_letter(letter, now)]
    return {state: states.count(state) for state in ("sent", "later", "given_up")}


def _claim_letter(letter: Letter, now: datetime) -> bool:
    """Claim a letter for this process by putting off the next attempt, so that no other finds it due."""
    pause = RETRY_PAUSES[min(letter.tries, len(RETRY_PAUSES) - 1)]
    # The time as it was read is part of the question: of two processes that both found the letter due, the second
    # changes no row and sends nothing.
    due = Letter.objects.filter(pk=letter.pk, due_at=letter.due_at)
    return due.update(due_at=now + pause, tries=F("tries") + 1) == 1


def _send_letter(letter: Letter) -> str:
    """What became of a letter: “sent”, “later” or “given_up”."""
    message = EmailMessage(letter.subject, letter.text, to=[letter.to])
    registration = letter.contact.registration if letter.contact else None
    if registration and registration.has_place and (days := write_calendar_file(letter.tournament)):
        message.attach(f"{letter.tournament.slug}.ics", days, "text/calendar")
    if letter.attachment_name:
        message.attach(letter.attachment_name, bytes(letter.attachment), "application/pdf")
    try:
        message.send()
    except (OSError, SMTPException, ValueError) as fault:  # ValueError: an address that no server takes
        logger.warning("Letter %s could not be sent: %s", letter.pk, type(fault).__name__)  # nobody is named in the log
        kind = _classify_fault(fault)
        # An address that is refused for good stays so: the director hears of it today and not after a week of tries.
        is_given_up = kind == LetterFault.ADDRESS or letter.tries + 1 >= len(RETRY_PAUSES)
        fault_text = f"{kind} {_format_server_answer(fault)}"[: limits.FAULT]
        Letter.objects.filter(pk=letter.pk).update(fault=fault_text, due_at=None if is_given_up else F("due_at"))
        return "given_up" if is_given_up else "later"
    # Only now: killed in the middle of sending, the program sends it once more later, rather than never.
    Letter.objects.filter(pk=letter.pk).delete()
    return "sent"


def _classify_fault(fault: Exception) -> LetterFault:
    """Why a letter could not be sent. An answer 4xx, at whatever step, asks to try again later."""
    # Asked first: a server that puts strangers off refuses the recipient as well, by a 450, and takes the second try.
    if isinstance(fault, SMTPRecipientsRefused):
        is_put_off = any(code < REFUSED_FOR_GOOD for code, _said in fault.recipients.values())
    else:
        is_put_off = isinstance(fault, SMTPResponseException) and PUT_OFF <= fault.smtp_code < REFUSED_FOR_GOOD
    if is_put_off:
        return LetterFault.PUT_OFF
    if isinstance(fault, ValueError | SMTPRecipientsRefused):
        return LetterFault.ADDRESS
    if isinstance(fault, SMTPAuthenticationError):
        return LetterFault.SIGN_IN
    is_away = isinstance(fault, SMTPConnectError | SMTPServerDisconnected) or not isinstance(fault, SMTPException)
    return LetterFault.AWAY if is_away else LetterFault.OTHER


def _format_server_answer(fault: Exception) -> str:
    """What the server said, in one line: “451 Greylisted”."""
    code: int
    answer: bytes | str
    if isinstance(fault, SMTPRecipientsRefused):
        code, answer = next(iter(fault.recipients.values()))
    elif isinstance(fault, SMTPResponseException):
        code, answer = fault.smtp_code, fault.smtp_error
    else:
        return " ".join(str(fault).split()) or type(fault).__name__
    text = answer.decode(errors="replace") if isinstance(answer, bytes) else answer
    return " ".join(f"{code} {text}".split())


def retry_letter(letter: Letter) -> None:
    """Make a letter that could not be sent due now, and send it."""
    # Counted from the beginning: with the tries of before, the next fault might be the last.
    Letter.objects.filter(pk=letter.pk).update(due_at=timezone.now(), tries=0, fault="")
    transaction.on_commit(deliver_letters_in_thread)


def discard_letter(letter: Letter) -> None:
    """Throw away a letter that could not be sent."""
    Letter.objects.filter(pk=letter.pk).delete()
