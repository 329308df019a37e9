"""The cross table."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.models import Tournament
from tournament.queries import league, public
from tournament.tables.standings import CrossTable, OpponentsTable
from tournament.views import pairs
from tournament.views.public import caching
from tournament.views.public.frame import frame
from tournament.words import outcomes

MOST_OPPONENTS = 24
"""Everybody against everybody is offered up to so many players; beyond that nobody can read it."""


@require_safe
@caching.page
@pairs.only
def show(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everybody's meetings, by round or with `?by=opponent` by opponent. Eight queries."""
    context = frame(request, tournament, "crosstable")
    division = context["division"]
    progress = league.rounds(division)
    rows = public.cross_rows(division, after=public.current_round(progress))
    offered = len(rows) <= MOST_OPPONENTS
    by_opponent = offered and request.GET.get("by") == "opponent"
    kind = OpponentsTable if by_opponent else CrossTable
    table = kind(rows, context["links"], caption=_("Cross table"))
    without = [outcomes.without_game(row.line.entry, row.missed) for row in rows if row.missed] if by_opponent else []
    context |= {"table": table, "rows": rows, "offered": offered, "by_opponent": by_opponent, "without_game": without}
    return render(request, "public/crosstable.html", context)
