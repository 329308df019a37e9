"""Forms of a tournament's rules and of a division's plan of rounds."""

import copy
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.standings import Ties
from tournament import languages, limits
from tournament.forms import showing
from tournament.forms.base import OperationForm, WholeNumber, cite, offer
from tournament.forms.fields import DateField, NumberField, TextField
from tournament.forms.showing import FIELDS as SHOWING
from tournament.forms.showing import ShowingFields
from tournament.forms.tournaments import LANGUAGE, LANGUAGE_HELP
from tournament.models import Tournament
from tournament.models.choices import (
    BASES,
    BYE_POLICIES,
    METHODS,
    PAGE_LANGUAGES,
    STARTS,
    TIES,
    TURNING,
    WITHDRAWN,
    choices,
)
from tournament.models.event import ruleset_choices
from tournament.operations import plans, setup
from tournament.operations.players import without_marks
from tournament.operations.setup import AWARDS
from tournament.pairing.values import Method
from tournament.plan import segments as plan
from tournament.plan.segments import Segment
from tournament.refusals import Refusal
from tournament.words.clauses import with_clause
from tournament.words.criteria import ANNOUNCED

ORDER = ("first_criterion", "second_criterion", "third_criterion")
CRITERIA: list[tuple[str, str | Promise]] = [("", _("– (in the usual order)")), *choices(ANNOUNCED)]


class SettingsForm(ShowingFields, OperationForm):
    """All settings of a tournament. What contradicts the rules is for the operation to say."""

    blamed: ClassVar[Mapping[str, str]] = {"order": "first_criterion"}
    layout: ClassVar[tuple[tuple[str | Promise, tuple[tuple[str, ...], ...]], ...]] = (
        (_("Event"), (("name", "place"), ("starts_on", "ends_on"), ("announcement",), ("language",))),
        (
            _("Rules and table"),
            (
                ("ruleset", "minutes"),
                ("word_list", "word_list_at"),
                ("starts", "turning"),
                ("basis",),
                ORDER,
                ("ties", "withdrawn"),
                ("spread_cap",),
            ),
        ),
        (_("Byes and absences"), (("bye_policy", "clubs_apart"), ("bye_spread", "bye_points", "loss_spread"))),
        (_("Results"), (("results_twice",),)),
        (_("What the public sees"), (*SHOWING, ("public_reasons",))),
    )

    of_pairs: ClassVar[tuple[str, ...]] = (
        *("minutes", "starts", "turning", "basis", *ORDER, "ties", "withdrawn", "spread_cap"),
        *(
            "bye_policy",
            "clubs_apart",
            "bye_spread",
            "bye_points",
            "loss_spread",
            "public_reasons",
            "results_twice",
            *sum(SHOWING, ()),
        ),
    )
    """What there is to set only where two players meet."""

    name = TextField(limits.NAME, label=_("Name"))
    place = TextField(limits.PLACE, label=_("Place"))
    starts_on = DateField(label=_("First day"))
    ends_on = DateField(label=_("Last day"))
    announcement = TextField(
        limits.ANNOUNCEMENT,
        label=_("Announcement"),
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Times, fee, food … Rules and plan are shown beside it automatically."),
    )
    ruleset = forms.ChoiceField(label=_("Ruleset"))
    minutes = WholeNumber(label=_("Minutes per player"), required=False, help_text=_("Empty: no clock"))
    word_list = TextField(
        limits.WORD_LIST,
        label=_("Word list"),
        help_text=_("What decides whether a word stands; empty: no list"),
    )
    word_list_at = TextField(limits.WORD_LIST_AT, label=_("Where players see it"))
    language = forms.ChoiceField(label=LANGUAGE, help_text=LANGUAGE_HELP, choices=choices(PAGE_LANGUAGES))
    turning = forms.ChoiceField(label=_("Boards"), choices=choices(TURNING))
    starts = forms.ChoiceField(label=_("Who starts"), choices=choices(STARTS))
    basis = forms.ChoiceField(label=_("Ranked by"), choices=choices(BASES))
    first_criterion = forms.ChoiceField(label=_("First criterion"), choices=CRITERIA, required=False)
    second_criterion = forms.ChoiceField(label=_("Second criterion"), choices=CRITERIA, required=False)
    third_criterion = forms.ChoiceField(label=_("Third criterion"), choices=CRITERIA, required=False)
    ties = forms.ChoiceField(label=_("Players still level"), choices=choices(TIES))
    withdrawn = forms.ChoiceField(label=_("Withdrawn players"), choices=choices(WITHDRAWN))
    spread_cap = forms.CharField(
        label=_("Spread cap"),
        required=False,
        help_text=_("The most that one game's spread counts: 150, or by round 100, 150 (the last one repeats)"),
    )
    bye_policy = forms.ChoiceField(label=_("Who gets the bye"), choices=choices(BYE_POLICIES))
    clubs_apart = NumberField(limits.CLUBS_APART, required=True, label=_("Rounds that keep clubs apart"))
    results_twice = forms.BooleanField(
        label=_("Results are typed twice"),
        required=False,
        help_text=_("By somebody else, who does not see the first figures; what differs is settled from the paper"),
    )
    public_reasons = forms.BooleanField(label=_("Players see why pairs meet"), required=False)
    bye_spread = NumberField(limits.SPREAD, required=True, label=_("Spread of a bye"))
    bye_points = NumberField(limits.BYE_POINTS, required=True, label=_("Points of a bye"))
    loss_spread = NumberField(limits.SPREAD, required=True, label=_("Spread of an absence"))

    def __init__(self, data: Any = None, *, tournament: Tournament) -> None:
        super().__init__(data, initial=_initial(tournament))
        self.tournament = tournament
        own = (tournament.ruleset, tournament.rules.name)
        offer(self, "ruleset", ruleset_choices() if own in ruleset_choices() else [*ruleset_choices(), own])
        clauses = tournament.rules.clauses
        cite(self, {"starts": clauses.starts, "turning": clauses.turning, "word_list": clauses.word_list})
        cite(self, {"first_criterion": clauses.table})
        cited = {Ties.TSO: clauses.table}
        offer(self, "ties", [(each.value, with_clause(label, cited.get(each, ""))) for each, label in TIES.items()])
        if not tournament.rules.is_paired:
            for name in self.of_pairs:
                del self.fields[name]

    def clean_announcement(self) -> str:
        """The text without invisible marks, which pasting brings along."""
        return without_marks(self.cleaned_data["announcement"])

    def clean_spread_cap(self) -> int | list[int] | None:
        """None, one number, or the numbers round by round."""
        text: str = self.cleaned_data["spread_cap"].strip()
        parts = [part for part in re.split(r"[,;\s]+", text) if part]
        if not all(re.fullmatch(r"\d{1,6}", part, re.ASCII) for part in parts):
            raise forms.ValidationError(
                _("“%(value)s” is no spread cap; write 150, or by round 100, 150."), params={"value": text}
            )
        caps = [int(part) for part in parts]
        return None if not caps else caps[0] if len(caps) == 1 else caps

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or {}
        if ORDER[0] in self.fields:
            typed["order"] = [typed[name] for name in ORDER if typed.get(name)]
        kept = self.tournament.language
        if typed.get("language") == kept == languages.usual(self.tournament.ruleset):
            typed["language"] = languages.usual(typed.get("ruleset", self.tournament.ruleset))
        return self.take_showing({name: value for name, value in typed.items() if name not in ORDER})

    def problems(self) -> list[Refusal]:
        found = copy.copy(self.tournament)
        for name, value in {"starts_on": None, "ends_on": None, **self.cleaned_data}.items():
            setattr(found, name, value)
        return setup.problems(found)

    @property
    def groups(self) -> list[tuple[str | Promise, list[list[forms.BoundField]]]]:
        """The fields in their rows, under their headings."""
        shown = [
            (heading, [[self[name] for name in row if name in self.fields] for row in rows])
            for heading, rows in self.layout
        ]
        return [(heading, [row for row in rows if row]) for heading, rows in shown if any(rows)]


def _initial(tournament: Tournament) -> dict[str, Any]:
    other = {*ORDER, *sum(SHOWING, ())}
    found: dict[str, Any] = {name: getattr(tournament, name) for name in SettingsForm.base_fields if name not in other}
    found |= showing.initial(tournament)
    found |= {name: getattr(tournament.awards, name) for name in AWARDS}
    cap = tournament.spread_cap
    found["spread_cap"] = (
        "" if cap is None else ", ".join(str(one) for one in (cap if isinstance(cap, list) else [cap]))
    )
    return found | dict(zip(ORDER, tournament.order, strict=False))


class SegmentForm(forms.Form):
    """One row of the plan."""

    first = NumberField(
        limits.ROUND, required=True, label=_("From round"), error_messages={"required": _("From which round?")}
    )
    last = NumberField(
        limits.ROUND, required=True, label=_("To round"), error_messages={"required": _("To which round?")}
    )
    method = forms.ChoiceField(label=_("Method"), initial=Method.SWISS.value)
    repeats = forms.BooleanField(label=_("Repeats allowed"), required=False)
    factor = NumberField(limits.FACTOR, label=_("Places apart (factor)"))
    behind = forms.TypedChoiceField(label=_("On the table after"), coerce=int, initial=0)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "method", choices(METHODS))
        earlier = [
            (rounds, _("%(rounds)s rounds earlier") % {"rounds": rounds}) for rounds in range(2, limits.BEHIND.high + 1)
        ]
        offer(self, "behind", [(0, _("the round before")), (1, _("the last round but one")), *earlier])

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        if typed.get("first", 0) > typed.get("last", limits.ROUND.high):
            self.add_error("last", str(plans.RoundsReversed(first=typed["first"], last=typed["last"])))
        return typed

    def segment(self) -> Segment:
        """The row as a part of the plan."""
        typed = self.cleaned_data
        return Segment(
            typed["first"],
            typed["last"],
            typed["method"],
            repeats=typed["repeats"],
            factor=plan.DEFAULT_FACTOR if typed["factor"] is None else typed["factor"],
            behind=typed["behind"],
        )


def rows(segments: tuple[Segment, ...]) -> list[dict[str, Any]]:
    """A stored plan as the rows of the form."""
    return [
        {
            "first": segment.first,
            "last": segment.last,
            "method": segment.method,
            "repeats": segment.repeats,
            "factor": segment.factor if segment.method == Method.FACTOR else None,
            "behind": segment.behind,
        }
        for segment in segments
    ]


class PlanRows(forms.BaseFormSet):  # type: ignore[type-arg]  # generic for the checker only
    """The rows of a plan; empty rows and those to be deleted do not count."""

    def segments(self) -> list[Segment]:
        """The parts of the plan that the valid rows state."""
        filled = [form for form in self.forms if form.has_changed() or form.initial]
        return [form.segment() for form in filled if form not in self.deleted_forms]


def plan_rows(data: Any = None, *, segments: tuple[Segment, ...]) -> PlanRows:
    """A plan's rows as sent, or as stored with three empty ones."""
    factory: Any = forms.formset_factory(
        SegmentForm, formset=PlanRows, extra=3, max_num=60, absolute_max=limits.ROUND.high + 3, can_delete=True
    )
    made: PlanRows = factory(data, initial=rows(segments), prefix="plan")
    return made
