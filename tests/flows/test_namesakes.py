"""An event whose players all have one name: whatever page, paper or file is asked for, each is told from the others."""

import io
import random
import re
import zipfile
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.flows import posted_stage, walking
from tests.tournament.paper import samples
from tournament.access.codes import make_personal_link
from tournament.basics.names import fold_text, make_search_key
from tournament.ending.operations import add_usual_prizes, end_tournament, publish_prizes
from tournament.entries.operations.attendance import withdraw_entry
from tournament.models import Club, Division, Entry, Player, Season, Tournament

pytestmark = pytest.mark.django_db

NAME = "Zwilling, Uli"
BESIDE = r"(?!, Uli(?:(?!Zwilling)[\s\S]){0,300}?SC \d+ (?:Ost|West))"
"""The club, which stands beside or below the name, before anybody else's."""

ALIKE = re.compile(r"Zwilling(?!, Uli \([^)])(?! \([^)])" + BESIDE + r"|Zwilling,? \(\)")
"""The name without what tells its bearer from the others."""

TYPED = re.compile(
    r'<input[^>]*\bname="name"[^>]*>|(?s:<datalist.*?</datalist>)|(?s:<[^>]*class="tiles.*?aria-label="[^"]*")'
)
"""The field in which a name is typed, what is suggested there, and a surname in tiles, below which the name stands."""

OWN = re.compile(
    r"/print/(certificates|badges)[\w-]*\.pdf|/end/certificates/|/export/(tournament|tsh|tou|t)/|/report\.zip"
)
"""What says the name alone, and files to be read in again, whose format has a number for each player."""


@pytest.fixture
def stage() -> list[Tournament]:
    """The events of `posted_stage`, and one that has ended: one name; a club of one's own, with others, or none."""
    posted_stage.build()
    _ended()
    _rename()
    Season.objects.update(is_public=True)
    return list(Tournament.objects.filter(name__in=("Herbst-Cup", "Herbst-Cup duplicate", "Ende")))


def _ended() -> Tournament:
    division: Division = factories.event("Ende", players=6, rounds=3)
    add_usual_prizes(division, actor=factories.director())
    publish_prizes(division, public=True, actor=factories.director())
    for _round in range(2):
        factories.played(division)
    withdraw_entry(Entry.objects.filter(division=division).in_order()[5], actor=factories.director())
    factories.played(division)
    end_tournament(division.tournament, actor=factories.director())
    return division.tournament


def _rename() -> None:
    Player.objects.update(name=NAME, sort_name=fold_text(NAME), search_name=make_search_key(NAME))
    Tournament.objects.update(revision=F("revision") + 1)
    for tournament in Tournament.objects.all():
        clubs = [
            Club(organiser_id=tournament.organiser_id, name=f"SC {tournament.pk} {word}") for word in ("Ost", "West")
        ]
        for club in clubs:
            club.save()
        for number, entry in enumerate(tournament.entries.in_order()):
            entry.club = (clubs[0], clubs[1], clubs[1], None)[min(number, 3)]
            entry.player.club = entry.club
            entry.save()
            entry.player.save()


def _list_season_addresses() -> list[str]:
    season = Season.objects.order_by("pk").first()
    assert season is not None
    files = [reverse("public:season_file", args=[season.slug, kind]) for kind in ("csv", "json", "pdf")]
    return [reverse("director:season", args=[season.pk]), reverse("public:season", args=[season.slug]), *files]


def _list_personal_addresses() -> list[str]:
    """The own pages of the players of the event that is running."""
    entries = Entry.objects.filter(tournament__name="Herbst-Cup").select_related("tournament")
    return [reverse("games:me", args=[make_personal_link(entry)]) for entry in entries]


def list_readings(response: Any) -> Iterator[str]:
    """The texts of an answer."""
    kind, content = response.headers.get("Content-Type", "").partition(";")[0], response.getvalue()
    if kind == "application/pdf":
        yield " ".join(" ".join(samples.pages(content)).split())
    elif content[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            yield from (TYPED.sub("", packed.read(name).decode("utf-8", "replace")) for name in packed.namelist())
    elif kind == "image/svg+xml" or not kind.startswith(("image/", "font/")):
        yield TYPED.sub("", unescape(content.decode("utf-8", "replace")))


def test_no_two_players_of_a_small_event_read_alike() -> None:
    event = factories.public_cup().tournament
    _rename()

    require_different_names([event], (), most=6, many=4)


@pytest.mark.dear
@pytest.mark.long
def test_no_two_players_read_alike(stage: list[Tournament]) -> None:
    beside = (reverse("director:players"), *_list_season_addresses(), *_list_personal_addresses())

    require_different_names(stage, beside, most=walking.MOST, many=300)


def require_different_names(events: list[Tournament], addresses: Iterable[str], *, most: int, many: int) -> None:
    """Look at the pages of these events, and at these addresses: more than `many`, and nobody is named as another."""
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username="doris"))
    alike: dict[str, list[str]] = {}
    looked_at = []

    def look(address: str, response: Any) -> None:
        if response.status_code == 200 and not OWN.search(address):
            looked_at.append(address)
            for text in list_readings(response):
                if found := [text[max(at.start() - 40, 0) : at.end() + 30] for at in ALIKE.finditer(text)]:
                    alike[address] = found[:3]

    for tournament in events:
        walking.walk(client, tournament, random.Random(1), most=most, look=look)
    for address in addresses:
        look(address, client.get(address))
    assert alike == {}
    assert len(looked_at) > many
