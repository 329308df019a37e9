"""Forms about a tournament as a whole: made, copied, deleted, its divisions."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.forms.base import OperationForm
from tournament.forms.fields import DateField, NumberField, TextField
from tournament.models import Tournament
from tournament.models.choices import PAGE_LANGUAGES, choices
from tournament.operations import setup
from tournament.plan.presets import Preset
from tournament.refusals import Refusal

LANGUAGE = _("Language of the public pages")
LANGUAGE_HELP = _("Of the projector and of paper, too. Every visitor can choose another one below each page.")


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
    language = forms.ChoiceField(
        required=False, label=LANGUAGE, help_text=LANGUAGE_HELP, choices=choices(PAGE_LANGUAGES)
    )
    field_order = ("name", "place", "starts_on", "ends_on", "rounds", "language", "is_public")

    def __init__(self, *args: Any, preset: Preset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.preset = preset
        self.fields["language"].initial = setup.defaults(preset.ruleset)["language"]
        if preset.rounds:
            self.fields["rounds"].initial = preset.rounds
        else:
            del self.fields["rounds"]

    def clean_language(self) -> str:
        """The language chosen; the one proposed where none was sent."""
        return self.cleaned_data["language"] or str(self.fields["language"].initial)

    def clean_rounds(self) -> int:
        """How many rounds to plan; the preset's own number where nothing was typed."""
        rounds: int | None = self.cleaned_data["rounds"]
        return self.preset.rounds if rounds is None else rounds


class CopyForm(DaysForm):
    """Another event like this one."""

    with_entries = forms.BooleanField(
        label=_("Enter the same players"),
        required=False,
        help_text=_("Their photos for the ceremony come along."),
    )


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
