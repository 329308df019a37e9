"""The door for helpers and referees: a code, typed or scanned, opened on one device."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament import access, signing_in
from tournament.forms.access_codes import AccessCodeForm, tables_written
from tournament.models import AccessCode, Role
from tournament.operations import access_codes
from tournament.refusals import Refusal

MOST = 5
"""Codes that one browser may have open."""


@never_cache
@require_http_methods(["GET", "POST"])
def typed(request: HttpRequest) -> HttpResponse:
    """A field for the code; a post leads to the page that says what it opens."""
    form = AccessCodeForm(request.POST or None)
    found: list[AccessCode] = []
    if form.done(lambda sent: found.append(_found(request, sent["code"]))):
        return redirect("access_code_link", access_codes.tidied(request.POST["code"]))
    return render(request, "registration/access_code.html", {"form": form})


@never_cache
@require_http_methods(["GET", "POST"])
def link(request: HttpRequest, token: str) -> HttpResponse:
    """What a code opens, for whom; a post opens it on this device. A program that looks at links opens nothing."""
    try:
        code = _found(request, token)
        if request.method == "POST" and not _has(request, code):
            return _opened(request, code)
    except Refusal as refusal:
        form = AccessCodeForm()
        context = {"form": form, "refusal": str(refusal)}
        return render(request, "registration/access_code.html", context, status=410)
    if _has(request, code):
        return redirect(*_work(code))
    context = {"code": code, "tables": tables_written(code.tables), "role": Role(code.role).label}
    return render(request, "registration/access_code_open.html", context)


@never_cache
@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Close every code of this browser; each can be opened again, here or elsewhere."""
    for pk, secret in access.codes_in(request).items():
        access_codes.close(int(pk), secret)
    request.session.pop(access.CODES, None)
    if not request.user.is_authenticated:
        request.session.flush()
    messages.success(request, _("The code is closed on this device."))
    return redirect("access_code")


def _found(request: HttpRequest, text: str) -> AccessCode:
    """The code. Raises `CodeUnknown`, or `TooManyAttempts` where codes are being guessed."""
    signing_in.refuse_guessing(request)
    try:
        return access_codes.find(text)
    except access_codes.CodeUnknown:
        signing_in.count_wrong_code(request)
        raise


def _has(request: HttpRequest, code: AccessCode) -> bool:
    secret = access.codes_in(request).get(str(code.pk), "")
    return bool(secret) and access_codes.opened_with(code.pk, secret, code.tournament.slug) is not None


def _opened(request: HttpRequest, code: AccessCode) -> HttpResponse:
    try:
        secret = access_codes.open_on(code)
    except access_codes.CodeInUse:
        signing_in.count_wrong_code(request)
        raise
    request.session.cycle_key()
    kept = dict(list(access.codes_in(request).items())[1 - MOST :])
    request.session[access.CODES] = {**kept, str(code.pk): secret}
    messages.success(request, _("Welcome, %(name)s!") % {"name": code.name})
    return redirect(*_work(code))


def _work(code: AccessCode) -> tuple[str, str]:
    """Where whoever has the code works."""
    page = "games:referee_overview" if code.role == Role.REFEREE else "games:current"
    return page, code.tournament.slug
