"""The forms that name teams, and that say who lines up for them."""

from collections.abc import Collection, Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.models import Entry
from tournament.pages.forms import FigureField, OperationForm, TextField


class TeamsForm(OperationForm):
    """The team of each entry; empty where that is the club."""

    def __init__(self, *args: Any, entries: Iterable[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = list(entries)
        for entry in self.entries:
            look = {"list": "known-teams", "autocomplete": "off", "placeholder": entry.club.name if entry.club else ""}
            self.fields[f"team-{entry.pk}"] = TextField(
                limits.CLUB, label=entry.name, initial=entry.team, widget=forms.TextInput(attrs=look)
            )

    @property
    def rows(self) -> list[tuple[Entry, forms.BoundField]]:
        """Each entry with its field."""
        return [(entry, self[f"team-{entry.pk}"]) for entry in self.entries]

    @property
    def teams(self) -> dict[int, str]:
        """What was typed, by entry, where a field was sent. Only for a valid form."""
        field_entries = [entry.pk for entry in self.entries if f"team-{entry.pk}" in self.data]
        return {pk: self.cleaned_data[f"team-{pk}"] for pk in field_entries}


class LineUpForm(OperationForm):
    """The order of each team, and who rests in a round; `resting`: who does so far."""

    def __init__(self, *args: Any, entries: Iterable[Entry], resting: Collection[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = list(entries)
        for entry in self.entries:
            named = {"name": entry.name}
            self.fields[f"board-{entry.pk}"] = FigureField(
                limits.BOARD, label=_("Board of %(name)s") % named, initial=entry.board
            )
            self.fields[f"rests-{entry.pk}"] = forms.BooleanField(
                label=_("%(name)s rests") % named, required=False, initial=entry.pk in resting
            )

    def get_fields(self, entry: Entry) -> tuple[forms.BoundField, forms.BoundField]:
        """Board and rest of an entry."""
        return self[f"board-{entry.pk}"], self[f"rests-{entry.pk}"]

    @property
    def boards(self) -> dict[int, int | None]:
        """The boards typed, by entry, where a field was sent. Only for a valid form."""
        field_entries = [entry.pk for entry in self.entries if f"board-{entry.pk}" in self.data]
        return {pk: self.cleaned_data[f"board-{pk}"] for pk in field_entries}

    @property
    def resting(self) -> set[int]:
        """Who is to rest. Only for a valid form."""
        return {entry.pk for entry in self.entries if self.cleaned_data[f"rests-{entry.pk}"]}
