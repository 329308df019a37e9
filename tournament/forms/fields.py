"""Fields for what helpers type. Each fault quotes the input and says what is allowed."""

import re
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import formats
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from scoring import clock
from tournament import names
from tournament.limits import MOVES_TYPED, Range
from tournament.operations.players import without_marks
from tournament.refusals import NotPrintable, too_long
from tournament.words import figures

WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
"""Digits as everybody types them: int() would also take other scripts' digits and underscores."""

ISO_DATE = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})")
DOTTED_DATE = re.compile(r"(?P<day>[0-9]{1,2})\. ?(?P<month>[0-9]{1,2})\. ?(?P<year>(?:[0-9]{2})?[0-9]{2})")
SLASHED_DATE = re.compile(r"(?P<day>[0-9]{1,2})/(?P<month>[0-9]{1,2})/(?P<year>(?:[0-9]{2})?[0-9]{2})")
HYPHENED_DATE = re.compile(r"(?P<day>[0-9]{1,2})-(?P<month>[0-9]{1,2})-(?P<year>(?:[0-9]{2})?[0-9]{2})")
DATES_OF = {"en": (SLASHED_DATE,), "nl": (HYPHENED_DATE, SLASHED_DATE)}
"""What is read on the pages of these languages only, which write days so: elsewhere the day could be a month."""

LONGEST_KEY = 18
"""Digits; a longer number is no row's in any database."""

QUOTED = 20
"""So many characters of a faulty input are quoted."""


def quote(text: str) -> str:
    """What was typed, cut short if it is long."""
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"


def whole(text: str) -> int | None:
    """The whole number that somebody typed, blanks around it and a printed minus allowed; None if it is none."""
    typed = text.strip().replace(figures.MINUS, "-")
    return int(typed) if WHOLE.fullmatch(typed) else None


def calendar_day(text: str) -> date | None:
    """The day typed as 2026-10-03, 3.10.2026 or 3.10.26, or as `DATES_OF` the page's language; None if it is none."""
    forms_read = (ISO_DATE, DOTTED_DATE, *DATES_OF.get(get_language() or "", ()))
    written = next((found for form in forms_read if (found := form.fullmatch(text))), None)
    if written is None:
        return None
    year, month, day = (int(written[name]) for name in ("year", "month", "day"))
    try:
        return date(year if len(written["year"]) > 2 else 2000 + year, month, day)
    except ValueError:
        return None


def plain(value: int) -> str:
    """A whole number as people type it, without groups of thousands."""
    return str(value).replace("-", figures.MINUS)


def key(text: str) -> int | None:
    """A row's number as our page posts it back; None for anything that no page of ours wrote."""
    return int(text) if len(text) <= LONGEST_KEY and text.isascii() and text.isdigit() else None


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


class FigureField(TypedField):
    """A whole number in a range."""

    def __init__(self, allowed: Range, **kwargs: Any) -> None:
        self.allowed = allowed
        super().__init__(**kwargs)

    def read(self, text: str) -> int:
        value = whole(text)
        if value is None or not self.allowed.holds(value):
            words = {"text": quote(text), "low": plain(self.allowed.low), "high": plain(self.allowed.high)}
            raise ValidationError(
                _("“%(text)s” is not possible: whole numbers from %(low)s to %(high)s are allowed.") % words, "figure"
            )
        return value


class NumberField(FigureField):
    """A whole number in a range, in a field as wide as any other."""

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {"inputmode": self.inputmode, "autocomplete": "off"}


class TextField(forms.CharField):
    """A text of so many characters, stray blanks and invisible marks aside. The browser cuts nothing off."""

    def __init__(self, longest: int, **kwargs: Any) -> None:
        super().__init__(**{"required": False, **kwargs})
        self.longest = longest
        # Of what cannot be shown, the sentence of the operations says more than Django's.
        self.validators = []

    def validate(self, value: Any) -> None:
        super().validate(value)
        lines = [names.tidy(without_marks(line)) for line in re.split(r"\r\n|[\r\n\t]", value)]
        if not all(line.isprintable() for line in lines):
            raise ValidationError(str(NotPrintable(field="", value=value)), "not_printable")
        if faults := too_long("", "\n".join(lines), self.longest):
            raise ValidationError([str(fault) for fault in faults], "too_long")


class TimeField(TypedField):
    """A time in seconds, typed as minutes and seconds (`1:12`) or as whole minutes (`2`)."""

    inputmode = "text"

    def __init__(self, allowed: Range, **kwargs: Any) -> None:
        self.allowed = allowed
        super().__init__(**kwargs)

    def prepare_value(self, value: object) -> object:
        return clock.format_time(value) if isinstance(value, int) else value

    def read(self, text: str) -> int:
        try:
            seconds = clock.parse_time(f"{text}:00" if text.isascii() and text.isdigit() else text)
        except clock.BadTime:
            seconds = None
        if seconds is None or not self.allowed.holds(seconds):
            words = {"text": quote(text), "longest": clock.format_time(self.allowed.high)}
            raise ValidationError(
                _("“%(text)s” is not a time: minutes and seconds such as 1:12, at most %(longest)s.") % words, "time"
            )
        return seconds


class MovesField(TypedField):
    """The best single plays, typed one after the other; the value is sorted from the best down."""

    inputmode = "text"
    size = 16
    look = ""

    def __init__(self, allowed: Range, **kwargs: Any) -> None:
        self.allowed = allowed
        super().__init__(**kwargs)

    def prepare_value(self, value: object) -> object:
        return " ".join(str(move) for move in value) if isinstance(value, tuple) else value

    def to_python(self, value: object) -> tuple[int, ...]:
        return super().to_python(value) or ()

    def read(self, text: str) -> tuple[int, ...]:
        found = [whole(part) for part in re.split(r"[\s,;/]+", text) if part]
        moves = [move for move in found if move is not None and self.allowed.holds(move)]
        if len(moves) != len(found) or len(moves) > MOVES_TYPED:
            low, high = self.allowed.low, self.allowed.high
            words = {"text": quote(text), "low": low, "high": high, "most": MOVES_TYPED}
            raise ValidationError(
                _("“%(text)s” is not possible: at most %(most)s plays of %(low)s to %(high)s points, such as 92 78 70.")
                % words,
                "moves",
            )
        return tuple(sorted(moves, reverse=True))


class DateField(TypedField):
    """A day, shown as the page's language writes it: 03.10.2026 in German, 03/10/2026 in English, 03-10-2026 in Dutch.

    2026-10-03 and 03.10.2026 are read in each of them. A text field: what a browser offers for dates speaks the
    browser's language.
    """

    inputmode = "text"
    size = 10
    look = ""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"help_text": gettext_lazy("Day/month/year, such as 22/11/2026"), **kwargs})

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "autocomplete": "off"}

    def prepare_value(self, value: object) -> object:
        return formats.localize_input(value) if isinstance(value, date) else value

    def read(self, text: str) -> date:
        found = calendar_day(text)
        if found is None:
            raise ValidationError(
                _("“%(text)s” is not a date: 22/11/2026 and 2026-11-22 are allowed.") % {"text": quote(text)}, "date"
            )
        return found
