"""Looking ahead, against every pairing of this round and every way to go on from it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws import tried_on
from tests.tournament.pairing import events
from tournament.pairing import choosing as looking_ahead
from tournament.pairing.choosing import CompletionSearch, build_outlook, rank_pairings
from tournament.pairing.drafting import draw_round, pair_round
from tournament.pairing.field import build_pairing_history
from tournament.pairing.matching import build_all_edges, build_matching_of_pairs, find_cheapest_pairing
from tournament.pairing.values import ChosenPair, Draft, DrawRequest, LaterRound, Meeting, Method, NoteCode

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

    def __init__(self, request: DrawRequest) -> None:
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


def small(seed: int) -> DrawRequest:
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
    return DrawRequest(
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


def so_far(request: DrawRequest) -> tuple[frozenset[frozenset[int]], Counter[int]]:
    met = frozenset(frozenset((one.first, one.second)) for one in request.meetings if one.second is not None)
    return met, Counter(one.first for one in request.meetings if one.second is None)


def paired(draft: Draft) -> Pairs:
    return tuple((pair.first, pair.second) for pair in draft.pairs)


@tried_on(20)
@given(st.integers(0, 2**32))
def test_draft_is_the_cheapest_of_those_that_leave_the_fewest(seed: int) -> None:
    request = small(seed)
    met, byes = so_far(request)
    after = Continuations(request)
    field = events.built(request)
    edges = build_all_edges(field, request)
    ways = after.allowed(every_pairing([player.key for player in field.players]))
    cost = {
        pairs: build_matching_of_pairs(field, edges, places(pairs, [player.key for player in field.players])).cost
        for pairs in ways
    }
    total = {pairs: after.total(pairs, met, byes, request.repeats, -1) for pairs in ways}

    draft = pair_round(request, build_pairing_history(request.meetings))

    chosen = min(ways, key=lambda pairs: (total[pairs], cost[pairs]))
    assert events.opponents(draft.pairs) == {frozenset(key for key in pair if key is not None) for pair in chosen}
    assert draft.cost == cost[chosen]
    assert NoteCode.NOT_SEARCHED not in {note.code for note in draft.notes}
    assert (draft.ahead is not None) == (cost[chosen] != min(cost.values()))


def places(pairs: Pairs, keys: list[int]) -> Pairs:
    found = ((keys.index(one), None if other is None else keys.index(other)) for one, other in pairs)
    return tuple((one, other) if other is None else (min(one, other), max(one, other)) for one, other in found)


@tried_on(15)
@given(st.integers(0, 2**32))
@pytest.mark.long
def test_event_ends_with_as_few_second_byes_and_repeats_as_any_could(seed: int) -> None:
    """Absences are known beforehand; results are not."""
    rng = random.Random(seed)
    asked = replace(small(seed), meetings=(), repeats=False, round=1)
    there = tuple(player for player in events.table(*[0] * 6) if player.key <= 6)
    rounds = [
        LaterRound(number, Method.SWISS, frozenset(player.key for player in there if rng.random() < 0.95))
        for number in range(1, rng.randrange(3, 6))
    ]
    fewest = Continuations(replace(asked, later=tuple(rounds))).fewest(frozenset(), Counter())
    meetings: list[Meeting] = []
    wins = dict.fromkeys(range(1, 7), 0)

    for at, one in enumerate(rounds):
        order = sorted(one.players, key=lambda key: (-wins[key], key))
        table = [replace(player, half_wins=wins[player.key]) for player in there]
        here = tuple(replace(table[key - 1], rank=rank) for rank, key in enumerate(order, 1))
        request = DrawRequest(
            here,
            tuple(meetings),
            one.number,
            len(rounds),
            rng.choice(BY_COST),
            seed,
            forbidden=asked.forbidden,
            later=tuple(rounds[at + 1 :]),
        )
        for first, second in paired(draw_round(request)):
            meetings.append(Meeting(one.number, first, second))
            wins[first if second is None or rng.random() < 0.5 else second] += 2

    assert spent(meetings) == fewest


def spent(meetings: Sequence[Meeting]) -> Cost:
    """What an event's byes after the first (each as many as its player had) and its repeats come to."""
    byes = Counter(one.first for one in meetings if one.second is None)
    met = Counter(frozenset((one.first, one.second)) for one in meetings if one.second is not None)
    return sum(times * (times - 1) // 2 for times in byes.values()), sum(met.values()) - len(met)


def all_play_all(players: int, number: int, past: Sequence[tuple[int, int]] = (), **wishes: object) -> DrawRequest:
    """Round `number` of an event in which everybody is to meet everybody by the last round."""
    keys = frozenset(range(1, players + 1))
    rounds = players - 1 + players % 2
    later = tuple(LaterRound(one, Method.SWISS, keys) for one in range(number + 1, rounds + 1))
    meetings = tuple(Meeting(1 + place // (players // 2), *both) for place, both in enumerate(past))
    asked = DrawRequest(events.table(*[0] * players), meetings, number, rounds, later=later)
    return replace(asked, **wishes)  # type: ignore[arg-type]  # named by the caller


CYCLE = ((1, 2), (3, 4), (5, 6), (2, 3), (4, 5), (1, 6))
"""Two rounds of six players; of the four pairings that are left for the third one leaves two triangles."""


def test_note_says_by_which_round_the_cheapest_would_have_been_a_dead_end() -> None:
    alone = draw_round(replace(all_play_all(6, 3, CYCLE), later=()))

    draft = draw_round(all_play_all(6, 3, CYCLE))

    assert alone.ahead is None
    assert draft.ahead is not None
    assert (draft.ahead.by, draft.ahead.through, draft.ahead.repeats) == (4, 5, 0)
    assert draft.ahead.cheapest[:-1] == alone.cost[:-1] < draft.cost[:-1]
    moved = {key for pair in set(paired(draft)) - set(paired(alone)) for key in pair}
    assert [(note.code, set(note.keys), note.figure) for note in draft.notes] == [(NoteCode.LOOKED_AHEAD, moved, 4)]


def test_search_that_is_broken_off_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking_ahead, "SEARCH_STEPS", 0)
    monkeypatch.setattr(looking_ahead, "SEARCHES", 0)

    draft = draw_round(all_play_all(6, 3, CYCLE))

    assert draft.ahead is None
    assert [(note.code, note.figure) for note in draft.notes] == [(NoteCode.NOT_SEARCHED, 5)]


def test_pairing_that_none_of_the_cheapest_is_comes_from_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking_ahead, "CANDIDATES", 0)

    draft = draw_round(all_play_all(6, 3, CYCLE))

    assert draft.ahead is not None
    assert not draft.proven
    assert NoteCode.NOT_SEARCHED in {note.code for note in draft.notes}
    met = [*CYCLE, *((pair.first, pair.second or 0) for pair in draft.pairs)]
    for number in (4, 5):
        following = draw_round(all_play_all(6, number, met))
        met += [(pair.first, pair.second or 0) for pair in following.pairs]
    assert len({frozenset(both) for both in met}) == 15


def test_rounds_that_a_schedule_or_the_director_pairs_are_not_looked_at() -> None:
    request = all_play_all(6, 3, CYCLE)
    for method in (Method.ROUND_ROBIN, Method.GROUPS, Method.MANUAL):
        later = tuple(replace(one, method=method) for one in request.later)

        assert draw_round(replace(request, later=later)).ahead is None


def test_repeats_that_the_plan_allows_are_none() -> None:
    request = all_play_all(6, 3, CYCLE)
    later = tuple(replace(one, repeats=True) for one in request.later)

    assert draw_round(replace(request, later=later)).ahead is None


def test_locked_pair_counts_as_met() -> None:
    request = all_play_all(6, 3, CYCLE, given=(ChosenPair(1, 4),))

    draft = draw_round(request)

    met = [*CYCLE, *((pair.first, pair.second or 0) for pair in draft.pairs)]
    for number in (4, 5):
        met += [(pair.first, pair.second or 0) for pair in draw_round(all_play_all(6, number, met)).pairs]
    assert len({frozenset(both) for both in met}) == 15


@pytest.mark.parametrize(("players", "rounds"), [(14, 13), (16, 14), (17, 17), (20, 18)])
@pytest.mark.sampled(2)
def test_wider_fields_near_all_play_all_end_without_a_repeat(players: int, rounds: int) -> None:
    event = events.Event(players, players)
    keys = frozenset(range(1, players + 1))

    for number in range(1, rounds + 1):
        later = tuple(LaterRound(one, Method.SWISS, keys) for one in range(number + 1, rounds + 1))
        event.play(later=later)

    assert spent(event.meetings) == (0, 0)


@tried_on(20)
@given(st.integers(0, 2**32))
def test_what_is_sure_without_a_search_is_found_by_one(seed: int) -> None:
    rng = random.Random(seed)
    players = rng.randrange(6, 14)
    event = events.play_event(players, rng.randrange(0, 4), seed)
    keys = frozenset(range(1, players + 1))
    later = tuple(
        LaterRound(event.round + 2 + at, Method.SWISS, keys - {rng.randrange(1, 20)})
        for at in range(rng.randrange(1, 5))
    )
    request = event.request(later=later)
    field, past = events.built(request), build_pairing_history(request.meetings)
    view = build_outlook(field, past, request, later, apart=True)
    cheapest = find_cheapest_pairing(field, request).pairs

    if view.surely_completes(cheapest):
        left = view.least().less(view.spent(cheapest))
        assert CompletionSearch(view.tasks, view.allowed, 1 << 20).answer(view.start.after(cheapest), left, 1)


@pytest.mark.parametrize("seed", range(6))
def test_pairings_come_in_order_of_cost(seed: int) -> None:
    request = events.play_event(5 + seed % 3, 2, seed).request(seed=seed)
    field = events.built(request)
    edges = build_all_edges(field, request)
    everything = sorted(
        build_matching_of_pairs(field, edges, pairs).cost for pairs in every_pairing(list(range(field.n)))
    )

    found = list(rank_pairings(field, request, find_cheapest_pairing(field, request)))

    assert [one.cost for one in found] == everything
    assert len({one.pairs for one in found}) == len(everything)
