"""Ratings after an event: worked events, the example of the German procedure, borders of its bands, and laws."""

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ratings import RatedGame, RatedPlayer, RatingSystem, rate_event
from scoring.ratings.tsh_deu import convert_wins, get_multiplier, rate_newcomers, split_rounds
from scoring.ratings.values import OwnGame, round_rating
from tests.laws import tried_on
from tests.scoring import naive_ratings

CASES = sorted((Path(__file__).parent / "ratings_cases").glob("*.json"))
DEU, NORWEGIAN = RatingSystem.TSH_DEU, RatingSystem.NORWEGIAN

laws = tried_on(10)


def rate_case(event, system):
    """The new ratings of a tournament file's players; byes and forfeits are no rated games."""
    (division,) = event["divisions"]
    games = [
        RatedGame(round["number"], *(pairing[name] for name in ("first", "second", "first_points", "second_points")))
        for round in division["rounds"]
        for pairing in round["pairings"]
        if pairing["outcome"] == "played"
    ]
    players = [RatedPlayer(player["id"], player["rating"], player["games"]) for player in event["players"]]
    return rate_event(players, games, rounds=len(division["rounds"]), system=system)


def test_worked_events_are_all_there():
    assert [path.stem for path in CASES] == [f"case-{number}" for number in range(1, 7)]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_worked_event_by_tsh(path):
    case = json.loads(path.read_text(encoding="utf-8"))

    found = rate_case(case["event"], DEU)

    for player, row in case["tsh-deu"].items():
        new = found[player]
        assert (new.before.rating, new.rated_games, new.wins) == (row["old"], row["rated_games"], row["wins"])
        assert new.expected == (row["expected"] and pytest.approx(row["expected"], abs=0.0006))
        assert new.new_exact == pytest.approx(row["new_exact"], abs=0.0006)
    assert sum(new.spread for new in found.values()) == 0


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_worked_event_by_the_norwegian_procedure(path):
    case = json.loads(path.read_text(encoding="utf-8"))

    found = rate_case(case["event"], NORWEGIAN)

    assert {player: found[player].new_exact for player in found} == pytest.approx(case["norwegian"], abs=0.0006)


def play(*results, opponent="b", round=1):
    """Games of "a" with these points for and against, a round each."""
    return [RatedGame(round + number, "a", opponent, *points) for number, points in enumerate(results)]


WIN, LOSS, DRAW = (400, 300), (300, 400), (350, 350)


def test_example_of_the_german_procedure():
    """1400, 60 games, five of seven against 1450: 1437."""
    players = [RatedPlayer("a", 1400, 60), RatedPlayer("b", 1450, 60)]

    found = rate_event(players, play(*[WIN] * 5, *[LOSS] * 2), rounds=7, system=DEU)["a"]

    assert found.expected == pytest.approx(3.208, abs=0.001)
    assert found.new_exact == pytest.approx(1436.667, abs=0.001)
    assert (found.new, found.change, found.segments[0].acceleration) == (1437, 37, pytest.approx(0.833, abs=0.001))


def test_norwegian_by_hand():
    """A win by 100 against an equal: variances 160,000 each and 202,500 of the game, so 160/522.5 of 500 points."""
    players = [RatedPlayer("a", 1500), RatedPlayer("b", 1500)]

    found = rate_event(players, play(WIN), rounds=1, system=NORWEGIAN)

    assert (found["a"].new, found["b"].new) == (1653, 1347)
    assert found["a"].deviation_before == 400
    assert found["a"].deviation_after == pytest.approx((1 / (1 / 160_000 + 1 / 362_500)) ** 0.5)


def test_norwegian_rating_moves_less_the_more_certain_it_is():
    games = play(WIN)
    vague, certain = (
        rate_event([RatedPlayer("a", 1500, 0, deviation), RatedPlayer("b", 1500)], games, rounds=1, system=NORWEGIAN)
        for deviation in (300, 50)
    )

    assert vague["a"].change > certain["a"].change > 0
    assert certain["a"].deviation_after < 50


@pytest.mark.parametrize("system", RatingSystem)
def test_without_a_rated_game_nothing_changes(system):
    players = [RatedPlayer("a", 1612, 40), RatedPlayer("b", None)]

    found = rate_event(players, [], rounds=7, system=system)

    assert [(new.new, new.new_exact, new.change, new.rated_games) for new in found.values()] == [
        (1612, 1612, 0, 0),
        (None, None, None, 0),
    ]


@pytest.mark.parametrize(
    ("rating", "games", "multiplier"),
    [
        (1799, 49, 30), (1800, 49, 24), (1999, 49, 24), (2000, 49, 15),
        (1799, 50, 20), (1800, 50, 16), (1999, 50, 16), (2000, 50, 10),
    ],
)  # fmt: skip
def test_multipliers(rating, games, multiplier):
    assert get_multiplier(rating, games) == multiplier


@pytest.mark.parametrize(
    ("rating", "above", "gain"),
    [
        (1700, 1, 20),
        (1790, 1, 18),  # half a win to 1800, the other half by 16
        (1810, -1, -17.25),  # 11 points to 1799 by 16, the rest by 20
        (2004, -1, -13),  # 5 points to 1999 by 10, the rest by 16
        (1780, 20, 20 + 200 + 65),  # through both borders: 1 win, 12.5 wins, 6.5 wins
        (2010, -30, -11 - 200 - 328),  # and back: 1.1 wins, 12.5 wins, 16.4 wins
        (1800, 0, 0),
    ],
)
def test_border_of_a_band_changes_the_multiplier(rating, above, gain):
    assert convert_wins(above, rating=rating, games=50) == pytest.approx(gain)


@pytest.mark.parametrize(
    ("rounds", "parts"),
    [(1, (1,)), (16, (16,)), (17, (9, 17)), (18, (9, 18)), (35, (18, 35)), (36, (12, 24, 36)), (37, (13, 25, 37))],
)
def test_long_event_is_rated_in_parts(rounds, parts):
    assert split_rounds(rounds) == parts


def test_second_part_starts_from_whole_points_of_the_first():
    players = [RatedPlayer("a", 1400, 60), RatedPlayer("b", 1450, 60)]
    games = [RatedGame(number, "a", "b", *WIN) for number in (1, 2, 12, 18)]

    whole = rate_event(players, games, rounds=17, system=DEU)["a"]
    first = rate_event(players, games[:2], rounds=2, system=DEU)

    assert [segment.old for segment in whole.segments] == [1400, first["a"].new]
    halfway = [RatedPlayer(player, new.new, 60) for player, new in first.items()]
    assert whole.new_exact == rate_event(halfway, games[2:], rounds=18, system=DEU)["a"].new_exact
    assert whole.rated_games == 4


def test_feedback_goes_to_rated_opponents_for_each_game():
    players = [RatedPlayer("a", 1400, 10), RatedPlayer("b", 1700, 100), RatedPlayer("c", None)]
    games = [*play(WIN, WIN), *play(WIN, opponent="c", round=3)]

    found = rate_event(players, games, rounds=3, system=DEU)

    share = found["a"].segments[0].acceleration / 20
    assert share > 0
    assert [part.feedback for part in found["b"].parts] == pytest.approx([share, share])
    assert [part.feedback for part in found["c"].parts] == [0]


def newcomer(*results, opponents):
    return [
        OwnGame(number, opponent, spread)
        for number, (opponent, spread) in enumerate(zip(opponents, results, strict=True), 1)
    ]


@pytest.mark.parametrize(
    ("spreads", "rating"),
    [
        ((10, -10, 10, -10), 1500),
        ((10, 10, 10, -10), 1800),  # three of four: 300 above their mean
        ((0, 0, 0, 0), 1500),
        ((-10, -10, -10, -10), 960),  # counts as 5 %
        ((10, 10, 10, 10), 2000),  # as 95 %, and held to the strongest plus 400
    ],
)
def test_newcomer_is_rated_by_the_result(spreads, rating):
    rated = {"b": 1400, "c": 1600}

    assert rate_newcomers(rated, {"a": newcomer(*spreads, opponents="bcbc")}) == {"a": pytest.approx(rating)}


def test_newcomer_has_at_least_500():
    assert rate_newcomers({"b": 600}, {"a": newcomer(-9, opponents="b")}) == {"a": 500}


def test_newcomers_who_meet_settle():
    """One game of four between them: a is at a third of b's rating above what the rated say, and the other way."""
    rated = {"c": 1500}
    found = rate_newcomers(
        rated,
        {"a": newcomer(5, 5, -5, 5, opponents="bccc"), "b": newcomer(-5, 5, -5, -5, opponents="accc")},
    )

    assert found["a"] == pytest.approx((3 * 1500 + found["b"]) / 4 + 300, abs=0.2)
    assert found["b"] == pytest.approx((3 * 1500 + found["a"]) / 4 - 300, abs=0.2)


def test_newcomers_among_themselves_are_held_to_the_usual_start():
    """Nothing holds two who play only each other: after six times they are counted by the mean of six more."""
    found = rate_newcomers({}, {"a": newcomer(5, 5, -5, opponents="bbb"), "b": newcomer(-5, -5, 5, opponents="aaa")})

    assert 500 <= found["b"] < found["a"] <= 1500 + 400 * 2 / 3


def test_newcomer_who_did_not_play_the_first_part_comes_in_the_second():
    players = [RatedPlayer("a", None), RatedPlayer("b", 1500, 60)]

    found = rate_event(players, play(WIN, LOSS, round=12), rounds=20, system=DEU)["a"]

    assert (found.new, found.expected, found.change, len(found.segments)) == (1500, None, None, 1)


@st.composite
def events(draw):
    """A field of two to six, some of them newcomers, with a round of games for each of up to 40 rounds."""
    names = "abcdef"[: draw(st.integers(2, 6))]
    ratings = st.integers(500, 2200)
    players = [
        RatedPlayer(name, draw(ratings if name == "a" else st.none() | ratings), draw(st.integers(0, 100)))
        for name in names
    ]
    rounds = draw(st.sampled_from([1, 5, 16, 17, 36]))
    points = st.integers(280, 480)
    games = [
        RatedGame(number, *draw(st.sampled_from(list(combinations(names, 2)))), draw(points), draw(points))
        for number in range(1, rounds + 1)
    ]
    return players, games, rounds


@laws
@given(events(), st.sampled_from(RatingSystem))
def test_parts_make_up_the_change(event, system):
    players, games, rounds = event

    found = rate_event(players, games, rounds=rounds, system=system)

    assert sum(new.rated_games for new in found.values()) == 2 * len(games)
    for new in found.values():
        for segment in new.segments:
            if segment.old is not None:
                parts = sum(part.points + part.feedback for part in segment.parts)
                assert segment.new_exact == pytest.approx(segment.old + parts + segment.acceleration)


@laws
@given(events())
def test_second_program_gives_the_same_ratings(event):
    players, games, rounds = event
    rows = [(each.player, each.rating, each.games) for each in players]
    played = [(game.round, game.first, game.second, game.first_points, game.second_points) for game in games]

    found = rate_event(players, games, rounds=rounds, system=DEU)

    expected = naive_ratings.rate(rows, played, rounds)
    assert {player: new.new_exact for player, new in found.items()} == {
        player: exact if exact is None else pytest.approx(exact, abs=0.001) for player, exact in expected.items()
    }


@laws
@given(events())
def test_expectations_of_both_sides_make_up_the_games(event):
    players, games, rounds = event

    parts = [part for new in rate_event(players, games, rounds=rounds, system=DEU).values() for part in new.parts]

    assert sum(part.expected for part in parts) == pytest.approx(len(games))
    assert sum(part.reached for part in parts) == len(games)


@laws
@given(events(), st.sampled_from(RatingSystem))
def test_order_of_players_and_sides_does_not_matter(event, system):
    players, games, rounds = event
    turned = [RatedGame(game.round, game.second, game.first, game.second_points, game.first_points) for game in games]

    found = rate_event(players, games, rounds=rounds, system=system)
    other = rate_event(players[::-1], turned, rounds=rounds, system=system)

    assert list(found) == list(other)[::-1]
    for player, new in found.items():
        assert (new.new_exact is None) == (other[player].new_exact is None)
        assert new.new_exact is None or new.new_exact == pytest.approx(other[player].new_exact, abs=0.01)


def test_halves_are_rounded_upwards():
    assert [round_rating(exact) for exact in (1499.5, 1500.4999, 1500.5, 1501.5 - 1e-11)] == [1500, 1500, 1501, 1502]
