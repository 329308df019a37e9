"""Records and upsets: who holds them, who shares them, and which games count for what."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import statistics
from scoring.awards import Outcome
from scoring.statistics import Feat, GameHalf, Record, RecordKind, StatisticsGame
from tests.laws import tried_on

PLAYED, FIRST, SECOND, BOTH = (Outcome.PLAYED, Outcome.FIRST_FORFEITS, Outcome.SECOND_FORFEITS, Outcome.BOTH_FORFEIT)


def game(key, first, second, points, outcome=PLAYED, ratings=(None, None), moves=((), ()), bingos=(None, None)):
    halves = (
        GameHalf(player, points=score, rating=rating, moves=made, bingos=count)
        for player, score, rating, made, count in zip((first, second), points, ratings, moves, bingos, strict=True)
    )
    return StatisticsGame(key, outcome, *halves)


def held(games, kind):
    """A record's value and its holders with the games they hold it by; None where nobody does."""
    for record in statistics.records(games):
        if record.kind == kind:
            return record.value, [(feat.player, feat.game and feat.game.key) for feat in record.feats]
    return None


EVENING = (
    game(1, "A", "B", (431, 388)),
    game(2, "C", "D", (350, 470)),
    game(3, "A", "C", (400, 400)),
    game(4, "B", "D", (470, 461)),
)


@pytest.mark.parametrize(
    ("kind", "value", "holders"),
    [
        (RecordKind.HIGHEST_GAME, 470, [("D", 2), ("B", 4)]),
        (RecordKind.HIGHEST_LOSING_SCORE, 461, [("D", 4)]),
        (RecordKind.HIGHEST_COMBINED, 931, [("B", 4)]),
        (RecordKind.CLOSEST, 0, [("A", 3)]),
        (RecordKind.BIGGEST_WIN, 120, [("D", 2)]),
        (RecordKind.BEST_AVERAGE, Fraction(931, 2), [("D", None)]),
    ],
)
def test_records_of_an_evening(kind, value, holders):
    assert held(EVENING, kind) == (value, holders)


def test_records_come_in_their_order_and_only_if_held():
    assert [record.kind for record in statistics.records(EVENING)] == list(RecordKind)[:6]
    assert {feat.games for feat in statistics.records(EVENING)[0].feats} == {1}
    assert statistics.records([]) == ()


def test_record_of_whoever_can_hold_none_goes_to_the_next() -> None:
    without_d = {record.kind: record for record in statistics.records(EVENING, without={"D"})}
    drawn = (game(1, "A", "B", (400, 400)), game(2, "C", "D", (431, 400)))
    without_a = {record.kind: record for record in statistics.records(drawn, without={"A"})}

    assert held(EVENING, RecordKind.BIGGEST_WIN) == (120, [("D", 2)])
    assert [feat.player for feat in without_d[RecordKind.BIGGEST_WIN].feats] == ["A"]
    assert [(feat.player, feat.value) for feat in without_d[RecordKind.HIGHEST_GAME].feats] == [("B", 470)]
    assert [(feat.player, feat.value) for feat in without_a[RecordKind.CLOSEST].feats] == [("C", 31)]


def test_draw_is_closest_and_neither_won_nor_lost():
    drawn = [game(1, "A", "B", (400, 400))]

    assert held(drawn, RecordKind.CLOSEST) == (0, [("A", 1)])
    assert held(drawn, RecordKind.HIGHEST_COMBINED) == (800, [("A", 1)])
    assert held(drawn, RecordKind.BIGGEST_WIN) is None
    assert held(drawn, RecordKind.HIGHEST_LOSING_SCORE) is None


def test_level_records_are_shared_by_all():
    games = [game(1, "A", "B", (400, 300)), game(2, "C", "D", (300, 400)), game(3, "A", "C", (400, 300))]

    assert held(games, RecordKind.HIGHEST_GAME) == (400, [("A", 1), ("D", 2), ("A", 3)])
    assert held(games, RecordKind.BIGGEST_WIN) == (100, [("A", 1), ("D", 2), ("A", 3)])


def test_both_players_of_one_game_may_share_a_record():
    assert held([game(1, "A", "B", (400, 400))], RecordKind.HIGHEST_GAME) == (400, [("A", 1), ("B", 1)])


def test_scores_below_zero_are_scores():
    games = [game(1, "A", "B", (-20, -5))]

    assert held(games, RecordKind.HIGHEST_GAME) == (-5, [("B", 1)])
    assert held(games, RecordKind.HIGHEST_LOSING_SCORE) == (-20, [("A", 1)])
    assert held(games, RecordKind.HIGHEST_COMBINED) == (-25, [("B", 1)])


@pytest.mark.parametrize(
    ("outcome", "points", "highest"),
    [
        pytest.param(SECOND, (500, 550), (500, [("A", 2)]), id="TSO 6.1.1: only the innocent player's score counts"),
        pytest.param(FIRST, (500, 550), (550, [("B", 2)]), id="TSO 6.1.1: the second player is innocent"),
        pytest.param(BOTH, (500, 550), (410, [("C", 1)]), id="TSO 6.1.1: both at fault"),
        pytest.param(SECOND, (None, None), (410, [("C", 1)]), id="TSO 6.1.1: a no-show is worth 400, but no score"),
        pytest.param(SECOND, (500, None), (410, [("C", 1)]), id="TSO 6.1.1: half a score is none"),
        pytest.param(Outcome.OPEN, (500, 550), (410, [("C", 1)]), id="an open game has no score"),
    ],
)
def test_awarded_games(outcome, points, highest):
    games = [game(1, "C", "D", (410, 390)), game(2, "A", "B", points, outcome)]

    assert held(games, RecordKind.HIGHEST_GAME) == highest
    assert held(games, RecordKind.HIGHEST_COMBINED) == (800, [("C", 1)])
    assert held(games, RecordKind.BIGGEST_WIN) == held(games, RecordKind.CLOSEST) == (20, [("C", 1)])
    assert held(games, RecordKind.HIGHEST_LOSING_SCORE) == (390, [("D", 1)])
    assert held(games, RecordKind.BEST_AVERAGE) == (410, [("C", None)])


def test_average_needs_half_as_many_games_as_anybody_played():
    games = [game(number, "A", "B", (400, 380)) for number in range(1, 6)]
    guest = [game(6, "C", "A", (600, 200)), game(7, "C", "B", (600, 200))]

    assert held([*games, *guest], RecordKind.BEST_AVERAGE) == (Fraction(2200, 6), [("A", None)])
    third = game(8, "C", "D", (600, 200))
    assert held([*games, *guest, third], RecordKind.BEST_AVERAGE) == (600, [("C", None)])
    records = statistics.records([*games, *guest, third])
    assert next(record.feats for record in records if record.kind == RecordKind.BEST_AVERAGE) == (
        Feat("C", 600, None, 3),
    )


def test_best_move_is_the_best_of_all_that_are_recorded():
    games = [
        game(1, "A", "B", (400, 380), moves=((60, 122), (122, 12))),
        game(2, "C", "D", (400, 380), moves=((), (80,))),
        game(3, "A", "D", (400, 380), SECOND, moves=((122,), (300,))),
    ]

    assert held(games, RecordKind.BEST_MOVE) == (122, [("A", 1), ("B", 1), ("A", 3)])


def test_seven_tile_plays_in_one_game_and_in_all():
    games = [
        game(1, "A", "B", (400, 380), bingos=(3, 0)),
        game(2, "B", "A", (400, 380), bingos=(2, None)),
        game(3, "B", "C", (400, 380), bingos=(1, 3)),
    ]

    assert held(games, RecordKind.MOST_BINGOS_IN_GAME) == (3, [("A", 1), ("C", 3)])
    assert held(games, RecordKind.MOST_BINGOS) == (3, [("A", None), ("B", None), ("C", None)])
    record = statistics.records(games)[-1]
    assert [feat.games for feat in record.feats] == [1, 3, 1]


def test_nobody_holds_a_record_of_no_seven_tile_plays():
    games = [game(1, "A", "B", (400, 380), bingos=(0, 0))]

    assert held(games, RecordKind.MOST_BINGOS) is None
    assert held(games, RecordKind.MOST_BINGOS_IN_GAME) is None


def upset(number, difference, outcome=PLAYED, points=(400, 380)):
    return game(number, f"W{number}", f"L{number}", points, outcome, ratings=(1000, 1000 + difference))


def test_upsets_are_wins_over_higher_ratings_the_biggest_first():
    games = [upset(1, 10), upset(2, -300), upset(3, 250), upset(4, 0), upset(5, 90, points=(380, 400))]

    assert [(feat.player, feat.value, feat.game.key) for feat in statistics.upsets(games)] == [
        ("W3", 250, 3),
        ("W1", 10, 1),
    ]


def test_replier_s_upset_counts_as_well():
    (feat,) = statistics.upsets([game(1, "A", "B", (380, 400), ratings=(1500, 1400))])

    assert (feat.player, feat.value) == ("B", 100)


@pytest.mark.parametrize(
    "not_one",
    [
        game(1, "A", "B", (400, 400), ratings=(1000, 1500)),
        game(1, "A", "B", (400, 380), SECOND, ratings=(1000, 1500)),
        game(1, "A", "B", (400, 380), ratings=(None, 1500)),
        game(1, "A", "B", (400, 380), ratings=(1000, None)),
    ],
    ids=["draw", "award", "winner unrated", "loser unrated"],
)
def test_what_is_no_upset(not_one):
    assert statistics.upsets([not_one]) == ()


def test_five_upsets_are_shown_and_those_level_with_the_fifth():
    games = [upset(number, 100 * number) for number in range(1, 8)]

    assert [feat.value for feat in statistics.upsets(games)] == [700, 600, 500, 400, 300]
    assert [feat.value for feat in statistics.upsets([*games, upset(8, 300)])] == [700, 600, 500, 400, 300, 300]
    assert statistics.upsets(games, most=0) == ()


@pytest.mark.parametrize("outcome", [Outcome.BYE, Outcome.ABSENT])
def test_bye_is_no_game(outcome):
    with pytest.raises(ValueError, match=r"no game: 7"):
        game(7, "A", "B", (None, None), outcome)


@pytest.mark.parametrize("points", [(400, None), (None, 400)])
def test_played_game_needs_both_scores(points):
    with pytest.raises(ValueError, match="both scores: 7"):
        game(7, "A", "B", points)


SCORES = st.tuples(st.integers(-50, 700), st.integers(-50, 700))


@given(st.lists(SCORES, min_size=1, max_size=12))
@tried_on(15)
def test_records_are_what_they_say(scores):
    games = [game(number, "AB"[number % 2], "CD"[number % 2], score) for number, score in enumerate(scores)]
    values = {record.kind: record.value for record in statistics.records(games)}

    assert values[RecordKind.HIGHEST_GAME] == max(map(max, scores))
    assert values[RecordKind.HIGHEST_COMBINED] == max(map(sum, scores))
    assert values[RecordKind.CLOSEST] == min(abs(one - other) for one, other in scores)
    decided = [score for score in scores if score[0] != score[1]]
    assert values.get(RecordKind.BIGGEST_WIN, 0) == max((abs(one - other) for one, other in decided), default=0)
    assert values.get(RecordKind.HIGHEST_LOSING_SCORE) == max(map(min, decided), default=None)


@given(st.lists(SCORES, max_size=8))
@tried_on(15)
def test_order_of_the_games_changes_no_record_s_holders(scores):
    games = [game(number, f"A{number}", f"B{number}", score) for number, score in enumerate(scores)]

    def holders(found: tuple[Record, ...]) -> list[tuple[RecordKind, set[object]]]:
        return [(record.kind, {feat.player for feat in record.feats}) for record in found]

    assert holders(statistics.records(games)) == holders(statistics.records(games[::-1]))
