"""The end of an event: the director says that it is over, and may say that it goes on."""

from django.utils.translation import gettext_lazy as _

from tournament.models import Division, Tournament
from tournament.operations import rounds
from tournament.operations.change import Actor, change
from tournament.queries import league, phase
from tournament.queries.knockout import stored_knockout
from tournament.queries.phase import Step
from tournament.refusals import Refusal


class NotOver(Refusal):
    """A question: something is still to be played; with `accept_open` the event ends all the same."""

    code = "not_over"
    message = _("Not everything is played: %(divisions)s. Finish it, or say that the event is to end all the same.")
    field = "accept_open"


def unfinished(tournament: Tournament) -> list[str]:
    """The names of the divisions in which something is still to be played. Four queries a division, five more once a
    knock-out is seeded."""
    found = []
    for division in league.divisions(tournament):
        division.tournament = tournament
        if not _is_played(division):
            found.append(division.name)
    return found


def _is_played(division: Division) -> bool:
    """Whether every result of all planned rounds is there; without a plan, of those there are, or where none are."""
    if not division.tournament.rules.is_paired:
        return True
    now = phase.of(division)
    unplanned = now.step == Step.PAIR and not now.planned and bool(now.done) and stored_knockout(division) is None
    return now.step in (Step.FINISHED, Step.CLOSE) or unplanned


def end_tournament(tournament: Tournament, *, actor: Actor, accept_open: bool = False) -> None:
    """Say that the event is over; its complete rounds are closed. Raises `NotOver` unless that is accepted."""
    with change(tournament, actor=actor, verb="end_tournament") as log:
        if log.tournament.is_ended:
            return
        if (open_ones := unfinished(log.tournament)) and not accept_open:
            raise NotOver(divisions=", ".join(open_ones))
        for division in league.divisions(log.tournament):
            rounds.close_complete(log, division)
        log.save(log.tournament, is_ended=True)


def tell_turning_point(division: Division, *, tells: bool, actor: Actor) -> None:
    """Let the ceremony of a division end with what it hung on, or leave that out."""
    with change(division.tournament, actor=actor, verb="tell_turning_point", division=division.name) as log:
        stored = Division.objects.get(pk=division.pk)
        if stored.tells_turning_point != tells:
            log.save(stored, tells_turning_point=tells)


def reopen_tournament(tournament: Tournament, *, actor: Actor) -> None:
    """Say that the event goes on."""
    with change(tournament, actor=actor, verb="reopen_tournament") as log:
        if log.tournament.is_ended:
            log.save(log.tournament, is_ended=False)
