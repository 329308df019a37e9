"""One's own account: signing in, e-mail address, password, a lost password, the second factor.

What is posted here holds passwords, so nothing of it is kept when the session has expired: these views are guarded by
Django's own `login_required`.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial, wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, PasswordResetConfirmView, redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from tournament.access.rules import require_host
from tournament.access.second_factor import (
    RECOVERY_CODE_COUNT,
    count_recovery_codes,
    has_second_factor,
    make_recovery_codes,
    prepare_second_factor,
    turn_off_second_factor,
    turn_on_second_factor,
    verify_second_factor,
)
from tournament.access.signing_in import count_letter
from tournament.accounts.forms import (
    EmailForm,
    NewPasswordForm,
    PasswordForm,
    PasswordResetRequestForm,
    SecondStepForm,
    TurnOnSecondFactorForm,
)
from tournament.accounts.operations import set_email
from tournament.basics.mailing import notify_account_owner, send_in_background
from tournament.basics.qr import make_qr_picture

RequestView = Callable[[HttpRequest], HttpResponseBase]


def account_form(view: RequestView) -> RequestView:
    """Decorator: a form for whoever is signed in, kept out of caches and of reports about errors."""
    return sensitive_post_parameters()(login_required(never_cache(require_http_methods(["GET", "POST"])(view))))


@login_required
@never_cache
@require_safe
def show_account(request: HttpRequest) -> HttpResponse:
    """What is set, with links to change it."""
    assert isinstance(request.user, User)
    is_on = has_second_factor(request.user)
    context = {
        "mail": bool(settings.MAIL),
        "offered": settings.SECOND_FACTOR,
        "is_on": is_on,
        "codes_left": count_recovery_codes(request.user) if is_on else 0,
    }
    return render(request, "tournament/accounts/own.html", context)


@account_form
def edit_email(request: HttpRequest) -> HttpResponse:
    """Where one's letters go; 404 if none are sent."""
    _require_mail()
    user = _get_user(request)
    form = EmailForm(request.POST or None, request=request, initial={"email": user.email})
    before = user.email
    if form.done(lambda typed: set_email(user, typed["email"])):
        _tell_account_owner(request, before, _("Its letters go to another e-mail address."))
        messages.success(request, _("Saved."))
        return redirect("account:own")
    return render(request, "tournament/accounts/form.html", {"form": form, "heading": _("E-mail"), "submit": _("Save")})


@account_form
def edit_password(request: HttpRequest) -> HttpResponse:
    """Another password; every other browser is signed out by it."""
    form = NewPasswordForm(request=request, data=request.POST or None)
    if form.is_valid():
        update_session_auth_hash(request, form.save())
        _tell_account_owner(request, form.user.email, _("It has another password."))
        messages.success(request, _("The password is changed. All other browsers are signed out."))
        return redirect("account:own")
    context = {"form": form, "heading": _("Change the password"), "submit": _("Save")}
    return render(request, "tournament/accounts/form.html", context)


def _tell_account_owner(request: HttpRequest, email: str, what: str) -> None:
    """Write to the owner of the account what was changed, to the address that it had before."""
    notify_account_owner(request.user.get_username(), email, request.get_host(), what)


# A lost password: a letter with a link to choose another one. Nothing here tells whether there is an account: the
# answer is the same and as fast, and letters are counted by the address that was typed.


@never_cache
@require_http_methods(["GET", "POST"])
def request_password_reset(request: HttpRequest) -> HttpResponse:
    """Ask for the letter; 404 if none are sent."""
    _require_mail()
    form = PasswordResetRequestForm(request.POST or None)
    if form.is_valid():
        count_letter(request, form.cleaned_data["email"])
        send_in_background(
            partial(
                form.save,
                domain_override=request.get_host(),
                use_https=request.is_secure(),
                subject_template_name="tournament/accounts/reset_subject.txt",
                email_template_name="tournament/accounts/reset_letter.txt",
                extra_email_context=_build_reset_context(),  # type: ignore[arg-type]  # a template takes any value
            )
        )
        return redirect("password_reset_sent")
    return render(request, "tournament/accounts/reset.html", {"form": form, **_build_reset_context()})


@never_cache
@require_safe
def show_reset_sent(request: HttpRequest) -> HttpResponse:
    """What to do next, whether a letter was sent or not; 404 if none are sent."""
    _require_mail()
    return render(request, "tournament/accounts/reset_sent.html", _build_reset_context())


@method_decorator(never_cache, name="dispatch")
class ChooseNewPasswordView(PasswordResetConfirmView):
    """Behind the link: choose another password. Django moves the link's secret out of the address at once."""

    template_name = "tournament/accounts/reset_choose.html"
    success_url = reverse_lazy("login")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        _require_mail()
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: SetPasswordForm) -> HttpResponse:  # type: ignore[type-arg]  # in its stubs only
        response = super().form_valid(form)
        user = form.user
        notify_account_owner(user.get_username(), user.email, self.request.get_host(), _("It has another password."))
        messages.success(self.request, _("The new password is set. Sign in with it."))
        return response


def _require_mail() -> None:
    if not settings.MAIL:
        raise Http404


def _build_reset_context() -> dict[str, int]:
    return {"minutes": settings.PASSWORD_RESET_TIMEOUT // 60}


# The second factor.


def require_second_factor_offered(view: RequestView) -> RequestView:
    """Decorator: 404 if no second factor is offered."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponseBase:
        if not settings.SECOND_FACTOR:
            raise Http404
        return view(request)

    return guarded


@require_second_factor_offered
@account_form
def set_up_second_factor(request: HttpRequest) -> HttpResponse:
    """The key for the app; a post with a code from it turns the second factor on and shows the recovery codes."""
    user = _get_user(request)
    if has_second_factor(user):
        return redirect("account:own")
    form = TurnOnSecondFactorForm(request.POST or None, request=request)
    if form.is_valid():
        if codes := turn_on_second_factor(user, form.cleaned_data["code"]):
            return render(request, "tournament/accounts/recovery_codes.html", {"codes": codes})
        form.refuse_code()
    key = prepare_second_factor(user)
    context = {"form": form, "key": key, "picture": make_qr_picture(key.address)}
    return render(request, "tournament/accounts/second_factor_on.html", context)


@require_second_factor_offered
@account_form
def remove_second_factor(request: HttpRequest) -> HttpResponse:
    """A post with the password turns the second factor off."""
    form = PasswordForm(request.POST or None, request=request)
    if form.is_valid():
        user = _get_user(request)
        turn_off_second_factor(user)
        _tell_account_owner(request, user.email, _("Its second factor is turned off: the password alone opens it."))
        messages.success(request, _("The second factor is turned off."))
        return redirect("account:own")
    context = {"form": form, "heading": _("Turn the second factor off"), "submit": _("Turn it off")}
    return render(request, "tournament/accounts/form.html", context)


@require_second_factor_offered
@account_form
def renew_recovery_codes(request: HttpRequest) -> HttpResponse:
    """A post with the password makes new recovery codes, and shows them."""
    user = _get_user(request)
    if not has_second_factor(user):
        return redirect("account:own")
    form = PasswordForm(request.POST or None, request=request)
    if form.is_valid():
        codes = make_recovery_codes(user)
        return render(request, "tournament/accounts/recovery_codes.html", {"codes": codes})
    context = {"form": form, "heading": _("New recovery codes"), "submit": _("Make new codes")}
    return render(request, "tournament/accounts/form.html", context)


def _get_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


# Signing in: name and password, then a code if the account asks for one. Between the two nobody is signed in: the
# session only remembers, for some minutes, whose password was right.

FIRST_STEP_KEY = "password_was_right"
FIRST_STEP_SECONDS = 5 * 60  # the most between password and code


@dataclass(frozen=True, slots=True)
class FirstStep:
    """Whose password was right."""

    user: int
    password: str  # a digest: if the password changes, everything starts over
    at: float  # seconds since 1970
    to: str  # where they want to go


class SignInView(LoginView):
    """Name and password. Raises `TooManyAttempts`."""

    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "mail": bool(settings.MAIL), "hosted": settings.HOSTED}

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Signed in, or on to the code."""
        user = form.get_user()
        if not has_second_factor(user):
            return super().form_valid(form)
        half = FirstStep(user.pk, user.get_session_auth_hash(), time.time(), self.get_success_url())
        self.request.session[FIRST_STEP_KEY] = asdict(half)
        return redirect("login_code")


@require_second_factor_offered
@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def confirm_sign_in(request: HttpRequest) -> HttpResponse:
    """The second step. Raises `TooManyAttempts`."""
    found = request.session.get(FIRST_STEP_KEY)
    half = FirstStep(**found) if found else None
    if half is None or not 0 <= time.time() - half.at <= FIRST_STEP_SECONDS:
        return render(request, "tournament/accounts/code_too_late.html")
    user = User.objects.filter(pk=half.user, is_active=True).first()
    if user is None or user.get_session_auth_hash() != half.password:
        return render(request, "tournament/accounts/code_too_late.html")
    form = SecondStepForm(request.POST or None)
    if form.is_valid():
        if verify_second_factor(user, form.cleaned_data["code"]):
            return _finish_sign_in(request, user, half)
        form.refuse_code()
    return render(request, "tournament/accounts/code.html", {"form": form, "name": user.get_username()})


def _finish_sign_in(request: HttpRequest, user: User, half: FirstStep) -> HttpResponse:
    del request.session[FIRST_STEP_KEY]
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    left = count_recovery_codes(user)
    if left < RECOVERY_CODE_COUNT // 2:
        said = ngettext("%(left)s recovery code is left.", "%(left)s recovery codes are left.", left)
        messages.warning(request, said % {"left": left})
    return redirect(half.to)


def redirect_to_administration(request: HttpRequest) -> HttpResponse:
    """Where Django's administration sends whoever may not see it: to sign in like everybody, or a 403."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))
    require_host(request)
    return redirect("admin:index")
