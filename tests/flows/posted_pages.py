"""A page that answers a post, read as its reader meets it: what stands beside a field, what is still in it."""

from collections.abc import Callable, Iterator
from typing import Any

from django.test.html import parse_html

TYPED = ("text", "search", "email", "tel", "url", "number", "date", "time")
"""The kinds of inputs that are typed into and shown again: a password never is."""


class Page:
    """The page, and on it the form that was posted to `address`, or all of the page where no form leads there."""

    def __init__(self, answer: Any, address: str) -> None:
        self.root = parse_html(answer.content.decode())
        self.everything = list(inside(self.root))
        self.by_id = {found: each for each in self.everything if (found := attribute(each, "id"))}
        forms = [each for each in self.everything if each.name == "form" and attribute(each, "method") == "post"]
        posted = [each for each in forms if (attribute(each, "action") or address).partition("?")[0] == address]
        self.form = max(
            posted, key=lambda each: len({attribute(part, "name") for part in inside(each)}), default=self.root
        )
        self.parts = list(inside(self.form))
        self.groups = [
            (each, {attribute(part, "name") for part in inside(each)}) for each in self.parts if each.name == "fieldset"
        ]

    def controls(self, name: str) -> list[Any]:
        """The form's controls of a name; those outside that say which form they belong to count as well."""
        found = [each for each in self.parts if attribute(each, "name") == name]
        own = attribute(self.form, "id")
        return found or [
            e for e in self.everything if own and attribute(e, "form") == own and attribute(e, "name") == name
        ]

    def beside(self, name: str) -> str:
        """The faults told beside a field: what its controls, or the group around them, are described by."""
        described = [attribute(each, "aria-describedby") for each in (*self.controls(name), *self._around(name))]
        ids = [part for ids in described for part in (ids or "").split() if not part.endswith("helptext")]
        return " ".join(read_element(self.by_id[part]) for part in dict.fromkeys(ids) if part in self.by_id)

    def _around(self, name: str) -> list[Any]:
        return [group for group, names in self.groups if name in names]

    def holds(self, name: str, typed: str) -> bool:
        """Whether what was typed is still in the field; of a choice that is not offered nothing can be kept."""
        return any(_holds(each, typed) for each in self.controls(name))

    @property
    def texts(self) -> list[str]:
        """The fields of the form that are typed into."""
        return self._names(lambda control: control.name == "textarea" or _get_kind(control) == "text")

    @property
    def choices(self) -> list[str]:
        """The fields of the form that offer a choice."""
        return self._names(lambda control: control.name == "select" or _get_kind(control) == "choice")

    @property
    def hidden(self) -> list[str]:
        """What the form sends along unseen, but for its mark against other sites' posts."""
        found = self._names(lambda control: _get_kind(control) == "hidden")
        return [name for name in found if name != "csrfmiddlewaretoken"]

    def _names(self, is_meant: Callable[[Any], bool]) -> list[str]:
        """The names of such controls; those that no longer take anything do not count."""
        found = [each for each in self.parts if is_meant(each) and attribute(each, "disabled") is None]
        return list(dict.fromkeys(name for each in found if (name := attribute(each, "name"))))

    @property
    def alerts(self) -> str:
        """All that is told above the page or a form."""
        marked = [each for each in self.everything if attribute(each, "role") == "alert" or _is_message(each)]
        return " ".join(filter(None, map(read_element, marked)))


def _get_kind(control: Any) -> str:
    """What an input is for: text, a choice, or as it is called."""
    kind = (attribute(control, "type") or "text") if control.name == "input" else ""
    return "choice" if kind in ("radio", "checkbox") else "text" if kind in TYPED else kind


def _is_message(element: Any) -> bool:
    return "messages" in (attribute(element, "class") or "").split()


def _holds(control: Any, typed: str) -> bool:
    if control.name == "textarea":
        return read_element(control) == " ".join(typed.split())
    if control.name == "select":
        offered = {attribute(each, "value"): each for each in inside(control) if each.name == "option"}
        return typed not in offered or attribute(offered[typed], "selected") is not None
    if attribute(control, "role") == "checkbox":  # a button that ticks: no other choice than its own
        return attribute(control, "value") != typed
    if attribute(control, "type") in ("radio", "checkbox"):
        return attribute(control, "value") != typed or attribute(control, "checked") is not None
    return (attribute(control, "value") or "") == typed


def inside(element: Any) -> Iterator[Any]:
    """An element with all within it."""
    yield element
    for child in element.children:
        if not isinstance(child, str):
            yield from inside(child)


def read_element(element: Any) -> str:
    """The text of an element, white space made one blank."""
    parts = (child if isinstance(child, str) else read_element(child) for child in element.children)
    return " ".join(" ".join(parts).split())


def attribute(element: Any, name: str) -> str | None:
    """The value of an attribute, empty for one without a value; None where it is not there."""
    return next((value or "" for known, value in element.attributes if known == name), None)
