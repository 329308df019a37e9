"""Forms about people: what is stated of a player, in the register or on entering."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.forms.base import OperationForm
from tournament.forms.fields import NumberField, TextField
from tournament.models import Player
from tournament.operations import players
from tournament.operations.players import Person
from tournament.refusals import Refusal

BETWEEN = " · "
"""What stands between name and club where both are one text, as in the list of known players."""


def shown(player: Player) -> str:
    """A known player as the list offers them and as `PersonForm` understands them."""
    return f"{player.name}{BETWEEN}{player.club.name}" if player.club else player.name


class PersonForm(OperationForm):
    """What is known of a person. A club may stand behind the name: `Beispiel, Anna · SC Fulda`."""

    name = TextField(
        limits.PLAYER_NAME,
        label=_("Name"),
        help_text=_("Surname, given name"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    club = TextField(limits.CLUB, label=_("Club"))
    rating = NumberField(limits.RATING, label=_("Rating"), help_text=_("Empty: not rated"))
    games = NumberField(limits.GAMES, label=_("Lifetime games"))
    email = TextField(
        limits.EMAIL,
        label=_("E-mail"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or {}
        name, between, club = typed.get("name", "").partition(BETWEEN)
        if between and not typed.get("club"):
            typed |= {"name": name, "club": club}
        return typed

    def problems(self) -> list[Refusal]:
        return players.problems(person(self.cleaned_data).tidied())


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
    """The person whom a form states; what could not be read is not stated."""
    figures = {name: typed.get(name) for name in ("rating", "games")}
    return Person(typed.get("name", ""), typed.get("club", ""), email=typed.get("email", ""), **figures)
