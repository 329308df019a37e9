"""From a request to a draft, with lots drawn by the request's own keys; `pairing.draw` is the entrance."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.pairing import draft_pairs, faults, history, scheduled_rounds
from tournament.pairing.draft_pairs import Choice
from tournament.pairing.history import History
from tournament.pairing.matched_rounds import MadePairs, matched
from tournament.pairing.values import Competitor, Draft, DrawRequest, Impossible, Method


def draft(request: DrawRequest) -> Draft:
    """Pair the round. Raises Impossible with every obstacle.

    The director's pairs and byes leave the field first; the method pairs the others.
    """
    obstacles = faults.problems(request)
    if obstacles:
        raise Impossible(tuple(obstacles))
    past = history.read(request.meetings)
    chosen = [draft_pairs.given(pair) for pair in request.given] + [Choice(key, None) for key in sorted(request.byes)]
    taken = {key for choice in chosen for key in (choice.one, choice.other)}
    rest = [player for player in request.competitors if player.key not in taken]
    made = _METHODS.get(request.method, matched)(rest, past, request)
    pairs, notes = draft_pairs.to_pairs(chosen + made.choices, past, request)
    return Draft(
        pairs=pairs,
        method=request.method,
        seed=request.seed,
        cost=made.cost,
        proven=made.proven,
        ahead=made.ahead,
        notes=(*notes, *made.notes),
        unpaired=made.unpaired,
        groups=made.groups,
    )


def _manual(rest: Sequence[Competitor], past: History, request: DrawRequest) -> MadePairs:
    """Nobody is paired; the draft says who has no opponent yet."""
    return MadePairs([], unpaired=tuple(player.key for player in sorted(rest, key=lambda p: p.rank)))


_METHODS = {
    Method.MANUAL: _manual,
    Method.GROUPS: scheduled_rounds.groups,
    Method.ROUND_ROBIN: scheduled_rounds.round_robin,
}
