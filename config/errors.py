"""The answer to an error: 404 with the view's sentence, 503 while the database is away or must not be opened, 507 while
the disk is full or write-protected, else 500."""

import errno
import sys
from http import HTTPStatus

from django.core.exceptions import ObjectDoesNotExist
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import loader
from django.urls import Resolver404
from django.views import defaults

from tournament.api.serving import answer_unknown_address
from tournament.basics.refusals import Refusal

RETRY_AFTER = 5  # seconds
PROGRAMS_AT = "/api/"
SAID_TO_PROGRAMS = {
    HTTPStatus.INTERNAL_SERVER_ERROR: "The program has failed here and has noted why.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The database does not answer. Please try again.",
    HTTPStatus.INSUFFICIENT_STORAGE: "The disk is full or write-protected.",
}
UNWRITABLE_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)
"""The system's errors when a photo or an upload cannot be written."""


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django calls this for a 404: the page says what the view says, not what Django says of a row or an address."""
    if isinstance(exception, Resolver404) and request.path_info.startswith(PROGRAMS_AT):
        return answer_unknown_address(request)
    # get_object_or_404 raises while it handles the row's DoesNotExist; its text names a model and tells a visitor
    # nothing.
    is_django_s = isinstance(exception, Resolver404) or isinstance(exception.__context__, ObjectDoesNotExist)
    message = "" if is_django_s else str(exception)
    return render(request, "404.html", {"said": message}, status=HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django calls this for an exception that nobody caught."""
    page = _answer_fault(request)
    if not request.path_info.startswith(PROGRAMS_AT):
        return page
    detail = SAID_TO_PROGRAMS[HTTPStatus(page.status_code)]
    headers = {name: page.headers[name] for name in ("Retry-After",) if name in page.headers}
    return JsonResponse({"detail": detail}, status=page.status_code, headers=headers)


def _answer_fault(request: HttpRequest) -> HttpResponse:
    fault = sys.exc_info()[1]
    if isinstance(fault, OSError) and fault.errno in UNWRITABLE_ERRORS:
        return _render_unwritable()
    if not isinstance(fault, OperationalError | InterfaceError):
        return defaults.server_error(request)
    if isinstance(fault.__cause__, Refusal):  # its text names folders, so the page does not show it
        page = loader.get_template("503_refused.html").render()
        return HttpResponse(page, status=HTTPStatus.SERVICE_UNAVAILABLE)
    # SQLite says so of a full disk and of a write-protected folder.
    if connection.vendor == "sqlite" and any(sign in str(fault) for sign in ("full", "readonly", "disk I/O")):
        return _render_unwritable()
    if connection.vendor == "postgresql" or "locked" in str(fault):  # a service that restarts; a file in use
        page = loader.get_template("503.html").render()
        return HttpResponse(page, status=HTTPStatus.SERVICE_UNAVAILABLE, headers={"Retry-After": str(RETRY_AFTER)})
    return defaults.server_error(request)


def _render_unwritable() -> HttpResponse:
    page = loader.get_template("507.html").render()
    return HttpResponse(page, status=HTTPStatus.INSUFFICIENT_STORAGE)
