"""Looking ahead, against every pairing of this round and every way to go on from it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tests.laws import tried_on
from tests.tournament.pairing import events
from tournament.pairing import drafting, matching
from tournament.pairing.values import Draft, LaterRound, Meeting, Method, NoteCode, Request

BY_COST = (Method.SWISS, Method.KING_OF_THE_HILL, Method.FACTOR, Method.RANDOM)
Pairs = tuple[tuple[int, int | None], ...]
Cost = tuple[int, int]


def every_pairing(players: Sequence[int]) -> Iterator[Pairs]:
    """All complete pairings; of an odd number one rests."""
    if len(players) % 2:
        for resting in players:
            for rest in every_pairing([player for player in players if player != resting]):
                yield ((resting, None), *rest)
    elif not players:
        yield ()
    else:
        first, *others = players
        for other in others:
            for rest in every_pairing([player for player in others if player != other]):
                yield ((first, other), *rest)


class Continuations:
    """The fewest second byes, then repeats, of all ways to play a request's later rounds: every one is tried."""

    def __init__(self, request: Request) -> None:
        self.apart = {frozenset(pair) for pair in request.forbidden}
        self.later = request.later
        self.known: dict[tuple[int, frozenset[frozenset[int]], tuple[tuple[int, int], ...]], Cost] = {}

    def fewest(self, met: frozenset[frozenset[int]], byes: Counter[int], number: int = 0) -> Cost:
        if number == len(self.later):
            return 0, 0
        state = number, met, tuple(sorted((+byes).items()))
        if state not in self.known:
            later = self.later[number]
            ways = self.allowed(every_pairing(sorted(later.players)))
            self.known[state] = min(self.total(pairs, met, byes, later.repeats, number) for pairs in ways)
        return self.known[state]

    def total(self, pairs: Pairs, met: frozenset[frozenset[int]], byes: Counter[int], free: bool, number: int) -> Cost:
        """What these pairs cost with the best that can follow."""
        games = {frozenset((one, other)) for one, other in pairs if other is not None}
        resting = Counter(one for one, other in pairs if other is None)
        now = sum(byes[one] for one in resting), 0 if free else len(games & met)
        then = self.fewest(met | games, byes + resting, number + 1)
        return now[0] + then[0], now[1] + then[1]

    def allowed(self, ways: Iterator[Pairs]) -> list[Pairs]:
        """Without those kept apart, where there is a way without."""
        found = list(ways)
        clean = [pairs for pairs in found if not any(frozenset(pair) in self.apart for pair in pairs)]
        return clean or found


def small(seed: int) -> Request:
    """A field of up to six after some rounds, with up to three to come, in which others may play."""
    rng = random.Random(seed)
    everybody = range(1, rng.randrange(2, 7) + 1)
    meetings: list[Meeting] = []
    played = rng.randrange(0, 4)
    for number in range(1, played + 1):
        there = [key for key in everybody if rng.random() < 0.9]
        meetings += [Meeting(number, *pair) for pair in rng.choice(list(every_pairing(there)))]
    half_wins = sorted((rng.randrange(0, 2 * played + 1) for _ in everybody), reverse=True)
    table = list(events.table(*half_wins))
    rng.shuffle(table)
    here = [replace(player, rank=rank) for rank, player in enumerate(table, 1) if rng.random() < 0.9]
    later = [
        LaterRound(
            number,
            rng.choice(BY_COST),
            frozenset(key for key in everybody if rng.random() < 0.9),
            repeats=rng.random() < 0.1,
        )
        for number in range(played + 2, played + 2 + rng.randrange(0, 4))
    ]
    return Request(
        tuple(here),
        tuple(meetings),
        played + 1,
        played + 1 + len(later),
        rng.choice(BY_COST),
        seed,
        repeats=rng.random() < 0.1,
        forbidden=frozenset(rng.sample(list(combinations(everybody, 2)), k=rng.choice((0, 0, 1)))),
        later=tuple(later),
    )


def so_far(request: Request) -> tuple[frozenset[frozenset[int]], Counter[int]]:
    met = frozenset(frozenset((one.first, one.second)) for one in request.meetings if one.second is not None)
    return met, Counter(one.first for one in request.meetings if one.second is None)


def paired(draft: Draft) -> Pairs:
    return tuple((pair.first, pair.second) for pair in draft.pairs)


@tried_on(60)
@given(st.integers(0, 2**32))
def test_draft_is_the_cheapest_of_those_that_leave_the_fewest(seed: int) -> None:
    request = small(seed)
    met, byes = so_far(request)
    after = Continuations(request)
    field = events.built(request)
    edges = matching.all_edges(field, request)
    ways = after.allowed(every_pairing([player.key for player in field.players]))
    cost = {pairs: matching.of_pairs(field, edges, places(pairs, field.keys.tolist())).cost for pairs in ways}
    total = {pairs: after.total(pairs, met, byes, request.repeats, -1) for pairs in ways}

    draft = drafting.draft(request)

    chosen = min(ways, key=lambda pairs: (total[pairs], cost[pairs]))
    assert events.opponents(draft.pairs) == {frozenset(key for key in pair if key is not None) for pair in chosen}
    assert draft.cost == cost[chosen]
    assert NoteCode.NOT_SEARCHED not in {note.code for note in draft.notes}
    assert (draft.ahead is not None) == (cost[chosen] != min(cost.values()))


def places(pairs: Pairs, keys: list[int]) -> Pairs:
    found = ((keys.index(one), None if other is None else keys.index(other)) for one, other in pairs)
    return tuple((one, other) if other is None else (min(one, other), max(one, other)) for one, other in found)
