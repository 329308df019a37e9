"""Forms about entries: entering, correcting, leaving, coming back."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.rulesets import Ruleset
from tournament import limits, names
from tournament.forms.base import EntryField, OperationForm, cite, offer
from tournament.forms.fields import NumberField, TextField
from tournament.forms.players import PersonForm
from tournament.models import Division, Entry
from tournament.operations.attendance import Absent
from tournament.operations.entries import Details, Late
from tournament.words import namesakes

MORE_ROUNDS = 20
"""How many rounds ahead are offered where there is no plan."""


class DetailsForm(PersonForm):
    """A person and what belongs to the entry."""

    guest = forms.BooleanField(label=_("Guest"), required=False)
    fee_paid = forms.BooleanField(label=_("Fee paid"), required=False)
    fixed_table = NumberField(
        limits.TABLE, label=_("Fixed table"), help_text=_("For somebody who has to keep their place")
    )
    exception = TextField(
        limits.EXCEPTION,
        label=_("Approved exception"),
        help_text=_("Shown to all before the start, for example: 35 minutes, large tiles"),
    )

    def __init__(self, *args: Any, rules: Ruleset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cite(self, {"exception": rules.clauses.exceptions})


class EnterForm(DetailsForm):
    """Entering somebody. `anyway` says that the same name and club is somebody else."""

    first_round = forms.TypedChoiceField(label=_("Plays from"), coerce=int, required=False, empty_value=None)
    missed_are_losses = forms.BooleanField(label=_("The rounds before count as losses by absence"), required=False)
    anyway = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, next_round: int, planned: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "first_round", round_choices(next_round, planned))
        cite(self, {"missed_are_losses": kwargs["rules"].awards.clause})
        self.fields["name"].widget.attrs |= {"list": "known-players", "autofocus": True}

    @property
    def has_more(self) -> bool:
        """Whether something was typed or refused in the part of the form that is folded away."""
        folded = ("games", "email", "fixed_table", "missed_are_losses", "exception", "guest", "fee_paid")
        return "first_round" in self.errors or any(self.data.get(name) or name in self.errors for name in folded)


def round_choices(first: int, planned: int) -> list[tuple[int, str]]:
    """The rounds from `first` to the last one planned, to choose from."""
    last = planned if planned >= first else first + MORE_ROUNDS
    return [(number, str(_("Round %(number)s") % {"number": number})) for number in range(first, last + 1)]


def of(entry: Entry) -> dict[str, Any]:
    """What an entry holds, as `DetailsForm` shows it."""
    return {
        "name": entry.player.name,
        "club": entry.club.name if entry.club else "",
        "rating": entry.rating,
        "games": entry.games,
        "email": entry.player.email,
        "guest": entry.guest,
        "fee_paid": entry.fee_paid,
        "fixed_table": entry.fixed_table,
        "exception": entry.exception,
    }


def details(typed: dict[str, Any]) -> Details:
    """The entry's details that a valid form states."""
    return Details(**{name: typed[name] for name in ("guest", "fee_paid", "fixed_table", "exception")})


def late(typed: dict[str, Any]) -> Late:
    """From which round a late entry plays, as a valid form states it."""
    return Late(first_round=typed["first_round"], missed_are_losses=typed["missed_are_losses"])


class WithdrawEntryForm(OperationForm):
    """After which round somebody leaves."""

    after = forms.TypedChoiceField(label=_("Leaves after"), coerce=int)

    def __init__(self, *args: Any, last: int, planned: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        before = [(0, str(_("before the first round")))] if not last else []
        rounds = round_choices(max(last, 1), max(planned, last))
        offer(self, "after", [*before, *rounds])
        self.fields["after"].initial = last


class BackForm(OperationForm):
    """How the missed rounds of somebody who comes back count."""

    missed_are_losses = forms.BooleanField(label=_("The rounds missed count as losses by absence"), required=False)

    def __init__(self, *args: Any, rules: Ruleset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cite(self, {"missed_are_losses": rules.awards.clause})


class AbsenceForm(OperationForm):
    """Which round somebody misses, and how it counts."""

    number = forms.TypedChoiceField(label=_("Misses"), coerce=int)
    counts_as_loss = forms.BooleanField(label=_("Counts as a loss by absence"), required=False, initial=True)

    def __init__(self, *args: Any, next_round: int, planned: int, rules: Ruleset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "number", round_choices(next_round, planned))
        cite(self, {"counts_as_loss": rules.awards.clause})


class AbsenteesForm(OperationForm):
    """What becomes of everybody who is not checked in."""

    LEAVE_OUT, WITHDRAW = "leave_out", "withdraw"

    what = forms.ChoiceField(label=_("What becomes of them"), widget=forms.RadioSelect)
    number = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, next_round: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        missed = _("misses round %(number)s and loses it by absence") % {"number": next_round}
        offer(self, "what", [(self.LEAVE_OUT, missed), (self.WITHDRAW, _("is withdrawn"))])
        self.fields["what"].initial = self.LEAVE_OUT
        self.fields["number"].initial = next_round


class DecideForm(OperationForm):
    """What becomes of each player who is not checked in; one who is left open stays as they are."""

    def __init__(self, *args: Any, missing: Iterable[Entry], next_round: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        out = _("misses round %(number)s and loses it by absence") % {"number": next_round}
        choices = [
            ("", _("– not decided –")),
            (Absent.EXPECTED.value, _("is still expected")),
            (Absent.OUT.value, out),
            (Absent.WITHDRAWN.value, _("is withdrawn")),
        ]
        self.number = next_round
        listed = sorted(missing, key=lambda entry: names.fold(entry.name))
        called = namesakes.called(listed)
        for entry in listed:
            field = forms.ChoiceField(label=called[entry.pk], required=False)
            self.fields[f"absent-{entry.pk}"] = field
            field.initial = Absent.EXPECTED.value if entry.expected else ""
            offer(self, f"absent-{entry.pk}", choices)

    @property
    def decided(self) -> dict[int, Absent]:
        """What was chosen, by entry. Only for a valid form."""
        chosen = {name.removeprefix("absent-"): value for name, value in self.cleaned_data.items() if value}
        return {int(pk): Absent(value) for pk, value in chosen.items()}


class MoveForm(OperationForm):
    """Which division somebody moves to."""

    division = forms.ModelChoiceField(
        label=_("Division"),
        queryset=Division.objects.none(),
        empty_label=_("choose …"),
        error_messages={"invalid_choice": _("This is no other division of the tournament; choose from the list.")},
    )

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Division.objects.filter(tournament=entry.tournament_id).exclude(pk=entry.division_id)
        offer(self, "division", others.order_by("position", "pk"))


class ApartForm(OperationForm):
    """Whom somebody is not to meet."""

    other = EntryField(label=_("Is not to meet"), empty_label=_("choose …"))

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Entry.objects.filter(division=entry.division_id).exclude(pk=entry.pk).with_names().by_name()
        offer(self, "other", others)
