"""The clock of the hall: the time that the book gives a game, counted down where both players share it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.models import Tournament
from tournament.views import pairs
from tournament.views.public import caching
from tournament.views.public.frame import frame
from tournament.words import announcement


@require_safe
@caching.page
@pairs.only
def show(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The clock. With chess clocks, and where the rules name no time, it only says so."""
    context = frame(request, tournament, "rounds")
    told = {"minutes": announcement.minutes(tournament), "overtime": announcement.overtime(tournament.rules)}
    shared = tournament.shared_minutes
    return render(request, "public/clock.html", {**context, **told, "seconds": None if shared is None else 60 * shared})
