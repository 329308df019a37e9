"""A page of ours written out again for a folder of files: without scripts and forms, its links led elsewhere."""

from collections.abc import Callable
from html import escape
from html.parser import HTMLParser

Lead = Callable[[str], str | None]
"""Where a link leads from now on; None if it leads nowhere any more."""

Attributes = list[tuple[str, str | None]]

LEFT_OUT = frozenset({"script", "form", "button", "template", "dialog"})
"""Elements that need a script or a server."""

LEFT_OUT_CLASSES = frozenset({"bar-end", "tiles"})
"""Parts of every page that lead away from the event: the way to sign in, and to all tournaments."""

VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
KEPT_RELATIONS = frozenset({"stylesheet", "icon"})
UNTIED = ("data-", "hx-", "on")
"""What attributes begin with that only scripts read …"""
READ_BY_STYLE = "data-label"
"""… but this one: what a cell is called where a narrow screen has no room for the head of its column."""


def rewritten(page: str, lead: Lead) -> str:
    """The page for a folder of files."""
    writer = _Writer(lead)
    writer.feed(page)
    writer.close()
    return "".join(writer.parts)


class _Writer(HTMLParser):
    """Repeats what it reads, except what is left out."""

    def __init__(self, lead: Lead) -> None:
        super().__init__(convert_charrefs=False)
        self.parts: list[str] = []
        self._lead = lead
        self._skipped = ""
        self._depth = 0
        self._links: list[str] = []

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        if self._skipped:
            self._depth += tag == self._skipped
            return
        if tag in LEFT_OUT or LEFT_OUT_CLASSES & set((dict(attrs).get("class") or "").split()):
            if tag not in VOID:
                self._skipped, self._depth = tag, 1
            return
        if (tag == "link" and dict(attrs).get("rel") not in KEPT_RELATIONS) or dict(attrs).get("name") == "htmx-config":
            return
        self._write(tag, [each for each in attrs if each[0] == READ_BY_STYLE or not each[0].startswith(UNTIED)], "")

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        if not self._skipped:
            self._write(tag, attrs, "/")

    def _write(self, tag: str, attrs: Attributes, end: str) -> None:
        """A start tag, its links led elsewhere; a link that leads nowhere is plain text."""
        led = [self._led(tag, *each) for each in attrs]
        gone = (
            tag == "a" and any(name == "href" for name, _value in attrs) and not any(each[0] == "href" for each in led)
        )
        name = "span" if gone else tag
        if tag == "a" and not end:
            self._links.append(name)
        if gone:
            led = [each for each in led if each[0] in ("class", "lang", "title")]
        words = "".join(f" {key}" if value is None else f' {key}="{escape(value)}"' for key, value in led if key)
        self.parts.append(f"<{name}{words}{' /' if end else ''}>")

    def _led(self, tag: str, name: str, value: str | None) -> tuple[str, str | None]:
        """An attribute as it is written; without a name it is left out."""
        if name not in ("href", "src", "xlink:href") or value is None:
            return name, value
        found = self._lead(value)
        return ("", None) if found is None else (name, found)

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            self._depth -= tag == self._skipped
            if not self._depth:
                self._skipped = ""
            return
        if tag not in LEFT_OUT:
            self.parts.append(f"</{self._links.pop() if tag == 'a' and self._links else tag}>")

    def _repeat(self, text: str) -> None:
        if not self._skipped:
            self.parts.append(text)

    def handle_data(self, data: str) -> None:
        self._repeat(data)

    def handle_entityref(self, name: str) -> None:
        self._repeat(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._repeat(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        self._repeat(f"<!{decl}>")
