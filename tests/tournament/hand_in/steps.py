"""Events as clubs hand them in, without a line between the two."""

from tournament.federation.report import load_report
from tournament.hand_in.messages import HandInAnswer, HandInKind, HandInMessage, build_hand_in
from tournament.hand_in.operations import make_event_key
from tournament.hand_in.receiving import create_hand_in_link, take_handed_in_message
from tournament.mirror.messages import is_signed, make_secret, sign
from tournament.models import HandedInEvent, HandInLink, Organiser, Tournament


def hand_in(tournament: Tournament, federation: Organiser, *, club: str = "Verein") -> HandedInEvent:
    """An event that a club has handed in by a new link."""
    link = create_hand_in_link(federation, name=club)
    send(link, tournament)
    return HandedInEvent.objects.get(link=link)


def make_message(tournament: Tournament, number: int = 1, **values: object) -> HandInMessage:
    """What a club sends of an event."""
    body = build_hand_in(load_report(Tournament.objects.get(pk=tournament.pk)))
    head = {"kind": HandInKind.HAND_IN, "key": make_event_key(tournament), "sender": "laptop1", "body": body}
    return HandInMessage(number=number, **{**head, **values})  # type: ignore[arg-type]  # as stated


def send(link: HandInLink, tournament: Tournament, number: int = 1, **values: object) -> HandInAnswer:
    """Send an event by a link, and return the answer."""
    content, secret = make_message(tournament, number, **values).pack(), make_secret(link)
    answer, signature = take_handed_in_message(link.nonce, content, sign(secret, content))
    assert is_signed(secret, answer, signature)
    return HandInAnswer.unpack(answer)
