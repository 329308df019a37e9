"""Forms of the pages of rounds: what to ask of a draw, and editing a draft by hand."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import EntryField, OperationForm, offer
from tournament.forms.fields import NumberField
from tournament.limits import Range
from tournament.models import Entry, Round
from tournament.models.choices import METHODS, choices
from tournament.operations.drafts import SEEDS, DrawWish
from tournament.plan import segments
from tournament.queries import draw_request


class RoundDrawForm(forms.Form):
    """How the next round is to be paired; a field left empty follows the plan."""

    repeats = forms.BooleanField(label=_("Opponents may meet again"), required=False)
    accept_missing = forms.BooleanField(label=_("Pair although results are missing"), required=False)
    seed = NumberField(
        Range(1, SEEDS),
        label=_("Draw no."),
        help_text=_("Left empty: a new one. The same number gives the same pairing."),
    )

    def __init__(self, *args: Any, number: int, segment: segments.Segment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        repeats = self.fields["repeats"]
        self.fields["method"] = forms.ChoiceField(
            label=_("Method"),
            choices=choices(METHODS),
            initial=segment.method,
        )
        self.fields["based_on"] = forms.TypedChoiceField(
            label=_("On the table after round"),
            coerce=int,
            empty_value=None,
            choices=[(played, str(played)) for played in range(number - 1, -1, -1)],
            initial=max(number - 1 - segment.behind, 0),
        )
        repeats.initial = segment.repeats
        if number == 1:
            del self.fields["based_on"], self.fields["accept_missing"]
        self.order_fields(["method", "based_on", "repeats", "accept_missing", "seed"])

    def wish(self) -> DrawWish:
        """The valid form as the operation takes it."""
        return DrawWish(**self.cleaned_data)


class TwoPlayersForm(OperationForm):
    """Two who take part in a draft's round; without the second the first gets the bye."""

    one = EntryField(label=_("Player"), empty_label=_("Choose a player"))
    other = EntryField(label=_("against"), required=False, empty_label=_("nobody: bye"))

    def __init__(self, *args: Any, round: Round, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        present, _charged = draw_request.field(round.division, round.number)
        playing = Entry.objects.filter(pk__in=[entry.pk for entry in present]).with_names().by_name()
        for name in ("one", "other"):
            offer(self, name, playing)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("one") and cleaned.get("one") == cleaned.get("other"):
            self.add_error("other", _("Nobody plays against themselves: choose two different players."))
        return cleaned
