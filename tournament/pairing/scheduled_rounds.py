"""Rounds that a schedule pairs: all-play-all, and all-play-all in groups.

A schedule seats everybody who is entered, whoever misses this round included: the opponent of somebody missing has a
bye, and the missing player keeps the later games. Whoever enters later takes a place that is free. Where the games, the
director's pairs or too many late entries have left the schedule, the players concerned are matched without repeats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournament.pairing import costs, schedule_groups, schedules
from tournament.pairing.draft_pairs import Choice
from tournament.pairing.history import History
from tournament.pairing.matched_rounds import MadePairs, matched
from tournament.pairing.schedule_groups import Slots
from tournament.pairing.values import (
    Competitor,
    DrawRequest,
    Meeting,
    Method,
    Note,
    NoteCode,
    ScheduledRounds,
    StarterBy,
)

_FIRST = slice(0, costs.COMPONENTS.index("repeats") + 1)  # the components that no round of a schedule should cost


@dataclass(frozen=True, slots=True)
class _Timetable:
    """The schedule of this round: the groups, the games of those that keep to it, and who came too late for a place.

    The games are by the group's place among the groups, and only those of players left to the method.
    """

    slots: Slots
    games: dict[int, list[Choice]]
    late: tuple[int, ...]
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class _Round:
    """Who is there, who is missing, and whom the director has set against whom (None: a bye)."""

    request: DrawRequest
    now: ScheduledRounds
    there: frozenset[int]
    missing: frozenset[int]
    by_hand: dict[int | None, int | None]

    def planned(self, group: tuple[int, ...]) -> list[tuple[int, int | None]]:
        """The games of the group's schedule in this round."""
        now = self.now
        return schedules.pairs(group, self.request.round - now.first_round, now.last_round - now.first_round + 1)


def groups(rest: Sequence[Competitor], past: History, request: DrawRequest) -> MadePairs:
    """The schedule of each group. Those without an opponent there are matched with each other by Swiss.

    Those are one of a group of three or five, latecomers, the opponents of players who have left, and the members of a
    group that has left its schedule. Where they cannot do without a repeat or a second bye, a group joins them.
    """
    table = _timetable(rest, request)
    swiss = replace(request, method=Method.SWISS, later=())
    for joining in ((), *((number,) for number in reversed(table.games)), tuple(table.games)):
        chosen = [choice for number, found in table.games.items() if number not in joining for choice in found]
        made = _left_over(_without(rest, chosen), table, past, swiss)
        if not any(made.cost[_FIRST]):
            break
    return replace(made, choices=chosen + made.choices, notes=table.notes, groups=table.slots)


def round_robin(rest: Sequence[Competitor], past: History, request: DrawRequest) -> MadePairs:
    """The schedule; whoever has no opponent there has a bye. Where it no longer holds, everybody is matched."""
    table = _timetable(rest, request)
    notes = *table.notes, *_rounds_needed(table, request)
    if not table.games or table.late:
        anew = matched(rest, past, _matched_from_now(request))
        return replace(anew, notes=notes + anew.notes, groups=table.slots)
    idle = [Choice(player.key, None, group=1) for player in _without(rest, table.games[0])]
    return MadePairs(table.games[0] + idle, notes=notes, groups=table.slots)


def _matched_from_now(request: DrawRequest) -> DrawRequest:
    """The request with all rounds of the segment matched, this one and those to come."""
    last = schedule_groups.segment(request).last_round
    method = Method.KING_OF_THE_HILL
    later = (replace(one, method=method) if one.number <= last else one for one in request.later)
    return replace(request, method=method, later=tuple(later))


def _timetable(rest: Sequence[Competitor], request: DrawRequest) -> _Timetable:
    drawn = schedule_groups.slots(request)
    everybody = [player.key for player in _by_rank(request.competitors) + _by_rank(request.missing)]
    seated = {key for group in drawn for key in group}
    newcomers = [key for key in everybody if drawn and key not in seated]
    slots = drawn
    for key in newcomers:
        slots = schedule_groups.with_newcomer(slots, key, frozenset(everybody))
    seated = {key for group in slots for key in group}
    late = tuple(key for key in newcomers if key not in seated)
    notes = [Note(NoteCode.TAKES_BYE, (key,)) for key in newcomers if key in seated]
    notes += [Note(NoteCode.NOT_IN_SCHEDULE, late)] if late else []
    return _Timetable(slots, _games(slots, rest, request), late, tuple(notes))


def _games(slots: Slots, rest: Sequence[Competitor], request: DrawRequest) -> dict[int, list[Choice]]:
    """What the schedule of each group makes of this round, of those groups that keep to theirs."""
    by_hand: dict[int | None, int | None] = dict.fromkeys(request.byes)
    for pair in request.given:
        by_hand |= {pair.first: pair.second, pair.second: pair.first}
    there = frozenset(player.key for player in request.competitors)
    missing = frozenset(player.key for player in request.missing)
    at = _Round(request, schedule_groups.segment(request), there, missing, by_hand)
    played = _played(slots, at)
    free = {player.key for player in rest}
    return {
        number: [choice for choice in _choices(group, number + 1, at) if choice.one in free]
        for number, group in enumerate(slots)
        if schedule_groups.explains((group,), at.now, played[number]) and _undisturbed(group, at)
    }


def _played(slots: Slots, at: _Round) -> list[list[Meeting]]:
    """The games of each group's players among themselves since the schedule began."""
    number: dict[int | None, int] = {key: number for number, group in enumerate(slots) for key in group}
    found: list[list[Meeting]] = [[] for _ in slots]
    for meeting in at.request.meetings:
        first, second = number.get(meeting.first), number.get(meeting.second)
        if first is not None and first == second and meeting.round >= at.now.first_round:
            found[first].append(meeting)
    return found


def _undisturbed(group: tuple[int, ...], at: _Round) -> bool:
    """Whether each of the director's pairs and byes is one of this round's, or of players without an opponent here."""
    games = [(one, other) for one, other in at.planned(group) if one in at.there and other in at.there]
    return all(at.by_hand.get(one, other) == other and at.by_hand.get(other, one) == one for one, other in games)


def _choices(group: tuple[int, ...], number: int, at: _Round) -> Iterable[Choice]:
    """The games between players who are there, and the byes of those whose opponents are missing."""
    for one, other in at.planned(group):
        if other is None:
            continue
        if one in at.there and other in at.there:
            yield Choice(one, other, StarterBy.SCHEDULE, group=number)
        elif one in at.there and other in at.missing:
            yield Choice(one, None, group=number)
        elif other in at.there and one in at.missing:
            yield Choice(other, None, group=number)


def _left_over(left: Sequence[Competitor], table: _Timetable, past: History, request: DrawRequest) -> MadePairs:
    """Match those without an opponent in their schedule; one alone has the bye of their group."""
    if len(left) == 1 and left[0].key not in table.late and not past.record(left[0].key).byes:
        number = next((number for number, group in enumerate(table.slots, 1) if left[0].key in group), None)
        return MadePairs([Choice(left[0].key, None, group=number)])
    return matched(left, past, request)


def _rounds_needed(table: _Timetable, request: DrawRequest) -> Iterable[Note]:
    """Said when the schedule is made or changes: how many rounds everybody meeting everybody takes at least."""
    now = schedule_groups.segment(request)
    if not table.slots or not (table.notes or request.round == now.first_round):
        return
    everybody = [player.key for player in (*request.competitors, *request.missing)]
    met = {frozenset((m.first, m.second)) for m in request.meetings if m.round >= now.first_round}
    needed = request.round - now.first_round + schedules.rounds_to_meet(everybody, met)
    if needed > now.last_round - now.first_round + 1:
        yield Note(NoteCode.ROUNDS_NEEDED, table.late, needed)


def _without(players: Sequence[Competitor], games: Sequence[Choice]) -> list[Competitor]:
    """Those who have no game, by rank."""
    busy = {key for choice in games for key in (choice.one, choice.other)}
    return _by_rank(player for player in players if player.key not in busy)


def _by_rank(players: Iterable[Competitor]) -> list[Competitor]:
    return sorted(players, key=lambda player: player.rank)
