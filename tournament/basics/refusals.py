"""Refusals: why an operation does nothing, in the reader's language, with the input quoted and a way out."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.basics.limits import QUOTED_TEXT, Range


class Refusal(Exception):
    """An operation was refused; nothing was changed. Each has a `code`, a translated `message` that the figures fill
    and, if one input is to blame, the form `field` to show it beside. What somebody tells apart from others is a
    subclass; for the rest, code, message and field stand where it is raised."""

    code = "refused"
    message: str | Promise = ""
    field: str | None = None

    def __init_subclass__(cls, *, code: str | None = None, field: str | None = None) -> None:
        """Take `code` and `field` from the head of a class."""
        super().__init_subclass__()
        cls.code, cls.field = code or cls.code, field or cls.field

    # By position alone: a figure may be called `code` or `message` as well.
    def __init__(self, code: str = "", message: str | Promise = "", /, **figures: Any) -> None:
        self.code, self.message = code or self.code, message or self.message
        self.field = figures.pop("field", self.field)
        super().__init__(figures)
        self.figures = figures

    def __str__(self) -> str:
        return str(self.message % self.figures)  # a plural is chosen by the figures


class Refusals(Exception):
    """Several refusals at once, so that nobody has to find the faults one by one."""

    def __init__(self, refusals: list[Refusal]) -> None:
        super().__init__(refusals)
        self.refusals = refusals

    def __str__(self) -> str:
        return "\n".join(str(refusal) for refusal in self.refusals)


@contextmanager
def refuse_clash(refusal: Refusal) -> Iterator[None]:
    """Raise the refusal where a row cannot be stored because somebody else has taken what has to be unique."""
    try:
        # In a savepoint: once a statement has failed PostgreSQL takes no other one of the transaction.
        with transaction.atomic():
            yield
    except IntegrityError as clash:
        raise refusal from clash


class TextTooLong(Refusal, code="too_long"):
    message = _("“%(value)s” is too long: at most %(limit)s characters are allowed.")

    def __init__(self, *, field: str, value: str, limit: int) -> None:
        excerpt = value if len(value) <= QUOTED_TEXT else f"{value[:QUOTED_TEXT]}…"
        super().__init__(field=field, value=excerpt, limit=limit)


class NotPrintable(Refusal, code="not_printable"):
    message = _("“%(value)s” contains a character that cannot be shown.")

    def __init__(self, *, field: str, value: str) -> None:
        # The character that cannot be shown is not quoted either: it could turn the line round or hide what follows.
        excerpt = "".join(letter if letter.isprintable() else "�" for letter in value[:QUOTED_TEXT])
        super().__init__(field=field, value=excerpt if len(value) <= QUOTED_TEXT else f"{excerpt}…")


class NumberOutOfRange(Refusal, code="out_of_range"):
    message = _("%(value)s is out of range: whole numbers from %(low)s to %(high)s are allowed.")


def find_range_refusals(field: str, value: int | None, allowed: Range) -> list[Refusal]:
    """The refusal of a number that is given but out of range; none otherwise."""
    if value is None or allowed.holds(value):
        return []
    return [NumberOutOfRange(field=field, value=value, **allowed.ends)]


def find_length_refusals(field: str, text: str, longest: int) -> list[Refusal]:
    """The refusal of a text that is too long; none otherwise."""
    return [TextTooLong(field=field, value=text, limit=longest)] if len(text) > longest else []


def find_text_refusals(field: str, text: str, longest: int) -> list[Refusal]:
    """The refusals of a line of text that is too long or cannot be shown; none otherwise."""
    refusals = find_length_refusals(field, text, longest)
    return refusals if text.isprintable() else [*refusals, NotPrintable(field=field, value=text)]


class EmailNotValid(Refusal, code="email", field="email"):
    message = _("“%(value)s” is not an e-mail address; it should look like name@example.org.")
