"""The optimum: against every complete pairing there is, against networkx, and against the complete graph."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws import tried_on
from tests.tournament.pairing import events
from tournament.pairing import matching
from tournament.pairing.costs import (
    Edges,
    build_bye_edges,
    build_cost_matrix,
    build_player_edges,
    join_edges,
    pack_costs,
)
from tournament.pairing.field import PairingField
from tournament.pairing.matching import (
    LIMIT,
    REACH,
    CandidatePairs,
    calculate_prices,
    find_cheapest_pairing,
    find_near_pairs,
    find_useful_pairs,
    match_complete_graph,
)
from tournament.pairing.values import ByePolicy, DrawRequest, Method

BY_COST = (Method.SWISS, Method.KING_OF_THE_HILL, Method.FACTOR, Method.RANDOM)


def varied(players: int, rounds: int, seed: int, method: Method = Method.SWISS) -> DrawRequest:
    """A request whose wishes are drawn too."""
    rng = random.Random(seed)
    keys = range(1, players + 1)
    return events.play_event(players, rounds, seed, leaving=rng.randrange(3)).request(
        method=method,
        factor=rng.randrange(1, 6),
        clubs_apart=rng.choice((False, True)),
        repeats=rng.random() < 0.2,
        within=rng.choice((0, 0, 1, 3)),
        bye_policy=rng.choice((ByePolicy.LOWEST, ByePolicy.GERMAN)),
        forbidden=frozenset((rng.choice(keys), 1 + players // 2) for _ in range(rng.randrange(3)))
        - {(1 + players // 2,) * 2},
        seed=seed,
    )


def edges(field: PairingField, request: DrawRequest) -> Edges:
    upper, lower = np.triu_indices(field.n, 1)
    return join_edges(build_player_edges(field, request, upper, lower), build_bye_edges(field, request))


def complete_pairings(vertices: list[int]) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair all vertices."""
    if not vertices:
        yield []
        return
    for other in vertices[1:]:
        for rest in complete_pairings([vertex for vertex in vertices[1:] if vertex != other]):
            yield [(vertices[0], other), *rest]


@tried_on(10)
@given(st.integers(1, 8), st.integers(0, 4), st.integers(0, 2**20), st.sampled_from(BY_COST))
def test_pairing_of_few_is_the_cheapest_of_all(players: int, rounds: int, seed: int, method: Method) -> None:
    request = varied(players, rounds, seed, method)
    field = events.built(request)
    made = edges(field, request)
    cost = {
        pair: np.array(figures)
        for *figures, pair in zip(*made.costs, zip(made.one.tolist(), made.other.tolist(), strict=True), strict=True)
    }

    found = find_cheapest_pairing(field, request)

    everything = complete_pairings(list(range(field.n + field.byes)))
    possible = [
        tuple(np.sum([cost[pair] for pair in pairs], axis=0))
        for pairs in everything
        if all(pair in cost for pair in pairs)
    ]
    assert found.cost == min(possible)


@pytest.mark.parametrize("method", BY_COST)
@pytest.mark.parametrize("players", [17, 30])
@pytest.mark.sampled(2)
def test_pairing_is_that_of_networkx(players: int, method: Method) -> None:
    request = varied(players, 5, players, method)
    field = events.built(request)
    made = edges(field, request)
    weights = pack_costs(made, field.n + field.byes)
    graph = nx.Graph()
    for one, other, weight in zip(made.one.tolist(), made.other.tolist(), weights, strict=True):
        graph.add_edge(one, other, weight=max(weights) - weight)

    found = find_cheapest_pairing(field, request)

    best = nx.max_weight_matching(graph, maxcardinality=True)
    assert set(found.pairs) == {(min(pair), max(pair) if max(pair) < field.n else None) for pair in best}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("method", BY_COST)
@pytest.mark.parametrize("rounds", [0, 2, 7, 12])
@pytest.mark.parametrize("players", [58, 71])
def test_reduced_graph_holds_the_optimum_of_the_complete_one(players: int, rounds: int, method: Method) -> None:
    request = varied(players, rounds, players + rounds, method)
    field = events.built(request)

    found = find_cheapest_pairing(field, request)

    assert found == match_complete_graph(field, request)
    assert found.proven


@pytest.mark.parametrize(("method", "rounds"), [(Method.SWISS, 2), (Method.SWISS, 6), (Method.KING_OF_THE_HILL, 4)])
@pytest.mark.sampled(1)
def test_large_fields_are_reduced_block_by_block(method: Method, rounds: int) -> None:
    request = varied(171, rounds, rounds, method)
    field = events.built(request)

    found = find_cheapest_pairing(field, request)

    assert found == match_complete_graph(field, request)
    assert found.proven


@pytest.mark.parametrize("fall_back", [0, 400])
def test_scores_beyond_64_bits_are_left_to_the_solver(fall_back: int, monkeypatch: pytest.MonkeyPatch) -> None:
    request = DrawRequest(events.table(*(place << 22 for place in range(60, 0, -1))))
    field = events.built(request)
    monkeypatch.setattr(matching, "FALL_BACK", fall_back)

    found = find_cheapest_pairing(field, request)

    assert found.pairs == tuple((place, place + 1) for place in range(0, 60, 2))


@tried_on(10)
@given(st.integers(4, 40), st.integers(0, 9), st.integers(0, 2**20), st.sampled_from(BY_COST))
def test_small_fields_can_be_reduced_too(players: int, rounds: int, seed: int, method: Method) -> None:
    request = varied(players, min(rounds, players - 3), seed, method)
    field = events.built(request)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "COMPLETE", 0)
        found = find_cheapest_pairing(field, request)

    assert found == match_complete_graph(field, request)


def test_proof_that_asks_for_too_much_leaves_it_to_the_complete_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    request = varied(60, 7, 1)
    field = events.built(request)
    monkeypatch.setattr(matching, "LIMIT", 0)

    found = find_cheapest_pairing(field, request)

    assert found == match_complete_graph(field, request)


def test_large_field_says_when_the_proof_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    request = varied(60, 7, 1)
    field = events.built(request)
    monkeypatch.setattr(matching, "LIMIT", 0)
    monkeypatch.setattr(matching, "FALL_BACK", 0)

    found = find_cheapest_pairing(field, request)

    assert not found.proven
    assert found.cost == match_complete_graph(field, request).cost


def test_large_field_with_an_unavoidable_pair_is_paired_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    request = replace(varied(60, 3, 2), forbidden=frozenset((7, key) for key in range(1, 61) if key != 7))
    field = events.built(request)
    monkeypatch.setattr(matching, "FALL_BACK", 0)

    found = find_cheapest_pairing(field, request)

    assert found.cost == match_complete_graph(field, request).cost
    assert found.cost[0] == 1


@pytest.mark.parametrize("reach", [(2, 1), (3, 0), (1, 0)])
def test_too_narrow_a_start_is_mended(reach: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    request = varied(64, 6, 3)
    field = events.built(request)
    monkeypatch.setattr(matching, "REACH", (reach, *REACH))

    found = find_cheapest_pairing(field, request)

    assert found == match_complete_graph(field, request)


def test_prices_that_are_too_high_are_brought_down() -> None:
    request = varied(64, 6, 4)
    field = events.built(request)
    matrix = build_cost_matrix(field, request, np.arange(field.n))
    assert matrix is not None
    price = calculate_prices(matrix, find_near_pairs(matrix, *REACH[0])) + 1
    upper, lower = np.array(match_complete_graph(field, request).pairs).T
    best = CandidatePairs(upper, lower, matrix.main(upper, lower))

    useful = find_useful_pairs(matrix, price, best, LIMIT)

    assert useful is not None
    assert best.among(useful, matrix.m).all()
    assert useful.cost.min() >= 0


def test_nobody_is_paired_with_nobody() -> None:
    request = DrawRequest(())

    assert find_cheapest_pairing(events.built(request), request).pairs == ()
