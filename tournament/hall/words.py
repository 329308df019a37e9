"""What the screens of the hall and their desk say: names of screens, and what the clock of the round means."""

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.core.words.figures import format_duration
from tournament.core.words.rounds import format_local_time
from tournament.hall.parts import ScreenPart
from tournament.hall.queries import find_clock_start
from tournament.models import Division, Screen, Tournament

MOST_NAMED = 3  # players on a slide that the desk names


def format_screen_name(screen: Screen) -> str:
    """The name of a screen."""
    return screen.name or _("Screen %(number)s") % {"number": screen.number}


SHORTEST_NAME = 3  # a division called A or 1 is named as what it is


def format_division_name(division: Division) -> str:
    """The division in words, so that a letter alone is understood."""
    return _("Division %(name)s") % {"name": division.name} if len(division.name) < SHORTEST_NAME else division.name


def format_division_title(title: str, division: Division | None) -> str:
    """A title, with the division where there are several."""
    return title if division is None else f"{division.name} · {title}"


def list_minutes_choices(tournament: Tournament) -> list[tuple[int, str]]:
    """The usual times for the clock, in order, each with what it is for."""
    shared, own_minutes = tournament.shared_minutes, tournament.minutes
    named = {minutes: format_duration(60 * minutes) for minutes in (25, 30, 35, 90)}
    # By minutes, each offered once: where the whole game has one of the usual times, it stands under what it is for.
    if shared is not None:
        named[shared] = _("%(minutes)s: the whole game") % {"minutes": format_duration(60 * shared)}
    if own_minutes is not None:
        named[own_minutes] = _("%(minutes)s: one player’s time") % {"minutes": format_duration(60 * own_minutes)}
        named[2 * own_minutes] = _("%(minutes)s: both players’ time") % {
            "minutes": format_duration(60 * 2 * own_minutes)
        }
    return sorted(named.items())


def describe_clock_end(tournament: Tournament) -> str:
    """What it means that the clock of the round is over, by the rules of the event."""
    if tournament.shared_minutes is not None:
        return _("Time is up: the game ends, and nobody is penalised.")
    if tournament.minutes is not None:
        return _("The time planned for the round is over. Only the chess clocks count for the games.")
    return _("The time planned for the round is over.")


def describe_clock_start(tournament: Tournament, published_at: datetime) -> str:
    """When the clock was started for a round that was published then; "" if it was not. One query."""
    started = find_clock_start(tournament, published_at)
    return _("it began at %(time)s") % {"time": format_local_time(started)} if started is not None else ""


def describe_round_start(tournament: Tournament, published_at: datetime) -> str:
    """When a round that runs began: as its clock was started, else as it was published. One query."""
    since = _("since %(time)s") % {"time": format_local_time(published_at)}
    return describe_clock_start(tournament, published_at) or since


def describe_listeners(sizes: list[tuple[int, int]]) -> str:
    """Which browsers show a screen just now, by the size of their pages in pixels; "" if none does."""
    named = ", ".join(f"{width} × {height}" for width, height in sizes)
    message = ngettext("%(sizes)s, listening", "%(sizes)s, listening", len(sizes))
    return message % {"sizes": named} if named else ""


def describe_slide(slide: ScreenPart) -> str:
    """What a slide shows, for whoever presents it: Place 3: Aumann, Klara; Place 2, without a name yet."""
    if slide.is_pause:
        return _("%(title)s, without a name yet") % {"title": slide.title}
    if not slide.people:
        return slide.title
    names = "; ".join(entry.name for entry in slide.people[:MOST_NAMED])
    more = len(slide.people) - MOST_NAMED
    names_text = _("%(names)s and %(count)s more") % {"names": names, "count": more} if more > 0 else names
    return f"{slide.title}: {names_text}"
