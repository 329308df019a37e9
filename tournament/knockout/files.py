"""The knock-out for other programs, as JSON by docs/formats.md."""

from typing import Any

from scoring.knockout_values import DecidedBy, Match, WaitsFor
from scoring.standings import PlayerKey
from tournament.results.knockout_state import KnockoutState


def build_bracket_json(state: KnockoutState) -> dict[str, Any]:
    """The knock-out as docs/formats.md describes it; players by their ids in the tournament file."""
    keys: dict[PlayerKey | None, str | None] = {pk: entry.key for pk, entry in state.entries.items()}
    # A place that nobody has yet is looked up like the others.
    keys[None] = None
    bracket = state.bracket
    return {
        "form": bracket.rules.form.value,
        "system": bracket.rules.system.value,
        "stages": [
            [_build_match_json(match, keys) for match in stage if not match.is_void] for stage in bracket.stages
        ],
        "champion": keys[bracket.champion],
    }


def _build_match_json(match: Match, keys: dict[PlayerKey | None, str | None]) -> dict[str, Any]:
    # What a level match waits for: a fact that nobody has recorded yet, the winner by the own criterion, or the lot.
    waits = match.awaited_fact or (match.waits_for if match.waits_for == WaitsFor.LOT else None)
    return {
        "stage": match.stage,
        "position": match.position,
        "part": match.slot.part.value,
        "part_round": match.slot.round or None,
        "needless": match.is_needless,
        "players": [keys[player] for player in match.players],
        "score": None if match.score is None else list(match.score),
        "winner": keys[match.winner],
        "decided_by": match.decided_by.value if match.decided_by else None,
        **({"criterion": match.own_criterion} if DecidedBy.OWN in (match.decided_by, waits) else {}),
        **({"waits_for": waits.value} if waits else {}),
    }
