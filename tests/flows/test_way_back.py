"""Whatever a director does on a page can be taken back on the page that follows, where the journal can take it back.

Every form of every page of an event is sent as it stands there, button by button; the journal says what was done.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.test.html import Element, parse_html
from django.urls import resolve, reverse

from tests import factories
from tests.flows import posted_stage
from tests.flows.posted_pages import attribute, inside, read_element
from tournament.core.words.journal import UNDOABLE_VERBS
from tournament.models import Tournament

TYPED = {"name": "Neu, Nora", "why": "verlesen", "place": "1", "text": "Pause", "second_points": "377", "table": "1"}
TYPED |= {"first_points": "401", "number": "4", "position": "8H", "letters": "HAUS", "points": "9", "title": "Pokal"}
TYPED |= {"message": "Pause", "line": "{name}", "announcement": "Bitte Uhren mitbringen", "seconds": "70", "tiles": "8"}
"""What is typed into empty fields whose names end so."""

PAGES_OF_A_KIND = 2
"""Of each event; of what another event has shown already it is one."""

Sent = dict[str, list[str]]
FormKind = tuple[str, tuple[str, ...]]
"""The name of a form's address, and its fields without numbers."""
PageKind = tuple[str, ...]
"""The name of a page's address, and what is asked for besides."""


@pytest.fixture
def doris_client(db: None) -> Client:
    posted_stage.build()
    client = Client()
    client.force_login(User.objects.get(username="doris"))
    return client


@pytest.mark.django_db
def test_acts_of_a_small_event_offer_the_way_back_on_the_page_that_follows() -> None:
    client = Client()
    factories.sign_in(client)
    walked, stuck = walk_acts(client, factories.public_cup().tournament, stays=False, kinds=set(), seen=set(), most=6)

    assert stuck == []
    assert len(walked) > 1


@pytest.mark.dear
@pytest.mark.long
@pytest.mark.parametrize("stays", [False, True], ids=["each alone", "one after the other"])
def test_every_act_offers_the_way_back_on_the_page_that_follows(doris_client: Client, stays: bool) -> None:
    walked, stuck, kinds, seen = set[str](), [], set[FormKind](), set[PageKind]()
    for tournament in Tournament.objects.filter(name__startswith="Herbst-Cup").order_by("pk"):
        # What one event has shown need not be sent in the next, which has other forms besides.
        verbs, lost = walk_acts(doris_client, tournament, stays=stays, kinds=kinds, seen=seen)
        walked |= verbs
        stuck += lost

    assert stuck == []
    assert len(walked) > 38


def walk_acts(
    client: Client,
    tournament: Tournament,
    *,
    stays: bool,
    kinds: set[FormKind],
    seen: set[PageKind],
    most: int | None = None,
) -> tuple[set[str], list[tuple[str, str, list[str]]]]:
    """Send the forms of an event, the first `most` of them, but for those `kinds` that were sent already: the verbs
    that can be undone, and acts with no way back. `seen`: kinds of pages of which another event has shown some."""
    walked, stuck = set(), []
    for page, address, sent in islice(walk(client, tournament, kinds, seen, again=stays), most):
        number = Tournament.objects.get(pk=tournament.pk).revision
        with transaction.atomic():
            shown = send(client, page, address, sent)
            done = tournament.journal.filter(number__gt=number).order_by("number").last()
            transaction.set_rollback(not stays)
        if done and done.verb in UNDOABLE_VERBS:
            walked.add(done.verb)
            if reverse("director:undo", args=[tournament.slug, done.number]) + "?from=" not in shown:
                stuck.append((done.verb, address, sorted(sent)))
    return walked, stuck


def send(client: Client, page: str, address: str, sent: Sent) -> str:
    """The page that follows a form of a page, empty for a file; one that asks first is answered by sending its form."""
    headers = {"referer": f"http://testserver{page}"}  # browsers say where a form stood
    answer = client.post(address, sent, follow=True, headers=headers)
    if "html" not in answer.get("Content-Type", ""):
        b"".join(answer)  # a file is read to its end
        return ""
    html = answer.content.decode()
    if 'name="asked"' not in html:
        return html
    for to, asked in forms(list(inside(parse_html(html))), address):
        if not answer.redirect_chain and to == address and asked.get("asked", [""])[0]:
            return client.post(address, asked, follow=True, headers=headers).content.decode()
    return html


def walk(
    client: Client, tournament: Tournament, kinds: set[FormKind], seen: set[PageKind], *, again: bool
) -> Iterator[tuple[str, str, Sent]]:
    """Every form of an event's pages for directors that is not among `kinds` and becomes so, with its page, once for
    each of its buttons, from a few pages of a kind each; `again` looks at a page once more after its forms were
    sent."""
    home = reverse("director:console", args=[tournament.slug])
    waiting, own_kinds = [home], Counter[PageKind]()
    for page in waiting:
        answer = client.get(page, follow=True)
        if answer.status_code != 200 or "html" not in answer.headers["Content-Type"]:
            b"".join(answer)  # a file is read to its end
            continue
        parts_of_page = list(inside(parse_html(answer.content.decode())))
        for link in links(parts_of_page, page, home):
            parts = urlsplit(link)
            view = (resolve(parts.path).view_name, *sorted({name for name, _value in parse_qsl(parts.query)}))
            if link not in waiting and own_kinds[view] < (1 if view in seen else PAGES_OF_A_KIND):
                own_kinds[view] += 1
                waiting.append(link)
        for address, sent in forms(parts_of_page, page):
            kind = (resolve(urlsplit(address).path).view_name, tuple(sorted(name.strip("0123456789") for name in sent)))
            if address.startswith(home) and kind not in kinds:
                kinds.add(kind)
                yield page, address, sent
                waiting += [page] if again and waiting.count(page) == 1 else []
    seen.update(own_kinds)


def links(parts: Iterable[Element], page: str, home: str) -> Iterator[str]:
    """Where a page leads within the event, files and undoing aside."""
    for each in parts:
        link = urljoin(page, attribute(each, "href") or "").partition("#")[0]
        if each.name == "a" and link.startswith(home) and not re.search(r"/undo/|/print/.|\.\w+($|\?)", link):
            yield link


def forms(parts_of_page: Iterable[Element], page: str) -> Iterator[tuple[str, Sent]]:
    """The forms of a page, each with what it sends by each of its buttons; empty fields are filled in."""
    for form in parts_of_page:
        if form.name != "form" or attribute(form, "method") != "post":
            continue
        parts = list(inside(form))
        values: Sent = {}
        for part in parts:
            name = attribute(part, "name")
            if name and name != "revision" and part.name != "button" and (value := read_value(part, name)) is not None:
                values.setdefault(name, []).append(value)
        address = urljoin(page, attribute(form, "action") or "")
        for button in parts:
            if button.name == "button" and attribute(button, "type") != "button":
                to = urljoin(page, attribute(button, "formaction") or address)
                name = attribute(button, "name")
                yield to, values | ({name: [attribute(button, "value") or ""]} if name else {})


def read_value(part: Any, name: str) -> str | None:
    """What a control sends, or what is typed into it; the last choice of a list; None if it sends nothing."""
    if part.name == "select":
        options = [each for each in inside(part) if each.name == "option"]
        chosen = [attribute(each, "value") for each in options if attribute(each, "selected") is not None]
        return (chosen[0] if chosen and name != "other" else "") or attribute(options[-1], "value") or ""
    if attribute(part, "type") in ("checkbox", "radio"):
        return (attribute(part, "value") or "on") if attribute(part, "checked") is not None else None
    value = read_element(part) if part.name == "textarea" else attribute(part, "value")
    return value or next((typed for ending, typed in TYPED.items() if name.endswith(ending)), "")
