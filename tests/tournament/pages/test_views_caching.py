"""Whole pages: kept for everybody, gone with the next revision, never shared with somebody in particular."""

import gzip

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests import factories
from tournament.basics.showing import ShowingTrigger
from tournament.events.operations import set_public
from tournament.models import Division, Organiser, Tournament
from tournament.pages import caching
from tournament.results.operations import withdraw_result

TABLE = "/t/herbst-cup/table/"


def queries_of(client: Client, path: str, **options: object) -> tuple[int, int]:
    """The status of an answer and how many queries it took."""
    with CaptureQueriesContext(connection) as queries:
        response = client.get(path, **options)  # type: ignore[arg-type]  # headers and nothing else
    return response.status_code, len(queries)


def test_second_reader_costs_one_query(public_cup: Division, reader: Client, client: Client) -> None:
    client.cookies["django_language"] = "en"
    first = reader.get(TABLE)

    assert queries_of(client, TABLE) == (200, 1)
    assert client.get(TABLE).content == first.content


@pytest.mark.parametrize("change", [{"name": "SC Neu"}, {"colour": "#123456"}, {"profiles_public": True}])
@pytest.mark.sampled(1)
def test_page_is_made_anew_with_what_its_club_is(
    public_cup: Division, reader: Client, change: dict[str, object]
) -> None:
    reader.get(TABLE)
    kept = queries_of(reader, TABLE)
    Organiser.objects.filter(pk=public_cup.tournament.organiser_id).update(**change)

    status, count = queries_of(reader, TABLE)

    assert kept == (200, 1)
    assert status == 200
    assert count > 1
    assert queries_of(reader, TABLE) == (200, 1)


def test_page_of_an_event_that_holds_back_is_not_answered_by_its_revision_alone(
    public_cup: Division, reader: Client
) -> None:
    reader.get(TABLE)
    public_cup.rounds.filter(number=2).update(table_shown=ShowingTrigger.HAND.value)

    assert queries_of(reader, TABLE)[0] == 200
    assert cache.get("kept:herbst-cup") is None


def test_same_page_again_is_not_sent(public_cup: Division, reader: Client) -> None:
    seen = reader.get(TABLE)

    again = reader.get(TABLE, headers={"if-none-match": seen.headers["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == seen.headers["ETag"]
    assert again.headers["Cache-Control"] == "private, no-cache"


def test_recorded_result_changes_the_page(public_cup: Division, reader: Client) -> None:
    seen = reader.get(TABLE)
    factories.result(public_cup.rounds.get(number=3), 2, 444, 333)

    again = reader.get(TABLE, headers={"if-none-match": seen.headers["ETag"]})

    assert again.status_code == 200
    assert again.context["shown"].is_provisional is False
    assert seen.context["shown"].is_provisional is True


def test_withdrawn_result_changes_the_page(public_cup: Division, reader: Client) -> None:
    seen = reader.get(TABLE).content
    pairing = public_cup.rounds.get(number=3).pairings.get(table=1)
    withdraw_result(pairing, actor=factories.director())

    assert reader.get(TABLE).content != seen


def test_page_keeps_languages_apart(public_cup: Division, reader: Client, client: Client) -> None:
    reader.get(TABLE)

    assert '<html lang="de">' in client.get(TABLE).content.decode()


def test_page_keeps_addresses_apart(public_cup: Division, reader: Client) -> None:
    pages = {path: reader.get(path).content for path in (TABLE, TABLE + "1/", TABLE + "2/")}

    assert len(set(pages.values())) == 3


def test_signed_in_reader_gets_a_page_of_their_own(
    public_cup: Division, client: Client, director_client: Client, stranger_client: Client
) -> None:
    client.get(TABLE)

    mine, theirs = director_client.get(TABLE), stranger_client.get(TABLE)

    assert 'href="/director/herbst-cup/"' in mine.content.decode()
    assert 'href="/director/"' in theirs.content.decode()
    assert 'href="/director/herbst-cup/"' not in theirs.content.decode()
    assert ["no-store" in page.headers["Cache-Control"] for page in (mine, theirs)] == [True, True]
    assert "/director/" not in client.get(TABLE).content.decode()


def test_page_for_everybody_holds_no_token_and_sets_no_cookie(public_cup: Division, client: Client) -> None:
    page = client.get(TABLE)

    assert "csrfmiddlewaretoken" not in page.content.decode()
    assert not page.cookies
    assert "Cookie" in page.headers["Vary"]


def test_reader_with_messages_gets_a_page_of_their_own(public_cup: Division, client: Client) -> None:
    client.cookies["messages"] = "anything"

    assert "no-store" in client.get(TABLE).headers["Cache-Control"]


def test_search_does_not_fill_the_cache(public_cup: Division, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[str] = []
    monkeypatch.setattr(cache, "set", lambda key, *rest: kept.append(key))

    for address in ("entries/?q=anna", "table/?utm=1", "entries/?division=A&x=1"):
        client.get("/t/herbst-cup/" + address)

    assert kept == []


def test_page_of_a_namesake_is_not_served(public_cup: Division, reader: Client) -> None:
    reader.get(TABLE)
    Tournament.objects.filter(pk=public_cup.tournament_id).update(slug="alt", is_public=False)
    factories.event("Herbst-Cup", players=1)

    assert len(reader.get(TABLE).context["shown"].lines) == 1


def test_page_comes_back_when_the_tournament_is_shown_again(public_cup: Division, reader: Client) -> None:
    for public in (False, True):
        set_public(public_cup.tournament, public=public, actor=factories.director())

    assert reader.get(TABLE).status_code == 200


@pytest.mark.parametrize("asked", ["gzip, deflate, br", "br", ""])
@pytest.mark.sampled(1)
def test_page_is_packed_for_who_can_unpack_it(public_cup: Division, reader: Client, asked: str) -> None:
    plain = reader.get(TABLE).content

    answer = reader.get(TABLE, headers={"accept-encoding": asked})

    packed = "gzip" in asked
    assert answer.headers.get("Content-Encoding") == ("gzip" if packed else None)
    assert (gzip.decompress(answer.content) if packed else answer.content) == plain
    assert len(answer.content) == int(answer.headers["Content-Length"])
    assert "Accept-Encoding" in answer.headers["Vary"]


def test_file_that_is_packed_already_is_sent_as_it_is(public_cup: Division, reader: Client) -> None:
    answer = reader.get("/t/herbst-cup/table.pdf", headers={"accept-encoding": "gzip"})

    assert "Content-Encoding" not in answer.headers
    assert answer.content.startswith(b"%PDF-")


def test_made_up_ports_of_the_program_do_not_fill_the_cache(
    public_cup: Division, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caching, "MAX_CACHED_QUERIES", 2)

    answers = [client.get("/t/herbst-cup/feed.atom", headers={"host": f"localhost:{port}"}) for port in range(81, 85)]

    assert [answer.has_header("ETag") for answer in answers] == [True, True, False, False]
    assert client.get(TABLE).has_header("ETag")


@pytest.mark.parametrize("queries", [[f"sort=made-up-{number}" for number in range(4)], ["&", "&&", "&&&", "&&&&"]])
def test_made_up_values_of_a_query_do_not_fill_the_cache(
    queries: list[str], public_cup: Division, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caching, "MAX_CACHED_QUERIES", 2)

    answers = [client.get(f"{TABLE}?{query}") for query in queries]

    assert ["ETag" in answer.headers for answer in answers] == [True, True, False, False]
    assert "ETag" in client.get(TABLE).headers
