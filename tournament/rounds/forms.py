"""Forms of the pages of rounds: what to ask of a draw, editing a draft by hand, and the plan."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.letters import LetterSet
from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.core.bag import read_draw_seed
from tournament.models import Round
from tournament.models.choices import METHOD_LABELS, make_choices
from tournament.pages.forms import DateField, NumberField, OperationForm, TypedField, offer_choices
from tournament.pairing.values import Method
from tournament.rounds.due_days import DAYS_BETWEEN
from tournament.rounds.plan import DEFAULT_FACTOR, PlanSegment, RoundsReversed


class SeedField(TypedField):
    """A number of a draw, or the seven tiles that stand for one."""

    inputmode = "text"
    size = 20
    look = ""

    def __init__(self, letters: LetterSet) -> None:
        self.letters = letters
        message = _(
            "Empty: a new draw. The same number gives the same pairing. Or seven tiles drawn from the bag, for example "
            "ENRSTAI; ? is a blank."
        )
        super().__init__(label=_("Draw no."), help_text=message)

    def read(self, text: str) -> int:
        try:
            return read_draw_seed(text, self.letters)
        except Refusal as refusal:
            raise forms.ValidationError(str(refusal), refusal.code) from refusal


class RoundDrawForm(forms.Form):
    """How the next round is to be paired; a field left empty follows the plan."""

    # The fields are called as those of `DrawWish`: the view hands on what was typed as it is.
    repeats = forms.BooleanField(label=_("Opponents may meet again"), required=False)
    accept_missing = forms.BooleanField(label=_("Pair although results are missing"), required=False)

    def __init__(self, *args: Any, number: int, segment: PlanSegment, letters: LetterSet, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seed"] = SeedField(letters)
        self.fields["method"] = forms.ChoiceField(
            label=_("Method"), choices=make_choices(METHOD_LABELS), initial=segment.method
        )
        self.fields["based_on"] = forms.TypedChoiceField(
            label=_("By the standings after round"),
            coerce=int,
            empty_value=None,
            choices=[(played, str(played)) for played in range(number - 1, -1, -1)],
            initial=max(number - 1 - segment.behind, 0),
        )
        self.fields["repeats"].initial = segment.may_repeat
        if segment.repeats_after:
            self.fields["repeats"].help_text = segment.repeats_text
        # There is no table and no result before the first round.
        if number == 1:
            del self.fields["based_on"], self.fields["accept_missing"]
        self.order_fields(["method", "based_on", "repeats", "accept_missing", "seed"])


class AllRoundsForm(OperationForm):
    """The days by which the rounds of an all-play-all are played, as they are published in one act."""

    first_due_on = DateField(required=False)
    days = NumberField(limits.DAYS_BETWEEN, label=_("Days from one round to the next"), initial=DAYS_BETWEEN)

    def __init__(self, *args: Any, first: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["first_due_on"].label = _("Round %(number)s is played by") % {"number": first}
        self.fields["first_due_on"].help_text = _("Day/month/year, such as 22/11/2026. Empty: by no day.")

    def clean_days(self) -> int:
        return self.cleaned_data["days"] or DAYS_BETWEEN


class DueDaysForm(OperationForm):
    """The day by which each round of a division is played."""

    def __init__(self, *args: Any, rounds: Iterable[Round], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for round in rounds:
            label = _("Round %(number)s") % {"number": round.number}
            self.fields[f"day_{round.number}"] = DateField(
                label=label, required=False, initial=round.due_on, help_text=""
            )

    @property
    def due_days(self) -> dict[int, date | None]:
        """The days that were typed, by round; None where a field is empty."""
        return {int(name.removeprefix("day_")): day for name, day in self.cleaned_data.items()}


class SegmentForm(forms.Form):
    """One row of the plan."""

    first = NumberField(
        limits.ROUND, required=True, label=_("From round"), error_messages={"required": _("From which round?")}
    )
    last = NumberField(
        limits.ROUND, required=True, label=_("To round"), error_messages={"required": _("To which round?")}
    )
    method = forms.ChoiceField(label=_("Method"), initial=Method.SWISS.value)
    repeats = forms.BooleanField(label=_("Repeats allowed"), required=False)
    repeats_after = NumberField(limits.REPEATS_AFTER, label=_("Not again within so many rounds"))
    factor = NumberField(limits.FACTOR, label=_("Places apart (factor)"))
    behind = forms.TypedChoiceField(label=_("By the standings after"), coerce=int, initial=0)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer_choices(self, "method", make_choices(METHOD_LABELS))
        earlier = [
            (rounds, _("%(rounds)s rounds earlier") % {"rounds": rounds})
            for rounds in range(2, limits.ROUNDS_BEHIND.high + 1)
        ]
        offer_choices(self, "behind", [(0, _("the round before")), (1, _("the last round but one")), *earlier])

    def clean(self) -> dict[str, Any]:
        fields = self.cleaned_data
        # A number that could not be read is not there: its own fault is told, and no second one with it.
        if fields.get("first", 0) > fields.get("last", limits.ROUND.high):
            self.add_error("last", str(RoundsReversed(first=fields["first"], last=fields["last"])))
        return fields

    def segment(self) -> PlanSegment:
        """The row as a part of the plan."""
        names = ("first", "last", "method", "repeats", "repeats_after", "factor", "behind")
        fields = {name: self.cleaned_data[name] for name in names}
        fields["repeats_after"] = fields["repeats_after"] or 0
        if fields["repeats_after"]:  # who says when opponents meet again lets them
            fields["repeats"] = True
        if fields["factor"] is None:
            fields["factor"] = DEFAULT_FACTOR
        return PlanSegment(**fields)


class PlanFormSet(forms.BaseFormSet):  # type: ignore[type-arg]  # generic for the checker only
    """The rows of a plan; empty rows and those to be deleted do not count."""

    def segments(self) -> list[PlanSegment]:
        """The parts of the plan that the valid rows state."""
        # A stored row that nobody has touched has not changed, and is a part of the plan all the same.
        filled = [form for form in self.forms if form.has_changed() or form.initial]
        return [form.segment() for form in filled if form not in self.deleted_forms]


def build_plan_formset(data: Any = None, *, segments: tuple[PlanSegment, ...]) -> PlanFormSet:
    """A plan's rows as sent, or as stored with three empty ones."""
    # At most one part for each round that there can be, beside the empty rows: a request that claims a million rows
    # makes no million forms.
    factory: Any = forms.formset_factory(
        SegmentForm, formset=PlanFormSet, extra=3, max_num=60, absolute_max=limits.ROUND.high + 3, can_delete=True
    )
    # The usual factor is left out where the method has none: it would stand in each row as if somebody had chosen it.
    rows = [asdict(segment) for segment in segments]
    for row in rows:
        row["factor"] = row["factor"] if row["method"] == Method.FACTOR else None
    formset: PlanFormSet = factory(data, initial=rows, prefix="plan")
    return formset
