"""Seats of a session: how many are numbered; who has which, given, drawn or by who comes; who was not entered."""

from dataclasses import asdict, dataclass
from random import Random

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.models import DuplicateSeat, DuplicateSession, DuplicateTurn
from games.sessions.seats import list_seated_entries, load_seating_wishes, load_seats
from scoring import seating
from tournament.basics import limits
from tournament.basics.limits import Range
from tournament.basics.refusals import Refusal, Refusals, find_range_refusals
from tournament.core.change import Actor, Change, change
from tournament.entries.operations.entries import LateEntry, enter_player
from tournament.entries.operations.register import Person
from tournament.models import Entry, Player
from tournament.results.league_games import list_division_entries


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """How the seats are numbered: from 1 to `seat_count`, `seat_row` in a row; whether players of one club are kept
    apart, and whether everybody may read who sits where."""

    seat_count: int = 0
    seat_row: int = 10
    clubs_apart: bool = False
    seats_public: bool = False


def plan_seats(session: DuplicateSession, *, plan: SeatPlan, actor: Actor) -> None:
    """Number the seats of a session, or number them differently. Raises `Refusals` for the figures, or `seat_in_use`
    where somebody has a number that would be gone."""
    faults = find_range_refusals("seat_count", plan.seat_count, limits.SEATS)
    if faults := [*faults, *find_range_refusals("seat_row", plan.seat_row, limits.SEAT_ROW)]:
        raise Refusals(faults)
    division = session.division
    with change(division.tournament, actor=actor, verb="plan_seats", division=division.name) as log:
        # Asked behind the lock: a seat that the desk gives while the director types fewer seats would stand on a number
        # that nobody finds in the hall.
        gone = DuplicateSeat.objects.filter(session=session, number__gt=plan.seat_count).order_by("number")
        if seat := gone.select_related("entry__player").first():
            raise Refusal(
                "seat_in_use",
                _("Seat %(number)s is that of %(name)s, so there cannot be only %(count)s seats. Make it free first."),
                field="seat_count",
                number=seat.number,
                name=seat.entry.player.name,
                count=plan.seat_count,
            )
        log.save(DuplicateSession.objects.get(pk=session.pk), **asdict(plan))


def draw_session_seats(session: DuplicateSession, *, seed: int, anew: bool = False, actor: Actor) -> int:
    """Draw seats for everybody who has none; `anew`: also for those whose seats were drawn before. Given seats stay.
    The same seed seats the same players alike. Return how many have been seated. Raises `Refusals` for the seed,
    `seats_not_numbered`, `too_few_seats`, or `already_seated` once the first turn is drawn."""
    if faults := find_range_refusals("seed", seed, limits.DUPLICATE_SEED):
        raise Refusals(faults)
    division = session.division
    with change(division.tournament, actor=actor, verb="draw_seats", division=division.name) as log:
        stored = _get_numbered_session(session)
        if anew and DuplicateTurn.objects.filter(session=stored).exists():
            raise Refusal(
                "already_seated",
                _("The session has begun and everybody sits, so seats are no longer drawn anew."),
                field="anew",
            )
        entries = list_seated_entries(list_division_entries(division))
        keys = {entry.pk: entry.key for entry in entries}
        free_seats, seats_in_use = [], {}
        for pk, seat in load_seats(stored).items():
            # Seats of those who have left are drawn like free ones: their rows go with those that are drawn anew.
            if pk in keys and not (anew and not seat.is_given):
                seats_in_use[keys[pk]] = seat.number
            else:
                free_seats.append(seat)
        players = [entry.key for entry in entries if entry.key not in seats_in_use]
        if len(entries) > stored.seat_count:
            raise Refusal(
                "too_few_seats",
                _("Numbered seats: %(seats)s, players: %(players)s. Number more seats first."),
                seats=stored.seat_count,
                players=len(entries),
            )
        wishes = load_seating_wishes(stored, entries)
        # With a word of its own beside the seed: the tiles of the session may be drawn by the same number.
        drawn = seating.draw_seats(players, seats_in_use, stored.seat_count, wishes, Random(f"{seed}/seats"))
        # Gone before others are made: the database has each seat and each player of a session once.
        log.delete_all(free_seats)
        log.create_all(
            DuplicateSeat(session=stored, entry=entry, number=drawn[entry.key])
            for entry in entries
            if entry.key in drawn
        )
        # A draw that seats nobody keeps the number of the one by which people sit.
        if drawn:
            log.save(stored, seat_seed=seed)
        log.tell(count=len(drawn))
        return len(drawn)


def give_seat(session: DuplicateSession, *, entry: Entry, number: int | None = None, actor: Actor) -> DuplicateSeat:
    """Give a player this seat, or the next free one beside nobody whom they are not to sit beside; theirs so far is
    free. Raises `seats_not_numbered`, `not_in_division`, `seat_taken`, `no_seat_left`, or `Refusals` for the number."""
    division, about = session.division, {"names": [entry.player.name]}
    with change(division.tournament, actor=actor, verb="give_seat", division=division.name, **about) as log:
        return _give_seat(log, session, entry, number)


def _give_seat(log: Change, session: DuplicateSession, entry: Entry, number: int | None) -> DuplicateSeat:
    stored = _get_numbered_session(session)
    entries = list_seated_entries(list_division_entries(session.division))
    by_pk = {other.pk: other for other in entries}
    if entry.pk not in by_pk:
        raise Refusal(
            "not_in_division", _("%(name)s does not play in this division."), field="entry", name=entry.player.name
        )
    seats = load_seats(stored)
    # Without their own: whoever asks for the next free seat may be given the one that they have.
    own = seats.pop(entry.pk, None)
    # Without seats of those who have withdrawn: these are free for whoever comes, and are emptied below.
    seats_in_use = {by_pk[pk].key: seat.number for pk, seat in seats.items() if pk in by_pk}
    if number is None:
        wishes = load_seating_wishes(stored, entries)
        number = seating.choose_seat(entry.key, seats_in_use, stored.seat_count, wishes)
    if number is None:
        raise Refusal(
            "no_seat_left",
            _("All %(count)s seats are taken. Number more of them first."),
            count=stored.seat_count,
        )
    if faults := find_range_refusals("number", number, Range(1, stored.seat_count)):
        raise Refusals(faults)
    holder = next((seat for seat in seats.values() if seat.number == number), None)
    if holder is not None and holder.entry_id in by_pk:
        raise Refusal(
            "seat_taken",
            _("Seat %(number)s is that of %(name)s. Choose a free one, or make it free first."),
            field="number",
            number=number,
            name=by_pk[holder.entry_id].name,
        )
    log.tell(seat=number)
    # A seat that was drawn and is now given is written anew, although it is the same: only a given one outlasts the
    # next draw.
    if own is not None and own.number == number and own.is_given:
        return own
    log.delete_all([seat for seat in (own, holder) if seat is not None])
    return log.create(DuplicateSeat(session=stored, entry=entry, number=number, is_given=True))


def free_seat(seat: DuplicateSeat, *, actor: Actor) -> None:
    """Make a seat free; whoever had it has none."""
    division, about = seat.session.division, {"names": [seat.entry.player.name], "seat": seat.number}
    with change(division.tournament, actor=actor, verb="free_seat", division=division.name, **about) as log:
        log.delete(DuplicateSeat.objects.get(pk=seat.pk))


def seat_newcomer(
    session: DuplicateSession,
    *,
    person: Person,
    number: int | None = None,
    anyway: bool = False,
    meant: Player | None = None,
    actor: Actor,
) -> DuplicateSeat:
    """Enter somebody who sits down without being entered, as there, with this seat or the next free one; both or
    neither. Raises what `enter_player` and `give_seat` raise."""
    with transaction.atomic():
        here = LateEntry(is_here=True)
        entry = enter_player(session.division, person=person, late=here, anyway=anyway, meant=meant, actor=actor)
        return give_seat(session, entry=entry, number=number, actor=actor)


def _get_numbered_session(session: DuplicateSession) -> DuplicateSession:
    """The session behind the lock. Raises `seats_not_numbered`."""
    stored = DuplicateSession.objects.get(pk=session.pk)
    if not stored.seat_count:
        raise Refusal(
            "seats_not_numbered", _("The seats of this session are not numbered yet. Say how many there are first.")
        )
    return stored
