"""Why two do not meet: the round paired again with that pair held, and what that would cost, component by component."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tournament.pairing.byes import measure_earlier_byes
from tournament.pairing.costs import COST_COMPONENTS, build_method_field, build_player_edges
from tournament.pairing.drafting import draw_without_reasons
from tournament.pairing.facts import FALLBACK_METHODS
from tournament.pairing.field import build_pairing_history
from tournament.pairing.values import ByePolicy, ChosenPair, Competitor, DrawRequest, PairFlag

COMPARED_COMPONENTS = (
    "schedule",  # games of a schedule that are not played
    "contest",  # games for a prize that are not played
    "forbidden",  # pairs who are to be kept apart
    "byes",  # squares of the byes had so far by those who get one
    "repeats",  # squares of how often opponents have played each other, as far as that stands in the way
    "again_at_once",  # opponents who played each other in the round before
    "bye_policy",  # how far the bye is from its place
    "starts",  # how far starts and replies get from even, where that comes before the score
    "score",  # squares of the differences in half wins
    "float_height",  # the better player's half wins, of those whose scores differ
    "club",  # pairs of one club
    "policy",  # how far from what the method wants
    "starts_last",  # the same where it comes last
    "tidiness",  # how far from what the method wants to the place
)
"""What is compared, the weightiest first, each as a sum over the round."""
MEASURED_BY_CORE = ("bye_policy", "starts", "score", "float_height", "policy", "starts_last", "tidiness")


@dataclass(frozen=True, slots=True)
class CostDifference:
    """A component in which the two pairings differ: by how much the held one costs more, and whose pairs make it so."""

    component: str
    by: int
    who: tuple[tuple[int, ...], ...]  # pairs, and whoever has a bye


@dataclass(frozen=True, slots=True)
class CostComparison:
    """The costs of the round as it is and with the pair held, and where they differ, the weightiest first."""

    paired: tuple[int, ...]
    held: tuple[int, ...]
    differs: tuple[CostDifference, ...]


def compare_pairings(request: DrawRequest, stored: Sequence[ChosenPair], one: int, other: int) -> CostComparison:
    """Compare the round as `stored` with the cheapest in which the two meet; who else is set by hand stays so. Raises
    RequestImpossible with what stands in the way."""
    fixed = [
        pair for pair in stored if pair.flag in (PairFlag.MANUAL, PairFlag.LOCKED) and not pair.keys & {one, other}
    ]
    held = replace(request, given=(*fixed, ChosenPair(one, other, starter_by=None)))
    # Whoever asks names no bye: with the policy as it is, each question about an odd field would be refused for want of
    # one.
    if held.bye_policy is ByePolicy.BY_HAND:
        held = replace(held, bye_policy=ByePolicy.LOWEST)
    bound = {key for pair in fixed for key in pair.keys}
    ruler = _CostRuler(replace(held, given=()), [player for player in request.competitors if player.key not in bound])
    # Both pairings are measured by the same ruler: a draw's own cost leaves out the pairs that it was given.
    now = {pair.keys for pair in stored}
    then = {pair.keys for pair in draw_without_reasons(held).pairs}
    missed = {pair.keys for pair in stored if pair.group is not None} - then
    before, after = ruler.measure(now), ruler.measure(then)
    missed_prizes = {pair.keys for pair in stored if pair.flag is PairFlag.CONTENDER} - then
    after["schedule"], after["contest"] = len(missed), len(missed_prizes)
    differs = []
    for name in COMPARED_COMPONENTS:
        if by := after[name] - before[name]:
            lost = {"schedule": missed, "contest": missed_prizes}
            who = lost[name] if name in lost else ruler.list_concerned(name, then - now if by > 0 else now - then)
            differs.append(CostDifference(name, by, tuple(sorted(tuple(sorted(keys)) for keys in who))))
    paired, costs = (tuple(side[name] for name in COMPARED_COMPONENTS) for side in (before, after))
    return CostComparison(paired, costs, tuple(differs))


class _CostRuler:
    """Measures complete pairings of the players whom the director has not bound."""

    def __init__(self, request: DrawRequest, players: Sequence[Competitor]) -> None:
        self.request = replace(request, method=FALLBACK_METHODS.get(request.method, request.method))
        self.past = build_pairing_history(request.meetings)
        self.players = players
        self.clubs = {player.key: player.club for player in players}
        self.half_wins = {player.key: player.half_wins for player in players}

    def measure(self, pairs: Iterable[frozenset[int]]) -> dict[str, int]:
        """Each component's sum over those pairs whose players are measured."""
        mine = [keys for keys in pairs if keys <= self.clubs.keys()]
        games = [keys for keys in mine if len(keys) == 2]
        resting = [key for keys in mine for key in keys if len(keys) == 1]
        counted = {name: len(self.list_concerned(name, games)) for name in ("forbidden", "again_at_once", "club")}
        met = [self._list_meetings(keys) for keys in games]
        # What the matching core counts, in units of its own.
        players = build_method_field(self.players, len(resting), self.past, self.request)
        place = {player.key: at for at, player in enumerate(players.players)}
        # Two columns also where there is no game: an empty array would have none.
        ends = np.array([sorted(place[key] for key in keys) for keys in games], np.int64).reshape(-1, 2)
        edges = build_player_edges(players, self.request, ends[:, 0], ends[:, 1])
        sums = {name: int(edge_costs.sum()) for name, edge_costs in zip(COST_COMPONENTS, edges.costs, strict=True)}
        sums["bye_policy"] = int(players.bye_wish[[place[key] for key in resting]].sum())
        return {
            "schedule": 0,
            "contest": 0,
            **counted,
            "byes": sum(measure_earlier_byes(self.past.record(key).byes) for key in resting),
            "repeats": 0 if self.request.repeats else sum(len(rounds) ** 2 for rounds in met),
            **{name: sums[name] for name in MEASURED_BY_CORE},
        }

    def _list_meetings(self, keys: frozenset[int]) -> list[int]:
        one, other = keys
        return self.request.list_recent(meeting.round for meeting in self.past.between(one, other))

    def list_concerned(self, name: str, pairs: Iterable[frozenset[int]]) -> list[frozenset[int]]:
        """Those of the pairs that the component counts."""
        return [keys for keys in pairs if keys <= self.clubs.keys() and self._is_concerned(name, keys)]

    def _is_concerned(self, name: str, keys: frozenset[int]) -> bool:
        if len(keys) == 1:
            (resting,) = keys
            return name == "bye_policy" or (name == "byes" and self.past.record(resting).byes > 0)
        if name == "forbidden":
            return keys in {frozenset(both) for both in self.request.forbidden}
        if name == "club":
            clubs = {self.clubs[key] for key in keys}
            return self.request.clubs_apart and len(clubs) == 1 and clubs != {None}
        if name in ("repeats", "again_at_once"):
            met = [] if self.request.repeats else self._list_meetings(keys)
            return self.request.round - 1 in met if name == "again_at_once" else bool(met)
        return name in ("score", "float_height") and len({self.half_wins[key] for key in keys}) > 1
