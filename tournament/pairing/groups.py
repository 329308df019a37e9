"""Drawing groups of four, one player from each rating quarter."""

from __future__ import annotations

from collections.abc import Sequence

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


def drawn(players: Sequence[Competitor], seed: int, clubs_apart: bool) -> tuple[tuple[int, ...], ...]:
    """Draw the groups; each lists its player of the first quarter, then of the second, and so on.

    With `clubs_apart`, a lot that would bring clubmates together is passed over.
    """
    ordered = by_rating(players)
    groups: list[list[Competitor]] = [[] for _ in range(count(len(ordered)))]
    for quarter in range(SIZE):
        last = (quarter + 1) * len(groups) if quarter < SIZE - 1 else len(ordered)
        band = sorted(ordered[quarter * len(groups) : last], key=lambda p: lots.player(seed, p.key))
        _deal(band, groups, clubs_apart)
    return tuple(tuple(player.key for player in group) for group in groups)


def _deal(band: list[Competitor], groups: list[list[Competitor]], clubs_apart: bool) -> None:
    """Give every group one player of the band, and the last group any left over."""
    waiting = list(band)
    dealt: list[tuple[list[Competitor], Competitor]] = []
    for index in range(len(band)):
        group = groups[min(index, len(groups) - 1)]
        fitting = (player for player in waiting if not (clubs_apart and clash(player, group)))
        player = next(fitting, waiting[0])
        waiting.remove(player)
        if clubs_apart and clash(player, group):
            player = _exchanged(player, group, dealt)
        group.append(player)
        dealt.append((group, player))


def _exchanged(
    player: Competitor, group: list[Competitor], dealt: list[tuple[list[Competitor], Competitor]]
) -> Competitor:
    """Put the player in an earlier group whose own player of this band fits here; return the one for this group."""
    for index, (other, theirs) in enumerate(dealt):
        rest = [mate for mate in other if mate is not theirs]
        if not clash(theirs, group) and not clash(player, rest):
            other[other.index(theirs)] = player
            dealt[index] = (other, player)
            return theirs
    return player


def clash(player: Competitor, group: Sequence[Competitor]) -> bool:
    """Whether a clubmate is in the group."""
    return player.club is not None and any(mate.club == player.club for mate in group)
