"""Events as a calendar file: for those who have a place in one, and for everybody's calendar."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from django.db.models import Max, Q
from django.urls import reverse
from django.utils import timezone

from tournament.basics.addresses import build_full_address
from tournament.models import JournalEntry, Tournament

if TYPE_CHECKING:
    import icalendar


def write_calendar_file(tournament: Tournament) -> bytes:
    """The days of a tournament as one event of a calendar (RFC 5545); b"" while its first day is not known. The event
    is the same one whenever it is written, so that a later file changes the days in somebody's calendar."""
    return write_calendar([tournament], timezone.now()) if tournament.starts_on else b""


def write_calendar(tournaments: Iterable[Tournament], at: datetime | None = None, name: str = "") -> bytes:
    """The days of several tournaments, those without a day left out, as of `at`, by default when each was made; `name`
    is what the calendar is called."""
    import icalendar  # noqa: PLC0415  # slow to load, and only needed where a calendar is written

    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//TSO//Scrabble//DE")
    calendar.add("version", "2.0")
    # To be read, not an invitation that somebody has to answer.
    calendar.add("method", "PUBLISH")
    if name:
        calendar.add("x-wr-calname", name)
    for tournament in tournaments:
        if tournament.starts_on is not None:
            # By default not the moment of writing: a feed that nothing has changed in would be another file at each
            # look.
            calendar.add_component(_build_event(tournament, at or tournament.created_at))
    return bytes(calendar.to_ical())


OWN_DATA_VERBS = ("update_settings", "set_public", "call_off", "take_place")
"""What changes something that a calendar shows of an event: a result is no news to it."""


def _find_sequence(tournament: Tournament) -> int:
    """A number that rises whenever the event's own data change, or a change of them is taken back. One query. Of an
    event that comes from a hall it rises with every change: what changed there is not in this journal."""
    if tournament.mirror is not None:
        return tournament.revision
    taken_back = Q(verb__in=("undo", "redo"), details__root__in=OWN_DATA_VERBS)
    changes = JournalEntry.objects.filter(Q(verb__in=OWN_DATA_VERBS) | taken_back, tournament=tournament)
    return changes.aggregate(last=Max("number"))["last"] or 0


def _build_event(tournament: Tournament, at: datetime) -> "icalendar.Event":
    import icalendar  # noqa: PLC0415  # as above

    assert tournament.starts_on is not None  # the caller has looked
    created_at = tournament.created_at.isoformat()  # a restored backup gives ids again
    event = icalendar.Event()
    event.add("uid", str(uuid5(NAMESPACE_URL, f"{created_at} {tournament.pk}")))
    # A calendar that has the event already takes a later file by a higher number only.
    event.add("sequence", _find_sequence(tournament))
    event.add("dtstamp", at)
    # Days, not moments: they are the same in every zone. The end is the day after the last one.
    event.add("dtstart", tournament.starts_on)
    event.add("dtend", (tournament.ends_on or tournament.starts_on) + timedelta(days=1))
    event.add("summary", tournament.name)
    if tournament.called_off_on is not None:
        event.add("status", "CANCELLED")
    if tournament.place:
        event.add("location", tournament.place)
    if tournament.is_public:
        event.add("url", build_full_address(reverse("public:tournament", args=[tournament.slug])))
    return event
