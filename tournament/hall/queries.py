"""The hall: its clock, its screens, and the tables that are streamed."""

from collections.abc import Iterable
from datetime import datetime

from tournament.models import Division, Hall, JournalEntry, Screen, StreamedTable, Tournament

USUAL_MINUTES = 60  # the time of a round where neither the rules nor the announcement name any


def find_clock_start(tournament: Tournament, since: datetime) -> datetime | None:
    """When the clock of the round was started first since a moment. One query."""
    if tournament.mirror is not None:  # its journal is in the hall
        starts = map(datetime.fromisoformat, tournament.mirror.load_part("hall").get("clock_starts", []))
        return next((moment for moment in starts if moment >= since), None)
    return next(iter(list_clock_starts(tournament, since)), None)


def list_clock_starts(tournament: Tournament, since: datetime | None = None) -> list[datetime]:
    """When the clock of the round was started, the earliest first. One query."""
    started = JournalEntry.objects.filter(tournament=tournament, verb="start_round_clock")
    if since is not None:
        started = started.filter(at__gte=since)
    return list(started.order_by("number").values_list("at", flat=True))


def get_hall(tournament: Tournament) -> Hall:
    """Clock and message, unstored until somebody says something; the clock starts with the minutes announced. One
    query."""
    hall = Hall.objects.filter(tournament=tournament).first()
    if hall is not None:
        hall.tournament = tournament
        return hall
    minutes = tournament.shared_minutes
    if minutes is None:
        # Both players' clocks run one after the other: a round may take the time of both.
        minutes = 2 * tournament.minutes if tournament.minutes else USUAL_MINUTES
    return Hall(tournament=tournament, clock_seconds=60 * minutes, clock_left=60 * minutes)


def list_screens(tournament: Tournament) -> list[Screen]:
    """The screens in order, with their divisions; a first one, not stored, where nobody has set up any. One query."""
    screens = list(Screen.objects.filter(tournament=tournament).select_related("division").in_order())
    for screen in screens:
        screen.tournament = tournament
        if screen.division is not None:
            screen.division.tournament = tournament
    return screens or [make_first_screen(tournament)]


def make_first_screen(tournament: Tournament) -> Screen:
    """The screen that an event has before any is set up."""
    shows = Screen.Shows.PAIRINGS if tournament.rules.is_paired else Screen.Shows.DUPLICATE
    return Screen(tournament=tournament, number=1, shows=shows)


def sort_for_ceremony(divisions: Iterable[Division]) -> list[Division]:
    """The divisions in the order in which they are honoured: as the director has chosen, else the first one last."""
    # No division has a place before the director moves one; from then on all have one.
    return sorted(divisions, key=lambda division: (division.ceremony_place or 0, -division.position, division.pk))


def list_streamed_tables(tournament: Tournament) -> list[StreamedTable]:
    """The tables whose boards are streamed, by division. One query."""
    streamed_tables = StreamedTable.objects.filter(division__tournament=tournament).select_related("division")
    return list(streamed_tables.order_by("division__position", "table", "pk"))


def is_table_streamed(division: Division, table: int) -> bool:
    """Whether the board of a table is streamed. One query."""
    return StreamedTable.objects.filter(division=division, table=table).exists()
