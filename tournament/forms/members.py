"""Forms about an organiser: its name, its members, invitations."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.forms.accounts import email_field, possible_email
from tournament.forms.base import OperationForm
from tournament.forms.fields import TextField
from tournament.models import Organiser, Role
from tournament.operations import organisers
from tournament.refusals import Refusal

WHAT_ROLES_MAY = [
    (Role.OWNER, _("everything, and look after members and invitations")),
    (Role.DIRECTOR, _("direct every tournament, keep the register and the word lists")),
    (Role.REFEREE, _("keep the referee's log and ask the word judge")),
    (Role.HELPER, _("enter results of the open round and check players in")),
]
"""Each role with what it allows, in words."""


class RoleForm(OperationForm):
    """What a member may do."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)

    def clean_role(self) -> Role:
        """The role chosen."""
        return Role(self.cleaned_data["role"])


class InviteForm(RoleForm):
    """An invitation: for which role, and for whom."""

    note = TextField(
        label=_("For whom"),
        required=False,
        longest=limits.PLAYER_NAME,
        help_text=_("Only a reminder: whoever opens the link chooses a name of their own."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    field_order = ("note", "role")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].initial = Role.HELPER.value


class AccountForm(UserCreationForm):  # type: ignore[type-arg]  # generic in its stubs only
    """A new account, with a name that fits the journal, and an address where letters are sent."""

    email = email_field(help_text=_("A link for a new password goes there. Left empty, there is none."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.MAIL:
            del self.fields["email"]
        name = self.fields["username"]
        name.validators.append(MaxLengthValidator(limits.BY_NAME))
        name.help_text = _("Up to %(limit)s characters: letters, figures and @ . + - _") % {"limit": limits.BY_NAME}

    def clean_email(self) -> str:
        """The address, if it can be one."""
        return possible_email(self.cleaned_data["email"])

    def save(self, commit: bool = True) -> User:
        """The account."""
        self.instance.email = self.cleaned_data.get("email", "")
        made: User = super().save(commit)
        return made


class OrganiserForm(OperationForm):
    """An organiser's name and address; `of` is the organiser that has them already."""

    name = TextField(
        label=_("Name"),
        required=False,
        longest=limits.NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    slug = TextField(
        label=_("Address"),
        required=False,
        longest=limits.SLUG,
        help_text=_("Letters from a to z, figures and hyphens. Left empty, it is made from the name or stays."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, of: Organiser | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.of = of

    def problems(self) -> list[Refusal]:
        typed = self.cleaned_data
        return organisers.problems(typed.get("name", ""), typed.get("slug", ""), of=self.of)
