"""Where something can come out otherwise: how a game goes on, and the points at which the table is worked out anew.

What these steps find is compared with a plain search in `test_turning_points` and `test_turning_matches`. Here they are
promised one by one: a step too few would be a change not found, a step too many a whole table for nothing.
"""

import pytest

from scoring import rulesets, standings
from scoring.awards import Outcome
from scoring.standings import Contestant, Criterion, Ranking, RankingBasis, TableGame
from scoring.turning_points import (
    PointSpan,
    RaisedGame,
    TableSteps,
    match_steps,
    player_lead,
    player_scores,
    point_spans,
)

FIGURES = rulesets.get("tso-2017").awards
SPREAD, POINTS, MEETINGS = Criterion.SPREAD, Criterion.POINTS, Criterion.HEAD_TO_HEAD
BY_SPREAD = Ranking()
POINTS_FIRST = Ranking(order=(POINTS, SPREAD))
BY_POINTS = Ranking(basis=RankingBasis.POINTS, order=(SPREAD,))
CAPPED = Ranking(spread_cap=(20,))
MEETINGS_FIRST = Ranking(order=(MEETINGS, SPREAD))
MOST = 99

PHASES = {
    "whoever leads can only win by more": (1, MOST, [PointSpan(1, MOST, 0)]),
    "one more wins a draw": (0, MOST, [PointSpan(1, MOST, 1)]),
    "one behind: one more is a draw, two win": (-1, MOST, [PointSpan(1, 1, 1), PointSpan(2, MOST, 2)]),
    "five behind: four more still lose": (-5, MOST, [PointSpan(1, 4, 0), PointSpan(5, 5, 1), PointSpan(6, MOST, 2)]),
    "five behind, at most five: a draw is the best": (-5, 5, [PointSpan(1, 4, 0), PointSpan(5, 5, 1)]),
    "five behind, at most three": (-5, 3, [PointSpan(1, 3, 0)]),
    "five behind, at most six": (-5, 6, [PointSpan(1, 4, 0), PointSpan(5, 5, 1), PointSpan(6, 6, 2)]),
}


@pytest.mark.parametrize(("ahead", "most", "expected"), PHASES.values(), ids=PHASES)
def test_phases_of_a_game(ahead, most, expected):
    assert list(point_spans(ahead, most)) == expected


def test_scores_are_seen_from_a_player():
    game = make_game(1, "A", "B", 0, 5)

    assert (player_scores(game, "A"), player_scores(game, "B")) == ((0, 5), (5, 0))
    assert (player_lead(game, "A"), player_lead(game, "B")) == (-5, 5)


def make_game(round, first, second, one, other):
    return TableGame(round, first, second, Outcome.PLAYED, one, other)


def bye(player, spread=None):
    """Two half wins and 400 points that nobody's score changes."""
    return TableGame(1, player, None, Outcome.BYE, spread=spread)


def steps(games, ranking, player, cut):
    """The steps of each span of the first game, for one of its players; spans without a step are left out."""
    game = games[0]
    contestants = [Contestant(each) for each in sorted({x for game in games for x in (game.first, game.second) if x})]
    rows = {row.player: row for row in standings.rank(contestants, games, ranking, FIGURES)}
    other = game.second if player == game.first else game.first
    found = [
        TableSteps(rows, games, ranking, FIGURES).before(cut, RaisedGame(game, rows[player], rows[other], span))
        for span in point_spans(player_lead(game, player), MOST)
    ]
    return [sorted(each) for each in found if each]


A_BEATS_B_BY_50 = make_game(1, "A", "B", 450, 400)

STEPS = {
    "nobody comes to the cut, nobody leaves it": ([A_BEATS_B_BY_50, bye("C")], BY_SPREAD, "A", 4, []),
    "B comes to it by a draw, and passes it by a win; nobody is there": (
        [A_BEATS_B_BY_50, bye("C")],
        BY_SPREAD,
        "B",
        1,
        [[50], [51]],
    ),
    "A is there: level with C, who is 10 of spread and 20 points ahead, and past by spread alone": (
        [A_BEATS_B_BY_50, bye("C", 70), make_game(2, "C", "D", 70, 80)],
        BY_SPREAD,
        "A",
        2,
        [[1, 10, 11]],
    ),
    "A is there, points first: level with C, who is 20 points ahead, and past, however their spread": (
        [A_BEATS_B_BY_50, bye("C"), make_game(2, "C", "D", 70, 80)],
        POINTS_FIRST,
        "A",
        2,
        [[1, 20, 21]],
    ),
    "only 20 of a spread count: A has them already, so that only points do anything": (
        [A_BEATS_B_BY_50, bye("C"), make_game(2, "C", "D", 70, 80)],
        CAPPED,
        "A",
        2,
        [[1, 20, 21]],
    ),
    "only 20 of a spread count: four of A's 16 more, and then points": (
        [make_game(1, "A", "B", 416, 400), bye("C", 19), make_game(2, "C", "D", 30, 31)],
        CAPPED,
        "A",
        2,
        [[1, 2, 3, 14, 15]],
    ),
    "only 20 of a spread count: level with all that counts, and never past": (
        [make_game(1, "A", "B", 410, 400), bye("C", 20)],
        CAPPED,
        "A",
        2,
        [[1, 10]],
    ),
    "only 20 of a spread count: a lead of 50 has to shrink to 20 before it counts less": (
        [A_BEATS_B_BY_50, bye("C", 15)],
        CAPPED,
        "B",
        2,
        [[1, 35, 36], [50], [51, 65, 66]],
    ),
    "B's opponent is there: level with C, who is 10 of spread behind A, and past; B wins: level with C by 90": (
        [A_BEATS_B_BY_50, bye("C", 40)],
        BY_SPREAD,
        "B",
        2,
        [[1, 10, 11], [50], [51, 90, 91]],
    ),
    "B's opponent leaves the cut by a loss, and is then compared with C, who was absent": (
        [A_BEATS_B_BY_50, TableGame(1, "C", None, Outcome.ABSENT, spread=-20)],
        BY_SPREAD,
        "B",
        2,
        [[1], [50], [51, 70, 71]],
    ),
    "points first: A's spread is compared with that of C, who has 450 as well, not with that of D, who has 400": (
        [A_BEATS_B_BY_50, bye("C", 50), bye("D", 45), make_game(2, "C", "E", 50, 60)],
        POINTS_FIRST,
        "B",
        2,
        [[1, 10, 11], [50], [51]],
    ),
    "by points: what A lacks, and one more": ([A_BEATS_B_BY_50], BY_POINTS, "A", 470, [[20, 21]]),
    "by points: more than may be missing": ([A_BEATS_B_BY_50], BY_POINTS, "A", 600, []),
    "by points: A is ahead, and the opponent loses spread to C, who has 400 as well": (
        [A_BEATS_B_BY_50, bye("C", -60)],
        BY_POINTS,
        "A",
        400,
        [[1, 10, 11]],
    ),
    "by points: B lacks 50; as long as that the opponent is there, who loses the game at last": (
        [A_BEATS_B_BY_50],
        BY_POINTS,
        "B",
        450,
        [[1], [50], [51]],
    ),
    "two meet, and both have two wins: B lacks 20 in their meetings, 60 of spread, of which A loses half, 40 points": (
        [
            *(make_game(1, "A", "B", 500, 450), make_game(2, "A", "B", 400, 430)),
            *(make_game(3, "A", "C", 400, 300), make_game(3, "B", "D", 380, 300)),
        ],
        MEETINGS_FIRST,
        "B",
        4,
        [[1, 20, 21, 30, 31, 40, 41], [50], [51]],
    ),
}


@pytest.mark.parametrize(("games", "ranking", "player", "cut", "expected"), STEPS.values(), ids=STEPS)
def test_steps_of_a_worked_case(games, ranking, player, cut, expected):
    assert steps(games, ranking, player, cut) == expected


MATCHES = {
    "level, and past": (400, 5, [], 99, [5, 6]),
    "level and past the scores of the other, too, whichever game they were made in": (
        400,
        5,
        [400, 420, 390],
        99,
        [1, 5, 6, 20, 21],
    ),
    "ahead in all: nothing": (400, -5, [390], 99, []),
    "no more than asked for": (400, 5, [420], 20, [5, 6, 20]),
}


@pytest.mark.parametrize(("own", "behind", "others", "most", "expected"), MATCHES.values(), ids=MATCHES)
def test_steps_of_a_match(own, behind, others, most, expected):
    assert match_steps(own, behind, others, most) == expected
