"""The groups that a segment's schedule follows: as drawn, or found again from the games of the segment.

Whoever stores a draft's groups hands them back in the request. An event read from a file has only its games: then the
draw is repeated, and if it does not explain the games, the groups are put together from them.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from tournament.pairing import connected_components, groups, lots, matching, schedules
from tournament.pairing.costs import LOT_BITS, Edges
from tournament.pairing.values import Clubs, Competitor, DrawRequest, Meeting, Method, ScheduledRounds

Slots = tuple[tuple[int, ...], ...]  # the players of each group in the order of the schedule's slots
_PAIR = 2
_LARGEST = 6  # the most players of a group that is not a round robin
_MISSING = 2  # the most withdrawn players whose slots in a round robin are looked for


def segment(request: DrawRequest) -> ScheduledRounds:
    """The request's segment; without one, a whole round robin or three rounds of groups that begin now."""
    if request.segment:
        return request.segment
    seats = len(request.competitors) + len(request.missing)
    rounds = schedules.rounds(seats) if request.method is Method.ROUND_ROBIN else groups.SIZE - 1
    return ScheduledRounds(request.round, request.round + rounds - 1, request.seed)


def slots(request: DrawRequest) -> Slots:
    """The groups for this round of the segment; empty when its games fit no schedule."""
    now = segment(request)
    if now.groups:
        return now.groups
    began = [m for m in request.meetings if now.first_round <= m.round < request.round]
    tries = _round_robins(request, began) if request.method is Method.ROUND_ROBIN else _draws(request, now, began)
    return next((found for found in tries if explains(found, now, began)), ())


def with_newcomer(drawn: Slots, key: int, entered: Collection[int]) -> Slots:
    """The groups with the newcomer in the place of a bye, or of somebody who is no longer entered, if there is one."""
    for number, group in enumerate(drawn):
        if len(group) % 2:
            return *drawn[:number], schedules.in_place_of_bye(group, key), *drawn[number + 1 :]
    for number, group in enumerate(drawn):
        if left := next((other for other in group if other not in entered), None):
            filled = tuple(key if other == left else other for other in group)
            return *drawn[:number], filled, *drawn[number + 1 :]
    return drawn


def explains(found: Slots, now: ScheduledRounds, began: Sequence[Meeting]) -> bool:
    """Whether the schedule of these groups has each of the games in its round."""
    games = {(m.round, frozenset((m.first, m.second))) for m in began if m.second is not None}
    total = now.last_round - now.first_round + 1
    for round_number in {number for number, _ in games}:
        for group in found:
            for one, other in schedules.pairs(group, round_number - now.first_round, total):
                games.discard((round_number, frozenset((one, other))))
    return not games


def _round_robins(request: DrawRequest, began: Sequence[Meeting]) -> Iterator[Slots]:
    """By seeding: everybody, or those there from the beginning; if few have left, with these in every place."""
    order = [player.key for player in groups.by_seeding((*request.competitors, *request.missing))]
    if not order:
        return
    yield (tuple(order),)
    known = {key for m in began for key in (m.first, m.second) if key is not None} or set(order)
    present = [key for key in order if key in known]
    gone = sorted(known - set(order))
    if len(gone) > _MISSING:
        return
    for places in itertools.permutations(range(len(known)), len(gone)):
        filled = list(present)
        for place, key in sorted(zip(places, gone, strict=True)):
            filled.insert(place, key)
        yield (tuple(filled),)


def _draws(request: DrawRequest, now: ScheduledRounds, began: Sequence[Meeting]) -> Iterator[Slots]:
    everybody = (*request.competitors, *request.missing)
    yield groups.drawn(everybody, now.seed, request.clubs is Clubs.APART, request.forbidden)
    played = [m for m in began if m.second is not None]
    if played:
        rested = [m.first for m in began if m.second is None]
        members = _joined(_met(played), rested, everybody, now.seed)
        yield tuple(_in_order(group, now, played) for group in members)


def _met(played: Sequence[Meeting]) -> list[list[int]]:
    """The players who have met in the segment, directly or by way of others."""
    keys = sorted({key for m in played for key in (m.first, m.second) if key is not None})
    index = {key: number for number, key in enumerate(keys)}
    one = np.array([index[m.first] for m in played])
    other = np.array([index[m.second] for m in played if m.second is not None])
    label = connected_components.labels(len(keys), one, other)
    return [[keys[at] for at in np.flatnonzero(label == number)] for number in range(int(label.max()) + 1)]


def _joined(met: list[list[int]], rested: list[int], players: Sequence[Competitor], seed: int) -> list[list[int]]:
    """After one round the players who have met are pairs: join these into groups of four from four rating quarters.

    A pair left over joins a group, which then has six; whoever had the bye joins a pair or a group.
    """
    pairs = [group for group in met if len(group) == _PAIR]
    members = [group for group in met if len(group) > _PAIR]
    order = [player.key for player in groups.by_rating(players)]
    quarter = {key: place * groups.SIZE // len(order) for place, key in enumerate(order)}
    single = [key for key in rested if all(key not in group for group in met)]
    left = pairs.pop() if len(pairs) % 2 else []
    members += [pairs[one] + pairs[other] for one, other in _by_quarters(pairs, quarter, seed)]
    if left and (single or not members):
        members.append(left)
    elif left:
        members[-1] = members[-1] + left
    if single and members:
        members[-1] = members[-1] + single[:1]
    return members


def _by_quarters(pairs: list[list[int]], quarter: dict[int, int], seed: int) -> list[tuple[int, int]]:
    """Match pairs with pairs so that the fewest players of one rating quarter come together."""
    if not pairs:
        return []
    one, other = np.triu_indices(len(pairs), 1)
    clashes = [
        sum(quarter.get(a, -1) == quarter.get(b, -1) for a in pairs[i] for b in pairs[j])
        for i, j in zip(one.tolist(), other.tolist(), strict=True)
    ]
    first = np.array([min(pair) for pair in pairs], np.int64)
    drawn = lots.pair_bits(seed, first[one], first[other], LOT_BITS)
    chosen = matching.solve(Edges(one, other, (np.array(clashes, np.int64), drawn)), len(pairs))
    return [] if chosen is None else list(zip(one[chosen].tolist(), other[chosen].tolist(), strict=True))


def _in_order(group: list[int], now: ScheduledRounds, played: Sequence[Meeting]) -> tuple[int, ...]:
    """The group's players in an order whose schedule has their games so far; unchanged if there is none."""
    own = [m for m in played if m.first in group]
    if len(group) > _LARGEST:
        return tuple(group)
    orders = itertools.permutations(group)
    return next((order for order in orders if explains((order,), now, own)), tuple(group))
