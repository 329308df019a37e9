"""What striking a line of the referee's log makes of the result."""

from dataclasses import dataclass, replace

from games.models import Incident
from games.referee import effects
from games.referee.effects import Decision
from games.referee.kinds import Effect
from scoring.awards import Outcome
from tournament.models import Result
from tournament.reports import Report


def decision_of(incident: Incident, words: str) -> Decision:
    """What a line of the log decided, as far as `effects` needs it for penalty points."""
    sides = frozenset({effects.FIRST, effects.SECOND} if incident.side is None else {incident.side})
    return Decision(Effect(incident.consequence), sides, points=incident.points, words=words)


@dataclass(frozen=True, slots=True)
class Reversal:
    """What a table's result becomes when a line is struck; None: the table is open again."""

    report: Report | None


def reverted(incident: Incident, current: Result | None) -> Reversal | None:
    """What striking a line makes of the official result; None where that stays as it is.

    If the version that the line made is still official, the one before comes back. Otherwise penalty points are added
    again to a played game that still has them; an award that has been changed since is left to the referee.
    """
    if incident.version is None or current is None:
        return None
    before = Result.objects.filter(pairing=incident.pairing, version__lt=current.version).order_by("-version").first()
    if current.version == incident.version and _made(incident, before, current):
        return Reversal(effects.of(before))
    decision = decision_of(incident, "")
    penalties = {effects.FIRST: current.first_penalty, effects.SECOND: current.second_penalty}
    has_them = incident.points and all(penalties[side] >= incident.points for side in decision.sides)
    if current.outcome == Outcome.PLAYED and has_them:
        report = effects.shifted(Report.of(current), decision.sides, -incident.points, "")
        none_left = not (report.first.penalty or report.second.penalty)
        return Reversal(replace(report, penalty_reason="") if none_left else report)
    return None


def _made(incident: Incident, before: Result | None, current: Result) -> bool:
    """Whether this line alone made the version: points that waited may have come in with an agreed sheet."""
    if incident.consequence != Effect.POINTS:
        return True
    if before is None or before.outcome != Outcome.PLAYED:
        return False
    made = effects.shifted(Report.of(before), decision_of(incident, "").sides, incident.points, "")
    return replace(made, penalty_reason="") == replace(Report.of(current), penalty_reason="")
