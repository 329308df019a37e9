"""From a score sheet to the result that it gives: points, what is taken off, facts for close decisions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from games.models import Incident
from games.referee import catalogue, effects
from games.referee.kinds import Effect
from games.sheets.page import SheetPage
from scoring import sheet
from scoring.awards import AwardReason, Outcome
from scoring.rulesets import Ruleset
from tournament import reports
from tournament.reports import PlayerReport, Report
from tournament.words.clauses import with_clause


@dataclass(frozen=True, slots=True)
class Penalties:
    """Penalty points of one player: by the sheet, by the referee's log, and the reasons. The larger figure counts."""

    sheet: int
    log: int
    reasons: tuple[str, ...]

    @property
    def points(self) -> int:
        """What is taken off: usually both say the same, and then it is taken off once."""
        return max(self.sheet, self.log)

    @property
    def differ(self) -> bool:
        """Whether the log and the sheet do not have the same penalty points."""
        return self.sheet != self.log and self.log > 0


def is_complete(page: SheetPage) -> bool:
    """Whether a final score can be worked out: there are lines, all with points, and the game is over or lost."""
    faults = {problem.fault for problem in page.problems}
    missing = faults & {sheet.Fault.POINTS_MISSING, sheet.Fault.SETTLEMENT_UNKNOWN}
    return bool(page.lines) and not missing and page.count.over is not None


def penalties(page: SheetPage, log: Sequence[Incident]) -> tuple[Penalties, Penalties]:
    """Both players' penalty points, from the sheet's lines and from the standing lines of the referee's log."""
    first, second = (_penalties(page, log, half) for half in page.count.halves)
    return first, second


def _penalties(page: SheetPage, log: Sequence[Incident], half: sheet.Half) -> Penalties:
    mine = [each for each in log if each.consequence == Effect.POINTS and each.side in (None, half.side)]
    notes = [
        line.note for line in page.lines if line.kind == sheet.LineKind.PENALTY and line.side == half.side and line.note
    ]
    if not mine and half.penalties:
        reasons = notes or [_("penalty points on the score sheet")]
    else:
        reasons = [_incident_words(each, page.rules) for each in mine]
    return Penalties(max(0, -half.penalties), sum(each.points for each in mine), tuple(reasons))


def _incident_words(incident: Incident, rules: Ruleset) -> str:
    kind = catalogue.kind(rules, incident.kind)
    name = str(kind.name) if kind else incident.kind
    return with_clause(name, incident.clause)


def report(page: SheetPage, log: Sequence[Incident]) -> Report:
    """The result that a sheet gives, as `record_result` takes it. `log`: the standing incidents of the game.

    Failed challenges are part of the points, as on paper; other penalty points stand apart, with their reason; time
    as the ruleset says. A game that the referee awarded stays awarded, with the score at which it stopped.
    """
    taken = penalties(page, log)
    sides = [_side(page, half, off) for half, off in zip(page.count.halves, taken, strict=True)]
    reasons = dict.fromkeys(reason for off in taken if off.points for reason in off.reasons)
    stated = Report(Outcome.PLAYED, sides[0], sides[1], penalty_reason=effects.joined(*reasons))
    awarded = [each for each in log if each.consequence in effects.AWARDS]
    if awarded:
        return _awarded(reports.stopped(stated), awarded, page.rules)
    return reports.from_sheet(page.rules, stated)


def _side(page: SheetPage, half: sheet.Half, off: Penalties) -> PlayerReport:
    """One player's half before time and other penalties. Penalty lines that add points count as points."""
    scoresheet = page.scoresheet
    name = "first" if half.side == sheet.Side.FIRST else "second"
    return PlayerReport(
        points=half.plays + half.challenges + half.settlement + max(0, half.penalties),
        penalty=off.points,
        overtime=getattr(scoresheet, f"{name}_overtime"),
        bingos=None if half.wordless else half.bingos,
        moves=half.moves,
        seconds=getattr(scoresheet, f"{name}_seconds"),
    )


def _awarded(stated: Report, awarded: Sequence[Incident], rules: Ruleset) -> Report:
    reasons: dict[int, AwardReason | None] = {}
    for each in awarded:
        kind = catalogue.kind(rules, each.kind)
        why = effects.reason_of(each.consequence, kind.reason if kind else AwardReason.OTHER)
        reasons |= dict.fromkeys((effects.FIRST, effects.SECOND) if each.side is None else (each.side,), why)
    return effects.awarded(stated, reasons)


def completed(official: Report, found: Report) -> Report | None:
    """The official report with the facts that a sheet adds, if both agree in all that counts; None if they do not.

    What else the official result says (note, reason for penalties) stays.
    """
    plain = [replace(each, bingos=None, moves=(), seconds=None, overtime=None) for each in _halves(official)]
    same = plain == [replace(each, bingos=None, moves=(), seconds=None, overtime=None) for each in _halves(found)]
    overtime = all(
        (one.overtime or 0) == (other.overtime or 0)
        for one, other in zip(_halves(official), _halves(found), strict=True)
    )
    if not same or not overtime or (official.outcome, official.reasons) != (found.outcome, found.reasons):
        return None
    first, second = (
        replace(
            new,
            bingos=old.bingos if new.bingos is None else new.bingos,
            moves=new.moves or old.moves,
            seconds=old.seconds if new.seconds is None else new.seconds,
            overtime=old.overtime if new.overtime is None else new.overtime,
        )
        for old, new in zip(_halves(official), _halves(found), strict=True)
    )
    return replace(official, first=first, second=second)


def _halves(found: Report) -> tuple[PlayerReport, PlayerReport]:
    return found.first, found.second
