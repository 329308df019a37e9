"""Whoever writes another organiser's rows into the fields of a form, its links or its filters reaches nothing there.

Every form that an owner is shown is sent with each of its keys exchanged for a key of the same table elsewhere.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from django.db import transaction
from django.db.models import Model, QuerySet
from django.test.html import parse_html
from django.urls import NoReverseMatch, reverse

from games.models import WordList
from tests import factories
from tests.config import stage as stages
from tests.config.stage import Stage, Visitor
from tests.config.test_access import addresses
from tests.flows.posted_pages import attribute, inside
from tournament.core.change import take_snapshots
from tournament.core.records import OWNED_TABLES
from tournament.models import Club, Entry, Invitation, JournalEntry, Member, Player, Season, Tournament

MARK = "Geheimrat"
KEY = re.compile(r"\d+")
TOKENS = ("csrfmiddlewaretoken", "once")
"""Fields without a key. What is sent with `once` a second time is not done again: without it each is done."""

LONGEST, MANY = 60, 150
Sent = list[tuple[str, str]]
Keys = dict[type[Model], dict[int, None]]
"""The keys of an organiser's rows in their order, table by table."""


def _tables(of: Stage) -> Iterator[QuerySet[Any]]:
    """The rows of an organiser, table by table: those of its tournaments and what it keeps beside them."""
    for model, way in OWNED_TABLES.items():
        to_organiser = "organiser" if model is Tournament else f"{way}__organiser"
        yield model._default_manager.filter(**{to_organiser: of.organiser}).order_by("pk")
    for kept in (Player, Club, Season, Member, Invitation, WordList):
        yield kept._default_manager.filter(organiser=of.organiser).order_by("pk")


def _keys(of: Stage) -> Keys:
    return {rows.model: dict.fromkeys(rows.values_list("pk", flat=True)) for rows in _tables(of)}


def _rows(of: Stage) -> dict[type[Model], Any]:
    return {rows.model: take_snapshots(rows) for rows in _tables(of)}


def _forms(page: Any, at: str) -> Iterator[tuple[str, Sent]]:
    """The forms of a page: where each is sent to, and what the browser would send of it, every choice once."""
    for form in (each for each in inside(page) if each.name == "form"):
        to = attribute(form, "action") or at
        if not to.startswith(("/logout/", "/language/")):
            yield to, [each for control in inside(form) for each in _values(control)]


def _values(control: Any) -> Iterator[tuple[str, str]]:
    name = attribute(control, "name")
    if not name or name in TOKENS:
        return
    options = [attribute(each, "value") for each in inside(control) if each.name == "option"]
    for value in options if control.name == "select" else [attribute(control, "value")]:
        yield name, value or ""


def _exchanged(sent: Sent, own: Keys, theirs: Keys) -> Iterator[Sent]:
    """What is sent, with one key, in a field or in its name, exchanged for one of the same table elsewhere."""
    plain: dict[str, str] = {}
    for name, value in sent:
        plain.setdefault(name, value)
    for name, value in dict.fromkeys(sent):
        rest = {other: each for other, each in plain.items() if other != name}
        for other in _others(name, own, theirs):
            yield list({**rest, other: value or "7"}.items())
        for other in _others(value, own, theirs):
            yield list({**rest, name: other}.items())


def _others(text: str, own: Keys, theirs: Keys) -> set[str]:
    if len(text) > LONGEST:  # a token, not a key
        return set()
    return {
        text[: found.start()] + str(next(iter(theirs[model]))) + text[found.end() :]
        for found in KEY.finditer(text)
        for model, keys in own.items()
        if int(found[0]) in keys and theirs[model]
    }


def _pages(own: Stage) -> Iterator[str]:
    """The addresses of an organiser's pages."""
    for address in addresses():
        if address.name.startswith(("director:", "games:", "account:")):
            try:
                yield reverse(address.name, kwargs=own.names(address.name, set(address.places)))
            except (NoReverseMatch, KeyError):
                continue


def _sent(browser: Visitor, to: str, sent: Sent | None = None) -> str:
    """What a request is answered, streamed files left out; nothing of it stays."""
    data: dict[str, list[str]] = {}
    for name, value in sent or []:
        data.setdefault(name, []).append(value)
    answer: Any = browser.get(to) if sent is None else browser.post(to, data)
    if not answer.streaming:
        return str(answer.content.decode(errors="replace"))
    for close in answer._resource_closers:  # answer.close() would close the database as well
        close()
    return ""


@dataclass
class Attack:
    """What was tried by one organiser's owner on another organiser's rows, and what came of it."""

    own: Stage
    theirs: Stage
    told: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    tried: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.own_keys, self.their_keys = _keys(self.own), _keys(self.theirs)
        self.before, self.lines = _rows(self.theirs), JournalEntry.objects.count()

    def on(self, at: str) -> None:
        """Try the links and forms of a page."""
        html = self.ask(at)
        for link in re.findall(r'href="([^"]*\?[^"]*)"', html):
            address = urlsplit(unescape(link))
            for other in () if address.netloc else self.exchanged(parse_qsl(address.query)):
                self.ask(f"{address.path or at}?{urlencode(other)}", watched=True)
        for to, sent in _forms(parse_html(html), at) if "<form" in html else ():
            for other in self.exchanged(sent):
                self.ask(to, other, watched=True)

    def exchanged(self, sent: Sent) -> Iterator[Sent]:
        return _exchanged(sent, self.own_keys, self.their_keys)

    def ask(self, to: str, sent: Sent | None = None, *, watched: bool = False) -> str:
        """Send a request once and take back what it did; one that is watched must not tell or change anything."""
        what = f"{to} {sent}"
        if watched and what in self.tried:
            return ""
        with transaction.atomic():
            text = _sent(self.own.browsers["owner"], to, sent)
            if watched:
                self.tried.add(what)
                self.told += [what] if MARK in text else []
                written = JournalEntry.objects.count() != self.lines
                self.changed += [what] if written and _rows(self.theirs) != self.before else []
            transaction.set_rollback(True)
        return text


@pytest.mark.dear
@pytest.mark.long
@pytest.mark.django_db
def test_no_field_reaches_another_organisers_rows(settings: Any) -> None:
    settings.HOSTED = False  # some pages are on laptops alone
    theirs = stages.stage("Geheim", MARK)
    attack = Attack(stages.stage("Eigen", "Eigener"), theirs)

    for page in _pages(attack.own):
        attack.on(page)

    assert (attack.told, attack.changed) == ([], [])
    assert len(attack.tried) > MANY


def make_small_stage(name: str, mark: str) -> Stage:
    """An organiser with an event of three players, all called by `mark`."""
    organiser = factories.organiser(name)
    owner = factories.director(f"owner-{organiser.slug}", organiser)
    division = factories.event(f"{mark}-Cup", players=0, by=owner)
    for number in range(1, 4):
        factories.entry(division, f"{mark}, {number}")
    browser = Visitor()
    factories.sign_in(browser, owner)
    return Stage(organiser, division.tournament.slug, "", "", "", {}, {"owner": browser}, "")


@pytest.mark.django_db
def test_form_of_one_player_reaches_nobody_of_another_organiser() -> None:
    theirs = make_small_stage("Geheim", MARK)
    attack = Attack(make_small_stage("Eigen", "Eigener"), theirs)

    player = Entry.objects.filter(tournament__organiser=attack.own.organiser)[0]
    attack.on(f"/director/{attack.own.slug}/entries/{player.pk}/")

    assert (attack.told, attack.changed) == ([], [])
    assert attack.tried
