"""Drawing with numbers that are the same on every machine.

Lots depend on the seed and on the players' keys. The primary keys that rows happen to have differ from one installation
to the next, the order in which players were entered does not: a draw gets each player's place in that order.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from tournament.pairing import drafting, explaining
from tournament.pairing.values import Draft, DrawRequest, Impossible, Pair

Numbers = Mapping[int, int]


def draw(request: DrawRequest) -> Draft:
    """Pair the round and say why. Raises `Impossible` with every obstacle."""
    return explaining.explained(drawn(request), request)


def drawn(request: DrawRequest) -> Draft:
    """Pair the round, with the players numbered in the order of their keys, and named by their keys again.

    Raises `Impossible` with every obstacle.
    """
    numbers = {key: number for number, key in enumerate(sorted(_keys(request)), 1)}
    back = {number: key for key, number in numbers.items()}
    try:
        return _named(drafting.draft(_numbered(request, numbers)), back)
    except Impossible as impossible:
        raise Impossible(
            tuple(
                replace(obstacle, keys=_each(obstacle.keys, back), relaxed=_each(obstacle.relaxed, back))
                for obstacle in impossible.obstacles
            )
        ) from impossible


def _keys(request: DrawRequest) -> set[int]:
    """Every key that a request names, of players who are there and of those who only played before."""
    pairs = [(met.first, met.second) for met in request.meetings] + [(one.first, one.second) for one in request.given]
    found = {player.key for player in (*request.competitors, *request.missing)} | request.byes
    found |= {key for pair in (*pairs, *request.forbidden) for key in pair if key is not None}
    found |= {key for one in request.later for key in one.players}
    return found | {key for group in (request.segment.groups if request.segment else ()) for key in group}


def _numbered(request: DrawRequest, numbers: Numbers) -> DrawRequest:
    segment = request.segment
    return replace(
        request,
        competitors=tuple(replace(player, key=numbers[player.key]) for player in request.competitors),
        missing=tuple(replace(player, key=numbers[player.key]) for player in request.missing),
        meetings=tuple(
            replace(one, first=numbers[one.first], second=_one(one.second, numbers)) for one in request.meetings
        ),
        byes=frozenset(numbers[key] for key in request.byes),
        given=tuple(replace(one, first=numbers[one.first], second=_one(one.second, numbers)) for one in request.given),
        forbidden=frozenset((numbers[one], numbers[other]) for one, other in request.forbidden),
        later=tuple(replace(one, players=frozenset(numbers[key] for key in one.players)) for one in request.later),
        segment=segment and replace(segment, groups=_groups(segment.groups, numbers)),
    )


def _named(draft: Draft, back: Numbers) -> Draft:
    return replace(
        draft,
        pairs=tuple(_named_pair(pair, back) for pair in draft.pairs),
        notes=tuple(replace(note, keys=_each(note.keys, back)) for note in draft.notes),
        unpaired=_each(draft.unpaired, back),
        ahead=draft.ahead and replace(draft.ahead, keys=_each(draft.ahead.keys, back)),
        groups=_groups(draft.groups, back),
    )


def _named_pair(pair: Pair, back: Numbers) -> Pair:
    return replace(pair, first=back[pair.first], second=_one(pair.second, back))


def _one(key: int | None, numbers: Numbers) -> int | None:
    return None if key is None else numbers[key]


def _each(keys: Iterable[int], numbers: Numbers) -> tuple[int, ...]:
    return tuple(numbers[key] for key in keys)


def _groups(groups: Iterable[tuple[int, ...]], numbers: Numbers) -> tuple[tuple[int, ...], ...]:
    return tuple(_each(group, numbers) for group in groups)
