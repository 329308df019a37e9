"""The matching core: the cheapest complete pairing of a field, whatever the method."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tournament.pairing.byes import IntArray
from tournament.pairing.costs import (
    COST_COMPONENTS,
    EXCLUDED_COST,
    PART_BITS,
    CostMatrix,
    Edges,
    SplitCosts,
    build_bye_edges,
    build_cost_matrix,
    build_player_edges,
    join_edges,
    put_starts_first,
    split_costs,
)
from tournament.pairing.field import PairingField
from tournament.pairing.transport import weigh_scores
from tournament.pairing.values import DrawRequest


def label_components(vertices: int, one: IntArray, other: IntArray) -> IntArray:
    """Number the parts of the graph with these edges from 0; return each vertex's number."""
    label = np.arange(vertices)
    while True:
        lower = label.copy()
        np.minimum.at(lower, one, label[other])
        np.minimum.at(lower, other, lower[one])
        # Each takes the number of its number: a long chain is through in a few rounds instead of one for each link.
        lower = lower[lower]
        if np.array_equal(lower, label):
            return np.unique(label, return_inverse=True)[1]
        label = lower


# Which pairs can matter: a candidate graph that provably holds the optimum of the complete graph.
# Let the players have prices u, with u(i) + u(j) ≤ main cost less tolls for every pair. Then the sum of prices and
# tolls is a lower bound for any complete pairing. What a pair costs above its two prices is its *surplus*. A pairing
# that costs no more than a known one holds no pair whose surplus is above the known one's distance from the bound:
# such pairs can be left out. (This is linear programming duality; the tolls are odd-set prices of Edmonds' matching
# theorem.)

_SWEEPS = 8


@dataclass(frozen=True, slots=True, eq=False)
class CandidatePairs:
    """Pairs by index, the upper one first, with their main costs less tolls, or with their surplus."""

    upper: IntArray
    lower: IntArray
    cost: IntArray

    def where(self, chosen: IntArray | npt.NDArray[np.bool_]) -> "CandidatePairs":
        return CandidatePairs(self.upper[chosen], self.lower[chosen], self.cost[chosen])

    def among(self, others: "CandidatePairs", m: int) -> npt.NDArray[np.bool_]:
        """Which of the pairs are among the others too."""
        return np.isin(self.upper * m + self.lower, others.upper * m + others.lower)


def find_near_pairs(matrix: CostMatrix, partners: int, neighbours: int, at_any_cost: bool = False) -> CandidatePairs:
    """Each player's cheapest partners and neighbours in reach; repeats and forbidden pairs `at_any_cost`."""
    m = matrix.m
    above, step = np.arange(m)[:, None], np.arange(1, neighbours + 1)[None, :]
    codes = [(above * m + above + step)[above + step < m]]
    for row, column, costs in matrix.panels():
        k = min(partners, costs.shape[1])
        cheapest = np.argpartition(costs, k - 1, axis=1)[:, :k] + column
        rows = np.arange(row, row + len(costs))[:, None]
        codes.append((np.minimum(rows, cheapest) * m + np.maximum(rows, cheapest)).ravel())
    code = np.sort(np.concatenate(codes))
    code = code[np.concatenate(([True], code[1:] != code[:-1]))]
    upper, lower = code // m, code % m
    keep = upper != lower
    if not at_any_cost:
        keep &= ~np.isin(code, matrix.far_upper * m + matrix.far_lower)
        if matrix.starts_first:
            keep &= matrix.field.keep_even(matrix.at[upper], matrix.at[lower])
    upper, lower = upper[keep], lower[keep]
    return CandidatePairs(upper, lower, matrix.main(upper, lower))


def calculate_prices(matrix: CostMatrix, pairs: CandidatePairs) -> IntArray:
    """Prices for all players, as high as a few sweeps bring them without a pair falling below its two prices. In each
    sweep some players take what their cheapest pair leaves, or half of it if the partner takes too: first every other
    score group, then the other groups, the upper halves and the lower halves. Every player must be in some pair."""
    even, upper_half = matrix.field.groups.number[matrix.at] % 2 == 0, matrix.field.groups.in_upper[matrix.at]
    turns = (even, ~even, upper_half, ~upper_half)
    price, costs_left = np.zeros(matrix.m, np.int64), pairs.cost
    for sweep in range(_SWEEPS):
        taking = turns[sweep % len(turns)]
        shared = np.where(taking[pairs.upper] & taking[pairs.lower], costs_left >> 1, costs_left)
        step = np.where(taking, _find_least(pairs.upper, pairs.lower, shared, matrix.m), 0)
        price += step
        costs_left = costs_left - step[pairs.upper] - step[pairs.lower]
    return price


def find_useful_pairs(
    matrix: CostMatrix, price: IntArray, matched: CandidatePairs, limit: int
) -> CandidatePairs | None:
    """All pairs that one no dearer than the `matched` can hold, with their surplus; None for more than `limit`."""
    paid = _sum_exactly(matrix.toll[matched.lower] - matrix.toll[matched.upper])
    cheapest_sum = _sum_exactly(matched.cost) + paid
    useful = _find_pairs_within(matrix, price, cheapest_sum - _sum_exactly(price) - matrix.tolls, limit)
    if useful is not None and (useful.cost < 0).any():
        # No pair may fall below its prices.
        price = price + np.minimum(_find_least(useful.upper, useful.lower, useful.cost, matrix.m), 0)
        useful = _find_pairs_within(matrix, price, cheapest_sum - _sum_exactly(price) - matrix.tolls, limit)
    return _drop_pairs_above_gap(matrix, useful, matched) if useful is not None and paid == matrix.tolls else useful


def _sum_exactly(figures: IntArray) -> int:
    """The sum, which may need more than 64 bits."""
    return sum(figures.tolist())


def _find_pairs_within(matrix: CostMatrix, price: IntArray, gap: int, limit: int) -> CandidatePairs | None:
    """All pairs with a surplus up to `gap`, or below 0; None when there are more than `limit`."""
    # Sums are Python's integers and may be larger than what an array compares; repeats and forbidden pairs stay out,
    # whatever the gap is.
    gap = min(max(gap, 0), EXCLUDED_COST - 1)
    highest = np.maximum.reduceat(price, matrix.bounds[:-1])
    least = matrix.slack - highest[:, None] - highest[None, :]
    pairs_within: list[CandidatePairs] = []
    for group, other in np.argwhere(np.triu(least <= gap)).tolist():
        row, column = int(matrix.bounds[group]), int(matrix.bounds[other])
        costs = matrix.block(group, other)
        surplus = costs - price[row : row + costs.shape[0], None] - price[None, column : column + costs.shape[1]]
        upper, lower = np.nonzero(surplus <= gap)
        pairs_within.append(CandidatePairs(upper + row, lower + column, surplus[upper, lower]))
        limit -= len(upper)
        if limit < 0:
            return None
    return CandidatePairs(
        *(np.concatenate([getattr(pairs, name) for pairs in pairs_within]) for name in ("upper", "lower", "cost"))
    )


def _drop_pairs_above_gap(matrix: CostMatrix, pairs: CandidatePairs, matched: CandidatePairs) -> CandidatePairs:
    """Leave out what is above its own part's gap: where the pairs fall into parts, each part is cheapest by itself.
    Valid when no toll is paid twice, since each boundary that must be crossed then belongs to one part."""
    own = pairs.where(pairs.among(matched, matrix.m))
    while True:
        part = label_components(matrix.m, pairs.upper, pairs.lower)
        gap = np.zeros(int(part.max()) + 1, np.int64)
        np.add.at(gap, part[own.upper], own.cost)
        is_within = pairs.cost <= gap[part[pairs.upper]]
        if is_within.all():
            return pairs
        pairs = pairs.where(is_within)


COMPLETE = 64  # up to this many players the complete graph is as fast
REACH = ((24, 6), (48, 12), (96, 48))  # cheapest partners and neighbours in rank: tried one after the other
FIRST_PAIRS = 4  # pairs that the solver gets first for each player, those with the least surplus
LIMIT = 300_000  # the most pairs that a proof may need
_SHARE_SWEEPS = 2
_FEW = 9  # of the square of the players, so large a part of the pairs is tried first: two ninths of all
_FEW_WEIGHED = 8  # the same before the pairs' other costs are worked out
_STARTS, _FLOAT_HEIGHT = COST_COMPONENTS.index("starts"), COST_COMPONENTS.index("float_height")
FALL_BACK = 400  # up to this many players the complete graph decides when the proof fails


@dataclass(frozen=True, slots=True)
class Matching:
    """A complete pairing."""

    pairs: tuple[tuple[int, int | None], ...]  # places in the field, the upper one first; second None: a bye
    cost: tuple[int, ...]  # the sum of each component
    proven: bool  # it is certain that the complete graph has no cheaper one


def find_cheapest_pairing(field: PairingField, request: DrawRequest) -> Matching:
    """Return the cheapest complete pairing. The number of players and bye vertices together is even."""
    if not field.n:
        return Matching((), (0,) * len(COST_COMPONENTS), True)
    # Even starts that come first and divide the field leave scores no bound on a pairing's cost.
    is_split = put_starts_first(request, field.n) and bool(2 * np.count_nonzero(field.balance) > field.n)
    cheapest = None
    if field.n - field.byes > COMPLETE and not is_split:
        cheapest = _match_reduced_graph(field, request)
    # On the complete graph the solver takes 4.4 s for 1,000 players, the whole draw by the reduced one 38 ms.
    if field.n > FALL_BACK:
        cheapest = cheapest or _match_wide_field(field, request)
    elif cheapest is None or not cheapest.proven:
        cheapest = _match_unspoilt_pairs(field, request, is_split) if is_split or field.n > COMPLETE else None
    return cheapest or match_complete_graph(field, request)


def _match_unspoilt_pairs(field: PairingField, request: DrawRequest, is_split: bool) -> Matching | None:
    """The cheapest pairing without a repeat, a forbidden opponent, another bye than is due, or uneven starts where even
    ones come first: nothing with one of these can be cheaper. None if there is no such pairing."""
    playing = np.delete(np.arange(field.n), field.resting)
    one, other = np.triu_indices(len(playing), 1)
    unspoilt = np.ones(field.n**2, np.bool_)
    unspoilt[field.forbidden_codes] = False
    # Where opponents may meet again, a repeat costs nothing and spoils no pairing.
    unspoilt[field.met_codes] &= request.repeats
    is_usable = unspoilt[field.code(playing[one], playing[other])]
    if put_starts_first(request, field.n):
        is_usable &= field.keep_even(playing[one], playing[other])
    one, other = one[is_usable], other[is_usable]
    if is_split and field.by_score and field.n > COMPLETE:
        edges = _choose_by_weight(field, request, playing, one, other)
    else:
        player_edges = build_player_edges(field, request, playing[one], playing[other])
        chosen = solve_matching(Edges(one, other, player_edges.costs), len(playing))
        edges = None if chosen is None else player_edges.where(chosen)
    return None if edges is None else _add_byes(field, request, edges, proven=True)


def _choose_by_weight(
    field: PairingField, request: DrawRequest, playing: IntArray, one: IntArray, other: IntArray
) -> Edges | None:
    """The cheapest pairing of all at the `playing` places from these pairs of them, whose starts come to the same in
    all pairings. The pairs that weigh least by score are tried first: none that weighs more than a whole pairing is in
    a cheaper one, as no weight is below 0."""
    # After an odd number of rounds half of the field may meet only the other half, and no score group bounds what a
    # pairing costs; of the pairs that keep starts even about one in three can matter.
    weight, few = weigh_scores(field, playing, one, other), len(playing) ** 2 // _FEW_WEIGHED
    most = int(np.partition(weight, few)[few]) if few < len(weight) else int(weight.max(initial=0))
    while True:
        usable = np.flatnonzero(weight <= most)
        edges = build_player_edges(field, request, playing[one[usable]], playing[other[usable]])
        costs = *edges.costs[:_STARTS], weight[usable], *edges.costs[_FLOAT_HEIGHT + 1 :]
        chosen = solve_matching(Edges(one[usable], other[usable], costs), len(playing), thin=True)
        if len(usable) == len(weight) or (chosen is not None and weight[usable[chosen]].sum() <= most):
            return None if chosen is None else edges.where(chosen)
        most = int(weight.max() if chosen is None else weight[usable[chosen]].sum())


def _add_byes(field: PairingField, request: DrawRequest, edges: Edges, proven: bool) -> Matching:
    """The pairing of everybody else, and the byes that are due."""
    if not field.byes:
        return build_matching(field, edges, proven)
    byes = build_bye_edges(field, request).where(field.resting + np.arange(field.byes) * field.n)
    return build_matching(field, join_edges(edges, byes), proven)


def match_complete_graph(field: PairingField, request: DrawRequest) -> Matching:
    """Return the cheapest complete pairing by looking at every possible pair."""
    edges = build_all_edges(field, request)
    chosen = solve_matching(edges, field.n + field.byes)
    if chosen is None:
        raise RuntimeError("the complete graph has no complete pairing")
    return build_matching(field, edges.where(chosen), proven=True)


def build_all_edges(field: PairingField, request: DrawRequest) -> Edges:
    """Every possible pair and bye."""
    upper, lower = np.triu_indices(field.n, 1)
    return join_edges(build_player_edges(field, request, upper, lower), build_bye_edges(field, request))


def _match_wide_field(field: PairingField, request: DrawRequest) -> Matching | None:
    """Return a cheap complete pairing of a field too large for the complete graph, repeats and all."""
    matrix = build_cost_matrix(field, request, np.arange(field.n))
    if matrix is None:
        return None
    near = find_near_pairs(matrix, *REACH[-1], at_any_cost=True)
    edges = join_edges(build_player_edges(field, request, near.upper, near.lower), build_bye_edges(field, request))
    chosen = solve_matching(edges, field.n + field.byes)
    return None if chosen is None else build_matching(field, edges.where(chosen), proven=False)


def _match_reduced_graph(field: PairingField, request: DrawRequest) -> Matching | None:
    """The cheapest pairing from few pairs; None if a repeat, forbidden opponent or second bye is in the way."""
    matrix = build_cost_matrix(field, request, np.delete(np.arange(field.n), field.resting))
    if matrix is None:
        return None
    for partners, neighbours in REACH:
        near = find_near_pairs(matrix, partners, neighbours)
        if len(np.union1d(near.upper, near.lower)) == matrix.m:
            price = calculate_prices(matrix, near)
            surplus = near.cost - price[near.upper] - price[near.lower]
            last = min(FIRST_PAIRS * matrix.m, len(surplus)) - 1
            for pairs in (near.where(surplus <= np.partition(surplus, last)[last]), near):
                if chosen := _solve_pairs(matrix, pairs):
                    return _prove_cheapest(matrix, price, pairs, chosen)
    return None


def _prove_cheapest(matrix: CostMatrix, price: IntArray, pairs: CandidatePairs, chosen: CandidatePairs) -> Matching:
    """Look for pairs left out that could matter; with them, if there are any, solve again."""
    useful = find_useful_pairs(matrix, price, chosen, LIMIT)
    if useful is not None and not useful.among(pairs, matrix.m).all():
        better = _solve_pairs(matrix, useful)
        if better is None:
            raise RuntimeError("the pairs that matter hold no complete pairing")
        chosen = better
    edges = build_player_edges(matrix.field, matrix.request, matrix.at[chosen.upper], matrix.at[chosen.lower])
    return _add_byes(matrix.field, matrix.request, edges, proven=useful is not None)


def _solve_pairs(matrix: CostMatrix, pairs: CandidatePairs) -> CandidatePairs | None:
    edges = build_player_edges(matrix.field, matrix.request, matrix.at[pairs.upper], matrix.at[pairs.lower])
    chosen = solve_matching(Edges(pairs.upper, pairs.lower, edges.costs), matrix.m)
    return None if chosen is None else pairs.where(chosen)


def build_matching(field: PairingField, edges: Edges, proven: bool) -> Matching:
    """These edges, which are a complete pairing, with the sums of their costs."""
    pairs = zip(edges.one.tolist(), edges.other.tolist(), strict=True)
    sums = tuple(int(component.sum()) for component in edges.costs)
    return Matching(tuple(sorted((one, other if other < field.n else None) for one, other in pairs)), sums, proven)


def build_matching_of_pairs(field: PairingField, edges: Edges, pairs: Iterable[tuple[int, int | None]]) -> Matching:
    """These pairs of places (None: a bye), whose edges are among those given; they need not be the cheapest."""
    # A vertex for each bye, whoever gets it.
    byes = itertools.count(field.n)
    ends = [(one, next(byes) if other is None else other) for one, other in pairs]
    number = {pair: number for number, pair in enumerate(zip(edges.one.tolist(), edges.other.tolist(), strict=True))}
    chosen = [number[min(pair), max(pair)] for pair in ends]
    return build_matching(field, edges.where(np.array(chosen, np.int64)), proven=False)


def rank_opponents(field: PairingField, edges: Edges) -> list[list[int]]:
    """Each player's possible opponents, the cheapest pair first."""
    opponents: list[list[int]] = [[] for _ in range(field.n)]
    ranked = np.lexsort(split_costs(edges, field.n + field.byes).parts[::-1])
    for one, other in zip(edges.one[ranked].tolist(), edges.other[ranked].tolist(), strict=True):
        if other < field.n:
            opponents[one].append(other)
            opponents[other].append(one)
    return opponents


def solve_matching(edges: Edges, vertices: int, *, thin: bool = False) -> IntArray | None:
    """Which edges make the cheapest complete pairing, or None; part by part, as the time grows with the square. `thin`:
    see `solve_numbered_edges`."""
    part = label_components(vertices, edges.one, edges.other)
    if (np.bincount(part) % 2).any():  # somebody is left over in an odd part, however long the solver looks
        return None
    costs = split_costs(edges, vertices)
    chosen: list[int] = []
    order = np.argsort(part[edges.one], kind="stable")
    for numbers in np.split(order, np.flatnonzero(np.diff(part[edges.one[order]])) + 1):
        solution = solve_numbered_edges(edges, numbers, costs, thin=thin)
        if solution is None:
            return None
        chosen += solution
    return np.array(sorted(chosen), np.int64)


def solve_numbered_edges(edges: Edges, numbers: IntArray, costs: SplitCosts, *, thin: bool = False) -> list[int] | None:
    """Return which of the numbered edges make the cheapest pairing of all their ends; None when there is none. `thin`:
    those that cost least above the shares of their ends are tried first, the others only if they can matter then."""
    one, other = edges.one[numbers], edges.other[numbers]
    present = np.bincount(np.concatenate((one, other))) > 0
    local = np.cumsum(present) - 1
    one, other, count = local[one], local[other], int(local[-1]) + 1
    own = _subtract_shares(one, other, costs.at(numbers), count)
    # What is left of a cost is never below 0: no edge that costs more than a whole pairing is in a cheaper one.
    reduced_costs, few = own.parts[0], count**2 // _FEW
    while thin and few < len(reduced_costs):
        affordable = np.flatnonzero(reduced_costs <= np.partition(reduced_costs, few)[few])
        solution = _solve_graph(one[affordable], other[affordable], own.at(affordable), count)
        if solution is None:
            break
        able = int(np.count_nonzero(reduced_costs <= sum(reduced_costs[affordable[solution]].tolist())))
        if able <= len(affordable):
            return [int(number) for number in numbers[affordable[solution]]]
        few = able
    solution = _solve_graph(one, other, own, count)
    return None if solution is None else [int(number) for number in numbers[solution]]


def _solve_graph(one: IntArray, other: IntArray, costs: SplitCosts, vertices: int) -> list[int] | None:
    """Which edges make the cheapest pairing of all vertices."""
    import rustworkx  # noqa: PLC0415  # slow to load, and only needed when a round is drawn

    # The library looks for the greatest sum. All complete pairings have as many pairs, so what is taken from the same
    # number costs least where most is left.
    liked = SplitCosts(tuple(part.max() - part for part in costs.parts), costs.widths).join()
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from(list(zip(one.tolist(), other.tolist(), liked, strict=True)))
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [graph.edge_indices_from_endpoints(*pair)[0] for pair in matching] if 2 * len(matching) == vertices else None


def _subtract_shares(one: IntArray, other: IntArray, costs: SplitCosts, vertices: int) -> SplitCosts:
    """Take from each pair's cost what its two players pay in any complete pairing, a share of each, about half of
    their cheapest pair. That changes the cost of every complete pairing by as much; the solver is through sooner
    where the pairs that matter cost about the same, down to the last bits."""
    first, *rest = costs.parts
    for _ in range(_SHARE_SWEEPS):
        share = _find_least(one, other, first, vertices) >> 1
        first = first - share[one] - share[other]
    if rest:
        width = costs.widths[1]
        joined = (np.minimum(first, 1 << PART_BITS - width) << width) + rest[0]
        share = _find_least(one, other, joined, vertices) >> 1
        first = first - (share >> width)[one] - (share >> width)[other]
        share &= (1 << width) - 1
        rest[0] = rest[0] - share[one] - share[other]
    return SplitCosts((first, *rest), costs.widths)


def _find_least(one: IntArray, other: IntArray, cost: IntArray, vertices: int) -> IntArray:
    """The cost of each vertex's cheapest pair."""
    least = np.full(vertices, np.iinfo(np.int64).max)
    np.minimum.at(least, one, cost)
    np.minimum.at(least, other, cost)
    return least
