"""What a referee's decision makes of a result. Values in, values out."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.models import Incident
from games.referee.catalogue import IncidentEffect
from scoring import awards, rulesets
from scoring.awards import AwardReason, Outcome
from tournament.basics.limits import PENALTY_REASON
from tournament.core.reports import PlayerReport, Report, make_stopped_report, restore_sheet_report
from tournament.models import Result

FIRST_SIDE, SECOND_SIDE = 1, 2
AWARDING_EFFECTS = frozenset({IncidentEffect.AWARD, IncidentEffect.EXPELLED})


@dataclass(frozen=True, slots=True)
class RefereeDecision:
    """What a referee decides: `points` off for each player, or an award with its `reason`. `stopped_at` is the score
    when the game stopped, before time penalties; `words` say why."""

    effect: IncidentEffect
    sides: frozenset[int]
    points: int = 0
    reason: AwardReason = AwardReason.OTHER
    stopped_at: tuple[int | None, int | None] = (None, None)
    words: str = ""


def apply_decision(current: Report | None, decision: RefereeDecision) -> Report | None:
    """The result that a decision makes of the official one, if any; None if it changes none, or its points wait."""
    if decision.effect in AWARDING_EFFECTS:
        # A player who had already forfeited is still at fault: both may be, each for their reason.
        reasons: dict[int, AwardReason | None] = {}
        if current is not None:
            stated = zip((FIRST_SIDE, SECOND_SIDE), current.outcome.at_fault, current.reasons, strict=True)
            reasons = {side: reason for side, is_so, reason in stated if is_so}
        reasons |= dict.fromkeys(decision.sides, get_award_reason(decision.effect, decision.reason))
        base = current or Report(Outcome.OPEN)
        first, second = decision.stopped_at
        scored = replace(base, first=replace(base.first, points=first), second=replace(base.second, points=second))
        return award_game(scored, reasons)
    if decision.effect == IncidentEffect.POINTS and current is not None and current.outcome == Outcome.PLAYED:
        return add_penalty_points(current, decision.sides, decision.points, decision.words)
    return None


def convert_result_to_report(current: Result | None) -> Report | None:
    """An official result as a report; None where there is none."""
    return None if current is None else Report.of(current)


def add_penalty_points(current: Report, sides: frozenset[int], points: int, words: str) -> Report:
    """A played result with so many more penalty points (fewer, if below zero) for these sides."""
    return replace(
        current,
        first=_penalise_player(current.first, points if FIRST_SIDE in sides else 0),
        second=_penalise_player(current.second, points if SECOND_SIDE in sides else 0),
        penalty_reason=join_reasons(current.penalty_reason, words),
    )


def _penalise_player(side: PlayerReport, points: int) -> PlayerReport:
    # The points of a result are those after penalties, so both figures move: as many off as the penalty grows.
    return replace(side, points=None if side.points is None else side.points - points, penalty=side.penalty + points)


def join_reasons(*reasons: str) -> str:
    """Reasons for penalty points as a result holds them; what does not fit is cut."""
    text = "; ".join(reason for reason in reasons if reason)
    return text if len(text) <= PENALTY_REASON else f"{text[: PENALTY_REASON - 1]}…"


def get_award_reason(effect: str, reason: AwardReason) -> AwardReason:
    """Why a game is lost: whoever is out of the event is disqualified; else the incident's own reason."""
    return AwardReason.DISQUALIFIED if effect == IncidentEffect.EXPELLED else reason


def award_game(stated: Report, reasons: Mapping[int, AwardReason | None]) -> Report:
    """The game that the sides named in `reasons` lose, each for their own."""
    first, second = reasons.get(FIRST_SIDE), reasons.get(SECOND_SIDE)
    return replace(
        stated,
        outcome=awards.forfeit_outcome(FIRST_SIDE in reasons, SECOND_SIDE in reasons),
        # One reason stands for both. The second is kept only where each has lost by their own, such as one who is late
        # to a game that the other does not come to.
        reason=first or second,
        second_reason=second if first and second != first else None,
        spread=None,
    )


def get_stopped_score(rules: rulesets.Ruleset, current: Report | None) -> tuple[int | None, int | None]:
    """The score when the game stopped, which an award goes by (TSO 6.1.1): after penalty points, before time."""
    if current is None:
        return None, None
    if current.outcome == Outcome.PLAYED:
        current = make_stopped_report(restore_sheet_report(rules, current))
    return current.first.points, current.second.points


def build_decision(incident: Incident, words: str) -> RefereeDecision:
    """What a line of the log decided, as far as `effects` needs it for penalty points."""
    sides = frozenset({FIRST_SIDE, SECOND_SIDE} if incident.side is None else {incident.side})
    return RefereeDecision(IncidentEffect(incident.consequence), sides, points=incident.points, words=words)


@dataclass(frozen=True, slots=True)
class Reversal:
    """What a table's result becomes when a line is struck; None: the table is open again."""

    report: Report | None


def find_reversal(incident: Incident, current: Result | None) -> Reversal | None:
    """What striking a line makes of the official result; None where it stays, as a changed award does. The version
    before comes back if the line's is still official; otherwise a played game gets its penalty points back."""
    if incident.version is None or current is None:
        return None
    before = Result.objects.filter(pairing=incident.pairing, version__lt=current.version).order_by("-version").first()
    # Only while nothing has been recorded since. Behind a later version the one before would bring back, with the
    # penalty, whatever else that version has corrected.
    if current.version == incident.version and _has_made_version(incident, before, current):
        return Reversal(convert_result_to_report(before))
    decision = build_decision(incident, "")
    penalties = {FIRST_SIDE: current.first_penalty, SECOND_SIDE: current.second_penalty}
    # Somebody may have taken them back by hand already: they are not to be given back twice.
    has_them = incident.points and all(penalties[side] >= incident.points for side in decision.sides)
    if current.outcome == Outcome.PLAYED and has_them:
        report = add_penalty_points(Report.of(current), decision.sides, -incident.points, "")
        none_left = not (report.first.penalty or report.second.penalty)
        return Reversal(replace(report, penalty_reason="") if none_left else report)
    return None


def _has_made_version(incident: Incident, before: Result | None, current: Result) -> bool:
    """Whether this line alone made the version: points that waited may have come with an agreed sheet."""
    if incident.consequence != IncidentEffect.POINTS:
        return True
    if before is None or before.outcome != Outcome.PLAYED:
        return False
    # Compared without the reasons in words: those of a result are cut to what it holds, and cannot be put together
    # again.
    report = add_penalty_points(Report.of(before), build_decision(incident, "").sides, incident.points, "")
    return replace(report, penalty_reason="") == replace(Report.of(current), penalty_reason="")
