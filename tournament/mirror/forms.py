"""What is pasted or typed about mirrors and folders."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.pages.forms import OperationForm

PLAIN_INPUT = {"autocomplete": "off", "spellcheck": "false"}


class MirrorTargetForm(OperationForm):
    link = forms.CharField(
        label=_("Link of the mirror"),
        max_length=limits.MIRROR_ADDRESS + 200,
        help_text=_("as the owner of the club has been shown it once: https://…/mirror/…#…"),
        widget=forms.TextInput(attrs=PLAIN_INPUT),
    )


class WebsiteFolderForm(OperationForm):
    path = forms.CharField(
        label=_("Folder on this machine"),
        max_length=limits.FOLDER_PATH,
        help_text=_("an empty folder of its own, such as that of a cloud drive; its whole path"),
        widget=forms.TextInput(attrs=PLAIN_INPUT),
    )


class MirrorLinkForm(OperationForm):
    name = forms.CharField(
        label=_("For which event"),
        max_length=limits.NAME,
        help_text=_("only for you, to tell links apart"),
        widget=forms.TextInput(attrs=PLAIN_INPUT),
    )
