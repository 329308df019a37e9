"""The federation's side: links that it makes for clubs, what is done with each message that comes by one, and what its
officer asks back."""

import secrets
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.names import clean_text_lines
from tournament.basics.refusals import Refusal, Refusals, find_length_refusals, find_text_refusals
from tournament.exchange.faults import FileFaults
from tournament.hand_in.messages import (
    HandedIn,
    HandInAnswer,
    HandInKind,
    HandInMessage,
    HandInStatus,
    read_hand_in,
)
from tournament.mirror.messages import BadMessage, is_signed, make_secret, sign
from tournament.models import HandedInEvent, HandInLink, Organiser
from tournament.models.hand_in import HandInState


class NoSuchClubLink(Exception):
    """Nobody may hand in by this link: it does not exist, or the signature is not made with its secret."""


def create_hand_in_link(organiser: Organiser, *, name: str) -> HandInLink:
    """Make a link by which the club of this name may hand its events in. Raises `Refusals`."""
    if faults := find_text_refusals("name", name, longest=limits.NAME):
        raise Refusals(faults)
    link = HandInLink(organiser=organiser, name=name, nonce=secrets.token_hex(limits.MIRROR_NONCE // 2))
    link.save()
    return link


def revoke_hand_in_link(link: HandInLink) -> None:
    """Take a link back: nothing more is taken from it, and what came by it stays. Nothing happens the second time."""
    HandInLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now())


def ask_back(handed_in: HandedInEvent, *, question: str, number: str) -> HandedInEvent:
    """Ask the club about an event as message `number` brought it; the club sees the question the next time it asks how
    the event stands. Without a question an earlier one is settled. Raises `Refusals`, or `handed_in_again`."""
    question = clean_text_lines(question)
    if faults := find_length_refusals("question", question, limits.HAND_IN_QUESTION):
        raise Refusals(faults)
    with transaction.atomic():
        stored = lock_seen_event(handed_in, number)
        if not question and stored.state != HandInState.ASKED:
            return stored  # nothing was asked: an event that is confirmed stays so
        stored.question, stored.state = question, HandInState.ASKED if question else HandInState.OPEN
        stored.save(update_fields=["question", "state"])
        return stored


def lock_seen_event(handed_in: HandedInEvent, number: str) -> HandedInEvent:
    """The event as it is stored now, locked. Within a transaction. Raises `handed_in_again` if message `number`, which
    somebody has looked at, is no longer the last one."""
    events = HandedInEvent.objects.select_related("link__organiser").select_for_update(of=("self",))
    stored = events.get(pk=handed_in.pk)
    if str(stored.number) != number:
        raise Refusal(
            "handed_in_again",
            _("%(club)s has handed %(event)s in again meanwhile. Look at it first."),
            club=stored.link.name,
            event=stored.name,
        )
    return stored


def list_handed_in(organiser: Organiser | None = None) -> list[HandedInEvent]:
    """The events that clubs have handed in, to everybody or to one organiser: those to be looked at first, then the
    newest. Without what they hold. One query."""
    events = HandedInEvent.objects.select_related("link__organiser", "tournament").defer("content")
    listed = events if organiser is None else events.filter(link__organiser=organiser)
    return sorted(listed, key=lambda event: (event.state != HandInState.OPEN, -event.received_at.timestamp(), event.pk))


def load_handed_in(handed_in: HandedInEvent) -> HandedIn:
    """What a stored event holds."""
    return read_hand_in(HandInMessage.unpack(bytes(handed_in.content)).body)


def take_handed_in_message(
    nonce: str, content: bytes, signature: str, now: datetime | None = None
) -> tuple[bytes, str]:
    """Do what a message says; return the answer and its signature. Raises `NoSuchClubLink`, or `BadMessage`."""
    link = HandInLink.objects.filter(nonce=nonce).select_related("organiser").first()
    # The signature is checked before a byte of the message is read as anything.
    if link is None or not is_signed(make_secret(link), content, signature):
        raise NoSuchClubLink
    message = HandInMessage.unpack(content)
    answer = _answer_message(link, message, content, now or timezone.now()).pack()
    return answer, sign(make_secret(link), answer)


def _answer_message(link: HandInLink, message: HandInMessage, content: bytes, now: datetime) -> HandInAnswer:
    # Answered, and signed: a refusal without a signature would be taken for that of something between.
    if link.revoked_at is not None:
        return HandInAnswer(HandInStatus.CLOSED, message.number, federation=link.organiser.name)
    if message.kind == HandInKind.ASK:
        stored = HandedInEvent.objects.filter(link=link, key=message.key).first()
        return _make_answer(link, message, HandInStatus.TAKEN if stored else HandInStatus.UNKNOWN, stored)
    try:
        # Read outside of the transaction, for which other clubs wait: a large event takes a second.
        handed_in = read_hand_in(message.body)
    except (FileFaults, BadMessage) as fault:
        return HandInAnswer(
            HandInStatus.UNREADABLE,
            message.number,
            federation=link.organiser.name,
            fault=str(fault)[: limits.WHY],
        )
    with transaction.atomic():
        # The link is locked, since an event that comes for the first time has no row to lock: of two messages at once
        # the second has to be held against the number that the first one left.
        HandInLink.objects.select_for_update().get(pk=link.pk)
        stored = HandedInEvent.objects.filter(link=link, key=message.key).first()
        if stored is not None and message.number <= stored.number:
            return _make_answer(link, message, HandInStatus.OLD, stored)
        stored = stored or HandedInEvent(link=link, key=message.key, times=0)
        stored.name, stored.sender, stored.number = handed_in.event.name, message.sender, message.number
        stored.content, stored.received_at, stored.times = content, now, stored.times + 1
        # A correction is looked at anew, and the question that it may answer is asked no more; what was confirmed
        # counts until the new one is.
        stored.state, stored.question = HandInState.OPEN, ""
        stored.save()
        return _make_answer(link, message, HandInStatus.TAKEN, stored)


def _make_answer(
    link: HandInLink, message: HandInMessage, status: HandInStatus, stored: HandedInEvent | None
) -> HandInAnswer:
    if stored is None:
        return HandInAnswer(status, message.number, federation=link.organiser.name)
    return HandInAnswer(
        status,
        message.number,
        number=stored.number,
        federation=link.organiser.name,
        state=stored.state,
        question=stored.question,
    )
