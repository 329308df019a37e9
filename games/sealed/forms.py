"""The forms of a session for several clubs: its plan and turns, the clubs' files, a ruling."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games import limits
from games.duplicate.forms import PrepareSessionForm
from games.models import PreparedSession
from games.sealed.plan import SealedPlan
from tournament.basics import limits as event_limits
from tournament.pages.forms import FigureField, FilesField, FilesInput, OperationForm, TextField

MAX_TURNS_TEXT = 4000
"""Characters of 22 lines, with room for blanks."""


class PrepareSealedSessionForm(PrepareSessionForm):
    """A session for several clubs: as any session, and its turns, line by line."""

    name = TextField(event_limits.SEALED_NAME, label=_("Name of the session"))
    masters = forms.BooleanField(
        label=_("Master words are fixed, too"),
        required=False,
        help_text=_(
            "Then every club has the same board in every turn. Without them each club lays the best word of its own "
            "players, and boards may differ."
        ),
    )
    turns = forms.CharField(
        label=_("Turns"),
        required=False,
        max_length=MAX_TURNS_TEXT,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off", "class": "gcg-text"}),
        help_text=_(
            "A line a turn: seven letters, ? for a blank, and behind them the master word with its place: AEENTZS 8H "
            "ZEST"
        ),
    )

    field_order = ("name", "letters", "words", "max_turns", "seconds", "seed", "masters", "turns")

    def prepared(self, seed: int) -> SealedPlan:
        """What was typed, with this seed where none was. Only for a valid form."""
        data = self.cleaned_data
        name, turns = data["name"] or "", "\n".join(data["turns"].splitlines())
        return SealedPlan(
            **{**data, "seed": seed if data["seed"] is None else data["seed"], "name": name, "turns": turns}
        )

    @staticmethod
    def started_from(row: PreparedSession | None, plan: SealedPlan) -> dict[str, Any]:
        """What the form starts with: the session as it is prepared so far, or the plan."""
        names = ("name", "letters", "words", "max_turns", "seconds", "masters", "turns")
        return {name: getattr(row or plan, name) for name in names} | {"seed": row.seed if row else ""}


class ClubFilesForm(OperationForm):
    """The tournament files of clubs."""

    sent = FilesField(
        label=_("Files of the clubs"),
        help_text=_("Each club’s tournament file (.json), saved after its session; several at once"),
        error_messages={"required": _("Choose one file or several.")},
        widget=FilesInput(attrs={"accept": ".json,application/json"}),
    )


class RulingForm(OperationForm):
    """What a word scores in every club, and why."""

    points = FigureField(event_limits.SLIP_POINTS, label=_("Points everywhere"), required=True)
    why = TextField(limits.WHY, label=_("Reason"))
    word = forms.CharField(widget=forms.HiddenInput)
