"""A closed round that lacks a result again: it is open again, and never keeps quiet about it."""

from django.utils.translation import gettext_lazy as _

from tournament.models import Pairing, Round
from tournament.operations.change import Change
from tournament.refusals import Refusal
from tournament.showing import AT_ONCE, STEPS


class GamesOpen(Refusal):
    code = "games_open"
    message = _("Round %(number)s still lacks %(missing)s result(s). Enter them first.")


def reopen_incomplete(log: Change) -> None:
    """Open the closed rounds again that lack a result after what the change has written so far."""
    for round in _closed(log):
        if _missing(round):
            reopen(log, round)


def reopen(log: Change, round: Round) -> None:
    """Open a closed round; what the public has seen of it since it was closed stays seen."""
    moments = {step: round.shown(step).moment(round.published_at, round.closed_at) for step in STEPS}
    seen = {step.column: AT_ONCE for step, moment in moments.items() if moment is not None and moment <= log.now}
    log.save(round, state=Round.State.PUBLISHED, closed_at=None, **seen)


def require_complete(log: Change) -> None:
    """Raise `GamesOpen` if the change has closed a round that lacks a result."""
    for round in _closed(log):
        if missing := _missing(round):
            raise GamesOpen(number=round.number, missing=missing)


def _closed(log: Change) -> list[Round]:
    """The closed rounds of the league among those that the change has touched, themselves or by a result."""
    rounds = {pk for table, pk, _before, _after in log.rows if table == "round"}
    pairings = {(before or after or {})["pairing_id"] for table, _pk, before, after in log.rows if table == "result"}
    rounds |= set(Pairing.objects.filter(pk__in=pairings).values_list("round_id", flat=True))
    return list(Round.objects.league().filter(pk__in=rounds, state=Round.State.CLOSED).in_order())


def _missing(round: Round) -> int:
    return round.pairings.filter(kind=Pairing.Kind.GAME).exclude(results__official=True).count()
