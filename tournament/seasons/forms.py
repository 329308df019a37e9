"""The forms of a season."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.core.words.figures import name_divisions
from tournament.models import Division, Player, Season
from tournament.models.choices import SEASON_RULE_LABELS, SHARED_PLACES_LABELS, make_choices
from tournament.pages.forms import (
    NumberField,
    OperationForm,
    TextField,
    TypedField,
    offer_choices,
    parse_whole_number,
    quote_input,
)
from tournament.seasons.operations import find_season_problems

CHOICE_ERRORS = {"invalid_choice": _("This is not available here any more; choose from the list.")}


class PlacePointsField(TypedField):
    """The points of the places from the first on, typed one after the other."""

    inputmode = "text"
    size = 40
    look = ""

    def prepare_value(self, value: object) -> object:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def to_python(self, value: object) -> list[int]:
        return super().to_python(value) or []

    def read(self, text: str) -> list[int]:
        found = []
        for part in filter(None, re.split(r"[\s,;/]+", text)):
            value = parse_whole_number(part)
            if value is None or not limits.SEASON_POINTS.holds(value):
                words = {"text": quote_input(text), **limits.SEASON_POINTS.ends}
                said = _("“%(text)s” is not valid: enter whole numbers from %(low)s to %(high)s, such as 20, 17, 15.")
                raise ValidationError(said % words, "points")
            found.append(value)
        return found


class SeasonForm(OperationForm):
    """A season's name and how it counts; `season` has these values already."""

    name = TextField(limits.NAME, label=_("Name"), help_text=_("Such as “Club cup 2026”"))
    slug = TextField(
        limits.SLUG,
        label=_("Address"),
        help_text=_(
            "Letters from a to z, digits and hyphens. If you leave it empty, it is made from the name or stays as "
            "it is."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    rule = forms.ChoiceField(label=_("What counts"), choices=make_choices(SEASON_RULE_LABELS))
    points = PlacePointsField(
        label=_("Points by place"), help_text=_("From the first place on. Lower places get none.")
    )
    shared = forms.ChoiceField(label=_("Players who share a place"), choices=make_choices(SHARED_PLACES_LABELS))
    best = NumberField(
        limits.SEASON_BEST, label=_("Best events that count"), help_text=_("Empty: all events of a player count.")
    )
    with_running = forms.BooleanField(label=_("Unfinished events count as they are"), required=False)
    is_public = forms.BooleanField(label=_("Everybody may see the season"), required=False)

    def __init__(self, data: Any = None, *, season: Season) -> None:
        super().__init__(data, initial={name: getattr(season, name) for name in self.base_fields})
        self.season = season

    def problems(self) -> list[Refusal]:
        return find_season_problems(self.plan(), of=self.season)

    def plan(self) -> Season:
        """What the form states, not stored; what could not be read is not stated."""
        return Season(**self.cleaned_data)


class SeasonEventForm(OperationForm):
    division = forms.ModelChoiceField(
        queryset=Division.objects.none(), label=_("Event"), error_messages=CHOICE_ERRORS, empty_label=None
    )

    def __init__(self, data: Any = None, *, possible: QuerySet[Division]) -> None:
        super().__init__(data)
        offer_choices(self, "division", possible)
        field: Any = self.fields["division"]
        field.choices = list(name_divisions(possible).items())


class PlayerField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic in its stubs only
    """A player of the register; offer players `with_names`."""

    def __init__(self, label: Any) -> None:
        options = {"label": label, "error_messages": CHOICE_ERRORS, "empty_label": _("choose …")}
        super().__init__(queryset=Player.objects.none(), **options)

    def label_from_instance(self, obj: Any) -> str:
        return str(obj.called)


class SamePersonForm(OperationForm):
    """Two players of whom the director says that they are one person."""

    one = PlayerField(_("Player"))
    other = PlayerField(_("is the same person as"))

    def __init__(self, data: Any = None, *, possible: QuerySet[Player]) -> None:
        super().__init__(data)
        offer_choices(self, "one", possible)
        offer_choices(self, "other", possible)
