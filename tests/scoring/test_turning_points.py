"""What an event hung on, against a plain search of every game, both players and every number of points."""

import os
import random
import time

import pytest

from scoring import rulesets, turning_points
from scoring.awards import Outcome, Reason
from scoring.criteria import Criterion
from scoring.standings import Basis, Contestant, Game, Ranking
from scoring.turning_points import Best, Event, First
from tests.laws import seeds

FIGURES = rulesets.get("tso-2017").awards
SPREAD, POINTS, MEETINGS = Criterion.SPREAD, Criterion.POINTS, Criterion.HEAD_TO_HEAD
RANKINGS = (
    Ranking(),
    Ranking(shared_ties=True, order=(SPREAD,), losses_count=True),
    Ranking(order=(POINTS, SPREAD, MEETINGS)),
    Ranking(basis=Basis.POINTS, order=(SPREAD,)),
    Ranking(spread_cap=(20,)),
    Ranking(shared_ties=True),
)


def played(round, first, second, one, other):
    return Game(round, first, second, Outcome.PLAYED, one, other)


def event(*games, ranking=RANKINGS[0]):
    players = sorted({player for game in games for player in (game.first, game.second) if player})
    return Event(tuple(map(Contestant, players)), games, ranking, FIGURES)


def found(event, among="ABCDEF", **more):
    point = turning_points.smallest(event, Best(frozenset(among)), **more)
    return point and (point.game.round, point.player, point.points, "".join(sorted(point.winners)))


def test_points_that_turn_a_game_are_counted_one_by_one():
    """A has two wins, B one and the better spread: the five points that make a draw of a loss are enough."""
    lost = event(played(1, "A", "B", 400, 395), played(2, "A", "B", 400, 395), played(3, "C", "B", 300, 500))

    assert found(lost) == (1, "B", 5, "B")


def test_smallest_change_may_be_a_point_of_spread():
    level = event(played(1, "A", "B", 420, 400), played(1, "C", "D", 410, 390), ranking=RANKINGS[1])

    assert found(level) == (1, "A", 1, "A")


def test_no_change_within_the_limit_is_none():
    clear = event(played(1, "A", "B", 500, 300), played(2, "A", "B", 500, 300))

    assert found(clear, most=50) is None


def test_awarded_game_and_bye_are_not_touched():
    awarded = Game(1, "A", "B", Outcome.SECOND_FORFEITS, 300, 400, reason=Reason.OVERTIME)
    alone = event(awarded, Game(1, "C", None, Outcome.BYE))

    assert found(alone) is None


def test_nobody_wins_among_nobody():
    assert found(event(played(1, "A", "B", 400, 300)), among="XY") is None


def test_who_comes_among_the_first_is_told_not_who_leaves_them():
    """A is first by 60 points, B second by 40, E third by 10: 31 points for D take B below E."""
    three = event(played(1, "A", "C", 460, 400), played(1, "B", "D", 440, 400), played(2, "E", "F", 400, 390))
    point = turning_points.smallest(three, First(2))

    assert (point.game.round, point.player, point.points, point.winners) == (1, "D", 31, {"E"})


def test_prize_of_some_looks_at_these_alone():
    two = event(played(1, "A", "B", 500, 300), played(1, "C", "D", 400, 390), played(2, "A", "D", 450, 300))

    # Both have lost all, D by 160 points and B by 200; A, who has won, is not asked about.
    assert found(two, among="BD") == (1, "B", 41, "B")


def test_direct_meetings_before_the_sums_are_not_looked_into():
    close = event(played(1, "A", "B", 400, 399), ranking=Ranking(order=(MEETINGS, SPREAD)))

    assert found(close) is None


def random_event(rng):
    names = "ABCDEF"[: rng.choice((4, 6))]
    games = []
    for number in range(1, rng.randint(1, 4) + 1):
        order = rng.sample(names, len(names))
        for one, other in zip(order[::2], order[1::2], strict=True):
            scores = [rng.randint(300, 300 + rng.choice((4, 12))) for _each in "12"]
            outcome = rng.choices((Outcome.PLAYED, Outcome.FIRST_FORFEITS), (12, 1))[0]
            reason = None if outcome == Outcome.PLAYED else Reason.OVERTIME
            games.append(Game(number, one, other, outcome, *scores, reason=reason))
    return event(*games, ranking=rng.choice(RANKINGS))


def winners(event, asked):
    """Who wins by the table: the best of some players, or whoever has one of the first places."""
    ranks = {row.player: row.rank for row in event.table() if row.rank is not None}
    if isinstance(asked, int):
        return {player for player, rank in ranks.items() if rank <= asked}
    best = min((rank for player, rank in ranks.items() if player in asked), default=0)
    return {player for player, rank in ranks.items() if player in asked and rank == best}


def plainly(event, asked, most):
    """The smallest change by trying everything, and who wins then; of the first places, who is new there."""
    won = winners(event, asked)
    for points in range(1, most + 1):
        for game in event.games:
            for player in (game.first, game.second) if game.outcome == Outcome.PLAYED else ():
                now = winners(turning_points.event_with(event, game, player, points), asked)
                if now - won if isinstance(asked, int) else now != won:
                    return points, game.round, player, now - won if isinstance(asked, int) else now
    return None


@pytest.mark.parametrize("seed", seeds(40))
def test_smallest_change_is_the_one_that_trying_everything_finds(seed):
    rng = random.Random(seed)
    tried = random_event(rng)
    some = frozenset(rng.sample("ABCDEF", 3))
    asked, question = rng.choice(((frozenset("ABCDEF"), None), (some, None), (2, First(2)), (3, First(3))))

    point = turning_points.smallest(tried, question or Best(asked), most=40)

    assert (point and (point.points, point.game.round, point.player, point.winners)) == plainly(tried, asked, 40)


@pytest.mark.skipif(not os.environ.get("TSO_EXAMPLES"), reason="a measurement, on demand")
def test_large_event_takes_less_than_two_seconds():
    rng = random.Random(1)
    games = []
    for number in range(1, 14):
        order = rng.sample(range(100), 100)
        for one, other in zip(order[::2], order[1::2], strict=True):
            games.append(played(number, one, other, rng.randint(300, 480), rng.randint(300, 480)))
    question = rng.choice((Best(frozenset(range(100))), First(3)))
    large = Event(tuple(map(Contestant, range(100))), tuple(games), Ranking(), FIGURES)

    begun = time.perf_counter()
    assert turning_points.smallest(large, question) is not None
    assert time.perf_counter() - begun < 2
