"""What an open page hears when it asks for news."""

from http import HTTPStatus

import pytest
from django.test import Client

from tests import factories
from tournament.events.operations import set_public
from tournament.models import Division, Tournament

NEWS = "/t/herbst-cup/news/"
OF_ALL = "/news/"


@pytest.mark.parametrize("address", [NEWS, OF_ALL])
def test_nothing_is_new_until_something_is_done(address: str, public_cup: Division, reader: Client) -> None:
    seen = reader.get(address).json()["state"]
    before = reader.get(address, {"seen": seen})
    factories.result(public_cup.rounds.get(number=3), 2, 400, 390)
    after = reader.get(address, {"seen": seen})

    assert (before.status_code, before.content) == (HTTPStatus.NO_CONTENT, b"")
    assert (after.status_code, after.json()["state"] != seen) == (HTTPStatus.OK, True)
    assert after.headers["Cache-Control"] == "private, no-store"


def test_tournament_that_comes_or_goes_is_news_of_the_list(public_cup: Division, reader: Client) -> None:
    seen = [reader.get(OF_ALL).json()["state"]]
    set_public(public_cup.tournament, public=False, actor=factories.director())
    seen.append(reader.get(OF_ALL).json()["state"])
    factories.event("Anderer Cup")
    seen.append(reader.get(OF_ALL).json()["state"])

    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize(("address", "queries"), [(NEWS, 1), (OF_ALL, 2)])
def test_asking_takes_few_queries(
    address: str, queries: int, public_cup: Division, reader: Client, django_assert_num_queries: object
) -> None:
    with django_assert_num_queries(queries):  # type: ignore[operator]  # pytest-django gives no type
        reader.get(address, {"seen": "0"})


def test_hidden_tournament_tells_nobody_but_its_director(public_cup: Division, reader: Client) -> None:
    Tournament.objects.update(is_public=False)
    doris = Client()
    factories.sign_in(doris)
    address = "/director/herbst-cup/news/"

    assert reader.get(NEWS).status_code == HTTPStatus.NOT_FOUND
    assert reader.get(address).status_code == HTTPStatus.FOUND
    assert doris.get(address).json() == {"state": str(public_cup.tournament.revision)}
