"""The next round before the last result: every order of the table that open games can still bring, and how they may
come out. An order is what a draw sees of results, so that whoever is paired alike in all of them is paired for sure."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import NamedTuple

from tournament.pairing.values import Competitor, DrawRequest

TableOrder = tuple[tuple[int, int], ...]
"""The players to be paired from the first to the last, each with their half-wins."""


class UnplayedGame(NamedTuple):
    """A game without a result: its players by their keys, and the most points that its margin can count."""

    first: int
    second: int
    most: int


class _Span(NamedTuple):
    """What a player's spread can be: from `low` to `high`, `moving` by a margin; `settled`: no open game is in it."""

    low: int
    high: int
    settled: bool = False
    moving: bool = False

    @property
    def is_point(self) -> bool:
        return self.low == self.high


class _Moving(NamedTuple):
    """A player whose game is won or lost: the spread before it, and whether the margin is added or taken off."""

    key: int
    base: int
    sign: int


@dataclass(frozen=True, slots=True)
class SpreadOrders:
    """The orders by wins, then spread, that open games can bring among competitors, who have their figures without
    these games. Level players can come in either order, since other criteria decide that."""

    competitors: tuple[Competitor, ...]
    spread: Mapping[int, int]
    games: tuple[UnplayedGame, ...]

    def __iter__(self) -> Iterator[TableOrder]:
        """All of them; some may come more than once, and some no result may bring."""
        here = {player.key for player in self.competitors}
        # Somebody who is not to be paired may come level with two others, so that their game no longer separates them.
        games = [game for game in self.games if here & {game.first, game.second}]
        before = {player.key: player.half_wins for player in self.competitors}
        for outcome in product((2, 1, 0), repeat=len(games)):
            half_wins = dict(before)
            for game, won in zip(games, outcome, strict=True):
                for key, more in ((game.first, won), (game.second, 2 - won)):
                    if key in half_wins:
                        half_wins[key] += more
            yield from self._order_outcome(games, outcome, half_wins)

    def _order_outcome(
        self, games: Sequence[UnplayedGame], outcome: Sequence[int], half_wins: Mapping[int, int]
    ) -> Iterator[TableOrder]:
        """The orders that these wins can bring, by whatever margins."""
        open_players = {key for game in self.games for key in (game.first, game.second)}
        # Somebody who is not paired here may come level with a group unseen: an order among level ones is settled only
        # without.
        is_settled = open_players <= half_wins.keys()
        # A drawn game moves nobody's spread: its players stay where they are.
        decisive = [(game, won) for game, won in zip(games, outcome, strict=True) if won != 1]
        moving = {key for game, _won in decisive for key in (game.first, game.second)}
        points: dict[int, list[int]] = defaultdict(list)
        spans = {
            key: _Span(self.spread[key], self.spread[key], settled=is_settled and key not in open_players)
            for key in half_wins
            if key not in moving
        }
        for key, span in spans.items():
            points[half_wins[key]].append(span.low)
        sides = [
            [
                _Moving(key, self.spread[key], 1 if (won == 2) == (key == game.first) else -1)
                for key in (game.first, game.second)
                if key in half_wins
            ]
            for game, won in decisive
        ]
        cells = [
            _cut_margins(game.most, [(competitor, points[half_wins[competitor.key]]) for competitor in side])
            for (game, _won), side in zip(decisive, sides, strict=True)
        ]
        for chosen in product(*cells):
            spans_then = dict(spans)
            for side, (low, high) in zip(sides, chosen, strict=True):
                for key, base, sign in side:
                    ends = base + sign * low, base + sign * high
                    spans_then[key] = _Span(min(ends), max(ends), moving=True)
            yield from self._order_spans(spans_then, half_wins)

    def _order_spans(self, spans: Mapping[int, _Span], half_wins: Mapping[int, int]) -> Iterator[TableOrder]:
        groups: dict[int, list[int]] = defaultdict(list)
        for player in self.competitors:  # in their order, which decides between level ones whom nothing has touched
            groups[half_wins[player.key]].append(player.key)
        ways = [
            [tuple((key, score) for key in way) for way in _arrange_group(groups[score], spans)]
            for score in sorted(groups, reverse=True)
        ]
        for parts in product(*ways):
            yield sum(parts, ())


def _cut_margins(most: int, sides: Sequence[tuple[_Moving, Sequence[int]]]) -> list[tuple[int, int]]:
    """The margins from 1 to the most, cut where a player comes level with another whose spread is settled. A cut of one
    margin is one where more than these two may be level."""
    level = [sign * (point - base) for (_key, base, sign), points in sides for point in points]
    cuts = sorted({margin for margin in level if 1 <= margin <= most})
    bounds = [1, *cuts, most]
    cells = {(low, high) for low, high in pairwise(bounds) if low < high or most == 1}
    ends = [margin for margin in cuts if margin in (1, most) or level.count(margin) > 1]
    return sorted(cells | {(margin, margin) for margin in ends})


def _arrange_group(keys: Sequence[int], spans: Mapping[int, _Span]) -> Iterator[tuple[int, ...]]:
    """Every order of these players that their spreads allow; `keys` in the order of the table so far."""
    joined = {spans[key].low for key in keys if spans[key].is_point and not spans[key].settled}
    above = {
        one: [
            other for at, other in enumerate(keys) if _is_above(spans[other], spans[one], joined, is_before=at < place)
        ]
        for place, one in enumerate(keys)
    }
    return arrange_orders(tuple(keys), above)


def arrange_orders(left: tuple[int, ...], above: Mapping[int, Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Every order of these players, each after all who are certainly `above`."""
    if not left:
        yield ()
    for one in left:
        if not any(other in left for other in above[one]):
            for rest in arrange_orders(tuple(key for key in left if key != one), above):
                yield one, *rest


def _is_above(upper: _Span, lower: _Span, joined: Collection[int], *, is_before: bool) -> bool:
    """Whether one is above the other for certain. Where a margin brings a player up to another, the next cell has them
    the other way round. Two level ones stay as they are (`is_before`) unless somebody joins them (`joined`)."""
    if upper.low != lower.high or upper is lower:
        return upper.low > lower.high
    if upper.moving != lower.moving:
        return not (upper.is_point and lower.is_point)
    return upper.settled and lower.settled and is_before and upper.low not in joined


def order_request(request: DrawRequest, order: TableOrder) -> DrawRequest:
    """The request with its competitors in another order of the table."""
    players_by_key = {player.key: player for player in request.competitors}
    players = (replace(players_by_key[key], rank=rank, half_wins=won) for rank, (key, won) in enumerate(order, 1))
    return replace(request, competitors=tuple(players))
