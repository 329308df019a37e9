"""What the director shows of a round, or holds back, where it is not what the tournament's rule says.

What is seen contains all before it: whoever shows the table shows results and pairings, whoever holds the pairings back
holds back everything.
"""

from tournament.models import Round
from tournament.operations.change import Actor, Change, change
from tournament.operations.rounds import RoundStateWrong
from tournament.showing import AT_ONCE, BY_HAND, STEPS, Showing, Step
from tournament.words import round_names


def show(round: Round, step: Step, *, actor: Actor) -> None:
    """Show this of a round now, and all before it. Raises `RoundStateWrong` for a draft."""
    with change(round.division.tournament, actor=actor, verb="show_round", step=step.value, **_about(round)) as log:
        _say(log, round, {each.column: AT_ONCE for each in STEPS[: STEPS.index(step) + 1]})


def hold_back(round: Round, step: Step, *, actor: Actor) -> None:
    """Hide this of a round, and all behind it, until it is shown by hand. Raises `RoundStateWrong` for a draft."""
    with change(round.division.tournament, actor=actor, verb="hold_back", step=step.value, **_about(round)) as log:
        _say(log, round, {each.column: BY_HAND for each in STEPS[STEPS.index(step) :]})


def show_as_usual(round: Round, *, actor: Actor) -> None:
    """Let the tournament's rule say what is seen of a round. Raises `RoundStateWrong` for a draft."""
    with change(round.division.tournament, actor=actor, verb="show_as_usual", **_about(round)) as log:
        _say(log, round, Showing.of(log.tournament).columns)


def _say(log: Change, round: Round, columns: dict[str, str]) -> None:
    stored = Round.objects.get(pk=round.pk)
    if stored.is_draft:
        raise RoundStateWrong(number=round.number, state=stored.get_state_display())
    log.save(stored, **columns)


def _about(round: Round) -> dict[str, object]:
    """What the journal says to identify the round."""
    place = round_names.place_of(round)
    named: dict[str, object] = {"knockout": place.stored()} if place else {"round": round.number}
    return {"division": round.division.name, **named}
