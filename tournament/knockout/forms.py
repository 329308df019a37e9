"""Forms of the knock-out: the announcement and the seeding."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.knockout_values import KnockoutSystem, MatchCriterion, MatchFormat
from scoring.rulesets.values import Ruleset
from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.core.words.figures import append_clause
from tournament.knockout.operations import find_knockout_problems
from tournament.knockout.plan import KnockoutPlan
from tournament.knockout.words import MATCH_CRITERION_NAMES
from tournament.models import Entry
from tournament.models.choices import KNOCKOUT_SYSTEM_LABELS, MATCH_FORMAT_LABELS, make_choices
from tournament.pages.forms import NumberField, NumberSteps, OperationForm, TextField
from tournament.table.league import TableRow

CRITERIA_FIELDS = ("first_criterion", "second_criterion", "third_criterion", "fourth_criterion", "fifth_criterion")
USUAL_KNOCKOUT_SIZE = 4


FORM_LABELS: Mapping[MatchFormat, Promise] = {
    MatchFormat.SINGLE: MATCH_FORMAT_LABELS[MatchFormat.SINGLE],
    MatchFormat.DOUBLE: _("Two games"),
    MatchFormat.BEST_OF: MATCH_FORMAT_LABELS[MatchFormat.BEST_OF],
}


class AnnounceKnockoutForm(OperationForm):
    """What the announcement says of the knock-out. What is possible is for the operation to say. The order of criteria
    is sent as it stands; the page's chips change it (`move_criterion`)."""

    blamed: ClassVar[Mapping[str, str]] = {"criteria": CRITERIA_FIELDS[0]}

    size = NumberField(
        limits.KNOCKOUT_SIZE,
        required=True,
        label=_("The first of the table"),
        widget=NumberSteps((2, 4, 8, 16, 32, 64)),
    )
    system = forms.ChoiceField(
        label=_("System"), choices=make_choices(KNOCKOUT_SYSTEM_LABELS), required=False, widget=forms.RadioSelect
    )
    form = forms.ChoiceField(label=_("Each match"), choices=make_choices(FORM_LABELS), widget=forms.RadioSelect)
    best_of = NumberField(limits.BEST_OF, label=_("N in best of N"), widget=NumberSteps((3, 5, 7)))
    own_criterion = TextField(
        limits.OWN_CRITERION,
        label=_("Your own criterion, in words"),
        help_text=_("As the announcement names it: who has played the longest word. You will enter who wins by it."),
    )
    third_place = forms.BooleanField(label=_("Match for third place"), required=False)

    def __init__(self, data: Any = None, *, plan: KnockoutPlan | None, rules: Ruleset) -> None:
        plan = plan or KnockoutPlan(USUAL_KNOCKOUT_SIZE)
        # Not strict: most announcements name fewer criteria than there are fields.
        initial = plan.fields() | dict(zip(CRITERIA_FIELDS, plan.criteria, strict=False))
        super().__init__(data, initial=initial)
        self.rules = rules
        clauses = rules.clauses.knockout
        self.fields["best_of"].label = append_clause(self.fields["best_of"].label, clauses.best_of)
        self.level_label = append_clause(_("A level match is decided by"), clauses.level)
        choices = [(str(key), text) for key, text in MATCH_CRITERION_NAMES.items()]
        for name in CRITERIA_FIELDS:
            self.fields[name] = forms.ChoiceField(
                label=self.level_label, choices=choices, required=False, widget=forms.HiddenInput
            )
        self.order_fields(["size", "system", "form", "best_of", *CRITERIA_FIELDS, "own_criterion", "third_place"])

    def problems(self) -> list[Refusal]:
        return find_knockout_problems(self.plan(), self.rules)

    @property
    def criteria_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in CRITERIA_FIELDS]

    @property
    def order(self) -> list[tuple[str, str | Promise]]:
        """The criteria as they are in order, each with its name."""
        keys = [self[name].value() for name in CRITERIA_FIELDS]
        return [(key, MATCH_CRITERION_NAMES.get(key, key)) for key in keys if key]

    @property
    def criteria_left(self) -> list[tuple[str, str | Promise]]:
        """The criteria that are not in the order."""
        chosen = [key for key, _name in self.order]
        return [(str(key), name) for key, name in MATCH_CRITERION_NAMES.items() if key not in chosen]

    def plan(self) -> KnockoutPlan:
        """The plan that the form states. A size that could not be read (which is reported already) becomes a valid one,
        and what stands in a part that the page hides for these choices does not count."""
        fields = self.cleaned_data
        system = fields.get("system") or str(KnockoutSystem.SINGLE)
        criteria = tuple(fields[name] for name in CRITERIA_FIELDS if fields.get(name))
        return KnockoutPlan(
            size=fields.get("size", limits.KNOCKOUT_SIZE.high),
            form=fields.get("form", ""),
            best_of=fields.get("best_of") if fields.get("form") == MatchFormat.BEST_OF else None,
            criteria=criteria,
            third_place=fields["third_place"] and system == KnockoutSystem.SINGLE,
            own_criterion=fields.get("own_criterion", "") if MatchCriterion.OWN in criteria else "",
            system=system,
        )


def move_criterion(sent: QueryDict) -> QueryDict:
    """What was sent, with the order of criteria as the pressed chip changes it: `add`, `drop`, `earlier` or `later`."""
    if "move" not in sent:
        return sent
    act, _space, criterion = sent.get("move", "").partition(" ")
    order = [str(sent[name]) for name in CRITERIA_FIELDS if sent.get(name)]
    if act == "add" and criterion not in order:
        order.append(criterion)
    elif act in ("drop", "earlier", "later") and criterion in order:
        place = order.index(criterion)
        order.pop(place)
        if act != "drop":
            # The first one stays where it is: -1 would put it before the last.
            order.insert(max(0, place + (1 if act == "later" else -1)), criterion)
    moved = sent.copy()
    # Every field is written: one that a criterion has left would keep it, and it would stand there twice.
    for name, value in zip_longest(CRITERIA_FIELDS, order[: len(CRITERIA_FIELDS)], fillvalue=""):
        moved[name] = value
    return moved


class SeedsForm(OperationForm):
    """Who is seeded, place by place; as the table stands unless it is changed."""

    blamed: ClassVar[Mapping[str, str]] = {"seeds": "seed_1"}

    accept_missing = forms.BooleanField(label=_("Seed although the table may still change"), required=False)

    def __init__(self, data: Any = None, *, size: int, order: Sequence[TableRow], ask: bool) -> None:
        super().__init__(data)
        self.size = size
        self.entries: dict[str, Entry] = {str(row.entry.pk): row.entry for row in order}
        self.proposed = list(order[:size])
        choices = [("", _("– nobody –")), *((key, entry.name) for key, entry in self.entries.items())]
        for number in range(1, size + 1):
            initial = str(order[number - 1].entry.pk) if number <= len(order) else ""
            self.fields[f"seed_{number}"] = forms.ChoiceField(
                label=_("Seed %(number)s") % {"number": number}, choices=choices, initial=initial, required=False
            )
        if not ask:
            del self.fields["accept_missing"]

    @property
    def rows(self) -> Iterator[tuple[int, forms.BoundField, TableRow | None]]:
        """Each place with its field and the player at that place in the table."""
        for number in range(1, self.size + 1):
            yield number, self[f"seed_{number}"], self.proposed[number - 1] if number <= len(self.proposed) else None

    def seeds(self) -> list[Entry]:
        """The chosen players, best first; empty places are left out. Only for a valid form."""
        return [self.entries[self.cleaned_data[name]] for name in self._list_chosen_fields()]

    def _list_chosen_fields(self) -> list[str]:
        names = [f"seed_{number}" for number in range(1, self.size + 1)]
        return [name for name in names if self.cleaned_data.get(name)]

    def blames(self, refusal: Refusal) -> str | None:
        # The operation counts the players it was given; empty places before them move them up.
        seeded = {f"seed_{number}": name for number, name in enumerate(self._list_chosen_fields(), 1)}
        return seeded.get(refusal.field or "") or super().blames(refusal)
