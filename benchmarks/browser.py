"""A browser without a screen: it loads pages of a running server, fills forms in as they stand, and sends them."""

import http.client
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin, urlsplit

LINK = re.compile(r'\bhref="([^"#]+)"')
REVISION = re.compile(r'name="revision" value="(\d+)"')
Fields = list[tuple[str, str]]


@dataclass
class Form:
    """A form that is posted, with what stands in its fields; `buttons` are pressed one at a time."""

    action: str
    fields: Fields = field(default_factory=list)
    boxes: Fields = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Page:
    """An answer."""

    address: str
    status: int
    location: str
    text: str

    @property
    def revision(self) -> int:
        """The state of the event that the page shows; 0 where it says none."""
        return max(map(int, REVISION.findall(self.text)), default=0)

    def forms(self, wanted: str) -> list[Form]:
        """The forms whose address matches."""
        reader = _Forms(self.address)
        reader.feed(self.text)
        return [form for form in reader.forms if re.search(wanted, form.action)]

    def fields(self, wanted: str, ending: str) -> list[tuple[Form, str]]:
        """The names of fields that end so, each with its form: a page has several forms at one address."""
        return [(form, name) for form in self.forms(wanted) for name, _value in form.fields if name.endswith(ending)]

    def links(self, wanted: str) -> list[str]:
        """The addresses on the page that match, without what follows a question mark."""
        found = (urlsplit(urljoin(self.address, link)).path for link in LINK.findall(self.text))
        return list(dict.fromkeys(link for link in found if re.search(wanted, link)))


class _Forms(HTMLParser):
    """Collects the forms of a page."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address, self.forms, self.inside, self.select = address, list[Form](), False, ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "form" and found.get("method") == "post":
            self.forms.append(Form(urljoin(self.address, found.get("action", ""))))
            self.inside = True
        elif self.inside and "name" in found and tag in {"input", "textarea"}:
            self._input(found)
        elif self.inside and tag == "select":
            self.select = found.get("name", "")
        elif self.inside and tag == "option" and self.select:
            self._option(found)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "select":
            self.select = ""

    def _input(self, found: dict[str, str]) -> None:
        pair, kind = (found["name"], found.get("value", "")), found.get("type")
        if kind in {"checkbox", "radio"} and "checked" not in found:
            self.forms[-1].boxes.append((pair[0], pair[1] or "on"))
        elif kind not in {"submit", "file"}:
            self.forms[-1].fields.append(pair)

    def _option(self, found: dict[str, str]) -> None:
        """The one that is chosen, or the first."""
        fields, pair = self.forms[-1].fields, (self.select, found.get("value", ""))
        there = [each for each in fields if each[0] == self.select]
        if not there:
            fields.append(pair)
        elif "selected" in found:
            fields[fields.index(there[0])] = pair


class Browser:
    """Somebody who has signed in, at a server on this machine. Raises `OSError` or `HTTPException` while it is away."""

    def __init__(self, port: int, session: str) -> None:
        self.port, self.cookies = port, {"sessionid": session, "django_language": "de"}

    def get(self, address: str) -> Page:
        """A page, by way of where it sends its reader."""
        page = self._ask("GET", address)
        return self.get(page.location) if page.status == http.client.FOUND else page

    def post(self, form: Form, fields: Fields) -> Page:
        """The answer to a form, before where it leads to is loaded."""
        return self._ask("POST", form.action, urlencode(fields))

    def _ask(self, method: str, address: str, body: str | None = None) -> Page:
        asked = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            asked.request(method, address, body, {"Cookie": self._cookie(), **self._kind(body)})
            answer = asked.getresponse()
            text = answer.read().decode()
        finally:
            asked.close()
        for name, value in self._set(answer):
            self.cookies[name] = value
        return Page(address, answer.status, answer.getheader("Location") or "", text)

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def _kind(self, body: str | None) -> dict[str, str]:
        return {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}

    def _set(self, answer: http.client.HTTPResponse) -> Iterator[tuple[str, str]]:
        for header in answer.headers.get_all("Set-Cookie") or ():
            name, _equals, value = header.partition(";")[0].partition("=")
            yield name, value
