"""Agreement: one of a game's score sheets becomes the official result; single lines can be taken over from another."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.compare import agree
from games.models import Incident, Line, Scoresheet
from games.referee import operations as referee
from games.sheets import operations as sheets
from games.sheets.page import SheetPage
from games.sheets.written import WrittenLine
from tournament.models import Pairing, Result
from tournament.operations import results
from tournament.operations.change import Actor, Change, change
from tournament.refusals import Refusal
from tournament.reports import Report
from tournament.words import round_names


class NoFinalScore(Refusal):
    code = "no_final_score"
    message = _(
        "This sheet gives no final score yet: points or the end of the game are missing. Complete it, then agree on it."
    )


class SheetMoved(Refusal):
    code = "sheet_moved"
    message = _("Meanwhile somebody has written on this sheet. Look at it again before it is agreed.")


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
    """Make the result that a sheet gives the official one, and the sheet the agreed one, in one transaction.

    `expected_version` is the official version that the director saw (0: none; None: whatever stands there),
    `expected_sheet` the sheet's version, `expected_players` who sat there. Where the official result says the same,
    the sheet's facts are added and nothing is lost. Penalty points that waited in the referee's log are then in it.
    Raises `SheetMoved`, `NoFinalScore`, or what `record_result` raises.
    """
    pairing = scoresheet.pairing
    tournament = pairing.round.division.tournament
    with transaction.atomic():
        with change(tournament, actor=actor, verb="agree_sheet", **round_names.where(pairing)) as log:
            report = _mark_agreed(log, scoresheet, expected_sheet)
        saved = results.record_result(
            pairing,
            report=report,
            actor=actor,
            expected_version=expected_version,
            expected_players=expected_players,
            how=Result.How.SHEET,
            why=why,
            disturb=disturb,
        )
        with change(tournament, actor=actor, verb="apply_incident", **round_names.where(pairing)) as log:
            referee.mark_applied(log, pairing, saved.version)
    scoresheet.agreed = True
    return saved


def _mark_agreed(log: Change, scoresheet: Scoresheet, expected: int) -> Report:
    """Make a sheet the agreed one of its game, and no other; the result that it gives."""
    stored = Scoresheet.objects.get(pk=scoresheet.pk)
    if stored.version != expected:
        raise SheetMoved
    stored.pairing = scoresheet.pairing
    report = result_of(SheetPage(stored), official(stored.pairing))
    for other in Scoresheet.objects.filter(pairing=stored.pairing, agreed=True).exclude(pk=stored.pk):
        log.save(other, agreed=False)
    log.save(stored, agreed=True)
    return report


def result_of(page: SheetPage, current: Report | None) -> Report:
    """The result that agreeing on a sheet gives. Raises `NoFinalScore`."""
    if not agree.is_complete(page):
        raise NoFinalScore
    found = agree.report(page, counting_incidents(page.pairing))
    same = agree.completed(current, found) if current is not None else None
    return found if same is None else same


def counting_incidents(pairing: Pairing) -> list[Incident]:
    """The incidents of a game that count, in order."""
    return list(Incident.objects.filter(pairing=pairing, is_withdrawn=False).order_by("pk"))


def official(pairing: Pairing) -> Report | None:
    """The official result as it stands in the database now."""
    current = Result.objects.filter(pairing=pairing, official=True).first()
    return None if current is None else Report.of(current)


def take_over(
    target: Scoresheet,
    *,
    number: int | None,
    before: int | None,
    source: Line | None,
    actor: Actor,
    expected_version: int,
) -> None:
    """Write one line of the sheet to be agreed as another sheet has it.

    `number`: the target's own line, None where it has none; then it is written before line `before` (None: below the
    last). `source`: the other sheet's line, None where that sheet has none; then the target's line is taken out. Raises
    what `sheets.operations` raises.
    """
    told: dict[str, Any] = {"actor": actor, "expected_version": expected_version}
    if source is None:
        if number is not None:
            sheets.delete_line(target, number=number, **told)
        return
    line = WrittenLine.of(source)
    if number is not None:
        sheets.change_line(target, number=number, line=line, **told)
    elif before is not None:
        sheets.insert_line(target, number=before, line=line, **told)
    else:
        sheets.write_line(target, line=line, **told)
