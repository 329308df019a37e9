"""What every director's page of a tournament needs for its navigation bar and its division tabs."""

from typing import Any
from urllib.parse import urlencode

from tournament.models import Division, Tournament
from tournament.queries import league


def shell(tournament: Tournament, division: Division, area: str, *, tabs: bool = True) -> dict[str, Any]:
    """The context of `director/base.html`, with the tabs of the divisions unless the page is about one. One query."""
    divisions = league.divisions(tournament)
    return {
        "tournament": tournament,
        "division": division,
        "divisions": divisions if tabs else [],
        "division_query": query(division) if len(divisions) > 1 else "",
        "area": area,
    }


def query(division: Division) -> str:
    """The query string that keeps a link in this division."""
    return "?" + urlencode({"division": division.name})
