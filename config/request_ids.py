"""Request ids, taken over from the proxy, in answers and log lines."""

import logging
import re
import time
import uuid
from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponseBase

REQUEST_ID_HEADER = "X-Request-ID"
GIVEN_ID_PATTERN = re.compile(r"[0-9A-Za-z-]{8,64}")
"""An id that a proxy may send; anything else is replaced, so that nobody can forge log lines."""

log = logging.getLogger(__name__)

_current: ContextVar[str] = ContextVar("request_id", default="")


def request_ids(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Give each request its id, and log a line for it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        header = request.headers.get(REQUEST_ID_HEADER, "")
        request_id = header if GIVEN_ID_PATTERN.fullmatch(header) else uuid.uuid4().hex
        token = _current.set(request_id)
        begun = time.perf_counter()
        try:
            response = get_response(request)
            milliseconds = round((time.perf_counter() - begun) * 1000, 1)
            view = request.resolver_match.view_name if request.resolver_match else ""
            facts = {"method": request.method, "view": view, "status": response.status_code, "ms": milliseconds}
            # Other parts of the address may be secret, and what is no address may be anything: only the pattern is
            # written.
            match = request.resolver_match
            log.info(
                "%s %s",
                request.method,
                "/" + match.route.replace("<slug:slug>", str(match.kwargs.get("slug"))) if match else "-",
                extra={"facts": facts},
            )
        finally:
            _current.reset(token)
        response.headers[REQUEST_ID_HEADER] = request_id
        return response

    return middleware


class WithRequestId(logging.Filter):
    """Adds `request_id` to each record, if it is about a request."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = _current.get() or getattr(record, "request_id", "")
        return True
