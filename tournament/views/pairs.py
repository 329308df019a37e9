"""Pages about games of two, in an event in which nobody is paired: its session is shown instead."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from tournament.models import Division, Tournament
from tournament.views.director.shell import query

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, Tournament, P], HttpResponse]


def only(view: View[P]) -> View[P]:
    """Decorate a view of a public tournament that shows pairs or their table."""

    @wraps(view)
    def shown(request: HttpRequest, tournament: Tournament, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not tournament.rules.is_paired:
            return redirect("games:duplicate_public", tournament.slug)
        return view(request, tournament, *args, **kwargs)

    return shown


def instead(division: Division) -> HttpResponse | None:
    """The way to the director's page of the session; None where two players meet."""
    tournament = division.tournament
    if tournament.rules.is_paired:
        return None
    return redirect(reverse("games:duplicate", args=[tournament.slug]) + query(division))
