"""Groups of four drawn from rating quarters, and all-play-all schedules (Berger).

In a schedule everyone meets everyone once a leg, and starts stay within one of even throughout.
The last round of each leg pairs slots 1–2, 3–4 …; with fewer rounds than a leg has, its last ones are played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from tournament.pairing.lots import draw_player_lot
from tournament.pairing.values import Competitor

GROUP_SIZE = 4

ClashCount = Callable[[Competitor, Sequence[Competitor]], int]
"""How badly a player fits into a group: 2 beside somebody to be kept apart from, 1 beside a clubmate."""


def sort_players_by_seeding(players: Sequence[Competitor]) -> list[Competitor]:
    """Seeded players first, then by rating (unrated last), then by rank."""
    return sorted(players, key=lambda p: (p.seeding is None, p.seeding or 0, -(p.rating or 0), p.rank))


def sort_players_by_rating(players: Sequence[Competitor]) -> list[Competitor]:
    """The highest rating first; the unrated last, by seeding and rank."""
    return sorted(players, key=lambda p: (-(p.rating or 0), p.seeding is None, p.seeding or 0, p.rank))


def draw_groups(
    players: Sequence[Competitor], seed: int, clubs_apart: bool, kept_apart: Collection[tuple[int, int]] = ()
) -> tuple[tuple[int, ...], ...]:
    """Draw the groups; each lists its player of the first quarter, then of the second, and so on.

    A lot that would bring two together who are `kept_apart`, or with `clubs_apart` clubmates, is passed over; where
    every lot would, clubmates come together first.
    """
    pairs = {frozenset(pair) for pair in kept_apart}

    def count_clashes(player: Competitor, group: Sequence[Competitor]) -> int:
        if any(frozenset((player.key, mate.key)) in pairs for mate in group):
            return 2
        return int(clubs_apart and player.club is not None and any(mate.club == player.club for mate in group))

    ordered = sort_players_by_rating(players)
    # Those left over by fours make one group of three, five or six.
    count = max(1, (len(ordered) + 1) // GROUP_SIZE) if ordered else 0
    groups: list[list[Competitor]] = [[] for _ in range(count)]
    for quarter in range(GROUP_SIZE):
        last = (quarter + 1) * len(groups) if quarter < GROUP_SIZE - 1 else len(ordered)
        band = sorted(ordered[quarter * len(groups) : last], key=lambda p: draw_player_lot(seed, p.key))
        _deal_players(band, groups, count_clashes)
    return tuple(tuple(player.key for player in group) for group in groups)


def _deal_players(band: list[Competitor], groups: list[list[Competitor]], count_clashes: ClashCount) -> None:
    """Give every group one player of the band, and the last group any left over."""
    waiting = list(band)
    dealt: list[tuple[list[Competitor], Competitor]] = []
    for index in range(len(band)):
        group = groups[min(index, len(groups) - 1)]
        clashes = {player.key: count_clashes(player, group) for player in waiting}
        player = min(waiting, key=lambda one: clashes[one.key])
        waiting.remove(player)
        if clashes[player.key]:
            player = _exchange_player(player, group, dealt, count_clashes)
        group.append(player)
        dealt.append((group, player))


def _exchange_player(
    player: Competitor,
    group: list[Competitor],
    dealt: list[tuple[list[Competitor], Competitor]],
    count_clashes: ClashCount,
) -> Competitor:
    """Put the player in an earlier group whose own player of this band fits here; return the one for this group."""
    worst = count_clashes(player, group)
    for index, (other, theirs) in enumerate(dealt):
        rest = [mate for mate in other if mate is not theirs]
        if max(count_clashes(theirs, group), count_clashes(player, rest)) < worst:
            other[other.index(theirs)] = player
            dealt[index] = (other, player)
            return theirs
    return player


def count_leg_rounds(players: int) -> int:
    """Rounds of one leg for this many players."""
    return max(1, players - 1 if players % 2 == 0 else players)


def fill_bye_slot(slots: Sequence[int], key: int) -> tuple[int, ...]:
    """The slots of an odd number of players with one more, who meets whoever would have the bye; nothing else moves."""
    return key, slots[-1], *slots[:-1]


def count_rounds_to_meet(players: Sequence[int], met: Collection[frozenset[int | None]]) -> int:
    """How many rounds it takes at least until all who have not met have: no player has two games in a round."""
    left = [sum(frozenset((one, other)) not in met for other in players if other != one) for one in players]
    return max(0, *left, -(-sum(left) // 2 // max(1, len(players) // 2))) if left else 0


def list_scheduled_pairs(slots: Sequence[int], index: int, total: int) -> list[tuple[int, int | None]]:
    """The games of round `index` (from 0) of `total`: starter and replier, or a player and None for a bye.

    `slots` are the players in order of seeding.
    """
    leg = count_leg_rounds(len(slots))
    legs = -(-total // leg)
    since, position = divmod(index + legs * leg - total, leg)
    began = legs * leg - total if since == 0 else 0
    games = _list_slot_games(len(slots), position, position - began)
    named = [(slots[one], None if other is None else slots[other]) for one, other in games]
    if since % 2:
        return [(one, None) if other is None else (other, one) for one, other in named]
    return named


def _list_slot_games(players: int, position: int, played: int) -> list[tuple[int, int | None]]:
    """Round `position` of a leg in which `played` rounds went before, as slots from 0.

    The classical circle: labels are taken modulo an odd number m, and in round s those whose labels add up to s meet.
    With an even number of players the first slot is in the middle and meets the label left over; otherwise that one has
    the bye. Of two on the circle, the one an odd number of steps ahead starts: this alternates from round to round.
    """
    m = count_leg_rounds(players)
    even = players % 2 == 0
    # The label of each slot, so that in the round with sum 0 neighbours meet.
    circle = [0] + [sign * step % m for step in range(1, (m + 1) // 2) for sign in (1, -1)]
    labels = [None, *circle] if even else [*circle[1:], 0]
    slot = {label: index for index, label in enumerate(labels) if label is not None}
    total = (position + 1) % m
    games: list[tuple[int, int | None]] = []
    for label, index in slot.items():
        partner = (total - label) % m
        if partner == label:
            games.append(((index, 0) if played % 2 == 0 else (0, index)) if even else (index, None))
        elif (label - partner) % m % 2:
            games.append((index, slot[partner]))
    return games
