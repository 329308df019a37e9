"""Every public address as a stranger sees it: no account, no session, through the cache when it is cold and warm."""

import io
import re
from collections.abc import Iterable
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, resolve
from pypdf import PdfReader

from config.mail import MailServer
from games import urls as games_urls
from games.gcg import operations as annotated
from tests import factories
from tests.games.duplicate.steps import evening
from tests.games.gcg import games
from tests.games.replay.conftest import sheet_with
from tests.tournament.ratings.test_publishing import publish
from tournament import urls as tournament_urls
from tournament.core.change import Actor
from tournament.hall import operations as hall_stream
from tournament.models import Division, OnlineEntry, Pairing, Player, Season, Tournament
from tournament.seasons import operations as seasons

Statuses = tuple[int, int, int]

PAGE = (200, 200, 304)
"""A page that is kept: made, taken from the cache, and not sent again to somebody who has it."""

LIVE = (200, 200, 200)
MOVED = (302, 302, 302)
NONE = (404, 404, 404)
MAIL = MailServer("smtps", "mail.example.org", 465, "", "", "tso@example.org")
REFUSED = (405, 405, 405)

CASES: dict[str, tuple[Statuses, Statuses]] = {
    "/": (LIVE, LIVE),
    "/?page=7": (LIVE, LIVE),
    "/news/": (LIVE, LIVE),
    "/language/": (REFUSED, REFUSED),
    "/organisers/{organiser}/": (LIVE, LIVE),
    "/organisers/{organiser}/?page=7": (LIVE, LIVE),
    "/organisers/nobody/": (NONE, NONE),
    "/organisers/{organiser}/news/": (LIVE, LIVE),
    "/organisers/{organiser}/players/": (NONE, NONE),
    "/organisers/{organiser}/players/4711/": (NONE, NONE),
    "/organisers/{organiser}/ratings/": (PAGE, PAGE),
    "/organisers/{organiser}/ratings/?q=anna": (LIVE, LIVE),
    "/organisers/{organiser}/ratings.json": (PAGE, NONE),
    "/organisers/{organiser}/ratings.exe": (NONE, NONE),
    "/organisers/{organiser}/ratings/2026-03-15/": (PAGE, NONE),
    "/organisers/{organiser}/ratings/2026-03-15.pdf": (PAGE, NONE),
    "/organisers/{organiser}/ratings/2026-03-16/": (NONE, NONE),
    "/organisers/{organiser}/colour.css": (LIVE, LIVE),
    "/organisers/{organiser}/pictures/1.jpg": (NONE, NONE),
    "/organisers/{organiser}/feed.atom": (PAGE, PAGE),
    "/organisers/{organiser}/calendar.ics": (PAGE, PAGE),
    "/organisers/{organiser}/manifest.webmanifest": (LIVE, LIVE),
    "/organisers/{organiser}/icon-192.png": (LIVE, LIVE),
    "/organisers/{organiser}/icon-7.png": (NONE, NONE),
    "/organisers/nobody/feed.atom": (NONE, NONE),
    "/help/": (LIVE, LIVE),
    "/help/draw/": (LIVE, LIVE),
    "/help/nothing/": (NONE, NONE),
    "/robots.txt": (LIVE, LIVE),
    "/sitemap.xml": (NONE, NONE),  # not on a laptop
    "/themes/dark.css": (LIVE, LIVE),
    "/themes/red.css": (NONE, NONE),
    "/api/": (LIVE, LIVE),
    "/api/v1/openapi.json": (PAGE, PAGE),
    "/api/v1/events": (PAGE, PAGE),
    "/api/v1/events?state=coming&limit=1": (PAGE, PAGE),
    "/api/v1/events/{slug}": (PAGE, PAGE),
    "/api/v1/events/{slug}/entries": (PAGE, PAGE),
    "/api/v1/events/{slug}/entries?division=B": (PAGE, NONE),
    "/api/v1/events/{slug}/rounds": (PAGE, PAGE),
    "/api/v1/events/{slug}/results": (PAGE, PAGE),
    "/api/v1/events/{slug}/results?round=1101": (PAGE, PAGE),
    "/api/v1/events/{slug}/table": (PAGE, PAGE),
    "/api/v1/events/{slug}/table?after=1": (PAGE, NONE),
    "/api/v1/events/{slug}/table?after=3": (NONE, NONE),
    "/api/v1/events/{slug}/bracket": (PAGE, NONE),
    "/api/v1/events/{slug}/statistics": (PAGE, PAGE),
    "/api/v1/events/{slug}/chances": (PAGE, PAGE),
    "/api/v1/events/nobody": (NONE, NONE),
    "/api/v1/events/{slug}/teams": (PAGE, PAGE),
    "/api/v1/events/{slug}/team-matches": (PAGE, PAGE),
    "/api/v1/seasons/{season}/qualified": (PAGE, PAGE),
    "/api/v1/seasons": (PAGE, PAGE),
    "/api/v1/seasons/{season}": (PAGE, PAGE),
    "/api/v1/seasons/nobody": (NONE, NONE),
    "/seasons/{season}/": (PAGE, PAGE),
    "/seasons/{season}/news/": (LIVE, LIVE),
    "/seasons/{season}.csv": (PAGE, PAGE),
    "/seasons/{season}.json": (PAGE, PAGE),
    "/seasons/{season}.pdf": (PAGE, PAGE),
    "/seasons/{season}.exe": (NONE, NONE),
    "/seasons/nobody/": (NONE, NONE),
    "/t/{slug}/": (PAGE, PAGE),
    "/t/{slug}/?division=B": (PAGE, NONE),
    "/t/{slug}/?follow=P01": (LIVE, LIVE),
    "/t/{slug}/announcement/": (PAGE, PAGE),
    "/t/{slug}/news/": (LIVE, LIVE),
    "/t/{slug}/news/?seen=x": (LIVE, LIVE),
    "/t/{slug}/entries/": (PAGE, PAGE),
    "/t/{slug}/entries/?sort=-rating": (PAGE, PAGE),
    "/t/{slug}/entries/?q=anna": (LIVE, LIVE),
    "/t/{slug}/portraits/1/": (NONE, NONE),
    "/t/{slug}/rounds/": (PAGE, PAGE),
    "/t/{slug}/rounds/1/": (PAGE, NONE),
    "/t/{slug}/rounds/1/?by=name": (PAGE, NONE),
    "/t/{slug}/rounds/1/?division=B": (MOVED, NONE),  # a draft: to the page of that group
    "/t/{slug}/rounds/3/": (NONE, NONE),
    "/t/{slug}/rounds/1101/": (MOVED, NONE),
    "/t/{slug}/rounds/1101/?division=A": (MOVED, NONE),
    "/t/{slug}/rounds/1901/": (NONE, NONE),
    "/t/{slug}/rounds/99999999999999999999/": (NONE, NONE),
    "/t/{slug}/table/": (PAGE, PAGE),
    "/t/{slug}/table/?sort=-spread": (PAGE, PAGE),
    "/t/{slug}/table/?q=anna": (LIVE, LIVE),
    "/t/{slug}/table/1/": (PAGE, NONE),
    "/t/{slug}/table/1101/": (NONE, NONE),
    "/t/{slug}/table.csv": (PAGE, PAGE),
    "/t/{slug}/table.xlsx?after=1": (PAGE, NONE),
    "/t/{slug}/table.json?after=1101": (NONE, NONE),
    "/t/{slug}/table.pdf": (PAGE, PAGE),
    "/t/{slug}/table.exe": (NONE, NONE),
    "/t/{slug}/crosstable/": (PAGE, PAGE),
    "/t/{slug}/crosstable/?by=opponent": (PAGE, PAGE),
    "/t/{slug}/bracket/": (PAGE, PAGE),
    "/t/{slug}/bracket/?division=B": (PAGE, NONE),
    "/t/{slug}/bracket.svg": (PAGE, NONE),
    "/t/{slug}/bracket.pdf": (PAGE, NONE),
    "/t/{slug}/final.pdf": (PAGE, PAGE),
    "/t/{slug}/final.json": (PAGE, PAGE),
    "/t/{slug}/final.exe": (NONE, NONE),
    "/t/{slug}/certificate/": (LIVE, LIVE),
    "/t/{slug}/certificate/?code=AAAAA-AAAAA": (LIVE, LIVE),
    "/t/{session}/certificate/": (NONE, NONE),
    "/t/{slug}/statistics/": (PAGE, PAGE),
    "/t/{slug}/chances/": (PAGE, PAGE),
    "/t/{slug}/chances/shares/": (PAGE, PAGE),
    "/t/{slug}/ratings/": (PAGE, PAGE),
    "/t/{slug}/ratings.pdf": (PAGE, PAGE),
    "/t/{slug}/ratings.csv": (PAGE, PAGE),
    "/t/{slug}/ratings.json": (PAGE, PAGE),
    "/t/{slug}/ratings.exe": (NONE, NONE),
    "/t/{session}/ratings/": (MOVED, MOVED),
    "/t/{slug}/teams/": (PAGE, PAGE),
    "/t/{slug}/teams.pdf": (PAGE, PAGE),
    "/t/{slug}/teams.csv": (PAGE, PAGE),
    "/t/{slug}/teams.json": (PAGE, PAGE),
    "/t/{slug}/teams.exe": (NONE, NONE),
    "/t/{session}/teams/": (MOVED, MOVED),
    "/t/{slug}/register/": (LIVE, LIVE),
    "/t/{slug}/register/sent/": (LIVE, LIVE),
    "/t/{slug}/registration/1-x/": (NONE, NONE),
    "/t/{slug}/registration/1-x/confirm/": (REFUSED, REFUSED),
    "/t/{slug}/registration/1-x/withdraw/": (NONE, NONE),
    "/t/{slug}/registration/1-x/forget/": (NONE, NONE),
    "/t/{slug}/clock/": (PAGE, PAGE),
    "/t/{slug}/screen/": (MOVED, MOVED),
    "/t/{slug}/screen/1/": (PAGE, PAGE),
    "/t/{slug}/screen/2/": (NONE, NONE),
    "/t/{slug}/screen/99999999999999999999/": (NONE, NONE),
    "/t/{slug}/screen/news/?number=1&browser=abc&width=1920&height=1080": (LIVE, LIVE),
    "/t/{slug}/playing/": (PAGE, PAGE),
    "/t/{slug}/share/": (PAGE, PAGE),
    "/t/{slug}/share/?part=bracket&theme=dark": (PAGE, PAGE),
    "/t/{slug}/share/?part=x&theme=x": (PAGE, PAGE),
    "/t/{slug}/embed/table/": (PAGE, PAGE),
    "/t/{slug}/embed/table/?theme=dark": (PAGE, PAGE),
    "/t/{slug}/embed/table/?division=B": (PAGE, NONE),
    "/t/{slug}/embed/bracket/": (PAGE, PAGE),
    "/t/{slug}/embed/pairings/": (PAGE, PAGE),
    "/t/{slug}/embed/nothing/": (NONE, NONE),
    "/t/{slug}/card.png": (PAGE, PAGE),
    "/t/{slug}/feed.atom": (PAGE, PAGE),
    "/t/{slug}/event.ics": (NONE, NONE),  # its days are not known
    "/t/{slug}/manifest.webmanifest": (PAGE, PAGE),
    "/t/{slug}/push/": (REFUSED, REFUSED),
    "/t/{slug}/push-worker.js": (NONE, NONE),  # not on a laptop
    "/t/{session}/embed/table/": (PAGE, PAGE),
    "/t/{session}/embed/pairings/": (PAGE, PAGE),
    "/t/{session}/card.png": (PAGE, PAGE),
    "/t/{session}/feed.atom": (PAGE, PAGE),
    "/t/{session}/share/": (PAGE, PAGE),
    "/t/{slug}/players/P01/": (PAGE, NONE),
    "/t/{slug}/players/nobody%00/": (NONE, NONE),
    "/t/{slug}/game/{game}/": (PAGE, NONE),
    "/t/{slug}/game/{game}/?turn=1": (PAGE, NONE),
    "/t/{slug}/game/{game}/?turn=999": (NONE, NONE),
    "/t/{slug}/game/99999999999999999999/": (NONE, NONE),
    "/t/{slug}/game/{game}/game.gcg": (PAGE, NONE),
    "/t/{slug}/play-of-the-round/": (PAGE, PAGE),
    "/t/{slug}/stream/table/": (PAGE, PAGE),
    "/t/{slug}/stream/table/?division=B": (PAGE, NONE),
    "/t/{slug}/stream/pairings/": (PAGE, PAGE),
    "/t/{slug}/stream/board/": (PAGE, PAGE),
    "/t/{slug}/stream/board/?division=B": (PAGE, NONE),
    "/t/{slug}/tourney.js": (PAGE, PAGE),
    "/t/{slug}/stream/1/": (PAGE, NONE),
    "/t/{slug}/stream/2/": (NONE, NONE),
    "/t/{slug}/duplicate/": (PAGE, PAGE),
    "/t/{slug}/duplicate/hall/": (PAGE, PAGE),
    "/t/{session}/duplicate/": (PAGE, PAGE),
    "/t/{session}/duplicate/?turn=1": (PAGE, PAGE),
    "/t/{session}/duplicate/?turn=2": (NONE, NONE),  # it is being played
    "/t/{session}/duplicate/?division=B": (PAGE, PAGE),
    "/t/{session}/duplicate/hall/": (PAGE, PAGE),
    "/t/{session}/screen/1/": (PAGE, PAGE),
    "/t/{session}/stream/table/": (NONE, NONE),
    "/t/{session}/table/": (MOVED, MOVED),
    "/t/{session}/rounds/": (MOVED, MOVED),
}
"""What an address answers (cold, warm, and asked for again by whoever has the page): of a full event, of an empty
one."""


@pytest.fixture(scope="module")
def full_of_module(*, shares_rows: bool) -> dict[str, object]:
    """A round played and one running, a knock-out, a game to step through; a second division with a draft."""
    division = factories.event(players=8, ruleset="tso-2017", ratings_public=True, team_rule="places")
    OnlineEntry.objects.create(tournament=division.tournament, is_on=True)
    factories.played(division)
    factories.published(division)
    table = Pairing.objects.select_related("round__division__tournament").with_players().by_table()[0]
    game = sheet_with(table, games.GERMAN)
    annotated.publish_game(game, actor=factories.director())
    hall_stream.stream_table(division, table=1, actor=factories.director())
    factories.knockout_game(factories.knockout(division), (1, 1, 1), 420, 380)
    other = Division.objects.create(tournament=division.tournament, name="B", position=2)
    factories.enter(other, 2)
    factories.draft(other)
    publish(division.tournament.organiser)
    return {
        "slug": division.tournament.slug,
        "game": game.pairing_id,
        "organiser": division.tournament.organiser.slug,
        "session": _session(factories.director()),
        "season": _season(division, factories.director()),
    }


@pytest.fixture
def full(full_of_module: dict[str, object], db: None, settings: Any) -> dict[str, object]:
    """What addresses name of an event with everything."""
    settings.MAIL = MAIL
    return full_of_module


def _season(division: Division, actor: Actor) -> str:
    """A public season of this event."""
    plan = Season(name="Vereinspokal", points=(3, 2, 1), with_running=True, is_public=True)
    made = seasons.make_season(plan=plan, actor=actor)
    seasons.add_season_event(made, division=division, actor=actor)
    return made.slug


def _session(actor: Actor) -> str:
    session, _slip = evening("Duplicate-avond", actor)
    return session.division.tournament.slug


@pytest.fixture
def empty(db: None, settings: Any) -> dict[str, object]:
    """An event of which nothing is known but its name, and that it takes registrations; its organiser has no other."""
    settings.MAIL = MAIL
    erna = factories.director("erna", factories.organiser("SC Leer"))
    division = factories.event(players=0, rounds=0, by=erna, ratings_public=True, team_rule="wins")
    cup = division.tournament
    OnlineEntry.objects.create(tournament=cup, is_on=True)
    named = {"slug": cup.slug, "game": 1, "organiser": cup.organiser.slug}
    return {**named, "session": _session(erna), "season": _season(division, erna)}


def visited(address: str) -> Statuses:
    """What a stranger gets: the first of all, the second, and the second again with the page at hand."""
    first, second = Client().get(address), Client().get(address)
    known = second.headers.get("ETag")
    again = Client().get(address, headers={"if-none-match": known} if known else {})
    # One says what time it is, the other has a token for its form.
    assert first.content == second.content or "/screen/news/" in address or address.endswith("/register/")
    assert Client().head(address).status_code == first.status_code
    return first.status_code, second.status_code, again.status_code


def names(patterns: Iterable[URLPattern]) -> set[str]:
    """The names of the addresses that are neither the director's nor a player's own (tests/games/reports)."""
    return {str(each.name) for each in patterns if not str(each.pattern).startswith(("director/", "me/"))}


def test_every_public_address_has_a_case() -> None:
    cases = {
        resolve(
            case.partition("?")[0].format(slug="cup", game=1, organiser="club", session="avond", season="pokal")
        ).view_name
        for case in CASES
    }

    assert cases == {
        *(f"public:{name}" for name in names(tournament_urls.public_urls)),
        *(f"games:{name}" for name in names(games_urls.urlpatterns)),
    }


@pytest.mark.long
def test_stranger_sees_an_event_with_everything(full: dict[str, object]) -> None:
    assert {case: visited(case.format(**full)) for case in CASES} == {case: CASES[case][0] for case in CASES}


@pytest.mark.long
def test_stranger_sees_an_empty_event(empty: dict[str, object]) -> None:
    assert {case: visited(case.format(**empty)) for case in CASES} == {case: CASES[case][1] for case in CASES}


@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.long)])
def test_stranger_sees_no_event_that_is_not_public(every: int, full: dict[str, object]) -> None:
    Tournament.objects.update(is_public=False)
    cases = [case for case in CASES if case.startswith("/t/") and CASES[case][0] != REFUSED]

    assert {visited(case.format(**full)) for case in cases[::every]} == {NONE}


@pytest.mark.long
def test_stranger_reads_no_address_and_no_phone_number(full: dict[str, object]) -> None:
    Player.objects.update(email="anna@example.com", phone="0221 4711 0815")
    cases = [case.format(**full) for case, (first, *_others) in CASES.items() if first in (PAGE, LIVE)]
    pages = {case: b"".join(Client().get(case)) for case in cases}
    texts = {case: read_text(page) for case, page in pages.items()}

    assert len(texts) > 40
    assert [case for case, text in texts.items() if re.search("anna@example|4711|tel:", text)] == []


def read_text(page: bytes) -> str:
    """What can be read of a page or a document: in a PDF's own bytes four digits stand by chance."""
    if page.startswith(b"%PDF"):
        return "".join(sheet.extract_text() for sheet in PdfReader(io.BytesIO(page)).pages)
    return page.decode(errors="replace")


def test_address_of_a_knockout_round_leads_to_the_bracket(full: dict[str, object]) -> None:
    answer = Client().get("/t/{slug}/rounds/1101/".format(**full))

    assert answer.headers["Location"] == "/t/{slug}/bracket/?division=A".format(**full)
    assert answer.headers["Cache-Control"] == "private, no-store"
