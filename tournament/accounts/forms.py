"""Forms for access codes, the hall's network, one's own account, organisers and members."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, UserCreationForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.accounts.operations import (
    ClubColourTooLight,
    find_colour_problems,
    find_email_problems,
    find_organiser_problems,
)
from tournament.basics import limits
from tournament.basics.colours import USUAL_CLUB_COLOUR
from tournament.basics.refusals import Refusal, find_length_refusals
from tournament.models import CODE_ROLES, Organiser, Role
from tournament.pages.forms import OperationForm, PhotosField, TablesField, TextField, quote_input

# Access codes and the network.

CODE_DESCRIPTIONS = {
    Role.HELPER: _("Helper: results of the open round, check-in"),
    Role.REFEREE: _("Referee: the log and the word judge"),
}
PLAIN_INPUT = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class NewCodeForm(OperationForm):
    role = forms.TypedChoiceField(
        label=_("What it allows"),
        choices=[(role.value, CODE_DESCRIPTIONS[role]) for role in CODE_ROLES],
        coerce=Role,
        widget=forms.RadioSelect,
        initial=Role.HELPER.value,
    )
    name = TextField(
        label=_("For whom"),
        longest=limits.AUTHOR_NAME,
        help_text=_("The journal shows the name beside everything that is done with the code."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    tables = TablesField(
        label=_("Only these tables"), required=False, help_text=_("As in 1-8, 12. Left empty: all. Helpers only.")
    )


class AccessCodeForm(OperationForm):
    code = TextField(
        label=_("Code"),
        required=True,
        longest=limits.QUOTED_TEXT,
        help_text=_("Eight letters and digits; blanks, hyphens and small letters do not matter."),
        widget=forms.TextInput(attrs={**PLAIN_INPUT, "class": "code-typed"}),
    )


class WifiForm(OperationForm):
    name = TextField(
        label=_("Name of the network"),
        # Longer than allowed: what is too long is refused below, where the bytes are counted and named.
        longest=4 * limits.WIFI_NAME,
        help_text=_("As phones show it (SSID). Leave it empty to forget the network."),
        widget=forms.TextInput(attrs=PLAIN_INPUT),
    )
    password = forms.CharField(
        label=_("Password"),
        required=False,
        # As it was typed: the password of a network may begin or end with a blank.
        strip=False,
        max_length=4 * limits.WIFI_PASSWORD,
        help_text=_("Empty for an open network. Everybody who sees the code can read it."),
        widget=forms.TextInput(attrs=PLAIN_INPUT),
    )


# One's own account.

EMAIL_HELP = _("A link for a new password is sent there. Leave empty if you do not want one.")


def _check_own_password(request: HttpRequest, typed: str) -> str:
    """The typed password, if it is the user's own. Raises `TooManyAttempts` as signing in does."""
    # Not `check_password`: by the way of signing in, guesses on an unlocked laptop are counted as those at the door
    # are.
    if authenticate(request, username=request.user.get_username(), password=typed) is None:
        raise ValidationError(_("This is not the password of this account."), code="password")
    return typed


class AccountEmailField(TextField):
    def __init__(self, **kwargs: Any) -> None:
        widget = forms.EmailInput(attrs={"autocomplete": "email"})
        super().__init__(limits.EMAIL, label=_("E-mail"), widget=widget, **kwargs)

    def validate(self, value: Any) -> None:
        super().validate(value)
        if faults := find_email_problems(value):
            raise ValidationError([str(fault) for fault in faults])


class PasswordForm(OperationForm):
    """Ask for the password once more, so that finding an unlocked laptop is not enough."""

    # An empty one is a wrong one, and told by the same sentence.
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
        return _check_own_password(self.request, str(self.cleaned_data["password"]))


class EmailForm(PasswordForm):
    email = AccountEmailField(help_text=EMAIL_HELP)
    field_order = ("email", "password")


class NewPasswordForm(PasswordChangeForm):
    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        assert isinstance(request.user, User)
        super().__init__(request.user, *args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        return _check_own_password(self.request, str(self.cleaned_data["old_password"]))


class PasswordResetRequestForm(PasswordResetForm):
    email = AccountEmailField(required=True)


class SecondStepForm(OperationForm):
    code = TextField(
        limits.CODE,
        label=_("One-time code"),
        required=True,
        help_text=_("Six digits from the app, or one of the recovery codes."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "autofocus": True}),
    )

    def refuse_code(self) -> None:
        message = gettext("“%(code)s” is not valid. A code works once, for half a minute; use the next one.")
        self.add_error("code", message % {"code": quote_input(self.cleaned_data["code"])})


class TurnOnSecondFactorForm(PasswordForm, SecondStepForm):
    code = TextField(
        limits.CODE,
        label=_("One-time code"),
        required=True,
        help_text=_("Six digits, which the app shows once it has the key."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )
    field_order = ("code", "password")


# An organiser, its members and invitations.

ROLE_DESCRIPTIONS = [
    (Role.OWNER, _("everything, and look after members and invitations")),
    (Role.DIRECTOR, _("direct every tournament, keep the register and the word lists")),
    (Role.REFEREE, _("keep the referee's log and ask the word judge")),
    (Role.HELPER, _("enter results of the open round and check players in")),
]
"""Each role with what it allows."""


class RoleForm(OperationForm):
    role = forms.TypedChoiceField(label=_("Role"), choices=Role.choices, coerce=Role)


class InviteForm(RoleForm):
    note = TextField(
        label=_("For whom"),
        longest=limits.PLAYER_NAME,
        help_text=_("Just a reminder: whoever opens the link chooses a name."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    field_order = ("note", "role")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].initial = Role.HELPER.value


class AccountForm(UserCreationForm):  # type: ignore[type-arg]  # generic in its stubs only
    """A new account: its name fits the journal, and it has an address where mail is set up."""

    email = AccountEmailField(help_text=EMAIL_HELP)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.MAIL:
            del self.fields["email"]
        name = self.fields["username"]
        # The name stands beside everything in the journal, whose column is shorter than Django's own.
        name.validators.append(MaxLengthValidator(limits.AUTHOR_NAME))
        name.help_text = _("Up to %(limit)s characters: letters, digits and @ . + - _") % {"limit": limits.AUTHOR_NAME}

    def save(self, commit: bool = True) -> User:
        # Before it is stored: Django's form writes name and password alone.
        self.instance.email = self.cleaned_data.get("email", "")
        account: User = super().save(commit)
        return account


class OrganiserForm(OperationForm):
    """An organiser's name and slug; `of` is the organiser that has them already."""

    name = TextField(label=_("Name"), longest=limits.NAME, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    slug = TextField(
        label=_("Address"),
        longest=limits.SLUG,
        help_text=_(
            "Letters from a to z, digits and hyphens. If you leave it empty, it is made from the name or stays as "
            "it is."
        ),
        widget=forms.TextInput(attrs=PLAIN_INPUT),
    )

    def __init__(self, *args: Any, of: Organiser | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.of = of

    def problems(self) -> list[Refusal]:
        fields = self.cleaned_data
        return find_organiser_problems(fields.get("name", ""), fields.get("slug", ""), of=self.of)


class OwnOrganiserForm(OrganiserForm):
    """The same for an owner, with the club's colour. Instead of one that is too light the darker one is offered."""

    colour = forms.CharField(
        label=_("Colour of the club"),
        required=False,
        help_text=_("Behind your club’s name on public pages, and on the slides of the ceremony."),
        widget=forms.TextInput(attrs={"type": "color", "class": "colour-picked"}),
    )
    word = forms.CharField(
        label=_("A word of your own"),
        required=False,
        help_text=_("On the front page: who you are, when you play, how to join. Addresses become links."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    profiles_public = forms.BooleanField(
        label=_("Profiles of players are public"),
        required=False,
        help_text=_("Events, games and records of each player on a page of its own, unless the player objects."),
    )

    def problems(self) -> list[Refusal]:
        problems = find_colour_problems(self.cleaned_data.get("colour") or USUAL_CLUB_COLOUR)
        if problems and isinstance(problems[0], ClubColourTooLight):
            # The field shows the darker colour, so that saving again takes it, as the refusal says.
            self.data = {**self.data, "colour": problems[0].figures["darker"]}
        return (
            super().problems()
            + problems
            + find_length_refusals("word", self.cleaned_data.get("word", ""), limits.CLUB_WORD)
        )


class ClubPictureForm(OperationForm):
    """A logo or a picture of a club."""

    photos = PhotosField(
        label=_("File"),
        required=False,
        help_text=_("JPEG, PNG or WebP, at most 10 MB; what is transparent becomes white."),
    )
