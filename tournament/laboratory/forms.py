"""What the laboratory's page asks, and what stands in the address that repeats a run."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.simulation import STRENGTH_DEVIATION
from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.laboratory.plans import OFFERED_PLANS, OWN_PLAN, build_offered_plan, parse_own_plan
from tournament.laboratory.players import list_usable_divisions, load_study_ratings
from tournament.laboratory.plots import LETTERS
from tournament.laboratory.values import Study, StudyPlan
from tournament.models import Division, Organiser
from tournament.pages.forms import NumberField, OperationForm, offer_choices
from tournament.rounds.plan import find_plan_problems
from tournament.table.lots import HIGHEST_DRAW_SEED

PLAN_FIELDS = 4
USUAL = {"players": "24", "rounds": "13", "events": "1000", "seed": "1", "strength": str(round(STRENGTH_DEVIATION))}
USUAL_PLANS = ("swiss", "swiss-hill")
OWN_PLAN_LENGTH = 1000


TOO_MUCH = _("That is too much at once: with this field and these plans at most %(most)s events, not %(events)s.")


class LaboratoryForm(OperationForm):
    """A field, how often, from which seed, and two to four plans. `field` is an event's division; then `players` and
    `strength` do not count. `own` is a plan as `format_own_plan` writes it, offered where it is given."""

    field = forms.ModelChoiceField(
        queryset=Division.objects.none(),
        label=_("Field"),
        required=False,
        empty_label=_("made up, as strong as below"),
        error_messages={"invalid_choice": _("This is not available here any more; choose from the list.")},
    )
    players = NumberField(limits.STUDY_PLAYERS, label=_("Players"), required=True)
    rounds = NumberField(limits.STUDY_ROUNDS, label=_("Rounds"), required=True)
    strength = NumberField(
        limits.STUDY_POINTS,
        label=_("Spread of strength"),
        required=True,
        help_text=_("Standard deviation, in points of margin; 42 within a division of real events."),
    )
    events = NumberField(limits.STUDY_EVENTS, label=_("Events"), required=True)
    seed = NumberField(limits.Range(1, HIGHEST_DRAW_SEED), label=_("Draw no."), required=True)
    own = forms.CharField(required=False, max_length=OWN_PLAN_LENGTH, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, organiser: Organiser, is_sent: bool = False) -> None:
        """`data` is a form that was sent, or an address's query; then what is not stated has its usual value."""
        stated = {name: data[name] for name in data}
        # In a form that was sent an empty field is somebody's doing, and is asked about.
        super().__init__(stated if is_sent else {**USUAL, **_choose_usual_plans(stated), **stated})
        divisions = list_usable_divisions(organiser)
        offer_choices(self, "field", divisions)
        self.fields["field"].label_from_instance = (  # type: ignore[attr-defined]  # as Django lets forms do
            lambda division: f"{division.tournament.name} · {division.name}"
        )
        # Only with a plan in the address: without one there would be nothing to play.
        own = [(OWN_PLAN, _("This event’s plan"))] if stated.get("own") else []
        choices = [*own, *((key, plan.label) for key, plan in OFFERED_PLANS.items())]
        for place in range(1, PLAN_FIELDS + 1):
            more = [("", _("none"))] if place > 2 else []
            self.fields[f"plan{place}"] = forms.ChoiceField(
                label=_("Plan %(place)s") % {"place": LETTERS[place - 1]},
                required=place <= 2,
                choices=[*more, *choices],
            )
            self.fields[f"rounds{place}"] = NumberField(
                limits.STUDY_ROUNDS, label=_("Rounds of plan %(place)s") % {"place": LETTERS[place - 1]}
            )

    def clean_own(self) -> str:
        """A plan that can be played."""
        try:
            segments = parse_own_plan(self.cleaned_data["own"])
        except (ValueError, IndexError) as fault:
            raise ValidationError(str(_("The plan in this address is not understood."))) from fault
        faults = find_plan_problems(segments)
        if segments and segments[-1].last > limits.STUDY_ROUNDS.high:
            raise ValidationError(str(_("The plan in this address is too long for the laboratory.")))
        if faults:
            raise ValidationError([str(fault) for fault in faults])
        return str(self.cleaned_data["own"])

    def clean(self) -> dict[str, Any]:
        """The study itself is made here, so that its faults stand beside the others."""
        fields = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                fields["study"] = self._build_study(fields)
            except Refusal as refused:
                self.refuse(refused)
        return fields

    def _build_study(self, typed: dict[str, Any]) -> Study:
        ratings = load_study_ratings(typed["field"]) if typed["field"] else ()
        places = [place for place in range(1, PLAN_FIELDS + 1) if typed[f"plan{place}"]]
        study = Study(
            plans=tuple(self._build_plan(typed, place) for place in places),
            players=len(ratings) or typed["players"],
            events=typed["events"],
            seed=typed["seed"],
            strength_sd=STRENGTH_DEVIATION if ratings else float(typed["strength"]),
            ratings=ratings,
        )
        # What a run costs grows with all of these: each may be within its limits, and their product take days.
        rounds = sum(len(plan.list_rounds()) for plan in study.plans)
        if study.players * study.events * rounds > limits.STUDY_SEATS:
            most = limits.STUDY_SEATS // (study.players * rounds)
            raise Refusal("too_much", TOO_MUCH, field="events", events=study.events, most=most)
        return study

    @staticmethod
    def _build_plan(typed: dict[str, Any], place: int) -> StudyPlan:
        key = typed[f"plan{place}"]
        if key == OWN_PLAN:
            return StudyPlan(OWN_PLAN, tuple(segment.stored() for segment in parse_own_plan(typed["own"])))
        return build_offered_plan(key, typed[f"rounds{place}"] or typed["rounds"])

    def plan_rows(self) -> list[tuple[str, forms.BoundField, forms.BoundField]]:
        """Each plan's letter, choice and rounds."""
        numbers = range(1, PLAN_FIELDS + 1)
        return [(LETTERS[number - 1], self[f"plan{number}"], self[f"rounds{number}"]) for number in numbers]

    def build_query(self) -> str:
        """The query that repeats this run."""
        # By the fields alone: the token that a sent form carries has no place in an address that people pass on.
        return urlencode({name: self.data[name] for name in self.fields if self.data.get(name)})


def _choose_usual_plans(stated: dict[str, Any]) -> dict[str, str]:
    """The plans where the address names none; its own plan comes first."""
    if any(name.startswith("plan") for name in stated):
        return {}
    plans = (OWN_PLAN, *USUAL_PLANS) if stated.get("own") else USUAL_PLANS
    return {f"plan{place}": name for place, name in enumerate(plans, 1)}
