"""The minimum number of players with a day, and what the director decides on it: the event is called off, with a letter
to all, or takes place."""

from typing import Any

from django.utils import formats, timezone, translation
from django.utils.translation import gettext as _

from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.entries.operations.waiting_list import count_taken_places, get_online_entry, has_tournament_begun
from tournament.letters.outbox import get_letter_language, post_letter, post_letter_to_player
from tournament.letters.words import make_calling_off_letter
from tournament.models import Contact, RegistrationState, Tournament
from tournament.registration.day_letters import LetterRecipient, list_recipients

STILL_OPEN = (RegistrationState.ASKED, RegistrationState.CONFIRMED, RegistrationState.WAITING)


def list_minimum_facts(tournament: Tournament) -> list[tuple[str, str]]:
    """What the announcement says of the minimum number, or of what was decided, with its label; nothing without either.
    One query."""
    if tournament.called_off_on is not None:
        return [(_("Does it take place?"), _("The tournament is called off."))]
    online = get_online_entry(tournament)
    if online is None or online.minimum is None or online.minimum_day is None:
        return []
    if online.minimum_settled:
        return [(_("Does it take place?"), _("The tournament takes place."))]
    words = {"minimum": online.minimum, "day": formats.date_format(online.minimum_day, "DATE_FORMAT")}
    sentence = _("Fewer than %(minimum)s registered on %(day)s: the tournament may be called off.")
    return [(_("Minimum number"), sentence % words)]


def load_minimum_question(tournament: Tournament) -> dict[str, Any] | None:
    """The decision that is due today or since, None if there is none: how many have a place (`count`), how many it
    takes (`minimum`), the `day` on which the director decides, and whether there are enough. At most four queries."""
    online = get_online_entry(tournament)
    if online is None or online.minimum is None or online.minimum_day is None or online.minimum_settled:
        return None
    if online.minimum_day > timezone.localdate() or tournament.called_off_on or has_tournament_begun(tournament):
        return None
    count, minimum = count_taken_places(tournament), online.minimum
    return {"count": count, "minimum": minimum, "day": online.minimum_day, "is_reached": count >= minimum}


def list_open_contacts(tournament: Tournament) -> list[Contact]:
    """The addresses of those who have registered and are no entries yet: they have a place or wait for one. One
    query."""
    contacts = Contact.objects.filter(tournament=tournament, registration__state__in=STILL_OPEN)
    contacts = contacts.filter(registration__entry=None).select_related("tournament", "registration")
    return list(contacts.order_by("pk"))


def call_off_tournament(tournament: Tournament, *, actor: Actor) -> int:
    """Call an event off: registration closes, pages say so, and everybody with an address gets a letter, once; how
    many. Letters are stored with the decision, so that none is lost. Raises `event_over`."""
    with change(tournament, actor=actor, verb="call_off") as log:
        # Pressed twice: everybody has the letter already.
        if log.tournament.called_off_on is not None:
            return 0
        # With its certificates sent, everybody got a letter that it does not take place.
        if log.tournament.is_ended:
            raise Refusal("event_over", _("The tournament is ended and can no longer be called off."))
        log.save(log.tournament, called_off_on=timezone.localdate(log.now))
        if (online := get_online_entry(log.tournament)) is not None:
            log.save(online, is_on=False, minimum_settled=True)
        players = [item for item in list_recipients(log.tournament) if item.email]
        for item in players:
            name = item.entry.player.name
            post_letter_to_player(item.entry, item.email, item.contact, make_calling_off_letter(log.tournament, name))
        others = list_open_contacts(log.tournament)
        for contact in others:
            post_letter(contact, make_calling_off_letter(log.tournament, contact.name))
        log.tell(count=len(players) + len(others))
    return len(players) + len(others)


def let_tournament_take_place(tournament: Tournament, *, actor: Actor) -> None:
    """Decide that an event takes place, whoever is missing; also one that was called off."""
    with change(tournament, actor=actor, verb="take_place") as log:
        log.save(log.tournament, called_off_on=None)
        if (online := get_online_entry(log.tournament)) is not None:
            log.save(online, minimum_settled=True)


def preview_calling_off(tournament: Tournament) -> tuple[int, tuple[str, str] | None]:
    """How many would get the letter, and the letter to the first of them."""
    players: list[LetterRecipient] = [item for item in list_recipients(tournament) if item.email]
    contacts = list_open_contacts(tournament)
    if players:
        name, language = players[0].entry.player.name, players[0].language
    elif contacts:
        name, language = contacts[0].name, get_letter_language(contacts[0])
    else:
        return 0, None
    with translation.override(language):
        return len(players) + len(contacts), make_calling_off_letter(tournament, name)()
