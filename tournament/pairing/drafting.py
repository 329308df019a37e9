"""From a request to a draft, and what is wrong with a request; `draw_round` is the way in."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tournament.pairing.choosing import MethodPairs, pair_by_matching
from tournament.pairing.contention import pair_for_prizes
from tournament.pairing.explaining import add_reasons
from tournament.pairing.field import PairingHistory, build_pairing_history
from tournament.pairing.from_top import pair_from_top
from tournament.pairing.schedules import pair_groups, pair_round_robin
from tournament.pairing.seating import order_pair, seat_pairs
from tournament.pairing.values import Competitor, Draft, DrawRequest, DrawRule, Method, Obstacle, RequestImpossible


def find_draw_request_problems(request: DrawRequest) -> list[Obstacle]:
    """Every fault of the request at once; empty when it can be drawn as far as its figures go."""
    return [
        *_find_player_problems(request),
        *_find_given_problems(request),
        *_find_history_problems(request),
        *_find_figure_problems(request),
    ]


def _find_player_problems(request: DrawRequest) -> Iterable[Obstacle]:
    keys = Counter(player.key for player in (*request.competitors, *request.missing))
    for key in sorted(key for key, times in keys.items() if times > 1):
        yield Obstacle(DrawRule.DUPLICATE_KEY, (key,))
    ranks = Counter(player.rank for player in request.competitors)
    for rank in sorted(rank for rank, times in ranks.items() if times > 1):
        shared = sorted({player.key for player in request.competitors if player.rank == rank})
        # One player who is listed twice shares the rank with nobody else, and is told above.
        if len(shared) > 1:
            yield Obstacle(DrawRule.DUPLICATE_RANK, tuple(shared), rank)


def _find_given_problems(request: DrawRequest) -> Iterable[Obstacle]:
    active = {player.key for player in request.competitors}
    named = [key for pair in request.given for key in (pair.first, pair.second) if key is not None]
    for given_pair in request.given:
        if given_pair.first == given_pair.second:
            yield Obstacle(DrawRule.AGAINST_ONESELF, (given_pair.first,))
    for one, other in sorted(request.forbidden):
        if one == other:
            yield Obstacle(DrawRule.AGAINST_ONESELF, (one,))
    tables = Counter(pair.table for pair in request.given if pair.table is not None)
    for table in sorted(table for table, times in tables.items() if times > 1):
        yield Obstacle(DrawRule.TABLE, tuple(pair.first for pair in request.given if pair.table == table), table)
    for key, times in sorted(Counter(named).items()):
        if key not in active:
            yield Obstacle(DrawRule.UNKNOWN_PLAYER, (key,))
        if times > 1:
            yield Obstacle(DrawRule.PLAYER_TWICE, (key,))


def _find_history_problems(request: DrawRequest) -> Iterable[Obstacle]:
    for meeting in request.meetings:
        if meeting.first == meeting.second:
            yield Obstacle(DrawRule.AGAINST_ONESELF, (meeting.first,), meeting.round)
        if meeting.round >= request.round:
            yield Obstacle(DrawRule.HISTORY_BEFORE, (meeting.first,), meeting.round)
    seated: dict[int, list[int]] = {}
    for meeting in request.meetings:
        seated.setdefault(meeting.round, []).append(meeting.first)
        if meeting.second is not None:
            seated[meeting.round].append(meeting.second)
    for number, keys in sorted(seated.items()):
        if len(set(keys)) < len(keys):
            for key in sorted(key for key, times in Counter(keys).items() if times > 1):
                yield Obstacle(DrawRule.HISTORY_TWICE, (key,), number)


def _find_figure_problems(request: DrawRequest) -> Iterable[Obstacle]:
    if request.round < 1:
        yield Obstacle(DrawRule.ROUND_NUMBER, (), request.round)
    if request.method is Method.FACTOR and request.factor < 1:
        yield Obstacle(DrawRule.FACTOR, (), request.factor)
    segment = request.segment
    if segment and not segment.first_round <= request.round <= segment.last_round:
        yield Obstacle(DrawRule.SEGMENT, (), request.round)
    grouped = Counter(key for group in segment.groups for key in group) if segment else Counter[int]()
    for key in sorted(key for key, times in grouped.items() if times > 1):
        yield Obstacle(DrawRule.PLAYER_TWICE, (key,))


def pair_round(request: DrawRequest, past: PairingHistory) -> Draft:
    """Pair the round, the director's pairs and byes first. Raises RequestImpossible with every obstacle."""
    paired = _pair_players(request, past)
    pairs, notes = seat_pairs((*request.given, *paired.choices), past, request)
    notes = *notes, *paired.notes
    draft = Draft(pairs, request.method, request.seed, paired.cost, paired.proven, paired.ahead, notes)
    return replace(draft, unpaired=paired.unpaired, groups=paired.groups)


def _pair_players(request: DrawRequest, past: PairingHistory) -> MethodPairs:
    """Let the method pair whom the director has left to it."""
    paired_keys = {key for pair in request.given for key in pair.keys}
    rest = [player for player in request.competitors if player.key not in paired_keys]
    return _METHODS.get(request.method, pair_by_matching)(rest, past, request)


def _leave_unpaired(rest: Sequence[Competitor], past: PairingHistory, request: DrawRequest) -> MethodPairs:
    """Nobody is paired; the draft says who has no opponent yet."""
    return MethodPairs([], unpaired=tuple(player.key for player in sorted(rest, key=lambda p: p.rank)))


_METHODS = {
    Method.MANUAL: _leave_unpaired,
    Method.GROUPS: pair_groups,
    Method.ROUND_ROBIN: pair_round_robin,
    Method.CONTENTION: pair_for_prizes,
    Method.AUSTRALIAN: pair_from_top,
}


def draw_round(request: DrawRequest) -> Draft:
    """Pair the round and say why. Raises RequestImpossible with every obstacle."""
    past = build_pairing_history(request.meetings)
    return add_reasons(_draw_with_history(request, past), request, past)


def draw_without_reasons(request: DrawRequest) -> Draft:
    """Pair the round. Raises RequestImpossible with every obstacle."""
    return _draw_with_history(request, build_pairing_history(request.meetings))


def draw_pairs(request: DrawRequest) -> list[tuple[int, int | None]]:
    """Whom `draw_round` pairs, by their keys, whoever starts first; None: a bye. For events that are played out by the
    thousand: nobody gets a table or a reason, and the request is not examined. Raises RequestImpossible."""
    past = build_pairing_history(request.meetings)
    numbered = number_players(request)
    choices = *request.given, *_pair_players(numbered, past).choices
    # With the numbers by which the pairs were drawn: a lot may decide who starts.
    return [order_pair(choice, past, numbered)[:2] for choice in choices]


def _draw_with_history(request: DrawRequest, past: PairingHistory) -> Draft:
    if obstacles := find_draw_request_problems(request):
        raise RequestImpossible(tuple(obstacles))
    return pair_round(number_players(request), past)


def number_players(request: DrawRequest) -> DrawRequest:
    """The request with lots drawn by the order of the players' keys. The primary keys that rows happen to have differ
    from one installation to the next, the order in which players were entered does not: a lot depends on the seed and
    on each player's place in that order."""
    # Every key that the request names, of players who are there and of those who only played before.
    all_keys = {player.key for player in (*request.competitors, *request.missing)}
    all_keys.update(met.first for met in request.meetings)
    all_keys.update(met.second for met in request.meetings if met.second is not None)
    groups = request.segment.groups if request.segment else ()
    others = *(one.keys for one in request.given), *(one.players for one in request.later)
    keys = sorted(all_keys.union(*request.forbidden, *groups, *others))
    return replace(request, numbers={key: place for place, key in enumerate(keys, 1)})
