"""The public page of an organiser, and the front page once there are several."""

import pytest
from django.test import Client

from tests import factories
from tournament.accounts.operations import update_organiser

LINK = 'href="/organisers/sc-dort/"'


@pytest.fixture
def reader(db: None) -> Client:
    factories.event("Hier-Cup", players=1, by=factories.director(of=factories.organiser("SC Hier")))
    return Client()


def test_front_page_is_the_only_club_s_own(reader: Client) -> None:
    factories.organiser("SC Leer")

    page = reader.get("/").content.decode()

    assert "Hier-Cup" in page
    assert ">SC Hier</h1>" in page
    assert 'href="/organisers/sc-hier/">SC Hier</a>' in reader.get("/t/hier-cup/").content.decode()
    assert "Veranstalter" not in page


def test_front_page_lists_organisers_once_two_have_something_public(reader: Client) -> None:
    factories.event("Dort-Cup", players=0, by=factories.director("otto", factories.organiser("SC Dort")))

    front, own = reader.get("/").content.decode(), reader.get("/organisers/sc-dort/").content.decode()

    assert LINK in front
    assert LINK in reader.get("/t/dort-cup/").content.decode()
    assert "Hier-Cup" in front
    assert "SC Hier" in front
    assert "Dort-Cup" in own
    assert "Hier-Cup" not in own


def test_page_of_an_organiser_lists_only_what_is_public(reader: Client) -> None:
    factories.event("Geheim-Cup", players=0, is_public=False)

    assert "Geheim-Cup" not in reader.get("/organisers/sc-hier/").content.decode()
    assert reader.get("/organisers/sc-fern/").status_code == 404


def test_news_of_an_organiser_are_its_own(reader: Client) -> None:
    before = reader.get("/organisers/sc-hier/news/").json()["state"]
    factories.event("Dort-Cup", players=0, by=factories.director("otto", factories.organiser("SC Dort")))

    assert reader.get("/organisers/sc-hier/news/", {"seen": before}).status_code == 204
    assert reader.get("/organisers/sc-fern/news/").status_code == 404


def test_tournaments_page_kept_for_others_follows_its_organiser(reader: Client) -> None:
    otto = factories.director("otto", factories.organiser("SC Dort"))
    factories.event("Dort-Cup", players=0, by=otto)
    before = reader.get("/t/dort-cup/").content.decode()
    update_organiser(factories.organiser("SC Dort"), name="SC Neu", slug="neu", actor=otto)

    after = reader.get("/t/dort-cup/").content.decode()

    assert LINK in before
    assert 'href="/organisers/neu/">SC Neu<' in after
