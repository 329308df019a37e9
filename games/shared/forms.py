"""What a form about a table sends back of the page that it stood on."""

from django import forms

from tournament.forms.base import OperationForm


class SeenForm(OperationForm):
    """`seen` is what the page showed of the table (`games.shared.seen`), `disturbs` names the results whose loss it has
    asked about (`ids_as_text` of `operations.knockout_games`)."""

    seen = forms.CharField(required=False, max_length=80, widget=forms.HiddenInput)
    disturbs = forms.CharField(required=False, max_length=2000, widget=forms.HiddenInput)


class AskedForm(SeenForm):
    """`asked` stands for what the page has asked about (`fingerprint` of `games.shared.seen`)."""

    asked = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)
