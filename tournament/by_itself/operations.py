"""The steps of a day that runs by itself, and the word that one waits or that it goes on."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.languages import choose_paper_language
from tournament.basics.refusals import Refusal, Refusals
from tournament.by_itself.queries import Countdown, StepKind, load_countdown
from tournament.core.change import Actor, change, lock_tournaments
from tournament.hall.operations import start_round_clock
from tournament.models import Division, Round, Tournament
from tournament.rounds.drafts import draft_round
from tournament.rounds.operations import publish_round

BY_ITSELF = Actor(name="TSO")
"""Who stands in the journal for a step that nobody did."""

LATE = timedelta(seconds=10)
"""A step that is due longer was seen by nobody as it came: the program did not run, or something was in the way. It is
counted down again."""


class StepGone(Refusal, code="step_gone"):
    message = _("This step is not being counted down any more: somebody, or the program, was quicker.")


def hold_step(division: Division, *, key: str, actor: Actor) -> None:
    """Let the step that is counted down wait until somebody does it, or says that the day goes on. Raises `StepGone` if
    it is another one by now."""
    with change(division.tournament, actor=actor, verb="hold_step", division=division.name) as log:
        stored = _load_division(division.pk)
        countdown = load_countdown(stored)
        if countdown is None or countdown.key != key:
            raise StepGone
        log.tell(round=countdown.number)
        log.save(stored, step_held=key, step_why="")


def let_day_go_on(division: Division, *, actor: Actor) -> None:
    """Count the step that waits down anew."""
    with change(division.tournament, actor=actor, verb="let_day_go_on", division=division.name) as log:
        log.save(_load_division(division.pk), step_held="", step_why="", step_from=log.now)


def take_due_step(division: Division, *, now: datetime) -> bool:
    """Do what is due in a division, one step at most, since each is counted down on its own; whether anything was done.
    Two processes that both find a step due do it once: all is asked again under the lock. What cannot be done waits,
    with the reason, until somebody says that the day goes on."""
    if not _is_due(load_countdown(division), now):
        return False
    with transaction.atomic():
        lock_tournaments(Tournament.objects.filter(pk=division.tournament_id))
        stored = _load_division(division.pk)
        # Every process looks each second: of two that find a step due, the second one finds here that it is done.
        countdown = load_countdown(stored)
        if countdown is None or not _is_due(countdown, now):
            return False
        # Nothing is published at the moment at which a laptop wakes up: the step is counted down once more, for all to
        # see.
        if now - countdown.due_at > LATE:
            with change(stored.tournament, actor=BY_ITSELF, verb="count_step_again", division=stored.name) as log:
                log.tell(round=countdown.number)
                log.save(stored, step_from=now)
            return True
        try:
            _take_step(stored, countdown)
        except (Refusal, Refusals) as refusal:
            _hold_refused_step(stored, countdown, refusal)
    return True


def _is_due(countdown: Countdown | None, now: datetime) -> bool:
    return countdown is not None and countdown.runs and now >= countdown.due_at


def _take_step(division: Division, countdown: Countdown) -> None:
    if countdown.kind == StepKind.DRAW:
        draft_round(division, actor=BY_ITSELF)
    elif countdown.kind == StepKind.PUBLISH:
        publish_round(_load_round(division, countdown.number), actor=BY_ITSELF)
    else:
        start_round_clock(division.tournament, anew=True, actor=BY_ITSELF)


def _hold_refused_step(division: Division, countdown: Countdown, refusal: Refusal | Refusals) -> None:
    # In the ticking thread no request has chosen a language; the reason is read on the pages of this event.
    with translation.override(choose_paper_language(division.tournament.language)):
        why = str(refusal)[: limits.STEP_WHY]
    with change(division.tournament, actor=BY_ITSELF, verb="hold_step", division=division.name) as log:
        log.tell(round=countdown.number, why=why)
        log.save(division, step_held=countdown.key, step_why=why)


def _load_division(pk: int) -> Division:
    return Division.objects.select_related("tournament").get(pk=pk)


def _load_round(division: Division, number: int) -> Round:
    round = Round.objects.league().select_related("division__tournament").get(division=division, number=number)
    round.division = division
    return round
