"""Health checks, answered before any other middleware and for any host name, since a proxy asks by address.
`/health/live` answers as long as the process does. `/health/ready` answers 200 if the database is there with this
program's schema, else 503; without the cache pages are slower, but ready. Whoever asks on this machine, past the proxy,
is told what is missing; strangers read yes or no."""

from collections.abc import Callable
from http import HTTPStatus
from ipaddress import ip_address

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse

LIVE, READY = "/health/live", "/health/ready"
PROBE = "health"


def health(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer the two health checks."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path == LIVE:
            return _forbid_storing(HttpResponse("ok\n", content_type="text/plain"))
        if request.path == READY:
            cache.set(PROBE, "ok", 5)  # what was written comes back, or the cache is away
            states = {"database": get_database_state(), "cache": "ok" if cache.get(PROBE) == "ok" else "away"}
            ready = HTTPStatus.OK if states["database"] == "ok" else HTTPStatus.SERVICE_UNAVAILABLE
            if not _is_own_question(request):
                return _forbid_storing(HttpResponse("yes\n" if ready == HTTPStatus.OK else "no\n", "text/plain", ready))
            return _forbid_storing(JsonResponse(states, status=ready))
        return get_response(request)

    return middleware


def _is_own_question(request: HttpRequest) -> bool:
    """Whether a program on this machine asks this process itself: a proxy says for whom it asks."""
    try:
        is_here = ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
    return is_here and "X-Forwarded-For" not in request.headers


def get_database_state() -> str:
    """`ok`, `away`, or `behind`: the schema lacks migrations of this program."""
    try:
        executor = MigrationExecutor(connection)
        return "behind" if executor.migration_plan(executor.loader.graph.leaf_nodes()) else "ok"
    except DatabaseError:
        return "away"


def _forbid_storing(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "no-store"
    return response
