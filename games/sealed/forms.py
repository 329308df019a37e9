"""The forms of a session for several clubs: its plan and turns, the clubs' files, a ruling."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games import limits
from games.duplicate.forms import PrepareSessionForm
from tournament.basics import limits as event_limits
from tournament.pages.forms import FigureField, FilesField, FilesInput, OperationForm, TextField

MAX_TURNS_TEXT = 4000  # characters of 22 lines, with room for blanks


class PrepareSealedSessionForm(PrepareSessionForm):
    """A session for several clubs: as any session, and its turns, line by line."""

    name = TextField(event_limits.SEALED_NAME, label=_("Name of the session"))
    masters = forms.BooleanField(
        label=_("Master words are fixed, too"),
        required=False,
        help_text=_(
            "Then every club has the same board in every turn. If you leave them out, each club lays the best word of "
            "its own players, and boards may differ."
        ),
    )
    turns = forms.CharField(
        label=_("Turns"),
        required=False,
        max_length=MAX_TURNS_TEXT,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off", "class": "gcg-text"}),
        help_text=_(
            "One turn a line: seven letters, ? for a blank, then the master word with its position: AEENTZS 8H ZEST"
        ),
    )

    field_order = ("name", "letters", "words", "max_turns", "seconds", "seed", "masters", "turns")

    def clean_turns(self) -> str:
        return "\n".join(self.cleaned_data["turns"].splitlines())


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
