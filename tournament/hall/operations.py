"""The hall: its screens, the clock of the round, the ceremony, what is said to all, and which boards are streamed."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.names import fold_text, normalise_text
from tournament.basics.refusals import Refusal, Refusals, find_range_refusals, find_text_refusals
from tournament.core.change import TERMINAL_ACTOR, Actor, Change, RowDeleted, change
from tournament.hall.queries import get_hall, make_first_screen, sort_for_ceremony
from tournament.models import Division, Hall, Screen, StreamedTable, Tournament

MINUTE = 60  # seconds


class NothingInTurn(Refusal, code="nothing_in_turn", field="turns"):
    message = _("Choose at least one thing to show.")


def find_screen_problems(plan: Screen) -> list[Refusal]:
    """Everything that is wrong with how a screen, not stored, is to be set up."""
    problems = find_text_refusals("name", plan.name, limits.SCREEN_NAME)
    problems += find_range_refusals("seconds", plan.seconds, limits.PAGE_SECONDS)
    problems += find_range_refusals("height", plan.height, limits.GLASS_HEIGHT)
    for _shows, seconds in plan.turns:
        problems += find_range_refusals("turns", seconds, limits.PAGE_SECONDS)
    if len(plan.turns) > limits.TURNS_SHOWN.high:
        message = _("%(count)s are too many to show in rotation: at most %(most)s are allowed.")
        most = limits.TURNS_SHOWN.high
        problems.append(Refusal("too_much_in_turn", message, field="turns", count=len(plan.turns), most=most))
    return problems


def add_screen(tournament: Tournament, *, name: str, actor: Actor) -> Screen:
    """Set up one more screen, with the lowest number that is free. Raises `Refusals` with all faults."""
    name = normalise_text(name)
    with change(tournament, actor=actor, verb="add_screen", name=name) as log:
        stored = _get_or_create_screens(log)
        _check_screen_plan(Screen(name=name), stored)
        # Before a number is looked for: where all are taken there is no lowest that is free.
        if len(stored) >= limits.SCREEN.high:
            raise Refusal("too_many_screens", _("A tournament may have %(most)s screens."), most=limits.SCREEN.high)
        screen = make_first_screen(log.tournament)
        screen.number = min(set(limits.SCREEN.numbers) - {stored_screen.number for stored_screen in stored})
        screen.name = name
        log.tell(screen=screen.number)
        return log.create(screen)


def update_screen(tournament: Tournament, number: int, *, plan: Screen, actor: Actor) -> None:
    """Set up a screen as `plan` (not stored) says. Raises `Refusals` with all faults, or `RowDeleted`."""
    values = {field: getattr(plan, field) for field in ("division", "seconds", "is_light", "is_large", "height")}
    values |= {"name": normalise_text(plan.name), "turns": [[str(shows), seconds] for shows, seconds in plan.turns]}
    with change(tournament, actor=actor, verb="set_up_screen", screen=number, name=values["name"]) as log:
        screen = _get_screen(log, number)
        _check_screen_plan(plan, [screen for screen in _get_or_create_screens(log) if screen.number != number])
        # The screen shows its turns at this moment: without any it would have nothing to show.
        if screen.shows == Screen.Shows.IN_TURN and not plan.turns:
            raise Refusals([NothingInTurn()])
        log.save(screen, **values)


def remove_screen(tournament: Tournament, number: int, *, actor: Actor) -> None:
    """Take a screen away; without any there is the first one again. Raises `RowDeleted` if there is no such screen."""
    with change(tournament, actor=actor, verb="remove_screen", screen=number) as log:
        screen = Screen.objects.get(tournament=log.tournament, number=number)
        log.tell(name=screen.name)
        log.delete(screen)


def show_on_screen(tournament: Tournament, number: int, *, shows: Screen.Shows, actor: Actor) -> None:
    """Tell a screen what to show. Raises `NothingInTurn` if nothing is set up for that, or `RowDeleted`."""
    with change(tournament, actor=actor, verb="show_on_screen", screen=number, shows=str(shows)) as log:
        screen = _get_screen(log, number)
        if shows == Screen.Shows.IN_TURN and not screen.turns:
            raise NothingInTurn
        # Pages turn again: whoever held one meant that page, and what is shown now would stand at its first.
        log.save(screen, shows=str(shows), is_paused=False)


def hold_screen_pages(tournament: Tournament, number: int, *, paused: bool, actor: Actor) -> None:
    """Hold the pages of a screen, or let them turn again. Raises `RowDeleted` if there is no such screen."""
    with change(tournament, actor=actor, verb="hold_pages", screen=number) as log:
        log.save(_get_screen(log, number), is_paused=paused)


def _check_screen_plan(plan: Screen, others: Sequence[Screen]) -> None:
    problems = find_screen_problems(plan)
    if plan.name and any(fold_text(plan.name) == fold_text(other.name) for other in others):
        problems.append(
            Refusal("screen_twice", _("There is a screen “%(name)s” already."), field="name", name=plan.name)
        )
    if problems:
        raise Refusals(problems)


def _get_or_create_screens(log: Change) -> list[Screen]:
    """The screens of the tournament; the one that there is without any set up is stored now."""
    screens = list(Screen.objects.filter(tournament=log.tournament).in_order())
    return screens or [log.create(make_first_screen(log.tournament))]


def _get_screen(log: Change, number: int) -> Screen:
    stored_screen = next((screen for screen in _get_or_create_screens(log) if screen.number == number), None)
    if stored_screen is None:
        raise RowDeleted
    return stored_screen


# The clock of the round, which every screen of the hall shows alike: what is stored is when it ends.


def get_or_create_hall(log: Change) -> Hall:
    """The hall's row, stored now if there was none."""
    hall = get_hall(log.tournament)
    return log.create(hall) if hall.pk is None else hall


def set_round_clock(tournament: Tournament, *, minutes: int, actor: Actor) -> None:
    """Set the clock to so many minutes; it stands. Raises `clock_minutes`."""
    low, high = limits.CLOCK.low // MINUTE, limits.CLOCK.high // MINUTE
    if not low <= minutes <= high:
        raise Refusal(
            "clock_minutes",
            _("%(value)s min cannot be set: enter a whole number from %(low)s to %(high)s."),
            field="minutes",
            value=minutes,
            low=low,
            high=high,
        )
    seconds = MINUTE * minutes
    with change(tournament, actor=actor, verb="set_round_clock", minutes=minutes) as log:
        log.save(get_or_create_hall(log), clock_seconds=seconds, clock_left=seconds, clock_ends=None)


def start_round_clock(tournament: Tournament, *, anew: bool = False, actor: Actor) -> None:
    """Let the clock run on; one that is over begins again with the full time, and so does any one if it is started
    `anew`."""
    with change(tournament, actor=actor, verb="start_round_clock") as log:
        hall = get_or_create_hall(log)
        # Pressed while the clock runs, the button changes nothing: a second press, or that of a second helper, would
        # give the round its full time again.
        time_left = 0 if anew else hall.left_at(log.now)
        if not (hall.clock_runs and time_left):
            log.save(hall, clock_left=None, clock_ends=log.now + timedelta(seconds=time_left or hall.clock_seconds))


def pause_round_clock(tournament: Tournament, *, actor: Actor) -> None:
    """Let the clock stand as it is."""
    with change(tournament, actor=actor, verb="pause_round_clock") as log:
        hall = get_or_create_hall(log)
        log.save(hall, clock_left=hall.left_at(log.now), clock_ends=None)


def add_clock_minutes(tournament: Tournament, *, minutes: int = 1, actor: Actor) -> None:
    """Give minutes more, or take some off, as far as the clock allows."""
    with change(tournament, actor=actor, verb="move_round_clock", minutes=minutes) as log:
        hall = get_or_create_hall(log)
        # By what is left under the lock: two who press at once give two minutes.
        time_left = limits.CLOCK_LEFT.nearest(hall.left_at(log.now) + MINUTE * minutes)
        if hall.clock_runs:
            log.save(hall, clock_ends=log.now + timedelta(seconds=time_left))
        else:
            log.save(hall, clock_left=time_left)


def reset_round_clock(tournament: Tournament, *, actor: Actor) -> None:
    """Set the clock back to the full time; it stands."""
    with change(tournament, actor=actor, verb="reset_round_clock") as log:
        hall = get_or_create_hall(log)
        log.save(hall, clock_left=hall.clock_seconds, clock_ends=None)


def shift_running_clocks(*, back: timedelta) -> None:
    """Keep running clocks right after the machine's own clock was put back: they end as much earlier by it."""
    # By the time as it is now: a clock that was over already would run once more, until what was its end.
    for hall in Hall.objects.filter(clock_ends__gt=timezone.now()).select_related("tournament").order_by("pk"):
        seconds = round(back.total_seconds())
        with change(hall.tournament, actor=TERMINAL_ACTOR, verb="keep_round_clock", seconds=seconds) as log:
            # Read again under the lock: somebody may have paused it meanwhile.
            running = get_or_create_hall(log)
            if running.clock_ends is not None:
                log.save(running, clock_ends=running.clock_ends - back)


def set_clock_sound(tournament: Tournament, *, sounds: bool, actor: Actor) -> None:
    """Let the screens sound when ten minutes and one minute are left and at the end, or be silent."""
    with change(tournament, actor=actor, verb="let_clock_sound") as log:
        log.save(get_or_create_hall(log), clock_sounds=sounds)


# What the director shows and says to everybody in the hall: slides of the ceremony, a message, what begins when.


def show_slide(tournament: Tournament, *, slide: int, runs: bool, key: str = "", actor: Actor) -> None:
    """Show this slide of the ceremony, counted from 0; `runs`: those after it follow by themselves. `key`: what it is
    of, by which it is found where others are added before it."""
    with change(tournament, actor=actor, verb="show_slide") as log:
        # A form may send any number; the column holds only so many.
        number = limits.SLIDE.nearest(slide)
        log.save(get_or_create_hall(log), ceremony_slide=number, ceremony_key=key, ceremony_runs=runs)


def skip_slide(tournament: Tournament, *, slide: int, actor: Actor) -> None:
    """Leave a slide out of the ceremony with the pause before it."""
    with change(tournament, actor=actor, verb="skip_slide") as log:
        hall = get_or_create_hall(log)
        log.save(hall, ceremony_skipped=sorted({*hall.ceremony_skipped, limits.SLIDE.nearest(slide)}))


def keep_slide(tournament: Tournament, *, slide: int, actor: Actor) -> None:
    """Take a slide into the ceremony again."""
    with change(tournament, actor=actor, verb="keep_slide") as log:
        hall = get_or_create_hall(log)
        log.save(hall, ceremony_skipped=[skipped for skipped in hall.ceremony_skipped if skipped != slide])


def honour_division_earlier(tournament: Tournament, *, division: int, actor: Actor) -> None:
    """Let the division of this id come one place earlier in the ceremony; the first, or one of another event, stays."""
    with change(tournament, actor=actor, verb="honour_earlier") as log:
        order = sort_for_ceremony(Division.objects.filter(tournament=log.tournament))
        at = next((place for place, other in enumerate(order) if other.pk == division), 0)
        if at:
            log.tell(division=order[at].name)
            order[at - 1 : at + 1] = order[at], order[at - 1]
            # Slides are left out by their numbers, which are others now.
            log.save(get_or_create_hall(log), ceremony_skipped=[])
            for place, moved in enumerate(order, 1):
                if moved.ceremony_place != place:
                    log.save(moved, ceremony_place=place)


def set_hall_message(tournament: Tournament, *, message: str, covers: bool, actor: Actor) -> None:
    """Say something on every screen, over what it shows or (`covers`) instead of it; nothing takes a message back that
    is shown. Raises `Refusals`."""
    text = normalise_text(message)
    # Read without the lock: at worst a message that somebody has just taken back is taken back once more, which writes
    # nothing.
    if not text and get_hall(tournament).message:
        clear_hall_message(tournament, actor=actor)
        return
    if not text:
        raise Refusals([Refusal("message_missing", _("Write what to tell the hall."), field="message")])
    if faults := find_text_refusals("message", text, limits.MESSAGE):
        raise Refusals(faults)
    with change(tournament, actor=actor, verb="say_to_hall", name=text) as log:
        log.save(get_or_create_hall(log), message=text, message_covers=covers)


def clear_hall_message(tournament: Tournament, *, actor: Actor) -> None:
    """Take the message back."""
    with change(tournament, actor=actor, verb="take_message_back") as log:
        log.save(get_or_create_hall(log), message="", message_covers=False)


def set_thanks(tournament: Tournament, *, thanks: str, actor: Actor) -> None:
    """Whom the last slide of the ceremony thanks; "": everybody, in the program's words. Raises `Refusals`."""
    text = normalise_text(thanks)
    if faults := find_text_refusals("thanks", text, limits.MESSAGE):
        raise Refusals(faults)
    with change(tournament, actor=actor, verb="set_thanks") as log:
        log.save(get_or_create_hall(log), thanks=text)


def set_hall_depth(tournament: Tournament, *, depth: int | None, actor: Actor) -> None:
    """Note how far the last row sits from the glass, in metres; None: unknown. Raises `Refusals`."""
    if refusals := find_range_refusals("depth", depth, limits.HALL_DEPTH):
        raise Refusals(refusals)
    with change(tournament, actor=actor, verb="set_hall_depth", metres=depth) as log:
        log.save(get_or_create_hall(log), depth=depth)


def set_countdown(tournament: Tournament, *, at: datetime | None, countdown_for: str, actor: Actor) -> None:
    """Count down to a moment at which something begins; None: to nothing any more. Raises `Refusals`."""
    text = normalise_text(countdown_for)
    if refusals := find_text_refusals("countdown_for", text, limits.MESSAGE):
        raise Refusals(refusals)
    with change(tournament, actor=actor, verb="count_down", name=text) as log:
        # Without a moment the words go, too: a countdown that is set next day would begin with yesterday's.
        log.save(get_or_create_hall(log), countdown_to=at, countdown_for=text if at else "")


# Which tables' boards everybody may see as they are typed: otherwise a running game is its players' own.


def stream_table(division: Division, *, table: int, actor: Actor) -> None:
    """Let everybody see the board of this table, in every round. Raises `Refusals` for a table that cannot be."""
    if refusals := find_range_refusals("table", table, limits.TABLE):
        raise Refusals(refusals)
    with change(division.tournament, actor=actor, verb="stream_table", table=table) as log:
        # Asked under the lock: pressed on two devices, the second changes nothing, where the database would refuse the
        # same table twice.
        if not StreamedTable.objects.filter(division=division, table=table).exists():
            log.create(StreamedTable(division=division, table=table))


def end_table_stream(division: Division, *, table: int, actor: Actor) -> None:
    """Let nobody see it any more."""
    with change(division.tournament, actor=actor, verb="end_stream", table=table) as log:
        log.delete_all(list(StreamedTable.objects.filter(division=division, table=table)))


def set_stream_delay(tournament: Tournament, *, minutes: int, actor: Actor) -> None:
    """Show everybody what is typed of games in progress only after so many minutes; 0: at once. Raises `Refusals`."""
    if refusals := find_range_refusals("minutes", minutes, limits.STREAM_DELAY):
        raise Refusals(refusals)
    with change(tournament, actor=actor, verb="delay_streams", minutes=minutes) as log:
        log.save(get_or_create_hall(log), stream_delay=minutes)


HALL_SETUP = ("clock_seconds", "clock_sounds", "thanks", "stream_delay", "depth")
SCREEN_SETUP = ("number", "name", "turns", "seconds", "is_light", "is_large", "height")
"""What a copied event keeps of a hall and its screens; the rest is of the day."""


def copy_hall(log: Change, source: Tournament, divisions: Mapping[int, Division]) -> None:
    """Set up the hall and the screens as those of `source`, within a change that is open: the clock stands at its full
    time, and a screen shows in turn if it did, else the pairings. `divisions`: new ones by old id."""
    if hall := Hall.objects.filter(tournament=source).first():
        same = {name: getattr(hall, name) for name in HALL_SETUP}
        log.create(Hall(tournament=log.tournament, clock_left=hall.clock_seconds, **same))
    for screen in Screen.objects.filter(tournament=source).in_order():
        copied = Screen(tournament=log.tournament, **{name: getattr(screen, name) for name in SCREEN_SETUP})
        copied.division = None if screen.division_id is None else divisions[screen.division_id]
        if screen.shows == Screen.Shows.IN_TURN:
            copied.shows = screen.shows
        log.create(copied)
