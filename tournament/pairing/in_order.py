"""Complete pairings from the cheapest on, one after the other (Murty's ranking, 1968)."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from tournament.pairing import costs, matching
from tournament.pairing.field import Field
from tournament.pairing.matching import Matching
from tournament.pairing.values import DrawRequest


def pairings(field: Field, request: DrawRequest, best: Matching) -> Iterator[Matching]:
    """All complete pairings by cost, the cheapest, which is known, first.

    Whatever is not the cheapest lacks one of its pairs. So each pairing given leaves as many smaller questions as it
    has pairs: the cheapest that keeps the first of them and lacks the next.
    """
    yield best
    edges = matching.all_edges(field, request)
    weights = costs.packed(edges, field.n + field.byes)
    given = {best.pairs}
    ranked = _Ranked(edges, weights, field.n + field.byes)
    while ranked.heap:
        found = matching.of(field, edges.where(np.array(ranked.next(), np.int64)), proven=True)
        if found.pairs not in given:  # bye vertices can change places
            given.add(found.pairs)
            yield found


class _Ranked:
    """The questions that are open, each with its cheapest answer."""

    def __init__(self, edges: costs.Edges, weights: list[int], vertices: int) -> None:
        self.edges = edges
        self.weights = weights
        self.vertices = vertices
        self.heap: list[tuple[int, list[int], tuple[int, ...], frozenset[int]]] = []
        self._ask((), frozenset())

    def next(self) -> list[int]:
        """The edges of the cheapest answer; its question falls into smaller ones."""
        _, chosen, kept, without = heapq.heappop(self.heap)
        free = [edge for edge in chosen if edge not in kept]
        for place, edge in enumerate(free):
            self._ask((*kept, *free[:place]), without | {edge})
        return chosen

    def _ask(self, kept: tuple[int, ...], without: frozenset[int]) -> None:
        """Find the cheapest pairing that keeps some edges and does without others, if there is one."""
        ends = np.concatenate((self.edges.one[list(kept)], self.edges.other[list(kept)]))
        usable = ~(np.isin(self.edges.one, ends) | np.isin(self.edges.other, ends))
        usable[list(without)] = False
        numbers = np.flatnonzero(usable)
        rest = matching.solve_some(self.edges, numbers, self.weights) if len(numbers) else []
        if rest is not None and len(ends) + 2 * len(rest) == self.vertices:
            chosen = sorted((*kept, *rest))
            heapq.heappush(self.heap, (sum(self.weights[edge] for edge in chosen), chosen, kept, without))
