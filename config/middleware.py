"""What happens around every request: the language, the content security policy, the size of an upload."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import patch_vary_headers

GetResponse = Callable[[HttpRequest], HttpResponseBase]


def chosen_language(get_response: GetResponse) -> GetResponse:
    """German for everybody until they choose otherwise: the cookie counts, the browser's preference does not."""
    known = dict(settings.LANGUAGES)

    def middleware(request: HttpRequest) -> HttpResponseBase:
        chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
        language = chosen if chosen in known else settings.LANGUAGE_CODE
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = get_response(request)
        patch_vary_headers(response, ("Cookie",))
        response.headers.setdefault("Content-Language", language)
        return response

    return middleware


def content_security_policy(get_response: GetResponse) -> GetResponse:
    """`SECURE_CSP` as a header, as Django 6 sends it. Django's own debug pages go without: they are inline."""
    policy = "; ".join(f"{directive} {' '.join(sources)}" for directive, sources in settings.SECURE_CSP.items())

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not (settings.DEBUG and response.status_code in {404, 500}):
            response.headers.setdefault("Content-Security-Policy", policy)
        return response

    return middleware


def upload_limit(get_response: GetResponse) -> GetResponse:
    """Refuse a body beyond `UPLOAD_LIMIT` bytes with a page that says so, before anything reads it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if _announced_size(request) > settings.UPLOAD_LIMIT:
            return _too_large(request)
        return get_response(request)

    return middleware


def _announced_size(request: HttpRequest) -> int:
    text = request.META.get("CONTENT_LENGTH") or "0"
    return int(text) if text.isdecimal() else 0


def _too_large(request: HttpRequest) -> HttpResponse:
    return render(request, "413.html", {"limit": settings.UPLOAD_LIMIT}, status=413)
