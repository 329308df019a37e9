"""What is known of the pairings that were not chosen.

The matching core minimises the components of the cost in order, so what the chosen pairing pays in one of them is
unavoidable under those before it. Whether giving one of those up would help is found by drawing without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from tournament.pairing import byes, costs, field, history, matching, policies
from tournament.pairing.facts import Cost, Facts, Proof
from tournament.pairing.values import Draft, DrawRequest, Given, Method, Unless

MOST = 100
"""So many players at most on one side of a boundary are looked at: beyond that the proof takes longer than the draw."""

MATCHED_BY = {Method.GROUPS: Method.SWISS, Method.ROUND_ROBIN: Method.KING_OF_THE_HILL}
"""By which method those are matched whom a schedule leaves without an opponent."""


def of(draft: Draft, request: DrawRequest, facts: Facts, *, changed: bool) -> Proof:
    """What can be claimed of the draft; nothing of the pairings not chosen where a schedule or nobody chose.

    One that the director has changed is not the cheapest: what would be is found anew.
    """
    left_over = _left_over(facts)
    free = any(pair.free for pair in facts.pairs)
    scheduled = any(pair.group is not None for pair in facts.pairs)
    if not free or scheduled or request.method is Method.MANUAL or not draft.proven:
        return Proof(left_over=left_over)
    fixed = tuple(Given(pair.first, pair.second) for pair in facts.pairs if pair.fixed)
    asked = replace(request, given=fixed, method=MATCHED_BY.get(request.method, request.method))
    chosen = _Least(facts.cost(), frozenset(pair.keys for pair in facts.pairs if pair.free and pair.second is None))
    least = _least(asked) if changed or _may_look_ahead(request) else chosen
    best = least.cost
    return Proof(
        best=best,
        least_score=best.score if least == chosen and facts.by_score else None,
        unless=_unless(asked, "repeats") if best.repeats else None,
        apart_unless=_unless(asked, "forbidden") if best.forbidden else None,
        left_over=left_over,
        repeat_with_bye=_repeat_with_bye(asked, facts, best) if least == chosen else frozenset(),
    )


def _unless(request: DrawRequest, component: str) -> frozenset[Unless] | None:
    """What would each by itself bring the component down to nothing; empty if nothing does, None if only several."""
    relaxed = {
        Unless.KEPT_APART: replace(request, forbidden=frozenset()),
        Unless.SECOND_BYE: replace(request, meetings=tuple(one for one in request.meetings if one.second is not None)),
        Unless.LOCKED: replace(request, given=()),
    }
    if component == "forbidden":
        relaxed = {Unless.LOCKED: relaxed[Unless.LOCKED]}
    different = {each: asked for each, asked in relaxed.items() if asked != request}
    helping = frozenset(each for each, asked in different.items() if not getattr(_least(asked).cost, component))
    if helping or len(different) < 2:
        return helping
    everything = replace(relaxed[Unless.SECOND_BYE], forbidden=frozenset(), given=())
    return frozenset() if getattr(_least(everything).cost, component) else None


def _may_look_ahead(request: DrawRequest) -> bool:
    """Whether the draw may have taken another pairing than the cheapest; in large fields every one leaves enough."""
    return bool(request.later) and len(request.competitors) <= MOST


@dataclass(frozen=True, slots=True)
class _Least:
    """The cost of the cheapest pairing, and who has its byes."""

    cost: Cost
    resting: frozenset[frozenset[int]]


def _least(request: DrawRequest) -> _Least:
    """The cheapest pairing of the players who are not given."""
    taken = {key for pair in request.given for key in (pair.first, pair.second)} | request.byes
    rest = [player for player in request.competitors if player.key not in taken]
    policy = policies.of(request)
    past = history.read(request.meetings)
    players = field.build(rest, len(rest) % 2, past, request, policy.by_score, policy.in_groups)
    found = matching.cheapest(players, request)
    cost = dict(zip(costs.COMPONENTS, found.cost, strict=True))
    resting = frozenset(frozenset({players.players[one].key}) for one, other in found.pairs if other is None)
    return _Least(Cost(**{each.name: cost[each.name] for each in fields(Cost)}), resting)


def _repeat_with_bye(request: DrawRequest, facts: Facts, best: Cost) -> frozenset[int]:
    """The policy's own choice for the bye where somebody else got it, and nothing but a repeat can stand against it."""
    free = [pair for pair in facts.pairs if pair.free]
    resting = [pair.first for pair in free if pair.second is None]
    if facts.looked_ahead:
        return frozenset()
    order = [key for key in facts.in_order if any(key in pair.keys for pair in free)]
    open_to_doubt = best.repeats or best != facts.cost() or any(both <= set(order) for both in facts.apart)
    if len(resting) != 1 or open_to_doubt or request.given:
        return frozenset()
    had = np.array([facts.players[key].byes for key in order], np.int64)
    (place,) = byes.cheapest(had, byes.distances(np.arange(len(order)), request), 1)
    return frozenset({order[place]}) - set(resting)


def _left_over(facts: Facts) -> dict[tuple[int, bool], tuple[int, int]]:
    """For each boundary that more cross than parity asks for, what is left over on either side."""
    found: dict[tuple[int, bool], tuple[int, int]] = {}
    if not facts.by_score or facts.repeats:
        return found
    for boundary in {facts.players[key].half_wins for key in facts.playing}:
        crossing = facts.crossing(boundary)
        above = [key for key in facts.playing if facts.players[key].half_wins >= boundary]
        if len(crossing) > len(above) % 2:
            for side in (True, False):
                keys = above if side else [key for key in facts.playing if key not in above]
                if 0 < len(keys) <= MOST and _all_free(keys, facts):
                    found[boundary, side] = _unmatched(keys, facts, False), _unmatched(keys, facts, True)
    return found


def _all_free(keys: Sequence[int], facts: Facts) -> bool:
    return all(pair.free for pair in facts.pairs for key in pair.keys if key in keys)


def _unmatched(keys: Sequence[int], facts: Facts, kept_apart: bool) -> int:
    """How many are left over when as many as possible are paired without a repeat."""
    import rustworkx  # noqa: PLC0415  # slow to load, and seldom needed

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(keys)
    for at, one in enumerate(keys):
        for beside, other in enumerate(keys[at + 1 :], at + 1):
            both = frozenset((one, other))
            if both not in facts.games and not (kept_apart and both in facts.apart):
                graph.add_edge(at, beside, 1)
    return len(keys) - 2 * len(rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int))
