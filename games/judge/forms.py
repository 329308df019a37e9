"""Forms of the word judge: a list to load, a question to it or to the jury, and what to look for in the log."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from games import limits
from games.judge.jury import Asker
from games.judge.words import describe_asker
from tournament.pages.forms import OperationForm, TextField, offer_choices

GOOD, BAD = "good", "bad"

QUIET = {"autocomplete": "off", "autocorrect": "off", "autocapitalize": "characters", "spellcheck": "false"}
"""For fields in which the browser corrects, completes and keeps nothing."""

LETTER_SET_CHOICES = [("de", _("German: A–Z Ä Ö Ü, ß as SS")), ("nl", _("Dutch: A–Z")), ("en", _("English: A–Z"))]


class WordListForm(OperationForm):
    """A word list to load."""

    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "A text file, one word a line; lines that begin with #, and what follows a tab or a semicolon, are skipped."
        ),
        # So that an empty file is told that it has no words, as any other without any.
        allow_empty_file=True,
        error_messages={"required": _("Choose a file.")},
        widget=forms.ClearableFileInput(attrs={"accept": ".txt,.csv,.dic,text/plain"}),
    )
    title = TextField(
        limits.LIST_TITLE,
        label=_("Name"),
        help_text=_("With its edition, as in the announcement. If you leave it empty, the file’s name is used."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    letters = forms.ChoiceField(label=_("Letter set"), choices=LETTER_SET_CHOICES, initial="de")
    use = forms.BooleanField(label=_("Judge by this list from now on"), required=False, initial=True)
    leave_out = forms.BooleanField(
        label=_("Leave out lines that cannot be words"),
        required=False,
        help_text=_("If the box is not ticked, a list with such lines is not loaded; the lines are shown instead."),
    )


class QuestionForm(OperationForm):
    """Words of one play, and each player's consent that these are the words."""

    words = TextField(
        limits.QUESTION,
        label=_("Challenged words"),
        widget=forms.Textarea({**QUIET, "rows": 3}),
        help_text=_("All challenged words of the play, separated by blanks, commas or line breaks."),
    )
    left = forms.BooleanField(label=_("Left player"), required=False)
    right = forms.BooleanField(label=_("Right player"), required=False)


class JuryQuestionForm(OperationForm):
    """A word that a player shows to the jury, and the answer where no list gives it."""

    # `parse_typed_words` blames the field of the other form, which takes several.
    blamed: ClassVar = {"words": "word"}

    who = forms.ChoiceField(label=_("Who asks"))
    word = TextField(limits.CHALLENGED_WORD, label=_("Word"), widget=forms.TextInput({**QUIET, "autofocus": True}))
    verdict = forms.ChoiceField(label=_("Answer"), required=False)

    def __init__(self, *args: Any, askers: Sequence[Asker], has_list: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.askers = {asker.key: asker for asker in askers}
        offer_choices(self, "who", [("", "–"), *((asker.key, describe_asker(asker)) for asker in askers)])
        by_list = _("as the word list says") if has_list else _("– choose –")
        offer_choices(self, "verdict", [("", by_list), (GOOD, _("good")), (BAD, _("not good"))])

    @property
    def asker(self) -> Asker:
        """Who asks. For a form without faults."""
        return self.askers[self.cleaned_data["who"]]

    @property
    def verdict_given(self) -> bool | None:
        """The jury's own word; None: the list answers."""
        return {GOOD: True, BAD: False}.get(self.cleaned_data["verdict"])


class JudgeLogForm(forms.Form):
    """What to look for in the log of questions."""

    word = forms.CharField(label=_("Word"), required=False, max_length=limits.CHALLENGED_WORD)
    answer = forms.ChoiceField(
        label=_("Answer"),
        required=False,
        choices=[("", _("any")), ("stands", _("The play stands")), ("withdrawn", _("The play is withdrawn"))],
    )

    @property
    def wanted(self) -> dict[str, Any]:
        """What was asked for, as far as it makes sense."""
        return self.cleaned_data if self.is_valid() else {}
