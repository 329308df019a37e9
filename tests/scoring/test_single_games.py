"""Open games that have no player in common: how many end ahead, against a second program that tries everything."""

import random
from itertools import product

import pytest

from scoring.awards import Outcome
from scoring.chances import find_prospects
from scoring.completions import Event
from scoring.single_games import count_ahead_of, play_own_games
from scoring.standings import Criterion, Ranking, TableGame
from tests.laws import seeds
from tests.scoring import naive_chances
from tests.scoring.test_chances import TSO, describe_plainly, field_of, make_event, open_game, won

FIGURES = {"margins": (1, 2, 4, 500), "floors": (-50000, 398, 400, 402, 50000)}


def make_single_games(rng, players, played, opened):
    """An event by chance whose last round is published and partly open."""
    event = make_event(rng, players, played, 0, 0)
    last = [game for game in event.games if game.round == played and game.second is not None]
    chosen = rng.sample(last, min(opened, len(last)))
    games = [
        TableGame(game.round, game.first, game.second, Outcome.OPEN) if game in chosen else game
        for game in event.games
    ]  # fmt: skip
    return Event(event.contestants, tuple(games), (), event.ranking, event.awards)


def test_count_is_what_trying_finds():
    for seed in seeds(2):
        rng = random.Random(seed)
        event = make_single_games(rng, rng.randint(4, 7), rng.randint(2, 5), 2)
        for player, by_wins in naive_chances.prospects(*describe_plainly(event), **FIGURES).items():
            own = [game for game in event.open_games if player in (game.first, game.second)]
            for results, sign in product(product((0, 1, 2), repeat=len(own)), (1, -1)):
                played = play_own_games(event, player, dict(zip(own, results, strict=True)), sign)
                tried = by_wins[sum(results) if sign > 0 else 2 * len(own) - sum(results)]
                count = 1 + count_ahead_of(played, player, sign)
                best = tried[0 if sign > 0 else 1]
                assert count == best or (own and sign * count > sign * best), (seed, player)


def test_published_last_round_is_exact_by_every_order_of_criteria():
    for seed in seeds(15):
        rng = random.Random(seed)
        event = make_single_games(rng, rng.randint(8, 24), rng.randint(2, 6), rng.randint(1, 10))
        assert all(prospect.is_exact for prospect in find_prospects(event).values()), seed


def test_games_with_a_player_in_common_are_not_counted():
    event = Event(field_of("ABCD"), (won(1, "A", "B"), open_game(2, "B", "C"), open_game(3, "C", "D")), (), **TSO)

    assert count_ahead_of(event, "A", 1) is None


def test_lot_that_may_count_is_left_to_others():
    games = (won(1, "A", "B", 400, 400), open_game(2, "C", "D"))

    assert count_ahead_of(Event(field_of("ABCD"), games, (), lots=(("B", "A"),), **TSO), "A", 1) is None
    assert count_ahead_of(Event(field_of("ABCD"), games, (), lots=(("B", "C"),), **TSO), "A", 1) == 0


def test_meeting_does_not_count_where_no_criterion_names_it():
    games = (won(1, "A", "B"), won(2, "C", "A"), won(2, "B", "D"), open_game(3, "C", "D"))
    ranking = Ranking(order=(Criterion.WINS,), shared_ties=True)
    event = Event(field_of("ABCD"), games, (), ranking, TSO["awards"])

    assert [count_ahead_of(event, "B", sign) for sign in (1, -1)] == [0, 1]


@pytest.mark.parametrize(
    ("seed", "player", "best", "worst"),
    [
        ("last131", "P6", 6, 8),
        ("last483", "P5", 2, 9),
        ("last511", "P7", 6, 9),
        ("last834", "P5", 3, 5),
    ],
)
def test_bounds_are_proven_where_scores_are_given(seed, player, best, worst):
    """Who is to be level in points has the score given, so that the highest game is known."""
    rng = random.Random(seed)
    event = make_event(rng, rng.randint(8, 24), rng.randint(2, 6), rng.randint(1, 10), 0)

    prospect = find_prospects(event)[player]

    assert (prospect.best, prospect.worst, prospect.is_exact) == (best, worst, True)
