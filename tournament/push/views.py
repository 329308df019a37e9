"""What a browser asks of push: to be told, not to be told any more, and its worker."""

import json
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from tournament.access.rules import get_public_tournament
from tournament.access.signing_in import get_client_address
from tournament.basics.static_files import find_static_file
from tournament.pages.caching import forbid_caching
from tournament.push.keys import is_push_offered
from tournament.push.operations import BadSubscription, save_subscription


@csrf_exempt  # Public pages are the same for everybody and hold no token; a browser can speak for itself alone here.
@require_POST
def keep_subscription(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep or forget what a browser wants to be told; 204, or 400 for anything else. 404 where push is not offered."""
    tournament = get_public_tournament(slug)
    if not is_push_offered():
        raise Http404
    try:
        save_subscription(tournament, json.loads(request.body), client_address=get_client_address(request))
    # JSON that is nested a thousand deep ends in a RecursionError, which is no ValueError.
    except (ValueError, RecursionError, BadSubscription):
        return forbid_caching(HttpResponse(status=HTTPStatus.BAD_REQUEST))
    return forbid_caching(HttpResponse(status=HTTPStatus.NO_CONTENT))


@require_safe
def show_worker(request: HttpRequest, slug: str) -> HttpResponse:
    """The script that shows messages while the page is closed; it is for this event's pages alone."""
    get_public_tournament(slug)
    path = find_static_file("push_worker.js")
    if not is_push_offered() or path is None:
        raise Http404
    return HttpResponse(path.read_bytes(), content_type="text/javascript", headers={"Cache-Control": "no-cache"})
