"""Registrations: confirmed, refused, withdrawn, moved, and taken over as entries."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy as _

from tournament import limits, names
from tournament.models import Division, Entry, Registration, RegistrationState, Seat, Tournament
from tournament.models.registration import RegistrationQuerySet
from tournament.operations import draft_reasons, entries, waiting_list
from tournament.operations.change import Actor, Change, change
from tournament.operations.entries import Details, EntryList, Newcomer
from tournament.operations.players import Person, SeveralKnown
from tournament.operations.seen import ENTERED
from tournament.queries import league
from tournament.refusals import NotPrintable, Refusal, Refusals, too_long


class EnteredAlready(Refusal):
    code = "registration_entered"
    message = _("%(name)s is an entry by now (%(key)s). Change that entry instead.")


class PlaysAlready(Refusal):
    code = "registration_plays"
    message = _("%(name)s is paired already. Only the director can withdraw them now.")


class PlacesFree(Refusal):
    code = "places_free"
    message = _("%(free)s places are free: the waiting list would move up at once.")


class DivisionOfAnother(Refusal):
    code = "division_of_another"
    message = _("“%(division)s” is no division of this tournament.")
    field = "division"


@dataclass(frozen=True, slots=True)
class ToTakeOver:
    """A registration to take over. `anyway`: although somebody of the same name and club is entered."""

    pk: int
    anyway: bool = False


@dataclass(slots=True)
class TakenOver:
    """What taking registrations over did: new entries, those that were entered before, and twins of these, left."""

    new: list[Entry] = field(default_factory=list)
    known: list[Entry] = field(default_factory=list)
    left: list[Registration] = field(default_factory=list)


def stored_registration(registration: Registration) -> Registration:
    """The registration as it is in the database now."""
    found = Registration.objects.select_related("division", "entry__player", "entry__tournament", "entry__division")
    return found.get(pk=registration.pk)


def confirm(registration: Registration, *, actor: Actor) -> None:
    """Give somebody a place, from wherever they are: to be confirmed, waiting, withdrawn, refused. It may be one more
    than there are. Raises `EnteredAlready`."""
    with change(registration.tournament, actor=actor, verb="confirm_registration", name=registration.name) as log:
        _settle(log, registration, RegistrationState.CONFIRMED)


def refuse(registration: Registration, *, why: str, actor: Actor) -> None:
    """Do not accept a registration; `why` is told in the letter. Raises `Refusals`, `EnteredAlready`."""
    why = names.tidy(why)
    faults: list[Refusal] = list(too_long("why", why, limits.WHY))
    if not why.isprintable():
        faults.append(NotPrintable(field="why", value=why))
    if faults:
        raise Refusals(faults)
    about = {"name": registration.name, "why": why}
    with change(registration.tournament, actor=actor, verb="refuse_registration", **about) as log:
        _settle(log, registration, RegistrationState.REFUSED, why=why)
    waiting_list.move_up(registration.tournament, actor=actor)


def put_on_waiting_list(registration: Registration, *, actor: Actor) -> None:
    """Put somebody at the end of the waiting list. Raises `EnteredAlready`, `PlacesFree` where nobody needs to wait."""
    with change(registration.tournament, actor=actor, verb="let_registration_wait", name=registration.name) as log:
        _settle(log, registration, RegistrationState.WAITING)
        if free := waiting_list.free(log.tournament, waiting_list.settings_of(log.tournament)):
            raise PlacesFree(free=free)


def withdraw(registration: Registration, *, actor: Actor) -> None:
    """Withdraw a registration, and with it an entry that was never paired; the waiting list moves up.

    Raises `PlaysAlready`, or what `entries.remove_entry` raises.
    """
    entry = stored_registration(registration).entry
    if entry is not None:
        if Seat.objects.filter(entry=entry).exists():
            raise PlaysAlready(name=entry.name)
        entries.remove_entry(entry, actor=actor)
        return
    with change(registration.tournament, actor=actor, verb="withdraw_registration", name=registration.name) as log:
        _settle(log, registration, RegistrationState.WITHDRAWN)
    waiting_list.move_up(registration.tournament, actor=actor)


def _settle(log: Change, registration: Registration, state: RegistrationState, *, why: str = "") -> None:
    stored = stored_registration(registration)
    if stored.entry is not None:
        raise EnteredAlready(name=stored.name, key=stored.entry.key)
    if stored.state == state:
        return
    waits_from = log.now if state == RegistrationState.WAITING else None
    log.save(stored, state=state, why=why, waits_from=waits_from)
    waiting_list.tell(stored, waiting_list.settings_of(log.tournament))


def mark_paid(registration: Registration, *, paid: bool, actor: Actor) -> None:
    """Note whether the fee is paid, for the entry as well."""
    with change(registration.tournament, actor=actor, verb="mark_registration_paid", name=registration.name) as log:
        stored = stored_registration(registration)
        if stored.fee_paid != paid:
            log.save(stored, fee_paid=paid)
        if stored.entry is not None and stored.entry.fee_paid != paid:
            log.save(stored.entry, fee_paid=paid)


def move(registration: Registration, *, division: Division, actor: Actor) -> None:
    """Move a registration to another division. Raises `DivisionOfAnother`, `EnteredAlready`."""
    if division.tournament_id != registration.tournament_id:
        raise DivisionOfAnother(division=division.name)
    about = {"name": registration.name, "division": division.name}
    with change(registration.tournament, actor=actor, verb="move_registration", **about) as log:
        stored = stored_registration(registration)
        if stored.entry is not None:
            raise EnteredAlready(name=stored.name, key=stored.entry.key)
        if stored.division_id != division.pk:
            log.save(stored, division=division)


def person(registration: Registration) -> Person:
    """Whom an entry is made of. The address stays with the registration: the register needs none."""
    return Person(registration.name, registration.club, registration.rating)


def take_over(tournament: Tournament, *, choices: Sequence[ToTakeOver], actor: Actor) -> TakenOver:
    """Make entries of confirmed registrations, all in one change; after the first round they play from the next one.

    Whoever is entered under the same name and club is taken for the same person, and the registration joined to that
    entry, unless it is said to be somebody else (`ToTakeOver.anyway`).
    """
    chosen = {choice.pk: choice for choice in choices}
    done = TakenOver()
    with change(tournament, actor=actor, verb="take_registrations") as log:
        log.rely_on(ENTERED)
        found = list(ready(tournament).filter(pk__in=chosen))
        entry_list = EntryList(log, [person(each) for each in found])
        first = {each.division: league.last_round(each.division) + 1 for each in found}
        for registration in found:
            _take(log, entry_list, registration, first[registration.division], chosen[registration.pk], done)
        draft_reasons.explain_anew(log, *first)
        log.tell(count=len(done.new) + len(done.known))
    return done


def ready(tournament: Tournament) -> RegistrationQuerySet:
    """Confirmed registrations that are no entries yet, in the order they came."""
    found = Registration.objects.filter(tournament=tournament, state=RegistrationState.CONFIRMED, entry=None)
    return found.select_related("division__tournament").order_by("at", "pk")


def twin_of(entry_list: EntryList, registration: Registration) -> Entry | None:
    """The entry of the same person, as far as name and club say."""
    try:
        return entry_list.already(person(registration))
    except SeveralKnown:  # the register has several of that name, and none of them is certain
        return None


def _take(
    log: Change,
    entry_list: EntryList,
    registration: Registration,
    first_round: int,
    choice: ToTakeOver,
    done: TakenOver,
) -> None:
    twin = None if choice.anyway else twin_of(entry_list, registration)
    if twin is None:
        details = Details(fee_paid=registration.fee_paid)
        newcomer = Newcomer(person(registration), registration.division, details)
        entry = entry_list.admit(newcomer, first_round=first_round)
        done.new.append(entry)
        log.save(registration, entry=entry)
    elif Registration.objects.filter(entry=twin).exists():
        done.left.append(registration)
    else:
        done.known.append(twin)
        log.save(registration, entry=twin)
        if registration.fee_paid and not twin.fee_paid:
            log.save(twin, fee_paid=True)
