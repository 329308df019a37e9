"""All-play-all schedules (Berger): everyone meets everyone once a leg, and starts stay within one of even throughout.

The last round of each leg pairs slots 1–2, 3–4 …; with fewer rounds than a leg has, its last ones are played.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def rounds(players: int) -> int:
    """Rounds of one leg for this many players."""
    return max(1, players - 1 if players % 2 == 0 else players)


def in_place_of_bye(slots: Sequence[int], key: int) -> tuple[int, ...]:
    """The slots of an odd number of players with one more, who meets whoever would have the bye; nothing else moves."""
    return key, slots[-1], *slots[:-1]


def rounds_to_meet(players: Sequence[int], met: Collection[frozenset[int | None]]) -> int:
    """How many rounds it takes at least until all who have not met have: no player has two games in a round."""
    left = [sum(frozenset((one, other)) not in met for other in players if other != one) for one in players]
    return max(0, *left, -(-sum(left) // 2 // max(1, len(players) // 2))) if left else 0


def pairs(slots: Sequence[int], index: int, total: int) -> list[tuple[int, int | None]]:
    """The games of round `index` (from 0) of `total`: starter and replier, or a player and None for a bye.

    `slots` are the players in order of seeding.
    """
    leg = rounds(len(slots))
    legs = -(-total // leg)
    since, position = divmod(index + legs * leg - total, leg)
    began = legs * leg - total if since == 0 else 0
    games = _games(len(slots), position, position - began)
    named = [(slots[one], None if other is None else slots[other]) for one, other in games]
    if since % 2 == 0:
        return named
    return [(one, None) if other is None else (other, one) for one, other in named]


def _games(players: int, position: int, played: int) -> list[tuple[int, int | None]]:
    """Round `position` of a leg in which `played` rounds went before, as slots from 0.

    The classical circle: labels are taken modulo an odd number m, and in round s those whose labels add up to s meet.
    With an even number of players the first slot is in the middle and meets the label left over; otherwise that one has
    the bye. Of two on the circle, the one an odd number of steps ahead starts: this alternates from round to round.
    """
    m = rounds(players)
    even = players % 2 == 0
    labels = _labels(players)
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


def _labels(players: int) -> list[int | None]:
    """The label of each slot, so that in the round with sum 0 neighbours meet."""
    m = rounds(players)
    circle = [0] + [sign * step % m for step in range(1, (m + 1) // 2) for sign in (1, -1)]
    if players % 2 == 0:
        return [None, *circle]
    return [*circle[1:], 0]
