"""Links to public games, for the public pages of `tournament`, which knows nothing of score sheets."""

from django import template

from games.replay.queries import list_entry_public_games, list_round_public_games
from tournament.models import Entry, Round

register = template.Library()


@register.inclusion_tag("games/_published.html")
def games_of_round(round: Round) -> dict[str, object]:
    """A card with the public games of a round; nothing where there are none. One query or two."""
    return {"games": list_round_public_games(round), "by_round": False}


@register.inclusion_tag("games/_published.html")
def games_of_entry(entry: Entry) -> dict[str, object]:
    """A card with a player's public games; nothing where there are none. One query or two."""
    return {"games": list_entry_public_games(entry), "by_round": True}
