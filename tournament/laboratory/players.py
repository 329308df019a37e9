"""Who would play: an event's own players as the laboratory sees them."""

from django.db.models import Count, Q, QuerySet
from django.utils.translation import ngettext_lazy

from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.models import Division, Organiser
from tournament.results.league_games import list_division_entries


def load_study_ratings(division: Division) -> tuple[int | None, ...]:
    """The ratings of a division's players in the order of entry, None for those without. Raises `field_not_usable`."""
    ratings = tuple(entry.rating for entry in list_division_entries(division) if entry.withdrawn_after is None)
    if not limits.STUDY_PLAYERS.holds(len(ratings)):
        raise Refusal(
            "field_not_usable",
            ngettext_lazy(
                "%(name)s has %(players)s player; the laboratory plays with %(low)s to %(high)s.",
                "%(name)s has %(players)s players; the laboratory plays with %(low)s to %(high)s.",
                "players",
            ),
            field="field",
            name=division.tournament.name,
            players=len(ratings),
            **limits.STUDY_PLAYERS.ends,
        )
    return ratings


def list_usable_divisions(organiser: Organiser) -> QuerySet[Division]:
    """The divisions of the organiser's newest events whose players the laboratory can take for its field."""
    return (
        Division.objects.filter(tournament__organiser=organiser)
        .annotate(playing=Count("entries", filter=Q(entries__withdrawn_after=None)))
        .filter(playing__gte=limits.STUDY_PLAYERS.low, playing__lte=limits.STUDY_PLAYERS.high)
        .select_related("tournament")
        .order_by("-tournament__pk", "position", "pk")
    )
