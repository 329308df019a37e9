"""Rounds that the matching core pairs, and what every method makes of the players left to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.pairing import field, looking_ahead, matching, policies
from tournament.pairing.draft_pairs import Choice
from tournament.pairing.history import History
from tournament.pairing.values import ByePolicy, Competitor, DrawRequest, Impossible, LookedAhead, Note, Obstacle, Rule


@dataclass(frozen=True, slots=True)
class MadePairs:
    """What a method makes of the players left to it; see `Draft`."""

    choices: list[Choice]
    cost: tuple[int, ...] = ()
    proven: bool = True
    notes: tuple[Note, ...] = ()
    unpaired: tuple[int, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()
    ahead: LookedAhead | None = None


def matched(rest: Sequence[Competitor], past: History, request: DrawRequest) -> MadePairs:
    """Whatever the matching core finds for these players. Raises Impossible where a bye has to be named first."""
    byes = request.extra_byes + (len(rest) + request.extra_byes) % 2
    policy = policies.of(request)
    players = field.build(rest, byes, past, request, policy.by_score, policy.in_groups)
    keys = [player.key for player in players.players]
    if byes and request.bye_policy is ByePolicy.BY_HAND:
        suggested = matching.cheapest(players, request).pairs
        relaxed = tuple(keys[one] for one, other in suggested if other is None)
        raise Impossible((Obstacle(Rule.BYE_NOT_NAMED, (), byes, relaxed),))
    found = matching.cheapest(players, request)
    prospect = looking_ahead.choose(players, found, past, request)
    found = prospect.chosen
    choices = [Choice(keys[one], None if other is None else keys[other], matched=True) for one, other in found.pairs]
    return MadePairs(choices, found.cost, found.proven, prospect.notes, ahead=prospect.ahead)
