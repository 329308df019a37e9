"""Results typed a second time, blind; where the two differ, the paper settles it, not whoever typed last."""

from dataclasses import replace

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.entry import second
from games.entry.second import SecondEntryState
from games.models import SecondEntry
from tournament import languages
from tournament.models import Pairing, Result
from tournament.operations import results
from tournament.operations.change import Actor, Change, change
from tournament.refusals import Refusal
from tournament.reports import Report
from tournament.words import round_names

Points = tuple[int, int]
"""The score of the first and of the second player."""


class TypedOnce(Refusal):
    code = "typed_once"
    message = gettext_lazy("In this tournament results are typed once; the settings can have them typed twice.")


class NothingToCheck(Refusal):
    code = "nothing_to_check"
    message = gettext_lazy("Table %(table)s has no result yet that could be typed a second time.")


class OwnFigures(Refusal):
    code = "own_figures"
    message = gettext_lazy("You typed the result of table %(table)s yourself; somebody else types it again.")


class AlreadyTwice(Refusal):
    code = "already_twice"
    message = gettext_lazy("The result of table %(table)s has been typed a second time already.")


class TypedItLast(Refusal):
    code = "typed_it_last"
    message = gettext_lazy(
        "You typed the result of table %(table)s last; somebody else looks at the paper and settles it."
    )


class NothingDiffers(Refusal):
    code = "nothing_differs"
    message = gettext_lazy("There is nothing to settle at table %(table)s.")


def type_again(pairing: Pairing, *, points: Points, actor: Actor) -> SecondEntryState:
    """Keep what somebody else has read of a table's sheet, once, and say how the result stands then.

    Raises `TypedOnce`, `NothingToCheck`, `OwnFigures`, `AlreadyTwice`, `RoundNotPublished`.
    """
    tournament = pairing.round.division.tournament
    with change(tournament, actor=actor, verb="type_again", **round_names.where(pairing)) as log:
        results.published_round(pairing)
        official, again = _stored(log, pairing)
        if again is not None:
            raise AlreadyTwice(table=pairing.table)
        if second.kind(official, None) != SecondEntryState.ONCE:
            raise NothingToCheck(table=pairing.table)
        if second.is_by(official, actor):
            raise OwnFigures(table=pairing.table)
        by = {"by": actor.user, "by_name": actor.shown_name, "at": log.now}
        made = log.create(SecondEntry(pairing=pairing, first_points=points[0], second_points=points[1], **by))
        return second.kind(official, made)


def settle_result(pairing: Pairing, *, points: Points, actor: Actor, expected_version: int) -> None:
    """Settle from the paper what a table's result is, where two people have typed it differently; both say so then.

    Other points than the official ones become its next version. Raises `TypedOnce`, `NothingToCheck`, `NothingDiffers`,
    `TypedItLast`, and what `record_result` raises.
    """
    tournament = pairing.round.division.tournament
    with transaction.atomic():
        with change(tournament, actor=actor, verb="settle_result", **round_names.where(pairing)) as log:
            official, again = _stored(log, pairing)
            if again is None or second.kind(official, again) != SecondEntryState.DIFFERS:
                raise NothingDiffers(table=pairing.table)
            if second.is_by(again, actor):
                raise TypedItLast(table=pairing.table)
            log.save(again, first_points=points[0], second_points=points[1], is_settled=True)
        with translation.override(languages.on_paper(tournament.language)):
            why = _("settled from the paper")
        own = replace(actor, seen=None)  # the version says what was seen
        report = _with(Report.of(official), points)
        results.record_result(pairing, report=report, actor=own, expected_version=expected_version, why=why)


def _stored(log: Change, pairing: Pairing) -> tuple[Result, SecondEntry | None]:
    """The official result and the second entry as they are now. Raises `TypedOnce`, `NothingToCheck`."""
    if not log.tournament.results_twice:
        raise TypedOnce
    official = Result.objects.filter(pairing=pairing, official=True).first()
    if official is None:
        raise NothingToCheck(table=pairing.table)
    return official, SecondEntry.objects.filter(pairing=pairing).first()


def _with(report: Report, points: Points) -> Report:
    """The same result with other scores."""
    first, other = points
    return replace(report, first=replace(report.first, points=first), second=replace(report.second, points=other))
