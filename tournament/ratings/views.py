"""Previews of ratings: for the director, and for everybody where the director shows them."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.access.rules import get_chosen_division
from tournament.models import Division, Tournament
from tournament.pages.caching import cache_public_page
from tournament.pages.frames import build_director_context, build_public_context, list_file_links, make_division_query
from tournament.pages.requests import director_page, paired_events_only, redirect_to_session
from tournament.pages.views import answer_with_division_file
from tournament.paper.documents import make_header
from tournament.ratings.division_ratings import load_division_ratings
from tournament.ratings.files import build_ratings_json
from tournament.ratings.paper import render_ratings
from tournament.ratings.tables import RatingsTable, list_rating_lines
from tournament.ratings.words import describe_preview, get_preview_title

FORMATS: Mapping[str, tuple[str, Callable[[Division], bytes]]] = {
    "pdf": ("application/pdf", lambda division: render_ratings(make_header(division), division, None)),
    "csv": ("text/csv; charset=utf-8", lambda division: RatingsTable(load_division_ratings(division)).build_csv()),
    "json": (
        "application/json",
        lambda division: json.dumps(
            build_ratings_json(load_division_ratings(division)), ensure_ascii=False, indent=1
        ).encode(),
    ),
}
"""The content type of each kind of file, and how it is made."""


@director_page("GET")
def show_director_ratings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The preview by all results."""
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    query = make_division_query(division)
    context = build_director_context(tournament, division, "end") | _build_ratings_context(division)
    context["files"] = list_file_links("director:ratings_file", tournament, FORMATS, query)
    return render(request, "tournament/ratings/director_ratings.html", context)


@director_page("GET")
def download_director_ratings(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The preview as a file; 404 for a kind that is not in `FORMATS`."""
    return _answer_file(get_chosen_division(request, tournament), fmt)


@require_safe
@cache_public_page
@paired_events_only
def show_ratings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The preview as far as the public may know; 404 unless the director shows it."""
    _require_public(tournament)
    context = build_public_context(request, tournament, "ratings")
    context |= _build_ratings_context(context["division"])
    context["files"] = list_file_links("public:ratings_file", tournament, FORMATS, context["division_query"])
    return render(request, "tournament/ratings/ratings.html", context)


@require_safe
@cache_public_page
@paired_events_only
def download_ratings(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The public preview as a file; 404 unless the director shows it, and for a kind that is not in `FORMATS`."""
    _require_public(tournament)
    return _answer_file(get_chosen_division(request, tournament), fmt)


def _require_public(tournament: Tournament) -> None:
    if not (tournament.rated and tournament.ratings_public):
        raise Http404(_("The preview of ratings is not public."))


def _build_ratings_context(division: Division) -> dict[str, Any]:
    ratings = load_division_ratings(division)
    return {
        "found": ratings,
        "title": get_preview_title(ratings.system),
        "said": describe_preview(ratings),
        "heads": [bound.header for bound in RatingsTable(ratings).printed[1:]],
        "lines": list_rating_lines(ratings),
    }


def _answer_file(division: Division, fmt: str) -> HttpResponse:
    if fmt not in FORMATS:
        raise Http404(_("There are no ratings as “%(format)s”.") % {"format": fmt})
    content_type, write = FORMATS[fmt]
    return answer_with_division_file(division, "ratings", fmt, write(division), content_type)
