"""One's own account: where its letters go, another password.

What is posted here holds passwords, so nothing of it is kept when the session has expired: these views are guarded by
Django's own `login_required`.
"""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from tournament import mailing, second_factor
from tournament.forms.accounts import EmailForm, NewPasswordForm
from tournament.operations import accounts


@login_required
@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What is set, and ways to set it."""
    assert isinstance(request.user, User)
    is_on = second_factor.is_on(request.user)
    context = {
        "mail": bool(settings.MAIL),
        "offered": settings.SECOND_FACTOR,
        "is_on": is_on,
        "codes_left": second_factor.codes_left(request.user) if is_on else 0,
    }
    return render(request, "account/own.html", context)


@sensitive_post_parameters()
@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def email(request: HttpRequest) -> HttpResponse:
    """Where one's letters go; 404 where none are sent."""
    if not settings.MAIL:
        raise Http404
    user = request.user
    assert isinstance(user, User)
    form = EmailForm(request.POST or None, request=request, initial={"email": user.email})
    before = user.email
    if form.done(lambda typed: accounts.set_email(user, typed["email"])):
        _tell(request, before, _("Its letters go to another e-mail address."))
        messages.success(request, _("Saved."))
        return redirect("account:own")
    return render(request, "account/form.html", {"form": form, "heading": _("E-mail"), "submit": _("Save")})


@sensitive_post_parameters()
@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    """Another password; every other browser is signed out by it."""
    form = NewPasswordForm(request=request, data=request.POST or None)
    if form.is_valid():
        update_session_auth_hash(request, form.save())
        _tell(request, form.user.email, _("It has another password."))
        messages.success(request, _("The password is changed. All other browsers are signed out."))
        return redirect("account:own")
    context = {"form": form, "heading": _("Change the password"), "submit": _("Save")}
    return render(request, "account/form.html", context)


def _tell(request: HttpRequest, email: str, what: str) -> None:
    """Write to the owner of the account what was changed, to the address that it had before."""
    mailing.tell_owner(request.user.get_username(), email, request.get_host(), what)
