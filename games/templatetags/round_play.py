"""Where to think about the play of the round, for the public pages of `tournament`."""

from django import template

from games.round_play.queries import load_shown_position
from tournament.models import Division

register = template.Library()


@register.inclusion_tag("games/_link.html")
def round_play_of(division: Division) -> dict[str, object]:
    """A card that leads to the play of the round; nothing where none is shown. One query, five more where one is."""
    return {"shown": load_shown_position(division), "division": division}
