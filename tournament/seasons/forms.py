"""The forms of a season."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from scoring.season import SeasonRule
from tournament.basics import limits
from tournament.basics.limits import Range
from tournament.basics.refusals import Refusal
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


class FiguresField(TypedField):
    """Figures typed one after the other, such as the points of the places from the first on."""

    inputmode = "text"
    size = 40
    look = ""

    def __init__(self, allowed: Range, **kwargs: Any) -> None:
        self.allowed = allowed
        super().__init__(**kwargs)

    def prepare_value(self, value: object) -> object:
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value

    def to_python(self, value: object) -> list[int]:
        return super().to_python(value) or []

    def read(self, text: str) -> list[int]:
        figures = []
        for part in filter(None, re.split(r"[\s,;/]+", text)):
            value = parse_whole_number(part)
            if value is None or not self.allowed.holds(value):
                words = {"text": quote_input(text), **self.allowed.ends}
                message = _(
                    "“%(text)s” is not valid: enter whole numbers from %(low)s to %(high)s, such as 20, 17, 15."
                )
                raise ValidationError(message % words, "points")
            figures.append(value)
        return figures


# Two rules have a figure called `least_events`: the one for who qualifies by rating has another name in the form.
QUALIFYING_COLUMNS = {
    **{name: name for name in ("tiers", "division_places", "division_players", "size", "least_games")},
    "rating_events": "least_events",
}
"""The form's fields about who qualifies, each with the figure of `QualifyingRules` that it states."""

FIELDS_BY_RULE: Mapping[SeasonRule, tuple[str, ...]] = {
    SeasonRule.PLACES: ("points", "shared", "best"),
    SeasonRule.WINS: ("points", "shared", "best"),
    SeasonRule.SPREAD: ("points", "shared", "best"),
    SeasonRule.QUALIFYING: tuple(QUALIFYING_COLUMNS),
    SeasonRule.MEDIAN: ("best", "least_events", "least_percent"),
}
"""The fields that a rule needs, or whose rules are as easily chosen; others are shown once theirs is saved."""


class SeasonForm(OperationForm):
    """A season's name and how it counts, by the rule that `season` has; `season` has these values already."""

    blamed = {column: name for name, column in QUALIFYING_COLUMNS.items() if name != column}

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
    points = FiguresField(
        limits.SEASON_POINTS, label=_("Points by place"), help_text=_("From the first place on. Lower places get none.")
    )
    shared = forms.ChoiceField(label=_("Players who share a place"), choices=make_choices(SHARED_PLACES_LABELS))
    best = NumberField(
        limits.SEASON_BEST, label=_("Best events that count"), help_text=_("Empty: all events of a player count.")
    )
    tiers = FiguresField(
        limits.QUALIFYING_FIGURE,
        label=_("Players an event needs for its places to count"),
        help_text=_("For the first place, the second … Lower places never count. Such as 16, 16, 48"),
    )
    division_places = FiguresField(
        limits.QUALIFYING_FIGURE,
        label=_("Places that count where an event has several divisions"),
        help_text=_("Of the top division, the next one … Such as 2, 1"),
    )
    division_players = NumberField(limits.QUALIFYING_FIGURE, label=_("Players that each division needs then"))
    size = NumberField(limits.QUALIFYING_FIGURE, label=_("How many qualify"))
    least_games = NumberField(limits.QUALIFYING_FIGURE, label=_("Games in all of who qualifies by rating"))
    rating_events = NumberField(limits.QUALIFYING_FIGURE, label=_("Events of the season of who qualifies by rating"))
    least_events = NumberField(
        limits.SEASON_LEAST,
        label=_("Events that a player must have played to be listed"),
        help_text=_("Empty: one is enough. As long as there have been fewer, all of them."),
    )
    least_percent = NumberField(limits.SEASON_PERCENT, label=_("… and per cent of the events so far"))
    with_running = forms.BooleanField(label=_("Unfinished events count as they are"), required=False)
    is_public = forms.BooleanField(label=_("Everybody may see the season"), required=False)

    def __init__(self, data: Any = None, *, season: Season) -> None:
        self.season = season
        stored = asdict(season.qualifying_rules)
        initial = {name: getattr(season, name) for name in self.base_fields if hasattr(season, name)} | {
            name: stored[column] for name, column in QUALIFYING_COLUMNS.items()
        }
        # A limit of 0 is none, and shown as an empty field.
        initial |= {name: getattr(season, name) or None for name in ("least_events", "least_percent")}
        super().__init__(data, initial=initial)
        # By the rule that is stored: the page shows its fields, and one of another rule that is sent all the same is
        # not read.
        field_names = FIELDS_BY_RULE[SeasonRule(season.rule)]
        ruled = {name for names in FIELDS_BY_RULE.values() for name in names}
        self.fields = {name: field for name, field in self.fields.items() if name in field_names or name not in ruled}

    def problems(self) -> list[Refusal]:
        return find_season_problems(self.plan(), of=self.season)

    def plan(self) -> Season:
        """What the form states, not stored; what could not be read is not stated, and what other rules need stays as it
        is."""
        field_names = ("points", "shared", "best", "least_events", "least_percent")
        stated = {
            name: getattr(self.season, name) for name in field_names if name not in self.fields
        } | self.cleaned_data
        # Nothing typed is 0 in these two columns; in `best` it stays none, by which all events count.
        stated |= {name: stated.get(name) or 0 for name in ("least_events", "least_percent")}
        stated.pop("preset", None)
        qualifying = dict(self.season.qualifying)
        for name, column in QUALIFYING_COLUMNS.items():
            if name in stated:
                value = stated.pop(name)
                qualifying[column] = 0 if value is None else value
        return Season(**stated, qualifying=qualifying)


SEASON_PRESETS: Mapping[str, tuple[Any, Any, Mapping[str, Any]]] = {
    "own": (_("Our own"), _("Points for the place in each event, or as stated under “Details”."), {}),
    "ldc-2026": (
        "Liga der Champions 2026",
        _("First places qualify, then the rating."),
        {"rule": SeasonRule.QUALIFYING.value},
    ),
    "ntsv": (
        _("Club year of the NTSV"),
        _("Per cent of the median, from three events on or a third of them."),
        {"rule": SeasonRule.MEDIAN.value, "least_events": 3, "least_percent": 33},
    ),
}
"""Ready-made ways to count, each by its key: what it is called, what counts, and the columns that it sets."""


class NewSeasonForm(SeasonForm):
    """A new season, counted as a preset says or as stated."""

    preset = forms.ChoiceField(
        label=_("How it counts"),
        choices=[(key, name) for key, (name, _text, _columns) in SEASON_PRESETS.items()],
        initial="own",
        required=False,
        widget=forms.RadioSelect,
    )

    @property
    def preset_cards(self) -> list[tuple[Any, Any]]:
        """Each preset's button, with what counts by it."""
        return list(zip(self["preset"], (text for _name, text, _columns in SEASON_PRESETS.values()), strict=True))

    @property
    def details(self) -> list[forms.BoundField]:
        """What is usually left as it is."""
        return [field for field in self if field.name not in ("name", "preset", "is_public")]

    def plan(self) -> Season:
        plan = super().plan()
        # The preset goes before the details, which are folded away and sent along with their usual values.
        _name, _text, columns = SEASON_PRESETS[self.cleaned_data.get("preset") or "own"]
        for name, value in columns.items():
            setattr(plan, name, value)
        return plan


class SeasonChoiceForm(OperationForm):
    """Which events a season counts, ticked in one list, each with its first places that qualify directly where the
    season asks for these."""

    division = forms.MultipleChoiceField(label=_("Events that count"), error_messages=CHOICE_ERRORS, required=False)

    def __init__(self, data: Any = None, *, countable: QuerySet[Division], season: Season) -> None:
        directs = dict(season.events.values_list("division", "direct"))
        super().__init__(data, initial={"division": list(directs)})
        self.countable = {str(division.pk): division for division in countable}
        # The page draws lines of its own: of the choices only the keys are read.
        offer_choices(self, "division", [(key, key) for key in self.countable])
        if season.rule == SeasonRule.QUALIFYING:
            for division in self.countable.values():
                label = format_lazy("{}, {}", _("First places that qualify directly"), division.tournament.name)
                initial = directs.get(division.pk) or None
                self.fields[f"direct-{division.pk}"] = NumberField(limits.SEASON_DIRECT, label=label, initial=initial)

    @property
    def ticked(self) -> set[str]:
        """The keys of the events that are ticked in the list, as posted or as stored."""
        return set(map(str, self["division"].value() or ()))

    def get_direct(self, division: Division) -> forms.BoundField | None:
        """Where a division's first places that qualify are typed; None where the season does not ask."""
        name = f"direct-{division.pk}"
        return self[name] if name in self.fields else None

    def list_chosen(self) -> dict[Division, int | None]:
        """The divisions that are ticked, each with its places that qualify directly; None where it was not asked."""
        # Left empty is 0; not asked is None, which leaves the stored figure as it is.
        return {
            division: (self.cleaned_data[name] or 0) if (name := f"direct-{division.pk}") in self.fields else None
            for division in map(self.countable.__getitem__, self.cleaned_data["division"])
        }


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
