"""What is typed about handing in."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.mirror.forms import PLAIN_INPUT
from tournament.models import HandedInEvent
from tournament.pages.forms import OperationForm, TextField


class HandInTargetForm(OperationForm):
    """The link of a federation, pasted."""

    link = TextField(
        limits.MIRROR_ADDRESS + 200,
        label=_("Link of the federation"),
        required=True,
        help_text=_("as the federation has sent it to the club: https://…/hand-in/…#…"),
        widget=forms.TextInput(attrs=PLAIN_INPUT),
    )


class HandInLinkForm(OperationForm):
    name = TextField(limits.NAME, label=_("For which club"), required=True)


class ClubQuestionForm(OperationForm):
    """What the officer asks the club."""

    question = TextField(
        limits.HAND_IN_QUESTION,
        label=_("Question to the club"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("The club reads it with its event. Left empty, nothing is asked any more."),
    )

    def __init__(self, data: Any = None, *, handed_in: HandedInEvent) -> None:
        super().__init__(data, initial={"question": handed_in.question})
