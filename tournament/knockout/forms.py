"""Forms of the knock-out: the announcement and the seeding."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.rulesets.values import Ruleset
from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.core.words.figures import append_clause, insert_clause
from tournament.knockout.operations import find_knockout_problems
from tournament.knockout.plan import KnockoutPlan
from tournament.knockout.words import MATCH_CRITERION_NAMES
from tournament.models import Entry
from tournament.models.choices import MATCH_FORMAT_LABELS, make_choices
from tournament.pages.forms import NumberField, OperationForm, TextField
from tournament.table.league import TableRow

CRITERIA_FIELDS = ("first_criterion", "second_criterion", "third_criterion", "fourth_criterion", "fifth_criterion")
USUAL_KNOCKOUT_SIZE = 4


class AnnounceKnockoutForm(OperationForm):
    """What the announcement says of the knock-out. What is possible is for the operation to say."""

    blamed: ClassVar[Mapping[str, str]] = {"criteria": CRITERIA_FIELDS[0]}

    size = NumberField(
        limits.KNOCKOUT_SIZE,
        required=True,
        label=_("Players"),
        help_text=_("From 2 to 64: the top players of the table."),
    )
    form = forms.ChoiceField(label=_("Each match"), choices=make_choices(MATCH_FORMAT_LABELS))
    best_of = NumberField(
        limits.BEST_OF, label=_("N in best of N"), help_text=_("An odd number; only for “best of N”.")
    )
    own_criterion = TextField(
        limits.OWN_CRITERION,
        label=_("Your own criterion, in words"),
        help_text=_("As the announcement names it: who has played the longest word. You will enter who wins by it."),
    )
    third_place = forms.BooleanField(label=_("Match for third place"), required=False)

    def __init__(self, data: Any = None, *, plan: KnockoutPlan | None, rules: Ruleset) -> None:
        initial: dict[str, Any] = {"size": USUAL_KNOCKOUT_SIZE}
        if plan is not None:
            initial |= plan.fields() | dict(zip(CRITERIA_FIELDS, plan.criteria, strict=False))
        super().__init__(data, initial=initial)
        self.rules = rules
        clauses = rules.clauses.knockout
        self.fields["best_of"].help_text = insert_clause(self.fields["best_of"].help_text, clauses.best_of)
        first = append_clause(_("If level: first criterion"), clauses.level)
        labels = (first, *(str(_("then")) for _more in CRITERIA_FIELDS[1:]))
        none: tuple[str, str | Promise] = ("", _("– none –"))
        for name, label in zip(CRITERIA_FIELDS, labels, strict=True):
            choices = [none, *((str(key), text) for key, text in MATCH_CRITERION_NAMES.items())]
            self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=False)
        self.order_fields(["size", "form", "best_of", *CRITERIA_FIELDS, "own_criterion", "third_place"])

    def problems(self) -> list[Refusal]:
        return find_knockout_problems(self.plan(), self.rules)

    def plan(self) -> KnockoutPlan:
        """The plan that the form states; a size that could not be read (reported already) becomes a valid one."""
        fields = self.cleaned_data
        return KnockoutPlan(
            size=fields.get("size", limits.KNOCKOUT_SIZE.high),
            form=fields.get("form", ""),
            best_of=fields.get("best_of"),
            criteria=tuple(fields[name] for name in CRITERIA_FIELDS if fields.get(name)),
            third_place=fields["third_place"],
            own_criterion=fields.get("own_criterion", ""),
        )


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
