"""What the pages of results say: what is odd, what the clock costs, what a result credits and changes."""

from django.utils.translation import gettext as _

from scoring import awards, clock, rulesets
from scoring.awards import AwardReason, Outcome
from tournament import reports
from tournament.forms import fields
from tournament.models import Pairing, Result
from tournament.models.play import SIDES
from tournament.reports import Oddity, PlayerReport, Report
from tournament.words import figures, namesakes, outcomes
from tournament.words.clauses import before_stop


def oddity(kind: Oddity, figure: int) -> str:
    """The sentence that asks about an odd figure."""
    low, high = reports.USUAL_POINTS
    words = {"figure": fields.plain(figure), "low": low, "high": high, "spread": reports.USUAL_SPREAD}
    sentences = {
        Oddity.LOW: _("%(figure)s is unusually low (%(low)s to %(high)s is usual)."),
        Oddity.HIGH: _("%(figure)s is unusually high (%(low)s to %(high)s is usual)."),
        Oddity.SPREAD: _("A spread of %(figure)s is unusually large (at most %(spread)s is usual)."),
    }
    return sentences[kind] % words


def oddities(report: Report) -> list[str]:
    """A sentence for each odd figure of a result."""
    return [oddity(kind, figure) for kind, figure in reports.oddities(report)]


def named_sides(pairing: Pairing, report: Report) -> list[tuple[str, PlayerReport]]:
    """The halves of a report with the players' names; a bye or an absence has one."""
    first, second = namesakes.both(pairing)
    sides = [(first, report.first)]
    return [*sides, (second, report.second)] if pairing.second else sides


def overtime(name: str, seconds: int, rules: rulesets.Ruleset) -> str:
    """What a player's overtime costs, with the clause."""
    verdict = clock.overtime(seconds, rules)
    words = {"name": name, "over": figures.clock(seconds), "points": verdict.points}
    if verdict.lost:
        words["limit"] = figures.clock(rules.overtime_limit)
        said = _("%(name)s: %(over)s over, more than %(limit)s. The game is lost.") % words
        return before_stop(
            said, ", ".join(filter(None, (verdict.clause, rules.clauses.forfeits.of(AwardReason.OVERTIME))))
        )
    if not verdict.points:
        return _("%(name)s: %(over)s over. The ruleset takes nothing off for that.") % words
    return before_stop(_("%(name)s: %(over)s over, %(points)s points off.") % words, verdict.clause)


def deductions(pairing: Pairing, sheet: Report) -> list[str]:
    """What time and other penalties make of the scores on the sheets, one sentence each."""
    rules = pairing.round.division.tournament.rules
    sides = named_sides(pairing, sheet)
    outcome = reports.from_sheet(rules, sheet).outcome
    if outcome in awards.AWARDED:
        return _beside_award(sides, outcome, sheet.penalty_reason, rules)
    said = [overtime(name, side.overtime, rules) for name, side in sides if side.overtime]
    said += [
        _("%(name)s: %(points)s penalty points off (%(reason)s).")
        % {"name": name, "points": side.penalty, "reason": sheet.penalty_reason}
        for name, side in sides
        if side.penalty
    ]
    return said


def _beside_award(
    sides: list[tuple[str, PlayerReport]], outcome: Outcome, penalty_reason: str, rules: rulesets.Ruleset
) -> list[str]:
    """What becomes of time and penalties in an awarded game, which goes by the score when it stopped (TSO 6.1.1)."""
    found = []
    for (name, side), is_at_fault in zip(sides, outcome.at_fault, strict=True):
        words = {"name": name, "over": figures.clock(side.overtime), "points": side.penalty, "reason": penalty_reason}
        if side.overtime and is_at_fault and clock.overtime(side.overtime, rules).lost:
            found.append(overtime(name, side.overtime, rules))
        elif side.overtime:
            said = _("%(name)s: %(over)s over, no points off: the score when the game stopped counts.") % words
            found.append(before_stop(said, rules.awards.clause))
        if side.penalty and side.points is not None:
            said = _("%(name)s: %(points)s penalty points (%(reason)s) stand in the score when the game stopped.")
            found.append(before_stop(said % words, rules.awards.clause))
    return found


def credited(pairing: Pairing, report: Report) -> str:
    """What a result counts for, in one sentence: the final score and the winner, or what an award credits."""
    if report.outcome != Outcome.PLAYED:
        return outcomes.award(pairing, report, pairing.round.division.tournament)
    names = [name for name, _side in named_sides(pairing, report)]
    words = {"names": " – ".join(names), "score": figures.score(report.first.points, report.second.points)}
    winner = won_by(pairing, report)
    if not winner:
        return _("Final score %(names)s %(score)s: a draw.") % words
    words["winner"] = names[0] if winner == "first" else names[-1]
    words["lead"] = figures.points(abs((report.first.points or 0) - (report.second.points or 0)))
    return _("Final score %(names)s %(score)s: %(winner)s wins by %(lead)s.") % words


def won_by(pairing: Pairing, report: Report) -> str:
    """The side that gets the whole win: "first", "second", or neither."""
    award_figures = pairing.round.division.tournament.awards
    credits = awards.credit(
        report.outcome, report.first.points, report.second.points, award_figures, spread=report.spread
    )
    sides = zip(SIDES, credits, strict=True)
    return next((side for side, credit in sides if credit is not None and credit.half_wins > 1), "")


def marks(pairing: Pairing, result: Result) -> list[tuple[str, str]]:
    """What is special about an official result, for the grid: the chip's kind and text."""
    report = Report.of(result)
    rules = pairing.round.division.tournament.rules
    found: list[tuple[str, str]] = []
    if report.outcome != Outcome.PLAYED:
        is_award = report.outcome in awards.AWARDED
        found.append(("warn", award_mark(pairing, report) if is_award else outcomes.chip(report.outcome)))
    for name, side in named_sides(pairing, report):
        words = {"name": name, "over": figures.clock(side.overtime), "penalty": side.penalty}
        if side.overtime and report.outcome == Outcome.PLAYED:
            words["points"] = clock.penalty(side.overtime, rules)
            found.append(("", _("%(name)s: time penalty %(points)s (%(over)s over)") % words))
        if side.penalty and report.outcome == Outcome.PLAYED:
            found.append(("", _("%(name)s: %(penalty)s penalty points") % words))
    if result.version > 1:
        found.append(("", _("version %(version)s") % {"version": result.version}))
    if result.note:
        found.append(("", result.note))
    return found


def award_mark(pairing: Pairing, report: Report) -> str:
    """An award in few words: who is at fault, why, and what the other player gets."""
    outcome = report.outcome
    tournament = pairing.round.division.tournament
    credits = awards.credit(outcome, report.first.points, report.second.points, tournament.awards)
    words = {"reason": outcomes.reason(report.reason, tournament.rules)}
    if all(outcome.at_fault):
        return _("Both lose: %(reason)s") % {"reason": outcomes.both(pairing, report, tournament.rules)}
    at_fault = outcome.at_fault.index(True)
    names = [name for name, _side in named_sides(pairing, report)]
    if (credit := credits[1 - at_fault]) is not None:
        words |= {"spread": figures.signed(credit.spread), "points": figures.points(credit.points)}
    return _("%(name)s %(reason)s → %(other)s %(spread)s, %(points)s") % {
        "name": names[at_fault],
        "other": names[1 - at_fault],
        **words,
    }


def official(pairing: Pairing) -> str:
    """What the official result counts for, in one sentence; the empty text while there is none."""
    return credited(pairing, Report.of(pairing.result)) if pairing.result else ""
