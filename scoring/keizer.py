"""Keizer points: what a win counts depends on whom it was against. For club nights at which not everybody is there.

No clause of a rulebook: the system of J. H. Keizer, as clubs play it. Of n players the first in the order has the value
n + n // 2 and each that follows one less, so that the last has about a third of the first. Points are

    the own value once,
    for a win the opponent's value, for a draw half of it, for a loss nothing,
    for a bye two thirds of the own value, for a round missed that is charged one third.

The order makes the values, the values the points, and the points the order: that is repeated until an order comes a
second time. Mostly it is the one just looked at, and nothing moves any more. Where orders go round in a circle, the one
with which the circle begins counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

SIXTHS = 6  # points are counted in sixths of a point, so that halves and thirds stay whole numbers
WIN_SIXTHS = 6  # of the opponent's value
BYE_SIXTHS = 4  # of the own value
MISSED_SIXTHS = 2  # of the own value


@dataclass(slots=True)
class KeizerCard:
    """What a player brings: half wins against each opponent, by the opponent's place in the first order, and how many
    byes and charged rounds missed there were. Who is `apart` stands behind all others, by that figure, whatever their
    points: who is listed without a rank."""

    half_wins: Mapping[int, int] = field(default_factory=dict)
    byes: int = 0
    missed: int = 0
    apart: int = 0


@dataclass(frozen=True, slots=True)
class KeizerFigures:
    """A player's value, and their points in sixths."""

    value: int
    sixths: int


def reckon_points(cards: Sequence[KeizerCard]) -> list[KeizerFigures]:
    """Everybody's value and points. The players come in the first order, the best first; who has the same points keeps
    that order among themselves."""
    order = tuple(sorted(range(len(cards)), key=lambda player: cards[player].apart))
    seen: set[tuple[int, ...]] = set()
    while order not in seen:
        seen.add(order)
        figures = _count_points(cards, order)
        # From the first order each time, which level players keep, and not from the one just looked at.
        order = tuple(sorted(range(len(cards)), key=lambda player: (cards[player].apart, -figures[player].sixths)))
    return _count_points(cards, order)


def _count_points(cards: Sequence[KeizerCard], order: Sequence[int]) -> list[KeizerFigures]:
    """The points by the values that this order gives."""
    highest = len(order) + len(order) // 2
    values = {player: highest - place for place, player in enumerate(order)}
    # A half win brings half of six sixths: the sum is even, so that halving it leaves no rest.
    return [
        KeizerFigures(
            values[player],
            values[player] * (SIXTHS + BYE_SIXTHS * card.byes + MISSED_SIXTHS * card.missed)
            + sum(WIN_SIXTHS * half_wins * values[other] for other, half_wins in card.half_wins.items()) // 2,
        )
        for player, card in enumerate(cards)
    ]
