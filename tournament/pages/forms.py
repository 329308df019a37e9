"""Form fields that quote bad input; forms that show an operation's refusals beside the field blamed."""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils import formats, timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from scoring import clock
from tournament.basics.limits import MOVES_TYPED, Range
from tournament.basics.names import normalise_text, remove_invisible_marks
from tournament.basics.pictures import SentFile
from tournament.basics.refusals import NotPrintable, Refusal, Refusals, find_length_refusals
from tournament.core.words.figures import MINUS_SIGN, append_clause, format_amount
from tournament.models import Entry


class WholeNumberField(forms.IntegerField):
    """A whole number; the operation checks its range. A text field, so that bad input is sent and can be quoted."""

    widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})

    def to_python(self, value: Any) -> int | None:
        try:
            return super().to_python(value)
        except ValidationError as error:
            raise ValidationError(
                gettext_lazy("“%(value)s” is not a whole number."), code="invalid", params={"value": value}
            ) from error


class EntryField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic in its stubs only
    """An entry chosen by the player's name; offer entries `with_names`."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid_choice": gettext_lazy("The chosen player is no longer available here; choose from the list.")
    }

    def __init__(self, **options: Any) -> None:
        # Nobody, until the page offers somebody: a form that forgets to refuses every choice, and does not take
        # anybody's key.
        super().__init__(queryset=Entry.objects.none(), **options)

    def label_from_instance(self, obj: Any) -> str:
        return str(obj.name)


def cite_clauses(form: forms.BaseForm, clauses: Mapping[str, str]) -> None:
    """Put the rules' clauses behind the labels of these fields."""
    for name, clause in clauses.items():
        field = form.fields[name]
        field.label = append_clause(field.label, clause)


def offer_choices(form: forms.BaseForm, name: str, choices: Iterable[tuple[Any, Any]] | QuerySet[Any]) -> None:
    """Let a field offer these choices, or the rows of a query."""
    field = form.fields[name]
    if isinstance(choices, QuerySet):
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = choices
    else:
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices


T = TypeVar("T")


class Done(NamedTuple, Generic[T]):
    """The result of an operation that was not refused; true even if the result is not."""

    result: T


class OperationForm(forms.Form):
    """A form for the input of one operation. It checks the shape; the operation checks the rest."""

    blamed: ClassVar[Mapping[str, str]] = {}  # the form's own name for a field that refusals blame by another

    told_apart: ClassVar[tuple[type[Refusal], ...]] = ()
    """Refusals that the page shows in a place of its own (a question, what somebody else did meanwhile)."""

    refused: tuple[Refusal, ...] = ()

    def full_clean(self) -> None:
        """Check every field, then what holds between fields, and report all faults at once."""
        super().full_clean()
        if self.is_bound:
            # A field that could not be read counts as empty: “a name is needed” beside “this name is too long” would be
            # one fault told twice.
            at_fault = set(self.errors)
            self.refuse(*(problem for problem in self.problems() if self.blames(problem) not in at_fault))

    def problems(self) -> Iterable[Refusal]:
        """The refusals of the typed input that can be foreseen; a faulty field counts as left empty."""
        return ()

    def blames(self, refusal: Refusal) -> str | None:
        """The form's field that a refusal blames."""
        blamed = self.blamed.get(refusal.field or "", refusal.field)
        return blamed if blamed in self.fields else None

    def done(self, act: Callable[[dict[str, Any]], T]) -> Done[T] | None:
        """Call `act` with the cleaned data and return its result; None if the form is invalid or `act` was refused.
        Refusals are kept in `refused` and shown beside the field they blame, or above the form."""
        if not self.is_valid():
            return None
        try:
            return Done(act(self.cleaned_data))
        except Refusals as refusals:
            self.refuse(*refusals.refusals)
        except Refusal as refusal:
            self.refuse(refusal)
        return None

    def refuse(self, *refusals: Refusal) -> None:
        """Show what an operation refused."""
        self.refused += refusals
        for refusal in refusals:
            # Asked in a place of its own: above the form as well, the page would say it twice.
            if isinstance(refusal, self.told_apart):
                continue
            field = self.blames(refusal)
            # The form may have foreseen what the operation refuses, in the same words.
            if str(refusal) not in self.errors.get(field or NON_FIELD_ERRORS, []):
                self.add_error(field, str(refusal))

    @property
    def faults(self) -> list[str]:
        """All error messages, for a page that may not show the form any more."""
        return [str(fault) for faults_of_field in self.errors.values() for fault in faults_of_field]

    @property
    def codes(self) -> set[str]:
        """The codes of the refusals, among which may be questions."""
        return {refusal.code for refusal in self.refused}


WHOLE_NUMBER_PATTERN = re.compile(r"[+-]?[0-9]{1,18}")  # int() would also take other scripts' digits, and underscores

ISO_DATE = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})")
DOTTED_DATE = re.compile(r"(?P<day>[0-9]{1,2})\. ?(?P<month>[0-9]{1,2})(?:\.(?: ?(?P<year>(?:[0-9]{2})?[0-9]{2}))?)?")
SLASHED_DATE = re.compile(r"(?P<day>[0-9]{1,2})/(?P<month>[0-9]{1,2})(?:/(?P<year>(?:[0-9]{2})?[0-9]{2}))?")
HYPHENED_DATE = re.compile(r"(?P<day>[0-9]{1,2})-(?P<month>[0-9]{1,2})(?:-(?P<year>(?:[0-9]{2})?[0-9]{2}))?")
DATES_BY_LANGUAGE = {"en": (SLASHED_DATE,), "nl": (HYPHENED_DATE, SLASHED_DATE)}
"""Read only on pages in these languages, which write dates so; elsewhere the day could be the month."""

CALENDAR_LABEL = gettext_lazy("Calendar")  # of the button that `static/dates.js` puts beside a day

MAX_KEY_LENGTH = 18  # digits of a primary key

MAX_QUOTED = 20  # characters of faulty input


def quote_input(text: str) -> str:
    """The typed text, cut short if it is long."""
    return text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}…"


def parse_whole_number(text: str) -> int | None:
    """A typed whole number, with blanks around it and any minus sign; None for anything else."""
    digits = text.strip().replace(MINUS_SIGN, "-")
    return int(digits) if WHOLE_NUMBER_PATTERN.fullmatch(digits) else None


def parse_day(text: str) -> date | None:
    """A date typed as 2026-10-03, 3.10.2026, 3.10.26 or 3.10. (the nearest one), or as in `DATES_BY_LANGUAGE`; None for
    anything else."""
    forms_read = (ISO_DATE, DOTTED_DATE, *DATES_BY_LANGUAGE.get(get_language() or "", ()))
    written = next((match for form in forms_read if (match := form.fullmatch(text))), None)
    if written is None:
        return None
    # Without a year the nearest such day: typed in December for January it is the next one, in January for December the
    # last.
    today, day_text = timezone.localdate(), written["year"]
    days: list[date] = []
    years = (
        # Some years either way: of 29.2. there is none in most.
        range(today.year - 4, today.year + 5)
        if day_text is None
        else [int(day_text) + (0 if len(day_text) > 2 else 2000)]
    )
    for year in years:
        with suppress(ValueError):  # no such day, in this year at least
            days.append(date(year, int(written["month"]), int(written["day"])))
    return min(days, key=lambda day: abs(day - today), default=None)


def format_plain_number(value: int) -> str:
    """A whole number without grouping, as people type it."""
    return str(value).replace("-", MINUS_SIGN)


def parse_key(text: str) -> int | None:
    """A primary key posted by one of our pages; None for anything else."""
    # ASCII alone: `isdigit` is also true of ², of which int() makes an error, and a key longer than its column is one
    # in the database.
    return int(text) if len(text) <= MAX_KEY_LENGTH and text.isascii() and text.isdigit() else None


class TypedField(forms.Field):
    """A narrow text field; None if left empty. Subclasses read what was typed."""

    inputmode = "numeric"
    size = 6
    look = "score"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"required": False, **kwargs})

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {"inputmode": self.inputmode, "size": self.size, "class": self.look}

    def to_python(self, value: object) -> Any:
        text = str(value or "").strip()
        return self.read(text) if text else None

    def read(self, text: str) -> Any:
        """The value of a text that is not empty. Raises ValidationError."""
        raise NotImplementedError


class RangeField(TypedField):
    """A narrow text field for numbers in a range."""

    def __init__(self, allowed: Range, **kwargs: Any) -> None:
        self.allowed = allowed
        super().__init__(**kwargs)


class FigureField(RangeField):
    """A whole number in a range."""

    def read(self, text: str) -> int:
        value = parse_whole_number(text)
        if value is None or not self.allowed.holds(value):
            words = {
                "text": quote_input(text),
                "low": format_plain_number(self.allowed.low),
                "high": format_plain_number(self.allowed.high),
            }
            raise ValidationError(
                _("“%(text)s” is not valid: enter a whole number from %(low)s to %(high)s.") % words, "figure"
            )
        return value


class NumberField(FigureField):
    """A whole number in a range, in a field as wide as any other."""

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {"inputmode": self.inputmode, "autocomplete": "off"}


class NumberSteps(forms.RadioSelect):
    """The usual numbers as segments, the first where nothing is chosen, and any other typed beside them under the same
    name (components/segments.html)."""

    def __init__(self, steps: Iterable[int]) -> None:
        self.steps = [str(step) for step in steps]
        super().__init__(choices=[*((step, step) for step in self.steps), ("", gettext_lazy("other"))])

    def format_value(self, value: Any) -> list[str]:
        return [self.steps[0] if value is None else str(value)]

    def optgroups(self, name: str, value: list[str], attrs: dict[str, Any] | None = None) -> list[Any]:
        return super().optgroups(name, value if value[0] in self.steps else [""], attrs)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str | None:
        """The chosen step; what was typed where “other” is chosen, or where no step was sent."""
        # Two inputs of one name: the segment that is chosen comes first, what is typed beside it last.
        texts = data.getlist(name) if isinstance(data, QueryDict) else [data[name]] if name in data else []
        return next(filter(None, [texts[0], texts[-1]]), "") if texts else None


AMOUNT_PATTERN = re.compile(r"(?P<whole>[0-9]{1,6})(?:[.,](?P<part>[0-9]{1,2}))?")


class MoneyField(RangeField):
    """An amount, typed as 15, 15,5 or 15.50; the value is in cents."""

    inputmode = "decimal"

    def prepare_value(self, value: object) -> object:
        return format_amount(value) if isinstance(value, int) else value

    def read(self, text: str) -> int:
        match = AMOUNT_PATTERN.fullmatch(text)
        # Filled up on the right: 15,5 is 15.50 and not 15.05.
        cents = int(match["whole"]) * 100 + int((match["part"] or "0").ljust(2, "0")) if match else None
        if cents is None or not self.allowed.holds(cents):
            words = {
                "text": quote_input(text),
                "example": format_amount(1550),
                "high": format_amount(self.allowed.high),
            }
            raise ValidationError(
                _("“%(text)s” is not an amount: write it like %(example)s, at most %(high)s.") % words, "amount"
            )
        return cents


class TextField(forms.CharField):
    """A text of at most `longest` characters, not counting stray blanks and invisible marks; nothing is cut off."""

    def __init__(self, longest: int, **kwargs: Any) -> None:
        super().__init__(**{"required": False, **kwargs})
        self.longest = longest
        # The operations' own sentence about unprintable text says more than Django's.
        self.validators = []

    def validate(self, value: Any) -> None:
        super().validate(value)
        lines = [normalise_text(remove_invisible_marks(line)) for line in re.split(r"\r\n|[\r\n\t]", value)]
        if not all(line.isprintable() for line in lines):
            raise ValidationError(str(NotPrintable(field="", value=value)), "not_printable")
        # A browser sends two characters for each line break: counted like that, a text that fits its column would be
        # refused.
        if faults := find_length_refusals("", "\n".join(lines), self.longest):
            raise ValidationError([str(fault) for fault in faults], "too_long")


TABLE_RANGE_PATTERN = re.compile(r"([0-9]{1,4})(?:\s*[-–]\s*([0-9]{1,4}))?")


class TablesField(forms.Field):
    """Tables typed as `1-8, 12`, read as pairs of a first and a last table."""

    widget = forms.TextInput(attrs={"autocomplete": "off"})

    def to_python(self, value: Any) -> list[tuple[int, int]]:
        pairs = []
        for part in filter(None, (part.strip() for part in re.split(r"[,;]", value or ""))):
            read = TABLE_RANGE_PATTERN.fullmatch(part)
            if read is None:
                message = _("“%(part)s” is not a list of tables. Write numbers and ranges, as in 1-8, 12.")
                raise ValidationError(message, params={"part": quote_input(part)})
            pairs.append((int(read[1]), int(read[2] or read[1])))
        return pairs


class TimeField(RangeField):
    """A time in seconds, typed as minutes and seconds (`1:12`) or as whole minutes (`2`)."""

    inputmode = "text"

    def prepare_value(self, value: object) -> object:
        return clock.format_time(value) if isinstance(value, int) else value

    def read(self, text: str) -> int:
        try:
            seconds = clock.parse_time(f"{text}:00" if text.isascii() and text.isdigit() else text)
        except clock.BadTime:
            seconds = None
        if seconds is None or not self.allowed.holds(seconds):
            words = {"text": quote_input(text), "longest": clock.format_time(self.allowed.high)}
            raise ValidationError(
                _("“%(text)s” is not a time: enter minutes and seconds such as 1:12, at most %(longest)s.") % words,
                "time",
            )
        return seconds


class MovesField(RangeField):
    """The best single plays, typed one after the other; the value is sorted from the best down."""

    inputmode = "text"
    size = 16
    look = ""

    def prepare_value(self, value: object) -> object:
        return " ".join(str(move) for move in value) if isinstance(value, tuple) else value

    def to_python(self, value: object) -> tuple[int, ...]:
        return super().to_python(value) or ()

    def read(self, text: str) -> tuple[int, ...]:
        numbers = [parse_whole_number(part) for part in re.split(r"[\s,;/]+", text) if part]
        moves = [move for move in numbers if move is not None and self.allowed.holds(move)]
        if len(moves) != len(numbers) or len(moves) > MOVES_TYPED:
            low, high = self.allowed.low, self.allowed.high
            words = {"text": quote_input(text), "low": low, "high": high, "most": MOVES_TYPED}
            raise ValidationError(
                _(
                    "“%(text)s” is not valid: enter at most %(most)s plays of %(low)s to %(high)s points, such as "
                    "92 78 70."
                )
                % words,
                "moves",
            )
        return tuple(sorted(moves, reverse=True))


class DateField(TypedField):
    """A date as the page's language writes it: 03.10.2026, 03/10/2026 or 03-10-2026; reads as `parse_day` does. A text
    field, since browsers' own date fields speak the browser's language."""

    inputmode = "text"
    size = 10
    look = ""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"help_text": gettext_lazy("Day/month/year, such as 22/11/2026"), **kwargs})

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "autocomplete": "off", "data-date": CALENDAR_LABEL}

    def prepare_value(self, value: object) -> object:
        return formats.localize_input(value) if isinstance(value, date) else value

    def read(self, text: str) -> date:
        day = parse_day(text)
        if day is None:
            raise ValidationError(
                _("“%(text)s” is not a date: write 22/11/2026 or 2026-11-22.") % {"text": quote_input(text)}, "date"
            )
        return day


if TYPE_CHECKING:
    Sent = UploadedFile[Any]  # generic for the checker only
else:
    Sent = UploadedFile


class FilesInput(forms.ClearableFileInput):
    """A field to choose several files."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files at once."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Sent]:
        # An empty list as None, of which the field itself says that something is needed.
        files = data if isinstance(data, list | tuple) and data else [data or None]
        return [super(FilesField, self).clean(file, initial) for file in files]


class PhotosField(forms.FileField):
    """Several files or none. They are read by the operation, which says what they are."""

    widget = FilesInput(attrs={"accept": "image/jpeg,image/png,image/webp"})

    def clean(self, data: Any, initial: Any = None) -> list[SentFile]:
        listed = data if isinstance(data, list | tuple) else [data]
        return [SentFile(file.name or "", file.file) for file in listed if isinstance(file, UploadedFile) and file.file]
