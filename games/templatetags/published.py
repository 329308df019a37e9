"""Links to public games, for the public pages of `tournament`, which knows nothing of score sheets."""

from django import template

from games.replay import published
from tournament.models import Entry, Round

register = template.Library()


@register.inclusion_tag("games/replay/_published.html")
def games_of_round(round: Round) -> dict[str, object]:
    """A card with the public games of a round; nothing where there are none. One query or two."""
    return {"games": published.of_round(round), "by_round": False}


@register.inclusion_tag("games/replay/_published.html")
def games_of_entry(entry: Entry) -> dict[str, object]:
    """A card with a player's public games; nothing where there are none. One query or two."""
    return {"games": published.of_entry(entry), "by_round": True}
