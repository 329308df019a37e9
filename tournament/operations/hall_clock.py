"""The clock of the round, which every screen of the hall shows alike: what is stored is when it ends."""

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.models import Hall, Tournament
from tournament.operations.change import TERMINAL, Actor, Change, change
from tournament.queries.hall import hall_of
from tournament.refusals import Refusal

MINUTE = 60


class ClockMinutes(Refusal):
    code = "clock_minutes"
    message = _("%(value)s minutes cannot be set: whole numbers from %(low)s to %(high)s are allowed.")
    field = "minutes"


def stored(log: Change) -> Hall:
    """The hall's row, stored now if there was none."""
    found = hall_of(log.tournament)
    return log.create(found) if found.pk is None else found


def set_clock(tournament: Tournament, *, minutes: int, actor: Actor) -> None:
    """Set the clock to so many minutes; it stands. Raises `ClockMinutes`."""
    low, high = limits.CLOCK.low // MINUTE, limits.CLOCK.high // MINUTE
    if not low <= minutes <= high:
        raise ClockMinutes(value=minutes, low=low, high=high)
    seconds = MINUTE * minutes
    with change(tournament, actor=actor, verb="set_round_clock", minutes=minutes) as log:
        log.save(stored(log), clock_seconds=seconds, clock_left=seconds, clock_ends=None)


def start_clock(tournament: Tournament, *, actor: Actor) -> None:
    """Let the clock run, or go on; one that is over begins again with the full time."""
    with change(tournament, actor=actor, verb="start_round_clock") as log:
        hall = stored(log)
        left = hall.left_at(log.now)
        if not (hall.clock_runs and left):
            ends = log.now + timedelta(seconds=left or hall.clock_seconds)
            log.save(hall, clock_left=None, clock_ends=ends)


def pause_clock(tournament: Tournament, *, actor: Actor) -> None:
    """Let the clock stand as it is."""
    with change(tournament, actor=actor, verb="pause_round_clock") as log:
        hall = stored(log)
        log.save(hall, clock_left=hall.left_at(log.now), clock_ends=None)


def add_minute(tournament: Tournament, *, minutes: int = 1, actor: Actor) -> None:
    """Give a minute more, or take some off; not more than the clock has room for."""
    with change(tournament, actor=actor, verb="move_round_clock", minutes=minutes) as log:
        hall = stored(log)
        left = limits.CLOCK_LEFT.nearest(hall.left_at(log.now) + MINUTE * minutes)
        if hall.clock_runs:
            log.save(hall, clock_ends=log.now + timedelta(seconds=left))
        else:
            log.save(hall, clock_left=left)


def reset_clock(tournament: Tournament, *, actor: Actor) -> None:
    """Set the clock back to the full time; it stands."""
    with change(tournament, actor=actor, verb="reset_round_clock") as log:
        hall = stored(log)
        log.save(hall, clock_left=hall.clock_seconds, clock_ends=None)


def keep_what_is_left(*, back: timedelta) -> None:
    """The machine's own clock was put back by so much: let all clocks that run end as much earlier by it."""
    for hall in Hall.objects.filter(clock_ends__gt=timezone.now()).select_related("tournament").order_by("pk"):
        seconds = round(back.total_seconds())
        with change(hall.tournament, actor=TERMINAL, verb="keep_round_clock", seconds=seconds) as log:
            running = stored(log)
            if running.clock_ends is not None:
                log.save(running, clock_ends=running.clock_ends - back)


def let_sound(tournament: Tournament, *, sounds: bool, actor: Actor) -> None:
    """Let the screens sound when ten minutes and one minute are left and at the end, or be silent."""
    with change(tournament, actor=actor, verb="let_clock_sound") as log:
        log.save(stored(log), clock_sounds=sounds)
