"""The page where lots are drawn."""

import pytest
from django.test import Client

from tests import factories
from tests.tournament.conftest import enter_four, make_cup
from tests.tournament.rounds import steps
from tournament.models import Division, Lot, Tournament
from tournament.table.league import load_table

pytestmark = pytest.mark.usefixtures("four_of_module")


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Tournament:
    """Both games end 420 : 380, so that the two winners are level, and the two losers."""
    cup = make_cup()
    division = cup.divisions.get(name="A")
    enter_four(division)
    steps.play_next_round(division, factories.director())
    return cup


@pytest.fixture
def address(cup: Tournament) -> str:
    return f"/director/{cup.slug}/lots/"


def test_before_the_first_round_there_is_nothing_to_draw(doris_client: Client) -> None:
    slug = factories.event("Winter-Cup", players=4).tournament.slug

    assert doris_client.get(f"/director/{slug}/lots/").context["groups"] == []


def test_draw_settles_one_group(division: Division, address: str, doris_client: Client) -> None:
    groups = doris_client.get(address).context["groups"]

    doris_client.post(address, {"one_of": groups[1][0].pk})

    assert sorted(Lot.objects.get().order) == sorted(entry.pk for entry in groups[1])
    assert [row.standing.rank for row in load_table(division, after=1).rows] == [1, 1, 3, 4]


def test_draw_sent_twice_draws_once(address: str, doris_client: Client) -> None:
    chosen = doris_client.get(address).context["groups"][0][0]

    for _ in range(2):
        doris_client.post(address, {"one_of": chosen.pk})

    assert Lot.objects.count() == 1


@pytest.mark.parametrize("one_of", ["", "x", "4711"])
@pytest.mark.sampled(1)
def test_draw_for_nobody_draws_nothing(address: str, doris_client: Client, one_of: str) -> None:
    answer = doris_client.post(address, {"one_of": one_of})

    assert (answer.status_code, Lot.objects.count()) == (302, 0)


def test_discard_twice_is_harmless(address: str, doris_client: Client) -> None:
    doris_client.post(address, {"one_of": doris_client.get(address).context["groups"][0][0].pk})
    lot = Lot.objects.get()

    answers = [doris_client.post(f"{address}{lot.pk}/discard/") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert not Lot.objects.exists()


def test_discard_of_another_tournaments_lot_changes_nothing(
    address: str, other_cup: Tournament, doris_client: Client
) -> None:
    doris_client.post(address, {"one_of": doris_client.get(address).context["groups"][0][0].pk})

    doris_client.post(f"/director/{other_cup.slug}/lots/{Lot.objects.get().pk}/discard/")

    assert Lot.objects.count() == 1
