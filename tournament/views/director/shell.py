"""What every director's page needs around it: for its navigation bar, its division tabs, its organiser tabs."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest

from tournament import access
from tournament.models import Division, Member, Organiser, Tournament
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


def organiser_shell(request: HttpRequest, found: list[Member] | None = None) -> dict[str, Any]:
    """The context of a page about what an organiser owns: the `organiser`, who works for it in which `role`, and tabs.

    There are tabs only for somebody who works for several. 404 and 403 as `access.chosen`. One query,
    unless the memberships are passed.
    """
    found = access.memberships(request) if found is None else found
    return _around(found, access.chosen(request, found))


def _around(found: list[Member], member: Member) -> dict[str, Any]:
    several = len(found) > 1
    return {
        "organiser": member.organiser,
        "role": member.role,
        "organisers": [each.organiser for each in found] if several else [],
        "organiser_query": organiser_query(member.organiser) if several else "",
    }


def own_shell(request: HttpRequest, organiser_pk: int) -> dict[str, Any]:
    """As `organiser_shell`, for a page about a row of this organiser; 404 if the user does not work there."""
    found = access.memberships(request)
    return {**_around(found, access.of_owner(request, found, organiser_pk)), "organisers": []}


def organiser_query(organiser: Organiser) -> str:
    """The query string that keeps a link with this organiser."""
    return "?" + urlencode({"organiser": organiser.slug})
