"""Results typed a second time, blind; where the two differ, the paper settles it, not whoever typed last."""

from dataclasses import replace

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import SecondEntry
from tournament.basics.languages import choose_paper_language
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, Change, change
from tournament.core.reports import Report
from tournament.core.second_entries import SecondEntryState, find_second_entries, get_second_entry_state
from tournament.core.words.rounds import make_place_details
from tournament.models import Division, Pairing, Result
from tournament.results.operations import get_published_round, record_result


def list_differing_results(division: Division) -> list[Pairing]:
    """The games of a division to be settled from the paper, by round and table. Four queries, none if typed once."""
    if not division.tournament.results_twice:
        return []
    twice_typed = Pairing.objects.filter(round__division=division, second_entry__isnull=False)
    twice_typed = twice_typed.select_related("round__division__knockout").with_players().with_results()
    games = list(twice_typed.order_by("round__number", "table", "pk"))
    again = find_second_entries([game.pk for game in games])
    differs = SecondEntryState.DIFFERS
    return [game for game in games if game.result and get_second_entry_state(game.result, again[game.pk]) == differs]


class ResultsTypedOnce(Refusal, code="typed_once"):
    message = gettext_lazy("Results are typed once in this tournament; you can switch double entry on in the settings.")


class NoResultToRetype(Refusal, code="nothing_to_check"):
    message = gettext_lazy("Table %(table)s has no result yet to type a second time.")


def record_second_entry(pairing: Pairing, *, points: tuple[int, int], actor: Actor) -> SecondEntryState:
    """Keep what somebody else has read of a table's sheet, once, and say how the result stands then. Raises
    `ResultsTypedOnce`, `NoResultToRetype`, `own_figures`, `already_twice`, `RoundNotPublished`."""
    tournament = pairing.round.division.tournament
    with change(tournament, actor=actor, verb="type_again", **make_place_details(pairing)) as log:
        get_published_round(pairing)
        official, again = _get_both_entries(log, pairing)
        if again is not None:
            raise Refusal(
                "already_twice",
                gettext_lazy("The result of table %(table)s has already been typed a second time."),
                table=pairing.table,
            )
        # An award, or a result on which both players' phones agree, was not read from one slip by one person, and is
        # not read again.
        if get_second_entry_state(official, None) != SecondEntryState.ONCE:
            raise NoResultToRetype(table=pairing.table)
        if actor.has_written(official):
            raise Refusal(
                "own_figures",
                gettext_lazy("You typed the result of table %(table)s yourself; somebody else has to type it again."),
                table=pairing.table,
            )
        by = {"by": actor.user, "by_name": actor.shown_name, "at": log.now}
        second_entry = log.create(SecondEntry(pairing=pairing, first_points=points[0], second_points=points[1], **by))
        return get_second_entry_state(official, second_entry)


def settle_result(pairing: Pairing, *, points: tuple[int, int], actor: Actor, expected_version: int) -> None:
    """Settle from the paper a result that two people have typed differently; other points than the official ones become
    its next version. Raises `ResultsTypedOnce`, `NoResultToRetype`, `Refusal`, and what `record_result` raises."""
    tournament = pairing.round.division.tournament
    with transaction.atomic():
        with change(tournament, actor=actor, verb="settle_result", **make_place_details(pairing)) as log:
            official, again = _get_both_entries(log, pairing)
            if again is None or get_second_entry_state(official, again) != SecondEntryState.DIFFERS:
                message = gettext_lazy("There is nothing to settle at table %(table)s.")
                raise Refusal("nothing_differs", message, table=pairing.table)
            if actor.has_written(again):
                message = gettext_lazy(
                    "You typed the result of table %(table)s last; somebody else checks the paper and settles it."
                )
                raise Refusal("typed_it_last", message, table=pairing.table)
            # In one transaction with the result below: refused there, since somebody has corrected it meanwhile,
            # nothing is settled.
            log.save(again, first_points=points[0], second_points=points[1], is_settled=True)
        # Stored with the result for everybody to read, so in the language of the event and not in that of whoever
        # settles.
        with translation.override(choose_paper_language(tournament.language)):
            why = _("settled from the paper")
        own = replace(actor, seen=None)  # the version says what was seen
        report = Report.of(official)
        # The points alone: time, penalties and facts of the first typing were never in question.
        first, second = (replace(side, points=score) for (_name, side), score in zip(report.sides, points, strict=True))
        report = replace(report, first=first, second=second)
        record_result(pairing, report=report, actor=own, expected_version=expected_version, why=why)


def _get_both_entries(log: Change, pairing: Pairing) -> tuple[Result, SecondEntry | None]:
    """The official result and the second entry as they are now. Raises `ResultsTypedOnce`, `NoResultToRetype`."""
    if not log.tournament.results_twice:
        raise ResultsTypedOnce
    official = Result.objects.filter(pairing=pairing, official=True).first()
    if official is None:
        raise NoResultToRetype(table=pairing.table)
    return official, SecondEntry.objects.filter(pairing=pairing).first()
