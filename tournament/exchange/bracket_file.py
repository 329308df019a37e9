"""The knock-out as JSON by docs/formats.md: what follows from seeds, results and lots."""

from typing import Any

from scoring.knockout import Key, Match, WaitsFor
from tournament.queries.knockout import KnockoutState


def as_json(state: KnockoutState) -> dict[str, Any]:
    """The knock-out as `bracket --format json` prints it; players by their ids in the tournament file."""
    keys: dict[Key | None, str | None] = {pk: entry.key for pk, entry in state.entries.items()}
    keys[None] = None
    bracket = state.bracket
    return {
        "form": bracket.rules.form.value,
        "stages": [[_match(match, keys) for match in stage] for stage in bracket.stages],
        "champion": keys[bracket.champion],
    }


def _match(match: Match, keys: dict[Key | None, str | None]) -> dict[str, Any]:
    return {
        "stage": match.stage,
        "position": match.position,
        "players": [keys[player] for player in match.players],
        "score": None if match.score is None else list(match.score),
        "winner": keys[match.winner],
        "decided_by": match.decided_by.value if match.decided_by else None,
        **_waiting(match),
    }


def _waiting(match: Match) -> dict[str, str]:
    """What a level match waits for: a fact that nobody has recorded yet, or the lot; nothing otherwise."""
    if match.missing:
        return {"waits_for": match.missing[0].criterion.value}
    return {"waits_for": "lot"} if match.waits_for == WaitsFor.LOT else {}
