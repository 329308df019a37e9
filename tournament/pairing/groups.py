"""Drawing groups of four, one player from each rating quarter."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tournament.pairing import lots
from tournament.pairing.values import Competitor

SIZE = 4


def by_seeding(players: Sequence[Competitor]) -> list[Competitor]:
    """Seeded players first, then by rating (unrated last), then by rank."""
    return sorted(players, key=lambda p: (p.seeding is None, p.seeding or 0, -(p.rating or 0), p.rank))


def by_rating(players: Sequence[Competitor]) -> list[Competitor]:
    """The highest rating first; the unrated last, by seeding and rank."""
    return sorted(players, key=lambda p: (-(p.rating or 0), p.seeding is None, p.seeding or 0, p.rank))


def count(players: int) -> int:
    """How many groups this many players make: those left over by fours make one group of three, five or six."""
    return max(1, (players + 1) // SIZE) if players else 0


def drawn(
    players: Sequence[Competitor], seed: int, clubs_apart: bool, kept_apart: Collection[tuple[int, int]] = ()
) -> tuple[tuple[int, ...], ...]:
    """Draw the groups; each lists its player of the first quarter, then of the second, and so on.

    A lot that would bring two together who are `kept_apart`, or with `clubs_apart` clubmates, is passed over; where
    every lot would, clubmates come together first.
    """
    apart = _Apart(frozenset(frozenset(pair) for pair in kept_apart), clubs_apart)
    ordered = by_rating(players)
    groups: list[list[Competitor]] = [[] for _ in range(count(len(ordered)))]
    for quarter in range(SIZE):
        last = (quarter + 1) * len(groups) if quarter < SIZE - 1 else len(ordered)
        band = sorted(ordered[quarter * len(groups) : last], key=lambda p: lots.player(seed, p.key))
        _deal(band, groups, apart)
    return tuple(tuple(player.key for player in group) for group in groups)


@dataclass(frozen=True, slots=True)
class _Apart:
    """Who should not come into one group."""

    pairs: frozenset[frozenset[int]]
    clubs: bool

    def clashes(self, player: Competitor, group: Sequence[Competitor]) -> int:
        """How badly the player fits into the group: 2 beside somebody to be kept apart from, 1 beside a clubmate."""
        if any(frozenset((player.key, mate.key)) in self.pairs for mate in group):
            return 2
        return int(self.clubs and player.club is not None and any(mate.club == player.club for mate in group))


def _deal(band: list[Competitor], groups: list[list[Competitor]], apart: _Apart) -> None:
    """Give every group one player of the band, and the last group any left over."""
    waiting = list(band)
    dealt: list[tuple[list[Competitor], Competitor]] = []
    for index in range(len(band)):
        group = groups[min(index, len(groups) - 1)]
        clashes = {player.key: apart.clashes(player, group) for player in waiting}
        player = min(waiting, key=lambda one: clashes[one.key])
        waiting.remove(player)
        if clashes[player.key]:
            player = _exchanged(player, group, dealt, apart)
        group.append(player)
        dealt.append((group, player))


def _exchanged(
    player: Competitor, group: list[Competitor], dealt: list[tuple[list[Competitor], Competitor]], apart: _Apart
) -> Competitor:
    """Put the player in an earlier group whose own player of this band fits here; return the one for this group."""
    worst = apart.clashes(player, group)
    for index, (other, theirs) in enumerate(dealt):
        rest = [mate for mate in other if mate is not theirs]
        if max(apart.clashes(theirs, group), apart.clashes(player, rest)) < worst:
            other[other.index(theirs)] = player
            dealt[index] = (other, player)
            return theirs
    return player
