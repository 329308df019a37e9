"""The forms of fees: kinds with their amounts, and one player's fee."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.core.fees import EURO, FeeKind, FeeTerms, Payer
from tournament.entries.forms import list_fee_choices, list_kind_choices
from tournament.fees.operations import NotedFee, find_fee_problems
from tournament.models import Registration
from tournament.pages.forms import DateField, MoneyField, OperationForm, TextField, offer_choices

SPARE_ROWS, FEWEST_ROWS = 1, 4


class FeesForm(OperationForm):
    """The kinds of fees in rows, some of them empty, and the currency. A row left empty is no kind."""

    currency = TextField(
        limits.CURRENCY,
        required=True,
        label=gettext_lazy("Currency"),
        help_text=gettext_lazy("€, CHF … as it shall be printed"),
    )

    def __init__(self, data: Any = None, *, terms: FeeTerms) -> None:
        super().__init__(data, initial={"currency": terms.currency})
        self.terms = terms
        self.numbers = range(1, min(max(len(terms.kinds) + SPARE_ROWS, FEWEST_ROWS), limits.FEE_KINDS) + 1)
        examples = dict(enumerate((_("Club member"), _("Guest"), _("Junior")), 1))
        for number in self.numbers:
            kind = terms.kinds[number - 1] if number <= len(terms.kinds) else None
            name = forms.TextInput(attrs={"autocomplete": "off", "placeholder": examples.get(number, "")})
            title, amount = (_("Kind %(number)s"), _("Amount %(number)s"))
            self.fields |= {
                f"key_{number}": forms.CharField(
                    required=False, max_length=limits.WORD, widget=forms.HiddenInput, initial=kind and kind.key
                ),
                f"name_{number}": TextField(
                    limits.FEE_KIND, label=title % {"number": number}, initial=kind and kind.name, widget=name
                ),
                f"cents_{number}": MoneyField(
                    limits.FEE_CENTS, label=amount % {"number": number}, initial=kind and kind.cents
                ),
            }

    @property
    def rows(self) -> list[tuple[Any, Any, Any]]:
        """The three fields of each row."""
        return [(self[f"key_{number}"], self[f"name_{number}"], self[f"cents_{number}"]) for number in self.numbers]

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or {}
        for number in self.numbers:
            if typed.get(f"name_{number}") and f"cents_{number}" in typed and typed[f"cents_{number}"] is None:
                self.add_error(f"cents_{number}", _("Type the amount; 0 if nothing is to be paid."))
        return typed

    def problems(self) -> Iterable[Refusal]:
        return find_fee_problems(self.stated)

    def blames(self, refusal: Refusal) -> str | None:
        """Kinds are counted without the rows left empty."""
        name, _between, place = (refusal.field or "").rpartition("_")
        filled = self._filled
        return f"{name}_{filled[int(place) - 1]}" if place.isdigit() and int(place) <= len(filled) else refusal.field

    @property
    def _filled(self) -> list[int]:
        """The rows in which something was typed, be it wrong."""
        typed = {name for name in self.fields if str(self.data.get(name, "")).strip()}
        return [number for number in self.numbers if typed & {f"name_{number}", f"cents_{number}"}]

    @property
    def stated(self) -> FeeTerms:
        """The fees that the form states; new kinds have keys that no other kind has."""
        typed, known = self.cleaned_data, {kind.key for kind in self.terms.kinds}
        free = (key for number in range(1, 10_000) if (key := f"K{number}") not in known)
        return FeeTerms(
            tuple(
                FeeKind(
                    key if (key := typed.get(f"key_{number}", "")) in known else next(free),
                    typed.get(f"name_{number}") or "",
                    typed.get(f"cents_{number}") or 0,
                )
                for number in self._filled
            ),
            typed.get("currency") or EURO,
        )


class EntryFeeForm(OperationForm):
    """The fee of an entry or of a registration."""

    blamed: ClassVar[dict[str, str]] = {}

    kind = forms.ChoiceField(label=gettext_lazy("Kind of fee"), required=False)
    cents = MoneyField(
        limits.FEE_CENTS, label=gettext_lazy("Paid"), help_text=gettext_lazy("All payments together; empty: nothing")
    )
    day = DateField(label=gettext_lazy("Paid on"))
    waived = forms.BooleanField(label=gettext_lazy("The rest is waived"), required=False)

    def __init__(self, data: Any = None, *, entry: Payer, terms: FeeTerms) -> None:
        choices = list_fee_choices(terms)
        if isinstance(entry, Registration) and len(terms.kinds) > 1:
            choices = [("", _("– not chosen –")), *list_kind_choices(terms)]
        is_usual = entry.fee_kind not in dict(choices)
        fee, kind = terms.weigh(entry), "" if is_usual else entry.fee_kind
        paid = fee.paid if entry.fee_paid or entry.paid_cents is not None else None
        initial = {"kind": kind, "cents": paid, "day": entry.paid_on, "waived": entry.fee_waived}
        super().__init__(data, initial=initial)
        offer_choices(self, "kind", choices)

    @property
    def stated(self) -> NotedFee:
        """What the form states. Only for a valid form."""
        return NotedFee(**self.cleaned_data)
