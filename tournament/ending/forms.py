"""The forms of the end of an event: the text of certificates, and a prize."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.ending.operations import clean_prize_plan, find_certificate_problems, find_prize_problems
from tournament.ending.plan import CertificateText, PrizePlan
from tournament.models import Division, Entry
from tournament.models.choices import PRIZE_LABELS, make_choices
from tournament.pages.forms import EntryField, NumberField, OperationForm, TextField, offer_choices


class CertificateForm(OperationForm):
    """What certificates say; an empty field stands for the usual text."""

    heading = TextField(limits.CERTIFICATE_HEADING, label=gettext_lazy("Heading"))
    line = TextField(limits.CERTIFICATE_LINE, label=gettext_lazy("In place of the rank"))
    signed = TextField(limits.CERTIFICATE_SIGNED, label=gettext_lazy("Printed on the left line"))
    left = TextField(limits.CERTIFICATE_SIGNED, label=gettext_lazy("Below the left line"))
    right = TextField(limits.CERTIFICATE_SIGNED, label=gettext_lazy("Below the right line"))

    def __init__(self, data: Any = None, *, text: CertificateText) -> None:
        super().__init__(data, initial={name: getattr(text, name) for name in self.base_fields})
        usual = (_("Certificate"), _("Place 1, of 24 players"), _("left empty"), _("Place and date"), _("Director"))
        for field, text_there in zip(self.fields.values(), usual, strict=True):
            field.widget.attrs |= {"aria-label": field.label, "placeholder": text_there}

    def problems(self) -> Iterable[Refusal]:
        return find_certificate_problems(self.text())

    def text(self) -> CertificateText:
        """What the form states; what could not be read is left out."""
        return CertificateText(**{name: value or "" for name, value in self.cleaned_data.items()})


class PrizeForm(OperationForm):
    """What a prize is for and what there is to win. What its kind does not need may stay empty."""

    kind = forms.ChoiceField(label=gettext_lazy("For"), choices=make_choices(PRIZE_LABELS))
    place = NumberField(limits.PRIZE_PLACE, label=gettext_lazy("Place in the final ranking"))
    club = TextField(
        limits.CLUB,
        label=gettext_lazy("Club"),
        widget=forms.TextInput(attrs={"list": "clubs", "autocomplete": "off"}),
    )
    lowest_rating = NumberField(limits.RATING, label=gettext_lazy("Rating from"))
    highest_rating = NumberField(limits.RATING, label=gettext_lazy("Rating up to"))
    title = TextField(limits.PRIZE_TITLE, label=gettext_lazy("Name of the prize"))
    award = TextField(limits.PRIZE_AWARD, label=gettext_lazy("What there is to win"))
    winner = EntryField(label=gettext_lazy("Winner"), required=False, empty_label=gettext_lazy("not decided yet"))

    def __init__(self, data: Any = None, *, division: Division, plan: PrizePlan | None = None) -> None:
        self.division = division
        super().__init__(data, initial={name: getattr(plan, name) for name in self.base_fields} if plan else None)
        offer_choices(self, "winner", Entry.objects.filter(division=division).with_names().by_name())
        hints = {
            "title": _("Empty: named after what it is for"),
            "award": _("A cup, a book, 50 €"),
            "lowest_rating": "…",
            "highest_rating": "…",
        }
        for name, field in self.fields.items():  # the page is sentences with blanks, without labels
            field.widget.attrs |= {"aria-label": field.label, "placeholder": hints.get(name, "")}

    def problems(self) -> list[Refusal]:
        return find_prize_problems(clean_prize_plan(self.plan()), self.division)

    def plan(self) -> PrizePlan:
        """The prize that the form states; what could not be read is left out."""
        # A kind that could not be read is missing in the data; “” is refused like any unknown one.
        return PrizePlan(**{"kind": "", **self.cleaned_data})
