"""Forms about one's own account."""

from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.forms.base import OperationForm
from tournament.forms.fields import TextField, quote
from tournament.operations import accounts
from tournament.refusals import Refusal


def is_password(request: HttpRequest, password: str) -> bool:
    """Whether this is the password of whoever is signed in, looked at as often as at the sign-in.

    Raises `signing_in.TooManyAttempts`.
    """
    return authenticate(request, username=request.user.get_username(), password=password) is not None


def email_field(**kwargs: Any) -> TextField:
    """The address of an account."""
    return TextField(
        limits.EMAIL, label=_("E-mail"), widget=forms.EmailInput(attrs={"autocomplete": "email"}), **kwargs
    )


def possible_email(typed: str) -> str:
    """The address typed, if it can be one."""
    if faults := accounts.email_problems(typed):
        raise ValidationError([str(fault) for fault in faults])
    return typed


class PasswordForm(OperationForm):
    """What asks for the password once more, so that an unlocked laptop is not enough."""

    password = forms.CharField(
        label=_("Your password"),
        required=False,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_password(self) -> str:
        """The password, if it is theirs. Raises `signing_in.TooManyAttempts`."""
        typed = str(self.cleaned_data["password"])
        if not is_password(self.request, typed):
            raise ValidationError(_("This is not the password of this account."), code="password")
        return typed


class EmailForm(PasswordForm):
    """Where the letters of one's account go."""

    email = email_field(help_text=_("A link for a new password goes there. Left empty, there is none."))
    field_order = ("email", "password")

    def problems(self) -> list[Refusal]:
        return accounts.email_problems(self.cleaned_data.get("email", ""))


class NewPasswordForm(PasswordChangeForm):
    """Another password for one's own account."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        assert isinstance(request.user, User)
        super().__init__(request.user, *args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        """The old password, if it is theirs. Raises `signing_in.TooManyAttempts`."""
        typed = str(self.cleaned_data["old_password"])
        if not is_password(self.request, typed):
            raise ValidationError(_("This is not the password of this account."), code="password")
        return typed


class ResetForm(PasswordResetForm):
    """Whose password is lost."""

    email = email_field(required=True)

    def clean_email(self) -> str:
        """The address, if it can be one."""
        return possible_email(self.cleaned_data["email"])


class SecondStepForm(OperationForm):
    """The second step of signing in."""

    code = TextField(
        limits.CODE,
        label=_("One-time code"),
        required=True,
        help_text=_("Six figures from the app, or one of the recovery codes."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "autofocus": True}),
    )

    def refuse_code(self) -> None:
        """Say that the code does not fit."""
        typed = quote(self.cleaned_data["code"])
        said = gettext("“%(code)s” does not fit. A code is good for half a minute and once; take the next one.")
        self.add_error("code", said % {"code": typed})


class TurnOnForm(PasswordForm, SecondStepForm):
    """The first code from the app."""

    code = TextField(
        limits.CODE,
        label=_("One-time code"),
        required=True,
        help_text=_("Six figures, which the app shows once it has the key."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )
    field_order = ("code", "password")
