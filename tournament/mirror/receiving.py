"""The hosted side of a mirror: links that an owner makes, and what is done with each message that comes by one."""

import hashlib
import io
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import DatabaseError, transaction
from django.urls import reverse
from django.utils import timezone

from tournament.basics import limits
from tournament.basics.latest import note_revision
from tournament.basics.moments import parse_moment
from tournament.basics.names import make_free_slug
from tournament.basics.one_at_a_time import ReadingBusy
from tournament.basics.pictures import PhotoNotStored, SentFile, rewrite_photos
from tournament.basics.pixels import Jpeg
from tournament.basics.refusals import Refusals, find_text_refusals
from tournament.core.words.rounds import format_local_time
from tournament.entries.operations.entries import LONGEST_PORTRAIT_EDGE
from tournament.exchange.faults import FileFaults
from tournament.hall.public_hall import list_missing_photos
from tournament.mirror.messages import (
    Answer,
    AnswerStatus,
    BadMessage,
    Message,
    MessageKind,
    is_signed,
    make_secret,
    sign,
    unpack_state,
)
from tournament.mirror.storing import remove_event, store_photo, store_state
from tournament.models import MirrorLink, Organiser, Tournament

WRONG_STATES = (
    FileFaults,
    BadMessage,
    DatabaseError,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What storing raises for a state that is none, however it is wrong: a mirror takes what others have written."""


class NoSuchLink(Exception):
    """Nobody may send by this link: it does not exist, or the signature is not made with its secret."""


def create_mirror_link(organiser: Organiser, *, name: str) -> MirrorLink:
    """Make a link by which one event may be sent here. Raises `Refusals`."""
    if faults := find_text_refusals("name", name, longest=limits.NAME):
        raise Refusals(faults)
    link = MirrorLink(organiser=organiser, name=name, nonce=secrets.token_hex(limits.MIRROR_NONCE // 2))
    link.save()
    return link


def revoke_mirror_link(link: MirrorLink) -> None:
    """Take a link back: nothing more is taken from it, and what is shown stays as it is."""
    MirrorLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now(), runs=False)


def remove_mirror_link(link: MirrorLink) -> None:
    """Delete a link, and the event that came by it."""
    with transaction.atomic():
        stored = MirrorLink.objects.select_for_update().filter(pk=link.pk).first()
        if stored is not None:
            if stored.tournament is not None:
                remove_event(stored.tournament, stored.players)
            stored.delete()


def take_message(nonce: str, content: bytes, signature: str, now: datetime | None = None) -> tuple[bytes, str]:
    """Do what a message says; return the answer and its signature. Messages of a link follow one another, but photos,
    which are looked at before anything waits for them. Raises `NoSuchLink`, or `BadMessage`."""
    link = MirrorLink.objects.filter(nonce=nonce).first()
    # The signature is checked before a byte of the message is read as anything.
    if link is None or not is_signed(make_secret(link), content, signature):
        raise NoSuchLink
    message = Message.unpack(content)
    is_sound = _is_sound_photo(link, message.payload) if message.kind == MessageKind.PHOTO else None
    with transaction.atomic():
        # Read again under the lock: of two messages that come at once, the second has to be held against the revision
        # that the first one left.
        link = MirrorLink.objects.select_for_update().filter(nonce=nonce).first()
        if link is None:
            raise NoSuchLink
        if message.kind == MessageKind.PHOTO:
            answer = _take_photo(link, message, is_sound=is_sound).pack()
        else:
            answer = _answer_message(link, message, now or timezone.now()).pack()
    return answer, sign(make_secret(link), answer)


def _is_sound_photo(link: MirrorLink, content: bytes) -> bool | None:
    """Whether these bytes can be decoded as a photo; None if the event does not lack them, or nobody had the time to
    look. Asked outside of a transaction, since decoding takes a while."""
    if hashlib.sha256(content).hexdigest() not in _list_wanted_photos(link):
        return None
    try:
        (photo,) = rewrite_photos([SentFile("photo.jpg", io.BytesIO(content))], LONGEST_PORTRAIT_EDGE)
    except ReadingBusy:  # it is asked for again
        return None
    return isinstance(photo, Jpeg)


def _list_wanted_photos(link: MirrorLink) -> dict[str, dict[str, Any]]:
    """The photos that the last state names and that have not come, by SHA-256."""
    if link.tournament is None:
        return {}
    return {photo["sha256"]: photo for photo in list_missing_photos(link.tournament, link.load_part("hall"))}


def _take_photo(link: MirrorLink, message: Message, *, is_sound: bool | None) -> Answer:
    """Keep a photo if the event still lacks it."""
    player = _list_wanted_photos(link).get(hashlib.sha256(message.payload).hexdigest())
    if link.revoked_at is not None:
        return _make_answer(link, message, AnswerStatus.CLOSED)
    if link.sender != message.sender:
        return _make_answer(link, message, AnswerStatus.OTHER)
    # Nobody shows it any more, or there was no time to look at it: what is still wanted stands in the answer, and is
    # sent again.
    if player is None or is_sound is None:
        return _make_answer(link, message, AnswerStatus.TAKEN)
    if not is_sound:
        return _make_answer(link, message, AnswerStatus.UNREADABLE)
    assert link.tournament is not None
    try:
        # In a savepoint: once a statement has failed PostgreSQL takes no other one, and the answer still asks for some.
        with transaction.atomic():
            store_photo(link.tournament, player, message.payload)
    except (*WRONG_STATES, PhotoNotStored, OSError) as fault:
        return _make_answer(link, message, AnswerStatus.UNREADABLE, str(fault)[: limits.WHY])
    return _make_answer(link, message, AnswerStatus.TAKEN)


def _answer_message(link: MirrorLink, message: Message, now: datetime) -> Answer:
    if link.revoked_at is not None:
        return _make_answer(link, message, AnswerStatus.CLOSED)
    # Before it is asked who sends: a second laptop with a slow clock counts on from this answer, and its next message
    # is then told that another one sends.
    if message.revision <= link.revision:
        return _make_answer(link, message, AnswerStatus.OLD)
    if link.sender not in ("", message.sender) and not message.takes_over:
        link.rival_at = now
        link.save(update_fields=["rival_at"])
        return _make_answer(link, message, AnswerStatus.OTHER)
    is_known = link.sender == message.sender
    # It takes over: the rival of whom the director was told may have been this very laptop.
    if not is_known:
        link.rival_at = None
    link.sender, link.revision, link.heard_at = message.sender, message.revision, now
    link.runs = message.kind in (MessageKind.STATE, MessageKind.ALIVE)
    status, fault = _act(link, message, is_known=is_known)
    link.save()
    return _make_answer(link, message, status, fault)


def _act(link: MirrorLink, message: Message, *, is_known: bool) -> tuple[AnswerStatus, str]:
    if message.kind == MessageKind.STATE:
        return _take_state(link, message.payload)
    if message.kind == MessageKind.REMOVE:
        if link.tournament is not None:
            remove_event(link.tournament, link.players)
        link.tournament, link.state, link.players, link.stand_at = None, b"", [], None
    elif message.kind == MessageKind.HIDE and link.tournament is not None:
        locked = Tournament.objects.select_for_update().get(pk=link.tournament.pk)
        if locked.is_public:
            # Hidden and not deleted: the director may show it again, and its addresses stay.
            locked.is_public = False
            locked.revision += 1
            locked.save(update_fields=["is_public", "revision"])
            transaction.on_commit(lambda: note_revision(locked.pk, locked.revision))
    elif message.kind == MessageKind.ALIVE and not (is_known and link.tournament and link.tournament.is_public):
        return AnswerStatus.AGAIN, ""
    return AnswerStatus.TAKEN, ""


def _take_state(link: MirrorLink, payload: bytes) -> tuple[AnswerStatus, str]:
    try:
        # In a savepoint: half a state is taken back, and the link is still stored as having heard this message.
        with transaction.atomic():
            state = unpack_state(payload)
            stand_at = parse_moment(state["at"])
            tournament, players = store_state(
                state,
                unpack_state(bytes(link.state)) if link.state else {},
                organiser=link.organiser,
                tournament=link.tournament,
                slug=_choose_slug(link, state),
                made=link.players,
            )
    except WRONG_STATES as fault:
        return AnswerStatus.UNREADABLE, str(fault)[: limits.WHY]
    link.tournament, link.players, link.state, link.stand_at = tournament, players, payload, stand_at
    return AnswerStatus.TAKEN, ""


def _choose_slug(link: MirrorLink, state: Mapping[str, Any]) -> str:
    """The address that the event has here, which never changes; the hall's at first, if nobody has it."""
    if link.tournament is not None:
        return link.tournament.slug
    return make_free_slug(Tournament.objects.all(), str(state["event"]["slug"]), otherwise="turnier")


def _make_answer(link: MirrorLink, message: Message, status: AnswerStatus, fault: str = "") -> Answer:
    public_event = link.tournament if link.tournament and link.tournament.is_public else None
    return Answer(
        status,
        to=message.revision,
        revision=link.revision,
        path=reverse("public:tournament", args=[public_event.slug]) if public_event else "",
        rival=format_local_time(link.rival_at) if link.rival_at else "",
        fault=fault,
        wants=tuple(_list_wanted_photos(link)) if status == AnswerStatus.TAKEN else (),
    )
