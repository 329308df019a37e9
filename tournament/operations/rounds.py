"""The states of a round: draft, published, closed, and the way back."""

from django.utils.translation import gettext_lazy as _

from scoring.awards import Outcome
from tournament import records
from tournament.models import Division, Entry, Pairing, Result, Round, RoundState, Seat, Seed
from tournament.operations import drafts
from tournament.operations.change import Actor, Change, change
from tournament.operations.reopening import GamesOpen, reopen
from tournament.operations.results import write_version
from tournament.queries import draw_request, league
from tournament.refusals import Refusal
from tournament.reports import Report
from tournament.showing import Showing
from tournament.words import round_names


class NotPaired(Refusal):
    code = "not_paired"
    message = _("Round %(number)s cannot be published: %(names)s have no opponent and no bye yet.")


class AttendanceChanged(Refusal):
    code = "attendance_changed"
    message = _(
        "Round %(number)s cannot be published: since it was drafted, something has changed for %(names)s "
        "(withdrawn, absent or back again). Pair the rest anew."
    )


class RoundStateWrong(Refusal):
    code = "round_state"
    message = _("Round %(number)s is in the state “%(state)s”; that is not possible now.")


class RoundOfKnockout(Refusal):
    code = "round_of_knockout"
    message = _("“%(name)s” belongs to the knock-out: its games come and go with the results; take those back instead.")


class SeededFromTable(Refusal):
    code = "seeded_from_table"
    message = _(
        "The knock-out is seeded from the table with round %(number)s in it. Take the seeding back first, as long as "
        "nothing of the knock-out is played."
    )


class HasResults(Refusal):
    code = "has_results"
    message = _("Round %(number)s has %(results)s result(s) already. Withdraw them first to take the pairings back.")


class HasRecords(Refusal):
    code = "has_records"
    message = _(
        "Round %(number)s stays published: score sheets, photos or notes of the referee belong to its games. "
        "They would go with the pairings."
    )


class LaterRoundExists(Refusal):
    code = "later_round"
    message = _("Round %(later)s follows round %(number)s. Only the last round can be taken back.")


class NotSettled(Refusal):
    """A question: with `accept_unsettled` the round is closed all the same."""

    code = "not_settled"
    message = _(
        "Round %(number)s has %(count)s result(s) that are not typed a second time, or differ. Settle them first, or "
        "close it all the same."
    )


def publish_round(round: Round, *, actor: Actor) -> None:
    """Show a draft to the players; byes and absences get their results. Publishing twice changes nothing.

    Earlier rounds that are complete are closed with it. Raises `NotPaired` while somebody has no opponent, and
    `AttendanceChanged` if a seated player no longer takes part, or one marked absent does.
    """
    with change(round.division.tournament, actor=actor, verb="publish_round", **drafts.round_named(round)) as log:
        stored = Round.objects.get(pk=round.pk)
        if not stored.is_draft:
            return
        if names := [entry.name for entry in unpaired(round)]:
            raise NotPaired(number=round.number, names="; ".join(names))
        if names := [entry.name for entry in misplaced(round)]:
            raise AttendanceChanged(number=round.number, names="; ".join(names))
        shown = Showing.of(log.tournament).columns
        log.save(round, state=Round.State.PUBLISHED, published_at=log.now, **shown)
        _credit_without_opponent(log, round, actor)
        close_complete(log, round.division, before=round.number)


def unpaired(round: Round) -> list[Entry]:
    """The entries that should play in a draft and have no seat in it. Three queries."""
    seated = set(Seat.objects.filter(round=round).values_list("entry_id", flat=True))
    return [entry for entry in draw_request.field(round.division, round.number)[0] if entry.pk not in seated]


def misplaced(round: Round) -> list[Entry]:
    """The entries at a table of a draft who no longer take part, and those marked absent who do. Three queries."""
    playing = {entry.pk for entry in draw_request.field(round.division, round.number)[0]}
    seats = Seat.objects.filter(round=round).select_related("entry__player", "pairing").order_by("pk")
    return [seat.entry for seat in seats if (seat.entry_id in playing) == (seat.pairing.kind == Pairing.Kind.ABSENT)]


def _credit_without_opponent(log: Change, round: Round, actor: Actor) -> None:
    for pairing in Pairing.objects.filter(round=round).exclude(kind=Pairing.Kind.GAME).order_by("pk"):
        report = Report(Outcome(pairing.kind))
        write_version(log, pairing, report, [], actor=actor, how=Result.How.PAIRING)


def close_complete(log: Change, division: Division, *, before: int | None = None) -> None:
    """Close the published rounds that lack no result (those before round `before`) within a change that is open.

    A round with results that are not settled stays open until somebody closes it.
    """
    for progress in league.rounds(division):
        round = progress.round
        round.division = division
        is_asked = before is None or round.number < before
        if is_asked and round.state == Round.State.PUBLISHED and not progress.missing and not records.unsettled(round):
            log.save(round, state=Round.State.CLOSED, closed_at=log.now)


def close_round(round: Round, *, actor: Actor, accept_unsettled: bool = False) -> None:
    """Close a published round: any later change is a correction. Raises `GamesOpen` while a result is missing, and
    `NotSettled` unless that is accepted."""
    with change(round.division.tournament, actor=actor, verb="close_round", **drafts.round_named(round)) as log:
        _expect(round, Round.State.PUBLISHED)
        if missing := league.missing_results(round.division, round.number):
            raise GamesOpen(number=round.number, missing=missing)
        if (unsettled := records.unsettled(round)) and not accept_unsettled:
            raise NotSettled(number=round.number, count=unsettled)
        log.save(round, state=Round.State.CLOSED, closed_at=log.now)


def reopen_round(round: Round, *, actor: Actor) -> None:
    """Open a closed round for results again. What the public has seen since it was closed stays seen."""
    with change(round.division.tournament, actor=actor, verb="reopen_round", **drafts.round_named(round)) as log:
        _expect(round, Round.State.CLOSED)
        reopen(log, round)


def unpublish_round(round: Round, *, actor: Actor) -> None:
    """Make the last published round a draft again, as long as no result and no record of its games exists."""
    with change(round.division.tournament, actor=actor, verb="unpublish_round", **drafts.round_named(round)) as log:
        _expect(round, Round.State.PUBLISHED)
        if (
            later := Round.objects.league()
            .filter(division=round.division, number__gt=round.number)
            .order_by("number")
            .first()
        ):
            raise LaterRoundExists(number=round.number, later=later.number)
        if Seed.objects.filter(knockout__division=round.division).exists():
            raise SeededFromTable(number=round.number)
        typed = Result.objects.filter(pairing__round=round).exclude(how=Result.How.PAIRING)
        if count := typed.filter(official=True).count():
            raise HasResults(number=round.number, results=count)
        if typed.exists():
            raise HasResults(number=round.number, results=typed.count())
        if records.has_records(round):
            raise HasRecords(number=round.number)
        log.delete_all(list(Result.objects.filter(pairing__round=round).order_by("pk")))
        log.save(round, state=Round.State.DRAFT, published_at=None)


def discard_draft(round: Round, *, actor: Actor) -> None:
    """Throw a draft away."""
    with change(round.division.tournament, actor=actor, verb="discard_draft", **drafts.round_named(round)) as log:
        _expect(round, Round.State.DRAFT)
        drafts.clear(log, round)
        log.delete(round)


def _expect(round: Round, state: RoundState) -> None:
    """Refuse unless the round, now that the tournament is locked, is in that state and not of the knock-out."""
    stored = Round.objects.filter(pk=round.pk).first()
    if stored is not None and stored.is_knockout:
        raise RoundOfKnockout(name=round_names.round_name(round))
    if stored is None or stored.state != state:
        shown = stored.get_state_display() if stored else "–"
        raise RoundStateWrong(number=round.number, state=shown)
