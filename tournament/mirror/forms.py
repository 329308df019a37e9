"""What is pasted or typed about mirrors and folders."""

from collections.abc import Iterable

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.pictures import SentFile
from tournament.basics.refusals import Refusal
from tournament.pages.forms import FilesInput, OperationForm, PhotosField, TextField

PLAIN_INPUT = {"autocomplete": "off", "spellcheck": "false"}


class MirrorTargetForm(OperationForm):
    """The link of a mirror, pasted, or in a picture of the code that was shown with it."""

    link = TextField(
        limits.MIRROR_ADDRESS + 200,
        label=_("Link of the mirror"),
        required=False,
        help_text=_("as the owner of the club has been shown it once: https://…/mirror/…#…"),
        widget=forms.TextInput(attrs=PLAIN_INPUT),
    )
    camera = PhotosField(
        label=_("Or take a photo of its code"),
        required=False,
        widget=FilesInput(attrs={"accept": "image/*", "capture": "environment"}),
    )
    photos = PhotosField(
        label=_("Or choose a picture of the code"),
        required=False,
        help_text=_("a photo or a screenshot: JPEG, PNG or WebP, at most 10 MB; it is read and not kept"),
    )

    def problems(self) -> Iterable[Refusal]:
        if not self.cleaned_data.get("link") and not self.pictures:
            yield Refusal("no_link_given", _("Paste the link, or take or choose a picture of its code."), field="link")

    @property
    def pictures(self) -> list[SentFile]:
        return [*self.cleaned_data.get("camera", []), *self.cleaned_data.get("photos", [])]


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
