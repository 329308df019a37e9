"""The Australian draw: the top of the table is settled first.

From the first place down, each player meets the highest placed of those left whom they have not met, as long as
everybody else can be paired as well as without that: nobody meets again who need not. King of the hill looks at the
whole table at once instead, and first at wins: it lets the first meet the third where that brings others nearer
together."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

from tournament.pairing.choosing import MethodPairs, pair_by_matching
from tournament.pairing.costs import COST_COMPONENTS
from tournament.pairing.field import PairingHistory, measure_repeats
from tournament.pairing.values import ChosenPair, Competitor, DrawRequest


class Burden(NamedTuple):
    """What weighs more than the order of the table, as a pairing's cost counts it: pairs who are to be kept apart,
    repeats, and pairs of one club."""

    forbidden: int = 0
    repeats: int = 0
    clubs_apart: int = 0

    def plus(self, other: "Burden") -> "Burden":
        """Both together."""
        return Burden(*map(sum, zip(self, other, strict=True)))


def pair_from_top(rest: Sequence[Competitor], past: PairingHistory, request: DrawRequest) -> MethodPairs:
    """Pair these players from the top of the table down; the byes go where they would by any method. Raises
    RequestImpossible where a bye has to be named."""
    # The top comes before the rounds to come: a pairing that spares opponents for these would take it apart again.
    request = replace(request, later=())
    best = draw = pair_by_matching(rest, past, request)
    least, spent = _read_burden(best), Burden()
    byes = [pair for pair in best.choices if pair.second is None]
    resting = {pair.first for pair in byes}
    ranked = sorted((player for player in rest if player.key not in resting), key=attrgetter("rank"))
    games: list[ChosenPair] = []
    while ranked:
        upper, *lower = ranked
        partner = next(key for pair in draw.choices if upper.key in pair.keys for key in pair.keys - {upper.key})
        for other in lower:
            others = [player for player in lower if player is not other]
            together = spent.plus(_measure_pair(upper, other, past, request))
            if other.key == partner:  # the last draw has them meet already, and everybody else as well off
                break
            if together <= least:
                attempt = pair_by_matching(others, past, request)
                if together.plus(_read_burden(attempt)) <= least:
                    draw = attempt
                    break
        # The loop always ends by a `break`: the partner of the last draw is among those below.
        games.append(ChosenPair(upper.key, other.key, None, None))
        spent, ranked = together, others
    return MethodPairs([*games, *byes], best.cost, best.proven, best.notes)


def _read_burden(draw: MethodPairs) -> Burden:
    cost = dict(zip(COST_COMPONENTS, draw.cost, strict=True))
    return Burden(*(cost[name] for name in Burden._fields))


def _measure_pair(one: Competitor, other: Competitor, past: PairingHistory, request: DrawRequest) -> Burden:
    both = {(one.key, other.key), (other.key, one.key)}
    rounds = request.list_recent(meeting.round for meeting in past.between(one.key, other.key))
    return Burden(
        forbidden=int(bool(both & request.forbidden)),
        repeats=0 if request.repeats else measure_repeats(rounds, request.round),
        clubs_apart=int(request.clubs_apart and one.club is not None and one.club == other.club),
    )
