"""Each request has an id: in its answer, in every line of the log that it causes, and taken over from the proxy."""

import logging
import re
import time
import uuid
from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponseBase

REQUEST_ID_HEADER = "X-Request-ID"
GIVEN_ID_PATTERN = re.compile(r"[0-9A-Za-z-]{8,64}")
"""What a proxy may send as an id; anything else is replaced, so that no line of a log can be made up."""

log = logging.getLogger(__name__)

_current: ContextVar[str] = ContextVar("request_id", default="")


def request_ids(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Give each request its id."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get(REQUEST_ID_HEADER, "")
        found = given if GIVEN_ID_PATTERN.fullmatch(given) else uuid.uuid4().hex
        token = _current.set(found)
        begun = time.perf_counter()
        try:
            response = get_response(request)
            _log_request(request, response, time.perf_counter() - begun)
        finally:
            _current.reset(token)
        response.headers[REQUEST_ID_HEADER] = found
        return response

    return middleware


def _log_request(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    """One line for each request, where logs are collected; no name and no query string stands in it."""
    view = request.resolver_match.view_name if request.resolver_match else ""
    facts = {"method": request.method, "view": view, "status": response.status_code, "ms": round(seconds * 1000, 1)}
    log.info("%s %s", request.method, request.path, extra={"facts": facts})


def get_request_id() -> str:
    """The id of the request that is being answered; empty outside of one."""
    return _current.get()


class WithRequestId(logging.Filter):
    """Puts the id of the request into each record, as `request_id`."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = get_request_id() or getattr(record, "request_id", "")
        return True
