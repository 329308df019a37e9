"""The forms of the hall's desk: a screen, the clock, a message, a countdown."""

import re
from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.hall.operations import find_screen_problems
from tournament.models import Division, Screen
from tournament.pages.forms import (
    FigureField,
    NumberField,
    OperationForm,
    TextField,
    TypedField,
    offer_choices,
    quote_input,
)

TIME_OF_DAY_PATTERN = re.compile(r"(?P<hour>[0-9]{1,2})[:.](?P<minute>[0-9]{2})(?: ?Uhr)?")

YESTERDAY_AFTER = timedelta(hours=12)  # a time of day that is longer ago than this is tomorrow's

INCH_OF_DIAGONAL = 25.4 * 9 / (9**2 + 16**2) ** 0.5  # millimetres of height of a screen that is 16 wide and 9 high
MILLIMETRES = {"mm": 1.0, "cm": 10.0, "m": 1000.0}
INCHES = ('"', "″", "”", "inch", "in", "zoll")
GLASS_HEIGHT_PATTERN = re.compile(r"(?P<figure>[0-9]{1,5}(?:[.,][0-9]{1,2})?) ?(?P<unit>[^0-9 ]{1,4})")

CLOCK_MINUTES = limits.Range(limits.CLOCK.low // 60, limits.CLOCK.high // 60)


class TimeOfDayField(TypedField):
    """A time of day, 14:40: the moment of today, or tomorrow's if that is half a day ago."""

    inputmode = "text"
    size = 5

    def prepare_value(self, value: object) -> object:
        return timezone.localtime(value).strftime("%H:%M") if isinstance(value, datetime) else value

    def read(self, text: str) -> datetime:
        written = TIME_OF_DAY_PATTERN.fullmatch(text)
        try:
            at = time(int(written["hour"]), int(written["minute"])) if written else None
        except ValueError:
            at = None
        if at is None:
            raise ValidationError(
                _("“%(text)s” is not a time of day such as 14:40.") % {"text": quote_input(text)}, "time"
            )
        now = timezone.localtime()
        moment = datetime.combine(now.date(), at, now.tzinfo)
        # At ten to midnight “0:30” is tomorrow's; at ten past nine “9:00” is today's all the same, and over.
        return moment if now - moment < YESTERDAY_AFTER else moment + timedelta(days=1)


class NewScreenForm(OperationForm):
    """One more screen."""

    name = TextField(limits.SCREEN_NAME, label=_("Name of the screen"))

    def problems(self) -> list[Refusal]:
        return find_screen_problems(Screen(name=self.cleaned_data.get("name") or ""))


class MinutesForm(OperationForm):
    """How long the clock of the round is to run."""

    minutes = FigureField(CLOCK_MINUTES, label=_("Minutes"), required=True)


class MessageForm(OperationForm):
    """What is said to the hall."""

    message = TextField(limits.MESSAGE, label=_("Message"))
    covers = forms.BooleanField(label=_("instead of everything else"), required=False)


class ThanksForm(OperationForm):
    """Whom the last slide of the ceremony thanks."""

    thanks = TextField(limits.MESSAGE, label=_("Thanks at the end"), help_text=_("Empty: to everybody"))


class DepthForm(OperationForm):
    """How deep the hall is."""

    depth = FigureField(limits.HALL_DEPTH, label=_("Depth of the hall in metres"))


class GlassHeightField(TypedField):
    """The height of a screen's picture, kept in millimetres: `1.2 m`, `120 cm`, `1200 mm`, or a television's diagonal,
    `55"`."""

    inputmode = "text"
    size = 8

    def prepare_value(self, value: object) -> object:
        # A diagonal that was typed comes back as a height: nothing else is kept of it.
        return f"{value} mm" if isinstance(value, int) else value

    def read(self, text: str) -> int:
        written, height = GLASS_HEIGHT_PATTERN.fullmatch(text), 0
        if written:
            unit = written["unit"].lower()
            millimetres = MILLIMETRES.get(unit, INCH_OF_DIAGONAL if unit in INCHES else 0)
            height = round(float(written["figure"].replace(",", ".")) * millimetres)
        if height not in limits.GLASS_HEIGHT.numbers:
            message = _(
                "“%(text)s” is no height of a picture: write it as 1200 mm, 120 cm, 1.2 m, or a diagonal as 55 inch."
            )
            raise ValidationError(message, "height", {"text": quote_input(text)})
        return height


class StreamForm(OperationForm):
    """A table whose board is to be streamed."""

    table = FigureField(limits.TABLE, label=_("Table"), required=True)


class StreamDelayForm(OperationForm):
    """By how many minutes the boards of games in progress are shown later."""

    minutes = FigureField(limits.STREAM_DELAY, label=_("Minutes that boards are shown later"), required=True)


class CountdownForm(OperationForm):
    """What begins when; without a time nothing is counted down to."""

    countdown_for = TextField(limits.MESSAGE, label=_("What begins then"))
    at = TimeOfDayField(label=_("Time of day"))


SCREEN_FIELDS = ("name", "seconds", "is_large", "is_light", "height")


class ScreenForm(OperationForm):
    """How a screen is set up. What it shows in turn are fields of seconds, one for each thing; empty: not shown."""

    name = TextField(limits.SCREEN_NAME, label=_("Name"), help_text=_("Empty: its number"))
    of_division = forms.ModelChoiceField(
        queryset=Division.objects.none(),
        label=_("Division"),
        required=False,
        empty_label=_("all"),
        error_messages={"invalid_choice": _("This tournament has no such division; choose one from the list.")},
    )
    seconds = NumberField(limits.PAGE_SECONDS, label=_("Seconds that a page stays"), required=True)
    is_large = forms.BooleanField(label=_("Larger, more pages"), required=False)
    is_light = forms.BooleanField(label=_("Dark letters on a light ground"), required=False)
    height = GlassHeightField(
        label=_("Height of the picture"), help_text=_("1200 mm, 120 cm, 1.2 m, or a television’s diagonal, 55 inch")
    )

    def __init__(self, data: Any = None, *, screen: Screen, offered: list[Screen.Shows]) -> None:
        # What is shown in turn cannot be one of the turns.
        self.offered = [shows for shows in offered if shows != Screen.Shows.IN_TURN]
        plan = {name: getattr(screen, name) for name in SCREEN_FIELDS}
        in_turn = {f"turn_{shows}": seconds for shows, seconds in screen.turns}
        super().__init__(data, initial={**plan, "of_division": screen.division, **in_turn})
        offer_choices(self, "of_division", screen.tournament.divisions.order_by("position", "pk"))
        for shows in self.offered:
            self.fields[f"turn_{shows}"] = FigureField(limits.PAGE_SECONDS, label=shows.label)

    @property
    def turns(self) -> list[Any]:
        """The fields of what is shown in turn."""
        return [self[f"turn_{shows}"] for shows in self.offered]

    def plan(self) -> Screen:
        """How the screen is to be set up, not stored; what could not be read is not stated."""
        fields = self.cleaned_data
        # In the order in which contents are offered: that is the order in which they follow one another on the glass.
        named = [(shows, fields.get(f"turn_{shows}")) for shows in self.offered]
        stated = {name: fields[name] for name in SCREEN_FIELDS if name in fields}
        turns = [(shows, seconds) for shows, seconds in named if seconds]
        return Screen(division=fields.get("of_division"), turns=turns, **stated)

    def problems(self) -> list[Refusal]:
        return find_screen_problems(self.plan())
