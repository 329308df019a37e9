"""The forms of a session's seats: their numbers, the draw, who is given which, who sits apart, who was not entered."""

from random import randint
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.duplicate.operations.seats import SeatPlan
from games.models import DuplicateSession
from tournament.basics import limits
from tournament.entries.forms import PersonForm
from tournament.models import Entry, Player
from tournament.pages.forms import EntryField, FigureField, NumberField, OperationForm, offer_choices

CHOOSE = _("choose …")


class SeatPlanForm(OperationForm):
    """How the seats of a session are numbered."""

    seat_count = NumberField(
        limits.SEATS, label=_("Numbered seats"), required=True, help_text=_("0: nobody has a seat")
    )
    seat_row = NumberField(
        limits.SEAT_ROW,
        label=_("Seats in a row"),
        required=True,
        help_text=_("Seats whose numbers follow one another in a row are beside each other."),
    )
    clubs_apart = forms.BooleanField(label=_("Players of one club do not sit beside each other"), required=False)
    seats_public = forms.BooleanField(
        label=_("Everybody may read beforehand who sits where"),
        required=False,
        help_text=_("On the public page; otherwise the seats stand on paper and slips only."),
    )

    @staticmethod
    def initial_of(session: DuplicateSession) -> dict[str, Any]:
        """The seats as they are numbered."""
        return {name: getattr(session, name) for name in SeatPlan.__slots__}


class DrawSeatsForm(OperationForm):
    """By which number seats are drawn, and for whom."""

    seed = NumberField(
        limits.DUPLICATE_SEED,
        label=_("Draw no."),
        help_text=_("The same number draws the same seats for the same players. Empty: the program picks one."),
    )
    anew = forms.BooleanField(
        label=_("Also for those who have a seat by an earlier draw"),
        required=False,
        help_text=_("Seats that were given stay."),
    )

    @property
    def picked_seed(self) -> int:
        """The number typed, else one by chance. Only for a valid form."""
        seed: int | None = self.cleaned_data["seed"]
        return randint(1, limits.DUPLICATE_SEED.high) if seed is None else seed


class GiveSeatForm(OperationForm):
    """Who gets which seat."""

    entry = EntryField(label=_("Player"), empty_label=CHOOSE)
    number = FigureField(limits.SEAT, label=_("Seat"), help_text=_("Empty: the next free one"))

    def __init__(self, *args: Any, session: DuplicateSession, **kwargs: Any) -> None:
        # Ids of its own: another form of the page has a field for a number, too.
        super().__init__(*args, **kwargs | {"auto_id": "give_%s"})
        offer_choices(self, "entry", Entry.objects.filter(division=session.division_id).with_names().by_name())


class SitApartForm(OperationForm):
    """Two who are not to sit beside each other."""

    one = EntryField(label=_("Player"), empty_label=CHOOSE)
    other = EntryField(label=_("Not beside"), empty_label=CHOOSE)

    def __init__(self, *args: Any, session: DuplicateSession, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"auto_id": "apart_%s"})
        for name in ("one", "other"):
            offer_choices(self, name, Entry.objects.filter(division=session.division_id).with_names().by_name())


class SeatNewcomerForm(PersonForm):
    """Somebody who sits down without being entered. `meant` and `anyway` answer who of the register that is."""

    number = FigureField(limits.SEAT, label=_("Seat"), help_text=_("Empty: the next free one"))
    anyway = forms.BooleanField(required=False, widget=forms.HiddenInput)
    meant = forms.ModelChoiceField(Player.objects.none(), required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, organiser_id: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"auto_id": "newcomer_%s"})
        for name in ("rating", "games", "email", "phone"):
            del self.fields[name]
        offer_choices(self, "meant", Player.objects.current().filter(organiser=organiser_id))
