"""Forms about a tournament as a whole: made, copied, deleted, its divisions and its directors."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.forms.base import OperationForm, offer
from tournament.forms.fields import DateField, NumberField, TextField
from tournament.models import Tournament
from tournament.operations import setup
from tournament.plan.presets import Preset
from tournament.refusals import Refusal


class DaysForm(OperationForm):
    """What every event has: a name, perhaps its days."""

    name = TextField(
        limits.NAME,
        label=_("Name"),
        widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "off"}),
    )
    starts_on = DateField(label=_("First day"))
    ends_on = DateField(label=_("Last day"))

    def problems(self) -> list[Refusal]:
        stated = {name: self.cleaned_data.get(name) for name in ("starts_on", "ends_on")}
        texts = {name: self.cleaned_data.get(name, "") for name in ("name", "place")}
        return setup.text_problems(Tournament(**texts, **stated))


class NewForm(DaysForm):
    """A new tournament from a preset; everything not asked for has a default that the settings can change."""

    blamed: ClassVar[Mapping[str, str]] = {"plan": "rounds"}

    place = TextField(limits.PLACE, label=_("Place"))
    rounds = NumberField(limits.ROUND, label=_("Rounds"))
    is_public = forms.BooleanField(
        label=_("Visible to everybody"),
        required=False,
        initial=True,
        help_text=_("Announcement and entries at once, pairings and results as you publish them"),
    )
    field_order = ("name", "place", "starts_on", "ends_on", "rounds", "is_public")

    def __init__(self, *args: Any, preset: Preset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.preset = preset
        if preset.rounds:
            self.fields["rounds"].initial = preset.rounds
        else:
            del self.fields["rounds"]

    def clean_rounds(self) -> int:
        """How many rounds to plan; the preset's own number where nothing was typed."""
        rounds: int | None = self.cleaned_data["rounds"]
        return self.preset.rounds if rounds is None else rounds


class CopyForm(DaysForm):
    """Another event like this one."""

    with_entries = forms.BooleanField(label=_("Enter the same players"), required=False)


class DeleteTournamentForm(OperationForm):
    """The name, typed by hand, so that nobody deletes by accident."""

    typed_name = forms.CharField(
        label=_("Type the tournament's name"), required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class DivisionForm(OperationForm):
    """A division's name."""

    name = TextField(
        limits.DIVISION,
        label=_("Name"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class PeopleForm(OperationForm):
    """Who directs a tournament. Somebody who gives it up has to say so, since they cannot take that back."""

    directors = forms.MultipleChoiceField(label=_("Directors"), widget=forms.CheckboxSelectMultiple, required=False)
    leave = forms.BooleanField(
        label=_("I give it up: afterwards I can change nothing in this tournament"), required=False
    )

    def __init__(self, data: Any = None, *, tournament: Tournament, user: object) -> None:
        super().__init__(data)
        self.user = user
        if getattr(user, "is_superuser", False):
            del self.fields["leave"]
        self.users = {str(user.pk): user for user in User.objects.filter(is_active=True).order_by("username")}
        offer(self, "directors", [(key, user.username) for key, user in self.users.items()])
        self.fields["directors"].initial = [str(pk) for pk in tournament.directors.values_list("pk", flat=True)]

    def clean_directors(self) -> list[User]:
        """The accounts that were ticked."""
        return [self.users[key] for key in self.cleaned_data["directors"]]

    def clean(self) -> dict[str, Any]:
        chosen = self.cleaned_data.get("directors")
        if chosen and "leave" in self.fields and self.user not in chosen and not self.cleaned_data.get("leave"):
            self.add_error("leave", _("Your own account is not ticked. Tick this too if that is meant."))
        return self.cleaned_data
