"""What can still happen, for other programs, as JSON by docs/formats.md."""

from typing import Any

from scoring.standings import PlayerKey
from tournament.chances.queries import DivisionChances, Shares, find_reach


def build_chances_json(found: DivisionChances, shares: Shares | None, head: dict[str, Any]) -> dict[str, Any]:
    """The chances as docs/formats.md describes them, of everybody who is in the table already."""
    # Late entries that are still to come have bounds already, but no rank to be written beside them.
    ranked = [player for player in found.prospects if found.ranks.get(player) is not None]
    return {
        "after": found.after,
        "rounds_left": found.rounds_left,
        "open_games": found.open_games,
        "places": list(found.places),
        **head,
        "players": [_build_player_json(found, shares, player) for player in ranked],
    }


def _build_player_json(found: DivisionChances, shares: Shares | None, player: PlayerKey) -> dict[str, Any]:
    prospect = found.prospects[player]
    reach = {str(place): find_reach(found, shares, player, place) for place in found.places}
    return {
        "player": found.entries[player].key,
        "rank": found.ranks.get(player),
        "best": prospect.best,
        "worst": prospect.worst,
        "exact": prospect.is_exact,
        "reach": {place: None if share is None else round(share, 6) for place, share in reach.items()},
        "possible_with": {str(place): _halve(prospect.possible_with(place)) for place in found.places},
        "certain_with": {str(place): _halve(prospect.certain_with(place)) for place in found.places},
    }


def _halve(half_wins: int | None) -> float | None:
    return None if half_wins is None else half_wins / 2
