"""Results to be settled from the paper, for the pages of `tournament`, which knows of no second entry."""

from django import template

from games.entry.operations import list_differing_results
from tournament.core.records import count_unsettled_in_round
from tournament.models import Division, Pairing, Round

register = template.Library()


@register.simple_tag
def results_differing(division: Division) -> list[Pairing]:
    """The games of a division whose results were typed twice, not alike. Three queries; none where they are typed
    once."""
    return list_differing_results(division)


@register.simple_tag
def results_unsettled(round: Round) -> int:
    """How many results of a round are not typed a second time, or differ."""
    return count_unsettled_in_round(round)
