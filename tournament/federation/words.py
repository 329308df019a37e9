"""A report to a federation in sentences: what is missing, and what is noted of a game."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from scoring.awards import AWARDED_OUTCOMES, Outcome
from tournament.core.reports import Report
from tournament.core.words.figures import append_clause, format_points, name_both_players
from tournament.core.words.outcomes import (
    describe_both_at_fault,
    format_award_reason,
    format_outcome,
    format_withdrawal,
)
from tournament.federation.report import FederationReport, GapCode, ReportGap
from tournament.models import Entry, Pairing, Tournament
from tournament.models.choices import OUTCOME_LABELS
from tournament.pages.frames import make_division_query

_SENTENCES: Mapping[GapCode, str | Promise] = {
    GapCode.TOO_FEW_PLAYERS: gettext_lazy("There are too few players to be paired."),
    GapCode.DRAFT: gettext_lazy("Round %(round)s is drawn but not published, so it is not in the report."),
    GapCode.OPEN_GAMES: ngettext_lazy(
        "Round %(round)s: %(count)s game has no result.", "Round %(round)s: %(count)s games have no result.", "count"
    ),
    GapCode.ROUND_TO_COME: gettext_lazy("Round %(round)s of %(planned)s has not been drawn."),
    GapCode.KNOCKOUT_UNSEEDED: gettext_lazy("The knock-out is announced, but nobody is seeded."),
    GapCode.KNOCKOUT_OPEN: gettext_lazy("The knock-out is not over."),
    GapCode.SESSION_OPEN: gettext_lazy("The session is not over."),
    GapCode.UNSETTLED: ngettext_lazy(
        "Round %(round)s: %(count)s result has not been typed twice alike.",
        "Round %(round)s: %(count)s results have not been typed twice alike.",
        "count",
    ),
    GapCode.POINTS_WAIT: ngettext_lazy(
        "Penalty points of %(count)s incident are in no result.",
        "Penalty points of %(count)s incidents are in no result.",
        "count",
    ),
    GapCode.NOT_ENDED: gettext_lazy("The tournament has not been ended, so its final ranking may still change."),
    GapCode.NO_REASONS: ngettext_lazy(
        "The event deviates from the rules in %(count)s point, and nothing is noted on why and who approved it.",
        "The event deviates from the rules in %(count)s points, and nothing is noted on why and who approved it.",
        "count",
    ),
    GapCode.NO_NUMBER_AT_ALL: gettext_lazy("No player has a number of the federation."),
    GapCode.NO_NUMBER: ngettext_lazy(
        "%(count)s player of %(entered)s has no number of the federation.",
        "%(count)s players of %(entered)s have no number of the federation.",
        "count",
    ),
    GapCode.NO_SHEET: ngettext_lazy(
        "%(count)s of %(played)s games played has neither a score sheet nor a photo.",
        "%(count)s of %(played)s games played have neither a score sheet nor a photo.",
        "count",
    ),
}


def describe_gap(gap: ReportGap, *, several: bool = False) -> str:
    """What is missing, as a sentence; with its division where the event has `several`."""
    # Only here are the language and, by `count` among the figures, the plural chosen.
    sentence = _SENTENCES[gap.code] % gap.figures
    return f"{gap.division.name}: {sentence}" if several and gap.division is not None else str(sentence)


def list_gap_lines(report: FederationReport, *, advisory: bool) -> list[tuple[str, str]]:
    """The gaps that do not make the report incomplete (`advisory`), or those that do: sentence and address of each."""
    several = len(report.divisions) > 1
    return [
        (describe_gap(gap, several=several), make_gap_address(gap, report.tournament))
        for gap in report.gaps
        if gap.is_advisory == advisory
    ]


def make_gap_address(gap: ReportGap, tournament: Tournament) -> str:
    """The page where the gap is mended."""
    query = "" if gap.division is None else make_division_query(gap.division)
    return reverse(gap.page, args=[tournament.slug, *gap.args]) + query


def describe_game_kind(pairing: Pairing) -> str:
    """How a game came out, with the reason where it was awarded; what somebody had instead of a game."""
    if pairing.result is None:
        return _("no result")
    outcome = Outcome(pairing.result.outcome)
    if outcome not in AWARDED_OUTCOMES:
        return str(OUTCOME_LABELS[outcome])
    rules, report = pairing.round.division.tournament.rules, Report.of(pairing.result)
    both = all(outcome.at_fault)
    why = describe_both_at_fault(pairing, report, rules) if both else format_award_reason(report.reason, rules)
    return f"{format_outcome(outcome, name_both_players(pairing))}: {why}"


def describe_odd_game(pairing: Pairing) -> str:
    """What the reader should know about a game that was not simply played and rated; empty for one that was."""
    if pairing.result is None or pairing.result.outcome != Outcome.PLAYED:
        return describe_game_kind(pairing)
    return "" if pairing.is_rated else format_rated(pairing)


def format_rated(pairing: Pairing) -> str:
    """Whether a game is rated; empty for a pairing that is no game."""
    if pairing.second is None:
        return ""
    return _("rated") if pairing.is_rated else _("unrated")


def describe_participation(entry: Entry) -> str:
    """What the reader should know about a player's participation: a guest, late, withdrawn."""
    marks = (
        _("guest") if entry.guest else "",
        _("from round %(number)s") % {"number": entry.first_round} if entry.first_round > 1 else "",
        format_withdrawal(entry),
    )
    return ", ".join(filter(None, marks))


def describe_games(report: FederationReport) -> str:
    """How many games there are, and how many of them are rated."""
    games = [game for division in report.divisions for game in division.games if game.second is not None]
    rated = sum(game.is_rated for game in games)
    figures = {"count": format_points(len(games)), "rated": format_points(rated)}
    message = ngettext(
        "%(count)s game, %(rated)s of them rated", "%(count)s games, %(rated)s of them rated", len(games)
    )
    return message % figures


def list_questions(tournament: Tournament) -> list[str]:
    """What the rules do not settle, a question a line."""
    return [line.strip() for line in tournament.open_questions.splitlines() if line.strip()]


def get_deviations_heading(tournament: Tournament) -> str:
    return append_clause(_("Deviations from the rules, as announced"), tournament.rules.clauses.deviations)
