"""A season in words: how it counts, what a figure is, how its events stand."""

from fractions import Fraction

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.season import TIE_BREAKS, SeasonCounting, SeasonRule, SeparatedBy, SharedPlaces
from tournament.core.words.figures import format_half_wins, format_points, format_signed
from tournament.seasons.queries import CountedEvent, EventState

PLACES_LISTED = 30  # with their points; nobody reads more


def format_season_value(value: Fraction, rule: SeasonRule) -> str:
    """What an event brings, or a total: 37, 5½, +310, 9.33."""
    if rule == SeasonRule.SPREAD:
        return format_signed(int(value))
    if (2 * value).denominator == 1:
        return format_half_wins(int(2 * value)) if value.denominator == 2 else format_points(int(value))
    return str(formats.number_format(round(float(value), 2), use_l10n=True))


def format_event_name(counted: CountedEvent) -> str:
    """An event by its tournament; with its division where that has a name of its own."""
    tournament, division = counted.division.tournament, counted.division
    return f"{tournament.name}, {division.name}" if counted.one_of_several else tournament.name


def describe_season_rules(counting: SeasonCounting, *, with_running: bool) -> list[str]:
    """How the season counts: every rule that its table follows, in sentences."""
    return [
        describe_what_counts(counting),
        describe_best_events(counting.best),
        _("Unfinished events count as they are.") if with_running else _("Only events that are over count."),
        describe_tie_breaks(counting.rule),
    ]


def describe_what_counts(counting: SeasonCounting) -> str:
    if counting.rule == SeasonRule.WINS:
        return _("The wins in the tables of the events are added up, halves for draws; a knock-out does not count.")
    if counting.rule == SeasonRule.SPREAD:
        return _("The spread in the tables of the events is added up; a knock-out does not count.")
    points = ", ".join(map(format_points, counting.points[:PLACES_LISTED]))
    if len(counting.points) > PLACES_LISTED:
        points += " …"
    said = _("Each place in an event gives points, from the first: %(points)s; lower places get none.")
    if counting.shared == SharedPlaces.SPLIT:
        shared = _("Players who share a place split the points of the places that they fill.")
    else:
        shared = _("Players who share a place each get the points of that place.")
    return f"{said % {'points': points}} {shared}"


def describe_best_events(count: int | None) -> str:
    if count is None:
        return _("All events of a player count.")
    said = ngettext(
        "The best event of a player counts; the others are struck out.",
        "The best %(count)s events of a player count; the others are struck out.",
        count,
    )
    return said % {"count": count}


def describe_tie_breaks(rule: SeasonRule) -> str:
    named = {
        SeparatedBy.EVENTS: _("the better single event (then the second best …)"),
        SeparatedBy.WINS: _("the wins in the events that count"),
        SeparatedBy.SPREAD: _("the spread in the events that count"),
    }
    order = [named[each] for each in TIE_BREAKS[rule] if each != SeparatedBy.TOTAL]
    return _(
        "Equal totals are separated in turn by: %(order)s. Players who are equal in all of these share the rank."
    ) % {"order": ", ".join(order)}


def describe_separation(decided: SeparatedBy | None) -> str:
    """What separates a row from the one above where their totals are equal; empty where they are not."""
    if decided == SeparatedBy.EVENTS:
        return _("by the better single event")
    if decided == SeparatedBy.WINS:
        return _("by wins")
    return _("by spread") if decided == SeparatedBy.SPREAD else ""


def describe_event_standing(counted: CountedEvent) -> str:
    if counted.standing == EventState.HIDDEN:
        return _("not public: does not count, and is hidden here")
    if counted.standing == EventState.NOT_BEGUN:
        return _("not begun")
    if counted.standing == EventState.RUNNING:
        return _("running: counts as it stands") if counted.counts else _("running: counts when it is over")
    return _("over: counts")
