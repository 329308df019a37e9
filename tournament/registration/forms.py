"""Forms of online entry: what the director sets, and what somebody types who wants to play."""

import re
from dataclasses import replace
from datetime import UTC, datetime, time
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils import formats, timezone
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.names import clean_typed_text, normalise_text, remove_invisible_marks
from tournament.basics.refusals import Refusal
from tournament.core.fees import FeeTerms
from tournament.entries.forms import list_kind_choices
from tournament.entries.operations.numbers import FederationNumber
from tournament.entries.operations.register import Person, find_person_problems
from tournament.models import Division, OnlineEntry, Tournament
from tournament.pages.forms import (
    CALENDAR_LABEL,
    DateField,
    NumberField,
    OperationForm,
    TextField,
    TypedField,
    offer_choices,
    parse_day,
    quote_input,
)
from tournament.registration.operations import find_online_entry_problems
from tournament.registration.requests import (
    RegistrationRequest,
    find_registration_problems,
    find_stated_number_problems,
)

# What looks like a year may be an hour: without the look ahead “3.10. 18:00” would be a day of the year 18, and “18
# Uhr” too.
MOMENT_PATTERN = re.compile(
    r"(?P<day>[^\s,]+(?: ?\d{1,2}\.(?: ?\d{2,4}(?![:.\d]| ?Uhr))?)?)"
    r"(?:,? +(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?(?: ?Uhr)?)?"
)


class MomentField(TypedField):
    """A day with a time of day, `3.10.2026 18:00`; a day alone is its beginning or, with `is_end`, its last minute. The
    time is that of the installation's zone. One that is skipped when clocks go forward is refused; of one that comes
    twice when they go back the first is meant."""

    inputmode = "text"
    size = 18
    look = ""

    def __init__(self, *, is_end: bool = False, **kwargs: Any) -> None:
        self.is_end = is_end
        super().__init__(**kwargs)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "autocomplete": "off", "data-date": CALENDAR_LABEL}

    def prepare_value(self, value: object) -> object:
        if not isinstance(value, datetime):
            return value
        # As it was typed, in the zone of the installation: the database has it in UTC, and each saving would move it by
        # an hour or two.
        here = timezone.localtime(value)
        return f"{formats.localize_input(here.date())} {here:%H:%M}"

    def read(self, text: str) -> datetime:
        written = MOMENT_PATTERN.fullmatch(text)
        day = parse_day(written["day"]) if written else None
        at = self._time(written) if written else None
        if day is None or at is None:
            message = _("“%(text)s” is not a day with a time, such as 22/11/2026 18:00.") % {"text": quote_input(text)}
            raise ValidationError(message, "moment")
        moment = datetime.combine(day, at, timezone.get_current_timezone())
        # An hour that is skipped comes back from UTC as another one. Of an hour that comes twice Python means the
        # first, unless it is told otherwise.
        if moment.astimezone(UTC).astimezone(moment.tzinfo).time() != at:
            message = _("“%(text)s” does not exist: clocks go forward in that hour.") % {"text": quote_input(text)}
            raise ValidationError(message, "no_such_hour")
        return moment

    def _time(self, written: re.Match[str]) -> time | None:
        if written["hour"] is None:
            return time(23, 59) if self.is_end else time(0, 0)
        try:
            return time(int(written["hour"]), int(written["minute"] or 0))
        except ValueError:
            return None


MOMENT_HELP = _("Day and time, such as 22/11/2026 18:00")


class OnlineEntryForm(OperationForm):
    """Whether, when and how a tournament takes registrations."""

    is_on = forms.BooleanField(label=_("Take registrations"), required=False)
    opens_at = MomentField(label=_("Opens"), help_text=_("Empty: at once"))
    closes_at = MomentField(is_end=True, label=_("Closes"), help_text=MOMENT_HELP)
    places = NumberField(
        limits.PLACES, label=_("Places"), help_text=_("In all divisions together; every entry counts. Empty: no limit")
    )
    minimum = NumberField(
        limits.PLACES, label=_("Minimum number of players"), help_text=_("Below it you may call the tournament off.")
    )
    minimum_day = DateField(
        label=_("Decided on"), help_text=_("On that day the overview asks you; the announcement names both.")
    )
    by_director = forms.BooleanField(label=_("I confirm each registration myself"), required=False)
    fee = TextField(
        limits.FEE,
        label=_("Fee"),
        help_text=_("How much, and how to pay; shown on the page and in the e-mail. Empty: none"),
    )
    note = TextField(
        limits.ENTRY_NOTE,
        label=_("Note for those who register"),
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Shown on the page and in the e-mail that confirms the place."),
    )
    asks_rating = forms.BooleanField(label=_("Ask for the rating"), required=False)
    number_system = TextField(
        limits.NUMBER_SYSTEM,
        label=_("Ask for the membership number of"),
        help_text=_("The federation as the register has it, such as SDeV. Empty: none is asked for."),
    )
    number_required = forms.BooleanField(label=_("Nobody registers without that number"), required=False)
    is_listed = forms.BooleanField(label=_("List everybody who has registered and agrees to be listed"), required=False)

    def problems(self) -> list[Refusal]:
        return find_online_entry_problems(self.terms())

    def terms(self) -> OnlineEntry:
        """What was typed, not stored; what could not be read counts as left empty."""
        typed_terms = OnlineEntry(**self.cleaned_data)
        typed_terms.fee, typed_terms.note = normalise_text(typed_terms.fee), typed_terms.note.strip()
        # In its usual spelling, since everybody who registers reads it beside the field.
        typed_terms.number_system = FederationNumber(typed_terms.number_system, "").tidied().system
        return typed_terms


class RegisterForm(OperationForm):
    """What somebody types who wants to play. `website` is a trap: nobody sees it, so whoever fills it is a machine."""

    # The form has no field “name”: what is wrong with the whole name stands at the surname.
    blamed: ClassVar[dict[str, str]] = {"name": "surname"}

    surname = TextField(
        limits.PLAYER_NAME, label=_("Surname"), widget=forms.TextInput(attrs={"autocomplete": "family-name"})
    )
    given_name = TextField(
        limits.PLAYER_NAME, label=_("Given name"), widget=forms.TextInput(attrs={"autocomplete": "given-name"})
    )
    club = TextField(limits.CLUB, label=_("Club"), help_text=_("Empty: none"))
    rating = NumberField(limits.RATING, label=_("Rating"), help_text=_("Empty: not rated"))
    number = TextField(limits.PLAYER_NUMBER, label=_("Membership number"))
    division = forms.ModelChoiceField(label=_("Division"), queryset=Division.objects.none(), empty_label=None)
    fee_kind = forms.ChoiceField(label=_("Kind of fee"))
    email = TextField(
        limits.EMAIL,
        label=_("E-mail"),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=_("An e-mail with a link is sent there. Only the director sees the address."),
    )
    phone = TextField(
        limits.PHONE,
        label=_("Phone (optional)"),
        widget=forms.TelInput(attrs={"autocomplete": "tel"}),
        help_text=_("Only for the director, to call you if you are missing."),
    )
    listed = forms.BooleanField(label=_("My name may appear in the public list"), required=False)
    website = forms.CharField(required=False, widget=forms.TextInput(attrs={"autocomplete": "off", "tabindex": "-1"}))

    def __init__(self, *args: Any, online: OnlineEntry, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.online = online
        divisions = Division.objects.filter(tournament=tournament).order_by("position", "pk")
        offer_choices(self, "division", divisions)
        self.one_division = divisions[0] if len(divisions) == 1 else None
        terms = FeeTerms.of(tournament)
        # Nothing is chosen beforehand: whoever overlooks the field would have registered for the first kind.
        offer_choices(self, "fee_kind", [("", _("– please choose –")), *list_kind_choices(terms)])
        asks = {"fee_kind": len(terms.kinds) > 1, "number": bool(online.number_system)}
        self.fields["number"].label = _("Membership number, %(system)s") % {"system": online.number_system}
        self.fields["number"].help_text = "" if online.number_required else _("Empty: none")
        asks |= {"division": self.one_division is None, "rating": online.asks_rating, "listed": online.is_listed}
        for name, is_asked in asks.items():
            if not is_asked:
                del self.fields[name]

    @property
    def shown(self) -> list[forms.BoundField]:
        """The fields that people see."""
        return [field for field in self if field.name != "website"]

    def problems(self) -> list[Refusal]:
        return find_registration_problems(self.person().tidied()) + self.number_problems()

    def number_problems(self) -> list[Refusal]:
        """What is wrong with the membership number."""
        return find_stated_number_problems(self.stated_number(), self.online)

    def stated_number(self) -> str:
        """The membership number, "" for none."""
        return clean_typed_text(self.cleaned_data.get("number") or "")

    def person(self) -> Person:
        """Who it is, with the name as the register has it: surname, given name."""
        fields = self.cleaned_data
        written = [normalise_text(remove_invisible_marks(fields.get(name) or "")) for name in ("surname", "given_name")]
        # A given name alone is no name: it would stand where the surname stands, and nobody would be asked for that.
        name = ", ".join(filter(None, written)) if written[0] else ""
        texts: dict[str, Any] = {field: fields.get(field) or "" for field in ("club", "email", "phone")}
        return Person(name, rating=fields.get("rating"), **texts)

    def wish(self, language: str, client_address: str) -> RegistrationRequest:
        """What they ask for, on a page in this language, from this address."""
        fields = self.cleaned_data
        division = self.one_division or fields["division"]
        more: dict[str, Any] = {"listed": bool(fields.get("listed")), "fee_kind": fields.get("fee_kind", "")}
        more["number"] = self.stated_number()
        return RegistrationRequest(self.person(), division, language=language, client_address=client_address, **more)


MOST_COMPANIONS = 7


class CompanionForm(RegisterForm):
    """Somebody else for whom the same form asks a place: their letters go to the first one's address. A form without a
    name is left out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("email", "phone", "website"):
            del self.fields[name]

    @property
    def is_empty(self) -> bool:
        # By what was sent, before anything is judged: an empty form more on the page is no fault.
        return not any(self.data.get(self.add_prefix(name), "").strip() for name in ("surname", "given_name"))

    def problems(self) -> list[Refusal]:
        return find_person_problems(self.person().tidied()) + self.number_problems()

    def companion_wish(self, first: RegistrationRequest) -> RegistrationRequest:
        """What they ask for, beside the `first`."""
        wish = self.wish(first.language, first.client_address)
        return replace(wish, person=replace(wish.person, email=first.person.email))


class RefuseRegistrationForm(OperationForm):
    """Why a registration is not accepted."""

    why = TextField(limits.WHY, label=_("Reason"), help_text=_("Shown in the e-mail. Empty: the e-mail names none."))
