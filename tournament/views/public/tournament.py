"""A tournament's first page: where it stands, and what was announced."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament import knockout_plan, plan, queries, queries_pages, wording
from tournament.models import Tournament
from tournament.views.public import caching
from tournament.views.public.frame import frame


@require_safe
@caching.page
def show(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The announcement (Ausschreibung), and the phase of the division shown. Seven queries."""
    context = frame(request, tournament, "tournament")
    division = context["division"]
    progress = queries.rounds(division)
    context |= {
        "announced": wording.announced(tournament),
        "segments": plan.read(division.plan),
        "knockout": knockout_plan.facts_of(division),
        "standing": queries_pages.stage(division, progress),
        "exceptions": queries_pages.exceptions(tournament),
        "entered": queries_pages.entered(division),
    }
    return render(request, "public/tournament.html", context)
