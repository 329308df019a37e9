"""What somebody reports of a game: final scores, or scores on the sheets before penalties."""

from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from scoring import awards, clock, rulesets
from scoring.awards import AwardReason, Outcome
from tournament.models import Result
from tournament.models.play import SIDES

USUAL_POINTS = (200, 600)  # the page asks once about a final score outside of this

USUAL_SPREAD = 350  # the page asks once about a larger spread


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """One player's half of a result: the score, what was taken off, and facts that may decide a level match. `moves`
    are the points of the best plays, kept highest first."""

    points: int | None = None
    penalty: int = 0
    overtime: int | None = None
    bingos: int | None = None
    moves: tuple[int, ...] = ()
    seconds: int | None = None

    def __post_init__(self) -> None:
        # Sorted wherever a report comes from: two typings of the same plays in another order are the same result, and
        # not one to be settled from the paper.
        object.__setattr__(self, "moves", tuple(sorted(self.moves, reverse=True)))


SIDE_FIELDS = tuple(field.name for field in fields(PlayerReport))
"""The fields of each player; columns and files put the side before their names."""


@dataclass(frozen=True, slots=True)
class Report:
    """A result as somebody reports it. Points are final scores or, with a forfeit, the score when the game stopped.
    `reason` says why it was awarded; `second_reason` is the second player's, if both are at fault for different
    ones."""

    outcome: Outcome
    first: PlayerReport = PlayerReport()
    second: PlayerReport = PlayerReport()
    reason: AwardReason | None = None
    spread: int | None = None
    penalty_reason: str = ""
    note: str = ""
    second_reason: AwardReason | None = None

    @classmethod
    def of(cls, result: Result) -> "Report":
        """The report in a stored version."""
        first, second = (
            PlayerReport(**{name: getattr(result, f"{side}_{name}") for name in SIDE_FIELDS}) for side in SIDES
        )
        return cls(
            outcome=Outcome(result.outcome),
            first=first,
            second=second,
            reason=AwardReason(result.reason) if result.reason else None,
            second_reason=AwardReason(result.second_reason) if result.second_reason else None,
            spread=result.spread,
            penalty_reason=result.penalty_reason,
            note=result.note,
        )

    @property
    def has_begun(self) -> bool:
        """Whether the two played at all: a game awarded without scores never began."""
        return self.outcome == Outcome.PLAYED or (self.first.points, self.second.points) != (None, None)

    @property
    def reasons(self) -> tuple[AwardReason | None, AwardReason | None]:
        """Why the first and the second player lose by award; a single reason counts for both."""
        return self.reason, self.second_reason or self.reason

    @property
    def sides(self) -> tuple[tuple[str, PlayerReport], tuple[str, PlayerReport]]:
        """Both halves, each after the prefix of its columns and form fields."""
        first, second = SIDES
        return (first, self.first), (second, self.second)

    def fields(self) -> dict[str, Any]:
        """This report as columns of a `Result`."""
        columns: dict[str, Any] = {
            "outcome": self.outcome.value,
            "reason": self.reason.value if self.reason else "",
            "second_reason": self.second_reason.value if self.second_reason else "",
            "spread": self.spread,
            "penalty_reason": self.penalty_reason,
            "note": self.note,
        }
        for name, side in self.sides:
            columns |= {f"{name}_{field}": getattr(side, field) for field in SIDE_FIELDS}
            # As the JSON column gives it back: a tuple would differ from it, and a mirror would write each result anew
            # with its round.
            columns[f"{name}_moves"] = list(side.moves)
        return columns


class SlipFigure(StrEnum):
    """Whether a score on a slip is before (gross) or after (net) time and penalties are taken off."""

    GROSS = "gross"
    NET = "net"


def make_final_report(rules: rulesets.Ruleset, sheet: Report, *, figure: SlipFigure = SlipFigure.GROSS) -> Report:
    """The final report of a game from `sheet`, whose points are gross unless `figure` says net. Overtime becomes a time
    penalty or, beyond the ruleset's limit, the loss of the game: then the score when it stopped counts, with penalty
    points but without a time penalty. Any outcome but a played game stays as reported."""
    if sheet.outcome != Outcome.PLAYED:
        return sheet
    forfeit = clock.overtime_outcome(sheet.first.overtime or 0, sheet.second.overtime or 0, rules)
    if forfeit != Outcome.OPEN:
        # No time penalty beside the loss by overtime (TSO 6.1.1): the score counts as it stood when the game stopped.
        stopped = sheet if figure == SlipFigure.NET else make_stopped_report(sheet)
        return replace(stopped, outcome=forfeit, reason=AwardReason.OVERTIME)
    return sheet if figure == SlipFigure.NET else _shift_points(sheet, rules, -1)


def make_stopped_report(sheet: Report) -> Report:
    """A report with the score when the game stopped (TSO 6.1.1): penalty points taken off, no time penalty."""
    first, second = (_subtract_points(side, side.penalty) for side in (sheet.first, sheet.second))
    return replace(sheet, first=first, second=second)


def restore_sheet_report(rules: rulesets.Ruleset, report: Report) -> Report:
    """The sheet from which `make_final_report` makes `report`: penalties added back, a loss by the clock undone."""
    first, second = (_subtract_points(side, -side.penalty) for side in (report.first, report.second))
    played = replace(report, outcome=Outcome.PLAYED, reason=None, first=first, second=second)
    # An award that overtime alone would give again is shown as the game that it was; any other was decided by somebody.
    if report.outcome in awards.AWARDED_OUTCOMES and make_final_report(rules, played) == report:
        return played
    return _shift_points(report, rules, 1) if report.outcome == Outcome.PLAYED else report


def sum_deductions(side: PlayerReport, rules: rulesets.Ruleset) -> int:
    """One player's time penalty and penalty points together."""
    return side.penalty + clock.overtime(side.overtime or 0, rules).points


def _shift_points(report: Report, rules: rulesets.Ruleset, sign: int) -> Report:
    first, second = (
        _subtract_points(side, -sign * sum_deductions(side, rules)) for side in (report.first, report.second)
    )
    return replace(report, first=first, second=second)


def _subtract_points(side: PlayerReport, points: int) -> PlayerReport:
    return side if side.points is None else replace(side, points=side.points - points)


class Oddity(StrEnum):
    """What makes a played result look like a typing error."""

    LOW = "low"
    HIGH = "high"
    SPREAD = "spread"


def find_oddities(report: Report) -> list[tuple[Oddity, int]]:
    """What is odd about a played result, each with its figure."""
    if report.outcome != Outcome.PLAYED or report.first.points is None or report.second.points is None:
        return []
    scores = (report.first.points, report.second.points)
    oddities = [(Oddity.LOW, score) for score in scores if score < USUAL_POINTS[0]]
    oddities += [(Oddity.HIGH, score) for score in scores if score > USUAL_POINTS[1]]
    # Beside the scores themselves: 620 : 180 is asked about as a low score, a high one, and a spread.
    if abs(scores[0] - scores[1]) > USUAL_SPREAD:
        oddities.append((Oddity.SPREAD, abs(scores[0] - scores[1])))
    return oddities
