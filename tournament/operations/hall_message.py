"""What the director says to everybody in the hall: a message, and what begins when."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from tournament import limits, names
from tournament.models import Tournament
from tournament.operations.change import Actor, change
from tournament.operations.hall_clock import stored
from tournament.refusals import NotPrintable, Refusal, Refusals, too_long


class MessageMissing(Refusal):
    code = "message_missing"
    message = _("What is to be said to the hall?")
    field = "message"


def say(tournament: Tournament, *, message: str, covers: bool, actor: Actor) -> None:
    """Say something on every screen, over what it shows or (`covers`) instead of it. Raises `Refusals`."""
    said = names.tidy(message)
    found = _problems("message", said) or ([] if said else [MessageMissing()])
    if found:
        raise Refusals(found)
    with change(tournament, actor=actor, verb="say_to_hall", name=said) as log:
        log.save(stored(log), message=said, message_covers=covers)


def take_back(tournament: Tournament, *, actor: Actor) -> None:
    """Take the message back."""
    with change(tournament, actor=actor, verb="take_message_back") as log:
        log.save(stored(log), message="", message_covers=False)


def count_down(tournament: Tournament, *, to: datetime | None, what: str, actor: Actor) -> None:
    """Count down to a moment at which something begins; None: to nothing any more. Raises `Refusals`."""
    said = names.tidy(what)
    if found := _problems("countdown_for", said):
        raise Refusals(found)
    with change(tournament, actor=actor, verb="count_down", name=said) as log:
        log.save(stored(log), countdown_to=to, countdown_for=said if to else "")


def _problems(field: str, text: str) -> list[Refusal]:
    found = too_long(field, text, limits.MESSAGE)
    return found if text.isprintable() else [*found, NotPrintable(field=field, value=text)]
