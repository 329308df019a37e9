"""Before a result is saved on a table's own page: what it counts for, what is odd about it, what it changes."""

from dataclasses import dataclass

from games.entry.forms import AloneForm, GameForm
from games.entry.words import both_figures
from games.shared import words
from games.shared.seen import fingerprint, seen
from scoring import awards
from tournament import reports
from tournament.models import Pairing
from tournament.operations import results
from tournament.refusals import Refusal
from tournament.reports import Report, SlipFigure
from tournament.whatif import consequences
from tournament.whatif import knockout as knockout_consequences


@dataclass(frozen=True, slots=True)
class Review:
    """What the page shows before it saves.

    `deductions` are the clock's and other penalties, `counts` what the result credits, `questions` what is odd about
    it, `consequences` what a correction changes. `asked` goes into the form: when it is posted back with this, the
    result is saved.
    """

    deductions: list[str]
    counts: str
    questions: list[str]
    consequences: consequences.Consequences | None
    asked: str
    is_award: bool
    is_correction: bool


def of(pairing: Pairing, form: GameForm | AloneForm, *, with_consequences: bool = True) -> Review:
    """Everything to be said about a valid form before it is saved."""
    report = form.report()
    sheet = form.sheet() if isinstance(form, GameForm) else report
    corrects = pairing.result is not None and Report.of(pairing.result) != report
    looks_on = corrects or (pairing.round.is_knockout and pairing.result is None)
    return Review(
        deductions=[*words.deductions(pairing, sheet), *_both_figures(pairing, form)],
        counts=words.credited(pairing, report),
        questions=words.oddities(report),
        consequences=consequences.of(pairing, report) if looks_on and with_consequences else None,
        asked=fingerprint(report, seen(pairing)),
        is_award=report.outcome in awards.AWARDED,
        is_correction=corrects,
    )


def _both_figures(pairing: Pairing, form: GameForm | AloneForm) -> list[str]:
    """What a score is before and after time and penalties."""
    if not isinstance(form, GameForm) or not form.cleaned_data["figure"]:
        return []
    return both_figures(pairing, form.sheet(), SlipFigure(form.cleaned_data["figure"]))


def is_needed(pairing: Pairing, form: GameForm | AloneForm) -> bool:
    """Whether a valid form must be looked at again before it is saved.

    That is a correction, an award, an odd figure, and what would make played games of the knock-out void.
    """
    if form.has_asked:
        return False
    report = form.report()
    if pairing.result is not None:
        return Report.of(pairing.result) != report
    if report.outcome in awards.AWARDED or reports.oddities(report):
        return True
    return pairing.round.is_knockout and bool(knockout_consequences.of(pairing, report).results)


def overtaken(pairing: Pairing, form: GameForm | AloneForm) -> Refusal | None:
    """What happened at the table since the page was made, if that matters to what was typed."""
    version, players = form.expected
    if players != tuple(seat.entry_id for seat in pairing.seats.all()):
        return results.PlayersChanged(table=pairing.table or "–")
    current = pairing.result
    if version == (current.version if current else 0) or (current and Report.of(current) == form.report()):
        return None
    return results.ResultChanged(current=current, offered=form.report())
