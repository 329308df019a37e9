"""A knock-out as it is announced, in words (TSO 6.2)."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.knockout import Criterion, Form
from tournament.models import Knockout
from tournament.plan.knockout import KnockoutPlan

CRITERIA = {
    Criterion.MOST_BINGOS: gettext_lazy("plays of all seven tiles"),
    Criterion.PRELIMINARY_RANK: gettext_lazy("place before the knock-out"),
    Criterion.PLAYING_TIME: gettext_lazy("less time used"),
    Criterion.DECIDER_GAME: gettext_lazy("one more game"),
}
"""The criteria that an announcement may name, as it names them (TSO 6.2.4)."""


def form(plan: KnockoutPlan) -> str:
    """How a match is played, in one phrase with its clause."""
    if plan.form == Form.BEST_OF:
        return _("best of %(games)s games (TSO 6.2.3)") % {"games": plan.best_of}
    if plan.form == Form.DOUBLE:
        return _("two games, the points of both together (TSO 6.2.2)")
    return _("one game (TSO 6.2.1)")


def criteria(plan: KnockoutPlan) -> str:
    """What decides a match that is level, in order, with what always follows (TSO 6.2.4)."""
    named = [str(CRITERIA[Criterion(criterion)]) for criterion in plan.criteria]
    return ", ".join([*named, _("highest game"), _("highest move"), _("lot")])


def in_short(plan: KnockoutPlan) -> str:
    """The knock-out in one phrase: 4 players, one game (TSO 6.2.1)."""
    words = {"size": plan.size, "form": form(plan)}
    return _("%(size)s players, %(form)s") % words


def facts(stored: Knockout | None) -> list[tuple[str, str]]:
    """What the announcement states of the knock-out: label and sentence of each fact; none where there is none."""
    if stored is None:
        return []
    plan = KnockoutPlan.of(stored)
    players = _("The first %(size)s of the table") % {"size": plan.size}
    found = [
        (_("Players"), players),
        (_("Each match"), form(plan)),
        (_("Level matches"), _("%(criteria)s (TSO 6.2.4)") % {"criteria": criteria(plan)}),
    ]
    if plan.third_place:
        found.append((_("Third place"), _("is played for")))
    return found
