"""Steps that several tests take on the way to their point."""

from scoring.awards import Outcome
from tournament.core.change import Actor
from tournament.core.reports import PlayerReport, Report
from tournament.models import Division, Pairing, Round
from tournament.pairing.values import Method
from tournament.results.operations import record_result
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.rounds.operations import publish_round


def publish_next_round(division: Division, actor: Actor) -> Round:
    """The next round, paired by lot and published."""
    drawn = draft_round(division, actor=actor, wish=DrawWish(method=Method.RANDOM, seed=1))
    publish_round(drawn, actor=actor)
    return Round.objects.get(pk=drawn.pk)


def play_next_round(division: Division, actor: Actor, *, first: int = 420, second: int = 380) -> Round:
    """The next round, published, and every game of it with the same result."""
    round = publish_next_round(division, actor)
    for pairing in Pairing.objects.filter(round=round, kind=Pairing.Kind.GAME).with_players().by_table():
        report = Report(Outcome.PLAYED, PlayerReport(points=first), PlayerReport(points=second))
        record_result(pairing, report=report, actor=actor, expected_version=0)
    return round
