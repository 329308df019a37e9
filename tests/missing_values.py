"""In the tests a template that names what is not there fails; in the program such a name prints nothing.

A name with a typing error, or a value that a view leaves out, is not seen on a page that prints nothing in its place,
until a filter calculates with it: the draft of a round answered 500 after a late entry, who had no place in the table.
What a part may be shown without, it names itself, by `{% optional … %}`.
"""

import sys
from types import FrameType
from typing import NoReturn

from django.template.base import FilterExpression, Node


class MissingValueError(AssertionError):
    """A template names what is not there."""


def describe_place(frame: FrameType | None) -> str:
    """The template and the line that are being shown where Django called."""
    while frame:
        node = frame.f_locals.get("self")
        if isinstance(node, Node) and node.token is not None:
            return f"{node.origin}:{node.token.lineno}"
        frame = frame.f_back
    return "no template"


class MissingValue(str):
    """The `string_if_invalid` of the tests."""

    __slots__ = ()

    def __contains__(self, part: object) -> bool:
        """Whether Django is to put the name into the text by %, which is how the name can be told."""
        return part == "%s" or (isinstance(part, str) and super().__contains__(part))

    def __mod__(self, name: object) -> NoReturn:
        """Django has found nothing by this name."""
        raise MissingValueError(f"{name} is not there: {describe_place(sys._getframe(1))}")

    def __bool__(self) -> bool:
        """False for `{% if %}`, as nothing is in the program: Django gives it this text for a row that is not there.
        True where it asks whether it has a text to put the name into."""
        return sys._getframe(1).f_code is FilterExpression.resolve.__code__

    def __html__(self) -> NoReturn:
        """A row that is not there, or a function that needs more, would be shown."""
        raise MissingValueError(f"a value is not there: {describe_place(sys._getframe(1))}")
