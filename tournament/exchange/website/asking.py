"""A public page as this program makes it for a visitor without an account, asked for without a server."""

from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django_htmx.middleware import HtmxDetails

HTML = "text/html"

SHOWN = frozenset(
    {
        *(f"public:{name}" for name in ("tournament", "entries", "rounds", "round", "table", "table_after")),
        *(f"public:{name}" for name in ("crosstable", "bracket", "statistics", "player")),
        *(f"public:{name}" for name in ("table_file", "bracket_file", "final_file")),
        *(f"games:{name}" for name in ("replay", "replay_file", "round_play_public", "duplicate_public")),
    }
)
"""The addresses that become part of a website."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What an address gives: a page or a file, or another address to go to."""

    content: bytes = b""
    is_page: bool = False
    moved_to: str = ""


def ask(address: str, language: str) -> Fetched | None:
    """What a visitor sees at an address of ours (path and query) in a language; None where there is nothing for a
    website."""
    parts = urlsplit(address)
    try:
        found = resolve(parts.path)
    except Resolver404:
        return None
    if found.view_name not in SHOWN:
        return None
    request = _request(parts.path, parts.query, language)
    request.resolver_match = found
    try:
        response = found.func(request, *found.args, **found.kwargs)
    except Http404:
        return None
    return _answer(response)


def _request(path: str, query: str, language: str) -> HttpRequest:
    """The request of a visitor whose browser asks for this language."""
    request = HttpRequest()
    request.method = "GET"
    request.path = request.path_info = path
    request.GET = QueryDict(query)
    host = next((name for name in settings.ALLOWED_HOSTS if name.strip("*.") == name), "localhost")
    request.META = {
        "REQUEST_METHOD": "GET",
        "SERVER_NAME": host,
        "SERVER_PORT": "80",
        "QUERY_STRING": query,
        "HTTP_ACCEPT_LANGUAGE": language,
    }
    request.LANGUAGE_CODE = language
    request.user = AnonymousUser()
    request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]  # as its middleware does
    return request


def _answer(response: HttpResponseBase) -> Fetched | None:
    if response.status_code in (HTTPStatus.FOUND, HTTPStatus.MOVED_PERMANENTLY):
        return Fetched(moved_to=response.headers["Location"])
    if response.status_code != HTTPStatus.OK:
        return None
    if hasattr(response, "render") and not getattr(response, "is_rendered", True):
        response.render()
    content = b"".join(response) if response.streaming else response.content  # type: ignore[attr-defined]  # the two kinds
    return Fetched(content, response.headers["Content-Type"].startswith(HTML))
