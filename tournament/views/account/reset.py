"""A lost password: a letter with a link to choose another one.

Nothing here tells whether there is an account: the answer is the same and comes as fast, and letters are counted by
the address that was typed.
"""

from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tournament import mailing, signing_in
from tournament.forms.accounts import ResetForm


@never_cache
@require_http_methods(["GET", "POST"])
def ask(request: HttpRequest) -> HttpResponse:
    """Ask for the letter; 404 where none are sent."""
    _need_mail()
    form = ResetForm(request.POST or None)
    if form.is_valid():
        signing_in.count_letter(request, form.cleaned_data["email"])
        mailing.send_beside(
            partial(
                form.save,
                domain_override=request.get_host(),
                use_https=request.is_secure(),
                subject_template_name="account/reset_subject.txt",
                email_template_name="account/reset_letter.txt",
                extra_email_context=_valid_for(),  # type: ignore[arg-type]  # a template takes any value
            )
        )
        return redirect("password_reset_sent")
    return render(request, "account/reset.html", {"form": form, **_valid_for()})


@never_cache
@require_safe
def sent(request: HttpRequest) -> HttpResponse:
    """What to do next, whether a letter was sent or not; 404 where none are sent."""
    _need_mail()
    return render(request, "account/reset_sent.html", _valid_for())


@method_decorator(never_cache, name="dispatch")
class Choose(PasswordResetConfirmView):
    """Behind the link: choose another password. Django moves the link's secret out of the address at once."""

    template_name = "account/reset_choose.html"
    success_url = reverse_lazy("login")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """404 where no letters are sent."""
        _need_mail()
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: SetPasswordForm) -> HttpResponse:  # type: ignore[type-arg]  # in its stubs only
        """Say that it is done, on the page to sign in."""
        answer = super().form_valid(form)
        user = form.user
        mailing.tell_owner(user.get_username(), user.email, self.request.get_host(), _("It has another password."))
        messages.success(self.request, _("The new password is set. Sign in with it."))
        return answer


def _need_mail() -> None:
    if not settings.MAIL:
        raise Http404


def _valid_for() -> dict[str, int]:
    return {"minutes": settings.PASSWORD_RESET_TIMEOUT // 60}
