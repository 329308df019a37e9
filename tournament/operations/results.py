"""Results: the one door through which a game's outcome becomes official."""

from collections.abc import Collection
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring import awards
from scoring.awards import Outcome
from scoring.rulesets import Ruleset
from tournament import limits
from tournament.models import Pairing, Result, Round
from tournament.models.choices import OUTCOMES
from tournament.operations import knockout_games, reopening
from tournament.operations.change import Actor, Change, change
from tournament.refusals import Refusal, Refusals, out_of_range, too_long
from tournament.reports import Report, in_short
from tournament.words import round_names
from tournament.words.clauses import bracketed
from tournament.words.outcomes import reason_label

LIMITS = {
    "points": limits.POINTS,
    "penalty": limits.PENALTY,
    "overtime": limits.OVERTIME,
    "bingos": limits.BINGOS,
    "seconds": limits.SECONDS,
}
"""The figures of a player's half of a result."""


class ResultNotPossible(Refusal):
    code = "not_possible"
    message = _("%(outcome)s is not possible here: this pairing has %(players)s player(s).")
    field = "outcome"


class PointsMissing(Refusal):
    code = "points_missing"
    message = _("A played game needs the final scores of both players.")

    def __init__(self, *, field: str) -> None:
        super().__init__()
        self.field = field


class HalfAScore(Refusal):
    code = "half_a_score"
    message = _("The score when the game stopped needs both players' points, or none if it never began%(clause)s.")

    def __init__(self, *, field: str, clause: str) -> None:
        super().__init__(clause=bracketed(clause))
        self.field = field


class PenaltyNeedsReason(Refusal):
    code = "penalty_reason"
    message = _("Penalty points (%(points)s) need a reason.")
    field = "penalty_reason"


class ReasonWithoutForfeit(Refusal):
    code = "reason_without_forfeit"
    message = _("“%(reason)s” is a reason for an award%(clause)s; the outcome here is “%(outcome)s”.")
    field = "reason"


class SecondReasonAlone(Refusal):
    code = "second_reason_alone"
    message = _("“%(reason)s” beside another reason is for a game that both lose; the outcome here is “%(outcome)s”.")
    field = "second_reason"


class SpreadWithOpponent(Refusal):
    code = "spread_with_opponent"
    message = _("A spread of its own (%(spread)s) is only for byes and absences; between two players it follows.")
    field = "spread"


class RoundNotPublished(Refusal):
    code = "round_not_published"
    message = _("Round %(number)s is still a draft. Publish it first, then results can come.")


class PlayersChanged(Refusal):
    """The pairing has changed since the writer looked, so that the scores would go to the wrong players."""

    code = "players_changed"
    message = _(
        "Meanwhile table %(table)s was paired differently. Check who plays there now, then enter the result again."
    )


class ResultChanged(Refusal):
    """Another version came first: `current` (None: withdrawn); `offered` was to be saved. Neither is lost."""

    code = "result_changed"
    message: str | Promise = _("Meanwhile %(who)s has entered %(current)s for this table. You typed %(offered)s.")

    def __init__(self, *, current: Result | None, offered: Report | None) -> None:
        super().__init__(
            who=(current.by_name if current else "") or _("somebody"),
            current=in_short(Report.of(current)) if current else "",
            offered=in_short(offered) if offered else "",
        )
        self.current = current
        self.offered = offered
        if offered is None:
            self.message = _("Meanwhile %(who)s has entered %(current)s for this table. Nothing was withdrawn.")
        elif current is None:
            self.message = _("Meanwhile the result of this table was withdrawn. You typed %(offered)s.")


class NothingToWithdraw(Refusal):
    code = "nothing_to_withdraw"
    message = _("This table has no official result.")


def problems(report: Report, *, players: int, rules: Ruleset) -> list[Refusal]:
    """Everything that is wrong with a report for a pairing of this many players."""
    found: list[Refusal] = []
    if report.outcome == Outcome.OPEN or (report.outcome in awards.ALONE) != (players == 1):
        found.append(ResultNotPossible(outcome=_named(report.outcome), players=players))
    found += _points_missing(report, rules)
    found += _figures_out_of_range(report)
    if (report.first.penalty or report.second.penalty) and not report.penalty_reason:
        found.append(PenaltyNeedsReason(points=report.first.penalty or report.second.penalty))
    if report.reason is not None and report.outcome not in awards.AWARDED:
        label, clause = reason_label(report.reason, rules), bracketed(rules.clauses.forfeits.whole)
        found.append(ReasonWithoutForfeit(reason=label, outcome=_named(report.outcome), clause=clause))
    if report.second_reason is not None and (report.outcome != Outcome.BOTH_FORFEIT or report.reason is None):
        label = reason_label(report.second_reason, rules)
        found.append(SecondReasonAlone(reason=label, outcome=_named(report.outcome)))
    if report.spread is not None and report.outcome not in awards.ALONE:
        found.append(SpreadWithOpponent(spread=report.spread))
    return found + _texts_too_long(report)


def _named(outcome: Outcome) -> str | Promise:
    return _("Open") if outcome == Outcome.OPEN else OUTCOMES[outcome]


def _points_missing(report: Report, rules: Ruleset) -> list[Refusal]:
    missing = [f"{name}_points" for name, side in report.sides if side.points is None]
    if report.outcome == Outcome.PLAYED:
        return [PointsMissing(field=field) for field in missing]
    if report.outcome in awards.AWARDED and len(missing) == 1:
        return [HalfAScore(field=missing[0], clause=rules.awards.clause)]
    return []


def _figures_out_of_range(report: Report) -> list[Refusal]:
    figures = [
        (f"{name}_{field}", getattr(side, field), allowed)
        for name, side in report.sides
        for field, allowed in LIMITS.items()
    ]
    figures += [(f"{name}_moves", move, limits.MOVE) for name, side in report.sides for move in side.moves]
    figures.append(("spread", report.spread, limits.SPREAD))
    return [fault for figure in figures for fault in out_of_range(*figure)]


def _texts_too_long(report: Report) -> list[Refusal]:
    return [
        *too_long("penalty_reason", report.penalty_reason, limits.PENALTY_REASON),
        *too_long("note", report.note, limits.NOTE),
    ]


def record_result(
    pairing: Pairing,
    *,
    report: Report,
    actor: Actor,
    expected_version: int | None,
    expected_players: tuple[int, ...] | None = None,
    how: Result.How = Result.How.TYPED,
    why: str = "",
    disturb: Collection[int] = (),
) -> Result:
    """Make `report` the official result of a pairing, as a new version; in the knock-out its games follow.

    `expected_version` is the version that the writer saw (0: none; None: whatever is stored), `expected_players` the
    entries that the writer saw at the table, starter first. Repeating the official result changes nothing. Raises
    `Refusals` with all faults, `RoundNotPublished`, `PlayersChanged`, `ResultChanged` when another version came first,
    or `DisturbsLater` if played games of the knock-out would no longer count and `disturb` does not name all their
    results.
    """
    tournament = pairing.round.division.tournament
    with change(tournament, actor=actor, verb="record_result", **_journal_details(pairing, report, why)) as log:
        round = published_round(pairing)
        players = tuple(pairing.seats.order_by("side").values_list("entry_id", flat=True))
        if expected_players is not None and expected_players != players:
            raise PlayersChanged(table=pairing.table)
        if faults := problems(report, players=len(players), rules=log.tournament.rules):
            raise Refusals(faults)
        versions = list(pairing.results.order_by("version"))
        current = next((result for result in versions if result.official), None)
        if current is not None and Report.of(current) == report:
            return current
        if expected_version is not None and expected_version != (current.version if current else 0):
            raise ResultChanged(current=current, offered=report)
        if report.outcome in awards.ALONE and pairing.kind != report.outcome.value:
            log.save(pairing, kind=Pairing.Kind.of(report.outcome))
        written = write_version(log, pairing, report, versions, actor=actor, how=how, why=why)
        knockout_games.settle_round(log, round, disturb=disturb)
        return written


def published_round(pairing: Pairing) -> Round:
    """The round of a pairing as it is now. Raises `RoundNotPublished` for a draft, which has no games yet."""
    round = Round.objects.get(pk=pairing.round_id)
    if round.is_draft:
        raise RoundNotPublished(number=round.number)
    return round


def write_version(
    log: Change,
    pairing: Pairing,
    report: Report,
    versions: list[Result],
    *,
    actor: Actor,
    how: Result.How,
    why: str = "",
) -> Result:
    """Add the next version of a pairing's result within a change that is open, and make it the official one."""
    for result in versions:
        if result.official:
            log.save(result, official=False)
    return log.create(
        Result(
            pairing=pairing,
            version=max((result.version for result in versions), default=0) + 1,
            how=how,
            why=why,
            by=actor.user,
            by_name=actor.shown_name,
            at=log.now,
            **report.fields(),
        )
    )


def withdraw_result(
    pairing: Pairing,
    *,
    actor: Actor,
    expected_version: int | None = None,
    why: str = "",
    disturb: Collection[int] = (),
) -> None:
    """Make a pairing open again, and its round if that was closed; the versions stay on record. In the knock-out its
    games follow.

    Raises `NothingToWithdraw`, `ResultChanged` when the official version is not the one that the writer saw, or
    `DisturbsLater` as `record_result` does.
    """
    tournament = pairing.round.division.tournament
    with change(tournament, actor=actor, verb="withdraw_result", why=why, **round_names.where(pairing)) as log:
        current = pairing.results.filter(official=True).first()
        if current is None:
            raise NothingToWithdraw
        if expected_version is not None and expected_version != current.version:
            raise ResultChanged(current=current, offered=None)
        log.save(current, official=False)
        reopening.reopen_incomplete(log)
        knockout_games.settle_round(log, pairing.round, disturb=disturb)


def _journal_details(pairing: Pairing, report: Report, why: str) -> dict[str, Any]:
    return {
        **round_names.where(pairing),
        "outcome": report.outcome.value,
        "first_points": report.first.points,
        "second_points": report.second.points,
        "why": why,
    }
