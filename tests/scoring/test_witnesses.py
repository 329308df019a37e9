"""Completions that reach a bound: played to the end by the rules, and no more claimed than they show."""

import random
from collections import Counter

import pytest

from scoring.awards import Outcome
from scoring.chances import find_prospects
from scoring.completions import Event
from scoring.witnesses import find_completion
from tests.laws import seeds
from tests.scoring.test_chances import TSO, bounds, field_of, make_event, open_game, won


def find_rank(event, player):
    return next(row.rank for row in event.rank() if row.player == player)


def assert_completes(ended, event):
    """Everything that was played stands, every open game is played, and everybody who is there has each round."""
    assert not ended.open_games
    assert not ended.rounds
    given = [game for game in event.games if game.outcome is not Outcome.OPEN]
    assert [game for game in ended.games if game in given] == given
    added = Counter((game.round, key) for game in ended.games for key in (game.first, game.second) if key)
    opened = [(game.round, key) for game in event.open_games for key in (game.first, game.second)]
    to_come = [(number, each.key) for number in event.rounds for each in event.contestants if not each.withdrawn]
    added.subtract((game.round, key) for game in given for key in (game.first, game.second) if key)
    assert +added == Counter(opened + to_come)


@pytest.mark.parametrize(
    ("to_come", "events"), [(0, 8), (1, 1), *(pytest.param(number, 4, marks=pytest.mark.long) for number in (1, 2))]
)
def test_completion_is_played_to_the_end_and_has_the_rank(to_come, events):
    for seed in seeds(events):
        rng = random.Random(f"{to_come} {seed}")
        event = make_event(rng, rng.randint(2, 8), 2, rng.randint(1, 3), to_come)
        for player, prospect in find_prospects(event).items():
            for rank, sign in ((prospect.best, 1), (prospect.worst, -1)):
                if ended := find_completion(event, player, rank, sign, 300):
                    assert_completes(ended, event)
                    assert find_rank(ended, player) == rank


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", seeds(3))
def test_rank_beyond_the_bounds_is_never_found(seed):
    event = make_event(random.Random(seed), 6, 2, 3, 0)
    for player, prospect in find_prospects(event).items():
        assert find_completion(event, player, prospect.best - 1, 1, 100) is None
        assert find_completion(event, player, prospect.worst + 1, -1, 100) is None


def test_scores_are_chosen_that_bring_a_third_player_level():
    """C comes level with A in wins, and anywhere in spread."""
    games = (won(1, "A", "C", 350, 340), won(1, "B", "D", 500, 300), won(1, "E", "F", 400, 399), open_game(2, "C", "D"))
    event = Event(field_of("ABCDEF"), games, (), **TSO)

    for player, (best, worst) in bounds(event).items():
        for rank, sign in ((best, 1), (worst, -1)):
            assert find_rank(find_completion(event, player, rank, sign, 1000), player) == rank


def test_few_tries_find_nothing():
    games = (won(1, "A", "B"), won(1, "C", "D"), open_game(2, "A", "C"), open_game(2, "B", "D"))

    assert find_completion(Event(field_of("ABCD"), games, (), **TSO), "A", 0, 1, 1) is None


@pytest.mark.parametrize(("seed", "player"), [("last20", "P4"), ("last30", "P11"), ("last194", "P3")])
def test_bounds_that_the_search_leaves_open_are_reached(seed, player):
    """Fields in which ties are broken by the direct meeting after other criteria: the search proves nothing there."""
    rng = random.Random(seed)
    event = make_event(rng, rng.randint(8, 24), rng.randint(2, 6), rng.randint(1, 10), 0)

    assert find_prospects(event)[player].is_exact
