"""Steps that several tests take on the way to their point."""

from scoring.awards import Outcome
from tests.stages import kept
from tournament.models import Division, Pairing, Round
from tournament.operations import drafts, results, rounds
from tournament.operations.change import Actor
from tournament.pairing.values import Method
from tournament.reports import PlayerReport, Report


def published(division: Division, actor: Actor) -> Round:
    """The next round, paired by lot and published."""
    drawn = drafts.draft_round(division, actor=actor, wish=drafts.DrawWish(method=Method.RANDOM, seed=1))
    rounds.publish_round(drawn, actor=actor)
    return Round.objects.get(pk=drawn.pk)


@kept
def played(division: Division, actor: Actor, *, first: int = 420, second: int = 380) -> Round:
    """The next round, published, and every game of it with the same result."""
    round = published(division, actor)
    for pairing in Pairing.objects.filter(round=round, kind=Pairing.Kind.GAME).with_players().by_table():
        report = Report(Outcome.PLAYED, PlayerReport(points=first), PlayerReport(points=second))
        results.record_result(pairing, report=report, actor=actor, expected_version=0)
    return round
