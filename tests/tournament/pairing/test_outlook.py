"""Every order of the table that open games can bring: none that they do bring is missing."""

import random

import pytest

from scoring import standings
from scoring.awards import DEFAULT_AWARDS, Outcome
from scoring.standings import Contestant, Criterion, Ranking, TableGame
from tests.laws import seeds
from tournament.pairing.outlook import SpreadOrders, UnplayedGame
from tournament.pairing.values import Competitor

ENDINGS = 60
MARGINS = (-2, -1, 0, 1, 2, 3, 50)


class Evening:
    """Some rounds by chance of a few players who are often level, the last one's games partly open."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(seed)
        self.keys, self.rounds = range(1, chance.randint(4, 8) + 1), chance.randint(1, 4)
        games = []
        for number in range(1, self.rounds + 1):
            order = chance.sample(self.keys, len(self.keys))
            for first, second in zip(order[::2], order[1::2], strict=False):
                margin, points = chance.choice(MARGINS), chance.choice((400, 401))
                games.append(TableGame(number, first, second, Outcome.PLAYED, points + margin, points))
        last = [game for game in games if game.round == self.rounds]
        self.open = chance.sample(last, min(len(last), chance.choice((1, 1, 2, 2, 3))))
        self.played = [game for game in games if game not in self.open]
        self.most = chance.choice((1, 2, 3, 6))
        head_to_head = (Criterion.SPREAD, Criterion.HEAD_TO_HEAD)
        self.ranking = Ranking(order=chance.choice(((), head_to_head)), spread_cap=chance.choice(((), (self.most,))))
        self.away = set(chance.sample(self.keys, chance.choice((0, 0, 1, 2))))

    def table(self, *more: TableGame) -> list[standings.Standing]:
        """Who is to be paired, by these results."""
        everybody = [Contestant(key) for key in self.keys]
        ranked = standings.rank(everybody, [*self.played, *more], self.ranking, DEFAULT_AWARDS)
        return [row for row in ranked if row.player not in self.away]

    def orders(self) -> set[tuple[tuple[object, int], ...]]:
        rows = self.table()
        players = tuple(Competitor(int(row.player), rank, row.half_wins) for rank, row in enumerate(rows, 1))
        away = dict.fromkeys(self.away, 0)
        spread = {**away, **{int(row.player): row.spread for row in rows}}
        games = tuple(UnplayedGame(int(game.first), int(game.second or 0), self.most) for game in self.open)
        return set(SpreadOrders(players, spread, games))

    def end(self) -> tuple[tuple[object, int], ...]:
        """The order after the open games, by chance."""
        chance, games = self.chance, []
        for game in self.open:
            margin = chance.randint(-self.most, self.most)
            if self.ranking.spread_cap:
                margin = chance.choice((0, 1, -1, chance.randint(-600, 600)))
            points = chance.choice((300, 400, 401))
            games.append(TableGame(game.round, game.first, game.second, Outcome.PLAYED, points + margin, points))
        return tuple((row.player, row.half_wins) for row in self.table(*games))


@pytest.mark.parametrize("seed", seeds(60))
@pytest.mark.sampled(20)
def test_no_order_that_an_ending_brings_is_missing(seed: int) -> None:
    evening = Evening(seed)

    orders = evening.orders()

    assert {evening.end() for _ in range(ENDINGS)} <= orders


def test_without_an_open_game_the_order_stands() -> None:
    players = (Competitor(1, 1, 2), Competitor(2, 2, 2), Competitor(3, 3, 0))

    assert list(SpreadOrders(players, {1: 5, 2: 5, 3: 0}, ())) == [((1, 2), (2, 2), (3, 0))]


def test_one_open_game_brings_what_its_margin_can() -> None:
    players = (Competitor(1, 1, 2), Competitor(2, 2, 0), Competitor(3, 3, 0))

    orders = set(SpreadOrders(players, {1: 10, 2: 0, 3: 0}, (UnplayedGame(2, 3, 20),)))

    assert orders == {
        ((1, 2), (2, 2), (3, 0)),
        ((2, 2), (1, 2), (3, 0)),
        ((1, 2), (3, 2), (2, 0)),
        ((3, 2), (1, 2), (2, 0)),
        ((1, 2), (2, 1), (3, 1)),
        ((1, 2), (3, 1), (2, 1)),
    }
