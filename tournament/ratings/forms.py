"""What is typed about official lists of ratings."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.pages.forms import DateField, OperationForm


class PublishingForm(OperationForm):
    """The date that the list bears, and the list as the page showed it."""

    day = DateField(label=_("Date of the list"), required=True)
    seen = forms.CharField(widget=forms.HiddenInput, required=False)
