"""What the pages of results say: what is odd, what the clock costs, what a result credits and changes."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import awards, clock, rulesets
from scoring.awards import AwardReason, Outcome
from tournament.basics.names import format_spoken_name
from tournament.basics.refusals import Refusal
from tournament.core.reports import (
    USUAL_POINTS,
    USUAL_SPREAD,
    Oddity,
    PlayerReport,
    Report,
    find_oddities,
    make_final_report,
)
from tournament.core.words.figures import (
    format_clock,
    format_points,
    format_score,
    format_signed,
    insert_clause,
    name_both_players,
)
from tournament.core.words.outcomes import (
    describe_award,
    describe_both_at_fault,
    format_award_reason,
    format_outcome_mark,
)
from tournament.models import Pairing, Result
from tournament.models.play import SIDES
from tournament.pages.forms import format_plain_number


class CitingRefusal(Refusal):
    """A refusal whose sentence ends with the clause of the book in force, its figure `clause`."""

    def __str__(self) -> str:
        return insert_clause(super().__str__(), self.figures["clause"])


def describe_oddities(report: Report) -> list[str]:
    """A sentence for each odd figure of a result."""
    words = {"low": USUAL_POINTS[0], "high": USUAL_POINTS[1], "spread": USUAL_SPREAD}
    sentences = {
        Oddity.LOW: _("%(figure)s is unusually low (%(low)s to %(high)s is usual)."),
        Oddity.HIGH: _("%(figure)s is unusually high (%(low)s to %(high)s is usual)."),
        Oddity.SPREAD: _("A spread of %(figure)s is unusually large (at most %(spread)s is usual)."),
    }
    return [
        sentences[kind] % {**words, "figure": format_plain_number(figure)} for kind, figure in find_oddities(report)
    ]


def list_result_questions(pairing: Pairing, report: Report) -> list[str]:
    """What is asked once before a result is saved: its odd figures, and whether a game of the knock-out was played
    although a player has withdrawn, who would go on with a win."""
    questions = describe_oddities(report)
    if report.outcome == Outcome.PLAYED and pairing.round.is_knockout:
        question = _("%(name)s has withdrawn. Was this game played all the same?")
        players = [entry for entry in (pairing.first, pairing.second) if entry is not None and entry.is_withdrawn]
        questions += [question % {"name": entry.name} for entry in players]
    return questions


def list_named_sides(pairing: Pairing, report: Report) -> list[tuple[str, PlayerReport]]:
    """The halves of a report with the players' names; a bye or an absence has one."""
    first, second = name_both_players(pairing)
    sides = [(first, report.first)]
    return [*sides, (second, report.second)] if pairing.second else sides


def describe_overtime(name: str, seconds: int, rules: rulesets.Ruleset) -> str:
    """What a player's overtime costs, with the clause."""
    verdict = clock.overtime(seconds, rules)
    words = {"name": name, "over": format_clock(seconds), "points": verdict.points}
    if verdict.lost:
        words["limit"] = format_clock(rules.overtime_limit)
        message = _("%(name)s: %(over)s over, more than %(limit)s. The game is lost.") % words
        clauses = (verdict.clause, rules.clauses.forfeits.of(AwardReason.OVERTIME))
        return insert_clause(message, ", ".join(filter(None, clauses)))
    if not verdict.points:
        return _("%(name)s: %(over)s over. The ruleset takes nothing off for that.") % words
    message = ngettext(
        "%(name)s: %(over)s over, %(points)s point off.",
        "%(name)s: %(over)s over, %(points)s points off.",
        verdict.points,
    )
    return insert_clause(message % words, verdict.clause)


def describe_deductions(pairing: Pairing, sheet: Report) -> list[str]:
    """What time and other penalties make of the scores on the sheets, one sentence each."""
    rules = pairing.round.division.tournament.rules
    sides = list_named_sides(pairing, sheet)
    outcome = make_final_report(rules, sheet).outcome
    if outcome in awards.AWARDED_OUTCOMES:
        return _describe_award_deductions(sides, outcome, sheet.penalty_reason, rules)
    sentences = [describe_overtime(name, side.overtime, rules) for name, side in sides if side.overtime]
    for name, side in sides:
        if side.penalty:
            words = {"name": name, "points": side.penalty, "reason": sheet.penalty_reason}
            sentences.append(_("%(name)s: penalty points off: %(points)s (%(reason)s).") % words)
    return sentences


def _describe_award_deductions(
    sides: list[tuple[str, PlayerReport]], outcome: Outcome, penalty_reason: str, rules: rulesets.Ruleset
) -> list[str]:
    """What becomes of time and penalties in an awarded game, which goes by the score when it stopped (TSO 6.1.1)."""
    sentences = []
    for (name, side), is_at_fault in zip(sides, outcome.at_fault, strict=True):
        words = {"name": name, "over": format_clock(side.overtime), "points": side.penalty, "reason": penalty_reason}
        if side.overtime and is_at_fault and clock.overtime(side.overtime, rules).lost:
            sentences.append(describe_overtime(name, side.overtime, rules))
        elif side.overtime:
            message = _("%(name)s: %(over)s over, no points off: the score when the game stopped counts.") % words
            sentences.append(insert_clause(message, rules.awards.clause))
        # Nothing is taken off a second time: the score at the moment the game stopped has the penalty in it.
        if side.penalty and side.points is not None:
            message = _(
                "%(name)s: penalty points (%(points)s, %(reason)s) are already in the score when the game stopped."
            )
            sentences.append(insert_clause(message % words, rules.awards.clause))
    return sentences


def describe_credited_result(pairing: Pairing, report: Report) -> str:
    """What a result counts for, in one sentence: the final score and the winner, or what an award credits."""
    if report.outcome != Outcome.PLAYED:
        return describe_award(pairing, report, pairing.round.division.tournament)
    names = [name for name, _side in list_named_sides(pairing, report)]
    words = {"names": " – ".join(names), "score": format_score(report.first.points, report.second.points)}
    winner = get_winning_side(pairing, report)
    if not winner:
        return _("Final score %(names)s %(score)s: a draw.") % words
    # The last one: of a bye or an absence there is one name only.
    words["winner"] = names[0] if winner == "first" else names[-1]
    words["lead"] = format_points(abs((report.first.points or 0) - (report.second.points or 0)))
    return _("Final score %(names)s %(score)s: %(winner)s wins by %(lead)s.") % words


def describe_winner(pairing: Pairing, report: Report) -> str:
    """Who wins by how much, in a few words; what a result that was not played counts for."""
    winner = get_winning_side(pairing, report)
    if report.outcome != Outcome.PLAYED:
        return describe_credited_result(pairing, report)
    if not winner:
        return _("A draw.")
    first, second = name_both_players(pairing)
    lead = abs((report.first.points or 0) - (report.second.points or 0))
    return _("%(winner)s wins by %(lead)s.") % {
        "winner": format_spoken_name(first if winner == "first" else second),
        "lead": format_points(lead),
    }


def get_winning_side(pairing: Pairing, report: Report) -> str:
    """The side that gets the whole win: "first", "second", or neither."""
    figures = pairing.round.division.tournament.awards
    credits = awards.credit(report.outcome, report.first.points, report.second.points, figures, spread=report.spread)
    sides = zip(SIDES, credits, strict=True)
    # More than one half: in a draw each of the two has one.
    return next((side for side, credit in sides if credit is not None and credit.half_wins > 1), "")


def list_result_marks(pairing: Pairing, result: Result) -> list[tuple[str, str]]:
    """What is special about an official result, for the grid: the chip's kind and text."""
    report = Report.of(result)
    marks: list[tuple[str, str]] = []
    if report.outcome != Outcome.PLAYED:
        is_award = report.outcome in awards.AWARDED_OUTCOMES
        marks.append(("warn", format_award_mark(pairing, report) if is_award else format_outcome_mark(report.outcome)))
    marks += [("", mark) for mark in list_deduction_marks(pairing, report)]
    if result.version > 1:
        marks.append(("", _("version %(version)s") % {"version": result.version}))
    if result.note:
        marks.append(("", result.note))
    return marks


def list_deduction_marks(pairing: Pairing, report: Report) -> list[str]:
    """What was taken off in a game that was played, in few words for each player."""
    rules, marks = pairing.round.division.tournament.rules, []
    for name, side in list_named_sides(pairing, report) if report.outcome == Outcome.PLAYED else ():
        words = {"name": name, "over": format_clock(side.overtime), "penalty": side.penalty}
        if side.overtime:
            words["points"] = clock.overtime(side.overtime, rules).points
            marks.append(_("%(name)s: time penalty %(points)s (%(over)s over)") % words)
        if side.penalty:
            marks.append(_("%(name)s: penalty points: %(penalty)s") % words)
    return marks


def format_award_mark(pairing: Pairing, report: Report) -> str:
    """An award in few words: who is at fault, why, and what the other player gets."""
    outcome, tournament = report.outcome, pairing.round.division.tournament
    if all(outcome.at_fault):
        return _("Both lose: %(reason)s") % {"reason": describe_both_at_fault(pairing, report, tournament.rules)}
    at_fault = outcome.at_fault.index(True)
    names = [name for name, _side in list_named_sides(pairing, report)]
    words = {"name": names[at_fault], "other": names[1 - at_fault]}
    words["reason"] = format_award_reason(report.reason, tournament.rules)
    credits = awards.credit(outcome, report.first.points, report.second.points, tournament.awards)
    if (credit := credits[1 - at_fault]) is not None:
        words |= {"spread": format_signed(credit.spread), "points": format_points(credit.points)}
    return _("%(name)s %(reason)s → %(other)s %(spread)s, %(points)s") % words


def describe_official_result(pairing: Pairing) -> str:
    """What the official result counts for, in one sentence; the empty text while there is none."""
    return describe_credited_result(pairing, Report.of(pairing.result)) if pairing.result else ""
