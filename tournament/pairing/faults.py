"""What is wrong with a request: all faults at once, so that a page can name them and the draw can refuse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tournament.pairing.values import DrawRequest, Method, Obstacle, Rule


def problems(request: DrawRequest) -> list[Obstacle]:
    """Return every fault of the request; empty when it can be drawn as far as its figures go."""
    return [
        *_players(request),
        *_given(request),
        *_history(request),
        *_figures(request),
    ]


def _players(request: DrawRequest) -> Iterable[Obstacle]:
    keys = Counter(player.key for player in (*request.competitors, *request.missing))
    for key in sorted(key for key, times in keys.items() if times > 1):
        yield Obstacle(Rule.DUPLICATE_KEY, (key,))
    ranks = Counter(player.rank for player in request.competitors)
    for rank in sorted(rank for rank, times in ranks.items() if times > 1):
        shared = sorted({player.key for player in request.competitors if player.rank == rank})
        if len(shared) > 1:
            yield Obstacle(Rule.DUPLICATE_RANK, tuple(shared), rank)


def _given(request: DrawRequest) -> Iterable[Obstacle]:
    active = {player.key for player in request.competitors}
    named = [key for given in request.given for key in (given.first, given.second) if key is not None]
    named += sorted(request.byes)
    for given in request.given:
        if given.first == given.second:
            yield Obstacle(Rule.AGAINST_ONESELF, (given.first,))
    for one, other in sorted(request.forbidden):
        if one == other:
            yield Obstacle(Rule.AGAINST_ONESELF, (one,))
    tables = Counter(given.table for given in request.given if given.table is not None)
    for table in sorted(table for table, times in tables.items() if times > 1):
        yield Obstacle(Rule.TABLE, tuple(given.first for given in request.given if given.table == table), table)
    for key, times in sorted(Counter(named).items()):
        if key not in active:
            yield Obstacle(Rule.UNKNOWN_PLAYER, (key,))
        if times > 1:
            yield Obstacle(Rule.PLAYER_TWICE, (key,))


def _history(request: DrawRequest) -> Iterable[Obstacle]:
    seats: list[tuple[int, int]] = []
    for meeting in request.meetings:
        if meeting.first == meeting.second:
            yield Obstacle(Rule.AGAINST_ONESELF, (meeting.first,), meeting.round)
        if meeting.round >= request.round:
            yield Obstacle(Rule.HISTORY_BEFORE, (meeting.first,), meeting.round)
        seats.append((meeting.round, meeting.first))
        if meeting.second is not None:
            seats.append((meeting.round, meeting.second))
    if len(set(seats)) < len(seats):
        for (number, key), times in sorted(Counter(seats).items()):
            if times > 1:
                yield Obstacle(Rule.HISTORY_TWICE, (key,), number)


def _figures(request: DrawRequest) -> Iterable[Obstacle]:
    if request.round < 1:
        yield Obstacle(Rule.ROUND_NUMBER, (), request.round)
    if request.method is Method.FACTOR and request.factor < 1:
        yield Obstacle(Rule.FACTOR, (), request.factor)
    named = {key for given in request.given for key in (given.first, given.second)} | request.byes
    free = sum(player.key not in named for player in request.competitors)
    if not 0 <= request.extra_byes <= free:
        yield Obstacle(Rule.EXTRA_BYES, (), request.extra_byes)
    segment = request.segment
    if segment and not segment.first_round <= request.round <= segment.last_round:
        yield Obstacle(Rule.SEGMENT, (), request.round)
    grouped = Counter(key for group in segment.groups for key in group) if segment else Counter[int]()
    for key in sorted(key for key, times in grouped.items() if times > 1):
        yield Obstacle(Rule.PLAYER_TWICE, (key,))
