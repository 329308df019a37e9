"""The read interface: its answers are as it describes them, and the public's."""

import json
import os
import random
from typing import Any

import pytest
import time_machine
from django.core.cache import cache, caches
from django.test import Client, RequestFactory

from config.errors import server_error
from scoring.season import SeasonRule
from tests import factories
from tests.flows.random_event import RandomEvent
from tests.flows.test_nothing_held_is_told import count_in_seasons, hide_some
from tests.games.duplicate.steps import evening
from tests.laws import seeds
from tests.tournament.api.asking import (
    KEPT,
    ask,
    ask_event,
    count_queries,
    describe,
    find_faults,
    list_addresses,
    without_words,
)
from tests.tournament.teams.test_team_matches import league, play
from tournament.api import serving
from tournament.models import Division, Entry, Round, Season, SeasonEvent, Tournament
from tournament.results.operations import withdraw_result

pytestmark = pytest.mark.django_db

DORIS = factories.director
TABLE = "/api/v1/events/{slug}/table"


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=6, rounds=4)


@pytest.fixture
def cup(cup_of_module: Division, db: None) -> Division:
    return factories.fresh(cup_of_module)


def season(division: Division) -> Season:
    count_in_seasons(division)
    return Season.objects.get(slug=SeasonRule.PLACES)


def list_changes(kept: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """The addresses and the shapes of answers that were promised and have gone or become others."""
    parts = [(each["paths"], each["components"]["schemas"]) for each in map(without_words, (kept, now))]
    return [name for old, new in zip(*parts, strict=True) for name in old if old[name] != new.get(name)]


def test_a_promise_that_is_broken_is_found() -> None:
    for path in (("paths", "/api/v1/events"), ("components", "schemas", "EventAnswer", "properties", "slug")):
        changed = describe()
        place = changed
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

        assert len(list_changes(describe(), changed)) == 1


def test_version_1_is_never_changed() -> None:
    """Programs rely on it. What must be said otherwise is said by a version 2 beside it (docs/for-programs.md); new
    addresses are added with `TSO_WRITE_DOCS=1`. A new version of a library may write the same in another way: look at
    the difference, then write it down by hand."""
    assert list_changes(json.loads(KEPT.read_text(encoding="utf-8")), describe()) == []
    if os.environ.get("TSO_WRITE_DOCS"):
        KEPT.write_text(json.dumps(describe(), indent=1) + "\n", encoding="utf-8")

    kept = json.loads(KEPT.read_text(encoding="utf-8"))

    assert without_words(describe()) == without_words(kept), (
        "Version 1 is never changed: offer a version 2 for what is new."
    )


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(2))
def test_answers_are_as_described_while_rounds_are_held_back(seed: int) -> None:
    event = RandomEvent(seed)
    faults = []
    for _turn in range(2):
        for _step in range(15):
            event.step()
        division = event.division
        hide_some(random.Random(seed), division)
        counted = Season.objects.filter(slug=SeasonRule.PLACES).first() or season(division)
        for path, address in list_addresses(division, counted).items():
            answer = Client().get(address)
            faults += find_faults(path, answer.status_code, answer.json())

    assert faults == []


@pytest.mark.long
def test_answers_of_a_session_are_as_described() -> None:
    division = evening("Duplicate-avond", DORIS())[0].division
    faults, statuses = [], {}
    for path, address in list_addresses(division, season(division)).items():
        answer = Client().get(address)
        statuses[path.rpartition("/")[2]] = answer.status_code
        faults += find_faults(path, answer.status_code, answer.json())

    assert faults == []
    missing = [what for what, status in statuses.items() if status == 404]
    assert missing == ["table", "bracket", "statistics", "chances", "teams", "team-matches"]


def test_empty_event_has_empty_lists() -> None:
    empty = factories.event(players=0, rounds=0)

    assert [ask_event(empty, what)["items"] for what in ("entries", "rounds", "results", "table", "chances")] == [
        []
    ] * 5
    assert ask_event(empty)["divisions"] == [
        {"name": "A", "players": 0, "planned_rounds": 0, "round": 0, "table_after": 0, "has_knockout": False}
    ]


def test_event_tells_who_plays_what_is_played_and_how_it_stands(cup: Division) -> None:
    factories.played(cup, (420, 380), (400, 390), (350, 350))
    factories.published(cup)

    assert ask("events")["items"][0]["slug"] == cup.tournament.slug
    assert [each["name"] for each in ask_event(cup, "entries", limit=2)["items"]] == ["Aumann, Klara", "Dvořák, Jana"]
    assert [(each["games"], each["results"]) for each in ask_event(cup, "rounds")["items"]] == [(3, 3), (3, 0)]
    results = ask_event(cup, "results")["items"]
    assert [(each["round"], each["outcome"]) for each in results] == [(1, "played")] * 3 + [(2, "open")] * 3
    assert (results[0]["first_points"], results[0]["second_points"]) == (420, 380)
    table = ask_event(cup, "table")
    assert (table["after"], table["missing"], table["total"]) == (1, 0, 6)
    assert table["items"][0]["spread"] == 40
    assert ask_event(cup, "statistics")["records"][0]["holders"][0]["points"] == 420
    assert ask_event(cup, "chances")["runs"] == 20_000


def test_knockout_is_told_with_names(cup: Division) -> None:
    factories.played(cup)
    factories.knockout_game(factories.knockout(cup), (1, 1, 1), 420, 380)

    bracket = ask_event(cup, "bracket")

    first = bracket["stages"][0][0]
    assert first["names"][0] == next(each["name"] for each in ask_event(cup, "table")["items"])
    assert {each["stage"] for each in ask_event(cup, "results")["items"]} == {None, 1}
    assert [each["number"] for each in ask_event(cup, "rounds")["items"]][:2] == [1, 1101]


def test_held_back_results_are_open_games(cup: Division) -> None:
    factories.played(cup)
    Round.objects.update(results_shown="hand", table_shown="hand")

    assert {each["outcome"] for each in ask_event(cup, "results")["items"]} == {"open"}
    assert [each["results_shown"] for each in ask_event(cup, "rounds")["items"]] == [False]
    assert ask_event(cup, "table")["after"] == 0


def test_drafts_are_not_told(cup: Division) -> None:
    factories.draft(cup)

    assert ask_event(cup, "results")["total"] == ask_event(cup, "rounds")["total"] == 0


@pytest.mark.parametrize(
    "path",
    [
        *("v1/", "v1/nothing", "v1/events/Ü/table", "v1/events/%17%18", "v1/seasons/+2", "v1/events/herbst-cup/table/"),
        *("v1/" + "x" * 3000, "v2/events", "v1", "nothing"),
    ],
)
def test_address_that_is_none_is_told_as_json(path: str) -> None:
    answer = Client().get(f"/api/{path}")

    assert answer.status_code == 404
    assert answer.json() == {"detail": "There is nothing public at this address."}
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert int(answer["RateLimit-Remaining"]) < 600


@pytest.mark.parametrize(
    "path", ["events", "events/nothing", "events/nothing/table", "seasons/nothing", "openapi.json"]
)
@pytest.mark.parametrize("method", ["post", "put", "delete", "trace"])
def test_method_that_is_none_here_is_refused_before_anything_is_looked_up(method: str, path: str) -> None:
    answer = Client().generic(method.upper(), f"/api/v1/{path}")

    assert answer.status_code == 405
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert answer.json() == {"detail": "Programs only read here."}


def test_failure_is_told_as_json() -> None:
    request = RequestFactory().get("/api/v1/events")

    answer = server_error(request)

    assert (answer.status_code, answer["Content-Type"]) == (500, "application/json")
    assert json.loads(answer.content) == {"detail": "The program has failed here and has noted why."}
    assert server_error(RequestFactory().get("/t/herbst-cup/"))["Content-Type"].startswith("text/html")


@pytest.mark.long
def test_query_is_read_also_where_the_answer_without_one_is_kept(cup: Division) -> None:
    factories.played(cup)
    given = describe()["paths"]
    pages = [path for path in given if any(one["name"] == "limit" for one in given[path]["get"].get("parameters", ()))]
    unread = []
    for path, address in list_addresses(cup, season(cup)).items():
        if path not in pages or Client().get(address).status_code != 200:
            continue
        cut = Client().get(address, {"limit": 1, "offset": 1}).json()
        if (cut["limit"], cut["offset"]) != (1, 1) or Client().get(address, {"limit": 501}).status_code != 422:
            unread.append(path)

    assert len(pages) > 8
    assert unread == []


def test_hidden_event_is_as_unknown_as_none(cup: Division) -> None:
    known = season(cup)
    Tournament.objects.update(is_public=False)
    Season.objects.update(is_public=False)

    answers = {
        address: Client().get(address).status_code
        for path, address in list_addresses(cup, known).items()
        if "{slug}" in path
    }

    assert set(answers.values()) == {404}
    assert ask("events")["total"] == ask("seasons")["total"] == 0
    said = [Client().get(TABLE.format(slug=slug)).content for slug in (cup.tournament.slug, "nobody")]
    assert said[0] == said[1]


@pytest.mark.long
def test_parts_of_a_list_make_the_whole_list(cup: Division) -> None:
    factories.played(cup)
    factories.published(cup)
    for what in ("entries", "rounds", "results", "table", "chances"):
        whole = ask_event(cup, what)
        parts = [ask_event(cup, what, limit=2, offset=offset)["items"] for offset in range(0, whole["total"] + 2, 2)]
        assert [item for part in parts for item in part] == whole["items"], what
        assert len(whole["items"]) == whole["total"] > 0, what


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"limit": 0}, 422),
        ({"limit": 501}, 422),
        ({"offset": -1}, 422),
        ({"limit": "many"}, 422),
        ({"after": "\N{ARABIC-INDIC DIGIT THREE}x"}, 422),
        ({"after": 3}, 404),
        ({"division": "Z"}, 404),
    ],
)
def test_question_that_has_no_answer_is_refused_in_english(cup: Division, query: dict[str, Any], status: int) -> None:
    answer = Client().get(TABLE.format(slug=cup.tournament.slug), query)

    assert answer.status_code == status
    assert find_faults(TABLE, status, answer.json()) == []
    assert answer.headers["Content-Language"] == "en"


def test_unchanged_answer_is_not_sent_again(cup: Division) -> None:
    played = factories.played(cup)
    addresses = list_addresses(cup, season(cup)).values()
    etags = {}
    for address in addresses:
        answer = Client().get(address)
        etags[address] = answer.headers.get("ETag", "")
        known = Client().get(address, headers={"if-none-match": etags[address]})
        assert known.status_code == (304 if answer.status_code == 200 else answer.status_code), address

    withdraw_result(played.pairings.all()[0], actor=DORIS())
    table = TABLE.format(slug=cup.tournament.slug)

    assert Client().get(table, headers={"if-none-match": etags[table]}).status_code == 200


@time_machine.travel("2026-10-03 14:00:15 +0200", tick=False)
def test_limit_is_told_and_kept(cup: Division, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "READS_A_MINUTE", 2)
    caches["attempts"].clear()
    address = TABLE.format(slug=cup.tournament.slug)

    answers = [Client().get(address) for _turn in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [answer.headers["RateLimit-Remaining"] for answer in answers] == ["1", "0", "0"]
    assert answers[0].headers["RateLimit-Limit"] == "2"
    assert [answers[2].headers[name] for name in ("RateLimit-Reset", "Retry-After")] == ["45", "45"]
    assert find_faults(TABLE, 429, answers[2].json()) == []
    assert Client(REMOTE_ADDR="192.0.2.7").get(address).status_code == 200


def test_pages_of_any_origin_may_read_and_nothing_else(cup: Division) -> None:
    address = TABLE.format(slug=cup.tournament.slug)
    origin = {"origin": "https://overlay.example"}

    answer = Client().get(address, headers=origin)
    asked = Client().options(address, headers={**origin, "access-control-request-method": "GET"})

    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert asked.status_code == 204
    assert asked.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    assert Client(enforce_csrf_checks=True).post(address).status_code == 405
    page = Client().get(f"/t/{cup.tournament.slug}/table/", headers=origin)
    assert "Access-Control-Allow-Origin" not in page.headers


@pytest.mark.long
def test_answer_is_the_same_for_the_director(cup: Division) -> None:
    factories.played(cup)
    Round.objects.update(results_shown="hand", table_shown="hand")
    signed_in = Client()
    factories.sign_in(signed_in)

    for address in list_addresses(cup, season(cup)).values():
        cache.clear()
        assert signed_in.get(address).content == Client().get(address).content, address


MOST_QUERIES = 16


@pytest.mark.long
def test_no_query_grows_with_field_or_rounds(cup: Division) -> None:
    cup.tournament.team_rule = "wins"
    cup.tournament.save()
    counted = season(cup)
    factories.knockout(cup)
    factories.played(cup)
    asked = list_addresses(cup, counted)
    few = {path: count_queries(address) for path, address in asked.items()}
    factories.enter(cup, 34)
    for _round in range(2):
        factories.played(cup)

    many = {path: count_queries(address) for path, address in asked.items()}

    assert many == few
    assert max(many.values()) <= MOST_QUERIES


def test_teams_are_told_by_their_players(cup: Division) -> None:
    Tournament.objects.update(team_rule="wins", team_best=2)
    for number, entry in enumerate(Entry.objects.order_by("pk")):
        Entry.objects.filter(pk=entry.pk).update(team=("Fulda", "Köln")[number % 2])
    before = ask_event(cup, "teams")
    factories.played(factories.fresh(cup), (400, 300), (400, 300), (400, 300))

    after = ask_event(cup, "teams")

    assert [before["after"], after["after"]] == [0, 1]
    assert [after[key] for key in ("division", "rule", "best", "total")] == ["A", "wins", 2, 2]
    assert {row["rank"] for row in before["items"]} == {None}
    first, second = after["items"]
    assert (first["rank"], first["wins"] >= second["wins"], first["match_points"]) == (1, True, None)
    assert {len(row["players"]) for row in after["items"]} == {3}
    assert [sum(player["counts"] for player in row["players"]) for row in after["items"]] == [2, 2]
    assert ask_event(cup, "teams", limit=1, offset=1)["items"] == [second]


def test_teams_are_told_by_their_matches() -> None:
    division = league(("Fulda", 2), ("Köln", 2))
    play(division, "Fulda")
    found, matches = ask_event(division, "teams"), ask_event(division, "team-matches")

    assert (found["rule"], found["after"]) == ("matches", 1)
    assert all(row["match_points"] is not None and row["place_points"] is None for row in found["items"])
    assert {match["counts"] for match in matches["items"]} == {True}
    assert sum(sum(match["board_points"]) for match in matches["items"]) == sum(
        row["board_points"] for row in found["items"]
    )


def test_event_without_teams_says_so(cup: Division) -> None:
    answer = Client().get(f"/api/v1/events/{cup.tournament.slug}/teams")

    assert answer.status_code == 404
    assert "no table of teams" in answer.json()["detail"]
    assert ask_event(cup, "team-matches")["items"] == []


def test_season_tells_who_qualifies(cup: Division) -> None:
    factories.played(cup, (440, 300), (420, 300), (400, 300))
    count_in_seasons(cup)
    SeasonEvent.objects.update(direct=2)

    found = ask(f"seasons/{SeasonRule.QUALIFYING}/qualified")
    others = ask(f"seasons/{SeasonRule.PLACES}/qualified")

    assert [row["by"] for row in found["items"]] == ["direct", "direct"]
    assert [row["direct"] for row in found["items"]] == [{"event": 0, "place": 1}, {"event": 0, "place": 2}]
    assert others["items"] == []
