"""The one door through which a game's outcome becomes official, and what that does to its round."""

from collections.abc import Collection
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring import awards
from scoring.awards import Outcome
from scoring.rulesets.values import Ruleset
from tournament.basics import limits
from tournament.basics.refusals import Refusal, Refusals, find_length_refusals, find_range_refusals
from tournament.basics.showing import SHOWING_STEPS, SHOWN_AT_ONCE
from tournament.core.change import Actor, Change, change
from tournament.core.reports import Report
from tournament.core.words.figures import format_clause, name_both_players
from tournament.core.words.outcomes import format_reason_label, format_short_report
from tournament.core.words.rounds import make_place_details
from tournament.models import Pairing, Result, Round
from tournament.models.choices import OUTCOME_LABELS
from tournament.results.knockout_games import update_knockout_of_round


class GamesOpen(Refusal, code="games_open"):
    message = _("Results still missing in round %(number)s: %(missing)s. Enter them first.")


def reopen_incomplete_rounds(log: Change) -> None:
    """Open the closed rounds again that lack a result after what the change has written so far."""
    for round in _list_closed_rounds(log):
        if _count_missing_results(round):
            mark_round_open(log, round)


def mark_round_open(log: Change, round: Round) -> None:
    """Open a closed round; what the public has seen of it since it was closed stays seen."""
    # What was seen cannot be hidden again: a table that was shown when the round closed would vanish from the public
    # pages until the one corrected result is in.
    moments = {step: round.shown(step).moment(round.published_at, round.closed_at) for step in SHOWING_STEPS}
    seen = {step.column: SHOWN_AT_ONCE for step, moment in moments.items() if moment is not None and moment <= log.now}
    log.save(round, state=Round.State.PUBLISHED, closed_at=None, **seen)


def check_rounds_complete(log: Change) -> None:
    """Raise `GamesOpen` if the change has closed a round that lacks a result."""
    for round in _list_closed_rounds(log):
        if missing := _count_missing_results(round):
            raise GamesOpen(number=round.number, missing=missing)


def _list_closed_rounds(log: Change) -> list[Round]:
    """The closed rounds of the league among those that the change has touched, themselves or by a result."""
    rounds = {pk for table, pk, _before, _after in log.rows if table == "round"}
    # A row that is new has no `before`, one that is deleted no `after`; either names the pairing.
    pairings = {(before or after or {})["pairing_id"] for table, _pk, before, after in log.rows if table == "result"}
    rounds |= set(Pairing.objects.filter(pk__in=pairings).values_list("round_id", flat=True))
    return list(Round.objects.league().filter(pk__in=rounds, state=Round.State.CLOSED).in_order())


def _count_missing_results(round: Round) -> int:
    return round.pairings.filter(kind=Pairing.Kind.GAME).exclude(results__official=True).count()


FIGURE_LIMITS = {
    "points": limits.POINTS,
    "penalty": limits.PENALTY,
    "overtime": limits.OVERTIME,
    "bingos": limits.BINGOS,
    "seconds": limits.SECONDS,
}
"""The figures of a player's half of a result."""


class RoundNotPublished(Refusal, code="round_not_published"):
    message = _("Round %(number)s is still a draft. Publish it first, then results can come.")


class PlayersChanged(Refusal, code="players_changed"):
    """The pairing has changed since the writer looked, so that the scores would go to the wrong players."""

    message = _(
        "Table %(table)s has been paired again in the meantime. Check who plays there now, then enter the result again."
    )


class ResultChanged(Refusal, code="result_changed"):
    """Another version came first: `current` (None: withdrawn); `offered` was to be saved. Neither is lost."""

    message: str | Promise = _("In the meantime %(who)s has entered %(current)s for this table. You typed %(offered)s.")

    def __init__(self, pairing: Pairing, *, current: Result | None, offered: Report | None) -> None:
        names = name_both_players(pairing)
        super().__init__(
            who=(current.by_name if current else "") or _("somebody"),
            current=format_short_report(Report.of(current), names) if current else "",
            offered=format_short_report(offered, names) if offered else "",
        )
        self.current = current
        self.offered = offered
        if offered is None:
            self.message = _("In the meantime %(who)s has entered %(current)s for this table. Nothing was withdrawn.")
        elif current is None:
            self.message = _("The result of this table has been withdrawn in the meantime. You typed %(offered)s.")


def find_result_problems(report: Report, *, players: int, rules: Ruleset) -> list[Refusal]:
    """Everything that is wrong with a report for a pairing of this many players."""
    problems: list[Refusal] = []
    outcome = _("Open") if report.outcome == Outcome.OPEN else OUTCOME_LABELS[report.outcome]
    if report.outcome == Outcome.OPEN or (report.outcome in awards.OUTCOMES_WITHOUT_OPPONENT) != (players == 1):
        message = _("%(outcome)s is not possible here: players in this pairing: %(players)s.")
        problems.append(Refusal("not_possible", message, field="outcome", outcome=outcome, players=players))
    missing = [f"{name}_points" for name, side in report.sides if side.points is None]
    if report.outcome == Outcome.PLAYED:
        message = _("A played game needs the final scores of both players.")
        problems += [Refusal("points_missing", message, field=field) for field in missing]
    elif report.outcome in awards.AWARDED_OUTCOMES and len(missing) == 1:
        message = _("The score when the game stopped needs both players' points, or none if it never began%(clause)s.")
        problems.append(Refusal("half_a_score", message, field=missing[0], clause=format_clause(rules.awards.clause)))
    problems += _find_figures_out_of_range(report)
    if (points := report.first.penalty or report.second.penalty) and not report.penalty_reason:
        message = _("Penalty points (%(points)s) need a reason.")
        problems.append(Refusal("penalty_reason", message, field="penalty_reason", points=points))
    if report.reason is not None and report.outcome not in awards.AWARDED_OUTCOMES:
        label, clause = format_reason_label(report.reason, rules), format_clause(rules.clauses.forfeits.whole)
        message = _("“%(reason)s” is a reason for an award%(clause)s; the outcome here is “%(outcome)s”.")
        figures = {"reason": label, "outcome": outcome, "clause": clause}
        problems.append(Refusal("reason_without_forfeit", message, field="reason", **figures))
    if report.second_reason is not None and (report.outcome != Outcome.BOTH_FORFEIT or report.reason is None):
        label = format_reason_label(report.second_reason, rules)
        message = _(
            "“%(reason)s” beside another reason is for a game that both lose; the outcome here is “%(outcome)s”."
        )
        problems.append(Refusal("second_reason_alone", message, field="second_reason", reason=label, outcome=outcome))
    if report.spread is not None and report.outcome not in awards.OUTCOMES_WITHOUT_OPPONENT:
        message = _("A spread of its own (%(spread)s) is only for byes and absences; between two players it follows.")
        problems.append(Refusal("spread_with_opponent", message, field="spread", spread=report.spread))
    problems += find_length_refusals("penalty_reason", report.penalty_reason, limits.PENALTY_REASON)
    return problems + find_length_refusals("note", report.note, limits.NOTE)


def _find_figures_out_of_range(report: Report) -> list[Refusal]:
    figures = [
        (f"{name}_{field}", getattr(side, field), allowed)
        for name, side in report.sides
        for field, allowed in FIGURE_LIMITS.items()
    ]
    figures += [(f"{name}_moves", move, limits.MOVE) for name, side in report.sides for move in side.moves]
    figures.append(("spread", report.spread, limits.SPREAD))
    return [fault for figure in figures for fault in find_range_refusals(*figure)]


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
    The writer saw `expected_version` (0: none; None: whatever is stored) and at the table `expected_players`, starter
    first. Repeating the official result changes nothing. Raises `Refusals` with all faults, `RoundNotPublished`,
    `PlayersChanged`, `ResultChanged` when another version came first, or `LaterGamesDisturbed` if played games of the
    knock-out would no longer count and `disturb` does not name all their results."""
    details: dict[str, Any] = {**make_place_details(pairing), "outcome": report.outcome.value, "why": why}
    details |= {"first_points": report.first.points, "second_points": report.second.points}
    with change(pairing.round.division.tournament, actor=actor, verb="record_result", **details) as log:
        return store_report(
            log,
            pairing,
            report,
            actor=actor,
            expected_version=expected_version,
            expected_players=expected_players,
            how=how,
            why=why,
            disturb=disturb,
        )


def store_report(
    log: Change,
    pairing: Pairing,
    report: Report,
    *,
    actor: Actor,
    expected_version: int | None,
    expected_players: tuple[int, ...] | None = None,
    how: Result.How,
    why: str = "",
    disturb: Collection[int] = (),
) -> Result:
    """`record_result` within a change that is open."""
    round = get_published_round(pairing)
    players = tuple(pairing.seats.order_by("side").values_list("entry_id", flat=True))
    # A director swaps two tables while a helper has the old page open: 412 : 380 would be stored for players who
    # were not there.
    if expected_players is not None and expected_players != players:
        raise PlayersChanged(table=pairing.table)
    if faults := find_result_problems(report, players=len(players), rules=log.tournament.rules):
        raise Refusals(faults)
    versions = list(pairing.results.order_by("version"))
    current = next((result for result in versions if result.official), None)
    # Before versions are compared: a phone that lost the answer on its way sends the same result again, and would
    # be told that somebody else came first.
    if current is not None and Report.of(current) == report:
        return current
    if expected_version is not None and expected_version != (current.version if current else 0):
        raise ResultChanged(pairing, current=current, offered=report)
    # A bye that turns out to be an absence: papers, lists and the next draw go by the pairing's kind, and would count a
    # bye that nobody had.
    if report.outcome in awards.OUTCOMES_WITHOUT_OPPONENT and pairing.kind != report.outcome.value:
        log.save(pairing, kind=Pairing.Kind.of(report.outcome))
    written = store_result_version(log, pairing, report, versions, actor=actor, how=how, why=why)
    update_knockout_of_round(log, round, disturb=disturb)
    return written


def get_published_round(pairing: Pairing) -> Round:
    """The round of a pairing as it is now. Raises `RoundNotPublished` for a draft, which has no games yet."""
    # Read again: the page has loaded the pairing before the lock, and an undo may have made its round a draft since.
    round = Round.objects.get(pk=pairing.round_id)
    if round.is_draft:
        raise RoundNotPublished(number=round.number)
    return round


def store_result_version(
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
    # The old one first: the database allows one official version of a pairing, and asks at every row, not at the end.
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
    pairing: Pairing, *, actor: Actor, expected_version: int | None = None, why: str = "", disturb: Collection[int] = ()
) -> None:
    """Make a pairing open again, and its round if that was closed; in the knock-out its games follow. The versions stay
    on record. Raises `nothing_to_withdraw`, `result_without_opponent`, `ResultChanged` when another version than that
    seen is official, or `LaterGamesDisturbed` as `record_result` does."""
    tournament = pairing.round.division.tournament
    with change(tournament, actor=actor, verb="withdraw_result", why=why, **make_place_details(pairing)) as log:
        current = pairing.results.filter(official=True).first()
        if current is None:
            raise Refusal("nothing_to_withdraw", _("This table has no official result."))
        if expected_version is not None and expected_version != current.version:
            raise ResultChanged(pairing, current=current, offered=None)
        # A bye that was withdrawn stood in the table as no game, while the event's file still held the bye: read back,
        # the file gave another table. Another result may replace it.
        if Outcome(current.outcome) in awards.OUTCOMES_WITHOUT_OPPONENT:
            # A bye or an absence is its own result: without one it would be neither, and no file could hold it.
            raise Refusal(
                "result_without_opponent",
                _("Without an opponent there is no game to be open again. Enter another result instead."),
            )
        log.save(current, official=False)
        reopen_incomplete_rounds(log)
        update_knockout_of_round(log, pairing.round, disturb=disturb)
