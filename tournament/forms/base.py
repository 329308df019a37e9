"""What the forms of operations share: fields that quote bad input, and refusals shown at the field they blame."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db.models import Model, QuerySet
from django.forms.models import ModelChoiceIterator
from django.utils.translation import gettext_lazy as _

from tournament.models import Entry
from tournament.refusals import Refusal, Refusals
from tournament.words import namesakes
from tournament.words.clauses import with_clause


class WholeNumber(forms.IntegerField):
    """A whole number. Which range is allowed is for the operation to say.

    The field takes any text, so that the browser sends what was mistyped and it can be quoted.
    """

    widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})

    def to_python(self, value: Any) -> int | None:
        try:
            return super().to_python(value)
        except ValidationError as error:
            raise ValidationError(
                _("“%(value)s” is not a whole number."), code="invalid", params={"value": value}
            ) from error


class _Once(ModelChoiceIterator):  # type: ignore[type-arg]  # generic in its stubs only
    """The choices by one query, which the field has asked to see who shares a name."""

    def __iter__(self) -> Iterator[Any]:
        if self.field.empty_label is not None:
            yield "", self.field.empty_label
        yield from map(self.choice, self.queryset)


class ToldApartField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic in its stubs only
    """A row, chosen by what a function of `words.namesakes` calls each among the others."""

    iterator = _Once

    def __init__(self, called: Callable[[Iterable[Any]], Mapping[int, str]], **options: Any) -> None:
        self._called = called
        self._names: tuple[Any, Mapping[int, str]] = None, {}
        super().__init__(**options)

    def label_from_instance(self, obj: Model) -> str:
        if self._names[0] is not self.queryset:
            self._names = self.queryset, self._called(self.queryset or ())
        return self._names[1][obj.pk]


class EntryField(ToldApartField):
    """An entry, chosen by the player's name; offer entries `with_names`."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid_choice": _(
            "The player chosen is not among those who are possible here any more; choose from the list."
        )
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(namesakes.called, queryset=Entry.objects.none(), **options)


def cite(form: forms.BaseForm, clauses: Mapping[str, str]) -> None:
    """Put the rules' clauses behind the labels of the form's fields of these names."""
    for name, clause in clauses.items():
        field = form.fields[name]
        field.label = with_clause(field.label, clause)


def offer(form: forms.BaseForm, name: str, choices: Iterable[tuple[Any, Any]] | QuerySet[Any]) -> None:
    """Let the form's field of that name offer these choices, or the rows of a query."""
    field = form.fields[name]
    if isinstance(choices, QuerySet):
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = choices
    else:
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


class OperationForm(forms.Form):
    """A form whose input one operation takes. It checks the shape; what is possible is for the operation to say."""

    blamed: ClassVar[Mapping[str, str]] = {}
    """Fields that a refusal may blame, by the form's own name for them where that differs."""

    told_apart: ClassVar[tuple[type[Refusal], ...]] = ()
    """Refusals that the page tells in a place of its own (a question, what somebody else did meanwhile)."""

    refused: tuple[Refusal, ...] = ()

    def full_clean(self) -> None:
        """Check every field, then what holds between those that could be read: all faults are told at once."""
        super().full_clean()
        if self.is_bound:
            at_fault = set(self.errors)
            self.refuse(*(each for each in self.problems() if self.blames(each) not in at_fault))

    def problems(self) -> Iterable[Refusal]:
        """What the operation would refuse of what was typed; a field that is at fault counts as left empty."""
        return ()

    def blames(self, refusal: Refusal) -> str | None:
        """The form's field that a refusal blames."""
        blamed = self.blamed.get(refusal.field or "", refusal.field)
        return blamed if blamed in self.fields else None

    def done(self, act: Callable[[dict[str, Any]], object]) -> bool:
        """Whether the form is valid and `act`, called with its cleaned data, was not refused.

        Each refusal is kept in `refused` and shown beside the field it blames, or above the form, unless its code is in
        `told_apart`; nothing that was typed is lost.
        """
        if not self.is_valid():
            return False
        try:
            act(self.cleaned_data)
        except Refusals as refusals:
            self.refuse(*refusals.refusals)
        except Refusal as refusal:
            self.refuse(refusal)
        return not self.refused

    def refuse(self, *refusals: Refusal) -> None:
        """Show what an operation refused."""
        self.refused += refusals
        for refusal in refusals:
            if isinstance(refusal, self.told_apart):
                continue
            field = self.blames(refusal)
            if str(refusal) not in self.errors.get(field or NON_FIELD_ERRORS, []):
                self.add_error(field, str(refusal))

    @property
    def faults(self) -> list[str]:
        """Every sentence about what is wrong, for a page that may not show the form any more."""
        return [str(fault) for found in self.errors.values() for fault in found]

    @property
    def codes(self) -> set[str]:
        """Why an operation refused; questions among the refusals can be answered."""
        return {refusal.code for refusal in self.refused}
