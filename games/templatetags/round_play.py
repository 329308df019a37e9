"""Where to think about the play of the round, for the public pages of `tournament`."""

from django import template

from games.round_play import positions
from tournament.models import Division

register = template.Library()


@register.inclusion_tag("games/round_play/_link.html")
def round_play_of(division: Division) -> dict[str, object]:
    """A card that leads to the play of the round; nothing where none is shown. One query, five more where one is."""
    return {"shown": positions.shown(division), "division": division}
