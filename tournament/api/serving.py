"""How programs are answered: to pages of any origin, within a limit that headers tell, in English, and with an ETag by
which nobody is sent twice what has not changed. Only what is read by GET is answered like this."""

import time
from collections.abc import Callable
from functools import partial, wraps
from http import HTTPStatus
from typing import Any

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import translation

from tournament.access.rules import get_public_tournament
from tournament.access.signing_in import MINUTE, compute_digest, count_attempt, get_client_address
from tournament.core.public_view import open_public_view
from tournament.models import Season, Tournament
from tournament.pages.caching import (
    CachedPage,
    answer_with_page,
    forbid_caching,
    get_or_make_page,
    has_cache_room,
    make_page_key,
    pack_page,
)
from tournament.seasons.season_table import get_public_season
from tournament.seasons.views import make_season_key

READS_A_MINUTE = 600  # from one address, behind which there may be a whole hall

LANGUAGE = "en"  # what programs are answered in
METHODS = "GET, HEAD, OPTIONS"
TOLD_HEADERS = "ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset"

View = Callable[..., HttpResponse]


class EventRequest(HttpRequest):
    """A request for something of a public tournament, whose public view is open."""

    tournament: Tournament


class SeasonRequest(HttpRequest):
    """A request for a public season."""

    season: Season


def open_to_programs(view: View) -> View:
    """Decorator: let pages of any origin read the answer, so many in a minute; a 404 is told as JSON."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        # Below 0 is one request too many in this minute.
        now = time.time()
        key = f"reads:{int(now // MINUTE)}:{compute_digest(get_client_address(request))}"
        count_attempt([key])
        requests_left, seconds = READS_A_MINUTE - int(caches["attempts"].get(key, 0)), MINUTE - int(now) % MINUTE
        # The visitor's language was chosen before we are asked, and `Content-Language` is written from it afterwards:
        # an answer in English would be called German.
        request.LANGUAGE_CODE = LANGUAGE
        with translation.override(LANGUAGE):
            response = _answer(partial(view, request, *args, **kwargs), request, requests_left, seconds)
        # Any origin: what is read here is public.
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = TOLD_HEADERS
        response.headers["RateLimit-Limit"] = str(READS_A_MINUTE)
        response.headers["RateLimit-Remaining"] = str(max(requests_left, 0))
        response.headers["RateLimit-Reset"] = str(seconds)
        return response

    return answered


@open_to_programs
def answer_unknown_address(_request: HttpRequest) -> HttpResponse:
    """What programs are told at an address that is none of theirs: JSON as everywhere, not a page for people."""
    raise Http404


def _answer(make: Callable[[], HttpResponse], request: HttpRequest, left: int, seconds: int) -> HttpResponse:
    # A browser asks so before it sends an ETag for a page of another origin. It is answered even where the minute is
    # used up: after a refusal here the page would learn of a failed request only, not that it is to wait, nor how long.
    if request.method == "OPTIONS":
        allowed = {"Access-Control-Allow-Methods": METHODS, "Access-Control-Allow-Headers": "If-None-Match"}
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"Allow": METHODS, **allowed})
    if left < 0:
        message = f"Too many requests. Please wait {seconds} seconds."
        headers = {"Retry-After": str(seconds)}
        return JsonResponse({"detail": message}, status=HTTPStatus.TOO_MANY_REQUESTS, headers=headers)
    if request.method not in ("GET", "HEAD"):
        answer = {"detail": "Programs only read here."}
        return JsonResponse(answer, status=HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": METHODS})
    method = request.method
    # Django leaves the content of an answer to HEAD out by itself. The library knows only the methods that were
    # announced to it, and would answer HEAD with 405. Put back afterwards, since the server asks for it, too.
    request.method = "GET" if method == "HEAD" else method
    try:
        return make()
    except Http404:
        message = "There is nothing public at this address."
        return forbid_caching(JsonResponse({"detail": message}, status=HTTPStatus.NOT_FOUND))
    finally:
        request.method = method


def read_public_view(view: View) -> View:
    """Decorator: open the public view of the tournament that the address names, 404 without one, and answer from the
    cache as long as the public sees the same; the view finds it as `request.tournament`."""

    @wraps(view)
    def answered(request: EventRequest, **kwargs: Any) -> HttpResponse:
        request.tournament = get_public_tournament(kwargs["slug"])
        with open_public_view(request.tournament):
            key = make_page_key(request, request.tournament)
            # Counted apart from pages: a program that pages through a list must not use up the room of those who read
            # it.
            may_keep = partial(has_cache_room, request, request.tournament, "reads")
            return _answer_from_cache(request, key, partial(view, request, **kwargs), may_keep)

    return answered


def read_season(view: View) -> View:
    """Decorator: the same for a public season, which the view finds as `request.season`."""

    @wraps(view)
    def answered(request: SeasonRequest, **kwargs: Any) -> HttpResponse:
        request.season = get_public_season(kwargs["slug"])
        make = partial(view, request, **kwargs)
        return _answer_from_cache(
            request, make_season_key(request, request.season), make, lambda: not request.META.get("QUERY_STRING")
        )

    return answered


def read_afresh(view: View) -> View:
    """Decorator: a list of whatever is public, which nothing is kept of; its ETag follows from what it says."""

    @wraps(view)
    def answered(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return _answer_unkept(request, view(request, **kwargs))

    return answered


def _answer_from_cache(
    request: HttpRequest, key: str, make: Callable[[], HttpResponse], may_keep: Callable[[], bool]
) -> HttpResponse:
    page = get_or_make_page(key, make, may_keep)
    return answer_with_page(request, page) if isinstance(page, CachedPage) else _answer_unkept(request, page)


def _answer_unkept(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """A fresh answer, or that it has not changed; a refusal as it is."""
    if response.status_code != HTTPStatus.OK:
        return forbid_caching(response)
    return answer_with_page(request, pack_page(response))
