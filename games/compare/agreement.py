"""Agreement: one of a game's score sheets becomes the official result; single lines can be taken over from another."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Incident, Line, Scoresheet
from games.referee.catalogue import IncidentEffect, find_incident_kind
from games.referee.effects import (
    AWARDING_EFFECTS,
    FIRST_SIDE,
    SECOND_SIDE,
    award_game,
    convert_result_to_report,
    get_award_reason,
    join_reasons,
)
from games.referee.operations import list_waiting_incidents
from games.referee.referee_log import get_kind_name
from games.sheets.lines import WrittenLine
from games.sheets.operations import change_line, delete_line, insert_line, write_line
from games.sheets.sheet_page import SheetPage
from scoring.awards import AwardReason, Outcome
from scoring.sheet_values import LineKind, SheetFault, SheetHalf
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, Change, change
from tournament.core.reports import PlayerReport, Report, make_final_report, make_stopped_report
from tournament.core.words.figures import append_clause
from tournament.core.words.rounds import make_place_details
from tournament.models import Pairing, Result
from tournament.models.play import SIDES
from tournament.results.operations import record_result


@dataclass(frozen=True, slots=True)
class PlayerPenalties:
    """Penalty points of one player, by the sheet and by the referee's log, with the reasons."""

    sheet: int
    log: int
    reasons: tuple[str, ...]

    @property
    def points(self) -> int:
        """What is taken off: usually both say the same, and then it is taken off once."""
        return max(self.sheet, self.log)

    @property
    def differ(self) -> bool:
        # A log without any contradicts nothing: the players may have noted a penalty among themselves.
        return self.sheet != self.log and self.log > 0


def is_sheet_complete(page: SheetPage) -> bool:
    """Whether a final score can be worked out: there are lines, all with points, and the game is over or lost."""
    faults = {problem.fault for problem in page.problems}
    missing = faults & {SheetFault.POINTS_MISSING, SheetFault.SETTLEMENT_UNKNOWN}
    return bool(page.lines) and not missing and page.count.over is not None


def collect_penalties(page: SheetPage, log: Sequence[Incident]) -> tuple[PlayerPenalties, PlayerPenalties]:
    """Both players' penalty points, from the sheet's lines and from the standing lines of the referee's log."""
    first, second = (_collect_player_penalties(page, log, half) for half in page.count.halves)
    return first, second


def _collect_player_penalties(page: SheetPage, log: Sequence[Incident], half: SheetHalf) -> PlayerPenalties:
    mine = [
        incident
        for incident in log
        if incident.consequence == IncidentEffect.POINTS and incident.side in (None, half.side)
    ]
    reasons = [append_clause(get_kind_name(incident.kind, page.rules), incident.clause) for incident in mine]
    # The log's reasons where it has any, since they name the clause; the sheet's only where it stands alone.
    if not mine and half.penalties:
        noted = [line for line in page.lines if line.kind == LineKind.PENALTY and line.side == half.side]
        reasons = [line.note for line in noted if line.note] or [_("penalty points on the score sheet")]
    return PlayerPenalties(max(0, -half.penalties), sum(incident.points for incident in mine), tuple(reasons))


def build_sheet_report(page: SheetPage, log: Sequence[Incident]) -> Report:
    """The result that a sheet gives. `log`: the game's standing incidents. Failed challenges are part of the points, as
    on paper; other penalty points stand apart, with their reason. An award of the referee stays."""
    penalties = collect_penalties(page, log)
    sides = []
    for half, off in zip(page.count.halves, penalties, strict=True):
        name = SIDES[half.side - 1]
        sides.append(
            PlayerReport(
                # Penalty lines that give points are a fault of the sheet, but its score has them in it: they count as
                # points, since no result has a penalty below zero.
                points=half.plays + half.challenges + half.settlement + max(0, half.penalties),
                penalty=off.points,
                overtime=getattr(page.scoresheet, f"{name}_overtime"),
                # Not known where a play stands without its word: it may have been one of all seven tiles.
                bingos=None if half.wordless else half.bingos,
                moves=half.moves,
                seconds=getattr(page.scoresheet, f"{name}_seconds"),
            )
        )
    reasons = dict.fromkeys(reason for off in penalties if off.points for reason in off.reasons)
    stated = Report(Outcome.PLAYED, sides[0], sides[1], penalty_reason=join_reasons(*reasons))
    losers: dict[int, AwardReason | None] = {}
    for incident in log:
        if incident.consequence in AWARDING_EFFECTS:
            kind = find_incident_kind(page.rules, incident.kind)
            why = get_award_reason(incident.consequence, kind.reason if kind else AwardReason.OTHER)
            losers |= dict.fromkeys((FIRST_SIDE, SECOND_SIDE) if incident.side is None else (incident.side,), why)
    # An award goes by the score when the game stopped (TSO 6.1.1): no time is taken off.
    return award_game(make_stopped_report(stated), losers) if losers else make_final_report(page.rules, stated)


def add_sheet_facts(official: Report, sheet: Report) -> Report | None:
    """The official report with the facts that a sheet adds, if both agree in all that counts; else None."""
    # What counts for wins, spread and awards; no overtime written and none at all are the same there.
    counting = (
        [
            replace(side, bingos=None, moves=(), seconds=None, overtime=side.overtime or 0)
            for _name, side in report.sides
        ]
        for report in (official, sheet)
    )
    if next(counting) != next(counting) or (official.outcome, official.reasons) != (sheet.outcome, sheet.reasons):
        return None
    first, second = (
        replace(
            new,
            bingos=old.bingos if new.bingos is None else new.bingos,
            moves=new.moves or old.moves,
            seconds=old.seconds if new.seconds is None else new.seconds,
            overtime=old.overtime if new.overtime is None else new.overtime,
        )
        for old, new in ((official.first, sheet.first), (official.second, sheet.second))
    )
    return replace(official, first=first, second=second)


class SheetMoved(Refusal, code="sheet_moved"):
    message = gettext_lazy("Somebody has changed this sheet in the meantime. Check it again before you agree on it.")


def agree_sheet(
    scoresheet: Scoresheet,
    *,
    actor: Actor,
    expected_version: int | None,
    expected_sheet: int,
    expected_players: tuple[int, ...] | None = None,
    why: str = "",
    disturb: Collection[int] = (),
) -> Result:
    """Make a sheet's result the official one, and the sheet the agreed one; penalty points that waited are then in it.
    Where the official result says the same, only the sheet's facts are added. `expected_version`: the official version
    seen (0: none; None: any), `expected_sheet` the sheet's. Raises as `record_result`, `SheetMoved`,
    `no_final_score`."""
    pairing = scoresheet.pairing
    tournament = pairing.round.division.tournament
    with transaction.atomic():
        # Three changes in one transaction, each with its line in the journal: all of them, or none.
        with change(tournament, actor=actor, verb="agree_sheet", **make_place_details(pairing)) as log:
            report = _mark_sheet_agreed(log, scoresheet, expected_sheet)
        result = record_result(
            pairing,
            report=report,
            actor=actor,
            expected_version=expected_version,
            expected_players=expected_players,
            how=Result.How.SHEET,
            why=why,
            disturb=disturb,
        )
        with change(tournament, actor=actor, verb="apply_incident", **make_place_details(pairing)) as log:
            # Only now: the version that has their points did not exist before.
            for incident in list_waiting_incidents(pairing):
                log.save(incident, version=result.version)
    # On the caller's row: what was saved is another object, read behind the lock.
    scoresheet.agreed = True
    return result


def _mark_sheet_agreed(log: Change, scoresheet: Scoresheet, expected: int) -> Report:
    """Make a sheet the agreed one of its game, and no other; the result that it gives."""
    stored = Scoresheet.objects.get(pk=scoresheet.pk)
    if stored.version != expected:
        raise SheetMoved
    stored.pairing = scoresheet.pairing
    current = Result.objects.filter(pairing=stored.pairing, official=True).first()
    report = build_agreed_report(SheetPage(stored), convert_result_to_report(current))
    # The other one first: the database allows one agreed sheet for a game.
    for other in Scoresheet.objects.filter(pairing=stored.pairing, agreed=True).exclude(pk=stored.pk):
        log.save(other, agreed=False)
    log.save(stored, agreed=True)
    return report


def build_agreed_report(page: SheetPage, current: Report | None) -> Report:
    """The result that agreeing on a sheet gives. Raises `no_final_score`."""
    if not is_sheet_complete(page):
        raise Refusal(
            "no_final_score",
            gettext_lazy(
                "This sheet does not give a final score yet: points or the end of the game are missing. "
                "Complete it, then agree on it."
            ),
        )
    report = build_sheet_report(page, list_counting_incidents(page.pairing))
    same = add_sheet_facts(current, report) if current is not None else None
    return report if same is None else same


def list_counting_incidents(pairing: Pairing) -> list[Incident]:
    """The incidents of a game that count, in order."""
    return list(Incident.objects.filter(pairing=pairing, is_withdrawn=False).order_by("pk"))


def copy_sheet_line(
    target: Scoresheet,
    *,
    number: int | None,
    before: int | None,
    source: Line | None,
    actor: Actor,
    expected_version: int,
) -> None:
    """Write one line of the sheet to be agreed (`number`; None: before line `before`, or below the last) as another
    sheet's `source` has it; without `source` it is taken out. Raises what `games.sheets.operations` raises."""
    details: dict[str, Any] = {"actor": actor, "expected_version": expected_version}
    if source is None:
        if number is not None:
            delete_line(target, number=number, **details)
        return
    line = WrittenLine.of(source)
    if number is not None:
        change_line(target, number=number, line=line, **details)
    elif before is not None:
        insert_line(target, number=before, line=line, **details)
    else:
        write_line(target, line=line, **details)
