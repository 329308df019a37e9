"""The form of a prize."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.forms.base import EntryField, OperationForm, WholeNumber, offer
from tournament.models import Division, Entry
from tournament.models.choices import PRIZES, choices
from tournament.plan.prizes import PrizePlan


class PrizeForm(OperationForm):
    """What a prize is for and what there is to win. What its kind does not need may stay empty."""

    kind = forms.ChoiceField(label=_("For"), choices=choices(PRIZES))
    place = WholeNumber(label=_("Place in the final ranking"), required=False, help_text=_("For a place: 1, 2, 3 …"))
    club = forms.CharField(
        label=_("Club"),
        required=False,
        max_length=2 * limits.CLUB,
        widget=forms.TextInput(attrs={"list": "clubs", "autocomplete": "off"}),
        help_text=_("For the best of a club"),
    )
    lowest_rating = WholeNumber(label=_("Rating from"), required=False, help_text=_("For the best of a rating class"))
    highest_rating = WholeNumber(label=_("Rating up to"), required=False, help_text=_("Empty: without a limit"))
    title = forms.CharField(
        label=_("Name of the prize"),
        required=False,
        max_length=2 * limits.PRIZE_TITLE,
        help_text=_("Empty: named after what it is for"),
    )
    award = forms.CharField(
        label=_("What there is to win"),
        required=False,
        max_length=2 * limits.PRIZE_AWARD,
        help_text=_("A cup, a book, 50 €"),
    )
    winner = EntryField(
        queryset=Entry.objects.none(),
        label=_("Winner"),
        required=False,
        empty_label=_("not decided yet"),
        help_text=_("For a prize of our own; all others follow from the results"),
    )

    def __init__(self, data: Any = None, *, division: Division, plan: PrizePlan | None = None) -> None:
        super().__init__(data, initial={name: getattr(plan, name) for name in self.base_fields} if plan else None)
        offer(self, "winner", Entry.objects.filter(division=division).with_names().by_name())

    def plan(self) -> PrizePlan:
        """The prize that the valid form states."""
        return PrizePlan(**self.cleaned_data)
