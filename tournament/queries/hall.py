"""The hall of a tournament: its clock and what is said, and its screens."""

from tournament.models import Division, Hall, Screen, StreamedTable, Tournament

USUAL_MINUTES = 60
"""The time of a round where neither the rules nor the announcement name any."""


def planned_minutes(tournament: Tournament) -> int:
    """What a game may take by the announcement: the time that both share, or both players' minutes together."""
    shared = tournament.shared_minutes
    if shared is not None:
        return shared
    return 2 * tournament.minutes if tournament.minutes else USUAL_MINUTES


def hall_of(tournament: Tournament) -> Hall:
    """Clock and message; untouched, and not stored, where nobody has said anything yet. One query."""
    found = Hall.objects.filter(tournament=tournament).first()
    if found is not None:
        found.tournament = tournament
        return found
    seconds = 60 * planned_minutes(tournament)
    return Hall(tournament=tournament, clock_seconds=seconds, clock_left=seconds)


def screens(tournament: Tournament) -> list[Screen]:
    """The screens in order, with their divisions; a first one, not stored, where nobody has set up any. One query."""
    found = list(Screen.objects.filter(tournament=tournament).select_related("division").in_order())
    for screen in found:
        screen.tournament = tournament
        if screen.division is not None:
            screen.division.tournament = tournament
    return found or [first_screen(tournament)]


def first_screen(tournament: Tournament) -> Screen:
    """The screen that there is by itself."""
    shows = Screen.Shows.PAIRINGS if tournament.rules.is_paired else Screen.Shows.DUPLICATE
    return Screen(tournament=tournament, number=1, shows=shows)


def streamed_tables(tournament: Tournament) -> list[StreamedTable]:
    """The tables whose boards are streamed, by division. One query."""
    found = StreamedTable.objects.filter(division__tournament=tournament).select_related("division")
    return list(found.order_by("division__position", "table", "pk"))


def is_streamed(division: Division, table: int) -> bool:
    """Whether the board of a table is streamed. One query."""
    return StreamedTable.objects.filter(division=division, table=table).exists()
