"""Middleware: language, security policy, restoring, upload limits, who has signed in, and refusals."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme

from tournament.access.rules import is_at_work
from tournament.access.signing_in import TooManyAttempts, get_client_address, hand_over_ticket, remember_browser
from tournament.backup.restoring import REQUEST_GATE
from tournament.basics.languages import get_chosen_language
from tournament.basics.one_at_a_time import SENDER
from tournament.basics.refusals import Refusal, Refusals
from tournament.laptop.connections import forget_session, is_upload_link, note_session
from tournament.pages.caching import forbid_caching
from tournament.pages.requests import render_wait, show_refusal

RETRY_SECONDS = 5
GetResponse = Callable[[HttpRequest], HttpResponseBase]


def chosen_language(get_response: GetResponse) -> GetResponse:
    """German until the visitor chooses otherwise: the cookie counts, not the browser's preference. An event's public
    pages may switch to another language and set `request.LANGUAGE_CODE`."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        request.LANGUAGE_CODE = get_chosen_language(request) or settings.LANGUAGE_CODE
        translation.activate(request.LANGUAGE_CODE)
        response = get_response(request)
        patch_vary_headers(response, ("Cookie",))
        # An event's page has set the event's language already.
        response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)
        return response

    return middleware


def content_security_policy(get_response: GetResponse) -> GetResponse:
    """Send `SECURE_CSP` as a header, as Django 6 does, except with Django's debug pages, whose scripts are inline."""
    policy = "; ".join(f"{directive} {' '.join(sources)}" for directive, sources in settings.SECURE_CSP.items())

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not (settings.DEBUG and response.status_code in {404, 500}):
            # A picture, and the one address that may be framed, have a policy of their own.
            response.headers.setdefault("Content-Security-Policy", policy)
        return response

    return middleware


class PackedPages(GZipMiddleware):
    """Send pages compressed, since a hall full of devices shares one radio channel; Django lengthens each by chance, so
    that its length betrays no secret. Files are left as they are."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
            return response
        return super().process_response(request, response)


def doors(get_response: GetResponse) -> GetResponse:
    """Turn everybody away for some seconds while a backup is restored."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        with REQUEST_GATE.passing() as let_in:
            if let_in:
                return get_response(request)
        response = render(request, "503_restoring.html", status=503)
        response["Retry-After"] = response["Refresh"] = str(RETRY_SECONDS)
        response._has_been_logged = True  # type: ignore[attr-defined]  # meant so: no error for the program's window
        return response

    return middleware


def upload_limit(get_response: GetResponse) -> GetResponse:
    """Refuse a body over `UPLOAD_LIMIT` or `ANONYMOUS_UPLOAD_LIMIT` with a page, before anything reads it, and note who
    sends one. Signed-in users may send as much as `LARGE_UPLOADS` says for the address."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        text = request.META.get("CONTENT_LENGTH") or "0"
        # A body without a length counts as empty, and Django reads none of it.
        size = int(text) if text.isdecimal() else 0
        # Whose upload this would be: that of a personal link, of a session, or else of an address. Made-up links and
        # sessions gain nothing, since every view that reads files asks for a real one.
        if size == 0:
            SENDER.set("")
        elif is_upload_link(request.path_info):
            SENDER.set(request.path_info.split("/")[2])
        else:
            SENDER.set(request.COOKIES.get(settings.SESSION_COOKIE_NAME) or get_client_address(request))
        may_send_more = size <= settings.ANONYMOUS_UPLOAD_LIMIT or request.user.is_authenticated
        if not may_send_more and not is_upload_link(request.path_info):
            return render(request, "413.html", {"limit": settings.ANONYMOUS_UPLOAD_LIMIT}, status=413)
        if size > settings.UPLOAD_LIMIT and size > _get_large_limit(request):
            return render(request, "413.html", {"limit": settings.UPLOAD_LIMIT}, status=413)
        return get_response(request)

    return middleware


def _get_large_limit(request: HttpRequest) -> int:
    """The limit in `LARGE_UPLOADS` for this address; else 0."""
    try:
        address = resolve(request.path_info).view_name
    except Resolver404:
        return 0
    return settings.LARGE_UPLOADS.get(address, 0)


class SignedIn:
    """Tells the laptop's server who has signed in, remembers their browsers, and answers `TooManyAttempts`."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        hand_over_ticket(request, response)
        if not request.session.accessed:  # nobody else has read it, so it is not read for this alone
            return response
        had, key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""), request.session.session_key
        if key and is_at_work(request.session):
            note_session(key)
            forbid_caching(response)  # the next one at this machine reads nothing of it
            if key != had:
                remember_browser(request, response)
        elif had:
            forget_session(had)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A page that says how long to wait."""
        return render_wait(request, exception, "429.html") if isinstance(exception, TooManyAttempts) else None


class RefusalsTold:
    """Shows a refusal that a view let through above the page that posted. Any operation may find that what it is about
    has changed or gone since the page was loaded."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Redirect to our page that sent this, else the director's list; None for any other exception or method."""
        if request.method != "POST" or not isinstance(exception, Refusal | Refusals):
            return None
        show_refusal(request, exception)
        referer = request.headers.get("Referer", "")
        # The header is the sender's to write: nobody is led to another site by it.
        ours = url_has_allowed_host_and_scheme(referer, {request.get_host()}, require_https=request.is_secure())
        back = referer if referer and ours else reverse("director:home")
        if request.headers.get("HX-Request"):
            return HttpResponse(status=409, headers={"HX-Redirect": back})
        return redirect(back)
