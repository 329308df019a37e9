"""Somebody asks for a place. What a stranger types is kept until they have confirmed their address, or for two days.
Strangers write nothing into the journal: only whoever follows the link in their letter becomes a registration."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.names import make_identity_key
from tournament.basics.refusals import Refusal, Refusals, find_text_refusals
from tournament.core.change import Actor, change, lock_tournaments
from tournament.core.fees import FeeTerms
from tournament.core.records import delete_crowding_rows
from tournament.entries.operations.register import Person, find_person_problems
from tournament.entries.operations.waiting_list import (
    count_free_places,
    get_online_entry,
    get_state_with_place,
    has_tournament_begun,
    notify_registrant,
    write_decision_letter,
)
from tournament.letters.outbox import gather_letter, make_personal_address, post_letter, post_letters_as_one
from tournament.letters.words import (
    LetterWriter,
    format_moment,
    make_confirmation_letter,
    make_repeated_registration_letter,
)
from tournament.models import Contact, Division, OnlineEntry, Registration, RegistrationState, Tournament

LINK_VALID_FOR = timedelta(hours=48)
RESEND_PAUSE = timedelta(minutes=2)  # a button pressed twice within this time brings one letter


@dataclass(frozen=True, slots=True)
class RegistrationRequest:
    """What somebody types who wants to play. `listed`: they may be named in public. `language` is the page's,
    `fee_kind` the key of the fee that is theirs, `number` that of the federation asked for, `client_address` that of
    their browser."""

    person: Person
    division: Division
    listed: bool = False
    language: str = ""
    fee_kind: str = ""
    number: str = ""
    client_address: str = ""


def find_registration_obstacle(tournament: Tournament, online: OnlineEntry | None, *, at: datetime) -> Refusal | None:
    """Why nobody can register at this moment; None if they can. One query."""
    # What is final comes first: of an event that is called off nobody has to hear when registration opens.
    if tournament.called_off_on is not None:
        return Refusal("called_off", _("The tournament is called off."))
    if online is None or not online.is_on:
        return Refusal("switched_off", _("This tournament is not taking registrations here at the moment."))
    if tournament.is_ended or has_tournament_begun(tournament):
        return Refusal("has_begun", _("The tournament has begun, so registration is over."))
    if not online.has_opened(at) and online.opens_at:
        return Refusal(
            "not_open_yet", _("Registrations are taken from %(opens)s."), opens=format_moment(online.opens_at)
        )
    if online.has_closed(at) and online.closes_at:
        return Refusal(
            "closed_already",
            _("Registration closed at %(closes)s. Please ask the organiser whether there is still a place."),
            closes=format_moment(online.closes_at),
        )
    return None


def find_stated_number_problems(number: str, online: OnlineEntry | None) -> list[Refusal]:
    """What is wrong with a membership number as stated: whose it is, is asked of the director alone."""
    if online is not None and online.number_system and online.number_required and not number:
        return [Refusal("number_missing", _("The number is missing."), field="number")]
    return find_text_refusals("number", number, limits.PLAYER_NUMBER)


def find_registration_problems(person: Person) -> list[Refusal]:
    """Everything that is wrong with what somebody typed about themselves."""
    message = _("Without an e-mail address the registration cannot be confirmed.")
    return find_person_problems(person) + ([] if person.email else [Refusal("no_email", message, field="email")])


def request_registration(
    tournament: Tournament,
    *,
    wish: RegistrationRequest,
    companions: Sequence[RegistrationRequest] = (),
    delay: timedelta = timedelta(0),
    is_gathered: bool = False,
) -> None:
    """Keep what somebody typed, for `companions` with the same address as well, and write to it, after a `delay` or in
    one letter with others (`gather_letter`), to have it confirmed. Nothing tells the caller whether the address is
    known: only a letter does. Raises `Refusals`, or `find_registration_obstacle`'s."""
    people, now = [(request, request.person.tidied()) for request in (wish, *companions)], timezone.now()
    online = get_online_entry(tournament)
    faults = [fault for _wish, person in people for fault in find_registration_problems(person)]
    faults += [fault for request, _person in people for fault in find_stated_number_problems(request.number, online)]
    if faults:
        raise Refusals(faults)
    if refusal := find_registration_obstacle(tournament, online, at=now):
        raise refusal
    delete_old_requests(now)
    party = secrets.token_hex(limits.ORIGIN // 2) if companions else ""
    open_requests = Contact.objects.filter(tournament=tournament, registration=None)
    # By key: somebody typed twice on one form is one row, and one line of the letter.
    contacts: dict[int, Contact] = {}
    is_due = False
    with transaction.atomic():
        for request, person in people:
            delete_crowding_rows(open_requests, most=limits.REQUESTS, age="asked_at")
            contact, is_new = _get_or_create_contact(tournament, request, person, now, party)
            contacts[contact.pk] = contact
            # Who has just withdrawn and thinks better of it gets a letter at once: the page says one is on its way.
            is_due |= is_new or now - contact.asked_at > RESEND_PAUSE or contact.is_withdrawn
        if is_due:
            # Where all are registered already, one letter says so, that of the first.
            typed_contacts = list(contacts.values())
            recipients = [contact for contact in typed_contacts if contact.may_be_confirmed] or typed_contacts[:1]
            written = _ask_for_confirmation(recipients, now)
            if is_gathered:
                gather_letter(recipients[0], written)
            else:
                post_letter(recipients[0], written, delay=delay)


def _get_or_create_contact(
    tournament: Tournament, wish: RegistrationRequest, person: Person, now: datetime, party: str
) -> tuple[Contact, bool]:
    """The row of this address and name, and whether it is new. What was typed last counts until it is confirmed, and
    again once the registration is withdrawn."""
    keys = {"email_key": person.email.casefold(), "name_key": make_identity_key(person.name)}
    columns: dict[str, Any] = {name: getattr(person, name) for name in ("email", "phone", "name", "club", "rating")}
    columns |= {name: getattr(wish, name) for name in ("division", "listed", "language", "fee_kind", "number")}
    columns["party"] = party
    # Not the address itself, and in each event another text: it serves to count, and follows nobody from event to
    # event.
    origin = salted_hmac(f"registration {tournament.pk}", wish.client_address).hexdigest()[: limits.ORIGIN]
    new_contact = Contact(tournament=tournament, asked_at=now, origin=origin, **keys, **columns)
    # Inserted first and looked up on a clash: two requests at once would both look and find nothing. In a savepoint,
    # since after a statement that failed PostgreSQL takes no other of the transaction.
    try:
        with transaction.atomic():
            new_contact.save(force_insert=True)
    except IntegrityError:
        contact = Contact.objects.select_related("registration", "tournament").get(tournament=tournament, **keys)
        if contact.may_be_confirmed:
            for name, value in columns.items():
                setattr(contact, name, value)
            contact.save(update_fields=list(columns))
        return contact, False
    return new_contact, True


def _ask_for_confirmation(party: Sequence[Contact], now: datetime) -> LetterWriter:
    """The letter that asks the first for confirmation of all, or says that they are registered already."""
    # The time of all begins anew: the link of the first confirms the others, too, and one that is too old would refuse
    # the whole party.
    for member in party:
        member.asked_at = now
        member.save(update_fields=["asked_at"])
    contact = party[0]
    page = make_personal_address(contact)
    if contact.registration is not None and not contact.is_withdrawn:
        return make_repeated_registration_letter(contact.tournament, contact.registration, page=page)
    same = Contact.objects.filter(tournament=contact.tournament_id, email_key=contact.email_key)
    others = list(same.exclude(registration=None).order_by("pk").values_list("name", flat=True))
    names = [member.name for member in party]
    details: dict[str, Any] = {"page": page, "until": now + LINK_VALID_FOR, "others": others, "party": names}
    return make_confirmation_letter(contact.tournament, contact.name, **details)


def list_party(contact: Contact) -> list[Contact]:
    """All whom one form asks a place for and who are not confirmed yet, the `contact` first; only that one without
    others. One query."""
    if not contact.party or not contact.may_be_confirmed:
        return [contact]
    same = Contact.objects.filter(tournament=contact.tournament_id, party=contact.party, email_key=contact.email_key)
    others = same.exclude(pk=contact.pk).select_related("registration", "tournament").order_by("pk")
    return [contact, *(other for other in others if other.may_be_confirmed)]


def confirm_party(contact: Contact) -> list[Registration]:
    """Confirm all whom one form asks a place for, with one letter that lists them. Raises as `confirm_request`, and
    then nobody is confirmed."""
    with transaction.atomic():
        # Before the party is read: a link opened twice at once would find everybody to be confirmed both times, and
        # write twice.
        lock_tournaments(Tournament.objects.filter(pk=contact.tournament_id))
        party = list_party(Contact.objects.select_related("registration", "tournament").get(pk=contact.pk))
        if len(party) == 1:
            return [confirm_request(party[0])]
        registrations = [confirm_request(member, is_told=False) for member in party]
        online = get_online_entry(contact.tournament)
        post_letters_as_one(
            [
                (member, write_decision_letter(member, registration, online))
                for member, registration in zip(party, registrations, strict=True)
            ]
        )
    return registrations


def confirm_request(contact: Contact, *, is_told: bool = True) -> Registration:
    """Turn what somebody typed in time into a registration, with a place if one is free; a second time it stays as it
    is, unless it is withdrawn: then it counts anew from now. A letter says so, unless one of several does (`is_told`).
    Raises `link_too_old`, `has_begun` or `switched_off`; for one that is withdrawn whatever
    `find_registration_obstacle` finds now."""
    about = {"name": contact.name, "club": contact.club}
    with change(contact.tournament, actor=Actor(name=contact.name), verb="register", **about) as log:
        stored = Contact.objects.select_related("registration__division", "division", "tournament").get(pk=contact.pk)
        if stored.registration is not None and not stored.is_withdrawn:
            return stored.registration
        online = get_online_entry(log.tournament)
        if stored.registration is None and stored.asked_at + LINK_VALID_FOR < log.now:
            raise Refusal(
                "link_too_old",
                _("The link was valid until %(until)s. Please register again."),
                until=format_moment(stored.asked_at + LINK_VALID_FOR),
            )
        # Held against the moment of asking: whoever asked in time is not late because their letter was. One that was
        # withdrawn begins anew now.
        asked_at = stored.asked_at if stored.registration is None else log.now
        if refusal := find_registration_obstacle(stored.tournament, online, at=asked_at):
            raise refusal
        assert online is not None
        columns = _build_registration_columns(stored, online, log.now)
        if stored.registration is None:
            stored.registration = log.create(Registration(tournament=log.tournament, **columns))
        else:
            log.save(stored.registration, why="", **columns)
        registration = stored.registration
        # The browser's trace kept the crowd of unconfirmed requests fair; nothing needs it any longer.
        stored.origin = stored.party = ""
        stored.save(update_fields=["registration", "origin", "party"])
        if is_told:
            notify_registrant(registration, online)
        return registration


def _build_registration_columns(contact: Contact, online: OnlineEntry, now: datetime) -> dict[str, Any]:
    """The columns of a registration with a place, or at the end of the waiting list if there is none or others wait
    for it."""
    tournament = contact.tournament
    kinds = {kind.key for kind in FeeTerms.of(tournament).kinds}
    # A free place belongs to those who wait: until the list has moved up, a newcomer would be given it. Not `> 0`: None
    # is no limit.
    has_place = count_free_places(tournament, online) != 0 and not tournament.registrations.waiting().exists()
    return {
        # Deleted since the form was sent: then it is the first, and the director can move the registration.
        "division": contact.division or tournament.divisions.order_by("position", "pk")[0],
        "at": now,
        "state": get_state_with_place(online) if has_place else RegistrationState.WAITING,
        "waits_from": None if has_place else now,
        # A kind that is gone by now is asked for again, instead of one that nobody finds.
        "fee_kind": contact.fee_kind if contact.fee_kind in kinds else "",
        # Whoever withdrew and comes back may have stated another number: what was settled was the former one.
        "number_settled": False,
        **{name: getattr(contact, name) for name in ("name", "club", "rating", "listed", "number")},
    }


def delete_old_requests(now: datetime) -> int:
    """Delete what nobody has confirmed in time; return how many."""
    _rows, by_table = Contact.objects.filter(registration=None, asked_at__lt=now - LINK_VALID_FOR).delete()
    return by_table.get("tournament.Contact", 0)
