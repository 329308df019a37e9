"""What the frame of a tournament's public pages needs."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

from tournament import access
from tournament.models import Division, Tournament
from tournament.queries import league, public_view
from tournament.showing import Step
from tournament.tables import Links
from tournament.words import shows


def frame(request: HttpRequest, tournament: Tournament, area: str, division: Division | None = None) -> dict[str, Any]:
    """The context of templates/public/base.html; 404 for a division that the tournament does not have. Two queries."""
    divisions = league.divisions(tournament)
    shown = division or access.division_of(request, tournament)
    query = f"?{urlencode({'division': shown.name})}" if len(divisions) > 1 else ""
    directed = directs(request, tournament)
    return {
        "tournament": tournament,
        "divisions": divisions,
        "division": shown,
        "division_query": query,
        "area": area,
        "has_bracket": any(hasattr(each, "knockout") for each in divisions),
        "has_games": any(each.has_games for each in divisions),  # type: ignore[attr-defined]  # annotated there
        "directs": directed,
        "director_area": area if area == "table" else "",
        "links": Links(tournament, query),
        "held": shows.told(not_seen(shown)),
    }


def not_seen(division: Division) -> list[shows.Hidden]:
    """What is not seen yet of the rounds whose pairings are: their results, their tables. No query."""
    found = []
    for moments in public_view.hidden(division.pk):
        sight = public_view.sight(moments.round)
        moments.round.division = division
        if sight.pairings and not sight.results:
            found.append(shows.Hidden(moments.round, Step.RESULTS, moments.results))
        if sight.pairings and not sight.table:
            found.append(shows.Hidden(moments.round, Step.TABLE, moments.table))
    return found


def directs(request: HttpRequest, tournament: Tournament) -> bool:
    """Whether the reader directs this tournament and should see the link to its console. One query for somebody
    who is signed in."""
    return request.user.is_authenticated and access.directs(request.user, tournament)
