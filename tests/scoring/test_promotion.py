"""Who goes up or down for certain: against every completion of tiny fields, and against completions by chance."""

import random
from dataclasses import replace

import pytest

from scoring.awards import Outcome
from scoring.chances import find_prospects
from scoring.completions import Event
from scoring.promotion import SettledMoves, count_possible_ties, find_settled_moves
from scoring.rulesets.tso import TSO_AWARDS
from scoring.standings import Contestant, Ranking, TableGame
from tests.laws import seeds
from tests.scoring import naive, naive_chances
from tests.scoring.test_chances import complete, describe_plainly, make_event

MARGINS, FLOORS = (1, 5, 5000), (398, 402)  # few, so that all of a field are tried


@pytest.mark.parametrize(
    ("bounds", "up", "down", "expected"),
    [
        ({"A": (1, 1), "B": (2, 4), "C": (2, 4), "D": (2, 4)}, 1, 1, SettledMoves(("A",), (), ())),
        ({"A": (1, 2), "B": (1, 2), "C": (3, 3), "D": (4, 4)}, 1, 1, SettledMoves((), ("D",), ("A", "B", "C"))),
        ({"A": (1, 2), "B": (1, 2), "C": (3, 3), "D": (4, 4)}, 2, 0, SettledMoves(("A", "B"), (), ())),
        ({"A": (1, 1), "B": (2, 2), "C": (2, 2), "D": (4, 4)}, 2, 1, SettledMoves(("A",), ("D",), ("B", "C"))),
        ({"A": (1, 1), "B": (2, 2), "C": (3, 3), "D": (3, 3)}, 1, 1, SettledMoves(("A",), (), ("B",))),
        ({"A": (1, 1), "B": (2, 2)}, 2, 2, SettledMoves(("A", "B"), (), ())),
        ({"A": (1, 1), "B": (2, 3), "C": (2, 3)}, 2, 2, SettledMoves(("A",), (), ())),
        ({"A": (1, 4), "B": (1, 4), "C": (1, 4), "D": (4, 4)}, 1, 1, SettledMoves((), ("D",), ())),
        ({}, 1, 1, SettledMoves()),
    ],
    ids=[
        *("leader", "both of two", "two go up", "level for the last place up", "level for the place down"),
        *("all go up", "up before down", "last by the own bound", "nobody"),
    ],
)
def test_settled_moves(bounds, up, down, expected):
    assert find_settled_moves(bounds, up=up, down=down) == expected


def test_only_one_of_two_who_meet_can_pass():
    bounds = {"A": (1, 2), "B": (1, 4), "C": (1, 4), "D": (2, 4)}
    ties = dict.fromkeys(bounds, 0)

    assert find_settled_moves(bounds, up=2, down=1) == SettledMoves()
    assert find_settled_moves(bounds, up=2, down=1, ties=ties) == SettledMoves(("A",))
    assert find_settled_moves(bounds, up=2, down=1, ties=ties | {"A": 1}) == SettledMoves((), (), ("A",))


def settle(event, up, down):
    bounds = {player: (item.best, item.worst) for player, item in find_prospects(event).items()}
    return find_settled_moves(bounds, up=up, down=down, ties=count_possible_ties(event))


def holds(settled, ranks, up, down):
    """Whether an end bears out what was claimed: up with every tie lost, down with every tie won."""
    at_most = {
        player: sum(other <= rank for key, other in ranks.items() if key != player) for player, rank in ranks.items()
    }
    at_least = {player: sum(other < rank for other in ranks.values()) for player, rank in ranks.items()}
    return (
        all(at_most[player] < up for player in settled.up)
        and all(at_most[player] < len(ranks) - down for player in settled.stay)
        and all(at_least[player] >= len(ranks) - down for player in settled.down)
    )


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("players", [4, 5])
def test_claims_hold_in_every_completion_of_a_tiny_field(players, shared):
    claims = 0
    for seed in seeds(5):
        rng = random.Random(seed)
        event = make_event(rng, players, 3, 2, 0, shared_ties=shared)
        settled = settle(event, 1, 1)
        claims += len(settled.up) + len(settled.down) + len(settled.stay)
        known, games, rounds, rules = describe_plainly(event)
        for closed, played in naive_chances.completions(known, games, rounds, MARGINS, FLOORS):
            ranks = dict(naive_chances.ranks(naive.Table(known, closed, rules, ()), played))
            assert holds(settled, ranks, 1, 1), (seed, settled, ranks)
    assert claims


@pytest.mark.parametrize(
    ("players", "played", "opened", "to_come"), [(8, 5, 6, 0), pytest.param(7, 3, 2, 1, marks=pytest.mark.long)]
)
def test_claims_hold_in_completions_by_chance(players, played, opened, to_come):
    for seed in seeds(4):
        rng = random.Random(seed)
        event = make_event(rng, players, played, opened, to_come)
        settled = settle(event, 2, 2)
        for _ in range(20):
            (end,) = complete(rng, event)
            ranks = {row.player: row.rank for row in end.rank() if row.rank is not None}
            assert holds(settled, ranks, 2, 2), (seed, settled, ranks)


def test_rounds_to_come_let_players_end_level_but_not_who_has_left():
    contestants = (Contestant("A"), Contestant("B"), Contestant("C", withdrawn=True))
    game = TableGame(1, "A", "B", Outcome.PLAYED, 400, 300)

    event = Event(contestants, (game,), (2,), Ranking(), TSO_AWARDS)

    assert count_possible_ties(event) == {"A": 1, "B": 1, "C": 0}
    assert count_possible_ties(replace(event, rounds=())) == {"A": 0, "B": 0, "C": 0}
    assert count_possible_ties(replace(event, ranking=Ranking(shared_ties=True))) == {"A": 2, "B": 2, "C": 2}


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(("players", "played", "opened", "to_come"), [(3, 2, 2, 0), (4, 2, 2, 0), (3, 1, 1, 1)])
def test_players_who_are_level_in_some_completion_are_counted_as_possible_ties(
    players, played, opened, to_come, shared
):
    met = 0
    for seed in seeds(5):
        rng = random.Random(seed)
        event = make_event(rng, players, played, opened, to_come, shared_ties=shared)
        possible = count_possible_ties(event)
        known, games, rounds, rules = describe_plainly(event)
        for closed, completed in naive_chances.completions(known, games, rounds, MARGINS, FLOORS):
            ranks = dict(naive_chances.ranks(naive.Table(known, closed, rules, ()), completed))
            for player, rank in ranks.items():
                level = sum(other == rank for key, other in ranks.items() if key != player)
                met += level
                assert level <= possible[player], (seed, player, ranks)
    assert met
