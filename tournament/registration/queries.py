"""Registrations as pages list them."""

from collections import Counter
from enum import StrEnum
from typing import Any

from tournament.basics.names import fold_text, make_identity_key, make_sort_key
from tournament.core.fees import FeeTerms
from tournament.models import Contact, Entry, Letter, OnlineEntry, Registration, RegistrationState, Tournament
from tournament.registration.numbers import find_number_questions

STATES_IN_ORDER = (
    RegistrationState.ASKED,
    RegistrationState.CONFIRMED,
    RegistrationState.WAITING,
    RegistrationState.WITHDRAWN,
    RegistrationState.REFUSED,
)
"""The groups of a list, what has to be decided first."""


class FeeState(StrEnum):
    """What is known of the fee of a registration, or of the entry that it became."""

    PAID = "paid"  # or waived
    OPEN = "open"
    NO_KIND = "no_kind"  # which of several kinds is theirs is not known yet


def get_fee_state(registration: Registration, terms: FeeTerms, *, is_asked: bool) -> FeeState | None:
    """Whether the fee is paid; None where nothing is to be paid. `is_asked`: online entry names a fee."""
    payer = registration.entry or registration
    if terms.lacks_kind(payer):
        is_asked_for = registration.has_place or registration.state == RegistrationState.WAITING
        return FeeState.NO_KIND if is_asked_for or payer.fee_paid or payer.paid_cents else None
    fee = terms.weigh(payer)
    # Settled with nothing paid nor waived is a kind that costs nothing: nobody shall read of it that it is paid.
    if (fee.is_settled and fee.paid + fee.waived > 0) if terms.kinds else payer.fee_paid:
        return FeeState.PAID
    is_due = fee.open > 0 if terms.kinds else is_asked and registration.has_place
    return FeeState.OPEN if is_due else None


def group_registrations(
    tournament: Tournament, online: OnlineEntry | None
) -> dict[RegistrationState, list[dict[str, Any]]]:
    """All registrations by what became of them; states that none has are left out. Each has its `fee`, the `email` and
    `phone` of its sender ("" if they are gone) and its `number` on the waiting list. `twin`: an entry of the same name
    and club that is not its own; `is_double`: another registration has them; `number_question`: what the director is
    asked about the membership number. Three queries, three more where membership numbers are asked for."""
    registrations = list(tournament.registrations.select_related("division", "entry").order_by("at", "pk"))
    contacts = {contact.registration_id: contact for contact in Contact.objects.filter(tournament=tournament)}
    waiting = [registration for registration in registrations if registration.state == RegistrationState.WAITING]
    waiting.sort(key=lambda registration: (registration.waits_from, registration.pk))
    numbers = {registration.pk: number for number, registration in enumerate(waiting, 1)}
    # Of those alone who have a place or wait for one: whoever withdrew and came back under another address is not there
    # twice.
    alive = Counter(
        registration.who for registration in registrations if registration.has_place or registration.pk in numbers
    )
    # From the last to the first: of namesakes the dictionary below is left with whoever was entered first.
    entries = Entry.objects.filter(tournament=tournament).with_names().order_by("-pk")
    twins = {
        (make_identity_key(entry.player.name), fold_text(entry.club.name if entry.club else "")): entry
        for entry in entries
    }
    rows, terms = [], FeeTerms.of(tournament)
    questions = find_number_questions(tournament, online, registrations)
    for registration in registrations:
        contact, number = contacts.get(registration.pk), numbers.get(registration.pk, 0)
        is_open = registration.has_place or number > 0
        row: dict[str, Any] = {
            "registration": registration,
            "fee": get_fee_state(registration, terms, is_asked=bool(online and online.fee)),
            "email": contact.email if contact else "",
            "phone": contact.phone if contact else "",
            "number": number,
            "twin": twins.get(registration.who) if is_open and registration.entry_id is None else None,
            "is_double": is_open and alive[registration.who] > 1,
            "forget_asked": contact is not None and contact.forget_asked_at is not None,
            "number_question": questions.get(registration.pk),
        }
        rows.append(row)
    # Only the waiting list has numbers: all others are 0, and stay in the order in which they came.
    rows.sort(key=lambda row: row["number"])
    grouped = {state: [row for row in rows if row["registration"].state == state] for state in STATES_IN_ORDER}
    return {state: listed for state, listed in grouped.items() if listed}


def count_unconfirmed_requests(tournament: Tournament) -> int:
    """How many have typed the form and not followed their link yet. One query."""
    return Contact.objects.filter(tournament=tournament, registration=None).count()


def list_unsent_letters(tournament: Tournament) -> list[Letter]:
    """Letters that could not be sent so far, with the names of those they are for. One query."""
    return list(Letter.objects.filter(tournament=tournament).exclude(fault="").select_related("contact").order_by("pk"))


def list_public_registrations(tournament: Tournament, online: OnlineEntry) -> list[Registration]:
    """Who has a place or waits and agrees to be named, if the director wants a list. One query."""
    if not online.is_listed:
        return []
    registrations = Registration.objects.filter(tournament=tournament, listed=True).select_related("division")
    alive = registrations.filter(state__in=[RegistrationState.CONFIRMED, RegistrationState.WAITING])
    # By the words of the states, too: “confirmed” comes before “waiting” in the alphabet as on the list.
    return sorted(alive, key=lambda one: (one.state, make_sort_key(one.name), one.pk))
