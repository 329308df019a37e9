"""`tourney.js` while an event runs, the addresses of streams, and the page that explains it all."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from tests import factories
from tests.flows.test_nothing_held_is_told import count_in_seasons
from tests.games.duplicate.steps import evening
from tests.tournament.api.asking import count_queries, describe
from tournament.events.operations import update_settings
from tournament.hall.operations import stream_table
from tournament.knockout.operations import announce_knockout
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Round, Tournament
from tournament.ratings.division_ratings import load_division_ratings

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup() -> Division:
    return factories.event(players=5, rounds=4)


MOST_QUERIES = 30

DOCUMENT = Path(__file__).parents[3] / "docs" / "for-programs.md"


def follow(division: Division) -> dict[str, Any]:
    """What a program finds in the first division."""
    answer = Client().get(f"/t/{division.tournament.slug}/tourney.js")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    text = answer.content.decode("ascii").removeprefix("newt=").rstrip().removesuffix(";")
    return dict(json.loads(re.sub(r"\bundefined\b", "null", text))["divisions"][0])


def test_program_follows_an_event(cup: Division) -> None:
    played = factories.played(cup, (420, 380), (400, 390))
    factories.published(cup)
    factories.draft(cup)

    found = follow(cup)

    players = found["players"]
    assert players[0] is None
    assert (found["maxp"], found["maxr"]) == (1, 3)
    assert {len(each["pairings"]) for each in players[1:]} == {2}
    first = played.pairings.with_players().by_table()[0].first
    starter = next(each for each in players[1:] if each["name"] == first.player.name)
    assert (starter["scores"][0], starter["etc"]["p12"][0], starter["etc"]["board"][0]) == (420, 1, 1)
    assert starter["etc"]["rank_history"] == [2]  # the bye counts more


def test_new_ratings_are_told_where_they_are_public(cup: Division) -> None:
    factories.played(cup)
    before = [each["newr"] for each in follow(cup)["players"][1:]]
    Tournament.objects.update(ratings_public=True)
    cache.clear()
    new = {row.entry.key: row.new.new for row in load_division_ratings(factories.fresh(cup)).rows}

    assert before == [None] * 5
    assert [each["newr"] for each in follow(cup)["players"][1:]] == [new[f"P0{number}"] for number in range(1, 6)]
    assert any(new.values())


def test_program_is_told_nothing_that_is_held_back(cup: Division) -> None:
    factories.played(cup)
    Round.objects.update(results_shown="hand", table_shown="hand")
    held = follow(cup)
    Round.objects.update(pairings_shown="hand")
    cache.clear()
    unseen = follow(cup)

    games = [each for each in held["players"][1:] if each["pairings"][0]]
    assert [each["scores"] for each in games] == [[]] * 4
    assert not any("rank_history" in each["etc"] for each in held["players"][1:])
    assert (unseen["maxp"], unseen["players"][1]["pairings"]) == (-1, [])


def test_program_that_has_the_latest_gets_nothing(cup: Division) -> None:
    address = f"/t/{cup.tournament.slug}/tourney.js"
    etag = Client().get(address).headers["ETag"]

    same = Client().get(address, headers={"if-none-match": etag})
    factories.published(cup)
    new = Client().get(address, headers={"if-none-match": etag})

    assert (same.status_code, same.content, new.status_code) == (304, b"", 200)


def test_command_writes_the_same_and_that_of_a_hidden_event(cup: Division, tmp_path: Path, capfd: Any) -> None:
    factories.played(cup)
    Round.objects.update(results_shown="hand", table_shown="hand")
    public = Client().get(f"/t/{cup.tournament.slug}/tourney.js").content
    Tournament.objects.update(is_public=False)

    call_command("export_tourney_js", cup.tournament.slug, output=str(tmp_path / "tourney.js"))

    assert (tmp_path / "tourney.js").read_bytes() == public


def test_no_query_of_the_file_grows_with_field_or_rounds(cup: Division) -> None:
    factories.played(cup)
    few = count_queries(f"/t/{cup.tournament.slug}/tourney.js")
    factories.enter(cup, 35)
    factories.played(cup)

    assert count_queries(f"/t/{cup.tournament.slug}/tourney.js") == few <= MOST_QUERIES


@pytest.mark.parametrize(
    ("what", "before", "after"),
    [
        ("table", "Noch ist nichts gespielt.", "Tabelle nach Runde 1"),
        ("pairings", "Noch keine Runde ist veröffentlicht.", "Runde 1"),
        ("board", "Zurzeit wird kein Tisch übertragen.", "Tisch 2"),
    ],
)
@pytest.mark.sampled(1)
def test_address_of_a_stream_stays(cup: Division, what: str, before: str, after: str) -> None:
    address = f"/t/{cup.tournament.slug}/stream/{what}/"
    first = Client().get(address).content.decode()
    factories.played(cup)
    stream_table(cup, table=2, actor=factories.director())
    then = Client().get(address).content.decode()

    assert (before in first, after in first) == (True, False)
    assert (before in then, after in then) == (False, True)


@pytest.mark.long
def test_page_names_every_address_with_an_example(cup: Division) -> None:
    factories.played(cup)
    without = Client().get("/api/").content.decode()
    count_in_seasons(cup)
    page = Client().get("/api/").content.decode()

    for path in describe()["paths"]:
        assert f">{path}<" in page
        examples = re.findall(f'href="([^"]+)"><code translate="no">{path}<', page)
        assert len(examples) == (0 if path.endswith(("bracket", "teams")) else 1), path  # not there in this event
        assert [Client().get(example).status_code for example in examples] == [200] * len(examples), path
    assert "/api/v1/seasons/{slug}" in without
    assert 'href="/api/v1/seasons/' not in without
    assert f"/t/{cup.tournament.slug}/tourney.js" in page
    assert "„Herbst-Cup“" in page
    assert f"http://testserver/api/v1/events/{cup.tournament.slug}/table?limit=3" in page


def test_page_links_what_the_event_has(cup: Division) -> None:
    announce_knockout(cup, plan=KnockoutPlan(2, "single"), actor=factories.director())
    update_settings(cup.tournament, actor=factories.director(), team_rule="wins")
    page = Client().get("/api/").content.decode()

    for name in ("bracket", "teams"):
        address = f"/api/v1/events/{cup.tournament.slug}/{name}"
        assert f'href="{address}"' in page
        assert Client().get(address).status_code == 200


def test_page_links_no_table_of_a_duplicate_session(db: None) -> None:
    event = evening("Clubavond", factories.director())[0].division.tournament
    Tournament.objects.filter(pk=event.pk).update(is_public=True)
    page = Client().get("/api/").content.decode()

    examples = re.findall(r'href="(/api/v1/events/[^"]+|/t/[^"]+)"', page)
    assert examples
    assert [address for address in examples if Client().get(address).status_code != 200] == []


def test_document_names_every_address() -> None:
    told = DOCUMENT.read_text(encoding="utf-8")
    paths = [path.removeprefix("/api/v1/").replace("{slug}", "SLUG") for path in describe()["paths"]]

    assert [path for path in paths if f"\n| `{path}` |" not in told] == []


def test_page_shows_the_event_that_is_asked_for_if_it_is_public(cup: Division) -> None:
    hidden = factories.event(name="Geheim-Cup").tournament
    Tournament.objects.filter(pk=hidden.pk).update(is_public=False)

    assert "Herbst-Cup" in Client().get(f"/api/?event={cup.tournament.slug}").content.decode()
    for asked in (hidden.slug, "nobody", "%00"):
        assert "Herbst-Cup" in Client().get(f"/api/?event={asked}").content.decode()


def test_page_without_any_event_says_so(db: None) -> None:
    assert "Noch ist kein Turnier öffentlich" in Client().get("/api/").content.decode()
