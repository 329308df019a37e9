"""What an event hung on, against a plain search of every game, both players and every number of points."""

import random

import pytest

from scoring import rulesets, turning_points
from scoring.awards import AwardReason, Outcome
from scoring.standings import (
    Contestant,
    Criterion,
    PlayerKey,
    Ranking,
    RankingBasis,
    TableGame,
    WithdrawnPlacement,
)
from scoring.turning_points import BestPlacedQuestion, FirstPlacesQuestion, MorePoints, PlayedTable, places_by_rank
from tests.laws import seeds

FIGURES = rulesets.get("tso-2017").awards
WINS, SPREAD, POINTS, MEETINGS = Criterion.WINS, Criterion.SPREAD, Criterion.POINTS, Criterion.HEAD_TO_HEAD
RANKINGS = (
    Ranking(),
    Ranking(shared_ties=True, order=(SPREAD,), losses_count=True),
    Ranking(order=(POINTS, SPREAD, MEETINGS)),
    Ranking(basis=RankingBasis.POINTS, order=(SPREAD,)),
    Ranking(spread_cap=(20,)),
    Ranking(spread_cap=(2, 5)),
    Ranking(shared_ties=True),
    Ranking(order=(MEETINGS, SPREAD)),
    Ranking(order=(MEETINGS, POINTS), spread_cap=(3,)),
    Ranking(order=(SPREAD, MEETINGS)),
    Ranking(order=(MEETINGS,), shared_ties=True),
    Ranking(basis=RankingBasis.POINTS, order=(MEETINGS, WINS)),
    Ranking(withdrawn=WithdrawnPlacement.UNRANKED),
)
FIRST, LEVEL, BY_POINTS, MEETINGS_FIRST = RANKINGS[0], RANKINGS[1], RANKINGS[3], RANKINGS[7]


def make_game(round, first, second, one, other):
    return TableGame(round, first, second, Outcome.PLAYED, one, other)


def bye(player, spread):
    """400 points that nobody's score changes."""
    return TableGame(1, player, None, Outcome.BYE, spread=spread)


def event(*games, ranking=FIRST, withdrawn=""):
    players = sorted({player for game in games for player in (game.first, game.second) if player})
    return PlayedTable(tuple(Contestant(each, each in withdrawn) for each in players), games, ranking, FIGURES)


def told(point):
    """Round, whose points, how many, who would have won, at which rank."""
    change = point.change
    return (change.spot.round, change.player, change.points, "".join(sorted(point.winners)), point.place)


ALL = BestPlacedQuestion(frozenset("ABCDEF"))
AWARDED = TableGame(1, "A", "B", Outcome.SECOND_FORFEITS, 300, 400, reason=AwardReason.OVERTIME)

CASES = {
    "five points make a draw of a loss, and B has the better spread": (
        event(make_game(1, "A", "B", 400, 395), make_game(2, "A", "B", 400, 395), make_game(3, "C", "B", 300, 500)),
        ALL,
        (1, "B", 5, "B", 1),
    ),
    "a point of spread, where two share the first rank": (
        event(make_game(1, "A", "B", 420, 400), make_game(1, "C", "D", 410, 390), ranking=LEVEL),
        ALL,
        (1, "A", 1, "A", 1),
    ),
    "more than the most is none": (
        event(make_game(1, "A", "B", 1500, 300), make_game(2, "A", "B", 1500, 300)),
        ALL,
        None,
    ),
    "awarded game and bye are not touched": (event(AWARDED, TableGame(1, "C", None, Outcome.BYE)), ALL, None),
    "nobody wins among nobody": (event(make_game(1, "A", "B", 400, 300)), BestPlacedQuestion(frozenset("XY")), None),
    "who comes among the first, not who leaves: A by 60, B by 40, E by 10, so 31 for D": (
        event(make_game(1, "A", "C", 460, 400), make_game(1, "B", "D", 440, 400), make_game(2, "E", "F", 400, 390)),
        FirstPlacesQuestion(2),
        (1, "D", 31, "E", 2),
    ),
    "of some only these: D has lost by 160, B by 200; A, who has won, is not asked about": (
        event(make_game(1, "A", "B", 500, 300), make_game(1, "C", "D", 400, 390), make_game(2, "A", "D", 450, 300)),
        BestPlacedQuestion(frozenset("BD")),
        (1, "B", 41, "B", 3),
    ),
    "meetings first: both have a win, A leads by a point in their meetings, so two for B in the first": (
        event(
            *(make_game(1, "A", "B", 400, 350), make_game(2, "B", "A", 400, 351)),
            *(make_game(1, "C", "D", 400, 390), make_game(2, "D", "C", 400, 380)),
            *(make_game(3, "A", "C", 400, 300), make_game(3, "B", "D", 400, 380)),
            ranking=MEETINGS_FIRST,
        ),
        ALL,
        (1, "B", 2, "B", 1),
    ),
    "meetings first, a game of others: A beat B, both with two wins; C's second makes three, and the spread counts": (
        event(
            *(make_game(1, "A", "B", 400, 390), make_game(1, "C", "E", 400, 401)),
            *(make_game(2, "A", "D", 400, 300), make_game(2, "B", "E", 500, 300), make_game(2, "C", "F", 400, 300)),
            *(make_game(3, "A", "F", 300, 400), make_game(3, "B", "D", 500, 300)),
            ranking=MEETINGS_FIRST,
        ),
        ALL,
        (1, "C", 2, "B", 1),
    ),
    "by points, level and behind by 10 of spread: one more": (
        event(make_game(1, "A", "B", 420, 400), make_game(1, "C", "D", 420, 410), ranking=BY_POINTS),
        ALL,
        (1, "C", 1, "C", 1),
    ),
    "by points, nobody has more of them: B, with 400, is only 10 of spread before C": (
        event(make_game(1, "A", "B", 420, 400), bye("C", -30), ranking=BY_POINTS),
        FirstPlacesQuestion(2),
        (1, "A", 11, "C", 2),
    ),
    "points before spread, nobody has more of them: A and C have 400, A is 20 of spread before C": (
        event(make_game(1, "A", "B", 400, 350), bye("C", 30), ranking=Ranking(order=(POINTS, SPREAD))),
        ALL,
        (1, "B", 21, "C", 1),
    ),
    "A's 100 and C's 50 both count 20, so that only points are missing": (
        event(make_game(1, "A", "B", 500, 400), make_game(1, "C", "D", 450, 400), ranking=Ranking(spread_cap=(20,))),
        ALL,
        (1, "C", 50, "AC", 1),
    ),
    "level with as much as counts of a spread: A's 30 counts 20": (
        event(
            *(make_game(1, "B", "D", 410, 400), make_game(1, "A", "C", 430, 400)),
            ranking=Ranking(shared_ties=True, order=(SPREAD,), spread_cap=(20,)),
        ),
        ALL,
        (1, "B", 10, "AB", 1),
    ),
    "whoever leads by one wins all the same: C is 10 of spread behind A": (
        event(make_game(1, "A", "B", 411, 400), make_game(1, "C", "D", 401, 400)),
        ALL,
        (1, "C", 10, "AC", 1),
    ),
    "two meet, and both have two wins: B is 12 of spread behind, so six are level, and A has more points": (
        event(
            *(make_game(1, "A", "B", 410, 400), make_game(2, "A", "B", 396, 400)),
            *(make_game(3, "A", "C", 500, 400), make_game(3, "B", "D", 400, 300)),
        ),
        ALL,
        (1, "B", 7, "B", 1),
    ),
    "two meet, points first: B lacks six, then A has the better spread": (
        event(
            *(make_game(1, "A", "B", 500, 300), make_game(2, "A", "B", 396, 400)),
            *(make_game(3, "A", "C", 400, 300), make_game(3, "B", "D", 590, 300)),
            ranking=Ranking(order=(POINTS, SPREAD)),
        ),
        ALL,
        (1, "B", 7, "B", 1),
    ),
    "two meet, meetings first: B lacks 20 in them, then A has the better spread": (
        event(
            *(make_game(1, "A", "B", 500, 450), make_game(2, "A", "B", 400, 430)),
            *(make_game(3, "A", "C", 400, 300), make_game(3, "B", "D", 350, 300)),
            ranking=MEETINGS_FIRST,
        ),
        ALL,
        (1, "B", 21, "B", 1),
    ),
    "as many points as may be missing: a draw": (event(make_game(1, "A", "B", 1399, 400)), ALL, (1, "B", 999, "AB", 1)),
    "one more than may be missing": (event(make_game(1, "A", "B", 1400, 400)), ALL, None),
}


@pytest.mark.parametrize(("tried", "question", "expected"), CASES.values(), ids=CASES)
def test_smallest_change_of_a_worked_case(tried, question, expected):
    (point,) = turning_points.find_table_turning_points(tried, [question])

    assert (point and told(point)) == expected


def test_fewer_winners_are_told_apart_from_others():
    level = event(make_game(1, "A", "B", 420, 400), make_game(1, "C", "D", 420, 400))
    (point,) = turning_points.find_table_turning_points(level, [ALL])

    assert (point.won, point.winners, point.is_alone) == ({"A", "C"}, {"A"}, True)


def test_event_with_a_change_has_its_winner():
    level = event(make_game(1, "A", "B", 420, 400), make_game(1, "D", "C", 400, 420), ranking=LEVEL)

    change = MorePoints.of(level.games[1], "C", 1)
    assert (change.score, change.opponent) == ((420, 400), "D")

    table = turning_points.apply_change(level, change).table()
    assert [(row.player, row.spread) for row in table[:2]] == [("C", 21), ("A", 20)]


def random_event(rng):
    names = "ABCDEF"[: rng.choice((4, 6))]
    games = []
    for number in range(1, rng.randint(1, 4) + 1):
        order = rng.sample(names, len(names))
        for one, other in zip(order[::2], order[1::2], strict=True):
            scores = [rng.randint(300, 300 + rng.choice((4, 12))) for _each in "12"]
            outcome = rng.choices((Outcome.PLAYED, Outcome.FIRST_FORFEITS), (12, 1))[0]
            reason = None if outcome == Outcome.PLAYED else AwardReason.OVERTIME
            games.append(TableGame(number, one, other, outcome, *scores, reason=reason))
    return event(*games, ranking=rng.choice(RANKINGS), withdrawn=rng.choice(("", "", "A", "BC")))


def winners(event, asked):
    """Who wins by the table: the best of some players, or whoever has one of the first places."""
    ranks = {row.player: row.rank for row in event.table() if row.rank is not None}
    if isinstance(asked, int):
        return {player for player, rank in ranks.items() if rank <= asked}
    best = min((rank for player, rank in ranks.items() if player in asked), default=0)
    return {player for player, rank in ranks.items() if player in asked and rank == best}


def with_points(event, at, player, points):
    """The event with so many points more for a player in its game number `at`, written down anew."""
    game, games = event.games[at], list(event.games)
    one, other = (points, 0) if player == game.first else (0, points)
    scores = game.first_points + one, game.second_points + other
    games[at] = TableGame(game.round, game.first, game.second, game.outcome, *scores)
    return PlayedTable(event.contestants, tuple(games), event.ranking, event.figures)


def head(event, size):
    """Who stands first, as far as a knock-out of that size needs it: with whoever is level with the last of them."""
    table = [row for row in event.table() if row.rank is not None]
    last = table[size - 1].rank if len(table) >= size else 10**6
    return [(row.player, row.rank) for row in table if row.rank <= last]


def plainly(event, asked, most, size=0):
    """The smallest change by trying everything, and who wins then; of the first places, who is new there. With a
    `size`, that many are not to change."""
    won = winners(event, asked)
    for points in range(1, most + 1) if won else ():
        for at, game in enumerate(event.games):
            for player in (game.first, game.second) if game.outcome == Outcome.PLAYED else ():
                after = with_points(event, at, player, points)
                now = winners(after, asked)
                others = now - won if isinstance(asked, int) else now if now != won else None
                if others and (not size or head(event, size) == head(after, size)):
                    return points, game.round, player, others
    return None


def asked_of(rng):
    """What the plain search asks, and the same as a question."""
    some = frozenset(rng.sample("ABCDEF", 3))
    return rng.choice(
        (
            (frozenset("ABCDEF"), ALL),
            (some, BestPlacedQuestion(some)),
            (2, FirstPlacesQuestion(2)),
            (3, FirstPlacesQuestion(3)),
        )
    )


def found(point):
    return point and (point.change.points, point.change.spot.round, point.change.player, point.winners)


@pytest.mark.parametrize("seed", seeds(15))
def test_smallest_change_is_the_one_that_trying_everything_finds(seed):
    rng = random.Random(seed)
    tried = random_event(rng)
    asked, questions = zip(*(asked_of(rng) for _each in range(2)), strict=True)

    points = turning_points.find_table_turning_points(tried, questions, most=40)

    assert [found(point) for point in points] == [plainly(tried, each, 40) for each in asked]


@pytest.mark.parametrize("seed", seeds(10))
@pytest.mark.sampled(3)
def test_what_would_have_gone_on_otherwise_is_passed_over(seed):
    """As with a knock-out of the first two, which is to stay as it was."""
    rng = random.Random(seed)
    tried = random_event(rng)
    kept = head(tried, 2)

    def placing(table):
        ranked = [row for row in table if row.rank is not None]
        after = [(row.player, row.rank) for row in ranked if row.rank <= (kept[1:] or [(0, 10**6)])[0][1]]
        return places_by_rank(table) if after == kept else None

    asked, question = asked_of(rng)
    (point,) = turning_points.find_table_turning_points(tried, [question], placing=placing, most=40)

    assert found(point) == plainly(tried, asked, 40, size=2)


def test_winners_of_one_rank_have_it_together_with_all_who_are_level_and_others_have_none() -> None:
    change = MorePoints(turning_points.GamePlace(round=3), 4, 1, (380, 400), 25)
    first_three = FirstPlacesQuestion(3)

    def found(places: turning_points.PlacesByPlayer) -> tuple[int | None, list[PlayerKey]]:
        made = turning_points.make_turning_point(first_three, change, frozenset({1, 2, 3}), places)
        assert made is not None
        return made.place, list(made.beside)

    assert found({1: 1, 2: 2, 4: 3, 3: 3, 5: 5}) == (3, [3])
    assert found({4: 1, 1: 2, 5: 3, 2: 4, 3: 5}) == (None, [])
