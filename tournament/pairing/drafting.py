"""From a request to a draft, with lots drawn by the request's own keys; `pairing.draw` is the entrance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournament.pairing import draft_pairs, faults, field, history, matching, policies, schedule_groups, schedules
from tournament.pairing.draft_pairs import Choice
from tournament.pairing.history import History
from tournament.pairing.values import (
    ByePolicy,
    Competitor,
    Draft,
    Impossible,
    Method,
    Note,
    NoteCode,
    Obstacle,
    Request,
    Rule,
    StarterBy,
)


@dataclass(frozen=True, slots=True)
class _Made:
    """What a method makes of the players left to it."""

    choices: list[Choice]
    cost: tuple[int, ...] = ()
    proven: bool = True
    notes: tuple[Note, ...] = ()
    unpaired: tuple[int, ...] = ()
    groups: schedule_groups.Slots = ()


def draft(request: Request) -> Draft:
    """Pair the round. Raises Impossible with every obstacle.

    The director's pairs and byes leave the field first; the method pairs the others.
    """
    obstacles = faults.problems(request)
    if obstacles:
        raise Impossible(tuple(obstacles))
    past = history.read(request.meetings)
    chosen = [draft_pairs.given(pair) for pair in request.given] + [Choice(key, None) for key in sorted(request.byes)]
    taken = {key for choice in chosen for key in (choice.one, choice.other)}
    rest = [player for player in request.competitors if player.key not in taken]
    made = _METHODS.get(request.method, _matched)(rest, past, request)
    pairs, notes = draft_pairs.to_pairs(chosen + made.choices, past, request)
    return Draft(
        pairs=pairs,
        method=request.method,
        seed=request.seed,
        cost=made.cost,
        proven=made.proven,
        notes=(*notes, *made.notes),
        unpaired=made.unpaired,
        groups=made.groups,
    )


def _matched(rest: Sequence[Competitor], past: History, request: Request) -> _Made:
    """Whatever the matching core finds for these players."""
    byes = request.extra_byes + (len(rest) + request.extra_byes) % 2
    policy = policies.of(request)
    players = field.build(rest, byes, past, request, policy.by_score, policy.in_groups)
    keys = [player.key for player in players.players]
    if byes and request.bye_policy is ByePolicy.BY_HAND:
        suggested = matching.cheapest(players, request).pairs
        relaxed = tuple(keys[one] for one, other in suggested if other is None)
        raise Impossible((Obstacle(Rule.BYE_NOT_NAMED, (), byes, relaxed),))
    found = matching.cheapest(players, request)
    choices = [Choice(keys[one], None if other is None else keys[other], matched=True) for one, other in found.pairs]
    return _Made(choices, found.cost, found.proven)


def _manual(rest: Sequence[Competitor], past: History, request: Request) -> _Made:
    """Nobody is paired; the draft says who has no opponent yet."""
    return _Made([], unpaired=tuple(player.key for player in sorted(rest, key=lambda p: p.rank)))


def _groups(rest: Sequence[Competitor], past: History, request: Request) -> _Made:
    """The schedule of each group; players without an opponent there are matched by Swiss.

    Those are one of a group of three or five, latecomers, and the opponents of players who are missing.
    """
    slots = schedule_groups.slots(request)
    games = _scheduled(rest, slots, request)
    left = _without(rest, games)
    if len(left) == 1:
        rescued = _Made([_idle(left[0].key, slots)])
    else:
        rescued = _matched(left, past, replace(request, method=Method.SWISS))
    return replace(rescued, choices=games + rescued.choices, notes=_late(rest, slots), groups=slots)


def _round_robin(rest: Sequence[Competitor], past: History, request: Request) -> _Made:
    """The schedule; opponents of missing players have a bye, unless a latecomer can meet them.

    Where the segment's games fit no schedule, the matching core takes over, without repeats.
    """
    slots = schedule_groups.slots(request)
    if not slots:
        return _matched(rest, past, replace(request, method=Method.KING_OF_THE_HILL))
    games = _scheduled(rest, slots, request)
    notes = _late(rest, slots)
    late = [key for note in notes for key in note.keys]
    idle = [player.key for player in _without(rest, games) if player.key not in late]
    while late:
        one = late.pop(0)
        other = next((key for key in idle + late if not past.between(one, key)), None)
        idle, late = [key for key in idle if key != other], [key for key in late if key != other]
        games.append(Choice(one, other))
    return _Made(games + [_idle(key, slots) for key in idle], notes=notes, groups=slots)


_METHODS = {Method.MANUAL: _manual, Method.GROUPS: _groups, Method.ROUND_ROBIN: _round_robin}


def _scheduled(rest: Sequence[Competitor], slots: schedule_groups.Slots, request: Request) -> list[Choice]:
    """The schedule's games of this round between players who are there, unless they have played them before."""
    now = schedule_groups.segment(request)
    index, total = request.round - now.first_round, now.last_round - now.first_round + 1
    there = {player.key for player in rest}
    played = Counter(frozenset((m.first, m.second)) for m in request.meetings if m.round >= now.first_round)
    choices = []
    for number, group in enumerate(slots, 1):
        for one, other in schedules.pairs(group, index, total):
            if one in there and other in there:
                times = played[frozenset((one, other))]
                if not times or times <= _due(group, {one, other}, index, total):
                    choices.append(Choice(one, other, StarterBy.SCHEDULE, group=number))
    return choices


def _due(group: tuple[int, ...], pair: set[int | None], index: int, total: int) -> int:
    """How often the schedule has brought the pair together before round `index`."""
    return sum(set(game) == pair for earlier in range(index) for game in schedules.pairs(group, earlier, total))


def _without(players: Sequence[Competitor], games: Sequence[Choice]) -> list[Competitor]:
    """Those who have no game, by rank."""
    busy = {key for choice in games for key in (choice.one, choice.other)}
    return sorted((player for player in players if player.key not in busy), key=lambda player: player.rank)


def _idle(key: int, slots: schedule_groups.Slots) -> Choice:
    """A bye given by the schedule."""
    return Choice(key, None, group=next((number for number, group in enumerate(slots, 1) if key in group), None))


def _late(players: Sequence[Competitor], slots: schedule_groups.Slots) -> tuple[Note, ...]:
    """A note on those who came after the schedule was made, by rank; empty if nobody did."""
    seated = {key for group in slots for key in group}
    late = [player.key for player in sorted(players, key=lambda player: player.rank) if player.key not in seated]
    return (Note(NoteCode.NOT_IN_SCHEDULE, tuple(late)),) if late and slots else ()
