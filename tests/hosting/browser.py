"""A browser in front of a hosted service: each request on a connection of its own, as a hall full of phones asks."""

import http.client
import re
import ssl
from dataclasses import dataclass
from html import unescape
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from tests.hosting.service import NAME, TOKEN

_FIELD = re.compile(r"<input\b[^>]*>")
_PART = re.compile(r'\b(name|value|type)="([^"]*)"')
_NOT_SENT = frozenset({"checkbox", "radio", "submit"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    text: str
    headers: dict[str, str]

    @property
    def fields(self) -> dict[str, str]:
        """The fields of the page's forms with their values."""
        parts = (dict(_PART.findall(tag)) for tag in _FIELD.findall(self.text))
        kept = (each for each in parts if each.get("type") not in _NOT_SENT and "name" in each)
        return {unescape(each["name"]): unescape(each.get("value", "")) for each in kept}


class Browser:
    """Keeps cookies. `port` is the proxy's (https) or, with `direct`, a process's, asked as the proxy asks it."""

    def __init__(self, port: int, *, session: str = "", direct: bool = False, address: str = "192.0.2.7") -> None:
        self.port, self.direct, self.address = port, direct, address
        self.cookies: dict[str, str] = {"sessionid": session} if session else {}

    def ask(self, path: str, form: dict[str, str] | None = None, *, seconds: float = 60) -> Answer:
        """Get a page, or post a form. Raises `OSError` or `HTTPException` where nothing comes back."""
        asked = self._connection(seconds)
        try:
            asked.request(
                "GET" if form is None else "POST", path, urlencode(form) if form else None, self._headers(form)
            )
            found = asked.getresponse()
            text = found.read().decode(errors="replace")
        finally:
            asked.close()
        for sent in found.headers.get_all("Set-Cookie") or []:
            self.cookies |= {name: part.value for name, part in SimpleCookie(sent).items()}
        return Answer(found.status, text, dict(found.headers))

    def send(self, path: str, **typed: str) -> Answer:
        """Load a page and post its form with what is typed into it."""
        return self.ask(path, {**self.ask(path).fields, **typed})

    def _connection(self, seconds: float) -> http.client.HTTPConnection:
        if self.direct:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        trusting = ssl._create_unverified_context()  # a certificate of our own making
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=seconds, context=trusting)

    def _headers(self, form: dict[str, str] | None) -> dict[str, str]:
        headers = {"Host": NAME, "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if self.direct:
            headers |= {"X-Forwarded-Proto": "https", "X-Forwarded-For": self.address}
            headers |= {"Authorization": f"Bearer {TOKEN}"}  # of Prometheus; nothing else looks at it
        if form is not None:
            headers |= {"Origin": f"https://{NAME}", "Content-Type": "application/x-www-form-urlencoded"}
        return headers


def way(address: str) -> str:
    """The path of an address."""
    return urlsplit(address).path
