"""Every page and file that the pages of an event lead to, asked for as a browser would, without pressing anything."""

import random
import re
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import parse_qs, parse_qsl

from django.test import Client
from django.urls import Resolver404, resolve, reverse

from tournament.models import JournalEntry, Tournament

_LINK = re.compile(r'\b(?:href|src|data-src|hx-get)="([^"#]+)')
MOST = 2000
Look = Callable[[str, Any], None]


@dataclass
class Walk:
    """What was asked for, with the status of each answer, and the last words of what went wrong."""

    statuses: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    @property
    def shown(self) -> int:
        """How many pages and files there were."""
        return sum(status == 200 for status in self.statuses.values())

    @property
    def broken(self) -> dict[str, int]:
        """What the program did not answer properly."""
        return {address: status for address, status in self.statuses.items() if status >= 500}


def walk(
    client: Client, tournament: Tournament, rng: random.Random, *, most: int = MOST, look: Look | None = None
) -> Walk:
    """Follow every link from the event's first pages that stays with the event, in any order, at most so many.

    `look` sees each answer with its address; then one page stands for those of its kind.
    The client should pass faults on as answers (`raise_request_exception=False`).
    """
    found, waiting, kinds = Walk(), _first(tournament), set[object]()
    while waiting and len(found.statuses) < most:
        address = waiting.pop(rng.randrange(len(waiting)))
        if address in found.statuses or (look and _get_kind(address) in kinds):
            continue
        kinds.add(_get_kind(address))
        response = client.get(address)
        found.statuses[address] = response.status_code
        if exc_info := getattr(response, "exc_info", None):
            found.faults.append("".join(traceback.format_exception(exc_info[1])[-3:]))
        if response.status_code in (301, 302):
            waiting.extend(_belonging([response["Location"]], tournament))
        if response.headers.get("Content-Type", "").startswith("text/html"):
            waiting.extend(_belonging(_links(response.content.decode(), address), tournament))
        if look:
            look(address, response)
        response.getvalue()  # a file is closed when it was read to its end
    return found


def _get_kind(address: str) -> object:
    """What the pages of all rows of a table have in common, a table in any order and after any round, a document of any
    round, one on larger paper, and taking back acts of one kind."""
    path, _mark, query = address.partition("?")
    try:
        match = resolve(path)
    except Resolver404:
        return address
    asked = dict.fromkeys(parse_qs(query), "") if "size" in query else dict(parse_qsl(query))
    is_short = len(query) < 20 or asked.keys() & {"sort", "size"}
    kwargs = {**match.kwargs, **dict.fromkeys(match.kwargs.keys() & {"pk", "key", "after"})}
    if match.view_name == "director:undo":
        acts = JournalEntry.objects.filter(tournament__slug=kwargs["slug"], number=kwargs["number"])
        kwargs["number"] = acts.values_list("verb", flat=True).first()
    asked |= dict.fromkeys(asked.keys() & {"sort", "round"}, "")
    return match.view_name, tuple(kwargs.items()), tuple(sorted(asked.items())) if is_short else ()


def _first(tournament: Tournament) -> list[str]:
    return [reverse("director:console", args=[tournament.slug]), reverse("public:tournament", args=[tournament.slug])]


def _links(page: str, address: str) -> Iterator[str]:
    """The addresses on a page; one that is a question only belongs to the page's own."""
    for link in _LINK.findall(page):
        plain = unescape(link)
        yield address.partition("?")[0] + plain if plain.startswith("?") else plain


def _belonging(links: Iterator[str] | list[str], tournament: Tournament) -> list[str]:
    return [link for link in links if link.startswith("/") and f"/{tournament.slug}/" in link]
