"""The form of what a director tells a federation."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.core.words.figures import insert_clause
from tournament.federation.operations import find_note_problems
from tournament.models import Tournament
from tournament.pages.forms import OperationForm, TextField


class ReportNotesForm(OperationForm):
    """Why the event deviates from the rules, and what these do not settle."""

    reasons = TextField(
        limits.DEVIATION_REASONS,
        label=gettext_lazy("Deviations from the rules: why, and approved by whom"),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    questions = TextField(
        limits.OPEN_QUESTIONS,
        label=gettext_lazy("What the rules do not settle"),
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy(
            "Situations for which the rules have no answer, one a line; so that they can be mended."
        ),
    )

    def __init__(self, data: Any = None, *, tournament: Tournament) -> None:
        stored = {"reasons": tournament.deviation_reasons, "questions": tournament.open_questions}
        super().__init__(data, initial=stored)
        if clause := tournament.rules.clauses.other_list:
            message = _("A word list other than the recommended one needs approval, too.")
            self.fields["reasons"].help_text = insert_clause(message, clause)

    def problems(self) -> list[Refusal]:
        return find_note_problems(self.cleaned_data.get("reasons", ""), self.cleaned_data.get("questions", ""))
