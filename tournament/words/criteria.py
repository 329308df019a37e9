"""The criteria of the table, and what separated two of its rows, in words."""

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import rulesets, standings
from tournament.words import figures
from tournament.words.clauses import with_clause

CRITERIA: Mapping[standings.Criterion, Promise] = MappingProxyType(
    {
        standings.Criterion.WINS: gettext_lazy("wins"),
        standings.Criterion.SPREAD: gettext_lazy("spread"),
        standings.Criterion.POINTS: gettext_lazy("points"),
        standings.Criterion.HEAD_TO_HEAD: gettext_lazy("direct meeting"),
        standings.Criterion.HIGHEST_GAME: gettext_lazy("highest game"),
        standings.Criterion.LOT: gettext_lazy("lot"),
    }
)

ANNOUNCED: Mapping[standings.Criterion, Promise] = MappingProxyType(
    {
        standings.Criterion.SPREAD: gettext_lazy("a: sum of point differences"),
        standings.Criterion.POINTS: gettext_lazy("b: sum of points"),
        standings.Criterion.HEAD_TO_HEAD: gettext_lazy("c: points in the direct meetings"),
    }
)
"""Those whose order an announcement may name, as the rules list them (`standings.DEFAULT_ORDER`)."""


def criterion(which: standings.Criterion) -> str:
    """The name of a criterion of the table."""
    return str(CRITERIA[which])


def order(ranking: standings.Ranking, rules: rulesets.Ruleset) -> str:
    """The order of criteria as one phrase: wins, then spread, points, direct meeting, highest game.

    Where the criteria are not the rules' own, no clause stands behind.
    """
    first, *rest = (criterion(which) for which in ranking.criteria)
    if not rest:
        return _("%(first)s only; players who are level share the rank") % {"first": first}
    phrase = _("%(first)s, then %(rest)s") % {"first": first, "rest": ", ".join(rest)}
    return phrase if ranking.shared_ties else with_clause(phrase, rules.clauses.table)


def decided_by(row: standings.Standing, above: standings.Standing | None) -> str:
    """What separated a row from the one above it, with both figures; an empty text where nothing did."""
    if row.decided_by is None or above is None:
        return ""
    mine, theirs = _compared(row, above)
    if row.decided_by == standings.Criterion.HEAD_TO_HEAD:
        return _("direct meeting %(mine)s : %(theirs)s") % {"mine": mine, "theirs": theirs}
    if not mine:
        return criterion(row.decided_by)
    words = {"criterion": criterion(row.decided_by), "mine": mine, "theirs": theirs}
    return _("%(criterion)s %(mine)s against %(theirs)s") % words


def _compared(row: standings.Standing, above: standings.Standing) -> tuple[str, str]:
    """The two figures that were compared, as written; empty where there are none (lots)."""
    which = row.decided_by
    if which == standings.Criterion.WINS and row.half_wins == above.half_wins:
        return _record(row), _record(above)
    if which == standings.Criterion.WINS:
        return figures.halves(row.half_wins), figures.halves(above.half_wins)
    if which == standings.Criterion.SPREAD:
        return figures.signed(row.spread), figures.signed(above.spread)
    if which == standings.Criterion.POINTS:
        return figures.points(row.points), figures.points(above.points)
    mine, theirs = row.detail or (None, None)
    if mine is None and theirs is None:
        return "", ""
    return figures.points(mine), figures.points(theirs)


def _record(row: standings.Standing) -> str:
    """Wins and losses, as 5–2."""
    return f"{figures.halves(row.half_wins)}–{figures.halves(row.half_losses)}"
