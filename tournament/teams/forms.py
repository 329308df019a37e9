"""The form that names teams."""

from collections.abc import Iterable
from typing import Any

from django import forms

from tournament.basics import limits
from tournament.models import Entry
from tournament.pages.forms import OperationForm, TextField


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
        """What was typed, by entry. Only for a valid form."""
        return {entry.pk: self.cleaned_data[f"team-{entry.pk}"] for entry in self.entries}
