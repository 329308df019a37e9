"""What a browser would send from a page: its forms with what stands in them, each button, and where its links lead."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin

Values = dict[str, list[str]]
UNSENT = {"submit", "image", "reset", "button", "file"}
"""Kinds of inputs that send nothing by themselves."""


@dataclass(slots=True)
class Control:
    """A field of a form: `sends` what it would send as it stands, `offers` what may be chosen in it (any text
    where it is empty); the browser asks for one that `is_required`."""

    name: str
    kind: str
    sends: list[str] = field(default_factory=list)
    offers: list[str] = field(default_factory=list)
    is_required: bool = False


@dataclass(slots=True)
class Button:
    """A button, with what it adds and the address to which it sends, where it names one."""

    name: str = ""
    value: str = ""
    to: str = ""


@dataclass(slots=True)
class Form:
    """A form; radio buttons of one name are one control."""

    action: str
    method: str
    key: str = ""
    controls: dict[str, Control] = field(default_factory=dict)
    buttons: list[Button] = field(default_factory=list)

    @property
    def values(self) -> Values:
        """What it would send as it stands, without a button."""
        return {control.name: list(control.sends) for control in self.controls.values() if control.sends}


class PageReader(HTMLParser):
    """Collects the forms and links of a page at an address."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.inside: Form | None = None
        self.choice: Control | None = None
        self.chosen = False
        self.writing: Control | None = None
        self.apart: list[tuple[str, str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        for name in ("href", "src", "hx-get", "data-src"):
            if found.get(name) and not found[name].startswith("#") and tag != "base":
                self.links.append(urljoin(self.address, found[name]).partition("#")[0])
        if "hx-post" in found and "disabled" not in found:
            self._read_hx(found)
        if tag == "form" and found.get("method") == "dialog":  # closes its dialog, and sends nothing
            self.inside = Form("", "dialog")
        elif tag == "form":
            action = urljoin(self.address, found.get("action", "")).partition("#")[0]
            self.inside = Form(action, found.get("method", "get").lower(), found.get("id", ""))
            self.forms.append(self.inside)
        elif tag in {"input", "textarea", "select", "button"}:
            self._read_control(tag, found)
        elif tag == "option" and self.choice is not None and "disabled" not in found:
            self._read_option(found)

    def handle_data(self, data: str) -> None:
        if self.writing is not None:
            self.writing.sends[0] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = None
        elif tag == "select":
            self.choice = None
        elif tag == "textarea" and self.writing is not None:
            self.writing.sends[0] = self.writing.sends[0].removeprefix("\n")
            self.writing = None

    def _read_hx(self, found: dict[str, str]) -> None:
        """An element that posts by itself when it is used."""
        form = Form(urljoin(self.address, found["hx-post"]), "post", buttons=[Button()])
        if found.get("name") and found.get("hx-params") != "none":
            form.controls[found["name"]] = Control(found["name"], "hidden", [found.get("value") or "on"])
        self.forms.append(form)

    def _find_form(self, found: dict[str, str]) -> Form | None:
        if "form" in found:
            return next((form for form in self.forms if form.key == found["form"]), None)
        return self.inside

    def _read_control(self, tag: str, found: dict[str, str]) -> None:
        kind = found.get("type", "submit" if tag == "button" else "text") if tag in {"input", "button"} else tag
        form = self._find_form(found)
        if form is None and "form" in found:
            self.apart.append((tag, kind, found))
        elif form is not None and "disabled" not in found:
            self._add_control(form, tag, kind, found)

    def _add_control(self, form: Form, tag: str, kind: str, found: dict[str, str]) -> None:
        name, value = found.get("name", ""), found.get("value", "")
        if kind == "submit":
            to = urljoin(self.address, found["formaction"]) if found.get("formaction") else ""
            form.buttons.append(Button(name, value, to))
            return
        if not name or kind in UNSENT - {"file"}:
            return
        if kind in {"checkbox", "radio"}:
            control = form.controls.setdefault(name, Control(name, kind))
            control.offers.append(value or "on")
            if "checked" in found:
                control.sends.append(value or "on")
            return
        control = form.controls.setdefault(name, Control(name, kind, is_required="required" in found))
        if kind == "textarea":
            control.sends, self.writing = [""], control
        elif kind == "select":
            self.choice, self.chosen = control, "multiple" in found
        elif kind != "file":
            control.sends.append(value)

    def _read_option(self, found: dict[str, str]) -> None:
        assert self.choice is not None
        value = found.get("value", "")
        self.choice.offers.append(value)
        if "selected" in found:
            self.choice.sends = [*self.choice.sends, value] if self.chosen else [value]
            self.chosen = True
        elif not self.choice.sends and not self.chosen:
            self.choice.sends = [value]  # a list shows its first line until another is chosen

    def close(self) -> None:
        """Give the forms what stands before them on the page."""
        super().close()
        for tag, kind, found in self.apart:
            form = self._find_form(found)
            if form is not None and "disabled" not in found:
                self._add_control(form, tag, kind, found)


def read_page(html: str, address: str) -> PageReader:
    """The forms and links of a page."""
    reader = PageReader(address)
    reader.feed(html)
    reader.close()
    return reader


def list_pressed(form: Form) -> Iterator[tuple[Button, str]]:
    """Each button of a form with the address that it posts to; return alone where there is none."""
    for button in form.buttons or [Button()]:
        yield button, button.to or form.action
