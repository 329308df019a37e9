"""Forms of tournaments as a whole, of their divisions and of their settings."""

import copy
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring import rulesets
from scoring.standings import TieRule
from tournament.basics import limits
from tournament.basics.names import remove_invisible_marks
from tournament.basics.refusals import Refusal
from tournament.basics.showing import SHOWING_STEPS, ShowingStep, ShowingTime, ShowingTrigger, parse_showing_time
from tournament.core.settings import AWARD_FIGURES, find_settings_problems, find_text_problems, get_ruleset_defaults
from tournament.core.words.figures import append_clause, insert_clause
from tournament.events.next_season import ProposedPlace, name_next_season
from tournament.events.presets import Preset
from tournament.models import Division, Round, Season, Tournament
from tournament.models.choices import (
    BASIS_LABELS,
    BYE_POLICY_LABELS,
    PAGE_LANGUAGE_LABELS,
    RATING_SYSTEM_LABELS,
    STARTS_LABELS,
    TEAM_FORMAT_LABELS,
    TEAM_LEAVERS_LABELS,
    TEAM_PAIRING_LABELS,
    TEAM_RULE_LABELS,
    TIE_LABELS,
    TURNING_LABELS,
    WITHDRAWN_LABELS,
    make_choices,
)
from tournament.pages.forms import (
    DateField,
    NumberField,
    OperationForm,
    TablesField,
    TextField,
    WholeNumberField,
    cite_clauses,
    offer_choices,
)
from tournament.seasons.forms import CHOICE_ERRORS
from tournament.seasons.season_table import list_organiser_seasons
from tournament.table.words import ANNOUNCED_CRITERIA

CLOSED_OR_BY_HAND: tuple[tuple[str, Promise], ...] = (
    (ShowingTrigger.CLOSED.value, _("when the round is closed")),
    (ShowingTrigger.HAND.value, _("when the director shows them")),
)
# Pairings cannot wait until the round is closed: players need them to play it.
SHOWING_CHOICES: Mapping[ShowingStep, list[tuple[str, Promise]]] = {
    ShowingStep.PAIRINGS: [(ShowingTrigger.PUBLISHED.value, _("when the round is published")), CLOSED_OR_BY_HAND[1]],
    ShowingStep.RESULTS: [(ShowingTrigger.PUBLISHED.value, _("at once, each as it comes in")), *CLOSED_OR_BY_HAND],
    ShowingStep.TABLE: [(ShowingTrigger.PUBLISHED.value, _("at once, with every result")), *CLOSED_OR_BY_HAND],
}

MINUTES_HELP = _(
    "Counted from when the round is published or closed; empty: no wait. Applies to rounds published from now on."
)

SHOWING_FIELDS = tuple((f"{step}_since", f"{step}_wait") for step in SHOWING_STEPS)
"""The names of the fields, step by step."""


def _make_wait_field(**more: Any) -> NumberField:
    return NumberField(limits.SHOWN_MINUTES, label=_("Minutes later"), **more)


LANGUAGE_LABEL = _("Language of the public pages")
LANGUAGE_HELP = _(
    "This also applies to screens and printouts. Visitors can choose another language at the bottom of each page."
)


class EventDaysForm(OperationForm):
    """What every event has: a name, perhaps its days."""

    name = TextField(
        limits.NAME, label=_("Name"), widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "off"})
    )
    starts_on = DateField(label=_("First day"), help_text="")
    ends_on = DateField(label=_("Last day"), help_text="")

    def problems(self) -> list[Refusal]:
        stated = {name: self.cleaned_data.get(name) for name in ("starts_on", "ends_on")}
        texts = {name: self.cleaned_data.get(name, "") for name in ("name", "place")}
        # Asked of a row, which is never stored: names and days are held against the rules there.
        return find_text_problems(Tournament(**texts, **stated))


class NewTournamentForm(EventDaysForm):
    """A new tournament from a preset; everything not asked for has a default that the settings can change."""

    blamed: ClassVar[Mapping[str, str]] = {"plan": "rounds"}

    place = TextField(limits.PLACE, label=_("Place"))
    rounds = NumberField(limits.ROUND, label=_("Rounds"))
    is_public = forms.BooleanField(
        label=_("Visible to everybody"),
        required=False,
        initial=True,
        help_text=_("Announcement and entries at once, pairings and results when you publish them"),
    )
    language = forms.ChoiceField(
        required=False, label=LANGUAGE_LABEL, help_text=LANGUAGE_HELP, choices=make_choices(PAGE_LANGUAGE_LABELS)
    )
    field_order = ("name", "place", "starts_on", "ends_on", "rounds", "language", "is_public")

    def __init__(self, *args: Any, preset: Preset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.preset = preset
        self.fields["language"].initial = get_ruleset_defaults(preset.ruleset)["language"]
        if preset.is_evening:
            self.fields["starts_on"].initial = timezone.localdate
        if preset.rounds:
            self.fields["rounds"].initial = preset.rounds
            row = f"#preset-{preset.key}"  # its blocks, and what it sets, follow what is typed
            answer_attrs = {"hx-target": row, "hx-select": row, "hx-select-oob": "#sets", "hx-swap": "outerHTML"}
            address = reverse("director:new_from", args=[preset.key])
            self.fields["rounds"].widget.attrs.update({"hx-get": address, "hx-trigger": "change", **answer_attrs})
        else:
            # An event without a plan, such as a duplicate session, has no rounds to ask for.
            del self.fields["rounds"]

    def clean_language(self) -> str:
        """The language chosen; the one proposed where none was sent."""
        return self.cleaned_data["language"] or str(self.fields["language"].initial)

    def clean_rounds(self) -> int:
        """How many rounds to plan; the preset's own number where nothing was typed."""
        return self.preset.rounds if self.cleaned_data["rounds"] is None else self.cleaned_data["rounds"]


class CopyTournamentForm(EventDaysForm):
    """Another event like this one."""

    with_entries = forms.BooleanField(
        label=_("Enter the same players"), required=False, help_text=_("Their photos for the ceremony are included.")
    )
    season = forms.ModelChoiceField(
        queryset=Season.objects.none(),
        required=False,
        label=_("Counts in the season"),
        empty_label=_("none"),
        error_messages=CHOICE_ERRORS,
    )

    def __init__(self, data: Any = None, *, source: Tournament) -> None:
        counted = Season.objects.filter(events__division__tournament=source).order_by("-pk").first()
        initial: dict[str, Any] = {"name": source.name, "season": counted}
        if source.starts_on and source.ends_on in (None, source.starts_on):  # the next evening of a club
            initial["starts_on"] = timezone.localdate()
        super().__init__(data, initial=initial)
        offer_choices(self, "season", list_organiser_seasons(source.organiser))


PLAYS_NOWHERE = "out"


class NextSeasonForm(EventDaysForm):
    """The next season: its name and days, and in which division each player of the old one plays."""

    def __init__(
        self, data: Any = None, *, source: Tournament, proposals: Sequence[tuple[Division, Sequence[ProposedPlace]]]
    ) -> None:
        super().__init__(data, initial={"name": name_next_season(source.name)})
        choices = [(str(division.pk), division.name) for division, _lines in proposals]
        choices.append((PLAYS_NOWHERE, str(_("does not play"))))
        for _division, lines in proposals:
            for line in lines:
                self.fields[f"entry_{line.entry.pk}"] = forms.ChoiceField(
                    label=line.entry.name,
                    choices=choices,
                    initial=str(line.division.pk) if line.division else PLAYS_NOWHERE,
                    error_messages=CHOICE_ERRORS,
                )

    @property
    def season(self) -> dict[str, Any]:
        """What was typed, as `start_next_season` takes it."""
        about = {name: self.cleaned_data[name] for name in ("name", "starts_on", "ends_on")}
        chosen = {name: value for name, value in self.cleaned_data.items() if name.startswith("entry_")}
        moves = {
            int(name.removeprefix("entry_")): None if value == PLAYS_NOWHERE else int(value)
            for name, value in chosen.items()
        }
        return {**about, "moves": moves}


class DeleteTournamentForm(OperationForm):
    """The name, typed by hand, so that nobody deletes by accident."""

    # Not required: for an empty field, too, the operation says what the name is, and that nothing was deleted.
    typed_name = forms.CharField(
        label=_("Type the tournament's name"), required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class DivisionForm(OperationForm):
    """A division's name and tables, and how many go up and down after the season."""

    name = TextField(limits.DIVISION, label=_("Name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    tables = TablesField(
        label=_("Tables"),
        required=False,
        help_text=_("As in 1-8, 11-14. Left empty: from where the division before ends, as many as its players need."),
    )
    up = NumberField(limits.DIVISION_MOVES, label=_("Players who go up after the season"))
    down = NumberField(limits.DIVISION_MOVES, label=_("Players who go down after the season"))

    def clean_up(self) -> int:
        return self.cleaned_data["up"] or 0

    def clean_down(self) -> int:
        return self.cleaned_data["down"] or 0


ORDER_FIELDS = ("first_criterion", "second_criterion", "third_criterion")
CRITERION_CHOICES: list[tuple[str, str | Promise]] = [
    ("", _("– (in the usual order)")),
    *make_choices(ANNOUNCED_CRITERIA),
]


GROUP_ROWS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "name": (("name", "place"), ("starts_on", "ends_on")),
    "announcement": (("announcement",),),
    "rules": (("ruleset", "minutes"), ("word_list", "word_list_at"), ("national",)),
    "table": (("basis",), ORDER_FIELDS, ("ties", "withdrawn"), ("spread_cap",)),
    "byes": (("bye_policy",), ("bye_spread", "bye_points", "loss_spread")),
    "boards": (("starts", "turning"), ("clubs_apart",)),
    "teams": (("team_rule",), ("team_best", "team_format"), ("team_pairing", "team_leavers")),
    "results": (("results_twice",),),
    "day": (("step_seconds",),),
    "ratings": (("rated",), ("knockout_rated",), ("rating_system",), ("ratings_public",)),
    "public": (*SHOWING_FIELDS, ("public_reasons",), ("language",)),
}
"""The groups in which settings are changed, one at a time: the rows of fields of each."""


class SettingsForm(EventDaysForm):
    """One group of a tournament's settings. What contradicts the rules is for the operation to say."""

    blamed: ClassVar[Mapping[str, str]] = {"order": "first_criterion"}

    of_pairs: ClassVar[tuple[str, ...]] = (
        *("minutes", "starts", "turning", "basis", *ORDER_FIELDS, "ties", "withdrawn", "spread_cap"),
        *("bye_policy", "clubs_apart", "bye_spread", "bye_points", "loss_spread"),
        *("national", "public_reasons", "results_twice", "step_seconds", *sum(SHOWING_FIELDS, ())),
        *("rated", "knockout_rated", "rating_system", "ratings_public"),
        *("team_rule", "team_best", "team_format", "team_pairing", "team_leavers"),
    )
    """What there is to set only where two players meet."""

    name = TextField(limits.NAME, label=_("Name"))
    place = TextField(limits.PLACE, label=_("Place"))
    announcement = TextField(
        limits.ANNOUNCEMENT,
        label=_("Announcement"),
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Times, fee, food … Rules and plan are added automatically."),
    )
    ruleset = forms.ChoiceField(label=_("Ruleset"))
    minutes = WholeNumberField(label=_("Minutes per player"), required=False, help_text=_("Empty: no clock"))
    word_list = TextField(
        limits.WORD_LIST, label=_("Word list"), help_text=_("Decides whether a word is good; empty: no list")
    )
    word_list_at = TextField(limits.WORD_LIST_AT, label=_("Where players see it"))
    language = forms.ChoiceField(
        label=LANGUAGE_LABEL, help_text=LANGUAGE_HELP, choices=make_choices(PAGE_LANGUAGE_LABELS)
    )
    turning = forms.ChoiceField(label=_("Boards"), choices=make_choices(TURNING_LABELS))
    starts = forms.ChoiceField(label=_("Who starts"), choices=make_choices(STARTS_LABELS))
    national = forms.BooleanField(label=_("National tournament"), required=False)
    basis = forms.ChoiceField(
        label=_("Ranked by"),
        choices=make_choices(BASIS_LABELS),
        help_text=_(
            "Keizer points suit club nights at which not everybody is there: a win counts more the higher the opponent "
            "stands, and a round missed still counts a little"
        ),
    )
    first_criterion = forms.ChoiceField(label=_("First criterion"), choices=CRITERION_CHOICES, required=False)
    second_criterion = forms.ChoiceField(label=_("Second criterion"), choices=CRITERION_CHOICES, required=False)
    third_criterion = forms.ChoiceField(label=_("Third criterion"), choices=CRITERION_CHOICES, required=False)
    ties = forms.ChoiceField(label=_("Players still level"), choices=make_choices(TIE_LABELS))
    withdrawn = forms.ChoiceField(label=_("Withdrawn players"), choices=make_choices(WITHDRAWN_LABELS))
    spread_cap = forms.CharField(
        label=_("Spread cap"),
        required=False,
        help_text=_("The most that one game's spread counts: 150, or by round 100, 150 (the last one repeats)"),
    )
    bye_policy = forms.ChoiceField(label=_("Who gets the bye"), choices=make_choices(BYE_POLICY_LABELS))
    clubs_apart = NumberField(limits.CLUBS_APART, required=True, label=_("Rounds that keep clubs apart"))
    results_twice = forms.BooleanField(
        label=_("Results are typed twice"),
        required=False,
        help_text=_("By somebody who does not see the first typing; the public sees a result once both say the same"),
    )
    step_seconds = WholeNumberField(
        label=_("Seconds before each step"),
        required=False,
        help_text=_(
            "After the last result the next round is drawn by the plan, published, and its clock started, each after "
            "so many seconds; “Not yet” stops one, and whatever is to be decided stops all. Empty: nothing is done by "
            "itself"
        ),
    )
    rated = forms.BooleanField(
        label=_("Games are rated"), required=False, help_text=_("Byes, forfeits and absences never are")
    )
    knockout_rated = forms.BooleanField(label=_("Games of the knock-out, too"), required=False)
    rating_system = forms.ChoiceField(label=_("Ratings by"), choices=make_choices(RATING_SYSTEM_LABELS))
    ratings_public = forms.BooleanField(label=_("Everybody sees the preview of ratings"), required=False)
    team_rule = forms.ChoiceField(
        label=_("Table of teams by"),
        choices=make_choices(TEAM_RULE_LABELS),
        help_text=_("A team is a club, unless teams are named on the page “Teams”"),
    )
    team_best = NumberField(limits.TEAM_BEST, required=True, label=_("Players of a team who count, boards of a match"))
    team_format = forms.ChoiceField(
        label=_("In matches of teams"),
        choices=make_choices(TEAM_FORMAT_LABELS),
        help_text=_("For rounds whose method in the plan is “Team matches”"),
    )
    team_pairing = forms.ChoiceField(
        label=_("Which teams meet"),
        choices=make_choices(TEAM_PAIRING_LABELS),
        help_text=_("All play all: each further leg with home and away exchanged"),
    )
    team_leavers = forms.ChoiceField(
        label=_("Matches of a team that leaves"),
        choices=make_choices(TEAM_LEAVERS_LABELS),
        help_text=_("A team has left once all its players have withdrawn; it is listed last, without a rank"),
    )
    public_reasons = forms.BooleanField(label=_("Players see why pairs meet"), required=False)
    pairings_since = forms.ChoiceField(
        label=_("The public sees pairings"), choices=SHOWING_CHOICES[ShowingStep.PAIRINGS]
    )
    pairings_wait = _make_wait_field()
    results_since = forms.ChoiceField(label=_("The public sees results"), choices=SHOWING_CHOICES[ShowingStep.RESULTS])
    results_wait = _make_wait_field()
    table_since = forms.ChoiceField(
        label=_("The public sees the standings"), choices=SHOWING_CHOICES[ShowingStep.TABLE]
    )
    table_wait = _make_wait_field(help_text=MINUTES_HELP)
    bye_spread = NumberField(limits.SPREAD, required=True, label=_("Spread of a bye"))
    bye_points = NumberField(limits.BYE_POINTS, required=True, label=_("Points of a bye"))
    loss_spread = NumberField(limits.SPREAD, required=True, label=_("Spread of an absence"))

    def __init__(self, data: Any = None, *, tournament: Tournament, group: str) -> None:
        other = {*ORDER_FIELDS, *sum(SHOWING_FIELDS, ())}
        initial: dict[str, Any] = {
            name: getattr(tournament, name) for name in SettingsForm.base_fields if name not in other
        }
        for step, (since, wait) in zip(SHOWING_STEPS, SHOWING_FIELDS, strict=True):
            when = parse_showing_time(getattr(tournament, step.column))
            initial |= {since: when.since.value, wait: when.minutes or None}
        # The figures that hold: stored is none where the book's are followed.
        initial |= {name: getattr(tournament.awards, name) for name in AWARD_FIGURES}
        cap = tournament.spread_cap
        caps = cap if isinstance(cap, list) else [] if cap is None else [cap]
        initial["spread_cap"] = ", ".join(map(str, caps))
        initial |= dict(zip(ORDER_FIELDS, tournament.order, strict=False))
        super().__init__(data, initial=initial)
        self.tournament, self.group = tournament, group
        own = (tournament.ruleset, tournament.rules.name)
        offered = [(ruleset.key, ruleset.name) for ruleset in rulesets.RULESETS.values()]
        offer_choices(self, "ruleset", offered if own in offered else [*offered, own])
        clauses = tournament.rules.clauses
        cited = {name: getattr(clauses, name) for name in ("starts", "turning", "word_list")}
        cite_clauses(self, {**cited, "first_criterion": clauses.table})
        cited_ties = {TieRule.TSO: clauses.table}
        ties = [(tie.value, append_clause(label, cited_ties.get(tie, ""))) for tie, label in TIE_LABELS.items()]
        offer_choices(self, "ties", ties)
        if tournament.rules.questions is None:
            del self.fields["national"]
        else:
            limit = {"limit": tournament.rules.questions}
            message = _("At most %(limit)s words per player and game are shown to the jury.") % limit
            self.fields["national"].help_text = insert_clause(message, clauses.questions)
        # At the end: choices and clauses above are given to the fields by name, whichever group they belong to.
        group_fields = list_group_fields(group, tournament)
        self.fields = {name: field for name, field in self.fields.items() if name in group_fields}

    def clean_announcement(self) -> str:
        """The text without invisible marks, which pasting brings along."""
        return remove_invisible_marks(self.cleaned_data["announcement"])

    def clean_spread_cap(self) -> int | list[int] | None:
        """None, one number, or the numbers round by round."""
        text: str = self.cleaned_data["spread_cap"].strip()
        parts = [part for part in re.split(r"[,;\s]+", text) if part]
        # At most six of our own digits: `\d` takes those of other scripts as well, and `int` refuses a number of
        # thousands of digits with an error of its own.
        if not all(re.fullmatch(r"\d{1,6}", part, re.ASCII) for part in parts):
            raise forms.ValidationError(
                _("“%(value)s” is not a spread cap; write 150, or by round 100, 150."), params={"value": text}
            )
        caps = [int(part) for part in parts]
        return None if not caps else caps[0] if len(caps) == 1 else caps

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or {}
        if ORDER_FIELDS[0] in self.fields:
            fields["order"] = [fields[name] for name in ORDER_FIELDS if fields.get(name)]
        # What was the old ruleset's and nobody changed follows the new one; what the table is ranked by, only before
        # the first round.
        before, after = (get_ruleset_defaults(key) for key in (self.tournament.ruleset, fields.get("ruleset", "")))
        own = {name: getattr(self.tournament, name) for name in after}
        is_unchanged = {name: fields.get(name, own[name]) == own[name] == before.get(name) for name in after}
        if after and Round.objects.filter(division__tournament=self.tournament).exists():
            is_unchanged["basis"] = False
        fields |= {name: value for name, value in after.items() if is_unchanged[name]}
        return self._take_showing({name: value for name, value in fields.items() if name not in ORDER_FIELDS})

    def _take_showing(self, typed: dict[str, Any]) -> dict[str, Any]:
        """What was typed, with the tournament's columns instead of the fields of showing that are filled in."""
        rest = {name: value for name, value in typed.items() if name not in sum(SHOWING_FIELDS, ())}
        for step, (since, wait) in zip(SHOWING_STEPS, SHOWING_FIELDS, strict=True):
            # In another group, or not readable: the stored column stays as it is.
            if not typed.get(since):
                continue
            minutes = typed.get(wait) or 0
            # Nothing to count from: a step that is shown by hand has no moment of its own.
            if minutes and typed[since] == ShowingTrigger.HAND:
                self.add_error(wait, _("What you show by hand has no waiting time; leave the field empty."))
                continue
            rest[step.column] = str(ShowingTime(ShowingTrigger(typed[since]), minutes))
        return rest

    def problems(self) -> list[Refusal]:
        # On a copy, since the page shows what is stored beside the form. A day that cannot be read counts as none: held
        # against the stored one, the other day would be blamed.
        changed_event = copy.copy(self.tournament)
        days: dict[str, Any] = {name: None for name in ("starts_on", "ends_on") if name in self.fields}
        for name, value in {**days, **self.cleaned_data}.items():
            setattr(changed_event, name, value)
        return find_settings_problems(changed_event)

    @property
    def rows(self) -> list[list[forms.BoundField]]:
        """The fields in their rows."""
        rows = [[self[name] for name in row if name in self.fields] for row in GROUP_ROWS[self.group]]
        return [row for row in rows if row]


def list_settings_beside_the_book(tournament: Tournament) -> list[str]:
    """The settings, by their labels, that differ from what the ruleset usually has."""
    usual = get_ruleset_defaults(tournament.ruleset)
    return [str(SettingsForm.base_fields[name].label) for name in usual if getattr(tournament, name) != usual[name]]


def list_group_fields(group: str, tournament: Tournament) -> list[str]:
    """The fields of a group of settings that this event has; none where all are about play in pairs."""
    names = sum(GROUP_ROWS[group], ())
    return [name for name in names if tournament.rules.is_paired or name not in SettingsForm.of_pairs]
