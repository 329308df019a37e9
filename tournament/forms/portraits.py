"""What the page of players' photos sends: of whom, and a file."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import EntryField, OperationForm, offer
from tournament.models import Division, Entry
from tournament.pictures.rewriting import SentFile


class OnePhoto(forms.FileField):
    """A file or none. It is read by the operation, which says what it is."""

    widget = forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp"})

    def clean(self, data: Any, initial: Any = None) -> SentFile | None:
        return SentFile(data.name or "", data.file) if isinstance(data, UploadedFile) and data.file else None


class PortraitForm(OperationForm):
    """A photo of one of a division's players."""

    entry = EntryField(label=_("Player"), empty_label=_("choose …"))
    photos = OnePhoto(
        label=_("Photo"),
        required=False,
        help_text=_("JPEG, PNG or WebP, at most 10 MB. Place, time and camera are taken out of it."),
    )

    def __init__(self, *sent: Any, division: Division, entry: str = "", **options: Any) -> None:
        super().__init__(*sent, **options)
        self.initial["entry"] = entry
        offer(self, "entry", Entry.objects.filter(division=division).with_names().by_name())
