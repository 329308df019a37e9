"""An event as a calendar file, for those who have a place in it."""

from datetime import timedelta
from uuid import NAMESPACE_URL, uuid5

from django.urls import reverse
from django.utils import timezone

from tournament.basics.addresses import build_full_address
from tournament.models import Tournament


def write_calendar_file(tournament: Tournament) -> bytes:
    """The days of a tournament as one event of a calendar (RFC 5545); b"" while its first day is not known. The event
    is the same one whenever it is written, so that a later file changes the days in somebody's calendar."""
    if tournament.starts_on is None:
        return b""
    import icalendar  # noqa: PLC0415  # slow to load, and only needed where letters are sent

    made = tournament.created_at.isoformat()  # a restored backup gives ids again
    event = icalendar.Event()
    event.add("uid", str(uuid5(NAMESPACE_URL, f"{made} {tournament.pk}")))
    event.add("sequence", tournament.revision)
    event.add("dtstamp", timezone.now())
    # Days, not moments: they are the same in every zone. The end is the day after the last one.
    event.add("dtstart", tournament.starts_on)
    event.add("dtend", (tournament.ends_on or tournament.starts_on) + timedelta(days=1))
    event.add("summary", tournament.name)
    if tournament.place:
        event.add("location", tournament.place)
    if tournament.is_public:
        event.add("url", build_full_address(reverse("public:tournament", args=[tournament.slug])))
    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//TSO//Scrabble//DE")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(event)
    return bytes(calendar.to_ical())
