"""What the director says was never written down of a match, so that it need not wait for it (TSO 6.2.4)."""

from collections.abc import Collection

from django.utils.translation import gettext_lazy as _

from scoring.knockout import Fact, Match
from tournament.models import Division, NotRecorded
from tournament.models.choices import FACTS
from tournament.operations import knockout_games
from tournament.operations.change import Actor, change
from tournament.queries.knockout import knockout_state
from tournament.refusals import Refusal
from tournament.words import round_names


class NotWaitedFor(Refusal):
    code = "not_waited_for"
    message = _("%(match)s does not wait for this: %(fact)s.")


def say_not_recorded(division: Division, *, stage: int, position: int, fact: Fact, actor: Actor) -> NotRecorded:
    """Note that nobody wrote down what a match waits for; the next criterion decides. Raises `NotWaitedFor`."""
    with change(division.tournament, actor=actor, verb="say_not_recorded", division=division.name) as log:
        state = knockout_state(division)
        found = [match for match in state.bracket.matches if match.place == (stage, position)] if state else []
        named = str(FACTS[fact])
        if state is None or not found or fact not in _waited_for(found[0]):
            name = round_names.match_name(state.knockout, stage, position) if state and found else f"{stage}/{position}"
            raise NotWaitedFor(match=name, fact=named)
        log.tell(name=named, knockout=round_names.stored_match(state.knockout, stage, position))
        made = log.create(NotRecorded(knockout=state.knockout, stage=stage, position=position, fact=fact.value))
        knockout_games.settle(log, state.knockout)
        return made


def _waited_for(match: Match) -> set[Fact]:
    return {missing.criterion for missing in match.missing}


def take_back_not_recorded(said: NotRecorded, *, actor: Actor, disturb: Collection[int] = ()) -> None:
    """Let the match wait for the figures again. Raises `DisturbsLater` unless `disturb` names the results lost."""
    knockout, named = said.knockout, str(FACTS[Fact(said.fact)])
    about = {"division": knockout.division.name, "name": named}
    with change(knockout.division.tournament, actor=actor, verb="take_back_not_recorded", **about) as log:
        log.tell(knockout=round_names.stored_match(knockout, said.stage, said.position))
        log.delete_all(list(NotRecorded.objects.filter(pk=said.pk)))
        knockout_games.settle(log, knockout, disturb=disturb)
