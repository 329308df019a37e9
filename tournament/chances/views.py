"""The page of what can still happen: bounds at once, simulated shares as soon as they are there."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.access.rules import get_chosen_division
from tournament.chances.queries import find_kept_shares, load_chances, simulate_shares
from tournament.chances.tables import list_chance_rows
from tournament.chances.words import (
    describe_basis,
    describe_model,
    describe_out_of_reach,
    describe_proof,
    describe_what_is_left,
    explain_nothing_foreseen,
)
from tournament.models import Division, Tournament
from tournament.pages.caching import cache_public_page
from tournament.pages.frames import build_director_context, build_public_context, make_division_query
from tournament.pages.requests import director_page, paired_events_only
from tournament.pages.tables import TournamentLinks


@require_safe
@cache_public_page
@paired_events_only
def show_chances(request: HttpRequest, tournament: Tournament, *, with_shares: bool = False) -> HttpResponse:
    """What can still happen, as far as the public knows."""
    context = build_public_context(request, tournament, "table")
    shares_url = reverse("public:chances_shares", args=[tournament.slug]) + context["division_query"]
    context |= _build_chances_context(context["division"], context["links"], with_shares) | {"shares_url": shares_url}
    return render(request, "tournament/chances/chances.html", context)


@director_page("GET")
def show_director_chances(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What can still happen, by all results; with `?shares` simulated shares as well."""
    division = get_chosen_division(request, tournament)
    query = make_division_query(division)
    context = build_director_context(tournament, division, "table")
    context |= _build_chances_context(division, TournamentLinks(tournament, query), "shares" in request.GET)
    context["shares_url"] = reverse("director:chances", args=[tournament.slug]) + query + "&shares=1"
    return render(request, "tournament/chances/director_chances.html", context)


def _build_chances_context(division: Division, links: TournamentLinks, with_shares: bool) -> dict[str, Any]:
    chances = load_chances(division)
    silence = "" if chances.prospects else explain_nothing_foreseen(division)
    # The page comes at once and asks for the shares behind it; those that have been simulated already come with it.
    shares = simulate_shares(chances) if with_shares else find_kept_shares(chances)
    rows = list_chance_rows(chances, shares, links)
    out = [row for row in rows if row.is_out]
    return {
        "rows": [row for row in rows if not row.is_out],
        "out_of_reach": describe_out_of_reach(chances.places[-1], [row.entry.name for row in out]) if out else "",
        "says_needs": any(row.need for row in rows),
        "said": describe_what_is_left(chances.rounds_left, chances.open_games),
        "basis": describe_basis(shares.runs if shares else 0),
        "explained": [
            describe_proof(),
            *(
                [
                    describe_model(shares.runs),
                    _("The line on a bar shows where its percentage lies with 95% probability."),
                ]
                if shares
                else ()
            ),
        ],
        **({"basis": silence, "explained": []} if silence else {}),
        "is_coming": shares is None and chances.has_shares and not chances.is_over,
    }
