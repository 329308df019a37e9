"""The form of a prize."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.forms.base import EntryField, OperationForm, offer
from tournament.forms.fields import NumberField, TextField
from tournament.models import Division, Entry
from tournament.models.choices import PRIZES, choices
from tournament.operations import prizes
from tournament.plan.prizes import PrizePlan
from tournament.refusals import Refusal


class PrizeForm(OperationForm):
    """What a prize is for and what there is to win. What its kind does not need may stay empty."""

    kind = forms.ChoiceField(label=_("For"), choices=choices(PRIZES))
    place = NumberField(
        limits.PRIZE_PLACE, label=_("Place in the final ranking"), help_text=_("For a place: 1, 2, 3 …")
    )
    club = TextField(
        limits.CLUB,
        label=_("Club"),
        widget=forms.TextInput(attrs={"list": "clubs", "autocomplete": "off"}),
        help_text=_("For the best of a club"),
    )
    lowest_rating = NumberField(limits.RATING, label=_("Rating from"), help_text=_("For the best of a rating class"))
    highest_rating = NumberField(limits.RATING, label=_("Rating up to"), help_text=_("Empty: without a limit"))
    title = TextField(
        limits.PRIZE_TITLE,
        label=_("Name of the prize"),
        help_text=_("Empty: named after what it is for"),
    )
    award = TextField(
        limits.PRIZE_AWARD,
        label=_("What there is to win"),
        help_text=_("A cup, a book, 50 €"),
    )
    winner = EntryField(
        label=_("Winner"),
        required=False,
        empty_label=_("not decided yet"),
        help_text=_("For a prize of our own; all others follow from the results"),
    )

    def __init__(self, data: Any = None, *, division: Division, plan: PrizePlan | None = None) -> None:
        self.division = division
        super().__init__(data, initial={name: getattr(plan, name) for name in self.base_fields} if plan else None)
        offer(self, "winner", Entry.objects.filter(division=division).with_names().by_name())

    def problems(self) -> list[Refusal]:
        return prizes.problems(prizes.applying(self.plan()), self.division)

    def plan(self) -> PrizePlan:
        """The prize that the form states; what could not be read is not stated."""
        return PrizePlan(**{"kind": "", **self.cleaned_data})
