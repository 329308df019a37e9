"""Games that were not simply played, in words: marks, reasons and awards."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import awards, rulesets
from tournament.core.reports import Report
from tournament.core.words.figures import (
    append_clause,
    format_duration,
    format_points,
    format_signed,
    name_both_players,
)
from tournament.models import Entry, Pairing, Tournament
from tournament.models.choices import AWARD_REASON_LABELS, OUTCOME_LABELS


def format_outcome_choice(outcome: awards.Outcome, names: tuple[str, ...]) -> str:
    """The outcome of a game between these two, as a choice for whoever enters it."""
    if all(outcome.at_fault):
        return _("Both lose by award")
    for name, is_at_fault in zip(names, outcome.at_fault, strict=True):
        if is_at_fault:
            return _("%(name)s loses by award") % {"name": name}
    return {awards.Outcome.PLAYED: _("The game was played")}[outcome]


def format_outcome(outcome: awards.Outcome, names: tuple[str, ...]) -> str:
    """How a game of these two ended, or what one of them had instead of a game."""
    if all(outcome.at_fault):
        return _("both lose by award")
    return format_outcome_choice(outcome, names) if any(outcome.at_fault) else str(OUTCOME_LABELS[outcome])


def format_short_report(report: Report, names: tuple[str, ...]) -> str:
    """The two scores as people say them, and the outcome unless the game was played."""
    scored = report.first.points is not None and report.second.points is not None
    scores = [f"{report.first.points} : {report.second.points}"] if scored else []
    if scores and report.outcome == awards.Outcome.PLAYED:
        return scores[0]
    return ", ".join([*scores, format_outcome(report.outcome, names)])


def format_outcome_mark(outcome: awards.Outcome) -> str:
    """The short mark beside a result; empty for a played game."""
    marks = {
        awards.Outcome.FIRST_FORFEITS: _("forfeit"),
        awards.Outcome.SECOND_FORFEITS: _("forfeit"),
        awards.Outcome.BOTH_FORFEIT: _("both lose"),
        awards.Outcome.BYE: _("bye"),
        awards.Outcome.ABSENT: _("absent"),
    }
    return marks.get(outcome, "")


def format_missing_opponent(outcome: awards.Outcome) -> str:
    """What stands in place of a missing opponent."""
    return {awards.Outcome.BYE: _("Bye"), awards.Outcome.ABSENT: _("absent")}[outcome]


def abbreviate_outcome(outcome: awards.Outcome) -> str:
    """The same for a cell a few letters wide; empty for a game."""
    return {awards.Outcome.BYE: _("bye"), awards.Outcome.ABSENT: _("abs.")}.get(outcome, "")


def describe_announced_credit(outcome: awards.Outcome, credit: awards.Credit) -> str:
    """What a bye or an absence counts as, for the player to read beforehand; without the clause."""
    sentence = {
        awards.Outcome.BYE: ngettext(
            "Bye: counts as a win with %(spread)s and %(points)s point.",
            "Bye: counts as a win with %(spread)s and %(points)s points.",
            credit.points,
        ),
        awards.Outcome.ABSENT: _("Absent: counts as a loss with %(spread)s."),
    }[outcome]
    return sentence % {"spread": format_signed(credit.spread), "points": format_points(credit.points)}


def format_withdrawal(entry: Entry) -> str:
    """The mark of a player who withdrew or was disqualified, with the last round if they left after one; empty for
    whoever plays on."""
    if entry.withdrawn_after is None:
        return ""
    after = {"number": entry.withdrawn_after}
    if entry.disqualified:
        return _("disqualified after round %(number)s") % after if entry.withdrawn_after else _("disqualified")
    return _("withdrawn after round %(number)s") % after if entry.withdrawn_after else _("withdrawn")


def abbreviate_withdrawal(entry: Entry) -> str:
    """The same where there is room for one word."""
    if entry.disqualified:
        return _("disqualified")
    return _("withdrawn") if entry.is_withdrawn else ""


def abbreviate_missed_round(entry: Entry, number: int) -> str:
    """Why a player has no game, bye or absence in a round, for a cell of the cross table."""
    if number < entry.first_round:
        return _("from R %(number)s") % {"number": entry.first_round}
    if entry.withdrawn_after is not None and number > entry.withdrawn_after:
        return abbreviate_withdrawal(entry)
    return _("did not play")


def format_missed_round(entry: Entry, number: int) -> str:
    """The same as a phrase, for the player's card."""
    if number < entry.first_round:
        return _("not playing yet")
    if entry.withdrawn_after is not None and number > entry.withdrawn_after:
        return format_withdrawal(entry)
    return _("did not play")


def describe_missed_rounds(entry: Entry, numbers: Iterable[int]) -> str:
    """The rounds in which a player had no game, bye or absence, and why: a line below the cross table."""
    reasons: dict[str, list[str]] = {}
    for number in numbers:
        reasons.setdefault(format_missed_round(entry, number), []).append(_("R%(number)s") % {"number": number})
    reasons_text = ", ".join(f"{why} ({', '.join(rounds)})" for why, rounds in reasons.items())
    return _("%(name)s: %(reason)s") % {"name": entry.name, "reason": reasons_text}


def format_award_reason(which: awards.AwardReason | None, rules: rulesets.Ruleset) -> str:
    """Why a game was lost by award, as part of a sentence, with the clause; None counts as another breach."""
    late = rules.lateness_limit
    reasons = {
        awards.AwardReason.NO_SHOW: _("did not show"),
        awards.AwardReason.LATE: _("too late")
        if late is None
        else _("more than %(time)s late") % {"time": format_duration(late)},
        awards.AwardReason.OVERTIME: _("overtime beyond the limit"),
        awards.AwardReason.DISQUALIFIED: _("disqualified"),
        awards.AwardReason.OTHER: _("breach of the rules"),
    }
    # A file of another program may state an award without a reason.
    which = which or awards.AwardReason.OTHER
    return append_clause(reasons[which], rules.clauses.forfeits.of(which))


def format_reason_label(which: awards.AwardReason, rules: rulesets.Ruleset) -> str:
    """A reason for an award as a choice in a form, with the rules' figure and clause."""
    label, late = str(AWARD_REASON_LABELS[which]), rules.lateness_limit
    if which == awards.AwardReason.LATE and late is not None:
        label = _("More than %(time)s late") % {"time": format_duration(late)}
    return label if which == awards.AwardReason.OTHER else append_clause(label, rules.clauses.forfeits.of(which))


def describe_both_at_fault(pairing: Pairing, report: Report, rules: rulesets.Ruleset) -> str:
    """Why both players lose: one reason, or each player's name and own reason. Reads the prefetched seats."""
    first, second = report.reasons
    # One reason for both is told once, without names.
    if first == second or pairing.second is None:
        return format_award_reason(first, rules)
    names = name_both_players(pairing)
    words = zip(names, (format_award_reason(first, rules), format_award_reason(second, rules)), strict=True)
    return "; ".join(_("%(name)s: %(reason)s") % {"name": name, "reason": why} for name, why in words)


def describe_credit(credit: awards.Credit) -> str:
    """The spread and the points that a game without a score gives: −150 and 0 points."""
    words = ngettext("%(spread)s and %(points)s point", "%(spread)s and %(points)s points", credit.points)
    return words % {"spread": format_signed(credit.spread), "points": format_points(credit.points)}


def describe_award(pairing: Pairing, report: Report, tournament: Tournament) -> str:
    """What a forfeit, bye or absence credits to whom and why; empty for a played game. Reads the prefetched seats."""
    outcome = report.outcome
    scores = (report.first.points, report.second.points)
    # By the announced awards and not by the book's: the organiser may credit a bye with other figures.
    credits = awards.credit(outcome, *scores, tournament.awards, spread=report.spread)
    names = name_both_players(pairing)
    credited = "; ".join(
        f"{name} {describe_credit(credit)}" if pairing.second else describe_credit(credit)
        for name, credit in zip(names, credits, strict=True)
        if name and credit is not None
    )
    if outcome == awards.Outcome.PLAYED:
        return ""
    if outcome not in awards.AWARDED_OUTCOMES:
        return _("Credited: %(credits)s.") % {"credits": credited}
    rules = tournament.rules
    if all(outcome.at_fault):
        reason = describe_both_at_fault(pairing, report, rules)
        return _("Both at fault: %(reason)s. Credited: %(credits)s.") % {"reason": reason, "credits": credited}
    why = {"reason": format_award_reason(report.reason, rules), "credits": credited}
    return _("%(name)s: %(reason)s. Credited: %(credits)s.") % {**why, "name": names[0 if outcome.at_fault[0] else 1]}
