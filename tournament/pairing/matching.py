"""The matching core: the cheapest complete pairing of a field, whatever the method."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tournament.pairing import connected_components, costs, main_costs, reduction
from tournament.pairing.costs import Edges
from tournament.pairing.field import Field, Ints
from tournament.pairing.main_costs import CostMatrix
from tournament.pairing.reduction import Pairs
from tournament.pairing.values import DrawRequest

COMPLETE = 48  # up to this many players the complete graph is as fast
REACH = ((24, 6), (48, 12), (96, 48))  # cheapest partners and neighbours in rank: tried one after the other
FIRST = 6  # pairs that the solver gets first for each player, those with the least surplus
LIMIT = 300_000  # the most pairs that a proof may need
FALL_BACK = 400  # up to this many players the complete graph decides when the proof fails


@dataclass(frozen=True, slots=True)
class Matching:
    """Places in the field, the upper one first (second None: a bye), and the sum of each component of the cost.

    `proven`: it is certain that the complete graph has no cheaper one.
    """

    pairs: tuple[tuple[int, int | None], ...]
    cost: tuple[int, ...]
    proven: bool


def cheapest(field: Field, request: DrawRequest) -> Matching:
    """Return the cheapest complete pairing. The number of players and bye vertices together is even."""
    if not field.n:
        return Matching((), (0,) * len(costs.COMPONENTS), True)
    found = _reduced(field, request) if field.n - field.byes > COMPLETE else None
    if field.n > FALL_BACK:
        found = found or _wide(field, request)
    elif found and not found.proven:
        found = None
    return found or complete(field, request)


def complete(field: Field, request: DrawRequest) -> Matching:
    """Return the cheapest complete pairing by looking at every possible pair."""
    edges = all_edges(field, request)
    chosen = solve(edges, field.n + field.byes)
    if chosen is None:
        raise RuntimeError("the complete graph has no complete pairing")
    return of(field, edges.where(chosen), proven=True)


def all_edges(field: Field, request: DrawRequest) -> Edges:
    """Every possible pair and bye."""
    upper, lower = np.triu_indices(field.n, 1)
    return costs.joined(costs.between(field, request, upper, lower), costs.to_byes(field, request))


def _wide(field: Field, request: DrawRequest) -> Matching | None:
    """Return a cheap complete pairing of a field too large for the complete graph, repeats and all."""
    matrix = main_costs.cost_matrix(field, request, np.arange(field.n))
    if matrix is None:
        return None
    near = reduction.near(matrix, *REACH[-1], at_any_cost=True)
    edges = costs.joined(costs.between(field, request, near.upper, near.lower), costs.to_byes(field, request))
    chosen = solve(edges, field.n + field.byes)
    return None if chosen is None else of(field, edges.where(chosen), proven=False)


def _reduced(field: Field, request: DrawRequest) -> Matching | None:
    """Return the cheapest complete pairing without looking at every pair.

    None when a repeat, a forbidden opponent or a second bye is in the way: then all pairs have to be looked at.
    """
    matrix = main_costs.cost_matrix(field, request, np.delete(np.arange(field.n), field.resting))
    if matrix is None:
        return None
    for partners, neighbours in REACH:
        near = reduction.near(matrix, partners, neighbours)
        if len(np.union1d(near.upper, near.lower)) == matrix.m:
            price = reduction.prices(matrix, near)
            for pairs in (reduction.least(near, price, FIRST * matrix.m), near):
                chosen = _solved(matrix, pairs)
                if chosen:
                    return of(field, *_proven(matrix, price, pairs, chosen))
    return None


def _proven(matrix: CostMatrix, price: Ints, pairs: Pairs, chosen: Pairs) -> tuple[Edges, bool]:
    """Look for pairs left out that could matter; with them, if there are any, solve again."""
    useful = reduction.useful(matrix, price, chosen, LIMIT)
    if useful is not None and not useful.among(pairs, matrix.m).all():
        better = _solved(matrix, useful)
        if better is None:
            raise RuntimeError("the pairs that matter hold no complete pairing")
        chosen = better
    field, at = matrix.field, matrix.at
    byes = costs.to_byes(field, matrix.request).where(field.resting + np.arange(field.byes) * field.n)
    edges = costs.between(field, matrix.request, at[chosen.upper], at[chosen.lower])
    return costs.joined(edges, byes), useful is not None


def _solved(matrix: CostMatrix, pairs: Pairs) -> Pairs | None:
    edges = costs.between(matrix.field, matrix.request, matrix.at[pairs.upper], matrix.at[pairs.lower])
    chosen = solve(Edges(pairs.upper, pairs.lower, edges.costs), matrix.m)
    return None if chosen is None else pairs.where(chosen)


def of(field: Field, edges: Edges, proven: bool) -> Matching:
    """These edges, which are a complete pairing, with the sums of their costs."""
    pairs = zip(edges.one.tolist(), edges.other.tolist(), strict=True)
    sums = tuple(int(component.sum()) for component in edges.costs)
    return Matching(tuple(sorted((one, other if other < field.n else None) for one, other in pairs)), sums, proven)


def of_pairs(field: Field, edges: Edges, pairs: Iterable[tuple[int, int | None]]) -> Matching:
    """These pairs of places (None: a bye), whose edges are among those given; they need not be the cheapest."""
    byes = itertools.count(field.n)
    ends = [(one, next(byes) if other is None else other) for one, other in pairs]
    number = {pair: number for number, pair in enumerate(zip(edges.one.tolist(), edges.other.tolist(), strict=True))}
    chosen = [number[min(pair), max(pair)] for pair in ends]
    return of(field, edges.where(np.array(chosen, np.int64)), proven=False)


def by_cost(field: Field, edges: Edges) -> list[list[int]]:
    """Each player's possible opponents, the cheapest pair first."""
    found: list[list[int]] = [[] for _ in range(field.n)]
    ranked = np.argsort(np.array(costs.packed(edges, field.n + field.byes), object), kind="stable")
    for one, other in zip(edges.one[ranked].tolist(), edges.other[ranked].tolist(), strict=True):
        if other < field.n:
            found[one].append(other)
            found[other].append(one)
    return found


def solve(edges: Edges, vertices: int) -> Ints | None:
    """Return which edges make the cheapest complete pairing; None when there is no complete one.

    Each connected part of the graph is solved by itself: the solver's time grows with the square of the players.
    """
    part = connected_components.labels(vertices, edges.one, edges.other)
    if (np.bincount(part) % 2).any():
        return None
    weights = costs.packed(edges, vertices)
    chosen: list[int] = []
    for numbers in _by_part(part[edges.one]):
        found = solve_some(edges, numbers, weights)
        if found is None:
            return None
        chosen += found
    return np.array(sorted(chosen), np.int64)


def _by_part(part: Ints) -> list[Ints]:
    order = np.argsort(part, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(part[order])) + 1)


def solve_some(edges: Edges, numbers: Ints, weights: list[int]) -> list[int] | None:
    """Return which of the numbered edges make the cheapest pairing of all their ends; None when there is none."""
    import rustworkx  # noqa: PLC0415  # slow to load, and only needed when a round is drawn

    ends, local = np.unique(np.concatenate((edges.one[numbers], edges.other[numbers])), return_inverse=True)
    own = [weights[number] for number in numbers.tolist()]
    most = max(own)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(ends)))
    rows = zip(local[: len(own)].tolist(), local[len(own) :].tolist(), [most - weight for weight in own], strict=True)
    graph.add_edges_from(list(rows))
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < len(ends):
        return None
    code = local[: len(own)] * len(ends) + local[len(own) :]
    order = np.argsort(code)
    wanted = np.array([min(pair) * len(ends) + max(pair) for pair in found])
    return [int(number) for number in numbers[order[np.searchsorted(code[order], wanted)]]]
