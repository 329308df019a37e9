"""The table: every worked example and border case of TSO 6.1."""

import pytest

from scoring import standings
from scoring.awards import AwardReason, Outcome
from scoring.rulesets.tso import TSO_AWARDS
from scoring.standings import (
    ComparedFigures,
    Contestant,
    Criterion,
    Ranking,
    RankingBasis,
    Standing,
    TableGame,
    WithdrawnPlacement,
)

ANNA, BERT, CARLA, DORA = "Anna", "Bert", "Carla", "Dora"
PLAYED, BYE, ABSENT, OPEN = Outcome.PLAYED, Outcome.BYE, Outcome.ABSENT, Outcome.OPEN
WINS, SPREAD, POINTS = Criterion.WINS, Criterion.SPREAD, Criterion.POINTS
HEAD_TO_HEAD, HIGHEST_GAME, LOT = Criterion.HEAD_TO_HEAD, Criterion.HIGHEST_GAME, Criterion.LOT


def make_game(round, first, first_points, second_points, second):
    return TableGame(round, first, second, PLAYED, first_points, second_points)


def beside(player, *scores):
    """Games of a player, in rounds after the tenth, against others who play no part in the example."""
    return [
        make_game(number, player, *score, f"{player}'s opponent {number}") for number, score in enumerate(scores, 11)
    ]


def table(games, ranking=None, *, withdrawn=(), disqualified=(), **options):
    """The table of everybody who plays in these games."""
    players = {player for game in games for player in (game.first, game.second) if player}
    contestants = [Contestant(player, player in withdrawn, player in disqualified) for player in players]
    return standings.rank(contestants, games, ranking or Ranking(), TSO_AWARDS, **options)


def places(rows, *players):
    """Rank, name and what decided, of some players in the order of the table."""
    return [(row.rank, row.player, row.decided_by) for row in rows if not players or row.player in players]


FIVE_WINS_EACH = [
    make_game(1, ANNA, 410, 390, BERT),
    *beside(ANNA, (423, 375), (423, 375), (423, 375), (422, 376)),
    *beside(BERT, (343, 297), (342, 296), (342, 296), (342, 296), (342, 296)),
    *beside(CARLA, (440, 404), (440, 404), (440, 404), (440, 404), (440, 404)),
]
"""Spreads 210, 210, 180; points 2101, 2101, 2200; Anna beat Bert 410 : 390."""


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        pytest.param(
            (), [(1, ANNA, None), (2, BERT, HEAD_TO_HEAD), (3, CARLA, SPREAD)], id="TSO 6.1: default order a, b, c"
        ),
        pytest.param(
            (POINTS, SPREAD, HEAD_TO_HEAD),
            [(1, CARLA, None), (2, ANNA, POINTS), (3, BERT, HEAD_TO_HEAD)],
            id="TSO 6.1: points, spread, head to head",
        ),
        pytest.param(
            (HEAD_TO_HEAD,),
            [(1, ANNA, None), (2, BERT, HIGHEST_GAME), (3, CARLA, SPREAD)],
            id="TSO 6.1: head to head first",
        ),
    ],
)
def test_worked_example(order, expected):
    rows = table(FIVE_WINS_EACH, Ranking(order=order))

    assert places(rows[:3]) == expected
    assert {row.player: (row.wins, row.spread, row.points) for row in rows[:3]} == {
        ANNA: (5.0, 210, 2101),
        BERT: (5.0, 210, 2101),
        CARLA: (5.0, 180, 2200),
    }


def test_details_are_what_the_columns_do_not_show():
    by_meeting = {row.player: row.detail for row in table(FIVE_WINS_EACH)}
    by_game = {row.player: row.detail for row in table(FIVE_WINS_EACH, Ranking(order=(HEAD_TO_HEAD,)))}

    assert (by_meeting[ANNA], by_meeting[BERT], by_meeting[CARLA]) == (None, ComparedFigures(390, 410), None)
    assert (by_game[ANNA], by_game[BERT], by_game[CARLA]) == (None, ComparedFigures(390, 423), None)


def test_row_sums_up_every_round_that_brought_a_result():
    games = [
        make_game(1, ANNA, 410, 390, BERT),
        make_game(2, BERT, 400, 400, ANNA),
        TableGame(3, ANNA, None, BYE),
        TableGame(3, BERT, None, ABSENT),
        TableGame(4, ANNA, BERT, Outcome.FIRST_FORFEITS, 350, 420),
        TableGame(5, ANNA, BERT, OPEN),
    ]

    anna, bert = table(games)

    assert anna == Standing(1, ANNA, 5, 20 + 0 + 50 - 120, 410 + 400 + 400, 4, 410)
    assert bert == Standing(2, BERT, 3, -20 + 0 - 100 + 70, 390 + 400 + 0 + 420, 4, 420, WINS)
    assert (anna.wins, anna.losses) == (2.5, 1.5)
    assert (bert.wins, bert.losses) == (1.5, 2.5)


def test_table_of_nobody_is_empty():
    assert table([]) == ()


THREE_LEVEL_ON_WINS = [
    make_game(1, ANNA, 410, 390, BERT),
    *beside(ANNA, (300, 320), (350, 350)),
    *beside(BERT, (440, 420), (230, 230)),
    *beside(CARLA, (400, 390), (300, 300)),
]
"""1½ wins each; spreads 0, 0, 10; Anna and Bert 1060 points; Anna won the meeting, Bert has the highest game."""


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        pytest.param(
            (HEAD_TO_HEAD, SPREAD, POINTS),
            [(1, CARLA, None), (2, BERT, SPREAD), (3, ANNA, HIGHEST_GAME)],
            id="TSO 6.1 c: not looked at again when two are left of three",
        ),
        pytest.param(
            (SPREAD, HEAD_TO_HEAD, POINTS),
            [(1, CARLA, None), (2, ANNA, SPREAD), (3, BERT, HEAD_TO_HEAD)],
            id="TSO 6.1 c: exactly two after what was considered before",
        ),
    ],
)
def test_head_to_head_is_looked_at_once_at_its_place(order, expected):
    rows = table(THREE_LEVEL_ON_WINS, Ranking(order=order))

    assert places(rows[:3]) == expected


@pytest.mark.parametrize(
    ("meetings", "expected"),
    [
        pytest.param(
            [
                make_game(1, ANNA, 410, 390, BERT),
                make_game(2, BERT, 450, 380, ANNA),
                *beside(ANNA, (450, 350)),
                *beside(BERT, (400, 390), (0, 10)),
            ],
            [(BERT, None, None), (ANNA, HEAD_TO_HEAD, ComparedFigures(790, 840, meetings=2))],
            id="TSO 6.1 c: met twice, the sum",
        ),
        pytest.param(
            [TableGame(1, BERT, ANNA, Outcome.FIRST_FORFEITS, 300, 400), *beside(BERT, (400, 150))],
            [(ANNA, None, None), (BERT, HEAD_TO_HEAD, ComparedFigures(0, 400))],
            id="TSO 6.1 c: credited points count in a game that began and was awarded",
        ),
        pytest.param(
            [TableGame(1, BERT, ANNA, Outcome.FIRST_FORFEITS), *beside(BERT, (400, 250))],
            [(BERT, None, None), (ANNA, HIGHEST_GAME, ComparedFigures(None, 400))],
            id="TSO 6.1 c: two whose game never began have not played each other",
        ),
        pytest.param(
            [
                TableGame(1, BERT, ANNA, Outcome.FIRST_FORFEITS, 0, 0, reason=AwardReason.LATE),
                *beside(BERT, (400, 250)),
            ],
            [(BERT, None, None), (ANNA, HIGHEST_GAME, ComparedFigures(0, 400))],
            id="TSO 2.4 d, 6.1 c: whoever comes too late has not played, whatever score is stated",
        ),
        pytest.param(
            [
                TableGame(1, BERT, ANNA, Outcome.FIRST_FORFEITS),
                make_game(2, ANNA, 390, 410, BERT),
                *beside(ANNA, (420, 400)),
                *beside(BERT, (500, 300), (300, 370)),
            ],
            [(BERT, None, None), (ANNA, HEAD_TO_HEAD, ComparedFigures(390, 410))],
            id="TSO 6.1 c: of two meetings only the one that began",
        ),
        pytest.param(
            [
                TableGame(1, ANNA, BERT, Outcome.BOTH_FORFEIT),
                *beside(ANNA, (400, 350), (300, 250)),
                *beside(BERT, (360, 310), (340, 290)),
            ],
            [(ANNA, None, None), (BERT, HIGHEST_GAME, ComparedFigures(360, 400))],
            id="TSO 6.1 c: 0 : 0 when both are at fault",
        ),
        pytest.param(
            [make_game(1, ANNA, 380, 380, BERT), *beside(ANNA, (390, 340)), *beside(BERT, (0, 10), (390, 330))],
            [(BERT, None, None), (ANNA, HIGHEST_GAME, ComparedFigures(None, 0, nth=3))],
            id="TSO 6.1 c: a drawn meeting decides nothing",
        ),
        pytest.param(
            [*beside(ANNA, (400, 380), (500, 490)), *beside(BERT, (450, 430), (450, 440))],
            [(ANNA, None, None), (BERT, HIGHEST_GAME, ComparedFigures(450, 500))],
            id="TSO 6.1 c: two who have not met",
        ),
        pytest.param(
            [TableGame(1, BERT, ANNA, OPEN), *beside(ANNA, (400, 390)), *beside(BERT, (400, 390))],
            [(ANNA, None, None), (BERT, None, None)],
            id="TSO 6.1 c: an open game is no meeting yet",
        ),
    ],
)
def test_head_to_head(meetings, expected):
    rows = [row for row in table(meetings) if row.player in (ANNA, BERT)]

    assert [(row.player, row.decided_by, row.detail) for row in rows] == expected
    assert len({(row.wins, row.spread, row.points) for row in rows}) == 1


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        pytest.param(
            [*beside(ANNA, (400, 390), (310, 300), (290, 280)), *beside(BERT, (400, 390), (320, 310), (280, 270))],
            [(BERT, 400, None), (ANNA, 400, ComparedFigures(310, 320, nth=2))],
            id="TSO 6.1: second best game",
        ),
        pytest.param(
            [*beside(ANNA, (400, 390)), *beside(BERT, (400, 380), (0, 10))],
            [(BERT, 400, None), (ANNA, 400, ComparedFigures(None, 0, nth=2))],
            id="TSO 6.1: a list that runs out is lower",
        ),
        pytest.param(
            [TableGame(1, ANNA, None, BYE), *beside(BERT, (400, 350))],
            [(BERT, 400, None), (ANNA, None, ComparedFigures(None, 400))],
            id="TSO 6.1.1: credited points are no highest game",
        ),
        pytest.param(
            [TableGame(1, ANNA, None, BYE), TableGame(1, BERT, CARLA, Outcome.SECOND_FORFEITS, 350, 420)],
            [(BERT, 350, None), (ANNA, None, ComparedFigures(None, 350))],
            id="TSO 6.1.1: a score that the innocent player reached is",
        ),
        pytest.param(
            [
                TableGame(1, ANNA, CARLA, Outcome.FIRST_FORFEITS, 500, 300),
                TableGame(1, BERT, DORA, Outcome.FIRST_FORFEITS),
            ],
            [(ANNA, None, None), (BERT, None, None)],
            id="TSO 6.1.1: a player at fault has no score",
        ),
    ],
)
def test_highest_game(games, expected):
    rows = [row for row in table(games) if row.player in (ANNA, BERT)]

    assert [(row.player, row.highest_game, row.detail) for row in rows] == expected
    assert len({(row.wins, row.spread, row.points) for row in rows}) == 1


TWO_LEVEL = [TableGame(1, BERT, None, BYE), TableGame(1, CARLA, None, BYE), make_game(1, ANNA, 500, 400, DORA)]


def test_who_is_still_level_shares_the_rank_and_the_next_is_skipped():
    rows = table(TWO_LEVEL)

    assert places(rows) == [(1, ANNA, None), (2, BERT, SPREAD), (2, CARLA, None), (4, DORA, WINS)]


@pytest.mark.parametrize(
    ("lots", "expected"),
    [
        pytest.param([(CARLA, BERT)], [(2, CARLA, SPREAD), (3, BERT, LOT)], id="names both"),
        pytest.param([(DORA, CARLA, ANNA, BERT)], [(2, CARLA, SPREAD), (3, BERT, LOT)], id="names more"),
        pytest.param([(BERT, CARLA), (CARLA, BERT)], [(2, CARLA, SPREAD), (3, BERT, LOT)], id="the last counts"),
        pytest.param([(CARLA, BERT), (ANNA, DORA)], [(2, CARLA, SPREAD), (3, BERT, LOT)], id="the last that fits"),
        pytest.param([(CARLA, DORA), (BERT,)], [(2, BERT, SPREAD), (2, CARLA, None)], id="names not all"),
        pytest.param([(DORA, ANNA)], [(2, BERT, SPREAD), (2, CARLA, None)], id="names others"),
    ],
)
def test_lot_settles_a_tie_that_it_names_in_full(lots, expected):
    rows = table(TWO_LEVEL, lots=lots)

    assert places(rows, BERT, CARLA) == expected
    assert places(rows, ANNA, DORA) == [(1, ANNA, None), (4, DORA, WINS)]


def test_shared_ties_leave_it_to_the_criteria_named():
    games = [make_game(1, ANNA, 410, 390, BERT), make_game(2, BERT, 500, 480, ANNA), *beside(CARLA, (400, 399))]
    ranking = Ranking(order=(SPREAD,), shared_ties=True)

    rows, drawn = table(games, ranking), table(games, ranking, lots=[(BERT, ANNA)])

    assert places(rows, ANNA, BERT, CARLA) == [(1, CARLA, None), (2, ANNA, SPREAD), (2, BERT, None)]
    assert places(drawn, ANNA, BERT, CARLA) == [(1, CARLA, None), (2, BERT, SPREAD), (3, ANNA, LOT)]


MISSED_A_ROUND = [*beside(ANNA, (400, 390)), *beside(BERT, (450, 390), (390, 400))]
"""Anna won once and Bert did, who lost a game as well."""


@pytest.mark.parametrize(
    ("losses_count", "expected"),
    [
        pytest.param(False, [(BERT, 50, None), (ANNA, 10, SPREAD)], id="TSO 6.1: wins, then spread"),
        pytest.param(True, [(ANNA, 10, None), (BERT, 50, WINS)], id="tsh: wins, fewer losses, then spread"),
    ],
)
def test_fewer_losses_rank_first_only_where_they_count(losses_count, expected):
    ranking = Ranking(order=(SPREAD,), shared_ties=True, losses_count=losses_count)

    rows = [row for row in table(MISSED_A_ROUND, ranking) if row.player in (ANNA, BERT)]

    assert [(row.player, row.spread, row.decided_by) for row in rows] == expected


def test_table_after_a_round_leaves_later_games_out():
    games = [make_game(2, ANNA, 500, 300, BERT), make_game(1, BERT, 400, 390, ANNA), TableGame(3, BERT, None, BYE)]

    by_round = [places(table(games, after=after)) for after in (0, 1, 2, None)]

    assert by_round == [
        [(1, ANNA, None), (1, BERT, None)],
        [(1, BERT, None), (2, ANNA, WINS)],
        [(1, ANNA, None), (2, BERT, SPREAD)],
        [(1, BERT, None), (2, ANNA, WINS)],
    ]


def test_withdrawn_players_keep_their_place_and_are_marked():
    rows = table(TWO_LEVEL, withdrawn=[BERT])

    assert places(rows) == [(1, ANNA, None), (2, BERT, SPREAD), (2, CARLA, None), (4, DORA, WINS)]
    assert [row.player for row in rows if row.withdrawn] == [BERT]


def test_withdrawn_players_without_a_rank_are_listed_last_and_part_nobody():
    games = [make_game(1, ANNA, 410, 390, BERT), *THREE_LEVEL_ON_WINS[1:]]
    ranking = Ranking(order=(HEAD_TO_HEAD,), withdrawn=WithdrawnPlacement.UNRANKED)
    others = {game.second for game in games} - {BERT}

    rows = table(games, ranking, withdrawn=[CARLA, *others])

    assert places(rows[:2]) == [(1, ANNA, None), (2, BERT, HEAD_TO_HEAD)]
    assert places(rows, CARLA) == [(None, CARLA, None)]
    assert [row.half_wins for row in rows[2:]] == sorted((row.half_wins for row in rows[2:]), reverse=True)
    assert {row.rank for row in rows[2:]} == {None}


@pytest.mark.parametrize("withdrawn", WithdrawnPlacement)
def test_disqualified_players_are_last_without_a_rank_and_the_others_move_up(withdrawn):
    rows = table(TWO_LEVEL, Ranking(withdrawn=withdrawn), withdrawn=[ANNA, DORA], disqualified=[ANNA])

    assert (rows[-1].player, rows[-1].rank, rows[-1].half_wins) == (ANNA, None, table(TWO_LEVEL)[0].half_wins)
    assert [row.player for row in rows if row.disqualified] == [ANNA]
    assert [row.rank for row in rows] == ([1, 1, 3, None] if withdrawn == "ranked" else [1, 1, None, None])


CAP = (100, 150)


@pytest.mark.parametrize(
    ("cap", "game", "spreads", "half_wins"),
    [
        pytest.param(CAP, make_game(1, ANNA, 500, 250, BERT), (100, -100), (2, 0), id="first round"),
        pytest.param(CAP, make_game(2, BERT, 500, 250, ANNA), (-150, 150), (0, 2), id="second round"),
        pytest.param(CAP, make_game(3, ANNA, 500, 250, BERT), (150, -150), (2, 0), id="the last figure repeats"),
        pytest.param(CAP, make_game(1, ANNA, 500, 400, BERT), (100, -100), (2, 0), id="at the cap"),
        pytest.param((), make_game(1, ANNA, 500, 250, BERT), (250, -250), (2, 0), id="no cap"),
        pytest.param((0,), make_game(1, ANNA, 500, 250, BERT), (0, 0), (2, 0), id="a cap of 0 takes no win away"),
        pytest.param(
            CAP, TableGame(1, ANNA, BERT, Outcome.SECOND_FORFEITS, 480, 300), (100, -100), (2, 0), id="credited"
        ),
        pytest.param(
            (40,), TableGame(1, ANNA, BERT, Outcome.BOTH_FORFEIT, 480, 300), (-40, -40), (0, 0), id="credited to both"
        ),
    ],
)
def test_spread_cap(cap, game, spreads, half_wins):
    rows = {row.player: row for row in table([game], Ranking(spread_cap=cap))}

    assert (rows[ANNA].spread, rows[BERT].spread) == spreads
    assert (rows[ANNA].half_wins, rows[BERT].half_wins) == half_wins


def test_spread_cap_leaves_the_points_alone():
    anna, bert = table([make_game(1, ANNA, 500, 250, BERT)], Ranking(spread_cap=CAP))

    assert (anna.points, bert.points) == (500, 250)


BY_POINTS = [
    make_game(1, ANNA, 300, 290, BERT),
    make_game(2, ANNA, 310, 300, CARLA),
    make_game(1, CARLA, 510, 420, DORA),
    make_game(2, BERT, 320, 410, DORA),
]
"""Points: Anna 610, Bert 610, Carla 810, Dora 830."""


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        pytest.param((), [(1, DORA, None), (2, CARLA, POINTS), (3, ANNA, POINTS), (4, BERT, SPREAD)], id="default"),
        pytest.param(
            (POINTS, HEAD_TO_HEAD),
            [(1, DORA, None), (2, CARLA, POINTS), (3, ANNA, POINTS), (4, BERT, HEAD_TO_HEAD)],
            id="head to head next",
        ),
        pytest.param(
            (WINS,), [(1, DORA, None), (2, CARLA, POINTS), (3, ANNA, POINTS), (4, BERT, WINS)], id="wins next"
        ),
    ],
)
def test_ranked_by_points(order, expected):
    assert places(table(BY_POINTS, Ranking(RankingBasis.POINTS, order))) == expected


@pytest.mark.parametrize(
    ("ranking", "expected"),
    [
        (Ranking(), (WINS, SPREAD, POINTS, HEAD_TO_HEAD, HIGHEST_GAME)),
        (Ranking(order=(HEAD_TO_HEAD,)), (WINS, HEAD_TO_HEAD, SPREAD, POINTS, HIGHEST_GAME)),
        (Ranking(order=(POINTS, HEAD_TO_HEAD)), (WINS, POINTS, HEAD_TO_HEAD, SPREAD, HIGHEST_GAME)),
        (Ranking(order=(SPREAD,), shared_ties=True), (WINS, SPREAD)),
        (Ranking(RankingBasis.POINTS), (POINTS, SPREAD, HEAD_TO_HEAD, HIGHEST_GAME)),
        (Ranking(RankingBasis.POINTS, (SPREAD, POINTS)), (POINTS, SPREAD, HEAD_TO_HEAD, HIGHEST_GAME)),
    ],
)
def test_criteria_not_named_follow_in_the_order_of_the_rules(ranking, expected):
    assert ranking.criteria == expected


@pytest.mark.parametrize(
    "wrong", [{"order": (SPREAD, SPREAD)}, {"order": (HIGHEST_GAME,)}, {"order": (LOT,)}, {"spread_cap": (100, -1)}]
)
def test_ranking_refuses(wrong):
    with pytest.raises(ValueError, match=r"not an order of criteria|not negative"):
        Ranking(**wrong)
