"""One's own account: signing in, e-mail address, password, a lost password, the second factor. Forms here hold
passwords, which must not be kept for after signing in, so Django's own `login_required` guards them."""

import time
from collections.abc import Callable
from functools import partial, wraps
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm, SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, PasswordResetConfirmView, redirect_to_login
from django.forms import BaseForm
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
from tournament.access.signing_in import TooManyAttempts, count_letter
from tournament.accounts.forms import (
    EmailForm,
    NewPasswordForm,
    PasswordForm,
    PasswordResetRequestForm,
    SecondStepForm,
    TurnOnSecondFactorForm,
)
from tournament.accounts.operations import set_email
from tournament.basics.addresses import build_full_address
from tournament.basics.mailing import notify_account_owner, send_in_background
from tournament.basics.program import format_command_line
from tournament.basics.qr import make_qr_picture
from tournament.pages.requests import render_wait

RequestView = Callable[[HttpRequest], HttpResponseBase]


def account_form(view: RequestView) -> RequestView:
    """Decorator: a form for a signed-in user, kept out of caches and error reports."""
    return sensitive_post_parameters()(login_required(never_cache(require_http_methods(["GET", "POST"])(view))))


@login_required
@never_cache
@require_safe
def show_account(request: HttpRequest) -> HttpResponse:
    user = _get_user(request)
    is_on = has_second_factor(user)
    context = {
        "mail": bool(settings.MAIL),
        "offered": settings.SECOND_FACTOR,
        "is_on": is_on,
        "codes_left": count_recovery_codes(user) if is_on else 0,
    }
    return render(request, "tournament/accounts/own.html", context)


@account_form
def edit_email(request: HttpRequest) -> HttpResponse:
    """Change the e-mail address; 404 if no mail is set up."""
    _require_mail()
    user = _get_user(request)
    # The letter goes to the address before: the new one may be that of somebody who has taken the account over.
    before = user.email
    form = EmailForm(request.POST or None, request=request, initial={"email": before})
    if form.done(lambda typed: set_email(user, typed["email"])):
        _tell_account_owner(request, before, _("Its e-mails go to another address."))
        messages.success(request, _("Saved."))
        return redirect("account:own")
    return _show_form(request, form, _("E-mail"), _("Save"))


def _show_form(request: HttpRequest, form: BaseForm, heading: str, submit: str) -> HttpResponse:
    return render(request, "tournament/accounts/form.html", {"form": form, "heading": heading, "submit": submit})


@account_form
def edit_password(request: HttpRequest) -> HttpResponse:
    """Change the password, which signs out every other browser."""
    form = NewPasswordForm(request=request, data=request.POST or None)
    if form.is_valid():
        # A new password ends every session of the account; this one goes on.
        update_session_auth_hash(request, form.save())
        _tell_account_owner(request, form.user.email, _("It has another password."))
        messages.success(request, _("The password has been changed. All other browsers are signed out."))
        return redirect("account:own")
    return _show_form(request, form, _("Change the password"), _("Save"))


def _tell_account_owner(request: HttpRequest, email: str, what: str) -> None:
    """Write to the address that the account had before what was changed."""
    notify_account_owner(request.user.get_username(), email, _get_service_host(request), what)


def _get_service_host(request: HttpRequest) -> str:
    return urlsplit(build_full_address("/", request)).netloc


# A lost password. Nothing here reveals whether an account exists: the answer is the same and as fast, and letters are
# counted by the typed address.


@never_cache
@require_http_methods(["GET", "POST"])
def request_password_reset(request: HttpRequest) -> HttpResponse:
    """Ask for a letter with a link; 404 if no mail is set up."""
    _require_mail()
    form = PasswordResetRequestForm(request.POST or None)
    if form.is_valid():
        try:
            count_letter(request, form.cleaned_data["email"])
        except TooManyAttempts as many:
            context = {"form": form, **_build_reset_context()}
            return render_wait(request, many, "tournament/accounts/reset.html", context)
        send_in_background(
            partial(
                form.save,
                domain_override=_get_service_host(request),
                use_https=build_full_address("/", request).startswith("https:"),
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
    """What to do next, whether a letter was sent or not; 404 if no mail is set up."""
    _require_mail()
    return render(request, "tournament/accounts/reset_sent.html", _build_reset_context())


@method_decorator(never_cache, name="dispatch")
class ChooseNewPasswordView(PasswordResetConfirmView):
    """Choose another password by the link, whose secret Django moves out of the address at once."""

    template_name = "tournament/accounts/reset_choose.html"
    success_url = reverse_lazy("login")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        _require_mail()
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: SetPasswordForm) -> HttpResponse:  # type: ignore[type-arg]  # in its stubs only
        response = super().form_valid(form)
        host = _get_service_host(self.request)
        notify_account_owner(form.user.get_username(), form.user.email, host, _("It has another password."))
        messages.success(self.request, _("The new password has been set. Sign in with it."))
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
    """Show the key for the app; POST with a code turns the second factor on and shows recovery codes."""
    user = _get_user(request)
    if has_second_factor(user):
        return redirect("account:own")
    form = TurnOnSecondFactorForm(request.POST or None, request=request)
    if form.is_valid():
        if codes := turn_on_second_factor(user, form.cleaned_data["code"]):
            return render(request, "tournament/accounts/recovery_codes.html", {"codes": codes})
        form.refuse_code()
    address, key = prepare_second_factor(user)
    context = {"form": form, "key": key, "picture": make_qr_picture(address)}
    return render(request, "tournament/accounts/second_factor_on.html", context)


@require_second_factor_offered
@account_form
def remove_second_factor(request: HttpRequest) -> HttpResponse:
    """POST with the password turns the second factor off."""
    form = PasswordForm(request.POST or None, request=request)
    if form.is_valid():
        user = _get_user(request)
        turn_off_second_factor(user)
        _tell_account_owner(
            request, user.email, _("Its second factor is turned off: the password alone is enough to sign in.")
        )
        messages.success(request, _("The second factor is turned off."))
        return redirect("account:own")
    return _show_form(request, form, _("Turn the second factor off"), _("Turn it off"))


@require_second_factor_offered
@account_form
def renew_recovery_codes(request: HttpRequest) -> HttpResponse:
    """POST with the password shows new recovery codes."""
    user = _get_user(request)
    if not has_second_factor(user):
        return redirect("account:own")
    form = PasswordForm(request.POST or None, request=request)
    if form.is_valid():
        codes = make_recovery_codes(user)
        return render(request, "tournament/accounts/recovery_codes.html", {"codes": codes})
    return _show_form(request, form, _("New recovery codes"), _("Make new codes"))


def _get_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


# Signing in: name and password, then a code if the account has a second factor. Between the two steps nobody is signed
# in: the session only remembers for some minutes whose password was right, a digest of it, and where they want to go.

FIRST_STEP_KEY = "password_was_right"
FIRST_STEP_SECONDS = 5 * 60  # allowed between password and code


class SignInView(LoginView):
    """Name and password. Whoever must wait has the page again, with the name."""

    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().post(request, *args, **kwargs)
        except TooManyAttempts as many:
            form = AuthenticationForm(request, initial={"username": request.POST.get("username", "")})
            return render_wait(request, many, "registration/login.html", self.get_context_data(form=form))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = {"mail": bool(settings.MAIL), "hosted": settings.HOSTED}
        command = format_command_line("changepassword", "NAME", in_folder=True)
        return {**super().get_context_data(**kwargs), **context, "command": command}

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign in, or go on to the code."""
        user = form.get_user()
        if not has_second_factor(user):
            return super().form_valid(form)
        step = {"user": user.pk, "password": user.get_session_auth_hash(), "at": time.time()}
        self.request.session[FIRST_STEP_KEY] = {**step, "to": self.get_success_url()}
        return redirect("login_code")


@require_second_factor_offered
@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def confirm_sign_in(request: HttpRequest) -> HttpResponse:
    """The second step. Whoever must wait has the page again, with the code."""
    # Without a first step: so long ago that it is too late, whoever opens this address.
    step: dict[str, Any] = request.session.get(FIRST_STEP_KEY, {"at": 0})
    # Below 0 where the machine's clock was put back meanwhile: then nobody knows how long ago the first step was.
    in_time = 0 <= time.time() - step["at"] <= FIRST_STEP_SECONDS
    user = User.objects.filter(pk=step["user"], is_active=True).first() if in_time else None
    # The password may have been changed between the steps, by somebody who wants to shut this very browser out.
    if user is None or user.get_session_auth_hash() != step["password"]:
        return render(request, "tournament/accounts/code_too_late.html")
    form = SecondStepForm(request.POST or None)
    page, context = "tournament/accounts/code.html", {"form": form, "name": user.get_username()}
    if form.is_valid():
        try:
            is_right = verify_second_factor(request, user, form.cleaned_data["code"])
        except TooManyAttempts as many:
            return render_wait(request, many, page, context)
        if is_right:
            del request.session[FIRST_STEP_KEY]
            login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
            codes_left = count_recovery_codes(user)
            if codes_left < RECOVERY_CODE_COUNT // 2:
                message = ngettext("%(left)s recovery code is left.", "%(left)s recovery codes are left.", codes_left)
                messages.warning(request, message % {"left": codes_left})
            return redirect(step["to"])
        form.refuse_code()
    return render(request, page, context)


def redirect_to_administration(request: HttpRequest) -> HttpResponse:
    """The sign-in of Django's administration: our own, or a 403 for whoever may not see it."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))
    require_host(request)
    return redirect("admin:index")
