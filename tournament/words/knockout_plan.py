"""A knock-out as it is announced, in words, each with its clause."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.clauses import KnockoutClauses
from scoring.knockout import Form, MatchCriterion
from scoring.rulesets import Ruleset
from tournament.models import Knockout
from tournament.plan.knockout import KnockoutPlan
from tournament.words.clauses import with_clause

CRITERIA = {
    MatchCriterion.MOST_BINGOS: gettext_lazy("plays of all seven tiles"),
    MatchCriterion.PRELIMINARY_RANK: gettext_lazy("place before the knock-out"),
    MatchCriterion.PLAYING_TIME: gettext_lazy("less time used"),
    MatchCriterion.DECIDER_GAME: gettext_lazy("one more game"),
}
"""The criteria that an announcement may name, as it names them."""


def form(plan: KnockoutPlan, clauses: KnockoutClauses) -> str:
    """How a match is played, in one phrase with its clause."""
    if plan.form == Form.BEST_OF:
        said = _("best of %(games)s games") % {"games": plan.best_of}
    elif plan.form == Form.DOUBLE:
        said = _("two games, the points of both together")
    else:
        said = _("one game")
    return with_clause(said, clauses.of(plan.form))


def level(plan: KnockoutPlan, clauses: KnockoutClauses) -> str:
    """What decides a match that is level, in order, with what always follows, and what can never be looked at."""
    named = [MatchCriterion(criterion) for criterion in plan.criteria]
    last = named.index(MatchCriterion.PRELIMINARY_RANK) + 1 if MatchCriterion.PRELIMINARY_RANK in named else None
    listed = ", ".join(str(CRITERIA[criterion]) for criterion in named[:last])
    if last is None:
        listed = ", ".join(filter(None, (listed, _("highest game"), _("highest move"))))
        return _("%(criteria)s; then lots are drawn") % {"criteria": with_clause(listed, clauses.level)}
    if not named[last:]:
        return with_clause(listed, clauses.level)
    rest = ", ".join(str(CRITERIA[criterion]) for criterion in named[last:])
    said = _("%(criteria)s; after that nothing can be level. Never needed: %(rest)s")
    return said % {"criteria": with_clause(listed, clauses.level), "rest": rest}


def in_short(plan: KnockoutPlan, rules: Ruleset) -> str:
    """The knock-out in one phrase: 4 players, one game, with the clause."""
    words = {"size": plan.size, "form": form(plan, rules.clauses.knockout)}
    return _("%(size)s players, %(form)s") % words


def facts(stored: Knockout | None, rules: Ruleset) -> list[tuple[str, str]]:
    """What the announcement states of the knock-out: label and sentence of each fact; empty without a knock-out."""
    if stored is None:
        return []
    plan, clauses = KnockoutPlan.of(stored), rules.clauses.knockout
    players = _("The first %(size)s of the table") % {"size": plan.size}
    found = [
        (_("Players"), players),
        (_("Each match"), form(plan, clauses)),
        (_("Level matches"), level(plan, clauses)),
    ]
    if plan.third_place:
        found.append((_("Third place"), _("is played for")))
    return found
