"""The club's side: where events are handed in, handing one in, and asking how it stands. Neither is in the journal,
which would put a secret into every archive."""

import re
import time

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.addresses import is_laptop
from tournament.basics.refusals import Refusal
from tournament.basics.web_addresses import BadAddress, read_web_address
from tournament.federation.report import FederationReport
from tournament.hand_in.messages import (
    CONTENT_TYPE,
    HandInAnswer,
    HandInKind,
    HandInMessage,
    HandInStatus,
    build_hand_in,
)
from tournament.mirror.messages import BadMessage
from tournament.mirror.operations import SECRET_PATTERN
from tournament.mirror.sending import NotDelivered, SendFault, get_installation_id, post_signed
from tournament.models import HandIn, HandInTarget, MirrorLink, Organiser, Tournament
from tournament.models.hand_in import HandInState

LINK_PATTERN = re.compile(r"/hand-in/(?P<key>[0-9a-f]{32})/?")
STEP_SECONDS = 20.0  # for a single step of a connection
TRIES = 2  # the second where this machine's clock is slower than the one that handed the event in before


class NotHandedIn(Refusal):
    """An event that did not arrive, or of which nobody knows whether it did."""


class NoHandInLink(Refusal, code="hand_in_link", field="link"):
    message = _(
        "“%(link)s” is not the link of a federation; it should look like https://tso.example.org/hand-in/…#…, all of "
        "it."
    )


def set_hand_in_target(organiser: Organiser, *, link: str) -> HandInTarget:
    """Hand the organiser's events in by this pasted link from now on, instead of any other. Raises `NoHandInLink`."""
    text = link.strip()
    try:
        address = read_web_address(text)
    except BadAddress as fault:
        raise NoHandInLink(link=text[:80]) from fault
    path, secret = LINK_PATTERN.fullmatch(address.path), SECRET_PATTERN.fullmatch(address.fragment)
    if path is None or secret is None or len(address.origin) > limits.MIRROR_ADDRESS:
        raise NoHandInLink(link=text[:80])
    target = HandInTarget.objects.filter(organiser=organiser).first() or HandInTarget(organiser=organiser)
    target.address, target.key, target.secret = address.origin, path["key"], secret[0]
    target.save()
    return target


def hand_in_event(report: FederationReport, target: HandInTarget) -> HandIn:
    """Hand an event in, or hand it in again, and keep what the federation answers. Raises a `NotHandedIn`: then what
    the federation had before is what it has, or all of the new; never a part."""
    tournament = report.tournament
    if MirrorLink.objects.filter(tournament=tournament).exists():
        raise NotHandedIn(
            "hand_in_of_mirror", _("This event comes from a hall itself. Only the laptop there can hand it in.")
        )
    body = build_hand_in(report)
    # Of the clock and not stored, so that another laptop that goes on with the event has a higher one, too.
    number = time.time_ns() // 1_000_000
    for _try in range(TRIES):
        message = HandInMessage(HandInKind.HAND_IN, number, make_event_key(tournament), _get_sender(), body)
        answer = _send_message(target, message)
        if answer.status != HandInStatus.OLD:
            break
        number = answer.number + 1
    if answer.status != HandInStatus.TAKEN:
        _refuse_answer(target, answer)
    return _keep_answer(tournament, answer, sent_revision=tournament.revision)


def ask_federation(tournament: Tournament, target: HandInTarget) -> HandIn | None:
    """Ask how an event stands, and keep the answer; None if the federation has nothing of it. Raises `NotHandedIn`."""
    number = time.time_ns() // 1_000_000
    answer = _send_message(target, HandInMessage(HandInKind.ASK, number, make_event_key(tournament), _get_sender(), {}))
    if answer.status == HandInStatus.UNKNOWN:
        # Kept from an earlier answer, it would go on saying that the event is handed in.
        HandIn.objects.filter(tournament=tournament).delete()
        return None
    if answer.status != HandInStatus.TAKEN:
        _refuse_answer(target, answer)
    return _keep_answer(tournament, answer)


def make_event_key(tournament: Tournament) -> str:
    """What tells an event from the club's others: the moment at which it was made, which goes with it to another
    laptop."""
    return tournament.created_at.strftime("%Y%m%dT%H%M%S.%f")


def _get_sender() -> str:
    return get_installation_id(settings.DATA_DIR)


def _refuse_answer(target: HandInTarget, answer: HandInAnswer) -> None:
    if answer.status == HandInStatus.CLOSED:
        raise NotHandedIn(
            "federation_link_closed",
            _("%(federation)s has taken the link with the key “%(key)s” back. Ask the federation for a new link."),
            federation=answer.federation,
            key=target.key,
        )
    raise NotHandedIn(
        "event_unreadable",
        _("%(federation)s cannot read the event; it may have an older version of the program: %(fault)s"),
        federation=answer.federation,
        fault=answer.fault or answer.status.value,
    )


def _keep_answer(tournament: Tournament, answer: HandInAnswer, *, sent_revision: int | None = None) -> HandIn:
    """Keep how the event stands; with the revision that was sent, if something was."""
    now = timezone.now()
    stored = HandIn.objects.filter(tournament=tournament).first()
    if stored is None:
        # Handed in from another laptop, or the answer to the last message was lost: what has changed since is unknown.
        stored = HandIn(tournament=tournament, revision=0, sent_at=now)
    if sent_revision is not None:
        stored.revision, stored.sent_at = sent_revision, now
    stored.federation, stored.heard_at, stored.question = answer.federation, now, answer.question
    # A federation with a newer version may have a state that this one does not know.
    stored.state = answer.state if answer.state in HandInState.values else HandInState.OPEN
    stored.save()
    return stored


def _send_message(target: HandInTarget, message: HandInMessage) -> HandInAnswer:
    """Send a message, and return the federation's answer. Raises a `NotHandedIn`."""
    content = message.pack()
    if len(content) > limits.MIRROR_PACKED_BYTES:
        raise NotHandedIn(
            "event_too_large",
            _("Compressed, the event comes to %(size)s; a federation takes at most %(limit)s."),
            size=filesizeformat(len(content)),
            limit=filesizeformat(limits.MIRROR_PACKED_BYTES),
        )
    try:
        # A laptop's director chooses where it sends; a hosted service asks nothing inside its own network.
        reply = post_signed(
            target,
            f"/hand-in/{target.key}/",
            content,
            CONTENT_TYPE,
            step_seconds=STEP_SECONDS,
            only_public=not is_laptop(),
        )
        answer = HandInAnswer.unpack(reply)
    except NotDelivered as undelivered:
        raise _make_refusal(target, undelivered.fault) from undelivered
    except BadMessage as fault:
        raise _make_refusal(target, SendFault.NONSENSE) from fault
    if answer.to != message.number:  # an answer to another message, held back somewhere
        raise _make_refusal(target, SendFault.NONSENSE)
    return answer


def _make_refusal(target: HandInTarget, fault: SendFault) -> NotHandedIn:
    if fault == SendFault.UNREACHABLE:
        return NotHandedIn(
            "federation_unreachable",
            _("%(address)s cannot be reached. Nothing is lost: try again once there is a line."),
            address=target.address,
        )
    if fault == SendFault.UNKNOWN:
        return NotHandedIn(
            "federation_link_unknown",
            _(
                "%(address)s does not know the link with the key “%(key)s”, or its secret is another one. Ask the "
                "federation for a new link."
            ),
            address=target.address,
            key=target.key,
        )
    return NotHandedIn(
        "federation_nonsense",
        _("Something between this machine and %(address)s answers in its place. Try again from another network."),
        address=target.address,
    )
