"""What contradicts itself is refused, with every fault."""

import pytest

from scoring import standings
from scoring.awards import Outcome
from scoring.rulesets.tso import TSO_AWARDS
from scoring.standings import Contestant, NotRankable, Ranking, TableFault, TableGame, TableProblem

PLAYED, BYE = Outcome.PLAYED, Outcome.BYE
ANNA, BERT, CARLA, STRANGER = "Anna", "Bert", "Carla", "Stranger"
FIELD = (Contestant(ANNA), Contestant(BERT), Contestant(CARLA))


def make_game(round, first, second, **more):
    return TableGame(round, first, second, PLAYED, 400, 380, **more)


FAULTS = [
    pytest.param(
        [make_game(1, STRANGER, ANNA)], [TableProblem(TableFault.UNKNOWN_PLAYER, STRANGER, 1)], id="unknown first"
    ),
    pytest.param(
        [make_game(1, ANNA, STRANGER)], [TableProblem(TableFault.UNKNOWN_PLAYER, STRANGER, 1)], id="unknown second"
    ),
    pytest.param(
        [TableGame(1, STRANGER, None, BYE)], [TableProblem(TableFault.UNKNOWN_PLAYER, STRANGER, 1)], id="unknown, bye"
    ),
    pytest.param(
        [make_game(2, ANNA, BERT), make_game(2, CARLA, BERT)],
        [TableProblem(TableFault.TWICE_IN_ROUND, BERT, 2)],
        id="twice second",
    ),
    pytest.param(
        [make_game(2, ANNA, BERT), make_game(2, ANNA, CARLA)],
        [TableProblem(TableFault.TWICE_IN_ROUND, ANNA, 2)],
        id="twice first",
    ),
    pytest.param([make_game(1, ANNA, ANNA)], [TableProblem(TableFault.TWICE_IN_ROUND, ANNA, 1)], id="against oneself"),
    pytest.param(
        [make_game(1, ANNA, BERT), TableGame(1, BERT, None, BYE)],
        [TableProblem(TableFault.TWICE_IN_ROUND, BERT, 1)],
        id="game and bye",
    ),
    pytest.param(
        [TableGame(1, BERT, None, BYE), make_game(1, ANNA, BERT)],
        [TableProblem(TableFault.TWICE_IN_ROUND, BERT, 1)],
        id="bye and game",
    ),
    pytest.param(
        [TableGame(1, ANNA, BERT, Outcome.OPEN), make_game(1, ANNA, CARLA)],
        [TableProblem(TableFault.TWICE_IN_ROUND, ANNA, 1)],
        id="open game and another",
    ),
    pytest.param([make_game(0, ANNA, BERT)], [TableProblem(TableFault.ROUND_BELOW_ONE, ANNA, 0)], id="round 0"),
    pytest.param([make_game(1, ANNA, None)], [TableProblem(TableFault.OPPONENT_MISSING, ANNA, 1)], id="played alone"),
    pytest.param(
        [TableGame(1, ANNA, None, Outcome.FIRST_FORFEITS)],
        [TableProblem(TableFault.OPPONENT_MISSING, ANNA, 1)],
        id="forfeit alone",
    ),
    pytest.param(
        [TableGame(1, ANNA, BERT, BYE)], [TableProblem(TableFault.OPPONENT_TOO_MANY, ANNA, 1)], id="bye for two"
    ),
    pytest.param(
        [TableGame(1, ANNA, BERT, Outcome.ABSENT)],
        [TableProblem(TableFault.OPPONENT_TOO_MANY, ANNA, 1)],
        id="absence of two",
    ),
    pytest.param(
        [TableGame(1, ANNA, BERT, PLAYED, 400)], [TableProblem(TableFault.POINTS_MISSING, ANNA, 1)], id="half a score"
    ),
    pytest.param(
        [TableGame(1, ANNA, BERT, PLAYED, None, 400)],
        [TableProblem(TableFault.POINTS_MISSING, ANNA, 1)],
        id="the other half",
    ),
    pytest.param(
        [make_game(1, ANNA, BERT, spread=50)],
        [TableProblem(TableFault.SPREAD_NOT_ALLOWED, ANNA, 1)],
        id="spread of a played game",
    ),
]


@pytest.mark.parametrize(("games", "expected"), FAULTS)
def test_problems_and_rank_agree(games, expected):
    assert standings.problems(FIELD, games) == tuple(expected)
    with pytest.raises(NotRankable) as caught:
        standings.rank(FIELD, games, Ranking(), TSO_AWARDS)

    assert caught.value.problems == tuple(expected)


def test_problems_are_found_all_at_once():
    games = [make_game(1, ANNA, STRANGER), make_game(1, ANNA, BERT), TableGame(2, CARLA, None, PLAYED, 400)]

    found = standings.problems((*FIELD, Contestant(BERT)), games)

    assert found == (
        TableProblem(TableFault.LISTED_TWICE, BERT),
        TableProblem(TableFault.UNKNOWN_PLAYER, STRANGER, 1),
        TableProblem(TableFault.TWICE_IN_ROUND, ANNA, 1),
        TableProblem(TableFault.OPPONENT_MISSING, CARLA, 2),
        TableProblem(TableFault.POINTS_MISSING, CARLA, 2),
    )


def test_rank_refuses_a_player_listed_twice():
    with pytest.raises(NotRankable, match=r"^listed_twice: Bert; unknown_player: Stranger in round 1$"):
        standings.rank((*FIELD, Contestant(BERT)), [make_game(1, ANNA, STRANGER)], Ranking(), TSO_AWARDS)


@pytest.mark.parametrize("games", [[], [make_game(1, ANNA, BERT)]], ids=["no game", "a sound game"])
def test_rank_refuses_a_player_listed_twice_and_nothing_else(games):
    with pytest.raises(NotRankable, match=r"^listed_twice: Bert$"):
        standings.rank((*FIELD, Contestant(BERT)), games, Ranking(), TSO_AWARDS)


def test_problems_of_later_rounds_do_not_matter_to_an_earlier_table():
    games = [make_game(1, ANNA, BERT), make_game(2, ANNA, STRANGER)]

    table = standings.rank(FIELD, games, Ranking(), TSO_AWARDS, after=1)

    assert [row.player for row in table] == [ANNA, CARLA, BERT]


@pytest.mark.parametrize("outcome", [Outcome.OPEN, Outcome.BYE, Outcome.ABSENT])
def test_no_problem_without_an_opponent(outcome):
    assert standings.problems(FIELD, [TableGame(1, ANNA, None, outcome)]) == ()


def test_whoever_is_not_said_to_have_left_plays() -> None:
    assert not Contestant("P01").withdrawn
