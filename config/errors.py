"""The answer when something went wrong: 503 while the database is away, with the time to try again; else 500."""

import sys
from http import HTTPStatus

from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views import defaults

RETRY_AFTER = 5
"""Seconds after which it is worth asking again."""


def server_error(request: HttpRequest) -> HttpResponse:
    """Called by Django while it handles an exception that nobody caught."""
    if not _is_away(sys.exc_info()[1]):
        return defaults.server_error(request)
    page = loader.get_template("503.html").render()
    return HttpResponse(page, status=HTTPStatus.SERVICE_UNAVAILABLE, headers={"Retry-After": str(RETRY_AFTER)})


def _is_away(fault: BaseException | None) -> bool:
    """Whether the database may answer soon: a service that restarts, a file that somebody else has locked. A full disk
    is neither."""
    if not isinstance(fault, OperationalError | InterfaceError):
        return False
    return connection.vendor == "postgresql" or "locked" in str(fault)
