"""What the referee has decided and no result holds yet, for the console of `tournament`, which knows no referee."""

from django import template

from games.referee.queries import LogLine, list_waiting_lines
from tournament.models import Division

register = template.Library()


@register.simple_tag
def penalties_waiting(division: Division) -> list[LogLine]:
    """The lines with penalty points that no result of the division holds yet. One query; four if there are any."""
    return list_waiting_lines(division)
