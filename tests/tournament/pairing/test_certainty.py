"""Pairs that are called certain before the last result: every ending has them."""

import random

import networkx as nx
import pytest

from tests.laws import seeds
from tests.tournament.pairing import events
from tournament.pairing.certainty import MOST_PLAYERS, prove_pairs
from tournament.pairing.choosing import has_complete_pairing
from tournament.pairing.drafting import draw_pairs
from tournament.pairing.outlook import UnplayedGame
from tournament.pairing.values import ByePolicy, Competitor, DrawRequest, LaterRound, Method

SAMPLED, ENDINGS = 30, 60
MATCHED = (Method.SWISS, Method.SWISS, Method.KING_OF_THE_HILL, Method.FACTOR, Method.RANDOM)
Pairs = frozenset[frozenset[int]]


class Night:
    """An event whose last games are open at the tables from some table on, by chance with all that a draw looks at."""

    def __init__(self, seed: int, players: int = 0, rounds: int = 0, missing: int = 0) -> None:
        self.chance = chance = random.Random(seed)
        players, rounds = players or chance.randrange(6, 17), rounds or chance.randrange(1, 6)
        self.event = event = events.play_event(players, rounds - 1, seed, leaving=chance.choice((0, 0, 1)))
        before = dict(event.half_wins), dict(event.spread)
        drawn = [pair for pair in event.play().pairs if pair.second is not None]
        begin = chance.randrange(len(drawn))
        self.most = chance.choice((1, 40, 600))
        self.games = [
            UnplayedGame(pair.first, pair.second, self.most)
            for pair in drawn[begin : begin + (missing or chance.choice((1, 2, 3)))]
            if pair.second is not None
        ]
        for key in {key for game in self.games for key in (game.first, game.second)}:
            event.half_wins[key], event.spread[key] = before[0][key], before[1][key]
        self.away = set(chance.sample(sorted(event.active), chance.choice((0, 0, 1))))
        keys = sorted(event.active - self.away)
        left = chance.choice((0, 0, 1, 3))
        self.wishes = {
            "method": chance.choice(MATCHED),
            "rounds": event.round + 1 + left,
            "bye_policy": chance.choice((ByePolicy.LOWEST, ByePolicy.GERMAN)),
            "forbidden": frozenset([tuple(chance.sample(keys, 2))] if chance.random() < 0.3 else ()),
            "clubs_apart": chance.random() < 0.2,
            "later": tuple(
                LaterRound(event.round + 2 + at, Method.SWISS, frozenset(event.active)) for at in range(left)
            ),
        }

    def request(self, won: dict[int, int] | None = None, spread: dict[int, int] | None = None) -> DrawRequest:
        """What would be drawn by these figures; level players come in any order."""
        won, spread = won or self.event.half_wins, spread or self.event.spread
        ranked = sorted(self.event.active, key=lambda key: (-won[key], -spread[key], self.chance.random()))
        known = {player.key: player for player in self.event.competitors()}
        here = [key for key in ranked if key not in self.away]
        players = tuple(
            Competitor(key, rank, won[key], known[key].rating, club=known[key].club) for rank, key in enumerate(here, 1)
        )
        return self.event.request(**self.wishes | {"competitors": players})

    def end(self) -> Pairs:
        """Whom the round pairs after an ending by chance, often one in which somebody catches somebody up."""
        chance, won, spread = self.chance, dict(self.event.half_wins), dict(self.event.spread)
        for game in self.games:
            wanted = spread[chance.choice(sorted(spread))] - spread[game.first] + chance.choice((-1, 0, 1))
            margin = chance.choice((0, 1, -1, self.most, -self.most, wanted, -wanted))
            margin = max(-self.most, min(self.most, margin))
            for key, by in ((game.first, margin), (game.second, -margin)):
                won[key] += 1 + (by > 0) - (by < 0)
                spread[key] += by
        return as_sets(draw_pairs(self.request(won, spread)))

    def find_certain(self, wanted: Pairs) -> Pairs:
        return prove_pairs(self.request(), self.event.spread, self.games, wanted)

    def sample(self) -> Pairs:
        """The pairs that some endings all have."""
        return frozenset.intersection(*(self.end() for _ in range(SAMPLED)))


def as_sets(pairs: list[tuple[int, int | None]]) -> Pairs:
    return frozenset(frozenset(key for key in pair if key is not None) for pair in pairs)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", seeds(60))
def test_every_ending_has_the_pairs_that_are_certain(seed: int) -> None:
    night = Night(seed)

    certain = night.find_certain(night.sample())

    for _ in range(ENDINGS if certain else 0):
        assert certain <= night.end()


@pytest.mark.long
def test_much_of_what_seems_certain_is_proven() -> None:
    nights = [Night(seed) for seed in range(100, 160)]

    sampled = [night.sample() for night in nights]
    found = [night.find_certain(pairs) for night, pairs in zip(nights, sampled, strict=True)]

    assert 2 * sum(map(len, found)) > sum(map(len, sampled)) > 0


def test_nothing_is_asked_of_pairs_that_an_ending_is_without() -> None:
    night = Night(3)
    everybody = sorted(night.event.active - night.away)
    possible = frozenset(frozenset((one, other)) for one in everybody for other in everybody if one < other)

    certain = night.find_certain(possible)

    assert certain <= night.sample()


@pytest.mark.parametrize("what", ["too many", "by schedule", "too many results"])
def test_what_takes_too_long_or_is_not_matched_is_not_proven(what: str) -> None:
    many = MOST_PLAYERS + 2 if what == "too many" else 8
    method = Method.ROUND_ROBIN if what == "by schedule" else Method.SWISS
    games = [UnplayedGame(1, 2, 600)] * (12 if what == "too many results" else 1)
    request = DrawRequest(events.table(*[0] * many), method=method)

    assert prove_pairs(request, dict.fromkeys(range(1, many + 1), 0), games, {frozenset({3, 4})}) == frozenset()


def test_a_pair_stands_although_the_games_below_it_are_open() -> None:
    players = events.table(6, 6, 2, 2, 0, 0)
    request = DrawRequest(players, events.games((3, 5), (4, 6), round=3), round=4, rounds=4)
    spread = {1: 90, 2: 40, 3: 10, 4: -10, 5: -50, 6: -80}
    games = [UnplayedGame(3, 5, 600), UnplayedGame(4, 6, 600)]

    certain = prove_pairs(request, spread, games, {frozenset({1, 2}), frozenset({3, 4})})

    assert certain == {frozenset({1, 2})}


@pytest.mark.parametrize("seed", seeds(40))
@pytest.mark.sampled(13)
def test_graphs_that_surely_have_a_complete_pairing_have_one(seed: int) -> None:
    chance = random.Random(seed)
    found = 0
    for _ in range(20):
        players = 2 * chance.randrange(2, 7)
        graph = nx.gnp_random_graph(players, chance.uniform(0.2, 0.95), seed=chance.randrange(1 << 30))
        if chance.random() < 0.5:
            graph = nx.random_regular_graph(chance.randrange(1, players), players, seed=chance.randrange(1 << 30))
        degrees = [degree for _player, degree in graph.degree()]
        if has_complete_pairing(players, min(degrees), max(degrees)):
            found += 1
            assert 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) == players
    assert found


def test_two_parts_of_odd_size_stand_in_the_way_of_a_complete_pairing() -> None:
    assert not has_complete_pairing(10, 4, 4)
    assert has_complete_pairing(12, 5, 5)
    assert has_complete_pairing(10, 5, 9)
