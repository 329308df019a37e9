"""How the reports of a game stand, seen from one of its players, and in the open rounds for the director."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from games.models import GameReport
from scoring.awards import Outcome
from scoring.rulesets import Ruleset
from tournament import reports
from tournament.models import Entry, Pairing, Result
from tournament.models.play import SIDES
from tournament.reports import PlayerReport, Report


class ReportState(StrEnum):
    """How a game stands for one of its players."""

    OPEN = "open"
    """Nobody has reported."""
    WAITS = "waits"
    """The player has, the opponent has not."""
    ASKED = "asked"
    """The opponent has, the player has not."""
    AGREED = "agreed"
    """Both say the same, and it is official at once; it stays so only where the director must decide."""
    DIFFERS = "differs"
    """Both have, and say different things."""
    TAKEN_BACK = "taken back"
    """Both say the same, but the director has taken a result of this game back."""
    OFFICIAL = "official"
    """There is a result, and it is what the player reported, or the player has not reported."""
    CONTRADICTED = "contradicted"
    """There is a result, and the player has reported something else."""


@dataclass(frozen=True, slots=True)
class GameReports:
    """A game's reports and its result; `mine` and `theirs` are the last of each player."""

    kind: ReportState
    mine: GameReport | None
    theirs: GameReport | None
    official: Result | None


def columns(sheet: Report) -> dict[str, Any]:
    """The columns of a stored report."""
    found: dict[str, Any] = {"penalty_reason": sheet.penalty_reason}
    for name, side in sheet.sides:
        found |= {f"{name}_{field}": getattr(side, field) for field in ("points", "overtime", "penalty")}
    return found


def sheet_of(stored: GameReport) -> Report:
    """What a player has reported: points before time and penalties."""
    first, second = (
        PlayerReport(**{field: getattr(stored, f"{side}_{field}") for field in ("points", "overtime", "penalty")})
        for side in SIDES
    )
    return Report(Outcome.PLAYED, first, second, penalty_reason=stored.penalty_reason)


def final(stored: GameReport, rules: Ruleset) -> Report:
    """The result that a report comes to."""
    return reports.from_sheet(rules, sheet_of(stored))


def agree(one: GameReport, other: GameReport) -> bool:
    """Whether two reports say the same; how a penalty is explained does not matter."""
    return replace(sheet_of(one), penalty_reason="") == replace(sheet_of(other), penalty_reason="")


def last_of(pairings: Collection[int]) -> list[GameReport]:
    """The last report of each player of these pairings, the earlier one first. One query."""
    last: dict[tuple[int, int], GameReport] = {}
    for report in GameReport.objects.filter(pairing__in=pairings).select_related("entry__player").order_by("pk"):
        last[report.pairing_id, report.entry_id] = report
    return sorted(last.values(), key=lambda report: report.pk)


def of(pairing: Pairing, entry: Entry) -> GameReports:
    """How the game stands for one of its players. Two queries."""
    versions = list(Result.objects.filter(pairing=pairing).order_by("version"))
    return seen_by(entry, versions, last_of([pairing.pk]))


def seen_by(entry: Entry, versions: Sequence[Result], last: Sequence[GameReport]) -> GameReports:
    """How a game stands for one of its players, by all versions of its result and the last report of each of them."""
    official = next((version for version in versions if version.official), None)
    mine = next((report for report in last if report.entry_id == entry.pk), None)
    theirs = next((report for report in last if report.entry_id != entry.pk), None)
    rules = entry.tournament.rules
    return GameReports(_kind(mine, theirs, official, rules, was_official=bool(versions)), mine, theirs, official)


def _kind(
    mine: GameReport | None, theirs: GameReport | None, official: Result | None, rules: Ruleset, *, was_official: bool
) -> ReportState:
    if official is not None:
        return ReportState.OFFICIAL if mine is None or _is(official, final(mine, rules)) else ReportState.CONTRADICTED
    if mine is None:
        return ReportState.OPEN if theirs is None else ReportState.ASKED
    if theirs is None:
        return ReportState.WAITS
    if not agree(mine, theirs):
        return ReportState.DIFFERS
    return ReportState.TAKEN_BACK if was_official else ReportState.AGREED


def _is(official: Result, reported: Report) -> bool:
    """Whether a result says what was reported; facts that a helper added do not matter."""
    stored = Report.of(official)
    said = [(side.points, side.overtime or 0, side.penalty) for _name, side in stored.sides]
    return stored.outcome == reported.outcome and said == [
        (side.points, side.overtime or 0, side.penalty) for _name, side in reported.sides
    ]
