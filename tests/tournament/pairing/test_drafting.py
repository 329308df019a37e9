"""Laws that every draw keeps, whatever the field."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws import tried_on
from tests.tournament.pairing import events
from tournament.pairing.drafting import draw_pairs, draw_round
from tournament.pairing.field import build_pairing_history
from tournament.pairing.values import (
    ChosenPair,
    ClaimCondition,
    DrawNote,
    DrawRequest,
    Meeting,
    Method,
    NoteCode,
    PairFlag,
    ScheduledRounds,
    StarterReason,
    StartPolicy,
)

COUNTS, ROUNDS, SEEDS = st.integers(1, 15), st.integers(0, 7), st.integers(0, 2**20)
DRAWN = tuple(method for method in Method if method is not Method.MANUAL)


def next_round(players: int, rounds: int, seed: int, method: Method = Method.SWISS, **wishes: Any) -> DrawRequest:
    segment = ScheduledRounds(rounds + 1, rounds + 3, seed) if method in (Method.GROUPS, Method.ROUND_ROBIN) else None
    asked = events.play_event(players, rounds, seed, leaving=seed % 3).request(
        method=method, segment=segment, seed=seed
    )
    return replace(asked, **wishes)


def free_graph(request: DrawRequest) -> nx.Graph:
    """Who could meet without a repeat, and a bye for those who had fewest."""
    past = build_pairing_history(request.meetings)
    keys = [player.key for player in request.competitors]
    graph = nx.Graph()
    graph.add_nodes_from(keys)
    graph.add_edges_from((a, b) for a in keys for b in keys if a < b and not past.between(a, b))
    return graph


def has_complete_pairing(graph: nx.Graph) -> bool:
    return 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) == len(graph)


@tried_on(10)
@given(COUNTS, ROUNDS, SEEDS, st.sampled_from(DRAWN))
def test_everybody_has_one_opponent_or_a_bye(players: int, rounds: int, seed: int, method: Method) -> None:
    request = next_round(players, rounds, seed, method)

    draft = draw_round(request)

    seats = [key for pair in draft.pairs for key in (pair.first, pair.second) if key is not None]
    tables = [pair.table for pair in draft.pairs if pair.second is not None]
    assert sorted(seats) == sorted(player.key for player in request.competitors)
    assert tables == list(range(1, len(tables) + 1))
    assert [pair.second is None for pair in draft.pairs] == sorted(pair.second is None for pair in draft.pairs)
    assert sum(pair.second is None for pair in draft.pairs) == len(request.competitors) % 2


@tried_on(10)
@given(COUNTS, ROUNDS, SEEDS, st.sampled_from(DRAWN))
def test_draft_depends_on_nothing_but_the_request(players: int, rounds: int, seed: int, method: Method) -> None:
    request = next_round(players, rounds, seed, method)
    shuffler = random.Random(seed)
    mixed = replace(
        request,
        competitors=tuple(shuffler.sample(request.competitors, len(request.competitors))),
        meetings=tuple(shuffler.sample(request.meetings, len(request.meetings))),
    )

    assert draw_round(mixed) == draw_round(request) == draw_round(request)


@tried_on(10)
@given(COUNTS, ROUNDS, SEEDS, st.sampled_from(DRAWN))
def test_pairs_without_tables_and_reasons_are_those_of_the_draft(
    players: int, rounds: int, seed: int, method: Method
) -> None:
    request = next_round(players, rounds, seed, method)
    keys = [player.key for player in request.competitors]
    if len(keys) > 2:
        request = replace(request, given=(ChosenPair(keys[2], keys[0], starter_by=None), ChosenPair(keys[1])))

    assert set(draw_pairs(request)) == {(pair.first, pair.second) for pair in draw_round(request).pairs}


@tried_on(10)
@given(COUNTS, ROUNDS, SEEDS, st.sampled_from([Method.SWISS, Method.KING_OF_THE_HILL, Method.FACTOR, Method.RANDOM]))
def test_no_repeat_and_no_second_bye_where_they_can_be_avoided(
    players: int, rounds: int, seed: int, method: Method
) -> None:
    request = next_round(players, rounds, seed, method)
    past = build_pairing_history(request.meetings)
    graph = free_graph(request)
    fewest = min(past.record(key).byes for key in graph)
    if len(graph) % 2:
        graph.add_edges_from((0, key) for key in list(graph) if past.record(key).byes == fewest)

    draft = draw_round(request)

    repeats = any(PairFlag.REPEAT in pair.flags for pair in draft.pairs)
    assert repeats != has_complete_pairing(graph)
    assert repeats == (NoteCode.REPEATS_NEEDED in {note.code for note in draft.notes})
    assert [past.record(pair.first).byes for pair in draft.pairs if pair.second is None] == [fewest] * (
        len(request.competitors) % 2
    )


@tried_on(10)
@given(st.integers(4, 15), ROUNDS, SEEDS, st.sampled_from(DRAWN))
def test_given_pairs_and_byes_are_kept(players: int, rounds: int, seed: int, method: Method) -> None:
    request = next_round(players, rounds, seed, method)
    keys = [player.key for player in request.competitors]
    if len(keys) < 3:
        return

    draft = draw_round(replace(request, given=(ChosenPair(keys[2], keys[0]), ChosenPair(keys[1], flag=None))))

    (kept,) = [pair for pair in draft.pairs if PairFlag.LOCKED in pair.flags]
    assert (kept.first, kept.second, kept.starter_by) == (keys[2], keys[0], StarterReason.HAND)
    assert [pair.second for pair in draft.pairs if pair.first == keys[1]] == [None]
    assert len({key for pair in draft.pairs for key in (pair.first, pair.second)} - {None}) == len(keys)


@tried_on(10)
@given(st.integers(4, 15), ROUNDS, SEEDS)
def test_every_flag_says_what_is(players: int, rounds: int, seed: int) -> None:
    request = next_round(players, rounds, seed, Method.RANDOM)
    past = build_pairing_history(request.meetings)
    half_wins = {player.key: player.half_wins for player in request.competitors}

    for pair in draw_round(request).pairs:
        if pair.second is None:
            assert (PairFlag.SECOND_BYE in pair.flags) == (past.record(pair.first).byes > 0)
        else:
            assert (PairFlag.REPEAT in pair.flags) == bool(past.between(pair.first, pair.second))
            assert (PairFlag.FLOAT in pair.flags) == (half_wins[pair.first] != half_wins[pair.second])
            assert (PairFlag.THIRD_START_IN_ROW in pair.flags) == (past.record(pair.first).course[-2:] == (True, True))


def test_manual_pairs_only_whom_the_director_has_paired() -> None:
    request = DrawRequest(events.table(2, 2, 0, 0, 0), method=Method.MANUAL, given=(ChosenPair(4, 1, PairFlag.MANUAL),))

    draft = draw_round(request)

    assert [(pair.first, pair.second, pair.flags) for pair in draft.pairs] == [
        (4, 1, (PairFlag.MANUAL, PairFlag.FLOAT))
    ]
    assert draft.unpaired == (2, 3, 5)


def test_given_pair_may_leave_the_start_to_the_draw() -> None:
    past = events.games((1, 2), (3, 4))

    draft = draw_round(DrawRequest(events.table(2, 2, 0, 0), past, 2, given=(ChosenPair(1, 4, starter_by=None),)))

    assert [(pair.first, pair.second) for pair in draft.pairs if pair.flags[0] is PairFlag.LOCKED] == [(4, 1)]


def test_given_repeat_is_flagged_but_was_not_needed() -> None:
    past = events.games((1, 2), (3, 4))

    draft = draw_round(DrawRequest(events.table(2, 2, 0, 0), past, 2, given=(ChosenPair(1, 2),)))

    assert [PairFlag.REPEAT in pair.flags for pair in draft.pairs] == [True, True]
    assert [(note.code, set(note.keys), note.unless) for note in draft.notes] == [
        (NoteCode.REPEATS_NEEDED, {3, 4}, (ClaimCondition.LOCKED,)),
        (NoteCode.REPEATS, {1, 2}, ()),
    ]


def test_starts_that_are_drawn_at_the_table_are_nobodys() -> None:
    draft = draw_round(DrawRequest(events.table(2, 2, 0, 0), starts=StartPolicy.DRAWN))

    assert [(pair.first, pair.second) for pair in draft.pairs] == [(1, 2), (3, 4)]
    assert {pair.starter_by for pair in draft.pairs} == {StarterReason.TABLE}


def test_forbidden_pair_is_taken_only_when_there_is_no_other_and_said() -> None:
    apart = frozenset({(2, 1), (1, 3)})
    past = tuple(Meeting(number, 1, 4) for number in range(1, 6))

    avoided = draw_round(DrawRequest(events.table(2, 2, 0, 0), past, 6, forbidden=apart))
    forced = draw_round(DrawRequest(events.table(2, 2), forbidden=apart))

    assert frozenset({1, 4}) in events.opponents(avoided.pairs)
    assert [pair.flags for pair in forced.pairs] == [(PairFlag.FORBIDDEN,)]
    assert [(note.code, set(note.keys)) for note in forced.notes] == [(NoteCode.FORBIDDEN_USED, {1, 2})]


def test_second_bye_is_said() -> None:
    past = tuple(Meeting(number, number, None) for number in (1, 2, 3))

    draft = draw_round(DrawRequest(events.table(2, 2, 2), past, 4))

    assert draft.pairs[-1].flags == (PairFlag.SECOND_BYE,)
    assert draft.notes == (DrawNote(NoteCode.SECOND_BYE_NEEDED, (3,)),)


def test_nobody_there_is_nobody_paired() -> None:
    assert [draw_round(DrawRequest((), method=method)).pairs for method in Method] == [()] * len(Method)


@pytest.mark.parametrize("seed", range(3))
def test_seed_decides_between_equals(seed: int) -> None:
    """Two players left over at the top can meet either of two below at the same cost."""
    past = (Meeting(1, 1, 2, starter_known=False), Meeting(1, 3, 4, starter_known=False))

    drawn = {
        frozenset(events.opponents(draw_round(DrawRequest(events.table(4, 4, 0, 0), past, 2, seed=number)).pairs))
        for number in range(seed * 20, seed * 20 + 20)
    }

    assert len(drawn) == 2
