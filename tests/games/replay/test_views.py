"""The public page of a game: for everybody once it is published, for nobody before."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.gcg.checking import check_game
from games.gcg.operations import publish_game, unpublish_game
from games.gcg.reading import read_gcg
from games.models import Scoresheet
from tests import factories
from tests.games.gcg import games
from tests.games.replay.conftest import sheet_with
from tournament.models import Division, Pairing, Round, Tournament


@pytest.fixture
def address(cup: Tournament, public: Scoresheet) -> str:
    return f"/t/{cup.slug}/game/{public.pairing_id}/"


def test_anybody_may_step_through(anybody: Client, address: str) -> None:
    page = anybody.get(address, {"turn": "4"}).content.decode()

    assert "After turn 4 of 7" in page
    assert "4H KINDE" in page
    assert page.count("sq-new") == 4
    assert all(f'href="?turn={turn}#board" data-way="{way}"' in page for way, turn in WAYS.items())


WAYS = {"first": 0, "back": 3, "next": 5, "last": 7}


def test_page_begins_at_the_end(anybody: Client, address: str) -> None:
    answer = anybody.get(address)

    assert (answer.context["turn"], answer.context["ways"]["next"]) == (7, None)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("turn", ["8", "-1", "x", "٣", "00001", "9" * 5000])
def test_turn_that_the_game_has_not_is_not_found(anybody: Client, address: str, turn: str) -> None:
    assert anybody.get(address, {"turn": turn}).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("pairing", ["0", "9" * 20, "9" * 4000])
def test_game_that_does_not_exist_is_not_found(anybody: Client, cup: Tournament, pairing: str) -> None:
    answers = [anybody.get(f"/t/{cup.slug}/game/{pairing}/{file}") for file in ("", "game.gcg")]

    assert [answer.status_code for answer in answers] == [404, 404]


def test_nothing_is_shown_that_is_not_public(anybody: Client, address: str, public: Scoresheet) -> None:
    unpublish_game(public, actor=factories.director())

    assert [anybody.get(path).status_code for path in (address, f"{address}game.gcg")] == [404, 404]


@pytest.mark.parametrize("why", ["draft", "private tournament", "another tournament"])
def test_game_is_as_private_as_its_round_and_tournament(
    anybody: Client, address: str, public: Scoresheet, cup: Tournament, why: str
) -> None:
    if why == "draft":
        Round.objects.filter(pk=public.pairing.round_id).update(state=Round.State.DRAFT)
    elif why == "private tournament":
        Tournament.objects.filter(pk=cup.pk).update(is_public=False)
    else:
        other = factories.event("Frühlings-Cup")
        address = address.replace(cup.slug, other.tournament.slug)

    assert anybody.get(address).status_code == 404


def test_changed_sheet_shows_at_once(anybody: Client, address: str, public: Scoresheet) -> None:
    before = anybody.get(address)
    unpublish_game(public, actor=factories.director())
    publish_game(public, actor=factories.director())

    after = anybody.get(address)

    assert (before.status_code, after.status_code) == (200, 200)
    assert anybody.get(address, headers={"If-None-Match": after["ETag"]}).status_code == 304


def test_cached_page_takes_one_query(
    anybody: Client, address: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    anybody.get(address, {"turn": "3"})

    with django_assert_num_queries(1):
        anybody.get(address, {"turn": "3"})


@pytest.mark.parametrize("seed", [None, 3])
def test_page_takes_as_many_queries_however_long_the_game(
    doris_client: Client,
    cup: Tournament,
    tables: list[Pairing],
    seed: int | None,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    made = sheet_with(tables[0], games.GERMAN if seed is None else games.format_game(games.dealt(seed)))
    publish_game(made, actor=factories.director())

    with django_assert_num_queries(11):
        doris_client.get(f"/t/{cup.slug}/game/{tables[0].pk}/")


def test_public_file_is_the_game(anybody: Client, address: str) -> None:
    answer = anybody.get(f"{address}game.gcg")

    checked = check_game(read_gcg(answer.content))
    assert (checked.differences, checked.problems, list(checked.final.values())) == ((), (), [26, 33])


def test_round_and_card_lead_to_the_game(anybody: Client, address: str, cup: Tournament, public: Scoresheet) -> None:
    first = public.pairing.first
    pages = [f"/t/{cup.slug}/rounds/1/", f"/t/{cup.slug}/players/{first.key}/"]
    stranger = f"/t/{cup.slug}/players/{Pairing.objects.order_by('pk').last().first.key}/"

    assert [f'href="{address}"' in anybody.get(page).content.decode() for page in [*pages, stranger]] == [
        True,
        True,
        False,
    ]


def test_game_of_the_knock_out_is_shown_like_any_other(anybody: Client, division: Division) -> None:
    knocked = factories.knockout(division)
    played = Pairing.objects.filter(round__division=knocked, round__stage=1).select_related(
        "round__division__tournament"
    )
    table = played.with_players().order_by("pk")[0]
    publish_game(sheet_with(table, games.GERMAN), actor=factories.director())

    page = anybody.get(f"/t/{knocked.tournament.slug}/game/{table.pk}/").content.decode()

    assert "8D WÖRTER" in page
    assert "/rounds/1101/" not in page


@pytest.mark.parametrize("count", [1, 3])
def test_round_takes_as_many_queries_however_many_games_are_public(
    doris_client: Client,
    cup: Tournament,
    tables: list[Pairing],
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for table in tables[:count]:
        publish_game(sheet_with(table, games.GERMAN), actor=factories.director())

    with django_assert_num_queries(15):
        page = doris_client.get(f"/t/{cup.slug}/rounds/1/").content.decode()

    assert page.count("/game/") == count
