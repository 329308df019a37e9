"""The door: name and password, then a code where the account asks for one.

Between the two nobody is signed in: the session only remembers, for some minutes, whose password was right.
"""

import time
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from tournament import access, second_factor
from tournament.forms.accounts import SecondStepForm
from tournament.views.account.second_factor import where_offered

KEY = "password_was_right"
PATIENCE = 5 * 60
"""Seconds between password and code."""


@dataclass(frozen=True, slots=True)
class FirstStep:
    """Whose password was right, when (seconds since 1970), and where they want to go.

    `password` is a digest: with another password everything begins anew.
    """

    user: int
    password: str
    at: float
    to: str


class SignIn(LoginView):
    """Name and password. Raises `signing_in.TooManyAttempts`."""

    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The page's inputs."""
        return {**super().get_context_data(**kwargs), "mail": bool(settings.MAIL), "hosted": settings.HOSTED}

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """In, or on to the code."""
        user = form.get_user()
        if not second_factor.is_on(user):
            return super().form_valid(form)
        half = FirstStep(user.pk, user.get_session_auth_hash(), time.time(), self.get_success_url())
        self.request.session[KEY] = asdict(half)
        return redirect("login_code")


@where_offered
@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """The second step. Raises `signing_in.TooManyAttempts`."""
    half = _half(request)
    user = _user_of(half)
    if half is None or user is None:
        return render(request, "account/code_too_late.html")
    form = SecondStepForm(request.POST or None)
    if form.is_valid():
        if second_factor.passes(user, form.cleaned_data["code"]):
            return _in(request, user, half)
        form.refuse_code()
    return render(request, "account/code.html", {"form": form, "name": user.get_username()})


def _half(request: HttpRequest) -> FirstStep | None:
    found = request.session.get(KEY)
    half = FirstStep(**found) if found else None
    return half if half and 0 <= time.time() - half.at <= PATIENCE else None


def _user_of(half: FirstStep | None) -> User | None:
    user = User.objects.filter(pk=half.user, is_active=True).first() if half else None
    return user if half and user and user.get_session_auth_hash() == half.password else None


def _in(request: HttpRequest, user: User, half: FirstStep) -> HttpResponse:
    del request.session[KEY]
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    left = second_factor.codes_left(user)
    if left < second_factor.CODES // 2:
        said = ngettext("%(left)s recovery code is left.", "%(left)s recovery codes are left.", left)
        messages.warning(request, said % {"left": left})
    return redirect(half.to)


def to_administration(request: HttpRequest) -> HttpResponse:
    """Where Django's administration sends whoever may not see it: to the same door as everybody, or a 403."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))
    access.require_host(request)
    return redirect("admin:index")
