"""Online entry: how a tournament takes registrations, and what becomes of them."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from django.forms.models import model_to_dict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.names import normalise_text
from tournament.basics.refusals import Refusal, Refusals, find_range_refusals, find_text_refusals
from tournament.core.change import Actor, Change, change
from tournament.core.fees import FEE_COLUMNS, FeeTerms, Payer
from tournament.core.seen import ENTRIES_THING
from tournament.core.settings import require_taking_place
from tournament.entries.operations.entries import EntryDetails, EntryList, MoveOutsideTournament, NewEntry, remove_entry
from tournament.entries.operations.register import MayBeKnown, Person, Register, SeveralPlayersKnown
from tournament.entries.operations.waiting_list import (
    count_free_places,
    get_online_entry,
    move_up_waiting_list,
    notify_registrant,
)
from tournament.fees import FeeKindGone, FeeKindNotChosen, NotedFee, build_fee_columns
from tournament.letters.words import format_moment
from tournament.models import Division, Entry, OnlineEntry, Player, Registration, RegistrationState, Seat, Tournament
from tournament.models.registration import RegistrationQuerySet
from tournament.rounds.drafts import update_draft_reasons
from tournament.table.league import get_last_round_number

# Online entry: whether, when and how a tournament takes registrations.


def find_online_entry_problems(terms: OnlineEntry) -> list[Refusal]:
    """Everything that is wrong with the terms, which need not be stored."""
    problems = find_range_refusals("places", terms.places, limits.PLACES)
    problems += find_range_refusals("minimum", terms.minimum, limits.PLACES)
    if terms.minimum is not None and terms.minimum_day is None:
        message = _("A minimum number needs the day on which it is decided.")
        problems.append(Refusal("minimum_without_day", message, field="minimum_day"))
    problems += find_text_refusals("fee", terms.fee, limits.FEE)
    problems += find_text_refusals("number_system", terms.number_system, limits.NUMBER_SYSTEM)
    if terms.number_required and not terms.number_system:
        message = _("Say of which federation the number is.")
        problems.append(Refusal("number_of_nobody", message, field="number_system"))
    # A note has lines, and the end of a line is no character that can be printed: it is checked as one line.
    problems += find_text_refusals("note", re.sub(r"\s", " ", terms.note), limits.ENTRY_NOTE)
    if terms.opens_at and terms.closes_at and terms.closes_at <= terms.opens_at:
        message = _("Registration would close at %(closes)s, before it opens at %(opens)s. Choose a later time.")
        moments = {"closes": format_moment(terms.closes_at), "opens": format_moment(terms.opens_at)}
        problems.append(Refusal("closes_before_it_opens", message, field="closes_at", **moments))
    return problems


def set_up_online_entry(tournament: Tournament, *, terms: OnlineEntry, actor: Actor) -> OnlineEntry:
    """Write how the tournament takes registrations, as `terms` (not stored) says; added places go to the waiting list.
    Whoever has a place keeps it when there are fewer. Raises `Refusals` with all faults."""
    if faults := find_online_entry_problems(terms):
        raise Refusals(faults)
    # Whether the minimum is settled is not typed: the form would unsettle it with each saving.
    values = model_to_dict(terms, exclude=("id", "tournament", "minimum_settled"))
    with change(tournament, actor=actor, verb="set_up_online_entry") as log:
        stored = get_online_entry(tournament)
        if stored is None:
            stored = log.create(OnlineEntry(tournament=log.tournament, **values))
        else:
            # Another number or day is decided anew.
            same = (stored.minimum, stored.minimum_day) == (terms.minimum, terms.minimum_day)
            log.save(stored, **values, minimum_settled=stored.minimum_settled and same)
    move_up_waiting_list(tournament, actor=actor)
    return stored


OWN_TERMS = ("id", "tournament", "is_on", "opens_at", "closes_at", "minimum_day", "minimum_settled")
"""What a copy of an event has for itself."""


def copy_online_entry(log: Change, source: Tournament) -> None:
    """Take registrations on the terms of `source`, within a change that is open; not yet, and without its days."""
    if (terms := get_online_entry(source)) is not None:
        values = model_to_dict(terms, exclude=OWN_TERMS)
        log.create(OnlineEntry(tournament=log.tournament, **values))


# Registrations: confirmed, refused, withdrawn, moved, and taken over as entries.


@dataclass(slots=True)
class TakeOverResult:
    """The new entries, those that existed and were joined, and registrations left: since their entry has one already,
    or since nobody has said who is meant."""

    new: list[Entry] = field(default_factory=list)
    known: list[Entry] = field(default_factory=list)
    left: list[Registration] = field(default_factory=list)
    unclear: list[Registration] = field(default_factory=list)


def reload_registration(registration: Registration) -> Registration:
    """The registration as it is in the database now."""
    registrations = Registration.objects.select_related(
        "division", "entry__player", "entry__tournament", "entry__division"
    )
    return registrations.get(pk=registration.pk)


def confirm_registration(registration: Registration, *, actor: Actor) -> None:
    """Give somebody a place, whatever became of them, even if none is free. Raises `called_off` or
    `registration_entered`."""
    with change(registration.tournament, actor=actor, verb="confirm_registration", name=registration.name) as log:
        # A minute after the letter that the event does not take place, one said that there is a place in it.
        require_taking_place(log.tournament)
        _save_registration_state(log, registration, RegistrationState.CONFIRMED)


def refuse_registration(registration: Registration, *, why: str, actor: Actor) -> None:
    """Do not accept a registration; the letter says `why`. Raises `Refusals`, `registration_entered`."""
    why = normalise_text(why)
    if faults := find_text_refusals("why", why, limits.WHY):
        raise Refusals(faults)
    about = {"name": registration.name, "why": why}
    with change(registration.tournament, actor=actor, verb="refuse_registration", **about) as log:
        _save_registration_state(log, registration, RegistrationState.REFUSED, why=why)
    move_up_waiting_list(registration.tournament, actor=actor)


def put_on_waiting_list(registration: Registration, *, actor: Actor) -> None:
    """Put somebody at the end of the waiting list. Raises `called_off`, `registration_entered`, or `places_free`."""
    with change(registration.tournament, actor=actor, verb="let_registration_wait", name=registration.name) as log:
        require_taking_place(log.tournament)
        _save_registration_state(log, registration, RegistrationState.WAITING)
        # Asked once the registration has given up its own place, which is free then; the refusal rolls that back.
        if free := count_free_places(log.tournament, get_online_entry(log.tournament)):
            raise Refusal("places_free", _("Free places: %(free)s. The waiting list would move up at once."), free=free)


def withdraw_registration(registration: Registration, *, actor: Actor) -> None:
    """Withdraw a registration, and with it an entry that was never paired; the waiting list moves up. Raises
    `registration_plays`, or what `remove_entry` raises."""
    entry = reload_registration(registration).entry
    if entry is not None:
        if Seat.objects.filter(entry=entry).exists():
            raise Refusal(
                "registration_plays",
                _("%(name)s is already paired. Only the director can withdraw the player now."),
                name=entry.name,
            )
        remove_entry(entry, actor=actor)
        return
    with change(registration.tournament, actor=actor, verb="withdraw_registration", name=registration.name) as log:
        _save_registration_state(log, registration, RegistrationState.WITHDRAWN)
    move_up_waiting_list(registration.tournament, actor=actor)


def _save_registration_state(
    log: Change, registration: Registration, state: RegistrationState, *, why: str = ""
) -> None:
    stored = _reload_without_entry(registration)
    # Pressed twice, it sends one letter, and whoever waits keeps their turn, which is by the moment.
    if stored.state != state:
        log.save(stored, state=state, why=why, waits_from=log.now if state == RegistrationState.WAITING else None)
        notify_registrant(stored, get_online_entry(log.tournament))


def _reload_without_entry(registration: Registration) -> Registration:
    stored = reload_registration(registration)
    if stored.entry is not None:
        raise Refusal(
            "registration_entered",
            _("%(name)s is now an entry (%(key)s). Change that entry instead."),
            name=stored.name,
            key=stored.entry.key,
        )
    return stored


def mark_registration_paid(registration: Registration, *, paid: bool, actor: Actor) -> None:
    """Note whether the fee is paid, for the entry as well, by whose kind it is. Raises `FeeKindNotChosen`."""
    with change(registration.tournament, actor=actor, verb="mark_registration_paid", name=registration.name) as log:
        stored, terms = reload_registration(registration), FeeTerms.of(log.tournament)
        payer: Payer = stored.entry or stored
        # A tick without a kind became the first kind in full: a member who had paid 15.50 stood as a guest with 25.00.
        if paid and terms.lacks_kind(payer):
            raise FeeKindNotChosen(names=stored.name)
        # A tick writes only what is open, and taking it off only what is noted: pressed twice, day and amount stay
        # those of the first time.
        if not terms.weigh(payer).is_settled if paid else _has_payment(payer):
            columns = terms.tick(payer, paid=paid, on=timezone.localdate(log.now))
            log.save(payer, **columns)
            if payer is not stored:
                log.save(stored, **columns, fee_kind=payer.fee_kind)


def note_registration_fee(registration: Registration, *, fee: NotedFee, actor: Actor) -> None:
    """Write the kind of a registration's fee, and what was paid when. Raises `registration_entered`, since the
    entry has them from then on, `FeeKindGone`, `FeeKindNotChosen` or `NumberOutOfRange`."""
    with change(registration.tournament, actor=actor, verb="note_registration_fee", name=registration.name) as log:
        stored, terms = _reload_without_entry(registration), FeeTerms.of(log.tournament)
        columns = build_fee_columns(fee, terms, today=timezone.localdate(log.now))
        # After the columns are built, which refuses a kind that is gone; without a kind nothing that was paid can be
        # booked.
        if not fee.kind and len(terms.kinds) > 1 and (fee.cents is not None or fee.waived):
            raise FeeKindNotChosen(names=stored.name)
        log.save(stored, **columns)


def _has_payment(payer: Payer) -> bool:
    """Whether anything is noted of what somebody paid."""
    return payer.fee_paid or payer.paid_cents is not None or payer.fee_waived


def _choose_fee_kinds(log: Change, registrations: Collection[Registration], kinds: Mapping[int, str]) -> None:
    """Note the kinds that are chosen (keys by registration) where none was. Raises `FeeKindGone`, or `FeeKindNotChosen`
    with the names of those who have paid something nobody knows for what: it is never booked as the first kind."""
    terms = FeeTerms.of(log.tournament)
    cents = {kind.key: kind.cents for kind in terms.kinds}
    lacking = [registration for registration in registrations if terms.lacks_kind(registration)]
    if unknown := [
        registration.name for registration in lacking if _has_payment(registration) and not kinds.get(registration.pk)
    ]:
        raise FeeKindNotChosen(names="; ".join(unknown))
    for paying in lacking:
        if (key := kinds.get(paying.pk, "")) and key not in cents:
            raise FeeKindGone
        if key:
            # A tick from before there was a kind stays one; an amount is held against what the kind costs.
            is_full = paying.fee_paid if paying.paid_cents is None else paying.paid_cents >= cents[key]
            log.save(paying, fee_kind=key, fee_paid=is_full)


def _carry_fee(log: Change, registration: Registration, entry: Entry) -> None:
    """Let an entry have what was paid for the registration, unless something is noted for the entry itself."""
    # What was noted at the desk for the entry is the later word.
    if _has_payment(entry):
        return
    columns = {name: getattr(registration, name) for name in FEE_COLUMNS}
    log.save(entry, **columns | {"fee_kind": registration.fee_kind or entry.fee_kind})


def move_registration(registration: Registration, *, division: Division, actor: Actor) -> None:
    """Move a registration to another division. Raises `MoveOutsideTournament`, `registration_entered`."""
    if division.tournament_id != registration.tournament_id:
        raise MoveOutsideTournament(division=division.name)
    about = {"name": registration.name, "division": division.name}
    with change(registration.tournament, actor=actor, verb="move_registration", **about) as log:
        stored = _reload_without_entry(registration)
        if stored.division_id != division.pk:
            log.save(stored, division=division)


def build_person(registration: Registration) -> Person:
    """Whom an entry is made of. The address stays with the registration: the register needs none."""
    return Person(registration.name, registration.club, registration.rating)


def take_over_registrations(
    tournament: Tournament,
    *,
    chosen: Collection[int],
    anyway: Collection[int] = (),
    meant: Mapping[int, int] = MappingProxyType({}),
    kinds: Mapping[int, str] = MappingProxyType({}),
    actor: Actor,
) -> TakeOverResult:
    """Turn confirmed registrations into entries, all in one change; after the first round they play from the next one.
    `chosen` are their ids. Whoever is entered under exactly the same name and club is taken for the same person, and
    the registration joined to that entry, unless it is said to be somebody else (`anyway`, by id). Where somebody is
    merely alike, it is left until it is said which player of the register is `meant` (by id), or that it is somebody
    else. `kinds`: keys of fees by id, for those whose kind is not known; raises `FeeKindNotChosen` if one of them has
    paid, or `FeeKindGone`."""
    take_over = TakeOverResult()
    with change(tournament, actor=actor, verb="take_registrations") as log:
        log.rely_on(ENTRIES_THING)
        registrations = list(list_ready_registrations(tournament).filter(pk__in=chosen))
        _choose_fee_kinds(log, registrations, kinds)
        entry_list = EntryList(log, [build_person(registration) for registration in registrations], actor)
        players = Player.objects.current().filter(organiser=tournament.organiser_id).select_related("club")
        # Of this organiser alone: the keys are posted, and one of somebody else's register is passed over.
        players_by_pk = players.in_bulk(set(meant.values()))
        divisions = dict.fromkeys(registration.division for registration in registrations)
        first_rounds = {division: get_last_round_number(division) + 1 for division in divisions}
        for ready in registrations:
            player, is_other = players_by_pk.get(meant.get(ready.pk, 0)), ready.pk in anyway
            try:
                # Somebody else by the director's word: asked all the same, the list would find the entry of that name
                # and join them to it.
                twin = None if is_other and player is None else _find_twin_entry(entry_list, ready, player)
            except MayBeKnown:
                take_over.unclear.append(ready)
                continue
            if twin is not None:
                _join_twin(log, ready, twin, take_over)
                entry_list.remember(twin.player, build_person(ready))
                continue
            newcomer = NewEntry(build_person(ready), ready.division, EntryDetails())
            first_round = first_rounds[ready.division]
            entry = entry_list.admit(newcomer, first_round=first_round, player=player, is_other=is_other)
            take_over.new.append(entry)
            _carry_fee(log, ready, entry)
            log.save(ready, entry=entry)
        update_draft_reasons(log, *first_rounds)
        log.tell(count=len(take_over.new) + len(take_over.known))
    return take_over


def find_alike_players(
    tournament: Tournament, registrations: Collection[Registration]
) -> dict[int, tuple[Player, ...]]:
    """The players of the register who may be meant by some of the registrations, by their ids. Three queries."""
    register = Register(tournament.organiser_id, map(build_person, registrations))
    alike = {}
    for registration in registrations:
        try:
            register.find(build_person(registration))
        except MayBeKnown as question:
            alike[registration.pk] = question.players
        # Nobody is asked: of several none is certain, and taking over makes somebody new.
        except SeveralPlayersKnown:
            continue
    return alike


def list_ready_registrations(tournament: Tournament) -> RegistrationQuerySet:
    """Confirmed registrations that are no entries yet, in the order in which they came."""
    registrations = Registration.objects.filter(tournament=tournament, state=RegistrationState.CONFIRMED, entry=None)
    return registrations.select_related("division__tournament").order_by("at", "pk")


def _find_twin_entry(entry_list: EntryList, registration: Registration, player: Player | None) -> Entry | None:
    """Return the entry of the `player` who is meant, else of the same person, as far as name and club say; None if
    there is none. Raises `MayBeKnown`."""
    if player is not None:
        return entry_list.playing.get(player.pk)
    try:
        return entry_list.already(build_person(registration))
    except SeveralPlayersKnown:  # the register has several of that name, and none of them is certain
        return None


def _join_twin(log: Change, registration: Registration, twin: Entry, done: TakeOverResult) -> None:
    # Who has registered twice: the database takes one registration for an entry, and the director is told of the other.
    if Registration.objects.filter(entry=twin).exists():
        done.left.append(registration)
        return
    done.known.append(twin)
    log.save(registration, entry=twin)
    _carry_fee(log, registration, twin)
