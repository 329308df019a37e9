"""Forms about people and entries: the register, entering, correcting, leaving, coming back, photos."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.rulesets.values import Ruleset
from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.core.fees import NO_FEES, FeeTerms, format_fee_kind
from tournament.entries.operations.attendance import AbsenteeDecision, find_earliest_leave, list_games_left
from tournament.entries.operations.entries import EntryDetails
from tournament.entries.operations.numbers import FederationNumber
from tournament.entries.operations.register import MayBeKnown, Person, find_person_problems
from tournament.models import Division, Entry, Pairing, Player, Registration
from tournament.pages.forms import (
    EntryField,
    NumberField,
    OperationForm,
    PhotosField,
    TextField,
    cite_clauses,
    offer_choices,
)

NAME_CLUB_SEPARATOR = " · "  # what stands between name and club where both are one text, as in the known players
NEW_PERSON = "new"  # chosen for somebody who is nobody in the register
MORE_ROUNDS_OFFERED = 20  # how many rounds ahead are offered where there is no plan


def format_known_player(player: Player) -> str:
    """A known player as the list offers them and as `PersonForm` understands them."""
    return f"{player.name}{NAME_CLUB_SEPARATOR}{player.club.name}" if player.club else player.name


class PersonForm(OperationForm):
    """What is known of a person. A club may stand behind the name: `Beispiel, Anna · SC Fulda`."""

    name = TextField(
        limits.PLAYER_NAME,
        label=_("Name"),
        help_text=_("Surname, given name"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    club = TextField(limits.CLUB, label=_("Club"))
    rating = NumberField(limits.RATING, label=_("Rating"), help_text=_("Empty: not rated"))
    games = NumberField(limits.GAMES, label=_("Lifetime games"))
    email = TextField(limits.EMAIL, label=_("E-mail"), widget=forms.EmailInput(attrs={"autocomplete": "off"}))
    phone = TextField(limits.PHONE, label=_("Phone"), widget=forms.TelInput(attrs={"autocomplete": "off"}))

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or {}
        name, between, club = fields.get("name", "").partition(NAME_CLUB_SEPARATOR)
        # A club in its own field counts, not the one that a choice from the list has brought along behind the name.
        if between and not fields.get("club"):
            fields |= {"name": name, "club": club}
        return fields

    def problems(self) -> list[Refusal]:
        return find_person_problems(read_person(self.cleaned_data).tidied())

    @property
    def alike(self) -> tuple[Player, ...]:
        """The players of the register of whom the page asks whether they are this person."""
        return next((refusal.players for refusal in self.refused if isinstance(refusal, MayBeKnown)), ())


class NumberForm(OperationForm):
    """The number of a player in a federation's system."""

    system = TextField(
        limits.NUMBER_SYSTEM, label=_("Federation"), widget=forms.TextInput(attrs={"list": "number-systems"})
    )
    number = TextField(limits.PLAYER_NUMBER, label=_("Number"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    provisional = forms.BooleanField(
        label=_("Provisional"), required=False, help_text=_("Until the federation has given the true one")
    )

    @property
    def stated(self) -> FederationNumber:
        """The number that a valid form states."""
        fields = self.cleaned_data
        return FederationNumber(fields["system"], fields["number"], fields["provisional"])


class PlayerForm(PersonForm):
    """A player of the register. `anyway` says that whoever has this name, or one like it, is somebody else."""

    anyway = forms.BooleanField(required=False, widget=forms.HiddenInput)


def get_player_form_values(player: Player) -> dict[str, Any]:
    """What the register holds, as `PlayerForm` shows it."""
    club = player.club.name if player.club else ""
    return {"club": club, **{field: getattr(player, field) for field in ("name", "rating", "games", "email", "phone")}}


def read_person(typed: dict[str, Any]) -> Person:
    """The person whom a form states; what could not be read is not stated."""
    figures: dict[str, Any] = {name: typed.get(name) for name in ("rating", "games")}
    texts: dict[str, Any] = {name: typed.get(name, "") for name in ("name", "club", "email", "phone")}
    return Person(**texts, **figures)


class EntryDetailsForm(PersonForm):
    """A person and what belongs to the entry. `anyway` as in `PlayerForm`."""

    anyway = forms.BooleanField(required=False, widget=forms.HiddenInput)
    guest = forms.BooleanField(label=_("Guest"), required=False)
    fee_kind = forms.ChoiceField(label=_("Kind of fee"), required=False)
    fee_paid = forms.BooleanField(label=_("Fee paid"), required=False)
    fixed_table = NumberField(limits.TABLE, label=_("Fixed table"), help_text=_("For somebody who needs a fixed place"))
    exception = TextField(
        limits.EXCEPTION,
        label=_("Approved exception"),
        help_text=_("Shown to all before the start, for example: 35 minutes, large tiles"),
    )

    def __init__(self, *args: Any, rules: Ruleset, fees: FeeTerms = NO_FEES, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cite_clauses(self, {"exception": rules.clauses.exceptions})
        # With one kind there is nothing to choose: without the field everybody has the usual one.
        if len(fees.kinds) > 1:
            offer_choices(self, "fee_kind", list_fee_choices(fees))
        else:
            del self.fields["fee_kind"]


def list_kind_choices(fees: FeeTerms) -> list[tuple[str, str]]:
    """The kinds of fees with their amounts, each by its key."""
    return [(kind.key, format_fee_kind(kind, fees.currency)) for kind in fees.kinds]


def list_fee_choices(fees: FeeTerms) -> list[tuple[str, str]]:
    """The kinds of fees with their amounts; the usual one stands first, without a key."""
    named = list_kind_choices(fees)
    return [("", named[0][1]), *named[1:]]


class NewEntryForm(EntryDetailsForm):
    """Entering somebody, in the first row of the list; `meant` says (by key) which player of the register it is. Once
    players have been checked in, whoever is entered is there unless it is said otherwise."""

    present = forms.BooleanField(label=_("Is here"), required=False, initial=True)
    first_round = forms.TypedChoiceField(label=_("Plays from"), coerce=int, required=False, empty_value=None)
    missed_are_losses = forms.BooleanField(label=_("The rounds before count as losses by absence"), required=False)
    meant = forms.ModelChoiceField(Player.objects.none(), required=False, widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, organiser_id: int, next_round: int, planned: int, has_check_in: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        offer_choices(self, "first_round", list_round_choices(next_round, planned))
        # Of this organiser alone: the key comes from a hidden field, in which anything may be written.
        offer_choices(self, "meant", Player.objects.current().filter(organiser=organiser_id))
        cite_clauses(self, {"missed_are_losses": kwargs["rules"].awards.clause})
        if not has_check_in:
            del self.fields["present"]
        self.fields["name"].widget.attrs |= {"list": "known-players", "autofocus": True}
        for name, hint in (("name", _("Surname, given name")), ("club", _("Club")), ("rating", _("Rating"))):
            field = self.fields[name]  # the list's own headings stand above
            field.help_text = ""
            field.widget.attrs |= {"aria-label": field.label, "placeholder": hint}
        for field in self.fields.values():
            field.widget.attrs["form"] = "enter"  # the row's cells cannot lie inside it

    @property
    def has_more(self) -> bool:
        """Whether something was typed or refused in the part of the form that is folded away."""
        folded = ["games", "email", "phone", "fixed_table", "missed_are_losses", "exception"]
        folded += ["guest", "fee_kind", "fee_paid"]
        # The first round is always chosen, which says nothing: only a fault in it unfolds the rest.
        return "first_round" in self.errors or any(self.data.get(name) or name in self.errors for name in folded)


def list_round_choices(first: int, planned: int) -> list[tuple[int, str]]:
    """The rounds from `first` to the last one planned, to choose from."""
    # Beyond the plan as well: whoever comes after its last round has to be entered for some round all the same.
    last = planned if planned >= first else first + MORE_ROUNDS_OFFERED
    return [(number, str(_("Round %(number)s") % {"number": number})) for number in range(first, last + 1)]


def get_entry_form_values(entry: Entry) -> dict[str, Any]:
    """What an entry holds, as `EntryDetailsForm` shows it."""
    person = {name: getattr(entry.player, name) for name in ("name", "email", "phone")}
    person["club"] = entry.club.name if entry.club else ""
    own = ("rating", "games", "guest", "fee_kind", "fixed_table", "exception")
    fees = FeeTerms.of(entry.tournament)
    return person | {field: getattr(entry, field) for field in own} | {"fee_paid": fees.weigh(entry).is_settled}


def read_entry_details(typed: dict[str, Any]) -> EntryDetails:
    """The entry's details that a valid form states."""
    own = ("guest", "fee_paid", "fixed_table", "exception")
    return EntryDetails(fee_kind=typed.get("fee_kind", ""), **{name: typed[name] for name in own})


class WithdrawEntryForm(OperationForm):
    """After which round somebody leaves; and of the games of a league that they had still to play, which count for the
    opponents."""

    after = forms.TypedChoiceField(label=_("Leaves after"), coerce=int)
    awarded = forms.TypedMultipleChoiceField(
        label=_("Games that are awarded"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": _("One of these games has a result by now. This is the list as it is.")},
    )
    disqualified = forms.BooleanField(label=_("Disqualified from the whole event"), required=False)

    def __init__(self, *args: Any, entry: Entry, last: int, planned: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = list_games_left(entry)
        # In a league all rounds are published: by leaving after the last of them, somebody left the games that they had
        # still to play open for good. So earlier rounds are offered, too.
        before = [(0, str(_("before the first round")))] if games or not last else []
        first = 1 if games else max(last, 1)
        offer_choices(self, "after", [*before, *list_round_choices(first, max(planned, last))])
        self.fields["after"].initial = find_earliest_leave(entry, games) if games else last
        if games:
            offer_choices(self, "awarded", [(game.pk, describe_awarded_game(game, entry)) for game in games])
            self.fields["awarded"].initial = [game.pk for game in games]
        else:
            del self.fields["awarded"]


def describe_awarded_game(pairing: Pairing, entry: Entry) -> str:
    """What becomes of a game, or a bye, of a player who leaves."""
    words: dict[str, object] = {"number": pairing.round.number}
    if pairing.second is None:
        return gettext("Round %(number)s: the bye counts as a round missed") % words
    opponent = pairing.second if pairing.first.pk == entry.pk else pairing.first
    words["name"] = opponent.name
    if opponent.is_withdrawn:
        return gettext("Round %(number)s against %(name)s, who has left, too: both lose") % words
    return gettext("Round %(number)s: the game counts for %(name)s") % words


class BringBackForm(OperationForm):
    """How the missed rounds of somebody who comes back count."""

    missed_are_losses = forms.BooleanField(label=_("The rounds missed count as losses by absence"), required=False)

    def __init__(self, *args: Any, rules: Ruleset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cite_clauses(self, {"missed_are_losses": rules.awards.clause})


class AbsenceForm(OperationForm):
    """Which round somebody misses, and how it counts."""

    number = forms.TypedChoiceField(label=_("Misses"), coerce=int)
    counts_as_loss = forms.BooleanField(label=_("Counts as a loss by absence"), required=False, initial=True)

    def __init__(self, *args: Any, next_round: int, planned: int, rules: Ruleset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer_choices(self, "number", list_round_choices(next_round, planned))
        cite_clauses(self, {"counts_as_loss": rules.awards.clause})


class AbsenteesForm(OperationForm):
    """What becomes of everybody who is not checked in, as the button pressed says."""

    LEAVE_OUT, WITHDRAW = "leave_out", "withdraw"

    what = forms.ChoiceField(label=_("What becomes of them"), choices=[(LEAVE_OUT, ""), (WITHDRAW, "")])
    number = forms.IntegerField()


class DecideAbsenteesForm(OperationForm):
    """What becomes of players who are not checked in, as the buttons say; whoever is left open stays as they are."""

    def __init__(self, *args: Any, missing: Iterable[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Without words: the buttons have them.
        choices = [(decision.value, "") for decision in AbsenteeDecision]
        for entry in missing:
            self.fields[f"absent-{entry.pk}"] = forms.ChoiceField(label=entry.name, required=False, choices=choices)

    @property
    def decided(self) -> dict[int, AbsenteeDecision]:
        """What was chosen, by entry. Only for a valid form."""
        chosen = {name.removeprefix("absent-"): value for name, value in self.cleaned_data.items() if value}
        return {int(pk): AbsenteeDecision(value) for pk, value in chosen.items()}


class MoveForm(OperationForm):
    """Which other division of the tournament an entry or a registration moves to."""

    division = forms.ModelChoiceField(
        label=_("Division"),
        queryset=Division.objects.none(),
        empty_label=_("choose …"),
        error_messages={"invalid_choice": _("This is not another division of the tournament; choose from the list.")},
    )

    def __init__(self, data: Any = None, *, moved: Entry | Registration) -> None:
        super().__init__(data)
        others = Division.objects.filter(tournament=moved.tournament_id).exclude(pk=moved.division_id)
        offer_choices(self, "division", others.order_by("position", "pk"))


class KeepApartForm(OperationForm):
    """Whom somebody is not to meet."""

    other = EntryField(label=_("Is not to meet"), empty_label=_("choose …"))

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Entry.objects.filter(division=entry.division_id).exclude(pk=entry.pk).with_names().by_name()
        offer_choices(self, "other", others)


class PortraitForm(OperationForm):
    """Photos of a division's players: one of whoever is chosen, else of whomever the files are named after."""

    entry = EntryField(label=_("Player"), required=False, empty_label=_("by the files' names"))
    photos = PhotosField(
        label=_("Photos"),
        required=False,
        help_text=_(
            "JPEG, PNG or WebP, each at most 10 MB. Place, time and camera are taken out of them. By the files' names: "
            "“Klara Aumann.jpg”, “aumann-klara.png” or “P01.jpg”."
        ),
    )

    def __init__(self, *sent: Any, division: Division, entry: str = "", **options: Any) -> None:
        super().__init__(*sent, **options)
        self.initial["entry"] = entry
        offer_choices(self, "entry", Entry.objects.filter(division=division).with_names().by_name())

    def problems(self) -> list[Refusal]:
        entry, photos = self.cleaned_data.get("entry"), self.cleaned_data.get("photos") or []
        if entry is None or len(photos) <= 1:
            return []
        message = _(
            "%(name)s has one photo; %(count)s files are chosen. For many players choose nobody, then each is found by "
            "its file’s name."
        )
        return [Refusal("one_photo_only", message, field="photos", name=entry.name, count=len(photos))]
