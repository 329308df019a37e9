"""The checks of a tournament's settings, which report every fault at once."""

from collections.abc import Mapping
from typing import Any

from django.utils import formats
from django.utils.translation import gettext_lazy as _

from scoring import rulesets
from scoring.standings import DEFAULT_CRITERIA, RankingBasis, TieRule, WithdrawnPlacement
from scoring.team_matches import TeamFormat
from scoring.teams import TeamRule
from tournament.basics import limits
from tournament.basics.languages import PageLanguage, get_usual_language
from tournament.basics.names import normalise_text
from tournament.basics.refusals import NotPrintable, Refusal, find_length_refusals, find_range_refusals
from tournament.models import Tournament
from tournament.pairing.values import ByePolicy, StartPolicy

AWARD_FIGURES = ("bye_spread", "bye_points", "loss_spread")
"""The awards for which an organiser may announce other figures than the ruleset's."""


def get_usual_starts(ruleset: str) -> StartPolicy:
    """Who starts by a ruleset unless something else is announced."""
    rules = rulesets.RULESETS.get(ruleset)
    return StartPolicy.DRAWN if rules and rules.draws_start else StartPolicy.BALANCED


def get_ruleset_defaults(ruleset: str) -> dict[str, object]:
    """The columns that a ruleset has values for; none for an unknown ruleset."""
    rules = rulesets.RULESETS.get(ruleset)
    if rules is None:
        return {}
    return {
        "minutes": rules.default_minutes,
        "basis": rules.basis.value,
        "language": get_usual_language(ruleset).value,
        "starts": get_usual_starts(ruleset).value,
    }


def get_announced_awards(values: Mapping[str, Any], *rules: rulesets.Ruleset) -> dict[str, int | None]:
    """The columns of awards among these values; None, which follows the ruleset, for a ruleset's figure."""
    return {
        name: None if values[name] in [getattr(rulebook.awards, name) for rulebook in rules] else values[name]
        for name in AWARD_FIGURES
        if name in values
    }


def require_paired_event(tournament: Tournament) -> None:
    """Raise `nobody_paired` for an event where players never meet in pairs."""
    if not tournament.rules.is_paired:
        raise Refusal(
            "nobody_paired",
            _("Under the rules of %(ruleset)s nobody is paired: all play alone against the same draw, turn by turn."),
            ruleset=tournament.rules.name,
        )


def require_taking_place(tournament: Tournament) -> None:
    """Raise `called_off` for an event that is called off, of which nothing new is begun: everybody has been told."""
    if tournament.called_off_on is not None:
        raise Refusal(
            "called_off",
            _(
                "The tournament is called off, and its pages say so. Say first that it takes place after all; the "
                "overview leads there."
            ),
        )


def find_settings_problems(tournament: Tournament) -> list[Refusal]:
    """Everything that is wrong with a tournament's settings, stored or not."""
    return [
        *find_text_problems(tournament),
        *_find_clock_problems(tournament),
        *_find_choice_problems(tournament),
        *_find_ranking_problems(tournament),
        *find_range_refusals("bye_spread", tournament.bye_spread, limits.SPREAD),
        *find_range_refusals("bye_points", tournament.bye_points, limits.BYE_POINTS),
        *find_range_refusals("loss_spread", tournament.loss_spread, limits.SPREAD),
        *find_range_refusals("clubs_apart", tournament.clubs_apart, limits.CLUBS_APART),
        *find_range_refusals("team_best", tournament.team_best, limits.TEAM_BEST),
        *find_range_refusals("step_seconds", tournament.step_seconds, limits.STEP_SECONDS),
    ]


def find_text_problems(tournament: Tournament) -> list[Refusal]:
    """Everything that is wrong with a tournament's texts and days."""
    problems: list[Refusal] = []
    if not normalise_text(tournament.name):
        problems.append(Refusal("name_missing", _("A tournament needs a name."), field="name"))
    for field, value, limit in (
        ("name", tournament.name, limits.NAME),
        ("place", tournament.place, limits.PLACE),
        ("announcement", tournament.announcement, limits.ANNOUNCEMENT),
        ("word_list", tournament.word_list, limits.WORD_LIST),
        ("word_list_at", tournament.word_list_at, limits.WORD_LIST_AT),
    ):
        # A line break is no character that can be shown, and an announcement has many.
        lines = value.splitlines() if field == "announcement" else [value]
        if not all(line.replace("\t", " ").isprintable() for line in lines):
            problems.append(NotPrintable(field=field, value=value[:100]))
        else:
            problems += find_length_refusals(field, value, limit)
    if tournament.starts_on and tournament.ends_on and tournament.ends_on < tournament.starts_on:
        days = (tournament.starts_on, tournament.ends_on)
        first, last = (formats.date_format(day, "SHORT_DATE_FORMAT") for day in days)
        message = _("The last day %(last)s lies before the first day %(first)s.")
        problems.append(Refusal("days_reversed", message, field="ends_on", first=first, last=last))
    return problems


def _find_clock_problems(tournament: Tournament) -> list[Refusal]:
    ruleset = rulesets.RULESETS.get(tournament.ruleset)
    if ruleset is None:
        message = _("The ruleset “%(value)s” is not known; one of these is: %(allowed)s.")
        rulesets_known = ", ".join(rulesets.RULESETS)
        return [Refusal("ruleset_unknown", message, field="ruleset", value=tournament.ruleset, allowed=rulesets_known)]
    minutes = tournament.minutes
    if minutes is None:
        return []
    if not ruleset.minutes:
        message = _("%(ruleset)s is played without a clock; leave the minutes (%(value)s) empty.")
        return [Refusal("no_clock", message, field="minutes", ruleset=ruleset.name, value=minutes)]
    return find_range_refusals("minutes", minutes, limits.MINUTES)  # others than the book's are an exception


def _find_choice_problems(tournament: Tournament) -> list[Refusal]:
    problems: list[Refusal] = []
    for field, choices in (
        ("basis", RankingBasis),
        ("ties", TieRule),
        ("withdrawn", WithdrawnPlacement),
        ("starts", StartPolicy),
        ("bye_policy", ByePolicy),
        ("team_rule", TeamRule),
        ("team_format", TeamFormat),
        ("turning", rulesets.BoardTurning),
        ("language", PageLanguage),
    ):
        value = getattr(tournament, field)
        # In the list of members: Python 3.11 refuses to look for a plain text in an enumeration.
        if value not in list(choices):
            message = _("“%(value)s” is not allowed; one of these is: %(allowed)s.")
            problems.append(Refusal("choice_unknown", message, field=field, value=value, allowed=", ".join(choices)))
    return problems


def _find_ranking_problems(tournament: Tournament) -> list[Refusal]:
    order = tournament.order
    rules = rulesets.RULESETS.get(tournament.ruleset)
    book = (rules.clauses.table or rules.name) if rules else tournament.ruleset
    criteria = [criterion.value for criterion in DEFAULT_CRITERIA]
    message = _("“%(value)s” is not a criterion of %(rules)s; these are: %(allowed)s.")
    figures = {"field": "order", "rules": book, "allowed": ", ".join(criteria)}
    problems = [Refusal("criterion_unknown", message, value=name, **figures) for name in order if name not in criteria]
    if twice := sorted({name for name in order if order.count(name) > 1}):
        message = _("A criterion is in the order twice: %(value)s. Name each one once.")
        problems.append(Refusal("criterion_twice", message, field="order", value=", ".join(twice)))
    cap = tournament.spread_cap
    # From a form, a file or a journal: anything that JSON can say may stand in this column.
    caps = [] if cap is None else cap if isinstance(cap, list) else [cap]
    # To Python a bool is an int, but it is no cap.
    possible = all(type(one) is int and limits.SPREAD_CAP.holds(one) for one in caps)
    # An empty list is neither a cap nor none, which is null: nobody could say what round 1 counts.
    if cap == [] or len(caps) > limits.ROUND.high or not possible:
        value, high = ", ".join(str(one) for one in caps[:20]), limits.SPREAD_CAP.high
        message = _(
            "“%(value)s” is not a spread cap: whole numbers from 1 to %(high)s are allowed, one or one for each round."
        )
        problems.append(Refusal("spread_cap", message, field="spread_cap", value=value, high=high))
    return problems
