"""What is typed on the page of the backups: paths on the machine where the program runs."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import OperationForm

LONGEST_PATH = 1000
PLAIN = {"autocomplete": "off", "spellcheck": "false"}


class PlaceForm(OperationForm):
    """A folder for a second copy of every backup."""

    folder = forms.CharField(
        label=_("Folder on the machine where the program runs"),
        help_text=_("A stick, another disk or a folder in the network, such as /media/stick or E:\\. Empty: none."),
        max_length=LONGEST_PATH,
        required=False,
        widget=forms.TextInput(attrs=PLAIN),
    )


class FileForm(OperationForm):
    """A backup's file."""

    file = forms.CharField(
        label=_("File on the machine where the program runs"),
        help_text=_("For a backup from another machine, with its whole path."),
        max_length=LONGEST_PATH,
        widget=forms.TextInput(attrs=PLAIN),
    )
