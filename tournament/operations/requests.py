"""Somebody asks for a place: what they typed is kept until they have confirmed their address, or for two days.

Strangers write nothing into the journal. Only who follows the link in their letter becomes a registration.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament import limits, names
from tournament.models import Contact, Division, OnlineEntry, Registration, RegistrationState, Tournament
from tournament.operations import outbox, players, waiting_list
from tournament.operations.change import Actor, change
from tournament.operations.players import Person
from tournament.refusals import Refusal, Refusals
from tournament.words import registrations as words
from tournament.words.registrations import moment

VALID = timedelta(hours=48)
"""How long a link waits to be followed."""

TWICE = timedelta(minutes=2)
"""Sent again within this time it is the same: a button pressed twice brings one letter."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody types who wants to play. `listed`: they may be named in public; `language` of the page."""

    person: Person
    division: Division
    listed: bool = False
    language: str = ""


class NoEmail(Refusal):
    code = "no_email"
    message = _("Without an e-mail address the registration cannot be confirmed.")
    field = "email"


class NotOpenYet(Refusal):
    code = "not_open_yet"
    message = _("Registrations are taken from %(opens)s.")


class ClosedAlready(Refusal):
    code = "closed_already"
    message = _("Registrations were taken until %(closes)s. Please ask the organiser whether there is still a place.")


class SwitchedOff(Refusal):
    code = "switched_off"
    message = _("This tournament takes no registrations here now.")


class HasBegun(Refusal):
    code = "has_begun"
    message = _("The tournament has begun, so nobody can register any more.")


class TooManyRequests(Refusal):
    code = "too_many_requests"
    message = _("Too many registrations are waiting for their confirmation. Please try again tomorrow.")


class LinkTooOld(Refusal):
    code = "link_too_old"
    message = _("The link was valid until %(until)s. Please register again.")


def obstacle(tournament: Tournament, online: OnlineEntry | None, *, at: datetime) -> Refusal | None:
    """Why nobody can register at this moment; None if they can. One query."""
    if online is None or not online.is_on:
        return SwitchedOff()
    if tournament.is_ended or waiting_list.has_begun(tournament):
        return HasBegun()
    if not online.has_opened(at) and online.opens_at:
        return NotOpenYet(opens=moment(online.opens_at))
    if online.has_closed(at) and online.closes_at:
        return ClosedAlready(closes=moment(online.closes_at))
    return None


def problems(person: Person) -> list[Refusal]:
    """Everything that is wrong with what somebody typed about themselves."""
    return players.problems(person) + ([] if person.email else [NoEmail()])


def ask(tournament: Tournament, *, wish: Wish) -> None:
    """Keep what somebody typed, and write to the address to have it confirmed.

    Nothing tells the caller whether the address is known: only a letter does. Raises `Refusals` with all faults, or
    what `obstacle` gives.
    """
    person, now = wish.person.tidied(), timezone.now()
    if faults := problems(person):
        raise Refusals(faults)
    if refusal := obstacle(tournament, waiting_list.settings_of(tournament), at=now):
        raise refusal
    forget_old(now)
    open_requests = Contact.objects.filter(tournament=tournament, registration=None)
    if open_requests.count() >= limits.REQUESTS:
        raise TooManyRequests
    with transaction.atomic():
        contact, is_new = _kept(tournament, wish, person, now)
        if is_new or now - contact.asked_at > TWICE:
            _write_to(contact, now)


def _kept(tournament: Tournament, wish: Wish, person: Person, now: datetime) -> tuple[Contact, bool]:
    """The row of this address and name, and whether it is new. What is typed again before it is confirmed counts."""
    keys = {"email_key": person.email.casefold(), "name_key": names.fold(person.name)}
    typed = {
        "email": person.email,
        "name": person.name,
        "club": person.club,
        "rating": person.rating,
        "division": wish.division,
        "listed": wish.listed,
        "language": wish.language,
    }
    made = Contact(tournament=tournament, asked_at=now, **keys, **typed)
    try:
        with transaction.atomic():
            made.save(force_insert=True)
    except IntegrityError:
        contacts = Contact.objects.select_related("registration", "tournament")
        known = contacts.get(tournament=tournament, **keys)
        if known.registration is None:
            for name, value in typed.items():
                setattr(known, name, value)
            known.save(update_fields=list(typed))
        return known, False
    return made, True


def _write_to(contact: Contact, now: datetime) -> None:
    """Ask for confirmation, or say that somebody is registered already."""
    contact.asked_at = now
    contact.save(update_fields=["asked_at"])
    page = outbox.own_page(contact)
    if contact.registration is not None:
        outbox.post(contact, words.registered_already(contact.tournament, contact.registration, page=page))
        return
    same = Contact.objects.filter(tournament=contact.tournament_id, email_key=contact.email_key)
    others = list(same.exclude(registration=None).order_by("pk").values_list("name", flat=True))
    until = now + VALID
    outbox.post(contact, words.please_confirm(contact.tournament, contact.name, page=page, until=until, others=others))


def confirm(contact: Contact) -> Registration:
    """Turn what somebody typed into a registration, with a place if one is free; a second time it stays as it is.

    What was typed in time counts although registrations have closed since. Raises `SwitchedOff`, `HasBegun`,
    `LinkTooOld`.
    """
    about = {"name": contact.name, "club": contact.club}
    with change(contact.tournament, actor=Actor(name=contact.name), verb="register", **about) as log:
        stored = Contact.objects.select_related("registration__division", "division", "tournament").get(pk=contact.pk)
        if stored.registration is not None:
            return stored.registration
        online = waiting_list.settings_of(log.tournament)
        _require_in_time(stored, online, log.now)
        assert online is not None
        made = log.create(_new(stored, online, log.now))
        stored.registration = made
        stored.save(update_fields=["registration"])
        waiting_list.tell(made, online)
        return made


def _require_in_time(contact: Contact, online: OnlineEntry | None, now: datetime) -> None:
    if contact.asked_at + VALID < now:
        raise LinkTooOld(until=moment(contact.asked_at + VALID))
    if refusal := obstacle(contact.tournament, online, at=contact.asked_at):
        raise refusal


def _new(contact: Contact, online: OnlineEntry, now: datetime) -> Registration:
    """A registration with a place, or at the end of the waiting list: also while others wait."""
    of_tournament = Registration.objects.filter(tournament=contact.tournament)
    has_place = waiting_list.free(contact.tournament, online) != 0 and not of_tournament.waiting().exists()
    return Registration(
        tournament=contact.tournament,
        division=contact.division or contact.tournament.divisions.order_by("position", "pk")[0],
        name=contact.name,
        club=contact.club,
        rating=contact.rating,
        listed=contact.listed,
        at=now,
        state=waiting_list.state_with_a_place(online) if has_place else RegistrationState.WAITING,
        waits_from=None if has_place else now,
    )


def forget_old(now: datetime) -> int:
    """Delete what nobody has confirmed in time; how many that were."""
    old = Contact.objects.filter(registration=None, asked_at__lt=now - VALID)
    _rows, by_table = old.delete()
    return by_table.get("tournament.Contact", 0)
