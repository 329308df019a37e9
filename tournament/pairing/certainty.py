"""Pairs of the next round that come whatever the open games bring, by proof.

What the open games bring is taken result by result, as wins, draws and losses. By these the leading components of the
cost are known, those that do not ask for the order inside a score group. Among the pairings that are cheapest by these
the rest of the cost decides. Where none of them pairs anybody across the border of a set of players, a *block*, the
rest decides inside it by itself (else the block's pairs could be changed for cheaper ones), and all that counts is the
order around the block's players, or even around those near the pair alone. Blocks begin as the pairs in question and
grow by the pairings that cross their borders. Margins are spans, and level players come in either order, so that no
order that they bring is missing."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, groupby, islice, product
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tournament.pairing.byes import IntArray, measure_bye_distances
from tournament.pairing.choosing import takes_cheapest
from tournament.pairing.costs import COST_COMPONENTS, Edges, SplitCosts, build_method_field, build_player_edges
from tournament.pairing.drafting import number_players
from tournament.pairing.field import PairingField, build_pairing_history, measure_float_height
from tournament.pairing.matching import label_components, solve_matching, solve_numbered_edges
from tournament.pairing.outlook import UnplayedGame, arrange_orders
from tournament.pairing.values import DrawRequest, Method

Pair = frozenset[int]
"""Two opponents, or who has the bye, by their keys."""
Block = frozenset[int]
"""Players by their places in the table without the open games."""
BoolArray = npt.NDArray[np.bool_]

PROVEN_METHODS = (Method.SWISS, Method.KING_OF_THE_HILL, Method.FACTOR, Method.RANDOM)
CONSTANT, LEADING = COST_COMPONENTS.index("score"), COST_COMPONENTS.index("policy")
"""So many components of what two opponents cost are the same whatever the results; so many are known by wins."""
FORBIDDEN, REPEATS = COST_COMPONENTS.index("forbidden"), COST_COMPONENTS.index("repeats")
MOST_PLAYERS = 200  # the lots of a larger field, and pairings that are not proven the cheapest, are left alone
MOST_WORK = 45_000_000  # players times possible pairs times results of the open games: some seconds
MOST_ORDERS = 60  # around one block, for one result
MOST_MATCHES = 1_600  # of blocks, besides those known from other results
MOST_GUESTS = 2
_LARGEST_WEIGHT = 1 << 62


def prove_pairs(
    request: DrawRequest, spread: Mapping[int, int], games: Sequence[UnplayedGame], wanted: Collection[Pair]
) -> frozenset[Pair]:
    """Those of the wanted pairs that the round has for certain, by a table of wins, then spread, whose figures in
    `request` and `spread` are without the open games. Nothing is claimed that takes too long."""
    here = {player.key for player in request.competitors}
    open_games = [game for game in games if here & {game.first, game.second}]
    n = len(request.competitors)
    # A hundred players with five open games took forty seconds; a page that somebody waits for gets no proof instead.
    is_small = n <= MOST_PLAYERS and n * n * (n - 1) // 2 * 3 ** len(open_games) <= MOST_WORK
    if not is_small or request.method not in PROVEN_METHODS or request.given:
        return frozenset()
    proof = _PairProof(request, spread, open_games, wanted)
    try:
        return proof.find_certain()
    except OverflowError:
        return frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class _Result:
    """The table as far as the winners of the open games make it: half-wins, and between what each spread is."""

    half_wins: IntArray
    low: IntArray
    high: IntArray

    def find_above(self) -> BoolArray:
        """For any two players whether the first is above the second for certain."""
        score = self.half_wins[:, None] - self.half_wins
        certain: BoolArray = (score > 0) | ((score == 0) & (self.low[:, None] > self.high))
        return certain

    def find_order(self, player: int = 0, weight: float = 0.5) -> list[int]:
        """An order that may come, but for ties; `weight`: where between its ends the spread of one player is."""
        spread = (self.low + self.high) / 2
        spread[player] = self.low[player] + weight * (self.high[player] - self.low[player])
        order: list[int] = np.lexsort((-spread, -self.half_wins)).tolist()
        return order


@dataclass(frozen=True, slots=True, eq=False)
class _WeighedPairs:
    """Possible pairs, by places in the table without the open games, with their leading costs as one number each."""

    players: int
    one: IntArray
    other: IntArray
    weight: IntArray

    def match(self, liked: IntArray) -> IntArray:
        """Which of them make the cheapest complete matching; of equal ones the one whose pairs are liked most."""
        edges = Edges(self.one, self.other, ())
        # By more than there are pairs: what is liked decides only between matchings that cost the same.
        weights = SplitCosts((self.weight * (2 * self.players) - liked,), (0,))
        return np.array(solve_numbered_edges(edges, np.arange(len(self.one)), weights) or [], np.int64)

    def find_crossing(self, blocks: Collection[Block]) -> IntArray:
        """Which cross the border of a block: 1, or 0."""
        label = np.zeros(self.players, np.int64)
        for number, block in enumerate(blocks, 1):
            label[list(block)] = number
        crossing: IntArray = (label[self.one] != label[self.other]).astype(np.int64)
        return crossing

    def is_closed(self, blocks: Collection[Block]) -> bool:
        """Whether no cheapest matching crosses a border."""
        crossing = self.find_crossing(blocks)
        return not crossing[self.match(crossing)].any()

    def list_pairs(self, chosen: IntArray) -> set[Block]:
        """The players of these pairs."""
        return {frozenset(pair) for pair in zip(self.one[chosen].tolist(), self.other[chosen].tolist(), strict=True)}


def _add_up(costs: Sequence[IntArray], players: int) -> IntArray:
    """One whole number for each pair, whose sums compare as the components' sums do. Raises OverflowError."""
    # With room for what `match` multiplies the weights by, and for a sum over all pairs.
    weight, room = np.zeros(len(costs[0]), np.int64), 2 * players**2
    for component in costs:
        if most := int(component.max(initial=0)) * players:
            weight, room = weight * (most + 1) + component, room * (most + 1)
    if room > _LARGEST_WEIGHT:
        raise OverflowError(room)
    return weight


def _grow_blocks(pairs: _WeighedPairs, asked: Collection[Block]) -> tuple[list[Block], set[Block]]:
    """The smallest blocks found around these pairs that no cheapest matching crosses; and those of the pairs that some
    cheapest matching is without while it has the others, which are in no block."""
    home = pairs.match(-pairs.find_crossing(asked))
    lost = set(asked) - pairs.list_pairs(home)
    blocks = [pair for pair in asked if pair not in lost]
    while blocks:
        crossing = pairs.find_crossing(blocks)
        away = pairs.match(crossing)
        if not crossing[away].any():
            break
        # What the two matchings have differently are rings of players, each a way to change the first.
        both = np.concatenate((home, away))
        part = label_components(pairs.players, pairs.one[both], pairs.other[both])
        crossed = {int(number) for number in part[pairs.one[away[crossing[away] == 1]]]}
        # Blocks with a common player become one.
        joined: list[Block] = []
        for block in (*blocks, *[frozenset(np.flatnonzero(part == number).tolist()) for number in crossed]):
            common = [one for one in joined if one & block]
            joined = [one for one in joined if not one & block] + [block.union(*common)]
        blocks = joined
    return blocks, lost


class _UsefulPairs(NamedTuple):
    """Pairs by the places of both, with their leading costs as without the open games, and how many who are kept apart
    and repeats a complete pairing has at least."""

    apart: int
    repeats: int
    players: int
    one: IntArray
    other: IntArray
    costs: Sequence[IntArray]


@dataclass(frozen=True, slots=True, eq=False)
class _Draw:
    """A draw after a result: an order of the table, who is expected to have the bye, who has it, the useful pairs,
    who is `above` whom for certain, and whose order beside everybody is certain."""

    result: _Result
    order: list[int]
    resting: int | None
    bye: int | None
    useful: _UsefulPairs
    above: BoolArray
    settled: BoolArray


class _PairProof:
    """The pairs in question by places, fewer with each result that may be without one of them."""

    def __init__(
        self,
        request: DrawRequest,
        spread: Mapping[int, int],
        games: Sequence[UnplayedGame],
        wanted: Collection[Pair],
    ) -> None:
        self.request = number_players(request)
        self.past = build_pairing_history(request.meetings)
        self.players = sorted(request.competitors, key=lambda player: player.rank)
        self.place = {player.key: place for place, player in enumerate(self.players)}
        self.half_wins = np.array([player.half_wins for player in self.players], np.int64)
        self.spread = np.array([spread[player.key] for player in self.players], np.int64)
        self.games = games
        self.left = {frozenset(self.place[key] for key in pair) for pair in wanted}
        self.field = self._build_field(self.half_wins, range(len(self.players)))
        self.blocks: list[Block] = []  # of the result before
        self.matches_left = MOST_MATCHES
        self.known_useful: dict[int | None, _UsefulPairs] = {}
        self.known_matches: dict[tuple[object, ...], set[Block]] = {}

    def find_certain(self) -> frozenset[Pair]:
        """The pairs that no result is without."""
        # A draw that looks ahead may take another pairing than the cheapest, of which nothing is proven here.
        if not takes_cheapest(self.field, self.past, self.request):
            return frozenset()
        for outcome in product((2, 0, 1), repeat=len(self.games)):
            result = self._end_games(outcome)
            for draw in self._list_draws(result) if self.left else ():
                self._check_draw(draw)
        return frozenset(frozenset(self.players[place].key for place in pair) for pair in self.left)

    def _end_games(self, outcome: Sequence[int]) -> _Result:
        """The table by the half-wins that the games' first players get."""
        half_wins, low, high = self.half_wins.copy(), self.spread.copy(), self.spread.copy()
        for game, won in zip(self.games, outcome, strict=True):
            for key, more in ((game.first, won), (game.second, 2 - won)):
                if (place := self.place.get(key)) is not None:
                    half_wins[place] += more
                    # By the half-wins: lost by no more than counts, drawn, or won by one point at least.
                    low[place] += (-game.most, 0, 1)[more]
                    high[place] += (-1, 0, game.most)[more]
        return _Result(half_wins, low, high)

    def _build_field(self, half_wins: IntArray, order: Sequence[int]) -> PairingField:
        ranked = [
            replace(self.players[place], rank=rank, half_wins=int(half_wins[place]))
            for rank, place in enumerate(order, 1)
        ]
        return build_method_field(ranked, len(ranked) % 2, self.past, self.request)

    def _find_useful(self, bye: int | None) -> _UsefulPairs:
        """The pairs of all others that the cheapest pairings can have: what no result changes is no dearer in them."""
        if bye not in self.known_useful:
            n = len(self.players)
            one, other = np.triu_indices(n, 1)
            there = np.flatnonzero((one != bye) & (other != bye)) if bye is not None else np.arange(len(one))
            costs = build_player_edges(self.field, self.request, one, other).costs[:LEADING]
            weight = _add_up([component[there] for component in costs[:CONSTANT]], n)
            matched = there[_WeighedPairs(n, one[there], other[there], weight).match(np.zeros_like(weight))]
            sums = [int(component[matched].sum()) for component in costs[:CONSTANT]]
            for component, total in zip(costs, sums, strict=False):
                # What the cheapest pairing pays nothing for, no cheapest one pays for: the pairs that cost some are in
                # none of them.
                there = there if total else there[component[there] == 0]
            own_costs = [component[there] for component in costs]
            self.known_useful[bye] = _UsefulPairs(
                sums[FORBIDDEN], sums[REPEATS], n, one[there], other[there], own_costs
            )
        return self.known_useful[bye]

    # The bye: who is expected to get it, which counts when score groups are halved, and who gets it.

    def _list_draws(self, result: _Result) -> Iterator[_Draw]:
        """The ways in which the bye may come: who is expected to get it, and who gets it. Where no order is found in
        which somebody is expected to, nothing is certain."""
        above = result.find_above()
        by_lot = self.request.method is Method.RANDOM  # which does not ask for the order
        settled = ((above | above.T).sum(axis=0) == len(above) - 1) | by_lot
        if len(above) % 2 == 0:
            yield _Draw(result, result.find_order(), None, None, self._find_useful(None), above, settled)
            return
        had = self.field.had_byes.tolist()
        useful = map(self._find_useful, range(len(had)))
        costs = [(pairs.apart, byes, pairs.repeats) for pairs, byes in zip(useful, had, strict=True)]
        able = {place for place, cost in enumerate(costs) if cost == min(costs)}
        for resting in self._find_next(result, {place for place, byes in enumerate(had) if byes == min(had)}):
            orders = (result.find_order(resting, weight) for weight in (0, 0.5, 1))
            order = next(
                (one for one in orders if one[int(self._build_field(result.half_wins, one).resting[0])] == resting),
                None,
            )
            if order is None:
                self.left = set()
                return
            for bye in (resting,) if resting in able else self._find_next(result, able):
                yield _Draw(result, order, resting, bye, self._find_useful(bye), above, settled)

    def _find_next(self, result: _Result, among: Collection[int]) -> list[int]:
        """The places among these who may be the first in line for the bye by the policy."""
        above = result.find_above()
        wish = measure_bye_distances(np.arange(len(self.players)), self.request)
        ends = zip(above.sum(axis=0).tolist(), (len(above) - above.sum(axis=1)).tolist(), strict=True)
        reach = {place: wish[first:last] for place, (first, last) in enumerate(ends) if place in among}
        surest = min(int(distances.max()) for distances in reach.values())
        return [place for place, distances in reach.items() if distances.min() <= surest]

    # One result, and one way in which the bye comes.

    def _check_draw(self, draw: _Draw) -> None:
        """Leave out the pairs that the draw may be without."""
        resting = frozenset(() if draw.bye is None else (draw.bye,))
        self.left = {pair for pair in self.left if pair == resting or (len(pair) > 1 and not pair & resting)}
        pairs_asked = self.left - {resting}
        pairs = self._weigh_pairs(draw)
        # The blocks of the result before may be closed here as well: then none has to be grown anew.
        if all(any(pair <= block for block in self.blocks) for pair in pairs_asked) and pairs.is_closed(self.blocks):
            pairs_asked = self._find_loose(draw, pairs, self.blocks)
        if pairs_asked:
            self.blocks, lost = _grow_blocks(pairs, self.left - {resting})
            self.left -= lost
            self.left -= self._find_loose(draw, pairs, self.blocks)

    def _weigh_pairs(self, draw: _Draw) -> _WeighedPairs:
        """The useful pairs with their leading costs, those known by wins anew."""
        useful, costs = draw.useful, list(draw.useful.costs)
        if self.field.by_score:
            one, other = draw.result.half_wins[useful.one], draw.result.half_wins[useful.other]
            costs[CONSTANT : CONSTANT + 2] = (one - other) ** 2, measure_float_height(one, other)
        return _WeighedPairs(useful.players, useful.one, useful.other, _add_up(costs, useful.players))

    def _find_loose(self, draw: _Draw, pairs: _WeighedPairs, blocks: Sequence[Block]) -> set[Block]:
        """Which pairs in question may not come, whatever else: their blocks can be matched without them."""
        loose: set[Block] = set()
        for block in blocks:
            pairs_asked = {pair for pair in self.left if len(pair) > 1 and pair < block}
            orders = self._list_orders(draw, block) if pairs_asked else []
            if orders is None:
                loose |= {pair for pair in pairs_asked if not self._stands_beside_others(draw, pairs, block, pair)}
            for order in orders or ():
                loose |= pairs_asked - self._match_block(draw, order, block, pairs_asked)
        return loose

    def _list_orders(self, draw: _Draw, block: Block) -> list[list[int]] | None:
        """Every order that may come, as far as the block's players have others around them whose order is open; None if
        these are too many."""
        scores = draw.result.half_wins.tolist()
        is_open = {scores[one] for one in block if not draw.settled[one]}
        ways = []
        for score, members in groupby(draw.order, key=lambda place: scores[place]):
            group = tuple(members)
            over = {one: [other for other in group if draw.above[other, one]] for one in group}
            ways.append(list(islice(arrange_orders(group, over), MOST_ORDERS + 1)) if score in is_open else [group])
        return [list(chain(*way)) for way in product(*ways)] if prod(map(len, ways)) <= MOST_ORDERS else None

    def _stands_beside_others(self, draw: _Draw, pairs: _WeighedPairs, block: Block, pair: Block) -> bool:
        """Whether the pair comes whatever becomes of the block's players whose order is open: the players around it
        whose order is known are matched with each other, and with the same *guests* from the block as cheaply as can
        be, whoever those are."""
        side = self._find_settled_side(draw, block, pair)
        if not draw.settled[list(side)].all():
            return False
        crossing = pairs.find_crossing([side])
        most = int(crossing[pairs.match(crossing)].sum())
        if most > MOST_GUESTS:
            return False
        guests: set[int] = set()
        while new := self._find_guests(pairs, side, guests):
            guests |= new
        for count in range(len(side) % 2, most + 1, 2):
            for chosen in combinations(sorted(guests), count):
                orders = self._place_guests(draw, chosen)
                if orders is None or any(
                    not self._match_block(draw, order, side.union(chosen), {pair}, chosen) for order in orders
                ):
                    return False
        return True

    def _find_settled_side(self, draw: _Draw, block: Block, pair: Block) -> Block:
        """The block's players in the score groups of the pair and those next to them, up to and down to the first in
        which somebody's order is open; the pair alone where it is among those."""
        scores = draw.result.half_wins.tolist()
        ends = [scores[one] for one in pair]
        is_open = {scores[one] for one in block if not draw.settled[one]}
        if any(min(ends) <= score <= max(ends) for score in is_open):
            return pair
        floor = max((score for score in is_open if score < min(ends)), default=-1)
        ceiling = min((score for score in is_open if score > max(ends)), default=max(scores) + 1)
        return frozenset(one for one in block if floor < scores[one] < ceiling)

    def _find_guests(self, pairs: _WeighedPairs, side: Block, known: Collection[int]) -> set[int]:
        """Players beyond the side, besides those known, whom a cheapest matching pairs with somebody of it."""
        crossing = pairs.find_crossing([side]) & ~np.isin(pairs.one, list(known)) & ~np.isin(pairs.other, list(known))
        chosen = pairs.match(crossing)
        return {one for pair in pairs.list_pairs(chosen[crossing[chosen] == 1]) for one in pair - side}

    def _place_guests(self, draw: _Draw, guests: Sequence[int]) -> list[list[int]] | None:
        """The order with the guests at every place of their score groups; None if these are too many."""
        scores = draw.result.half_wins.tolist()
        orders = [draw.order]
        for guest in guests:
            rest = [[place for place in order if place != guest] for order in orders]
            orders = [
                [*order[:at], guest, *order[at:]]
                for order in rest
                for at in range(len(order) + 1)
                if all(scores[place] >= scores[guest] for place in order[:at])
                and all(scores[place] <= scores[guest] for place in order[at:])
            ]
        return orders if len(orders) <= MOST_ORDERS else None

    def _match_block(
        self, draw: _Draw, order: list[int], block: Block, asked: set[Block], guests: Sequence[int] = ()
    ) -> set[Block]:
        """The pairs that every cheapest matching of the block contains in this order, whatever the lots; guests are not
        matched with each other."""
        at = np.flatnonzero(np.isin(order, list(block)))
        places, score = np.array(order)[at], draw.result.half_wins[order]
        ends = [np.searchsorted(-score, -score[at], side) for side in ("left", "right")]
        field = None if draw.resting is None else self._build_field(draw.result.half_wins, order)
        resting = field.resting.tolist() if field else []
        if resting and order[resting[0]] != draw.resting:
            return asked  # looked at where that one rests
        # All that the answer hangs on, as bytes, since an array is no key: a result that leaves it alone asks nothing
        # anew.
        figures = b"".join(array.tobytes() for array in (places, at, score[at], *ends))
        key = frozenset(asked), tuple(guests), tuple(resting), draw.bye, figures
        if key not in self.known_matches:
            # Nothing is claimed rather than too much: a pair that is not proven in time counts as one that may not
            # come.
            if self.matches_left <= 0:
                return set()
            self.matches_left -= 1
            field = field or self._build_field(draw.result.half_wins, order)
            there = np.zeros((draw.useful.players, draw.useful.players), np.bool_)
            there[draw.useful.one, draw.useful.other] = there[draw.useful.other, draw.useful.one] = True
            self.known_matches[key] = self._match_places(field, there, at, places, asked, guests)
        return self.known_matches[key]

    def _match_places(
        self,
        field: PairingField,
        useful: BoolArray,
        at: IntArray,
        places: IntArray,
        asked: set[Block],
        guests: Sequence[int],
    ) -> set[Block]:
        upper, lower = np.triu_indices(len(at), 1)
        there = useful[places[upper], places[lower]] & ~(
            np.isin(places[upper], guests) & np.isin(places[lower], guests)
        )
        upper, lower = upper[there], lower[there]
        # Without the lot: what a lot alone decides is not taken for certain. In its place stands that a pair in
        # question is avoided where that costs nothing, so that those left are in every cheapest matching.
        *costs, _lot = build_player_edges(field, self.request, at[upper], at[lower]).costs
        pairs = list(map(frozenset, zip(places[upper].tolist(), places[lower].tolist(), strict=True)))
        avoided = np.array([pair in asked for pair in pairs], np.int64)
        chosen = solve_matching(Edges(upper, lower, (*costs, avoided)), len(at))
        if chosen is None:  # these guests cannot come
            return asked
        matched = asked & {pairs[number] for number in chosen.tolist()}
        if matched == asked or len(asked) == 1:
            return matched
        # Of several that cost the same, each may have another one of the pairs.
        return set().union(*(self._match_places(field, useful, at, places, {pair}, guests) for pair in matched))
