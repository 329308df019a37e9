"""The context around pages: navigation, tabs of divisions and organisers, notes on what is held back."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.access.rules import (
    choose_membership,
    find_role,
    get_chosen_division,
    get_owning_membership,
    list_memberships,
)
from tournament.basics.showing import ShowingStep
from tournament.core.public_view import get_sight, list_hidden_rounds
from tournament.core.records import list_divisions
from tournament.core.words.rounds import describe_moment_to_come, format_round_name
from tournament.models import Division, Member, Organiser, Player, Tournament
from tournament.pages.tables import TournamentLinks


def build_director_context(
    tournament: Tournament, division: Division, area: str, *, tabs: bool = True
) -> dict[str, Any]:
    """The context of `director_base.html`; without `tabs` the page is about one division. One query."""
    divisions = list_divisions(tournament, counts_work=tabs)
    return {
        "tournament": tournament,
        "division": division,
        "divisions": divisions if tabs else [],
        "division_query": make_division_query(division) if len(divisions) > 1 else "",
        "area": area,
    }


def list_file_links(page: str, tournament: Tournament, formats: Iterable[str], query: str) -> list[tuple[str, str]]:
    """Return the kinds of files that a page gives, each with its address."""
    return [(name.upper(), reverse(page, args=[tournament.slug, name]) + query) for name in formats]


def make_division_query(division: Division) -> str:
    """The query string that keeps a link in this division."""
    return "?" + urlencode({"division": division.name})


def make_division_address(page: str, division: Division) -> str:
    """The address of a page about a division, such as `director:entries`."""
    return reverse(page, args=[division.tournament.slug]) + make_division_query(division)


def build_organiser_context(request: HttpRequest, found: list[Member] | None = None) -> dict[str, Any]:
    """The context of an organiser's page, with the user's `role` and, if they work for several, tabs. 404 and 403 as
    `choose_membership`. One query, unless the memberships are passed."""
    found = list_memberships(request) if found is None else found
    return _build_member_context(found, choose_membership(request, found))


def _build_member_context(found: list[Member], member: Member) -> dict[str, Any]:
    several = len(found) > 1
    return {
        "organiser": member.organiser,
        "role": member.role,
        "organisers": [member.organiser for member in found] if several else [],
        "organiser_query": make_organiser_query(member.organiser) if several else "",
    }


def build_own_organiser_context(request: HttpRequest, organiser_pk: int) -> dict[str, Any]:
    """As `build_organiser_context`, for a page about a row of this organiser; 404 if the user does not work there."""
    memberships = list_memberships(request)
    return {
        **_build_member_context(memberships, get_owning_membership(request, memberships, organiser_pk)),
        "organisers": [],
    }


def get_own_player(request: HttpRequest, pk: int) -> tuple[Player, dict[str, Any]]:
    """A player of an organiser for whom the reader works, with the frame of their page; else 404."""
    players = Player.objects.with_names().select_related("organiser", "merged_into")
    player = get_object_or_404(players, pk=pk)
    return player, build_own_organiser_context(request, player.organiser_id)


def make_organiser_query(organiser: Organiser) -> str:
    """The query string that keeps a link with this organiser."""
    return "?" + urlencode({"organiser": organiser.slug})


def build_public_context(
    request: HttpRequest, tournament: Tournament, area: str, division: Division | None = None
) -> dict[str, Any]:
    """The context of templates/public/base.html; 404 for a division that the tournament does not have. Two queries."""
    divisions = list_divisions(tournament)
    # A page about one division is passed it: asked by the address it could be another one.
    chosen_division = division or get_chosen_division(request, tournament)
    query = f"?{urlencode({'division': chosen_division.name})}" if len(divisions) > 1 else ""
    return {
        "tournament": tournament,
        "divisions": divisions,
        "division": chosen_division,
        "division_query": query,
        "area": area,
        "has_bracket": any(hasattr(other_division, "knockout") for other_division in divisions),
        "has_games": any(other_division.has_games for other_division in divisions),  # type: ignore[attr-defined]  # annotated there
        "role": find_role(request, tournament),
        "links": TournamentLinks(tournament, query),
        "held": describe_hidden_parts(chosen_division),
    }


def describe_hidden_parts(division: Division) -> list[str]:
    """What the public is told of what is not shown yet: a sentence for each round's results, one for the table. No
    query."""
    results, tables = [], []
    for moments in list_hidden_rounds(division.pk):
        round, sight = moments.round, get_sight(moments.round)
        # Of a round whose pairings are not seen nothing is told: that there is one is a secret until then.
        if not sight.pairings:
            continue
        # Set and not fetched: a round of the knock-out is named by the system of its division.
        round.division = division
        if not sight.results:
            when = describe_moment_to_come(moments, ShowingStep.RESULTS)
            words = {"round": format_round_name(round), "when": when}
            results.append(_("%(round)s: the results are shown here %(when)s.") % words)
        if not round.is_knockout:
            figures = {"number": round.number, "when": describe_moment_to_come(moments, ShowingStep.TABLE)}
            tables.append(_("The standings after round %(number)s are shown here %(when)s.") % figures)
    # The first alone: that the tables behind it come later still goes without saying.
    return [*results, *tables[:1]]
