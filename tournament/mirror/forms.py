"""What is pasted or typed about mirrors and folders."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.pages.forms import OperationForm, TextField

PLAIN_INPUT = {"autocomplete": "off", "spellcheck": "false"}


class MirrorTargetForm(OperationForm):
    link = TextField(
        limits.MIRROR_ADDRESS + 200,
        label=_("Link of the mirror"),
        required=True,
        help_text=_("as the owner of the club has been shown it once: https://…/mirror/…#…"),
        widget=forms.TextInput(attrs=PLAIN_INPUT),
    )


class WebsiteFolderForm(OperationForm):
    path = TextField(
        limits.FOLDER_PATH,
        label=_("Folder on this machine"),
        required=True,
        help_text=_("an empty folder of its own, such as that of a cloud drive; its whole path"),
        widget=forms.TextInput(attrs=PLAIN_INPUT),
    )


class MirrorLinkForm(OperationForm):
    name = TextField(
        limits.NAME,
        label=_("For which event"),
        required=True,
        help_text=_("only for you, to tell links apart"),
        widget=forms.TextInput(attrs=PLAIN_INPUT),
    )
