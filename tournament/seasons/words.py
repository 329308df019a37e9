"""A season in words: how it counts, what a figure is, how its events stand."""

from fractions import Fraction

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.qualification import Qualified, QualifiedBy
from scoring.season import (
    TIE_BREAKS,
    EventScore,
    QualifyingRules,
    SeasonCounting,
    SeasonRule,
    SeparatedBy,
    SharedPlaces,
)
from tournament.core.words.figures import (
    NO_FIGURE,
    format_half_wins,
    format_percentage,
    format_points,
    format_rating,
    format_signed,
)
from tournament.seasons.season_table import CountedEvent, EventState, SeasonTable

PLACES_LISTED = 30  # with their points; nobody reads more


def format_season_value(value: Fraction, rule: SeasonRule) -> str:
    """What an event brings, or a total: 37, 5½, +310, 9.33; where points are measured by the median 112.50 %."""
    if rule == SeasonRule.MEDIAN:
        return format_percentage(formats.number_format(round(float(value), 2), decimal_pos=2, use_l10n=True))
    if rule == SeasonRule.SPREAD:
        return format_signed(int(value))
    # Halves are written as those of wins are; a third, as of points that three players share, gets decimals.
    if (2 * value).denominator == 1:
        return format_half_wins(int(2 * value)) if value.denominator == 2 else format_points(int(value))
    return str(formats.number_format(round(float(value), 2), use_l10n=True))


def convert_fraction(value: Fraction) -> int | float:
    """A figure as programs read it: whole, or rounded to four places."""
    return int(value) if value.denominator == 1 else round(float(value), 4)


def format_season_score(score: EventScore, rule: SeasonRule) -> str:
    """What an event brought a player: where places qualify, the place."""
    if rule != SeasonRule.QUALIFYING:
        return format_season_value(score.value, rule)
    return NO_FIGURE if score.showing.place is None else str(score.showing.place)


def format_event_name(counted: CountedEvent) -> str:
    """An event by its tournament; with its division where that has a name of its own."""
    tournament, division = counted.division.tournament, counted.division
    return f"{tournament.name}, {division.name}" if counted.one_of_several else tournament.name


def describe_season_rules(counting: SeasonCounting, *, with_running: bool) -> list[str]:
    """How the season counts: every rule that its table follows, in sentences."""
    qualifies = counting.rule == SeasonRule.QUALIFYING
    sentences = []
    # One event is no condition: nobody is in the table without.
    if counting.least > 1:
        sentences.append(_("at least %(count)s events, as soon as there are so many") % {"count": counting.least})
    if counting.least_percent:
        sentences.append(_("at least %(percent)s%% of the events") % {"percent": counting.least_percent})
    facts = [
        *(list_qualifying_facts(counting.qualifying) if qualifies else [describe_what_counts(counting)]),
        "" if qualifies else describe_best_events(counting.best),
        (_("Listed is whoever has played: %(events)s.") % {"events": "; ".join(sentences)} if sentences else ""),
        _("Unfinished events count as they are.") if with_running else _("Only events that are over count."),
        describe_tie_breaks(counting.rule),
    ]
    return [fact for fact in facts if fact]


def list_qualifying_facts(rules: QualifyingRules) -> list[str]:
    """Which places count, and who qualifies by them, in sentences."""
    tiers = ", ".join(
        _("place %(place)s from %(players)s players") % {"place": place, "players": format_points(players)}
        for place, players in enumerate(rules.tiers, 1)
    )
    divisions = ", ".join(
        _("in division %(division)s up to place %(place)s") % {"division": division, "place": place}
        for division, place in enumerate(rules.division_places, 1)
    )
    needed = {"games": format_points(rules.least_games), "events": rules.least_events, "size": rules.size}
    by_rating = _(
        "%(size)s qualify: first those who do so directly, then by places that count, then by the rating in the "
        "register (games in all: at least %(games)s; events of the season: at least %(events)s). Of equal ratings "
        "whoever has played more in all goes first, then whoever has played more in the season."
    )
    several = _("Of an event with several divisions, each of at least %(players)s players, count: %(places)s.")
    return [
        _("Of an event count: %(places)s.") % {"places": tiers} if tiers else "",
        several % {"players": rules.division_players, "places": divisions} if divisions else "",
        _("A place by which somebody qualifies directly counts for nothing else."),
        by_rating % needed,
    ]


def describe_qualification(qualified: Qualified, table: SeasonTable) -> str:
    """By what somebody qualifies, with the figures."""
    sentence = {
        QualifiedBy.DIRECT: _describe_direct_place,
        QualifiedBy.PLACES: _describe_counted_places,
        QualifiedBy.RATING: _describe_rating,
    }[qualified.by](qualified, table)
    return (
        f"{sentence} {_('Level with others where not all of them can qualify: not decided.')}"
        if qualified.is_open
        else sentence
    )


def _describe_direct_place(found: Qualified, table: SeasonTable) -> str:
    assert found.direct is not None  # it is by that
    event = format_event_name(table.counted[found.direct.event])
    message = ngettext(
        "Place %(place)s, %(event)s: the first qualifies directly.",
        "Place %(place)s, %(event)s: the first %(direct)s qualify directly.",
        found.direct.field.direct,
    )
    return message % {"place": found.direct.place, "event": event, "direct": found.direct.field.direct}


def _describe_counted_places(found: Qualified, _table: SeasonTable) -> str:
    places = sorted(score.showing.place for score in found.row.scores if score.counts and score.showing.place)
    listed = ", ".join(
        _("%(count)s × place %(place)s") % {"count": places.count(place), "place": place}
        for place in dict.fromkeys(places)
    )
    message = ngettext(
        "%(count)s place that counts: %(places)s.", "%(count)s places that count: %(places)s.", len(places)
    )
    return message % {"count": len(places), "places": listed}


def _describe_rating(found: Qualified, _table: SeasonTable) -> str:
    message = _("Rating %(rating)s; games in all: %(games)s; events of the season: %(events)s.")
    candidate = found.candidate
    figures = {"rating": format_rating(candidate.rating), "games": format_points(candidate.games)}
    return message % {**figures, "events": len(found.row.scores)}


def describe_what_counts(counting: SeasonCounting) -> str:
    if counting.rule == SeasonRule.WINS:
        return _("The wins in the tables of the events are added up, halves for draws; a knock-out does not count.")
    if counting.rule == SeasonRule.SPREAD:
        return _("The spread in the tables of the events is added up; a knock-out does not count.")
    if counting.rule == SeasonRule.MEDIAN:
        return _(
            "An event is worth a player’s points in per cent of the median of all who scored in it; the average of the "
            "events is what counts."
        )
    points = ", ".join(map(format_points, counting.points[:PLACES_LISTED]))
    if len(counting.points) > PLACES_LISTED:
        points += " …"
    message = _("Each place in an event gives points, from the first: %(points)s; lower places get none.")
    if counting.shared == SharedPlaces.SPLIT:
        shared = _("Players who share a place split the points of the places that they fill.")
    else:
        shared = _("Players who share a place each get the points of that place.")
    return f"{message % {'points': points}} {shared}"


def describe_best_events(count: int | None) -> str:
    if count is None:
        return _("All events of a player count.")
    message = ngettext(
        "The best event of a player counts; the others are struck out.",
        "The best %(count)s events of a player count; the others are struck out.",
        count,
    )
    return message % {"count": count}


def describe_tie_breaks(rule: SeasonRule) -> str:
    named = {
        SeparatedBy.EVENTS: _("the better single event (then the second best …)"),
        SeparatedBy.WINS: _("the wins in the events that count"),
        SeparatedBy.SPREAD: _("the spread in the events that count"),
        SeparatedBy.FIRSTS: _("first places that count"),
        SeparatedBy.SECONDS: _("second places that count"),
        SeparatedBy.THIRDS: _("third places that count"),
    }
    order = [named[separation] for separation in TIE_BREAKS[rule] if separation != SeparatedBy.TOTAL]
    return _(
        "Equal totals are separated in turn by: %(order)s. Players who are equal in all of these share the rank."
    ) % {"order": ", ".join(order)}


def describe_separation(decided: SeparatedBy | None) -> str:
    """What separates a row from the one above where their totals are equal; empty where they are not."""
    if decided == SeparatedBy.EVENTS:
        return _("by the better single event")
    names = {
        SeparatedBy.WINS: _("by wins"),
        SeparatedBy.SPREAD: _("by spread"),
        SeparatedBy.FIRSTS: _("by first places"),
        SeparatedBy.SECONDS: _("by second places"),
        SeparatedBy.THIRDS: _("by third places"),
    }
    return names.get(decided, "") if decided else ""


def describe_direct_places(counted: CountedEvent) -> str:
    """How many of an event's first places qualify directly; empty for none."""
    count = counted.event.direct
    # The figure is kept where the rule of a season is changed, and told only where it counts.
    if not count or counted.event.season.rule != SeasonRule.QUALIFYING:
        return ""
    message = ngettext("the first qualifies directly", "the first %(count)s qualify directly", count)
    return message % {"count": count}


def describe_event_standing(counted: CountedEvent) -> str:
    if counted.standing == EventState.HIDDEN:
        return _("not public: does not count, and is hidden here")
    if counted.standing == EventState.NOT_BEGUN:
        return _("not begun")
    if counted.standing == EventState.RUNNING:
        return _("running: counts as it stands") if counted.counts else _("running: counts when it is over")
    return _("over: counts")
