"""Registrations as pages list them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.basics.names import fold_text
from tournament.models import Contact, Entry, Letter, OnlineEntry, Registration, RegistrationState, Tournament

STATES_IN_ORDER = (
    RegistrationState.ASKED,
    RegistrationState.CONFIRMED,
    RegistrationState.WAITING,
    RegistrationState.WITHDRAWN,
    RegistrationState.REFUSED,
)
"""The groups of a list, what has to be decided first."""


@dataclass(frozen=True, slots=True)
class RegistrationRow:
    """A registration with the address of whoever sent it ("" if it is gone), the place on the waiting list, whether
    another registration, or an entry that is not its own, has the same name and club."""

    registration: Registration
    email: str
    number: int
    twin: Entry | None
    is_double: bool
    forget_asked: bool


@dataclass(frozen=True, slots=True)
class RegistrationGroup:
    """The registrations of one state."""

    state: RegistrationState
    rows: Sequence[RegistrationRow]


def group_registrations(tournament: Tournament) -> list[RegistrationGroup]:
    """All registrations by what became of them; states that none has are left out. Three queries."""
    found = list(_list_registrations(tournament))
    contacts = {each.registration_id: each for each in Contact.objects.filter(tournament=tournament)}
    waiting = [each for each in found if each.state == RegistrationState.WAITING]
    waiting.sort(key=lambda each: (each.waits_from, each.pk))
    numbers = {each.pk: number for number, each in enumerate(waiting, 1)}
    alive = Counter(each.who for each in found if each.has_place or each.pk in numbers)
    twins = _map_entries_by_name(tournament)
    rows = [_build_registration_row(each, contacts, numbers, alive, twins) for each in found]
    rows.sort(key=lambda row: row.number)
    made = [
        RegistrationGroup(state, [row for row in rows if row.registration.state == state]) for state in STATES_IN_ORDER
    ]
    return [group for group in made if group.rows]


def _list_registrations(tournament: Tournament) -> "Sequence[Registration]":
    found = Registration.objects.filter(tournament=tournament).select_related("division", "entry")
    return list(found.order_by("at", "pk"))


def _map_entries_by_name(tournament: Tournament) -> Mapping[tuple[str, str], Entry]:
    found = Entry.objects.filter(tournament=tournament).with_names().order_by("-pk")
    return {(fold_text(each.name), fold_text(each.club.name if each.club else "")): each for each in found}


def _build_registration_row(
    registration: Registration,
    contacts: Mapping[int | None, Contact],
    numbers: Mapping[int, int],
    alive: Mapping[tuple[str, str], int],
    twins: Mapping[tuple[str, str], Entry],
) -> RegistrationRow:
    contact = contacts.get(registration.pk)
    number = numbers.get(registration.pk, 0)
    is_open = registration.has_place or number > 0
    return RegistrationRow(
        registration=registration,
        email=contact.email if contact else "",
        number=number,
        twin=twins.get(registration.who) if is_open and registration.entry_id is None else None,
        is_double=is_open and alive[registration.who] > 1,
        forget_asked=contact is not None and contact.forget_asked_at is not None,
    )


def count_unconfirmed_requests(tournament: Tournament) -> int:
    """How many have typed the form and not followed their link yet. One query."""
    return Contact.objects.filter(tournament=tournament, registration=None).count()


def list_unsent_letters(tournament: Tournament) -> list[Letter]:
    """Letters that could not be sent so far, with the names of those they are for. One query."""
    found = Letter.objects.filter(tournament=tournament).exclude(fault="").select_related("contact")
    return list(found.order_by("pk"))


def list_public_registrations(tournament: Tournament, online: OnlineEntry) -> list[Registration]:
    """Who has a place or waits and agrees to be named, if the director wants a list. One query."""
    if not online.is_listed:
        return []
    found = Registration.objects.filter(tournament=tournament, listed=True).select_related("division")
    alive = found.filter(state__in=[RegistrationState.CONFIRMED, RegistrationState.WAITING])
    return sorted(alive, key=lambda each: (each.state, fold_text(each.name), each.pk))
