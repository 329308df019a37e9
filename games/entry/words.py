"""What the pages of entry say about the figure on a slip: before time and penalties, or after them."""

from django.utils.translation import gettext as _

from games.core.words import list_named_sides
from scoring import clock as clock_rules
from scoring.awards import Outcome
from tournament.core.reports import Report, SlipFigure, make_final_report, sum_deductions
from tournament.core.words.figures import format_clock
from tournament.models import Pairing, Tournament
from tournament.models.play import SIDES

EXAMPLE_SCORE = 420
EXAMPLE_OVERTIME = 90
EXAMPLE_PENALTY = 10


def has_clock(pairing: Pairing) -> bool:
    """Whether time is asked for at a table: the event is played with a clock, or its result says something of time."""
    result = pairing.result
    noted = result and any(getattr(result, f"{side}_{name}") for side in SIDES for name in ("overtime", "seconds"))
    return pairing.round.division.tournament.minutes is not None or bool(noted)


def has_time_penalties(tournament: Tournament) -> bool:
    """Whether points are taken off for time: there is a clock, and the rules have a figure for it."""
    return tournament.minutes is not None and bool(tournament.rules.overtime_points)


def format_figure_question(*, clock: bool) -> str:
    """What the page asks where something is taken off."""
    if clock:
        return _("Points on the slip: before or after time and penalties")
    return _("Points on the slip: before or after penalties")


def list_figure_choices(*, clock: bool) -> list[tuple[str, str]]:
    """The two answers."""
    if clock:
        gross, net = _("before time and penalties: take them off"), _("after time and penalties: they are taken off")
    else:
        gross, net = _("before penalties: take them off"), _("after penalties: they are taken off")
    return [(SlipFigure.GROSS.value, gross), (SlipFigure.NET.value, net)]


def format_figure_example(pairing: Pairing) -> str:
    """One example with figures of this event's rules."""
    rules = pairing.round.division.tournament.rules
    taken = clock_rules.overtime(EXAMPLE_OVERTIME, rules).points if has_clock(pairing) else 0
    points = taken or EXAMPLE_PENALTY
    words = {"slip": EXAMPLE_SCORE, "points": points, "net": EXAMPLE_SCORE - points}
    if taken:
        return _(
            "Example: %(over)s over costs %(points)s points. %(slip)s before count as %(net)s; %(slip)s after count as "
            "%(slip)s."
        ) % {**words, "over": format_clock(EXAMPLE_OVERTIME)}
    return (
        _("Example: %(points)s penalty points. %(slip)s before count as %(net)s; %(slip)s after count as %(slip)s.")
        % words
    )


def describe_either_figure(pairing: Pairing, sheet: Report) -> list[str]:
    """For each player who has something taken off, what their points come to either way."""
    return [
        _("%(name)s: which? %(slip)s before count as %(net)s; %(slip)s after count as %(slip)s.")
        % {"name": name, "slip": slip, "net": slip - taken}
        for name, slip, taken in _list_points_taken_off(pairing, sheet)
    ]


def describe_both_figures(pairing: Pairing, sheet: Report, figure: SlipFigure) -> list[str]:
    """For each player who has something taken off, the points before and after."""
    found = []
    for name, slip, taken in _list_points_taken_off(pairing, sheet):
        gross = slip if figure == SlipFigure.GROSS else slip + taken
        words = {"name": name, "gross": gross, "points": taken, "net": gross - taken}
        found.append(_("%(name)s: %(gross)s before, %(points)s off, %(net)s count.") % words)
    return found


def _list_points_taken_off(pairing: Pairing, sheet: Report) -> list[tuple[str, int, int]]:
    """Name, points on the slip and what is taken off, of those who have something taken off."""
    rules = pairing.round.division.tournament.rules
    if sheet.outcome != Outcome.PLAYED:
        return []
    is_lost = make_final_report(rules, sheet).outcome != Outcome.PLAYED
    found = []
    for name, side in list_named_sides(pairing, sheet):
        taken = side.penalty if is_lost else sum_deductions(side, rules)
        if side.points is not None and taken:
            found.append((name, side.points, taken))
    return found
