"""What the hall's desk shows: the chosen screen as it looks in the hall, the likely next things, and how far it can be
read."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournament.hall.contents import list_possible_contents
from tournament.hall.listening import ScreenListener
from tournament.hall.parts import ScreenPart, find_shown_slide
from tournament.hall.words import describe_clock_start, describe_listeners, describe_slide, format_screen_name
from tournament.models import Division, Hall, Prize, Screen
from tournament.rounds.phase import DirectorStep, get_division_phase
from tournament.table.league import list_league_rounds
from tournament.table.public_table import find_current_round_number

S = Screen.Shows

KEYS = 3  # and one for a message
CAPITAL_HEIGHT = 0.72  # of the letters' size: what is read are capitals
METRES_BY_MILLIMETRE = 0.4  # from how far a letter of a millimetre's height can be read
SLIDES_BEFORE, SLIDES_AFTER = 1, 4  # named beside the slide that is shown

BETWEEN_ROUNDS = (S.TABLE, S.STATISTICS, S.ROUND_PLAY, S.PAIRINGS)
LIKELY_CONTENTS: dict[DirectorStep, tuple[Screen.Shows, ...]] = {
    DirectorStep.ENTER_PLAYERS: (S.COUNTDOWN, S.CLOCK, S.NOTHING, S.PAIRINGS),
    DirectorStep.PAIR: BETWEEN_ROUNDS,
    DirectorStep.PUBLISH: BETWEEN_ROUNDS,
    DirectorStep.CLOSE: BETWEEN_ROUNDS,
    DirectorStep.CONFIRM_SEEDS: (S.TABLE, S.BRACKET, S.STATISTICS, S.ROUND_PLAY),
    DirectorStep.FINISHED: (S.CEREMONY, S.TABLE, S.STATISTICS, S.NOTHING),
}
"""What is likely to be shown next at each moment, the likeliest first; the first ones that the event has get keys."""

DURING_A_ROUND = (S.CLOCK, S.NAMES, S.TABLE, S.PAIRINGS)
DURING_THE_KNOCKOUT = (S.BRACKET, S.CLOCK, S.PAIRINGS, S.TABLE)
KNOCKOUT_STEPS = {DirectorStep.KNOCKOUT_RESULTS, DirectorStep.DRAW_LOT, DirectorStep.ENTER_WINNER}
AT_A_SESSION = (S.DUPLICATE, S.COUNTDOWN, S.CLOCK, S.NOTHING)


def describe_running_round(division: Division) -> str:
    """When the round that is played now began, if its clock was started; else "". Two queries."""
    last = division.rounds.public().order_by("-published_at", "-pk").first()
    if last is None or last.published_at is None or last.closed_at is not None:
        return ""
    return describe_clock_start(division.tournament, last.published_at)


def make_screen_tab(screen: Screen, heard: list[ScreenListener]) -> dict[str, Any]:
    """A screen to choose at the desk, with what its browsers say in words. `state`: "on", "look" (not heard any more)
    or ""."""
    if listening := [listener for listener in heard if listener.listens]:
        message, state = describe_listeners([(listener.width, listener.height) for listener in listening]), "on"
    elif heard:
        last = timezone.localtime(datetime.fromtimestamp(heard[0].at, UTC))
        message, state = _("not heard since %(time)s") % {"time": date_format(last, "TIME_FORMAT")}, "look"
    else:
        message, state = _("not opened yet"), ""
    return {"screen": screen, "name": format_screen_name(screen), "state": state, "said": message}


def find_moment(division: Division) -> DirectorStep | None:
    """The step at which the division is; before the first round, that players arrive; None for a session. At most eight
    queries."""
    if not division.tournament.rules.is_paired:
        return None
    phase = get_division_phase(division)
    return DirectorStep.ENTER_PLAYERS if phase.is_before_play else phase.step


def list_next_keys(hall: Hall, division: Division, screen: Screen, step: DirectorStep | None) -> list[dict[str, Any]]:
    """The likely next things for this moment: the buttons of the desk and their keys. A key means the same for as long
    as the moment lasts, whatever the screen shows and the clock does: whoever presses 2 has not looked again. At most
    three queries."""
    possible = set(list_possible_contents(screen))
    usual = DURING_THE_KNOCKOUT if step in KNOCKOUT_STEPS else DURING_A_ROUND
    likely = AT_A_SESSION if step is None else LIKELY_CONTENTS.get(step, usual)
    likely_next = [content for content in likely if content in possible][:KEYS]
    return [_make_key(number, shows, hall, division, screen) for number, shows in enumerate(likely_next, 1)]


def _make_key(number: int, shows: Screen.Shows, hall: Hall, division: Division, screen: Screen) -> dict[str, Any]:
    label = str(shows.label)
    starts_clock = shows == S.CLOCK and not hall.clock_is_begun
    if starts_clock:
        label = _("Start the clock and show it")
    elif shows == S.CEREMONY:
        label = _("Begin the ceremony")
    elif shows == S.TABLE and (after := find_current_round_number(list_league_rounds(division))):
        label = _("Standings after round %(number)s") % {"number": after}
    key = {"number": number, "shows": shows, "label": label}
    return {**key, "starts_clock": starts_clock, "is_shown": shows == S(screen.shows)}


def describe_legibility(hall: Hall, screen: Screen, heard: Sequence[ScreenListener]) -> dict[str, Any] | None:
    """From how far the letters on a screen can be read, in words; None if the height of its picture is unknown, or it
    shows no letters. `is_enough`: for the hall's depth, None where that is unknown."""
    listening = next((listener for listener in heard if listener.listens and listener.letters), None)
    if listening is None or screen.height is None:
        return None
    # By the letters' share of the page: pixels say nothing, since a projector makes the same page three metres high.
    letter = screen.height * CAPITAL_HEIGHT * listening.letters / listening.height
    metres = int(letter * METRES_BY_MILLIMETRE)
    if hall.depth is None or metres >= hall.depth:
        legibility = _("readable up to %(metres)s m") % {"metres": metres}
        return {"said": legibility, "is_enough": None if hall.depth is None else True}
    words = {"metres": metres, "depth": hall.depth}
    return {"said": _("readable up to %(metres)s m, the hall is %(depth)s m deep") % words, "is_enough": False}


@dataclass(frozen=True, slots=True)
class SlideName:
    """A slide by its number from 0, and what it will show; `is_left_out`: the ceremony passes over it, and over the
    pause before it. `place` is the slide that is left out with it."""

    number: int
    said: str
    place: int
    is_left_out: bool


def make_ceremony_at_desk(
    hall: Hall, slides: list[ScreenPart], divisions: list[Division], missing: list[Division]
) -> dict[str, Any] | None:
    """Where the ceremony stands; None without slides. One query. All `slides` by name, the one shown (`now`; its
    number is `at`), those `around` it, the number of the one `before` it, the one `following` (None at the end), and
    those `passed_over` between the two, without their pauses. `missing`: the divisions whose final ranking does not
    stand yet; `untold_prizes`: those with prizes that are not public, and so are on no slide."""
    if not slides:
        return None
    untold = [division for division in divisions if not division.prizes_public and division not in missing]
    with_prizes = set(Prize.objects.filter(division__in=untold).values_list("division", flat=True))
    named = [
        SlideName(n, describe_slide(slide), n + slide.is_pause, hall.leaves_out(n, is_pause=slide.is_pause))
        for n, slide in enumerate(slides)
    ]
    at = find_shown_slide(hall, slides)
    following = next((slide for slide in named[at + 1 :] if not slide.is_left_out), None)
    # A pause is left out with the slide that it announces: only that one is named.
    between = named[at + 1 : following.number if following else None]
    return {
        "slides": named,
        "at": at,
        "runs": hall.ceremony_runs,
        "now": named[at],
        "before": next((slide.number for slide in reversed(named[:at]) if not slide.is_left_out), 0),
        "following": following,
        "passed_over": [slide for slide in between if slide.place == slide.number],
        "around": named[max(0, at - SLIDES_BEFORE) : at + 1 + SLIDES_AFTER],
        "missing": ", ".join(division.name for division in missing),
        "untold_prizes": ", ".join(division.name for division in untold if division.pk in with_prizes),
    }
