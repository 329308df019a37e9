"""Why pairs meet, and why others do not, on the pages of a round and on a player's card."""

import pytest
from django.test import Client

from tests import factories
from tournament.events.operations import update_settings
from tournament.models import Division, Round
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.rounds.operations import publish_round
from tournament.table.league import list_round_pairings

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=6)


@pytest.fixture
def cup(cup_of_module: Division, db: None) -> Division:
    return factories.fresh(cup_of_module)


@pytest.fixture
def round(cup: Division) -> Round:
    drawn = draft_round(cup, actor=factories.director(), wish=DrawWish(seed=1))
    publish_round(drawn, actor=factories.director())
    return drawn


def names(round: Round) -> tuple[str, str]:
    first, second, *_ = list_round_pairings(round)
    return first.first.key, second.first.key


def test_everybody_sees_why_and_may_ask_why_not(round: Round, client: Client) -> None:
    one, other = names(round)

    page = client.get("/t/herbst-cup/rounds/1/", {"why": one, "not": other})
    card = client.get(f"/t/herbst-cup/players/{one}/")

    assert len(page.context["why"]) == 3
    assert page.context["asked"]["sentence"] in page.content.decode()
    assert page.context["asked"]["sentence"]
    assert len(card.context["why"]) == 1


def test_question_that_makes_no_sense_is_answered_on_the_page(round: Round, client: Client) -> None:
    for query in ({"why": "P01", "not": "P01"}, {"why": "P99", "not": "<b>"}, {"why": "P01", "not": "\0"}):
        page = client.get("/t/herbst-cup/rounds/1/", query)

        assert page.status_code == 200
        assert page.context["asked"]["obstacle"]
        assert "<b>" not in page.content.decode()


def test_director_can_keep_reasons_to_themselves(cup: Division, round: Round, client: Client) -> None:
    update_settings(cup.tournament, actor=factories.director(), public_reasons=False)
    one, other = names(round)

    page = client.get("/t/herbst-cup/rounds/1/", {"why": one, "not": other})
    card = client.get(f"/t/herbst-cup/players/{one}/")

    for answer in (page, card):
        assert answer.context["why"] == ()
        assert "why-not" not in answer.content.decode()


def test_director_asks_of_a_draft(cup: Division, director_client: Client) -> None:
    draft = draft_round(cup, actor=factories.director(), wish=DrawWish(seed=1))
    one, other = names(draft)

    page = director_client.get("/director/herbst-cup/rounds/1/", {"why": one, "not": other})

    assert page.context["asked"]["differences"]
    assert all(each in page.content.decode() for each in page.context["asked"]["differences"])


def test_stranger_asks_nothing_of_a_draft(cup: Division, client: Client) -> None:
    draft_round(cup, actor=factories.director(), wish=DrawWish(seed=1))

    assert client.get("/t/herbst-cup/rounds/1/", {"why": "P01", "not": "P02"}).status_code == 404
