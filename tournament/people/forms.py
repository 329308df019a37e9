"""Forms about people of the register."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.models import Player
from tournament.pages.forms import OperationForm
from tournament.people.merging import MERGED_FIELDS

KEPT, OTHER = "kept", "other"

FIELD_LABELS = {
    "name": _("Name"),
    "club": _("Club"),
    "rating": _("Rating"),
    "games": _("Lifetime games"),
    "email": _("E-mail"),
    "phone": _("Phone"),
}


class MergeForm(OperationForm):
    """Which of two players is right, for each field in which both state something else."""

    def __init__(self, *args: Any, kept: Player, other: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in MERGED_FIELDS:
            own, others = getattr(kept, name), getattr(other, name)
            if own != others and own not in (None, "", 0) and others not in (None, "", 0):
                self.fields[name] = forms.ChoiceField(
                    label=FIELD_LABELS[name],
                    choices=[(KEPT, str(own)), (OTHER, str(others))],
                    initial=KEPT,
                    widget=forms.RadioSelect,
                )

    @property
    def taken(self) -> list[str]:
        """The fields in which the other player is right. Only for a valid form."""
        return [name for name, chosen in self.cleaned_data.items() if chosen == OTHER]
