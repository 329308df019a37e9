"""Metrics for Prometheus at `/metrics`, for whoever sends the token in `TSO_METRICS`; each process has its own. Labels
are names of views, not addresses, so their number does not grow with events."""

import hmac
import time
from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotFound

METRICS_ADDRESS = "/metrics"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # seconds


def metrics(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Count and time every request, and answer `/metrics`. Not used without a token."""
    if not settings.METRICS_TOKEN:
        raise MiddlewareNotUsed
    import prometheus_client as prometheus  # noqa: PLC0415  # not installed on a laptop

    answered = prometheus.Counter("tso_requests", "Requests answered", ("view", "method", "status"))
    seconds = prometheus.Histogram("tso_request_seconds", "Seconds to an answer", ("view",), buckets=BUCKETS)
    open_now = prometheus.Gauge("tso_requests_open", "Requests being answered just now")

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path == METRICS_ADDRESS:
            token = request.headers.get("Authorization", "").removeprefix("Bearer ")
            # As bytes: of text beyond ASCII, which anybody can send, compare_digest raises. A wrong token is answered
            # as if nothing were here.
            if not hmac.compare_digest(token.encode(), settings.METRICS_TOKEN.encode()):
                return HttpResponseNotFound(status=HTTPStatus.NOT_FOUND)
            return HttpResponse(prometheus.generate_latest(), content_type=prometheus.CONTENT_TYPE_LATEST)
        begun = time.perf_counter()
        with open_now.track_inprogress():
            response = get_response(request)
        view = request.resolver_match.view_name if request.resolver_match else "none"
        seconds.labels(view).observe(time.perf_counter() - begun)
        # Anybody can make methods up, and each would be a series that Prometheus keeps.
        method = request.method if request.method in ("GET", "HEAD", "POST") else "other"
        answered.labels(view, method, response.status_code).inc()
        return response

    return middleware
