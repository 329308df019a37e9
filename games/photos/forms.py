"""The form that attaches photos to a game, from the camera or from the device."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournament.basics.pictures import SentFile
from tournament.pages.forms import FilesInput, OperationForm


class PhotoFilesField(forms.FileField):
    """Several files or none; the operation reads them and refuses what is no photo."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[SentFile]:
        listed = data if isinstance(data, list | tuple) else [data]
        return [SentFile(each.name or "", each.file) for each in listed if isinstance(each, UploadedFile) and each.file]


class PhotosForm(OperationForm):
    """Photos to attach: those taken now and those chosen from the device."""

    camera = PhotoFilesField(
        label=_("Take a photo"),
        required=False,
        widget=FilesInput(attrs={"accept": "image/*", "capture": "environment"}),
    )
    photos = PhotoFilesField(
        label=_("Or choose photos"),
        required=False,
        help_text=_("JPEG, PNG or WebP, at most 10 MB each. Place, time and camera are removed."),
        widget=FilesInput(attrs={"accept": "image/jpeg,image/png,image/webp"}),
    )

    again = forms.BooleanField(required=False, label=_("One more photo, beside the one that is there"))

    @property
    def sent(self) -> list[SentFile]:
        return [*self.cleaned_data["camera"], *self.cleaned_data["photos"]]
