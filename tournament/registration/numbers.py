"""Membership numbers that people state when they register, beside those that the register has from the federation's
list. Whatever differs is asked of the director: nobody is refused by it, and nothing is decided by itself."""

from collections.abc import Collection
from typing import Any

from tournament.basics.names import fold_text
from tournament.core.change import Actor, change
from tournament.entries.operations.register import Register
from tournament.entries.operations.waiting_list import get_online_entry
from tournament.models import OnlineEntry, PlayerNumber, Registration, RegistrationState, Tournament
from tournament.registration.operations import build_person, reload_registration

ASKED_OF = (RegistrationState.ASKED, RegistrationState.CONFIRMED, RegistrationState.WAITING)


def find_number_questions(
    tournament: Tournament, online: OnlineEntry | None, registrations: Collection[Registration]
) -> dict[int, dict[str, Any]]:
    """The stated numbers that are nobody's in the register (`holder` ""), or those of somebody of another name: what
    the director is asked about them, by the registrations' ids; nothing while the register has no number of the
    federation. Three queries."""
    unsettled = [
        registration
        for registration in registrations
        if registration.number and not registration.number_settled and registration.state in map(str, ASKED_OF)
    ]
    if online is None or not online.number_system or not unsettled:
        return {}
    system = fold_text(online.number_system)
    rows = PlayerNumber.objects.filter(organiser=tournament.organiser_id).select_related("player__merged_into")
    # Compared folded, as people write them: the database would tell upper case from lower.
    holders = {fold_text(row.number): row.player.current for row in rows if fold_text(row.system) == system}
    if not holders:
        return {}
    register = Register(tournament.organiser_id, map(build_person, unsettled))
    questions = {}
    for registration in unsettled:
        holder = holders.get(fold_text(registration.number))
        if holder is None or not register.is_called(holder, registration.name):
            questions[registration.pk] = {"number": registration.number, "holder": holder.name if holder else ""}
    return questions


def count_number_questions(tournament: Tournament) -> int:
    """How many stated numbers the director is asked about. At most five queries, two where none is asked for."""
    online = get_online_entry(tournament)
    if online is None or not online.number_system:
        return 0
    stated = list(tournament.registrations.exclude(number="").filter(number_settled=False))
    return len(find_number_questions(tournament, online, stated))


def settle_number(registration: Registration, *, actor: Actor) -> None:
    """Say that a stated number was looked at: it is not asked about any more."""
    with change(registration.tournament, actor=actor, verb="settle_number", name=registration.name) as log:
        log.save(reload_registration(registration), number_settled=True)
