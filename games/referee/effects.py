"""What a referee's decision makes of a result. Values in, values out."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from games.referee.kinds import Effect
from scoring import awards, rulesets
from scoring.awards import AwardReason, Outcome
from tournament import reports
from tournament.limits import PENALTY_REASON
from tournament.models import Result
from tournament.reports import PlayerReport, Report

FIRST, SECOND = 1, 2
AWARDS = frozenset({Effect.AWARD, Effect.EXPELLED})


@dataclass(frozen=True, slots=True)
class Decision:
    """What a referee decides about one player or both.

    `points` are taken off each of them; `reason` is that of an award, `stopped_at` the score when the game stopped,
    before time penalties (None, None: it never began). `words` say why, for the result's own record.
    """

    effect: Effect
    sides: frozenset[int]
    points: int = 0
    reason: AwardReason = AwardReason.OTHER
    stopped_at: tuple[int | None, int | None] = (None, None)
    words: str = ""


def report(current: Report | None, decision: Decision) -> Report | None:
    """The result that a decision makes of the official one (None: there is none yet).

    None: the decision changes no result, or its penalty points wait for a result to be taken off from.
    """
    if decision.effect in AWARDS:
        return _awarded(current, decision)
    if decision.effect == Effect.POINTS and current is not None and current.outcome == Outcome.PLAYED:
        return shifted(current, decision.sides, decision.points, decision.words)
    return None


def of(current: Result | None) -> Report | None:
    """An official result as a report; None where there is none."""
    return None if current is None else Report.of(current)


def waits(current: Report | None, decision: Decision) -> bool:
    """Whether a decision's penalty points cannot be taken off yet, because the game has not been played to its end."""
    return decision.effect == Effect.POINTS and (current is None or current.outcome != Outcome.PLAYED)


def shifted(current: Report, sides: frozenset[int], points: int, words: str) -> Report:
    """A played result with so many more penalty points (fewer, if below zero) for these sides."""
    return replace(
        current,
        first=_penalised(current.first, points if FIRST in sides else 0),
        second=_penalised(current.second, points if SECOND in sides else 0),
        penalty_reason=joined(current.penalty_reason, words),
    )


def _penalised(side: PlayerReport, points: int) -> PlayerReport:
    return replace(side, points=None if side.points is None else side.points - points, penalty=side.penalty + points)


def joined(*reasons: str) -> str:
    """Reasons for penalty points as a result holds them; what does not fit is cut."""
    text = "; ".join(reason for reason in reasons if reason)
    return text if len(text) <= PENALTY_REASON else f"{text[: PENALTY_REASON - 1]}…"


def _awarded(current: Report | None, decision: Decision) -> Report:
    """The award; a player who had already forfeited is still at fault, so that both may be, each for their reason."""
    reasons: dict[int, AwardReason | None] = {}
    if current is not None:
        stated = zip((FIRST, SECOND), current.outcome.at_fault, current.reasons, strict=True)
        reasons = {side: reason for side, is_so, reason in stated if is_so}
    reasons |= dict.fromkeys(decision.sides, reason_of(decision.effect, decision.reason))
    base = current or Report(Outcome.OPEN)
    first, second = decision.stopped_at
    scored = replace(base, first=replace(base.first, points=first), second=replace(base.second, points=second))
    return awarded(scored, reasons)


def reason_of(effect: str, reason: AwardReason) -> AwardReason:
    """Why a game is lost: whoever is out of the event is disqualified; else the incident's own reason."""
    return AwardReason.DISQUALIFIED if effect == Effect.EXPELLED else reason


def awarded(stated: Report, reasons: Mapping[int, AwardReason | None]) -> Report:
    """The game that the sides named in `reasons` lose, each for their own."""
    first, second = reasons.get(FIRST), reasons.get(SECOND)
    return replace(
        stated,
        outcome=awards.forfeit(FIRST in reasons, SECOND in reasons),
        reason=first or second,
        second_reason=second if first and second != first else None,
        spread=None,
    )


def stopped_at(rules: rulesets.Ruleset, current: Report | None) -> tuple[int | None, int | None]:
    """The score when the game stopped that an official result holds: what an award goes by (TSO 6.1.1).

    Penalty points that were given stand in it, time penalties do not.
    """
    if current is None:
        return None, None
    if current.outcome == Outcome.PLAYED:
        current = reports.stopped(reports.to_sheet(rules, current))
    return current.first.points, current.second.points
