"""The page where lots are drawn."""

import pytest
from django.test import Client

from tests.tournament.rounds import steps
from tournament.core.change import Actor
from tournament.models import Division, Entry, Lot, Tournament
from tournament.table.league import load_table

pytestmark = pytest.mark.usefixtures("four_of_module")


@pytest.fixture
def address(cup: Tournament) -> str:
    return f"/director/{cup.slug}/lots/"


@pytest.fixture
def level(division: Division, four: list[Entry], doris: Actor) -> None:
    """Both games end 420 : 380: two winners are level, and two losers."""
    steps.play_next_round(division, doris)


def test_before_the_first_round_there_is_nothing_to_draw(address: str, four: list[Entry], doris_client: Client) -> None:
    assert doris_client.get(address).context["groups"] == []


@pytest.mark.usefixtures("level")
def test_draw_settles_one_group(division: Division, address: str, doris_client: Client) -> None:
    groups = doris_client.get(address).context["groups"]

    doris_client.post(address, {"one_of": groups[1][0].pk})

    assert sorted(Lot.objects.get().order) == sorted(entry.pk for entry in groups[1])
    assert [row.standing.rank for row in load_table(division, after=1).rows] == [1, 1, 3, 4]


@pytest.mark.usefixtures("level")
def test_draw_sent_twice_draws_once(address: str, doris_client: Client) -> None:
    chosen = doris_client.get(address).context["groups"][0][0]

    for _ in range(2):
        doris_client.post(address, {"one_of": chosen.pk})

    assert Lot.objects.count() == 1


@pytest.mark.usefixtures("level")
@pytest.mark.parametrize("one_of", ["", "x", "4711"])
@pytest.mark.sampled(1)
def test_draw_for_nobody_draws_nothing(address: str, doris_client: Client, one_of: str) -> None:
    answer = doris_client.post(address, {"one_of": one_of})

    assert (answer.status_code, Lot.objects.count()) == (302, 0)


@pytest.mark.usefixtures("level")
def test_discard_twice_is_harmless(address: str, doris_client: Client) -> None:
    doris_client.post(address, {"one_of": doris_client.get(address).context["groups"][0][0].pk})
    lot = Lot.objects.get()

    answers = [doris_client.post(f"{address}{lot.pk}/discard/") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert not Lot.objects.exists()


@pytest.mark.usefixtures("level")
def test_discard_of_another_tournaments_lot_changes_nothing(
    address: str, other_cup: Tournament, doris_client: Client
) -> None:
    doris_client.post(address, {"one_of": doris_client.get(address).context["groups"][0][0].pk})

    doris_client.post(f"/director/{other_cup.slug}/lots/{Lot.objects.get().pk}/discard/")

    assert Lot.objects.count() == 1
