"""The last rounds: whoever stands on a place with a prize meets somebody who can still hope for it, so that nobody is
shut out; all others are paired as in Swiss rounds. Who can hope is found by simulating the rest of the event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import sqrt
from typing import NamedTuple

from scoring.simulation import Situation, count_places, simulate_endings
from tournament.pairing.choosing import MethodPairs, pair_by_matching
from tournament.pairing.costs import COST_COMPONENTS, put_starts_first
from tournament.pairing.field import PairingHistory
from tournament.pairing.seating import count_least_excess, measure_start_excess
from tournament.pairing.values import (
    ChosenPair,
    Competitor,
    Contender,
    DrawRequest,
    Method,
    PairFlag,
    PrizeContest,
    StartPolicy,
)

# Their size matters little: with 2 to 20 % in either of two rounds somebody was shut out in 7.2 to 8.2 % of 1,000
# simulated events; only 30 % in the first of them made it 11.3.
THRESHOLDS = (0.10, 0.10, 0.05, 0.02, 0.01)
"""By rounds left: in how large a share of the simulated endings somebody has to reach a place to be hopeful for it."""
LARGEST_MARGIN = 250  # in a simulated game
FEWEST_RUNS = 4000
NORMAL_99 = 2.576  # standard errors on either side of a share within which the true one lies in 99 of 100 cases


@dataclass(frozen=True, slots=True)
class Hopes:
    """Of each player the share of simulated endings at each prize place or better, the first place first."""

    shares: Mapping[int, tuple[float, ...]]
    runs: int
    threshold: float

    def is_hopeful(self, key: int, place: int) -> bool:
        """Whether the player still ends at that place or better often enough."""
        return self.shares[key][place - 1] >= self.threshold

    def find_lowest(self, contest: PrizeContest, place: int) -> int | None:
        """The lowest of the table who is hopeful for the place, below whoever stands there."""
        below = [row.key for row in contest.table[place:]]
        return next((key for key in reversed(below) if self.is_hopeful(key, place)), None)


def is_safe(contest: PrizeContest, place: int) -> bool:
    """Whether it is proven that who stands at the place keeps it or does better: even if all that is left is lost, and
    as badly as can be, fewer than `place` others can get ahead, whoever meets whom."""
    mine, rounds = contest.table[place - 1], contest.rounds_left
    # A bye may be credited with more than the cap lets a game count.
    caps = [max(cap, contest.bye_spread) for cap in contest.caps if cap is not None]
    # Only where margins of all games to come are capped: an open game of an earlier round may have any margin.
    is_bounded = contest.by_spread and len(caps) == rounds and not any(row.owed for row in contest.table)
    ahead = 0
    for row in contest.table:
        playing = [not contender.withdrawn for contender in (mine, row)]
        # Both can move: in each round left one may lose by the cap while the other wins by it.
        is_below = is_bounded and mine.spread - row.spread > sum(caps) * sum(playing)  # if they are level in wins
        reached = row.half_wins + 2 * (row.owed + rounds * playing[1])
        # Whoever cannot catch up in spread needs half a win more than to be level.
        ahead += row.key != mine.key and reached >= mine.half_wins + is_below
    return ahead < place


def find_hopes(contest: PrizeContest, past: PairingHistory, request: DrawRequest) -> Hopes:
    """Simulate the rest of the event until the lowest hopeful players are known to be so, or as often as is allowed."""
    playing = {player.key for player in request.competitors}
    caps = tuple(LARGEST_MARGIN if cap is None else min(cap, LARGEST_MARGIN) for cap in contest.caps)
    keys = [row.key for row in contest.table]
    situation = Situation(
        half_wins=tuple(row.half_wins for row in contest.table),
        spread=tuple(row.spread for row in contest.table),
        caps=caps,
        playing=tuple(key in playing for key in keys),
        byes=tuple(past.record(key).byes for key in keys),
        starts=tuple(past.record(key).balance for key in keys),
        balanced=request.starts is StartPolicy.BALANCED,
        bye_spread=contest.bye_spread,
    )
    threshold, places = THRESHOLDS[min(contest.rounds_left, len(THRESHOLDS)) - 1], min(contest.places, len(keys))
    runs = min(FEWEST_RUNS, contest.most_runs)
    counts = count_endings(situation, places, runs, request.seed, 0)
    while True:
        shares = {key: tuple(count / runs for count in row) for key, row in zip(keys, counts, strict=True)}
        hopes = Hopes(shares, runs, threshold)
        more = min(runs, contest.most_runs - runs)
        if more <= 0 or not any(_is_close(hopes, contest, place) for place in range(1, places + 1)):
            return hopes
        added = count_endings(situation, places, more, request.seed, runs)
        # Further runs go on where the last ones ended (`skip`): the luck is the same, whether the first runs were
        # enough or not.
        counts = tuple(tuple(map(sum, zip(*both, strict=True))) for both in zip(counts, added, strict=True))
        runs += more


def _is_close(hopes: Hopes, contest: PrizeContest, place: int) -> bool:
    """Whether the share of the lowest hopeful player might be below the threshold after all."""
    lowest = hopes.find_lowest(contest, place)
    if lowest is None:
        return False
    share = hopes.shares[lowest][place - 1]
    return share - NORMAL_99 * sqrt(share * (1 - share) / hopes.runs) < hopes.threshold


@lru_cache(maxsize=16)
def count_endings(situation: Situation, places: int, runs: int, seed: int, skip: int) -> tuple[tuple[int, ...], ...]:
    """In how many runs each player ends at each place or better. Cached, as the reasons ask again."""
    counts = count_places(simulate_endings(situation, runs, seed, skip), places)
    return tuple(map(tuple, counts.tolist()))


def pair_for_prizes(rest: Sequence[Competitor], past: PairingHistory, request: DrawRequest) -> MethodPairs:
    """The pairs for the prizes, and the others as in a Swiss round."""
    swiss = replace(request, method=Method.SWISS)
    without = pair_by_matching(rest, past, swiss)
    if request.contest is None or len(rest) < 2:  # two make a pair
        return without
    return _ContestedRound(rest, past, swiss, request.contest, without).pair()


class _Troubles(NamedTuple):
    """Forbidden pairs, second byes, repeats and uneven starts, as a pairing's cost counts them."""

    forbidden: int
    byes: int
    repeats: int
    starts: int


class _ContestedRound:
    """A round whose prize places are filled one after the other, from the top."""

    def __init__(
        self,
        rest: Sequence[Competitor],
        past: PairingHistory,
        request: DrawRequest,
        contest: PrizeContest,
        without: MethodPairs,
    ) -> None:
        self.rest, self.past, self.request, self.contest = rest, past, request, contest
        self.byes = [pair for pair in without.choices if pair.second is None]
        self.found, self.starts_first = without, put_starts_first(request, len(rest))
        self.least = self._read_troubles(without, ())
        resting = {pair.first for pair in self.byes}
        self.open = {player.key for player in rest} - resting
        self.is_last = request.round >= request.rounds
        self.apart = {frozenset(both) for both in request.forbidden}
        self.chosen: list[ChosenPair] = []

    @cached_property
    def hopes(self) -> Hopes:
        return find_hopes(self.contest, self.past, self.request)

    def pair(self) -> MethodPairs:
        """All pairs of the round that are not given."""
        for place in range(1, min(self.contest.places, len(self.contest.table)) + 1):
            holder = self.contest.table[place - 1].key
            if holder in self.open and not is_safe(self.contest, place):
                self._fill(place, holder)
        # A leader who is safe and left to Swiss meets nobody who may still come second, where nothing else suffers.
        leader = self.contest.table[0].key
        if leader in self.open and self.contest.places > 1 and is_safe(self.contest, 1):
            others = [row for row in self.contest.table[1:] if row.key in self.open]
            spared = {(leader, row.key) for row in others if self._can_reach(row, 2)}
            spared_request = replace(self.request, forbidden=self.request.forbidden | spared)
            draft = self._pair_others(self.chosen, spared_request)
            if self._read_troubles(draft, self.chosen) <= self._read_troubles(self.found, self.chosen):
                self.found = draft
        return replace(self.found, choices=[*self.chosen, *self.found.choices])

    def _fill(self, place: int, holder: int) -> None:
        """Set the place's holder against the first of those who may that leaves all others a pairing as good: without
        more repeats, and with starts as even; else the first that does least harm. Only for the first place do starts
        become more uneven than they must."""
        best: tuple[tuple[bool, int], ChosenPair, MethodPairs] | None = None
        # Below stand those without an opponent who can reach the place, as they are wanted: in the last round the
        # nearest in wins first, of these those met least, for who has just met the holder has had that chance.
        # Before, for the first place those met least, of these the lowest; for others the nearest.
        below = [
            row
            for row in self.contest.table[place:]
            if row.key in self.open and frozenset((holder, row.key)) not in self.apart and self._can_reach(row, place)
        ]
        times_met = {row.key: len(self.past.between(holder, row.key)) for row in below}
        if self.is_last:
            below.sort(key=lambda row: (-row.half_wins, times_met[row.key]))
        elif place == 1:
            below.reverse()
            below.sort(key=lambda row: times_met[row.key])
        for other in [row.key for row in below]:
            pair = ChosenPair(holder, other, PairFlag.CONTENDER, None)
            # Asked first, as it needs no pairing of all others. Uneven starts for every place shut out hardly fewer.
            if place > 1 and self._count_uneven([*self.chosen, pair]) > self.least.starts:
                continue
            draft = self._pair_others([*self.chosen, pair], self.request)
            now = self._read_troubles(draft, [*self.chosen, pair])
            harm = now.repeats > self.least.repeats, max(0, now.starts - self.least.starts)
            if now[:2] <= self.least[:2] and not (place > 1 and harm[1]) and (best is None or harm < best[0]):
                best = harm, pair, draft
                if not any(harm):
                    break
        if best is not None:
            self.found = best[2]
            self.chosen.append(best[1])
            self.open -= best[1].keys
            # What this pair costs is no longer held against the places below, which could all be refused for it.
            self.least = _Troubles(*map(max, self.least, self._read_troubles(self.found, self.chosen)))

    def _count_uneven(self, pairs: Sequence[ChosenPair]) -> int:
        """How far beyond one from even the pairs, and all others at least, leave their players."""
        if not self.starts_first:
            return 0
        paired_keys = {key for pair in (*pairs, *self.byes) for key in pair.keys}
        rest = [self.past.record(player.key).balance for player in self.rest if player.key not in paired_keys]
        return self._measure_starts(pairs) + count_least_excess(rest)

    def _measure_starts(self, pairs: Sequence[ChosenPair]) -> int:
        """How far beyond one from even the pairs leave their players."""
        if not self.starts_first:
            return 0
        both = [[self.past.record(key).balance for key in pair.keys] for pair in pairs]
        return sum(min(measure_start_excess(*seats), measure_start_excess(*seats[::-1])) for seats in both)

    def _can_reach(self, row: Contender, place: int) -> bool:
        """Whether somebody is hopeful for the place; in the last round, whether a win brings them level with it."""
        # Simulated endings pair the last round 1–2, 3–4: a third with as many wins as the second never met the leader
        # in them, had no hope, and won without being first. So nothing is simulated for it, and the outlook can try
        # every order of the table.
        if not self.is_last:
            return self.hopes.is_hopeful(row.key, place)
        reached = row.half_wins + 2 * (row.owed + self.contest.rounds_left)
        return reached >= self.contest.table[place - 1].half_wins

    def _pair_others(self, chosen: Sequence[ChosenPair], request: DrawRequest) -> MethodPairs:
        """All others, the byes of the Swiss round as they are."""
        paired_keys = {key for pair in (*chosen, *self.byes) for key in pair.keys}
        others = [player for player in self.rest if player.key not in paired_keys]
        draft = pair_by_matching(others, self.past, replace(request, given=(*request.given, *chosen, *self.byes)))
        return replace(draft, choices=[*draft.choices, *self.byes])

    def _read_troubles(self, found: MethodPairs, chosen: Sequence[ChosenPair]) -> _Troubles:
        """What the pairing of all others costs, and the pairs for a prize."""
        cost = dict(zip(COST_COMPONENTS, found.cost, strict=False))
        forbidden, byes, repeats, starts = (cost.get(name, 0) for name in _Troubles._fields)
        return _Troubles(forbidden, byes, repeats, starts + self._measure_starts(chosen))
