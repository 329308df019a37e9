"""The second factor of one's own account: on, off, new recovery codes. Where it is not offered all of this is a 404."""

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from tournament import mailing, second_factor
from tournament.forms.accounts import PasswordForm, TurnOnForm
from tournament.laptop import qr

View = Callable[[HttpRequest], HttpResponseBase]


def where_offered(view: View) -> View:
    """Decorator: 404 where no second factor is offered."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponseBase:
        if not settings.SECOND_FACTOR:
            raise Http404
        return view(request)

    return guarded


@where_offered
@sensitive_post_parameters()
@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def turn_on(request: HttpRequest) -> HttpResponse:
    """The key for the app; a post with a code from it turns the second factor on and shows the recovery codes."""
    user = _user(request)
    if second_factor.is_on(user):
        return redirect("account:own")
    form, codes = TurnOnForm(request.POST or None, request=request), []
    if form.is_valid():
        codes = second_factor.turn_on(user, form.cleaned_data["code"])
        if codes:
            return _codes(request, codes)
        form.refuse_code()
    key = second_factor.prepared(user)
    context = {"form": form, "key": key, "picture": qr.picture(key.address)}
    return render(request, "account/second_factor_on.html", context)


@where_offered
@sensitive_post_parameters()
@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def turn_off(request: HttpRequest) -> HttpResponse:
    """A post with the password turns the second factor off."""
    form = PasswordForm(request.POST or None, request=request)
    if form.is_valid():
        user = _user(request)
        second_factor.turn_off(user)
        what = _("Its second factor is turned off: the password alone opens it.")
        mailing.tell_owner(user.get_username(), user.email, request.get_host(), what)
        messages.success(request, _("The second factor is turned off."))
        return redirect("account:own")
    context = {"form": form, "heading": _("Turn the second factor off"), "submit": _("Turn it off")}
    return render(request, "account/form.html", context)


@where_offered
@sensitive_post_parameters()
@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def recovery_codes(request: HttpRequest) -> HttpResponse:
    """A post with the password makes new recovery codes, and shows them."""
    if not second_factor.is_on(_user(request)):
        return redirect("account:own")
    form = PasswordForm(request.POST or None, request=request)
    if form.is_valid():
        return _codes(request, second_factor.new_codes(_user(request)))
    context = {"form": form, "heading": _("New recovery codes"), "submit": _("Make new codes")}
    return render(request, "account/form.html", context)


def _codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    return render(request, "account/recovery_codes.html", {"codes": codes})


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
