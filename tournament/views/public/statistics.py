"""What stands out in the event: records with their holders, and upsets."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.models import Tournament
from tournament.queries import statistics
from tournament.tables.statistics import StatisticsPage
from tournament.views import pairs
from tournament.views.public import caching
from tournament.views.public.frame import frame


@require_safe
@caching.page
@pairs.only
def show(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The statistics of a division. Eight queries, and one for a knock-out."""
    context = frame(request, tournament, "statistics")
    found = statistics.of(context["division"])
    return render(request, "public/statistics.html", {**context, "page": StatisticsPage(found, context["links"])})
