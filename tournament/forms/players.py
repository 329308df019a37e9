"""Forms about people: what is stated of a player, in the register or on entering."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.forms.base import OperationForm, WholeNumber
from tournament.models import Player
from tournament.operations.players import Person

BETWEEN = " · "
"""What stands between name and club where both are one text, as in the list of known players."""


def shown(player: Player) -> str:
    """A known player as the list offers them and as `PersonForm` understands them."""
    return f"{player.name}{BETWEEN}{player.club.name}" if player.club else player.name


class PersonForm(OperationForm):
    """What is known of a person. A club may stand behind the name: `Beispiel, Anna · SC Fulda`."""

    name = forms.CharField(
        label=_("Name"),
        required=False,
        max_length=2 * limits.PLAYER_NAME,
        help_text=_("Surname, given name"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    club = forms.CharField(label=_("Club"), required=False, max_length=2 * limits.CLUB)
    rating = WholeNumber(label=_("Rating"), required=False, help_text=_("Empty: not rated"))
    games = WholeNumber(label=_("Lifetime games"), required=False)
    email = forms.CharField(
        label=_("E-mail"),
        required=False,
        max_length=limits.EMAIL,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or {}
        name, between, club = typed.get("name", "").partition(BETWEEN)
        if between and not typed.get("club"):
            typed |= {"name": name, "club": club}
        return typed


class PlayerForm(PersonForm):
    """A player of the register. `anyway` says that the same name and club is somebody else."""

    anyway = forms.BooleanField(required=False, widget=forms.HiddenInput)

    @classmethod
    def of(cls, player: Player) -> dict[str, Any]:
        """What the register holds, as the form shows it."""
        return {
            "name": player.name,
            "club": player.club.name if player.club else "",
            "rating": player.rating,
            "games": player.games,
            "email": player.email,
        }


def person(typed: dict[str, Any]) -> Person:
    """The person whom a valid form states."""
    return Person(**{name: typed[name] for name in ("name", "club", "rating", "games", "email")})
