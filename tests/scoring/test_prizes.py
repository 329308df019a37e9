"""Who wins which prize."""

import pytest

from scoring import prizes, statistics
from scoring.awards import Outcome
from scoring.final_ranking import FinalPlace, PlacedBy
from scoring.prizes import PrizeKind, PrizeResults, Winner
from scoring.statistics import GameHalf, StatisticsGame


def game(key, first, second, *, outcome=Outcome.PLAYED):
    """A game of two halves: player, points and rating of each."""
    return StatisticsGame(key, outcome, GameHalf(*first), GameHalf(*second))


GAMES = (
    game(1, ("A", 500, 1500), ("B", 450, 1400)),
    game(2, ("B", 500, 1400), ("C", 300, 1200)),
    game(3, ("C", 400, 1200), ("A", 399, 1500)),
    game(4, ("A", 500, 1500), ("D", 300, 1000)),
)
RANKING = (
    FinalPlace("A", 1, PlacedBy.CHAMPION),
    FinalPlace("B", 2, PlacedBy.FINAL),
    FinalPlace("C", 3, PlacedBy.SEMI_FINAL, shared=True),
    FinalPlace("D", 3, PlacedBy.SEMI_FINAL, shared=True),
    FinalPlace("E", None, PlacedBy.TABLE),
)
RESULTS = PrizeResults(RANKING, statistics.records(GAMES), statistics.upsets(GAMES))
NOTHING_PLAYED = PrizeResults((), (), ())


def players(kind, results=RESULTS, **figures):
    return [winner.player for winner in prizes.winners(kind, results, **figures)]


@pytest.mark.parametrize(("place", "expected"), [(1, ["A"]), (2, ["B"]), (3, ["C", "D"]), (4, []), (None, [])])
def test_place_goes_to_whoever_has_it(place, expected):
    assert players(PrizeKind.PLACE, place=place) == expected


@pytest.mark.parametrize("kind", sorted(prizes.BEST_PLACED_PRIZES))
@pytest.mark.parametrize(("among", "expected"), [("BD", ["B"]), ("CD", ["C", "D"]), ("E", []), ("DE", ["D"]), ("", [])])
def test_best_of_some_is_the_best_placed_of_them(kind, among, expected):
    assert players(kind, among=set(among)) == expected


def test_best_of_some_waits_for_who_still_plays():
    playing = PrizeResults((FinalPlace("A"), FinalPlace("B", 3, PlacedBy.SEMI_FINAL)), (), ())

    assert players(PrizeKind.CLUB, playing, among={"A", "B"}) == []
    assert players(PrizeKind.CLUB, playing, among={"B"}) == ["B"]


def test_record_is_shared_and_each_holder_wins_once():
    winners = prizes.winners(PrizeKind.HIGHEST_GAME, RESULTS)

    assert [(winner.player, winner.feat.value, winner.feat.game.key) for winner in winners] == [
        ("A", 500, 1),
        ("B", 500, 2),
    ]


def test_highest_losing_score():
    assert players(PrizeKind.HIGHEST_LOSING_SCORE) == ["B"]


def test_biggest_upset_is_shared_by_those_with_the_same_difference():
    games = (*GAMES, game(5, ("D", 401, 1100), ("B", 400, 1400)), game(6, ("D", 401, 1390), ("B", 400, 1400)))
    results = PrizeResults(RANKING, (), statistics.upsets(games))

    assert players(PrizeKind.BIGGEST_UPSET, results) == ["C", "D"]


def test_biggest_upset_is_not_shared_with_a_smaller_one():
    games = (*GAMES, game(5, ("D", 401, 1200), ("B", 400, 1400)))
    found = statistics.upsets(games)

    assert [upset.value for upset in found] == [300, 200]
    assert players(PrizeKind.BIGGEST_UPSET, PrizeResults(RANKING, (), found)) == ["C"]


def test_own_prize_goes_to_whom_the_director_names():
    assert prizes.winners(PrizeKind.OWN, RESULTS, named="E") == (Winner("E"),)
    assert prizes.winners(PrizeKind.OWN, RESULTS) == ()


@pytest.mark.parametrize("kind", list(PrizeKind))
def test_nobody_wins_before_a_game_is_played(kind):
    assert players(kind, NOTHING_PLAYED, place=1) == []


def test_every_record_prize_is_a_record():
    assert set(prizes.PRIZE_RECORDS) == set(PrizeKind) - prizes.BEST_PLACED_PRIZES - {
        PrizeKind.PLACE,
        PrizeKind.BIGGEST_UPSET,
        PrizeKind.OWN,
    }
