"""What a player types about their game: seen from their side of the table."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.pages import make_fingerprint
from scoring.awards import Outcome
from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.core.reports import PlayerReport, Report, make_final_report
from tournament.models import Pairing
from tournament.models.play import SIDES
from tournament.pages.forms import FigureField, OperationForm, TextField, TimeField
from tournament.results.operations import find_result_problems

REPORT_SIDES = ("own", "other")


class ReportForm(OperationForm):
    """Both scores as they stand on the sheet; time and penalties, where the rules take something off."""

    key = forms.CharField(required=False, max_length=80, widget=forms.HiddenInput)
    asked = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)
    penalty_reason = TextField(limits.PENALTY_REASON, label=gettext_lazy("Reason for the penalty points"))

    def __init__(self, *args: Any, pairing: Pairing, is_first: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pairing = pairing
        self.sides = dict(zip(SIDES, REPORT_SIDES if is_first else reversed(REPORT_SIDES), strict=True))
        self.rules = pairing.round.division.tournament.rules
        opponent = pairing.second if is_first else pairing.first
        labels = {"own": _("My points"), "other": _("Points of %(name)s") % {"name": opponent.name if opponent else ""}}
        for name in REPORT_SIDES:
            self.fields[f"{name}_points"] = FigureField(limits.POINTS, label=labels[name])
            if self.rules.minutes and self.rules.overtime_points:
                self.fields[f"{name}_overtime"] = TimeField(limits.OVERTIME, label=_("Overtime (min:s)"))
            self.fields[f"{name}_penalty"] = FigureField(limits.PENALTY, label=_("Other penalty points"))

    def problems(self) -> list[Refusal]:
        """What the operation would refuse, told at the field of the player's own side."""
        refusals = find_result_problems(self.sheet(), players=2, rules=self.rules)
        for refusal in refusals:
            side, underscore, rest = (refusal.field or "").partition("_")
            if side in self.sides:
                refusal.field = f"{self.sides[side]}{underscore}{rest}"
        return refusals

    def sheet(self) -> Report:
        """What was typed, as the pairing has its players; what could not be read counts as not written."""
        data = self.cleaned_data
        first, second = (
            PlayerReport(
                points=data.get(f"{name}_points"),
                penalty=data.get(f"{name}_penalty") or 0,
                # 0:00 is none: two players of whom one types it and the other leaves it empty say the same.
                overtime=data.get(f"{name}_overtime") or None,
            )
            for name in self.sides.values()
        )
        return Report(Outcome.PLAYED, first, second, penalty_reason=data.get("penalty_reason", ""))

    def final(self) -> Report:
        """The result that it comes to."""
        return make_final_report(self.rules, self.sheet())

    @property
    def question(self) -> str:
        """What stands for these figures when the page asks about them."""
        # With the game: the same odd score in another one is asked about again.
        return make_fingerprint(self.final(), str(self.pairing.pk))

    @property
    def points(self) -> list[forms.BoundField]:
        return [self[f"{name}_points"] for name in REPORT_SIDES]

    @property
    def more(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.endswith(("_overtime", "_penalty", "penalty_reason"))]

    @property
    def has_more(self) -> bool:
        """Whether one of these is given, or wrongly given, so that the page shows them."""
        return any(field.errors or field.value() for field in self.more)


def build_report_initial(stored: Any, *, is_first: bool) -> dict[str, Any]:
    """What stands in the form of a player who has reported before, or confirms the opponent's report."""
    sides = zip(SIDES, REPORT_SIDES if is_first else reversed(REPORT_SIDES), strict=True)
    values: dict[str, Any] = {"penalty_reason": stored.penalty_reason}
    for side, name in sides:
        values[f"{name}_points"] = getattr(stored, f"{side}_points")
        values[f"{name}_overtime"] = getattr(stored, f"{side}_overtime")
        values[f"{name}_penalty"] = getattr(stored, f"{side}_penalty") or None
    return values
