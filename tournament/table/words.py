"""The criteria of the table, and what separated two of its rows, in words."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring import rulesets, standings
from tournament.core.words.figures import append_clause, format_half_wins, format_points, format_signed, format_sixths
from tournament.models import Division


def describe_moves(division: Division) -> list[str]:
    """How many of a division's table go up and down after the season; none where nobody does."""
    up, down = division.up, division.down
    return [
        *([ngettext("The first goes up.", "The first %(count)s go up.", up) % {"count": up}] if up else []),
        *([ngettext("The last goes down.", "The last %(count)s go down.", down) % {"count": down}] if down else []),
    ]


def describe_spread_cap(ranking: standings.Ranking) -> str:
    """The most that one game's spread counts; an empty text without a cap."""
    caps = ranking.spread_cap
    if not caps:
        return ""
    if len(caps) == 1:
        return _("One game's spread counts %(cap)s at most") % {"cap": caps[0]}
    listed = ", ".join(str(cap) for cap in caps)
    return _("One game's spread counts at most, by round: %(caps)s (the last one repeats)") % {"caps": listed}


TABLE_CRITERION_NAMES: Mapping[standings.Criterion, Promise] = {
    standings.Criterion.KEIZER: gettext_lazy("Keizer points"),
    standings.Criterion.WINS: gettext_lazy("wins"),
    standings.Criterion.SPREAD: gettext_lazy("spread"),
    standings.Criterion.POINTS: gettext_lazy("points"),
    standings.Criterion.HEAD_TO_HEAD: gettext_lazy("head-to-head"),
    standings.Criterion.HIGHEST_GAME: gettext_lazy("highest game"),
    standings.Criterion.LOT: gettext_lazy("lot"),
}

ANNOUNCED_CRITERIA: Mapping[standings.Criterion, Promise] = {
    standings.Criterion.SPREAD: gettext_lazy("a: sum of point differences"),
    standings.Criterion.POINTS: gettext_lazy("b: sum of points"),
    standings.Criterion.HEAD_TO_HEAD: gettext_lazy("c: head-to-head points"),
}
"""Those whose order an announcement may name, as the rules list them (`standings.DEFAULT_CRITERIA`)."""


def get_criterion_name(which: standings.Criterion) -> str:
    """The name of a criterion of the table."""
    return str(TABLE_CRITERION_NAMES[which])


def describe_criteria_order(ranking: standings.Ranking, rules: rulesets.Ruleset) -> str:
    """The order of criteria: wins, then spread, points …; with the clause if basis and criteria are the rules' own."""
    first, *rest = (get_criterion_name(which) for which in ranking.criteria)
    if not rest:
        return _("%(first)s only; players who are level share the rank") % {"first": first}
    phrase = _("%(first)s, then %(rest)s") % {"first": first, "rest": ", ".join(rest)}
    is_own = ranking.shared_ties or ranking.basis != rules.basis
    return phrase if is_own else append_clause(phrase, rules.clauses.table)


def describe_keizer_points(ranking: standings.Ranking) -> str:
    """What counts how much by Keizer; an empty text for other tables."""
    if ranking.basis != standings.RankingBasis.KEIZER:
        return ""
    return _(
        "Keizer points: one's own value, and for a win the opponent's value, for a draw half of it; for a bye two "
        "thirds of one's own value, for a round missed that is charged one third. The values follow the table: of 10 "
        "players the first has 15, and each that follows one less."
    )


HIGHEST_GAME_NAMES: Mapping[int, Promise] = {
    1: gettext_lazy("highest game"),
    2: gettext_lazy("second-highest game"),
    3: gettext_lazy("third-highest game"),
    4: gettext_lazy("fourth-highest game"),
    5: gettext_lazy("fifth-highest game"),
}
"""The places of a list of games, the highest first; `describe_highest_game` says the later ones."""


def describe_highest_game(nth: int) -> str:
    """Which of a player's highest games decided: the highest, the second-highest …"""
    if nth in HIGHEST_GAME_NAMES:
        return str(HIGHEST_GAME_NAMES[nth])
    return _("no. %(place)s of the highest games") % {"place": nth}


def describe_rank_decision(row: standings.Standing, above: standings.Standing | None) -> str:
    """What separated a row from the one above it, with both figures; an empty text where nothing did."""
    if row.decided_by is None or above is None:
        return ""
    if row.detail is not None:
        return _describe_detail(row.decided_by, row.detail)
    mine, theirs = _format_compared_figures(row, above)
    if not mine:
        return get_criterion_name(row.decided_by)
    words = {"criterion": get_criterion_name(row.decided_by), "mine": mine, "theirs": theirs}
    return _("%(criterion)s %(mine)s against %(theirs)s") % words


def _describe_detail(which: standings.Criterion, detail: standings.ComparedFigures) -> str:
    """What decided where the columns of the table do not show it."""
    words: dict[str, Any] = {"mine": format_points(detail.own), "theirs": format_points(detail.above)}
    if which == standings.Criterion.HEAD_TO_HEAD:
        if detail.meetings == 1:
            return _("head-to-head %(mine)s : %(theirs)s") % words
        return _("%(meetings)s direct meetings together %(mine)s : %(theirs)s") % {**words, "meetings": detail.meetings}
    words["criterion"] = describe_highest_game(detail.nth)
    if detail.own is None:
        return _("%(criterion)s: none against %(theirs)s") % words
    return _("%(criterion)s %(mine)s against %(theirs)s") % words


def _format_compared_figures(row: standings.Standing, above: standings.Standing) -> tuple[str, str]:
    """The two figures of the columns that were compared, as written; empty where there are none (lots)."""
    which = row.decided_by
    if which == standings.Criterion.KEIZER:
        return format_sixths(row.keizer), format_sixths(above.keizer)
    # With as many wins fewer losses count: somebody who came late has not played as many games, and 5 against 5 would
    # explain nothing.
    if which == standings.Criterion.WINS and row.half_wins == above.half_wins:
        return _format_record(row), _format_record(above)
    if which == standings.Criterion.WINS:
        return format_half_wins(row.half_wins), format_half_wins(above.half_wins)
    if which == standings.Criterion.SPREAD:
        return format_signed(row.spread), format_signed(above.spread)
    if which == standings.Criterion.POINTS:
        return format_points(row.points), format_points(above.points)
    return "", ""


def _format_record(row: standings.Standing) -> str:
    """Wins and losses, as 5–2."""
    return f"{format_half_wins(row.half_wins)}–{format_half_wins(row.half_losses)}"
