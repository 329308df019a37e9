"""Who sits where in a session, and which wishes that breaks."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from games.models import DuplicateSeat, DuplicateSession
from scoring.seating import SeatingWishes, list_broken_wishes
from tournament.models import Entry, KeptApart


def load_seats(session: DuplicateSession) -> dict[int, DuplicateSeat]:
    """The seats of a session by the primary keys of the entries. One query."""
    return {seat.entry_id: seat for seat in DuplicateSeat.objects.filter(session=session).order_by("number")}


def list_seated_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Who needs a seat: everybody who has not left. The seat of somebody who has is free for others."""
    return [entry for entry in entries if entry.withdrawn_after is None]


def load_seating_wishes(session: DuplicateSession, entries: Sequence[Entry]) -> SeatingWishes:
    """Who is not to sit beside whom, by the entries' ids in the file: the same event seats the same players alike
    wherever it was read in. One query."""
    keys = {entry.pk: entry.key for entry in entries}
    pairs = KeptApart.objects.filter(one__in=keys, other__in=keys).values_list("one", "other")
    clubs = {entry.key: str(entry.club_id) for entry in entries if entry.club_id and session.clubs_apart}
    return SeatingWishes(
        session.seat_row, frozenset(frozenset((keys[one], keys[other])) for one, other in pairs), clubs
    )


def describe_broken_wishes(session: DuplicateSession, entries: Sequence[Entry]) -> list[str]:
    """Who sits beside each other and should not, a sentence each, in the order of the seats. Two queries."""
    seats, by_key = load_seats(session), {entry.key: entry for entry in entries}
    numbers = {entry.key: seats[entry.pk].number for entry in entries if entry.pk in seats}
    sentences = []
    for wish in list_broken_wishes(numbers, load_seating_wishes(session, entries)):
        one, other = by_key[wish.one], by_key[wish.other]
        names = {"one": one.name, "other": other.name, "seat": wish.seat, "next": wish.seat + 1}
        if wish.club:
            message = _(
                "%(one)s and %(other)s of the same club, %(club)s, sit beside each other: seats %(seat)s and %(next)s."
            )
            sentences.append(message % {**names, "club": one.club.name if one.club else ""})
        else:
            message = _("%(one)s and %(other)s are not to sit beside each other: seats %(seat)s and %(next)s.")
            sentences.append(message % names)
    return sentences


def find_public_seat(entry: Entry) -> int | None:
    """Where somebody sits, if everybody may read that; None otherwise. One query."""
    seats = DuplicateSeat.objects.filter(entry=entry, session__seats_public=True)
    # The row stays when somebody leaves, although the seat is free for others by then.
    return None if entry.is_withdrawn else seats.values_list("number", flat=True).first()


def list_public_seats(session: DuplicateSession, entries: Sequence[Entry]) -> list[tuple[Entry, int]]:
    """Who sits where, by name; nobody while the seats are not public. One query, none then."""
    seats = load_seats(session) if session.seats_public else {}
    seated = [(entry, seats[entry.pk].number) for entry in entries if entry.pk in seats]
    return sorted(seated, key=lambda line: (line[0].player.sort_name, line[0].pk))
