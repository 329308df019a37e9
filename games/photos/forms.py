"""The form that attaches photos to a game, from the camera or from the device."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.basics.pictures import SentFile
from tournament.pages.forms import FilesInput, OperationForm, PhotosField


class PhotosForm(OperationForm):
    """Photos to attach: those taken now and those chosen from the device."""

    camera = PhotosField(
        label=_("Take a photo"),
        required=False,
        widget=FilesInput(attrs={"accept": "image/*", "capture": "environment"}),
    )
    photos = PhotosField(
        label=_("Or choose photos"),
        required=False,
        help_text=_("JPEG, PNG or WebP, at most 10 MB each. Place, time and camera are removed."),
    )

    again = forms.BooleanField(required=False, label=_("One more photo, beside the one that is there"))

    @property
    def sent(self) -> list[SentFile]:
        return [*self.cleaned_data["camera"], *self.cleaned_data["photos"]]
